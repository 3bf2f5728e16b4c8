#!/bin/bash
# Providers that misbehave under `lifecheck record`: what is reported, what is recorded, how it ends.
# shellcheck disable=SC2016 # what is for another shell
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"

# refused NAME=VALUE... TEXT NAME: a provider that does not start, and is named by the user
refused() {
    local name=${*: -1} text=${*: -2:1}
    record "${@:1:$#-2}" --start-timeout 2 -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e "$recorded" ]
    result $? "$name: nothing is run, and no recording is left"
    err_has "$text" "$name: says so"
    leaves_nothing "$name"
}

# ---- No start

refused FAULT=garbage "the program printed \"Hello from a wrapper script" "another text"
refused FAULT=early-exit "it ended with status 2 before its handshake" "an early end"
err_has "  | panic: runtime error" "an early end: its last words"
refused FAULT=no-handshake "it printed no handshake within 2 seconds" "silence"
refused FAULT=protocol-4 "speaks protocol \"4\", and not 5 or 6" "an old protocol"
refused FAULT=protocol-7 "speaks protocol \"7\", and not 5 or 6" "a newer protocol"
refused FAULT=tls "requires TLS, which was not requested" "TLS"
refused FAULT=netrpc "speaks \"netrpc\", and not gRPC" "net/rpc"
for row in true:'it ended with status 0 before its handshake' cat:'it ended with status 0 before its handshake'; do
    run "$lifecheck" record --provider "$address=/bin/${row%%:*}" -o n.jsonl -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e n.jsonl ]
    result $? "/bin/${row%%:*} is not a provider"
    err_has "${row#*:}" "/bin/${row%%:*}: says so"
done
echo "this is a string" >text
chmod +x text
for row in "missing:there is no such file" "$whole:cannot be executed" "text:it cannot be executed" "$work:there is no such file"; do
    run "$lifecheck" record --provider "$address=${row%%:*}" -o n.jsonl -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e n.jsonl ]
    result $? "no program: ${row#*:}"
    err_has "${row#*:}" "no program: says so"
done
for name in "" a=b= =x thing thing= a/b/c/d=x /a=x; do
    run "$lifecheck" record --provider "$name" -o n.jsonl -- touch ran
    [ "$status" != 0 ] && [ ! -e ran ] && [ ! -e n.jsonl ]
    result $? "--provider '$name' is refused"
done
sleep=$(command -v sleep)
cat >never <<END
#!/bin/sh
"$sleep" 100 &
echo \$! >>"$work/never.pids"
exec "$sleep" 100
END
chmod +x never
run timeout 20 "$lifecheck" record --provider "$address=never" --start-timeout 1 -o n.jsonl -- touch ran
[ "$status" = 3 ] && is_gone "$(cat never.pids)"
result $? "a script that never serves: what it started ends too"

# ---- Deaths in a call

for row in die-in-apply:'ended with status 2' kill-in-apply:'ended by signal 9' exit-in-apply:'ended with status 0'; do
    fault=${row%%:*}
    record FAULT="$fault" -- "$client" "$whole"
    ends 1 "11 0 0" "$fault"
    out_has "11 calls, 10 answered, 10 equal, 1 failed" "$fault: the client has all answers before it"
    err_has "the provider $address (connection 4) ${row#*:}" "$fault: reported"
    err_has "with 1 call unanswered" "$fault: what was open"
    errors | grep -q "^ApplyResourceChange - Unavailable the provider ${row#*:}"
    result $? "$fault: the torn call has a status and why"
done
began=$(date +%s%N)
record FAULT=kill-in-apply -- "$client" "$whole" --redial
[ $((($(date +%s%N) - began) / 1000000)) -lt 3000 ]
result $? "a client that dials again is refused at once"
leaves_nothing "a client that dials again"
record FAULT=kill-in-apply -- sh -c '"$1" "$2"; "$1" "$2"' sh "$client" "$whole"
ends 1 "22 1 0" "two runs of a client"
[ "$(errors | grep -c '^ApplyResourceChange - Unavailable')" = 2 ]
result $? "two runs of a client: each has providers that work until they die"
record FAULT=die-after FAULT_AT=3 -- "$client" "$whole"
[ "$status" = 1 ] && [ "$(grep -c '"rpc":' "$recorded")" -ge 3 ]
result $? "die-after: the calls before it are recorded"
record -- "$client" "$whole" --kill-provider 4
[ "$status" = 1 ]
result $? "kill -9 of a provider"
err_has "ended by signal 9 (Killed) while it was in use" "kill -9 of a provider: reported"
leaves_nothing "kill -9 of a provider"

# ---- Secrets in last words

for secret in s3cret hunter2; do # of a sensitive attribute, and a write-only one
    record FAULT=secret-stderr FAULT_TEXT="panic: $secret!" --report json=seen.json --report html=seen.html -- "$client" "$whole"
    err_has "  | panic: runtime error" "last words with $secret: from the panic on"
    [ "$(grep -c '^  | ' stderr)" = 12 ]
    result $? "last words with $secret: not all of them"
    ! grep -rF "$secret" stdout stderr "$recorded" seen.json seen.html
    result $? "last words with $secret: it is nowhere"
    rm seen.json seen.html
done
record FAULT=secret-stderr FAULT_TEXT="panic: s3cret" --secrets -- "$client" "$whole"
! grep -F s3cret stderr
result $? "--secrets: last words are masked all the same"

# ---- No answer

