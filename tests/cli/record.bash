# Sourced behind lib.bash by the scripts about `lifecheck record`: a provider and a client that play
# recorded calls, and what must hold after each recording.
# shellcheck shell=bash disable=SC2034,SC2154 # variables are for those who source this, or of lib.bash
peers=$(dirname "$lifecheck")/tests/record
captures=$root/testdata/captures
whole=$captures/fault-apply-value-changed.jsonl # 11 calls: 2 plans, 1 apply; the apply is a violation
good=$captures/fault-none.jsonl                 # 11 calls that keep theirs
address=example.test/tests/thing

if [ ! -x "$peers/provider" ] || [ ! -x "$peers/client" ]; then
    echo "ok - record # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
if ! command -v python3 >/dev/null; then
    echo "ok - record # SKIP python3 is not installed"
    exit 0
fi
mkdir run home
export XDG_RUNTIME_DIR=$work/run HOME=$work/home PEER_LOG=$work/log RECORDING=$whole
unset TMPDIR XDG_CONFIG_HOME TF_DATA_DIR TF_CLI_CONFIG_FILE TERRAFORM_CONFIG TF_REATTACH_PROVIDERS
client=$peers/client
made=0

# record [NAME=VALUE...] [OPTION...] -- COMMAND...: with the test provider; sets status, recorded (the
# recording), stdout and stderr
record() {
    local settings=()
    while [[ $1 == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    made=$((made + 1))
    recorded=r$made.jsonl
    : >"$PEER_LOG"
    run env "${settings[@]}" timeout -k 5 60 "$lifecheck" record --provider "$address=$peers/provider" -o "$recorded" "$@"
}

# All processes have ended and nothing is left in the file system.
leaves_nothing() { # name
    local pid left=
    # shellcheck disable=SC2013 # numbers
    for pid in $(sed -n 's/ start$//p' "$PEER_LOG"); do
        ! runs "$pid" || left="$left $pid"
    done
    for _ in $(seq 60); do # a process of ours that outlives the one that was killed removes it
        [ -n "$(ls "$work/run")" ] || break
        sleep 0.05
    done
    left="$left $(ls "$work/run")"
    [ -z "${left// /}" ] || echo "#   left:$left"
    [ -z "${left// /}" ]
    result $? "$1: no process and no socket is left"
}

# Whoever started it may be late to notice that it has ended.
is_gone() { # process
    for _ in $(seq 60); do
        runs "$1" || return 0
        sleep 0.05
    done
    return 1
}

# The file is whole: its first and its last two lines are about the recording, which knows how many
# calls it has.
holds() { # "calls repeated-schemas lost", name
    local lines facts
    lines=$(($(grep -c '^{"process":.*}$' "$recorded") + 3)) # as many as the file has
    facts=$(tail -n 2 "$recorded" | head -n 1 | sed 's/.*"calls":\([0-9]*\),"repeated_schemas":\([0-9]*\),"lost":\([0-9]*\)}}$/\1 \2 \3/')
    [ "$facts" = "$1" ] || echo "#   $facts"
    # shellcheck disable=SC2086 # words
    set -- "$2" $1 # name, calls, repeated, lost
    [ "$facts" = "$2 $3 $4" ] && [ $lines = $(($2 - $3 + 3)) ] && [ "$(wc -l <"$recorded")" = $lines ] &&
        head -n 1 "$recorded" | grep -q '^{"recording":{"format":1,' && tail -n 1 "$recorded" | grep -q '^{"addresses":.*}$'
    result $? "$1: the recording is whole"
}

# Calls with an error: name, "cut" or "-", code and message.
errors() {
    sed -n '/"error":{"code"/ {
        s/"cut":true/&,"what":"cut"/; t was
        s/"rpc":"[A-Za-z]*"/&,"what":"-"/
        :was
        s/.*"rpc":"\([A-Za-z]*\)",.*"what":"\([^"]*\)".*"error":{"code":"\([A-Za-z]*\)","message":"\([^"]*\)"}}$/\1 \2 \3 \4/p
    }' "$recorded"
}

ends() { # status, "calls repeated-schemas lost", name
    [ "$status" = "$1" ] || echo "#   exit status $status, not $1"
    [ "$status" = "$1" ]
    result $? "$3: exit status $1"
    holds "$2" "$3"
    leaves_nothing "$3"
}

# Waits until a file has a line that matches; 30 seconds at most.
await() { # pattern, file
    for _ in $(seq 600); do
        ! grep -q -- "$1" "$2" 2>"$work/awaited" || return 0
        sleep 0.05
    done
    return 1
}

# start_provider NAME=VALUE...: one that runs by itself; sets running (its process) and entry (what
# stands for it in TF_REATTACH_PROVIDERS)
start_provider() {
    local line protocol network path
    rm -f line
    mkfifo line
    # shellcheck disable=SC2094 # a pipe
    env TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2 \
        PLUGIN_UNIX_SOCKET_DIR="$work" "$@" "$peers/provider" >line 2>running.stderr &
    running=$!
    disown # its death is not worth a message
    read -r -t 30 line <line
    IFS='|' read -r _ protocol network path _ <<<"$line"
    entry="{\"Protocol\":\"grpc\",\"ProtocolVersion\":$protocol,\"Pid\":$running,\"Test\":true,\"Addr\":{\"Network\":\"$network\",\"String\":\"$path\"}}"
}

stop_provider() {
    kill -9 "$running"
    is_gone "$running"
    running=
}
