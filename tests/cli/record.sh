#!/bin/bash
# `lifecheck record` with providers and clients that behave: what is recorded and judged, the options,
# the exit status. Faults are in record-faults.sh, which providers are found in record-providers.sh.
# Takes long, so it starts first.
# shellcheck disable=SC2016 # what is for another shell
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"

# findings FILE: of a JSON report, without the places, which differ
findings() {
    grep -o '"rule":"[^"]*"\|"path":"[^"]*"\|"verdict":"[^"]*"' "$1"
}

# ---- What was said is what is recorded, and judged as it was

pairs=()
for played in "$captures"/*.jsonl; do
    name=$(basename "$played" .jsonl)
    calls=$(grep -c '"rpc"' "$played")
    "$lifecheck" --format json "$played" >played.json 2>played.stderr
    want=$?
    # some recordings are parts of others, so that a client that plays them configures nothing
    record RECORDING="$played" --secrets --ignore sequence/unconfigured --report json=live.json -- "$client" "$played"
    schemas=$(grep -c '"rpc": *"Get[A-Za-z]*Schema"' "$played")
    ends $want "$calls $((schemas > 0 ? schemas - 1 : 0)) 0" "$name"
    # the provider gives equal requests of two processes the first answer that was recorded
    [ "$name" = unapplied-plan-two-runs ] || pairs+=("$played" "$recorded")
    grep -qx "$calls calls, $calls answered, $calls equal, 0 failed" stdout
    result $? "$name: the client has all answers"
    err_has "lifecheck: $calls calls recorded in $recorded, with secrets" "$name: reported"
    "$lifecheck" --format json --ignore sequence/unconfigured "$recorded" >after.json 2>after.stderr
    [ $? = $want ] && [ "$(findings live.json)" = "$(findings after.json)" ] && [ "$(findings live.json | sort)" = "$(findings played.json | sort)" ]
    result $? "$name: judged live as afterwards, and as what was played"
    record RECORDING="$played" --ignore sequence/unconfigured -- "$client" "$played"
    "$lifecheck" --format json --ignore sequence/unconfigured "$recorded" >redacted.json 2>after.stderr
    [ $? = $want ] && [ "$(findings redacted.json)" = "$(findings after.json)" ]
    result $? "$name: judged redacted as with secrets"
    rm -f live.json
done
timeout 60 python3 "$root/tests/cli/checks/recording.py" "${pairs[@]}" >stdout 2>stderr && [ ! -s stdout ]
result $? "every recording has the calls that were played"

# ---- The file

export RECORDING=$good
record --quiet -- "$client" "$good"
ends 0 "11 0 0" "--quiet"
! grep -q lifecheck stderr
result $? "--quiet: nothing is reported"
for mask in 000 077 277; do
    (umask $mask && record --no-judge -- "$client" "$good" && [ "$(stat -c %a "$recorded")" = 600 ])
    result $? "mode 0600 with umask $mask"
    made=$((made + 1))
done
record -- "$client" "$good"
before=$(cksum <"$recorded") used=$recorded
ln -s nowhere link
mkdir folder
for name in "$used" link folder /dev/full missing/r.jsonl; do
    for force in "" --force; do
        # shellcheck disable=SC2086 # no word or one
        run "$lifecheck" record --provider "$address=$peers/provider" $force -o $name -- touch ran
        [ "$status" = 4 ] && [ ! -e ran ]
        result $? "-o $name $force: nothing is run"
        err_has "$name cannot be written: " "-o $name $force: says so"
        err_lines 1 "-o $name $force: in one line"
    done
done
[ "$(cksum <"$used")" = "$before" ] && [ ! -e nowhere ] && [ ! -e missing ]
result $? "nothing was overwritten or made"
mkdir named && cd named || exit 1
for _ in 1 2 3; do
    run "$lifecheck" record --provider "$address=$peers/provider" -- "$client" "$good"
    [ "$status" = 0 ]
    result $? "without -o"
done
[ "$(find . -name 'recording-2*T*Z*.jsonl' -size +10k | wc -l)" = 3 ]
result $? "without -o: each has a name of its own, even within a second"
cd ..

# ---- Options

export RECORDING=$whole
record --no-judge -- "$client" "$whole"
[ "$status" = 0 ] && ! grep -q 'apply/changed\|cases' stderr && [ "$(tail -n 1 "$recorded" | cut -c1-13)" = '{"recording":' ]
result $? "--no-judge only records"
leaves_nothing "--no-judge"
record --select 'plan/*' -- "$client" "$whole"
[ "$status" = 0 ]
result $? "--select"
record --ignore apply/changed -- "$client" "$whole"
[ "$status" = 0 ]
result $? "--ignore"
record --report json=a.json --report html=a.html --report junit=a.xml --format tap -- "$client" "$whole"
[ "$status" = 1 ] && grep -q '"apply/changed"' a.json && grep -q 'apply/changed' a.html && grep -q 'apply/changed' a.xml
result $? "--report: several"
grep -q '^not ok 1' stderr && [ "$(wc -l <stdout)" = 1 ]
result $? "--format: to standard error, because standard output is the command's"
record --report json=- -- "$client" "$whole"
grep -q '"apply/changed"' stderr && [ "$(wc -l <stdout)" = 1 ]
result $? "--report to standard output goes there too"
echo mine >there.json
record --report json=missing/x.json -- touch ran
[ "$status" = 4 ] && [ ! -e ran ] && [ ! -e "$recorded" ]
result $? "a report that cannot be written: nothing is run"
record RECORDING="$good" --provider-log log.txt -- "$client" "$good"
[ "$status" = 0 ] && [ "$(grep -c 'plugin address' log.txt)" = 4 ] && [ "$(stat -c %a log.txt)" = 600 ]
result $? "--provider-log: of all providers"
record --provider-log log.txt -- touch ran
[ "$status" = 4 ] && [ ! -e ran ] && [ ! -e "$recorded" ]
result $? "--provider-log: a file that exists is not overwritten, and nothing is run"
err_has "log.txt cannot be written: File exists" "--provider-log: says so"
record --write-baseline known -- "$client" "$whole"
record --baseline known -- "$client" "$whole"
[ "$status" = 0 ]
result $? "--baseline: what is known does not fail"
wants 2 "no command" "$lifecheck" record
err_has "lifecheck record -- terraform apply" "no command: says how"
wants 2 "no command behind --" "$lifecheck" record --
wants 2 "--listen and a command" "$lifecheck" record --listen -- true
wants 2 "an option that does not exist" "$lifecheck" record --zork -- true
wants 2 "a number that is none" "$lifecheck" record --start-timeout soon -- true
record echo --quiet -o other --format zork
[ "$(cat stdout)" = "--quiet -o other --format zork" ]
result $? "what stands behind the command is the command's"
record -- sh -c 'echo out; echo err >&2; cat' <"$good"
[ "$(head -n 1 stdout)" = out ] && grep -qx err stderr && [ "$(wc -l <stdout)" = 12 ]
result $? "standard input, output and error are the command's"

# ---- Which object it is. The state that the command leaves names what it created; recordings have no addresses.

addresses() {
    # life NAME PRIOR ID SIZE: plan and apply of an object; the apply is a violation, which clients tolerate
    perl "$root/tests/cli/checks/calls.pl" <<<"1 schema" >schema.jsonl
    life() {
        local config="config={\"name\":\"$1\",\"size\":7}" plan
        plan="$config prior=null planned={\"name\":\"$1\",\"id\":\"?\",\"size\":7} legacy=1"
        printf '%s\n' "2 validate $config" "2 plan $plan" "3 validate $config" "3 plan $plan" \
            "3 apply $plan result={\"name\":\"$1\",\"id\":\"$2\",\"size\":$3}"
    }
    lives() { { cat schema.jsonl && printf '2 configure\n3 configure\n' | cat - <(life "$@") | sort -s -n | perl "$root/tests/cli/checks/calls.pl"; } >"$1.jsonl"; }
    object() { printf '{"mode":"managed","type":"demo_disk","name":"%s","provider":"provider[\\"%s\\"]","instances":[{"schema_version":0,"attributes":{"id":"%s","name":"%s","size":%s,"tag":null}}]}' "$2" "$address" "$3" "$1" "$4"; }
    state() { printf '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[%s],"check_results":null}\n' "$1"; }
    cases_of() { python3 -c 'import json, sys; print(*(c["name"] for c in json.load(open(sys.argv[1]))["cases"]))' "$1"; }
    names() { # NAMES, title: of the cases, live and in the recording, without the state beside it
        local live after
        live=$(cases_of live.json)
        (mkdir -p away && cp "$recorded" away/ && cd away && "$lifecheck" --format json "$recorded" >../after.json 2>/dev/null)
        after=$(cases_of after.json)
        [ "$live" = "$1" ] && [ "$after" = "$1" ] && [ "$(findings live.json)" = "$(findings after.json)" ]
        result $? "$2 (live: $live, afterwards: $after)"
        rm -f live.json terraform.tfstate
    }
    lives big i 8
    grep -q apply/changed <("$lifecheck" big.jsonl)
    result $? "an apply that is a violation"
    state "$(object big a i 8)" >big.state
    record RECORDING=big.jsonl --report json=live.json -- sh -c "$client big.jsonl && cp big.state terraform.tfstate"
    names demo_disk.a "a first apply: an object with a violation has its address"
    record RECORDING=big.jsonl --report json=live.json -- "$client" big.jsonl
    names 'demo_disk#1' "without a state it has none"
    state "$(object big a i 8),$(object big b i 8)" >two.state
    record RECORDING=big.jsonl --report json=live.json -- sh -c "$client big.jsonl && cp two.state terraform.tfstate"
    names 'demo_disk#1' "two objects of the state have this value: no address rather than a wrong one"
    state "$(object big a j 8)" >other.state
    record RECORDING=big.jsonl --report json=live.json -- sh -c "$client big.jsonl && cp other.state terraform.tfstate"
    names 'demo_disk#1' "no object of the state has it"
    { cat schema.jsonl && { printf '2 configure\n3 configure\n' && life one i 8 && life two j 9; } | sort -s -n | perl "$root/tests/cli/checks/calls.pl"; } >both.jsonl
    state "$(object one a i 8),$(object two b j 9)" >both.state
    record RECORDING=both.jsonl --report json=live.json -- sh -c "$client both.jsonl && cp both.state terraform.tfstate"
    names 'demo_disk.a demo_disk.b' "two objects, each with its own"
    state "$(object two b j 9)" >half.state
    record RECORDING=both.jsonl --report json=live.json -- sh -c "$client both.jsonl && cp half.state terraform.tfstate"
    names 'demo_disk#1 demo_disk.b' "only one of them is in the state: numbers begin with 1"
    mkdir there
    cp big.state there/terraform.tfstate
    record RECORDING="$PWD/big.jsonl" --report json=live.json -- sh -c "cd there && $client ../big.jsonl"
    names demo_disk.a "the state is in the folder where the client works"
    for option in -state=big.state -state-out=big.state "-state=none -state-out=big.state" --state=big.state; do
        # shellcheck disable=SC2086 # words
        record RECORDING=big.jsonl --report json=live.json -- "$client" $option big.jsonl
        names demo_disk.a "the client names the state file: $option"
    done
    cp "$client" terraform-test
    cp "$client" other-program
    mkdir -p .terraform
    echo '{"version":3,"backend":{"type":"s3"}}' >.terraform/terraform.tfstate
    record RECORDING=big.jsonl PULLED=big.state --report json=live.json -- ./terraform-test big.jsonl
    names demo_disk.a "with a backend the client is asked for the state"
    record RECORDING=big.jsonl PULLED=big.state --report json=live.json -- ./other-program big.jsonl
    names 'demo_disk#1' "a program with another name is not asked"
    record RECORDING=big.jsonl PULLED=missing --report json=live.json -- ./terraform-test big.jsonl
    names 'demo_disk#1' "a client that cannot say it"
    rm -rf .terraform
    record RECORDING=big.jsonl PULLED=big.state TF_WORKSPACE=x --report json=live.json -- ./terraform-test big.jsonl
    names demo_disk.a "with a workspace too"
}
if command -v perl >/dev/null; then
    addresses
else
    echo "ok - which object it is # SKIP perl is not installed"
fi

# ---- How it ends

for row in "exit 0:3" "exit 7:7" 'kill -INT $$:130' 'kill -TERM $$:143' 'kill -KILL $$:137' "exec ./missing:127" "exec ./folder:126"; do
    record -- sh -c "${row%:*}"
    [ "$status" = "${row##*:}" ] || echo "#   exit status $status"
    [ "$status" = "${row##*:}" ]
    result $? "${row%:*}: exit status ${row##*:}"
    leaves_nothing "${row%:*}"
done
record -- sh -c 'exit 1'
[ "$status" = 1 ] && [ ! -e "$recorded" ] && grep -qx 'lifecheck: sh ended with status 1 before it called a provider; there is no recording' stderr && ! grep -q 'nothing was checked' stderr
result $? "a command that fails before it asks a provider: reported, and no recording"
record -- true
[ "$status" = 3 ] && [ ! -e "$recorded" ] && [ ! -s stdout ]
result $? "no calls: no recording"
err_has "lifecheck: true ended before it called a provider; there is no recording, and nothing was checked. Possible reasons:" "no calls: reported"
err_has "lifecheck: - its configuration needs none of the providers that were found: $address" "no calls: and why that may be"
record --allow-empty -- true
[ "$status" = 0 ]
result $? "no calls with --allow-empty"
record --no-judge -- true
[ "$status" = 3 ] && [ ! -e "$recorded" ]
result $? "no calls with --no-judge"
record -- ./missing
[ "$status" = 127 ] && [ ! -s stdout ]
result $? "a command that is not there: 127"
err_has "lifecheck: ./missing cannot be run: No such file or directory" "a command that is not there: reported"
record -- ./folder
[ "$status" = 126 ]
result $? "a command that cannot be run: 126"
record -- "$client" "$whole" --exit 3
ends 3 "11 0 0" "a command that fails"
err_has "apply/changed" "a command that fails: judged all the same"

# ---- Many at once

export RECORDING=$good
record --no-judge -- "$client" "$good" --repeat 28 --connections 8 --parallel 10
grep -q '"calls":308,"repeated_schemas":27,"lost":0' "$recorded" && [ "$(grep -c '"rpc":' "$recorded")" = 281 ]
result $? "many calls on 8 connections: none is lost"
leaves_nothing "many calls on 8 connections"
out_has "308 calls, 308 answered, 308 equal, 0 failed" "many calls: the client has all answers"

# ---- Signals

# begin_hanging: a recorder in the background, whose client waits for an answer
begin_hanging() {
    made=$((made + 1))
    recorded=r$made.jsonl
    : >"$PEER_LOG"
    rm -f stdout stderr
    FAULT=hang timeout -k 5 60 "$lifecheck" record --provider "$address=$peers/provider" -o "$recorded" -- "$@" >stdout 2>stderr &
    guard=$!
    await 'call PlanResourceChange' "$PEER_LOG"
    sleep 0.1
    recorder=$(children_of $guard)
}

for row in INT:130 TERM:143 HUP:129; do
    signal=${row%:*}
    begin_hanging "$client" "$good"
    kill "-$signal" "$recorder"
    if [ "$signal" = INT ]; then # the client waits for its providers, until it is asked again
        sleep 0.3
        runs "$recorder"
        result $? "SIGINT to the recorder: the client decides when it ends"
        kill -INT "$recorder"
    fi
    wait $guard
    status=$?
    ends "${row#*:}" "6 0 0" "SIG$signal to the recorder"
    [ "$(errors)" = "PlanResourceChange cut Canceled the client did not wait for the response" ]
    result $? "SIG$signal to the recorder: goes to the client, whose call is recorded as given up"
    err_has "lifecheck: 6 calls recorded" "SIG$signal to the recorder: the report is written"
done
begin_hanging "$client" "$good"
kill -KILL "$(for pid in $(children_of "$recorder"); do [ "$(cat /proc/"$pid"/comm)" != client ] || echo "$pid"; done)"
wait $guard
status=$?
ends 137 "6 0 0" "a client that is killed"
[ "$(errors)" = "PlanResourceChange cut Canceled the client did not wait for the response" ]
result $? "a client that is killed: its call is recorded as given up"
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    made=$((made + 1))
    recorded=r$made.jsonl
    : >"$PEER_LOG"
    # twice, as people do; each time the terminal gives it to every process in the foreground
    cat >terminal <<END
stty -echo; FAULT=hang "$lifecheck" record --provider "$address=$peers/provider" -o "$recorded" -- "$client" "$good" >stdout 2>stderr
echo "status \$?"
END
    timeout 30 python3 -c '
import os, pty, sys, time
child, terminal = pty.fork()
if child == 0:
    os.execv("/bin/sh", ["sh", "terminal"])
while "call PlanResourceChange" not in open(os.environ["PEER_LOG"]).read():
    time.sleep(0.05)
for _ in range(2):
    time.sleep(0.3)
    os.write(terminal, b"\x03")
out = b""
try:
    while piece := os.read(terminal, 1000):
        out += piece
except OSError:
    pass
os.waitpid(child, 0)' >said
    status=130
    ends 130 "6 0 0" "Ctrl-C on a terminal"
    [ "$(errors)" = "PlanResourceChange cut Canceled the client did not wait for the response" ]
    result $? "Ctrl-C on a terminal: reaches the client, and not the provider"
    ! grep -q 'while it was in use' stderr && err_has "lifecheck: 6 calls recorded" "Ctrl-C on a terminal: the report is written"
fi
made=$((made + 1))
recorded=r$made.jsonl
timeout 1 "$lifecheck" record --provider "$address=$peers/provider" -o "$recorded" -- sh -c 'sleep 100' >stdout 2>stderr
status=$?
[ "$status" = 124 ]
result $? "a command that does not end: ends with the recorder"
leaves_nothing "a command that does not end"
made=$((made + 1))
: >"$PEER_LOG"
FAULT=no-handshake "$lifecheck" record --provider "$address=$peers/provider" -o "r$made.jsonl" -- touch ran >stdout 2>stderr &
recorder=$!
await ' start$' "$PEER_LOG"
kill -TERM $recorder
wait $recorder
[ $? = 143 ] && [ ! -e ran ] && [ ! -e "r$made.jsonl" ]
result $? "SIGTERM while providers start: nothing is run"
leaves_nothing "SIGTERM while providers start"

# ---- Where nothing can be written

for blocks in 2 8 16; do # of 1,024 bytes
    made=$((made + 1))
    recorded=r$made.jsonl
    : >"$PEER_LOG"
    (ulimit -f $blocks && run timeout 60 "$lifecheck" record --provider "$address=$peers/provider" -o "$recorded" -- "$client" "$good"; echo "$status" >status)
    [ "$(cat status)" = 4 ] && grep -q ' 11 equal, 0 failed' stdout
    result $? "a full disk after $blocks KiB: the client and the provider continue, exit status 4"
    [ "$(grep -c 'cannot be written' stderr)" = 1 ]
    result $? "a full disk after $blocks KiB: reported once"
    err_has "of 11 calls, $recorded has only the first ones: it could not be written to the end" "a full disk after $blocks KiB: how much is recorded"
    [ "$(tail -c 2 "$recorded")" = "}" ] && [ -s "$recorded" ]
    result $? "a full disk after $blocks KiB: the file ends with a whole line"
    leaves_nothing "a full disk after $blocks KiB"
done
long=$work/$(printf 'x%.0s' {1..100})
mkdir "$long" "$work/sealed"
for row in "XDG_RUNTIME_DIR=$long TMPDIR=$long" "XDG_RUNTIME_DIR=$work/missing TMPDIR=$work/missing" "XDG_RUNTIME_DIR= TMPDIR=relative" "XDG_RUNTIME_DIR=$work/said TMPDIR=$work/run"; do
    # shellcheck disable=SC2086 # words
    record $row -- "$client" "$good"
    ends 0 "11 0 0" "${row//$work/...}"
done
[ -z "$(ls "$long")" ]
result $? "nothing is left there"

# ---- Standard descriptors that are closed

"$lifecheck" record --provider "$address=$peers/provider" -o in.jsonl -- "$client" "$good" <&- >stdout 2>stderr
[ $? = 0 ]
result $? "a closed standard input"
"$lifecheck" record --provider "$address=$peers/provider" -o out.jsonl -- "$client" "$good" >&- 2>stderr
[ $? = 0 ]
result $? "a closed standard output is the command's matter"
"$lifecheck" record --provider "$address=$peers/provider" -o err.jsonl -- "$client" "$good" >stdout 2>&-
[ "$(wc -l <err.jsonl)" = 14 ]
result $? "a closed standard error"
"$lifecheck" record --provider "$address=$peers/provider" -o none.jsonl -- "$client" "$good" <&- >&- 2>&-
[ "$(wc -l <none.jsonl)" = 14 ]
result $? "all of them"
"$lifecheck" record --provider "$address=$peers/provider" -o full.jsonl -- "$client" "$good" >stdout 2>/dev/full
[ "$(wc -l <full.jsonl)" = 14 ]
result $? "a standard error that is full"

# ---- Limits of descriptors

export RECORDING=$good
(ulimit -Sn 80 && record FAULT=slow --no-judge -- sh -c 'ulimit -n; exec "$0" "$@"' "$client" "$good" --repeat 8 --connections 32; echo "$status" >status)
[ "$(cat status)" = 0 ] && grep -q ' 88 equal, 0 failed' stdout && ! grep -q 'Too many' stderr
result $? "32 connections with 80 descriptors that may be more"
[ "$(head -n 1 stdout)" = 80 ]
result $? "the command's limit is that of the user"
made=$((made + 1))
(ulimit -n 80 && record FAULT=slow --no-judge -- "$client" "$good" --repeat 8 --connections 32; echo "$status" >status)
[ "$(cat status)" = 0 ] && grep -q ' 88 equal, 0 failed' stdout && ! grep -q 'Too many' stderr
result $? "32 connections with 80 descriptors: some of them wait"
for most in 5 7 8 12 14 20 40 63; do
    recorded=lack$most.jsonl
    (ulimit -n $most && run timeout -k 5 20 "$lifecheck" record --provider "$address=$peers/provider" -o "$recorded" -- touch ran; echo "$status" >status)
    [ "$(cat status)" = 3 ] && [ ! -e ran ] && [ ! -e "$recorded" ]
    result $? "$most descriptors: nothing is run"
    err_has "only $most open files are allowed, and lifecheck with a provider needs 64: raise ulimit -n" "$most descriptors: says so"
    leaves_nothing "$most descriptors"
done
made=$((made + 1))
record -- sh -c 'ulimit -n 64; exec "$0" "$@"' "$client" "$good"
ends 0 "11 0 0" "a client with 64 descriptors"
if command -v prlimit >/dev/null; then
    for most in 9 14; do # of the recorder, while it runs
        record -- sh -c 'prlimit --pid $PPID --nofile='$most'; exec "$0" "$@"' "$client" "$good"
        [ "$status" = 4 ] && ! grep -q 'wire/rpc-error' stdout stderr
        result $? "a lack of descriptors in the middle is not the provider's"
        err_has ": Too many open files: raise ulimit -n" "a lack of descriptors in the middle: reported"
        errors | grep -q 'cut Canceled lifecheck could not reach the provider'
        result $? "a lack of descriptors in the middle: the call is not checked"
        leaves_nothing "a lack of descriptors in the middle"
    done
fi
