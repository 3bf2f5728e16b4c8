#!/bin/bash
# Asking a provider by the functions of lifecheck/live/session.h: the result for good and bad providers, in
# which words, and that nothing is left behind.
# Takes long, so it starts first.
# shellcheck disable=SC2016 # what is for another shell
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
asker=$peers/asker
provider=$peers/provider

# asks [NAME=VALUE...] [OPTION...]: the calls of $RECORDING, of the test provider
asks() {
    local settings=() played
    while [[ ${1:-} == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    : >"$PEER_LOG"
    played=$(for s in "RECORDING=$RECORDING" "${settings[@]}"; do echo "$s"; done | sed -n 's/^RECORDING=//p' | tail -n 1)
    run env "${settings[@]}" timeout -k 5 60 "$asker" "$@" "$provider" "$played"
}

# ends STATUS TEXT NAME: how it ended, with what in its output
ends() {
    [ "$status" = "$1" ] || echo "#   exit status $status, not $1"
    [ "$status" = "$1" ] && grep -qF -- "$2" stdout
    result $? "$3"
    leaves_nothing "$3"
}

milliseconds() { # since $began
    echo $((($(date +%s%N) - began) / 1000000))
}

# ---- What was recorded is what is answered

for played in "$captures"/*.jsonl; do
    calls=$(grep -c '"rpc"' "$played")
    for at_once in 1 100; do
        asks RECORDING="$played" --at-once $at_once
        ends 0 "$calls calls, $calls equal, 0 different, 0 failed" "$(basename "$played" .jsonl), $at_once at once"
    done
done
asks FAULT=tcp
ends 0 "11 calls, 11 equal" "a provider that listens on a port"
# What each run needs besides waiting is compared away; a busy machine gets three tries.
together=1
for try in 1 2 3; do
    began=$(date +%s%N)
    asks FAULT=slow --at-once 1
    one=$(milliseconds)
    began=$(date +%s%N)
    asks FAULT=slow --at-once 11
    all=$(milliseconds)
    [ $((all * 3)) -ge $((one * 2)) ] || { together=0 && break; }
    echo "#   try $try: $one ms one after the other, $all ms at once"
done
result $together "slow calls wait together"
asks --large 3000000 --at-once 4
ends 0 "11 calls, 11 equal" "requests of 3 MB"
cat >stream.jsonl <<'END'
{"rpc":"GetProviderSchema","protocol":6,"request":{},"response":{"provider":{}}}
{"rpc":"ListResource","protocol":6,"request":{"type_name":"a"},"responses":[{"display_name":"one"},{"display_name":"two"},{"display_name":"three"}]}
{"rpc":"ListResource","protocol":6,"request":{"type_name":"b"},"responses":[]}
{"rpc":"PlanResourceChange","protocol":6,"request":{"type_name":"c"},"error":{"code":"ResourceExhausted","message":"100 % of \u00e4\n"}}
END
asks RECORDING=stream.jsonl
ends 0 "4 calls, 4 equal, 0 different, 1 failed" "streams, and a status"

# ---- No start

# refused NAME=VALUE... TEXT NAME: a provider that does not start
refused() {
    local name=${*: -1} text=${*: -2:1}
    asks "${@:1:$#-2}" --start 1500 --grace 500
    ends 3 "not opened: $text" "$name"
}
refused FAULT=garbage 'the program printed "Hello from a wrapper script' "another text"
refused FAULT=early-exit "it ended with status 2 before its handshake" "an early end"
grep -q "^log: 1[0-9][0-9][0-9] bytes" stdout
result $? "an early end: its last words"
refused FAULT=no-handshake "it printed no handshake within 1500 milliseconds" "silence"
refused FAULT=protocol-4 'the provider speaks protocol "4", and not 5 or 6' "an old protocol"
refused FAULT=protocol-7 'the provider speaks protocol "7", and not 5 or 6' "a newer protocol"
refused FAULT=tls "the provider requires TLS, which was not requested" "TLS"
refused FAULT=netrpc 'the provider speaks "netrpc", and not gRPC' "net/rpc"
refused FAULT=no-greeting "it accepted the connection, but sent nothing within 1500 milliseconds" "a connection that is silent"
refused FAULT=no-http2 "it did not send HTTP/2 before it served" "another protocol on the connection"
sleep=$(command -v sleep)
echo "this is a string" >text
mkdir folder
cat >script <<'END'
#!/bin/sh
echo "usage: thing FILE"
echo "no FILE was given" >&2
END
cat >never <<END
#!/bin/sh
"$sleep" 100 &
echo \$! >"$work/never.pid"
exec "$sleep" 100
END
chmod +x text script never
cp text unreadable && chmod 000 unreadable
while IFS=: read -r file text; do
    run timeout 20 "$asker" --start 1000 --grace 500 "$file" "$whole"
    ends 3 "not opened: $text" "a binary '$file'"
done <<'END'
missing:there is no such file
folder:it is a folder; give the binary of the provider
unreadable:this file cannot be executed
/dev/null:this file cannot be executed
./text:it cannot be executed
./script:the program printed "usage: thing FILE", which is not a handshake of a provider
/bin/true:it ended with status 0 before its handshake
./never:it printed no handshake within 1 second
END
is_gone "$(cat never.pid)"
result $? "a script that never serves: what it started ends too"
run timeout 20 "$asker" unix:missing "$whole"
ends 3 "not opened: it cannot be reached at missing: No such file or directory" "a socket that is not there"
long=$work/$(printf 'x%.0s' {1..100})
mkdir "$long"
asks XDG_RUNTIME_DIR="$long" TMPDIR="$work/run"
ends 0 "11 calls, 11 equal" "a folder whose path is too long for a socket is not taken"
[ -z "$(ls "$long")" ]
result $? "and nothing is in it"

# ---- An end in a call

for row in die-in-apply:'ended with status 2' kill-in-apply:'ended by signal 9 (Killed)' exit-in-apply:'ended with status 0'; do
    asks FAULT="${row%%:*}"
    ends 1 "ApplyResourceChange 14 0: the provider ${row#*:}" "${row%%:*}"
    out_has "11 calls, 10 equal, 0 different, 1 failed" "${row%%:*}: the calls before it have their answers"
    grep -qx "the provider ${row#*:}" stdout
    result $? "${row%%:*}: how it ended"
done
asks FAULT=exit-in-plan --go-on --at-once 2
[ "$(grep -c '14 0: the provider ended with status 3' stdout)" -ge 6 ]
result $? "a provider that is gone: every further call has a status"
leaves_nothing "a provider that is gone"
: >"$PEER_LOG"
"$asker" --wait 1000 "$provider" "$whole" >stdout 2>stderr &
await 'call GetProviderSchema' "$PEER_LOG"
sleep 0.3
kill -KILL "$(sed -n 's/ start$//p' "$PEER_LOG")"
wait $!
status=$?
ends 0 "the provider ended by signal 9 (Killed)" "an end between two calls"
out_has "1 calls, 1 equal" "an end between two calls: it is noticed before the next"
asks FAULT=close --go-on
ends 1 "PlanResourceChange 14 0: the provider closed the connection" "a closed connection"
[ "$(grep -c '14 0: the provider closed the connection' stdout)" = 6 ]
result $? "a closed connection: so do all further calls"
asks FAULT=garbage-frames
ends 1 "GetProviderSchema 14 1: the provider did not send HTTP/2" "what is not HTTP/2"
asks FAULT=goaway --go-on
ends 1 "the provider takes no more calls" "a provider that takes no more calls"
[ "$(grep -c ' 14 0: the provider takes no more calls' stdout)" = 5 ]
result $? "a provider that takes no more calls: the call before has its answer"
asks FAULT=die-after,slow FAULT_AT=2 --at-once 2 --go-on
[ "$status" = 1 ] && [ "$(grep -c '14 0: the provider ended by signal 9' stdout)" = 9 ]
result $? "a death while calls wait together"
leaves_nothing "a death while calls wait together"

# ---- Answers that are none

# answered FAULT "STATUS MESSAGES: TEXT" NAME: the first plan; the session goes on
answered() {
    asks FAULT="$1" FAULT_SIZE=40
    ends 1 "PlanResourceChange $2" "$3"
    out_has "11 calls, 10 equal, 0 different, 1 failed" "$3: the other calls have their answers"
}
answered reset "13 0: the provider reset the call (INTERNAL_ERROR)" "a call that is reset"
answered no-trailers "2 1: the response ended without a status" "an answer without a status"
answered headers-only "2 0: the response ended without a status" "header fields alone"
answered no-message "13 0: the provider reported success without a message" "a status without a message"
answered half "13 0: the response ended in the middle of a message" "half a message"
answered twice "13 2: the provider sent several messages instead of one" "two messages"
answered no-prefix "13 0: the response of the provider is not a gRPC message" "no message of gRPC"
answered long-status "13 0: xxxxxxxx" "a status of 40 KB"
asks FAULT=compressed
ends 1 "GetProviderSchema 0 cut 0:" "compressed messages"
asks FAULT=unknown-fields
ends 1 "11 calls, 0 equal, 11 different, 0 failed" "unknown fields: they are in the messages"

# ---- Too late

asks FAULT=hang --timeout 500
ends 1 "PlanResourceChange 4 0: no response within 500 milliseconds" "a call that hangs"
out_has "11 calls, 9 equal, 0 different, 2 failed" "a call that hangs: the others have their answers"
grep -q 'call Stop' "$PEER_LOG"
result $? "a call that hangs: it is stopped at the end"
asks FAULT=deaf --timeout 800 --grace 500
ends 1 "11 calls, 6 equal, 0 different, 5 failed" "a provider that reads nothing more"
asks FAULT=deaf --timeout 800 --grace 500 --large 2000000
ends 1 "11 calls, 6 equal, 0 different, 5 failed" "a provider that reads nothing more of what is long"

# ---- Much

for fault in flood flood-stdout; do
    asks FAULT=$fault FAULT_SIZE=20
    ends 0 "11 calls, 11 equal" "$fault"
done
asks FAULT=flood FAULT_SIZE=2 --log
[ "$status" = 0 ] && [ "$(wc -c <stderr)" -gt 12000000 ]
result $? "flood: the log has all of it"
asks FAULT=big FAULT_SIZE=64 --figures
ends 1 "11 calls, 10 equal, 1 different, 0 failed" "an answer of 64 MB"
asks FAULT=big FAULT_SIZE=300 --figures
ends 1 "GetProviderSchema 8 cut 0: the response is longer than the 268435456 bytes that are allowed" "an answer of 300 MB"
out_has "11 calls, 10 equal, 0 different, 1 failed" "an answer of 300 MB: the others have theirs"
peak=$(sed -n 's/.* \([0-9]*\) KiB at most$/\1/p' stdout)
[ "$peak" -lt 100000 ] || echo "#   $peak KiB"
[ "$peak" -lt 100000 ]
result $? "an answer of 300 MB is not held"

# ---- Around it

for row in "" ignores-term ignores-shutdown ignores-shutdown,ignores-term leaves-child; do
    began=$(date +%s%N)
    asks FAULT="$row" --grace 300
    [ "$(milliseconds)" -lt 4000 ]
    result $? "FAULT=$row: it ends soon"
    ends 0 "11 calls, 11 equal" "FAULT=$row"
    grep -q 'call Shutdown' "$PEER_LOG"
    result $? "FAULT=$row: it was asked to shut down"
    ! grep -q 'call Stop' "$PEER_LOG"
    result $? "FAULT=$row: what has ended is not stopped"
done
cat >wrapper <<END
#!/bin/sh
env | sort >"$work/env"
readlink /proc/self/ns/net >"$work/net"
mkdir -p "\$HOME/a/b/c" && ln -s / "\$HOME/a/root" && echo x >"\$HOME/a/b/c/file" && chmod 500 "\$HOME/a/b" "\$HOME/a/b/c"
echo x >"\$TMPDIR/.hidden"
stat -c %a "\$HOME" "\$HOME/.." "\$TMPDIR" >"$work/modes"
"$sleep" 100 &
echo \$! >"$work/wrapper.pid"
exec "$provider"
END
chmod +x wrapper
run env HIDDEN=1 SHOWN=2 timeout -k 5 60 "$asker" --emptied --env RECORDING --env PEER_LOG --env SHOWN --env GIVEN=a=b --env ABSENT ./wrapper "$whole"
ends 0 "11 calls, 11 equal" "an emptied environment"
[ "$(sed 's/=.*//' env | grep -vx 'PWD\|SHLVL\|_\|OLDPWD' | tr '\n' ' ')" = "GIVEN HOME PATH PEER_LOG PLUGIN_PROTOCOL_VERSIONS PLUGIN_UNIX_SOCKET_DIR RECORDING SHOWN TF_PLUGIN_MAGIC_COOKIE TMPDIR " ] || sed 's/^/#   /' env
[ "$(sed 's/=.*//' env | grep -vx 'PWD\|SHLVL\|_\|OLDPWD' | tr '\n' ' ')" = "GIVEN HOME PATH PEER_LOG PLUGIN_PROTOCOL_VERSIONS PLUGIN_UNIX_SOCKET_DIR RECORDING SHOWN TF_PLUGIN_MAGIC_COOKIE TMPDIR " ]
result $? "an emptied environment: nothing else is in it"
grep -qx 'GIVEN=a=b' env && grep -qx SHOWN=2 env && grep -qx "HOME=$work/run/lifecheck-[^/]*/home" env && [ "$(tr '\n' ' ' <modes)" = "700 700 700 " ]
result $? "an emptied environment: its values, and private folders"
is_gone "$(cat wrapper.pid)"
result $? "what a provider started next to it ends too"
[ "$(cat net)" = "$(readlink /proc/self/ns/net)" ]
result $? "it has our network"
run env HIDDEN=1 HOME="$work/home" TMPDIR="$work/home" timeout -k 5 60 "$asker" --env HIDDEN=2 ./wrapper "$whole"
ends 0 "11 calls, 11 equal" "our environment"
[ "$(grep -c '^HIDDEN=' env)" = 1 ] && grep -qx HIDDEN=2 env && grep -qx "HOME=$work/home" env
result $? "our environment: with what is set"
chmod -R u+w home
run timeout -k 5 60 "$asker" --emptied --env RECORDING --env PEER_LOG --offline ./wrapper "$whole"
ends 0 "11 calls, 11 equal" "without a network"
if grep -q '^told: the provider can reach the network' stdout; then
    echo "ok - without a network # SKIP namespaces are not allowed here"
else
    [ "$(cat net)" != "$(readlink /proc/self/ns/net)" ]
    result $? "without a network: it has another one"
fi
asks FAULT=tcp --offline --grace 500
ends 3 "and without a network only sockets of the file system are dialled" "without a network: a port"
cat >far <<'END'
#!/bin/sh
echo "1|6|tcp|$FAR|grpc|"
exec sleep 20
END
chmod +x far
for far in 203.0.113.1:80 example.com:80 '[2001:db8::1]:80' 127.0.0.1.example.com:80 '[::ffff:203.0.113.1]:80' 10.0.0.1:80; do
    run env FAR="$far" timeout -k 5 60 "$asker" --env FAR ./far "$whole"
    ends 3 "the provider listens at \"$far\", which is not on this machine: nothing is sent there" "a provider that listens at $far"
done

# ---- One that runs

for fault in none tcp; do
    : >"$PEER_LOG"
    start_provider FAULT=${fault#none} RECORDING="$whole"
    network=$(sed 's/.*"Network":"\([a-z]*\)".*/\1/' <<<"$entry")
    place=$network:$(sed 's/.*"String":"\([^"]*\)".*/\1/' <<<"$entry")
    run timeout 60 "$asker" "$place" "$whole"
    [ "$status" = 0 ] && grep -q '11 calls, 11 equal' stdout
    result $? "one that runs at $network"
    runs "$running" && ! grep -q 'call Shutdown\|call Stop' "$PEER_LOG"
    result $? "one that runs at $network: it is left alone"
    stop_provider
done

# ---- Signals

# interrupted SIGNAL "CALLS" [NAME=VALUE...] [OPTION...]: the signal comes when so many calls of that name were asked
interrupted() {
    local signal=$1 call=$2
    shift 2
    : >"$PEER_LOG"
    local settings=()
    while [[ ${1:-} == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    # a shell lets what it runs in the background ignore SIGINT, and nohup SIGHUP
    env --default-signal=INT,HUP "${settings[@]}" "$asker" "$@" "$provider" "$whole" >stdout 2>stderr &
    local pid=$!
    await "call $call" "$PEER_LOG"
    sleep 0.3
    for one in $signal; do
        kill -"$one" $pid
        sleep 0.3
    done
    timeout 20 tail -s 0.1 --pid=$pid -f /dev/null || kill -KILL $pid
    wait $pid
    status=$?
}
for row in INT:2:Interrupt TERM:15:Terminated HUP:1:Hangup; do
    IFS=: read -r signal number name <<<"$row"
    interrupted "$signal" PlanResourceChange FAULT=hang
    ends 1 "PlanResourceChange 1 cut 0: lifecheck was stopped by signal $number ($name)" "SIG$signal in a call"
    grep -qx "stopped by signal $number" stdout && grep -q 'call Stop' "$PEER_LOG" && grep -q 'call Shutdown' "$PEER_LOG"
    result $? "SIG$signal in a call: the provider is asked to stop, and to shut down"
done
interrupted INT ApplyResourceChange FAULT=until-stop
ends 0 "11 calls, 11 equal" "SIGINT in an apply: it may say what it has done"
interrupted INT PlanResourceChange FAULT=hang --go-on --timeout 1000
ends 1 "11 calls, 9 equal, 0 different, 2 failed" "SIGINT, and further calls are asked"
began=$(date +%s%N)
interrupted "INT INT" PlanResourceChange FAULT=hang,ignores-shutdown,ignores-term,deaf --grace 20000
[ "$(milliseconds)" -lt 5000 ]
result $? "a second SIGINT ends it at once"
leaves_nothing "a second SIGINT"
(
    await 'call Apply' "$PEER_LOG"
    kill -STOP "$(sed -n 's/ start$//p' "$PEER_LOG")"
) &
interrupted "INT INT" ApplyResourceChange FAULT=until-stop --grace 20000
ends 1 "ApplyResourceChange 1 cut 0: lifecheck was stopped by signal 2 (Interrupt)" "a second SIGINT in an apply of a provider that stands still"
out_has "the provider was not waited for, because lifecheck was stopped twice" "a second SIGINT in an apply: said"
interrupted INT Shutdown FAULT=ignores-shutdown --grace 1000
ends 0 "11 calls, 11 equal" "SIGINT at the end"
: >"$PEER_LOG"
env --default-signal=INT FAULT=no-handshake "$asker" "$provider" "$whole" >stdout 2>stderr &
await start "$PEER_LOG"
kill -INT $!
wait $!
status=$?
ends 3 "not opened: lifecheck was stopped by signal 2 (Interrupt)" "SIGINT before the handshake"
: >"$PEER_LOG"
FAULT=hang "$asker" "$provider" "$whole" >stdout 2>stderr &
await 'call Plan' "$PEER_LOG"
disown # its death is not worth a message
kill -KILL $!
is_gone "$(sed -n 's/ start$//p' "$PEER_LOG")"
result $? "a provider does not outlive us"

# ---- Folders that a kill has left

dead=$(ls run)
ln -s "$work/run/$dead" run/lifecheck-linked
mkdir -m 700 run/lifecheck-others run/lifecheck-public run/lifecheck-noname run/lifecheck-longername
for name in public longername; do
    : >run/lifecheck-$name/lock
    chmod 600 run/lifecheck-$name/lock
done
chmod 755 run/lifecheck-public
ln -s "$work/mine" run/lifecheck-noname/lock
echo mine >mine
mkdir -m 700 run/lifecheck-inuse1
: >run/lifecheck-inuse1/lock
chmod 600 run/lifecheck-inuse1/lock
exec 8<>run/lifecheck-inuse1/lock
flock 8
asks --grace 300
ends_as_before=$status
[ "$ends_as_before" = 0 ] && [ ! -e "run/$dead" ]
result $? "the folder of a process that was killed is removed by the next one"
[ "$(ls run | tr '\n' ' ')" = "lifecheck-inuse1 lifecheck-linked lifecheck-longername lifecheck-noname lifecheck-others lifecheck-public " ] || ls run | sed 's/^/#   /'
[ "$(ls run | tr '\n' ' ')" = "lifecheck-inuse1 lifecheck-linked lifecheck-longername lifecheck-noname lifecheck-others lifecheck-public " ] && [ "$(cat mine)" = mine ]
result $? "nothing else is: what is used, links, what others may have made"
exec 8>&-
asks --grace 300
[ ! -e run/lifecheck-inuse1 ]
result $? "a folder that is not used any more is removed"
rm -r run/lifecheck-*

# ---- What it costs

for _ in 1 2 3; do # another program may have the processor
    asks RECORDING="$captures/random-replace.jsonl" --repeat 12 --figures
    cost=$(sed -n 's/^1068 calls, 0\.\([0-9]*\) ms of our .*/\1/p' stdout)
    [ "${cost:-999}" -gt 200 ] || break
done
[ "${cost:-999}" -le 200 ] || echo "#   0.$cost ms"
[ "${cost:-999}" -le 200 ]
result $? "a call takes at most 0.2 ms of our processor time"

# ---- Limits of descriptors

for most in 8 12 40 63; do
    (ulimit -n $most && asks; exit "$status")
    [ $? != 0 ] && grep -qF "only $most open files are allowed, and lifecheck with a provider needs 64: raise ulimit -n" stdout
    result $? "$most descriptors: reported"
    leaves_nothing "$most descriptors"
done
for most in 12 63; do
    (ulimit -n $most && run "$lifecheck" probe --provider "$provider"; exit "$status")
    [ $? = 3 ]
    result $? "probe with $most descriptors: exit status 3"
    err_has "raise ulimit -n" "probe with $most descriptors: says so"
done
(ulimit -Sn 12 && asks; exit "$status")
result $? "12 descriptors that may be more"
