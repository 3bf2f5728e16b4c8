#!/bin/bash
# The provider and the client with which `lifecheck record` is tested, without it: what the one
# answers is what the other expects, and each fault is what its name says.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peers=$(dirname "$lifecheck")/tests/record
captures=$root/testdata/captures
whole=$captures/fault-apply-value-changed.jsonl # 11 calls: 2 plans, 1 apply
address=example.test/tests/thing

if [ ! -x "$peers/provider" ] || [ ! -x "$peers/client" ]; then
    echo "ok - test provider and test client # SKIP they are not built: libnghttp2 is missing"
    exit 0
fi
mkdir sockets
export TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2
export PLUGIN_UNIX_SOCKET_DIR=$work/sockets PEER_LOG=$work/log RECORDING=$whole
pid=
trap '[ -z "$pid" ] || kill -9 "$pid"; rm -rf "$work"' EXIT

# start [NAME=VALUE...]: a provider, up to its line; sets pid, line and the variable for the client
start() {
    stop
    : >log && rm -f line
    mkfifo line
    env "$@" "$peers/provider" >line 2>provider.stderr &
    pid=$!
    exec 8<line # held open, so that a flood of standard output has a reader that sleeps
    read -r -t 60 line <&8
    IFS='|' read -r _ protocol network path _ <<<"$line"
    export TF_REATTACH_PROVIDERS="{\"$address\":{\"Protocol\":\"grpc\",\"ProtocolVersion\":${protocol:-5},\"Pid\":$pid,\"Test\":true,\"Addr\":{\"Network\":\"$network\",\"String\":\"$path\"}}}"
}

stop() { # sets ended, the provider's exit status
    [ -n "$pid" ] || return
    kill -9 "$pid" 2>kills
    await_end
}

await_end() {
    wait "$pid" 2>kills
    ended=$?
    pid=
}

client() {
    timeout 60 "$peers/client" "$@"
}

is_broken() { # name
    [ "$status" = 1 ] && grep -q 'Plugin did not respond' stderr
    result $? "$1: the client says so"
}

# ---- Good behaviour

wants 1 "a start by hand" env -u TF_PLUGIN_MAGIC_COOKIE "$peers/provider"
err_has "This binary is a plugin" "is refused"