# hangs COMMAND: a client that ends while it waits for a plan
hangs() { # name, status, command...
    local name=$1 want=$2
    shift 2
    record FAULT=hang -- "$@"
    [ "$status" = "$want" ] || echo "#   exit status $status"
    [ "$status" = "$want" ]
    result $? "$name: the client's exit status"
    [ "$(errors)" = "PlanResourceChange cut Canceled the client did not wait for the response" ]
    result $? "$name: the call is recorded as given up"
    ! grep -q 'error: ' stderr
    result $? "$name: and not reported as the provider's fault"
    leaves_nothing "$name"
}
hangs "a client that is killed" 137 timeout -s KILL 1 "$client" "$whole"
hangs "a client that is interrupted" 124 timeout -s TERM 1 "$client" "$whole"
record FAULT=slow -- "$client" "$whole" --cancel 3
ends 1 "11 0 0" "a call that is cancelled"
[ "$(errors | cut -d' ' -f2-)" = "cut Canceled the client did not wait for the response" ]
result $? "a call that is cancelled: the others have no error"
record FAULT=ignores-term -- "$client" "$whole"
ends 1 "11 0 0" "a provider that does not end when it is asked to"

# ---- Much

for fault in flood flood-stdout; do
    record FAULT=$fault FAULT_SIZE=20 RECORDING="$good" -- "$client" "$good"
    ends 0 "11 0 0" "$fault"
    out_has "11 calls, 11 answered, 11 equal, 0 failed" "$fault: the client does not notice"
done
record FAULT=flood FAULT_SIZE=2 RECORDING="$good" --provider-log log.txt -- "$client" "$good"
[ "$status" = 0 ] && [ "$(wc -c <log.txt)" -gt 12000000 ] && [ "$(stat -c %a log.txt)" = 600 ]
result $? "flood: --provider-log has all of it"
record FAULT=big FAULT_SIZE=8 RECORDING="$good" -- "$client" "$good"
ends 0 "11 0 0" "a large answer"
out_has "11 calls, 11 answered, 10 equal, 0 failed" "a large answer: the client gets it"
record FAULT=big FAULT_SIZE=8 RECORDING="$good" --max-input 1M -- "$client" "$good"
ends 3 "11 0 0" "an answer larger than --max-input"
out_has "11 calls, 11 answered, 10 equal, 0 failed" "an answer larger than --max-input: the client gets it"
err_has "1 call was not recorded as a whole" "an answer larger than --max-input: reported"

# ---- Other answers

record FAULT=compressed -- "$client" "$whole"
ends 3 "11 0 0" "compressed answers"
out_has "11 calls, 11 answered, 0 equal, 0 failed" "compressed answers: the client gets them"
err_has "11 calls were not recorded as a whole" "compressed answers: reported"
record FAULT=garbage-frames -- "$client" "$whole"
[ "$status" = 1 ] && grep -q '^2 calls, 0 answered' stdout
result $? "what is not HTTP/2: comes to the client"
err_has "connection 1: what the provider sends is not HTTP/2: a frame is too long for its kind; the client and the provider continue" "what is not HTTP/2: reported"
[ "$(grep -c '"lost":1' "$recorded")" = 1 ]
result $? "what is not HTTP/2: counted"
leaves_nothing "what is not HTTP/2"
record FAULT=unknown-fields -- "$client" "$whole"
ends 1 "11 0 0" "unknown fields"
err_has "11 calls have fields that lifecheck does not know" "unknown fields: reported"
err_has "error[apply/changed]: .name" "unknown fields: the rest is checked"
grep -q '"unknown_fields":{"bytes":5}' "$recorded" && ! grep -q '"unknown_fields":"' "$recorded"
result $? "unknown fields: redacted to their length"
record FAULT=unknown-fields --secrets -- "$client" "$whole"
ends 1 "11 0 0" "unknown fields with secrets"
grep -q '"unknown_fields":"+vAEAQA="' "$recorded"
result $? "unknown fields with secrets: as they are"
record FAULT=unknown-method -- "$client" "$captures/random-replace.jsonl"
ends 3 "89 0 0" "answers that are empty"
out_has "89 calls, 89 answered, 32 equal, 0 failed" "answers that are empty: the client gets them"
record FAULT=reset -- "$client" "$whole"
ends 1 "11 0 0" "calls that are reset"
[ "$(errors | sort -u)" = "PlanResourceChange - Internal the provider reset the call (INTERNAL_ERROR)" ]
result $? "calls that are reset: by whom and why"
err_has "error[wire/rpc-error]" "calls that are reset: a finding"
update=$captures/time-update.jsonl
record FAULT=goaway RECORDING="$update" -- "$client" "$update" --redial
[ "$status" = 0 ] && grep -q ' 81 equal, 0 failed' stdout && ! grep -q 'while it was in use' stderr
result $? "a provider that takes no more calls: another connection has another provider"
leaves_nothing "a provider that takes no more calls"

# ---- What providers leave behind

cat >wrapper <<END
#!/bin/sh
trap '' TERM
"$sleep" 100 &
echo \$! >>"$work/wrapper.pids"
exec "$peers/provider"
END
chmod +x wrapper
run env RECORDING="$good" timeout -k 5 60 "$lifecheck" record --provider "$address=wrapper" -o wrapped.jsonl -- "$client" "$good"
[ "$status" = 0 ] && grep -q ' 11 equal, 0 failed' stdout
result $? "a script that starts the provider"
while read -r pid; do
    is_gone "$pid" || echo "#   $pid is left"
    is_gone "$pid"
done <wrapper.pids
result $? "what it started next to it ends too"
