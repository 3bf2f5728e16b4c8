#!/bin/bash
# Providers that misbehave under `lifecheck record`: what is told, what is recorded, how it ends.
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
refused FAULT=no-handshake "it did not say within 2 seconds where it listens" "silence"
refused FAULT=protocol-4 "speaks protocol \"4\", and not 5 or 6" "an old protocol"
refused FAULT=protocol-7 "speaks protocol \"7\", and not 5 or 6" "a newer protocol"
refused FAULT=tls "wants TLS, which nobody asked for" "TLS"
refused FAULT=netrpc "speaks \"netrpc\", and not gRPC" "net/rpc"
for row in true:'it ended with status 0 before its handshake' cat:'it ended with status 0 before its handshake'; do
    run "$lifecheck" record --provider "$address=/bin/${row%%:*}" -o n.jsonl -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e n.jsonl ]
    result $? "/bin/${row%%:*} is no provider"
    err_has "${row#*:}" "/bin/${row%%:*}: says so"
done
echo "this is a text" >text
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
    err_has "the provider $address (connection 4) ${row#*:}" "$fault: told"
    err_has "with 1 call unanswered" "$fault: what was open"
    recording errors "$recorded" >said
    grep -q "^ApplyResourceChange - Unavailable the provider ${row#*:}" said
    result $? "$fault: the torn call has a status and why"
done
began=$(date +%s%N)
record FAULT=kill-in-apply -- "$client" "$whole" --redial
[ $((($(date +%s%N) - began) / 1000000)) -lt 3000 ]
result $? "a client that dials again is refused at once"
leaves_nothing "a client that dials again"
record FAULT=kill-in-apply -- sh -c '"$1" "$2"; "$1" "$2"' sh "$client" "$whole"
ends 1 "22 1 0" "two runs of a client"
[ "$(recording errors "$recorded" | grep -c '^ApplyResourceChange - Unavailable')" = 2 ]
result $? "two runs of a client: each has providers that work until they die"
record FAULT=die-after FAULT_AT=3 -- "$client" "$whole"
[ "$status" = 1 ] && [ "$(recording whole "$recorded" | cut -d' ' -f1)" -ge 3 ]
result $? "die-after: the calls before it are recorded"
record -- "$client" "$whole" --kill-provider 4
[ "$status" = 1 ]
result $? "kill -9 of a provider"
err_has "ended by signal 9 (Killed) while it was in use" "kill -9 of a provider: told"
leaves_nothing "kill -9 of a provider"

# ---- Secrets in last words

for secret in s3cret hunter2; do # of a sensitive attribute, and a write-only one
    record FAULT=secret-stderr FAULT_TEXT="token: $secret!" --report json=seen.json --report html=seen.html -- "$client" "$whole"
    err_has "  | panic: runtime error" "last words with $secret"
    ! grep -rF "$secret" stdout stderr "$recorded" seen.json seen.html
    result $? "last words with $secret: it is nowhere"
    rm seen.json seen.html
done
record FAULT=secret-stderr FAULT_TEXT=s3cret --secrets -- "$client" "$whole"
err_has "  | s3cret" "--secrets: last words as they are"