for recording in "$captures"/*.jsonl; do
    name=$(basename "$recording" .jsonl)
    calls=$(grep -c '"rpc"' "$recording")
    start RECORDING="$recording"
    run client "$recording"
    [ "$status" = 0 ] && grep -qx "$calls calls, $calls answered, $calls equal, 0 failed" stdout && ! grep -q ping stderr
    result $? "$name: $calls answers as recorded"
    [ "$(grep -c ' equal$' log)" = "$calls" ]
    result $? "to requests as recorded"
    run client "$recording" --connections 8 --parallel 10 --repeat 5
    [ "$status" = 0 ] && grep -q " $((calls * 5)) equal, 0 failed" stdout
    result $? "many at once"
done
[[ $line =~ ^1\|5\|unix\|$work/sockets/plugin[0-9]+\|grpc\|$ ]]
result $? "the line of protocol 5"
start
[[ $line == '1|6|unix|'*'|grpc|' ]]
result $? "the line of protocol 6"
run client "$whole"
[ "$(grep -c ' connection$' log)" = 8 ] && [ "$(grep -c ' call StreamStdio' log)" = 4 ]
result $? "for each process a connection to see whether a recorder is there, and another"
run client "$whole" --large 3000000
grep -q ', 11 equal, 0 failed' stdout
result $? "large requests"
run client "$captures/fault-none.jsonl" --parallel 10
[ "$status" = 0 ] && grep -q '^11 calls, 11 answered' stdout
result $? "requests that differ are answered by those of their type"
run client "$captures/random-replace.jsonl"
[ "$status" = 1 ] && grep -q 'Unsupported plugin method' stderr
result $? "calls that were not recorded are refused"
cat >kinds.jsonl <<'END'
{"process":1,"seq":1,"protocol":6,"rpc":"InvokeAction","request":{"action_type":"a"},"responses":[{"progress":{"message":"half"}},{"completed":{}}]}
{"process":1,"seq":2,"protocol":6,"rpc":"WriteStateBytes","requests":[{"bytes":"AAE=","total_length":"3"},{"bytes":"Ag=="}],"response":{}}
{"process":1,"seq":3,"protocol":6,"rpc":"ReadResource","request":{"type_name":"t"},"error":{"code":"InvalidArgument","message":"100 % wrong: \u00e9\n"}}
{"process":1,"seq":4,"protocol":6,"rpc":"ReadResource","request":{"type_name":"u"},"response":{"raw":"/////w=="}}
{"note":"no call"}
{"process":1,"seq":5,"protocol":6,"rpc":"ListResource","request":{"type_name":"t"},"responses":[]}
END
start RECORDING=kinds.jsonl
run client kinds.jsonl
[ "$status" = 0 ] && grep -qx '5 calls, 5 answered, 5 equal, 0 failed' stdout
result $? "streams, statuses and raw messages"
start
wants 7 "an exit status that was asked for" client "$whole" --exit 7
wants 5 "nothing broke" client "$whole" --expect-broken
run client --provider example.test/tests/other "$whole"
[ "$status" = 3 ] && err_has "no entry that can be used for example.test/tests/other" "an address that is not there"
run client --print-env
[ "$(cat stdout)" = "$TF_REATTACH_PROVIDERS"$'\n''0 calls, 0 answered, 0 equal, 0 failed' ]
result $? "prints the variable"
wants 1 "a client that ends at once" client "$whole" --abort 3
grep -q '^3 calls\|[0-9] ms' stdout stderr
[ $? = 1 ]
result $? "says nothing"
run client "$whole" --cancel 3
[ "$status" = 1 ] && grep -q 'Request cancelled' stderr && grep -q '^11 calls, 11 answered' stdout
result $? "a call that is cancelled: the others go on"
kill -INT "$pid"
run client "$whole"
[ "$status" = 0 ]
result $? "the provider does not mind SIGINT"
run client "$whole" --kill-provider 4
is_broken "a provider that is killed after 4 answers"
await_end
[ "$ended" = 137 ] && grep -q ' 4 answered' stdout
result $? "and it was"
run client "$whole"
[ "$status" = 1 ]
result $? "nobody is there any more"

{
    echo "RECORDING=$whole"
    echo FAULT=protocol-7
} >terraform-provider-x.env
cp "$peers/provider" terraform-provider-x
env -u RECORDING ./terraform-provider-x >said 2>&1 &
pid=$!
for _ in $(seq 200); do
    ! grep -q '^1|' said || break
    sleep 0.05
done
kill "$pid"
await_end
[ "$ended" = 143 ] && grep -q '^1|7|' said
result $? "settings in a file next to it; SIGTERM ends it"
wants 4 "a fault that does not exist" env FAULT=zork "$peers/provider"

# ---- Faults of the start

start FAULT=garbage
[[ $line == Hello* ]]
result $? "garbage"
run env FAULT=early-exit "$peers/provider"
[ "$status" = 2 ] && [ ! -s stdout ] && grep -q '^panic: ' stderr
result $? "early-exit"
run timeout 1 env FAULT=no-handshake "$peers/provider"
[ "$status" = 124 ] && [ ! -s stdout ]
result $? "no-handshake"
for row in 'protocol-4 1\|4\|unix\|.*\|grpc\|' 'protocol-7 1\|7\|unix\|.*\|grpc\|' 'tls 1\|6\|unix\|.*\|grpc\|MII.+' \
    'netrpc 1\|6\|unix\|.*\|netrpc\|' 'tcp 1\|6\|tcp\|127\.0\.0\.1:[0-9]+\|grpc\|'; do
    start "FAULT=${row%% *}"
    [[ $line =~ ^${row#* }$ ]]
    result $? "${row%% *}"
done

# ---- Faults of the service

for row in die-in-apply:2 kill-in-apply:137 exit-in-apply:0 secret-stderr:2; do
    start FAULT="${row%:*}" FAULT_TEXT=hunter2
    run client "$whole"
    is_broken "${row%:*}"
    await_end
    [ "$ended" = "${row#*:}" ] && grep -q '^11 calls, 10 answered, 10 equal, 1 failed' stdout
    result $? "status ${row#*:}"
done
grep -q '^hunter2$' provider.stderr && grep -q '^panic: ' provider.stderr
result $? "and the text"
start FAULT=die-after FAULT_AT=8
run client "$whole"
is_broken die-after
grep -q ' 8 answered' stdout
result $? "all answers before it came"
start FAULT=die-in-apply FAULT_AT=2
run client "$whole" --repeat 2
is_broken "die-in-apply, the second"
grep -q '^22 calls, 21 answered' stdout
result $? "the first is answered"

start FAULT=hang
run timeout 2 "$peers/client" "$whole"
[ "$status" = 124 ]
result $? "hang"
[ "$(tail -n 1 log)" = "$pid call PlanResourceChange equal" ]
result $? "in a plan"
start FAULT=reset
run client "$whole"
[ "$status" = 1 ] && grep -q 'Plugin error' stderr && grep -q ', 10 equal, 1 failed' stdout
result $? "reset: the client says so, and the other calls go on"
update=$captures/time-update.jsonl
start FAULT=goaway RECORDING="$update"
run client "$update"
is_broken goaway
start FAULT=goaway RECORDING="$update"
run client "$update" --redial
[ "$status" = 0 ] && grep -q ' 81 equal, 0 failed' stdout
result $? "who dials again goes on"
start FAULT=garbage-frames
run client "$whole"
is_broken garbage-frames

start FAULT=unknown-fields
run client "$whole"
[ "$status" = 0 ] && grep -q '11 answered, 0 equal, 0 failed' stdout
result $? "unknown-fields: no answer is equal"
start FAULT=compressed
run client "$whole"
[ "$status" = 0 ] && grep -q '11 answered, 0 equal, 0 failed' stdout
result $? "compressed: no answer is equal"
start FAULT=unknown-method
run client "$captures/random-replace.jsonl"
[ "$status" = 0 ] && grep -q ' 0 failed' stdout
result $? "unknown-method: every call is answered"
start FAULT=big FAULT_SIZE=32
run client "$whole"
[ "$status" = 0 ] && grep -q '11 answered, 10 equal, 0 failed' stdout
result $? "big: the answer with the schema differs"
start FAULT=slow
run client "$whole" --parallel 10 --connections 10
ms=$(sed -n 's/ ms$//p' stderr)
[ "$status" = 0 ] && [ "$ms" -ge 50 ] && [ "$ms" -lt 5000 ]
result $? "slow, but all at once"
start FAULT=flood FAULT_SIZE=2
run client "$whole"
[ "$status" = 0 ] && [ "$(wc -c <provider.stderr)" -gt 10000000 ]
result $? "flood"
start FAULT=flood-stdout FAULT_SIZE=2
run timeout 2 "$peers/client" "$whole"
[ "$status" = 124 ]
result $? "flood-stdout: nothing goes on while no one reads"
cat <&8 >/dev/null &
reader=$!
run client "$whole"
[ "$status" = 0 ]
result $? "but then it does"
stop
exec 8<&-
wait "$reader"
start
run client --shutdown "$whole"
out_has "the provider hung up: yes" "the provider ends when it is asked to"
await_end
[ "$ended" = 0 ] && [ ! -e "$path" ]
result $? "with its socket"

start
one=$TF_REATTACH_PROVIDERS first=$pid pid=
address=example.test/tests/random start RECORDING="$captures/random-replace.jsonl"
TF_REATTACH_PROVIDERS="${one%\}},${TF_REATTACH_PROVIDERS#\{}"
run client --connections 8 --provider example.test/tests/thing "$whole" --provider example.test/tests/random "$captures/random-replace.jsonl"
[ "$status" = 0 ] && grep -qx '100 calls, 100 answered, 100 equal, 0 failed' stdout
result $? "two providers at once"
kill -9 "$first"
wait "$first" 2>kills
run client --provider example.test/tests/random "$captures/random-replace.jsonl" --provider example.test/tests/thing "$whole"
[ "$status" = 1 ] && grep -q 'nobody listens' stderr
result $? "one of them is not there"

start FAULT=ignores-shutdown
run client --shutdown "$whole"
out_has "the provider hung up: no" "ignores-shutdown"
start FAULT=ignores-term
kill "$pid"
run client "$whole"
[ "$status" = 0 ]
result $? "ignores-term"
stop
