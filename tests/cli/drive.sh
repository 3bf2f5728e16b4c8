#!/bin/bash
# `lifecheck drive` with the test provider, which plays recorded calls, and misbehaves. PROVIDERS=DIR
# names a folder with real ones (terraform-provider-random, -time, -local, -tls).
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
export RECORDING=$captures/time-update.jsonl
when='"2024-02-29T12:00:00Z"'

# drive [NAME=VALUE...] [OPTION...] SCENARIO...
drive() {
    local settings=()
    while [[ $1 == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    : >"$PEER_LOG"
    rm -f -- *.jsonl lifecheck-left-*
    run env "${settings[@]}" timeout -k 5 60 "$lifecheck" drive --provider "$address=${provider:-$peers/provider}" "$@"
}

# drives STATUS NAME [NAME=VALUE...] [OPTION...] SCENARIO...
drives() {
    local want=$1 name=$2
    shift 2
    drive "$@"
    [ "$status" = "$want" ] || echo "#   exit status $status, not $want"
    [ "$status" = "$want" ]
    result $? "$name"
    leaves_nothing "$name"
}

asked() { # the calls that the provider got, without those of every process
    sed -n 's/^[0-9]* call \([A-Za-z]*\).*/\1/p' "$PEER_LOG" | grep -vE '^(GetSchema|GetResourceIdentitySchemas|PrepareProviderConfig|Configure|StreamStdio|StartStream|Shutdown|Stop)$' | tr '\n' ' '
}

asks() { # calls, name
    [ "$(asked)" = "$1 " ] || echo "#   $(asked)"
    [ "$(asked)" = "$1 " ]
    result $? "$2"
}

cat >static.yaml <<END
lifecheck: 1
name: static
resource: time_static.t
config: {rfc3339: $when}
END

# ---- Plans only

sed 's/^config/x-schema: {version: 0}\n&/' static.yaml >free.yaml
drives 0 "a key of the author that is like schema" free.yaml
out_has "1 case: 1 conforms" "does not hide the case"
asks "ValidateResourceTypeConfig ValidateResourceTypeConfig PlanResourceChange" "from the provider"

drives 0 "a plan" static.yaml
out_has "1 case: 1 conforms" "it is checked"
asks "ValidateResourceTypeConfig ValidateResourceTypeConfig PlanResourceChange" "nothing is applied"
drives 0 "a plan by OpenTofu" --as opentofu static.yaml
sed 's/^config/plan: {planned_state: {rfc3339: "2024-02-29T12:00:00Z", day: 28}}\n&/' static.yaml >other.yaml
drives 1 "another answer than the scenario has" other.yaml
out_has "drive/answer" "is a finding"
out_has ".day: the response is 29, and 28 is expected" "that names the place and the value"
drives 1 "for clients too" --as terraform other.yaml
drives 0 "unless it is not selected" --ignore 'drive/*' other.yaml
drives 1 "as JSON" --format json other.yaml
out_has '"drive/answer"' "all formats of check are there"
sed 's/^config/drive: {apply: true}\n&/' static.yaml >wish.yaml
drives 0 "a scenario that wants to apply" wish.yaml
err_has "apply: true needs --apply on the command line too" "says so"
asks "ValidateResourceTypeConfig ValidateResourceTypeConfig PlanResourceChange" "and does not"
drives 0 "a variable is not a decision either" LIFECHECK_APPLY=1 static.yaml
asks "ValidateResourceTypeConfig ValidateResourceTypeConfig PlanResourceChange" "nothing is applied"
sed 's/^config/drive: {steps: [validate]}\n&/' static.yaml >steps.yaml
drives 0 "only one step" steps.yaml
asks "ValidateResourceTypeConfig ValidateResourceTypeConfig" "nothing is planned"
run "$lifecheck" check --schema "$captures/thing/schema.json" static.yaml
[ "$status" = 3 ]
result $? "check needs a schema"

# ---- Applying

life="ValidateResourceTypeConfig ValidateResourceTypeConfig PlanResourceChange ValidateResourceTypeConfig PlanResourceChange ApplyResourceChange"
again="UpgradeResourceState ReadResource ValidateResourceTypeConfig PlanResourceChange"
gone="UpgradeResourceState ReadResource PlanResourceChange UpgradeResourceState ApplyResourceChange"
drives 0 "a whole life" --apply --record life.jsonl static.yaml
asks "$life $again $gone" "created, planned again, destroyed"
recorded=life.jsonl
holds "27 0 0" "a whole life"
[ "$(stat -c %a life.jsonl)" = 600 ]
result $? "nobody else reads the recording"
run "$lifecheck" check life.jsonl
[ "$status" = 0 ] && grep -q "1 case: 1 conforms" stdout
result $? "check says the same of the recording"
cp life.jsonl kept
: >life.jsonl
run timeout 60 "$lifecheck" drive --provider "$peers/provider" --record life.jsonl static.yaml
[ "$status" = 4 ] && [ ! -s life.jsonl ]
result $? "a recording is never overwritten"
err_has "a recording is never overwritten" "and says so"
drives 0 "what is not to be applied" --apply steps.yaml
drives 0 "by OpenTofu" --apply --as opentofu static.yaml

# ---- An answer that is a violation, in the scenario and in its recording

cat >thing.py <<'END'
import base64, json, sys
# the configuration of the first plan of a recording, as bytes
for line in open(sys.argv[1]):
    call = json.loads(line)
    if call["rpc"] == "PlanResourceChange":
        print("lifecheck: 1\nname: thing\nresource: lifecheck_thing.one\nconfig: !msgpack", call["request"]["config"]["msgpack"])
        break
END
python3 thing.py "$whole" >thing.yaml
drives 1 "a violation" RECORDING="$whole" --apply --record thing.jsonl thing.yaml
out_has "apply/" "is found"
grep '^error\[' stdout | sort -u >found
run "$lifecheck" check thing.jsonl
grep '^error\[' stdout | sort -u >again
[ "$status" = 1 ] && [ -s found ] && diff found again
result $? "check finds the same in the recording"

# ---- Providers that misbehave

for fault in "garbage:the program printed" "early-exit:it ended with status 2 before its handshake" "no-handshake:it printed no handshake within 2 seconds"; do
    drives 3 "${fault%%:*}" FAULT="${fault%%:*}" --start-timeout 2 static.yaml
    err_has "${fault#*:}" "${fault%%:*}: says so"
done
drives 1 "a provider that hangs" FAULT=hang --timeout 1 static.yaml
out_has "wire/rpc-error" "is reported as such"
drives 1 "a call that is reset" FAULT=reset static.yaml
out_has "wire/rpc-error" "is reported"
drives 1 "no HTTP/2" FAULT=garbage-frames static.yaml
for fault in die-in-apply kill-in-apply exit-in-apply; do
    drives 1 "$fault" FAULT=$fault --apply static.yaml
    out_has "wire/rpc-error" "$fault: the call is a finding"
    err_has "NOT DESTROYED: time_static.t (id 2024-02-29T12:00:00Z) may exist, the provider did not report it" "$fault: says that an object may be left"
    [ "$(stat -c %a lifecheck-left-time_static-1.json)" = 600 ] && grep -q '"exists": false' lifecheck-left-time_static-1.json
    result $? "$fault: and keeps what is known"
    [ $fault != die-in-apply ] || out_has "Unavailable: panic: runtime error: invalid memory address or nil pointer dereference at main.apply (main.go:42)" \
        "$fault: the finding says why, and where"
    ! grep -qE '0xc000123456|/home/builder' stdout
    result $? "$fault: without arguments and folders"
done
err_has "the provider ended with status 0" "how it ended is reported"
drives 1 "last words that may quote something" FAULT=secret-stderr FAULT_TEXT="panic: s3cret" --apply static.yaml
out_has "wire/rpc-error" "are reported as a finding"
! grep -q s3cret stdout
result $? "without the words"

# The n-th process misbehaves.
cat >nth <<'END'
#!/bin/sh
n=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo $n >"$COUNT"
[ $n = "$NTH" ] || FAULT=
export FAULT
exec "$PEER"
END
chmod +x nth
export PEER=$peers/provider COUNT=$work/count
provider=$work/nth
rm -f count
drives 1 "a death where it is read again" FAULT=hang NTH=4 --apply --timeout 1 static.yaml
asks "$life $again $gone" "what was created is destroyed all the same"
rm -f count
drives 1 "a death while it is destroyed" FAULT=die-in-apply NTH=6 --apply static.yaml
err_has "NOT DESTROYED: time_static.t (id 2024-02-29T12:00:00Z) may exist" "is reported with its id"
grep -q '"rfc3339"' lifecheck-left-time_static-1.json
result $? "and kept with its state"
rm -f count
: >"$PEER_LOG"
FAULT=hang NTH=4 "$lifecheck" drive --provider "$provider" --apply static.yaml >stdout 2>stderr &
pid=$!
for _ in $(seq 100); do
    [ "$(cat count 2>/dev/null)" = 4 ] && grep -q "call PlanResourceChange.*" "$PEER_LOG" && [ "$(grep -c 'call ReadResource' "$PEER_LOG")" = 1 ] && break
    sleep 0.05
done
sleep 0.3
kill -TERM $pid # the shell has a background program ignore SIGINT
wait $pid
status=$?
[ "$status" = 143 ] && ! grep -q wire/rpc-error stdout
result $? "a signal is not a fault of the provider"
[ "$(grep -c 'call ApplyResourceChange' "$PEER_LOG")" = 2 ]
result $? "what was created is destroyed after a signal"
leaves_nothing "a signal"

# The terminal sends its signal to the provider as well, which exits; what the case expects could not come.
expecting="expect: {action: create, findings: [{rule: wire/rpc-error}]}"
for extra in "" "$expecting"; do
    for killed in lifecheck group; do
        sed "s|^config|$extra\n&|" static.yaml >signal.yaml
        : >"$PEER_LOG"
        FAULT=hang setsid "$lifecheck" drive --provider "$PEER" --apply --record signal.jsonl signal.yaml >stdout 2>stderr &
        pid=$!
        await 'call PlanResourceChange' "$PEER_LOG"
        [ $killed = group ] && kill -TERM -- "-$pid" || kill -TERM "$pid"
        wait $pid
        status=$?
        [ "$status" = 143 ] && ! grep -q 'rpc-error\|conforms' stdout && grep -q 'lifecheck was stopped before all requests were sent' stdout
        result $? "a signal to the $killed${extra:+ where something is expected}: the case is not checked"
        leaves_nothing "a signal to the $killed"
        run "$lifecheck" check signal.jsonl
        ! grep -q rpc-error stdout
        result $? "a signal to the $killed: check finds no fault in the recording"
        rm -f signal.jsonl
    done
done
: >"$PEER_LOG"
cat >stalls <<'END'
#!/bin/sh
exec sleep 20
END
chmod +x stalls
"$lifecheck" drive --provider "$work/stalls" static.yaml >stdout 2>stderr &
pid=$!
sleep 0.3
kill -TERM $pid
wait $pid
[ $? = 143 ]
result $? "a signal before the provider serves"

# The signal comes while the process starts that destroys.
cat >slow <<'END'
#!/bin/sh
n=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo $n >"$COUNT"
[ $n != "$NTH" ] || sleep 5
exec "$PEER"
END
chmod +x slow
rm -f count
: >"$PEER_LOG"
NTH=6 "$lifecheck" drive --provider "$work/slow" --apply static.yaml >stdout 2>stderr &
pid=$!
for _ in $(seq 100); do
    [ "$(cat count 2>/dev/null)" = 6 ] && break
    sleep 0.05
done
kill -TERM $pid
wait $pid
status=$?
[ "$status" = 143 ] && [ "$(grep -c 'call ApplyResourceChange' "$PEER_LOG")" = 2 ]
result $? "a signal while the process starts that destroys: it is started again"
leaves_nothing "a signal while a process starts"
provider=

# ---- The command line

drives 0 "--list" --list --apply static.yaml
out_has "time_static" "names the type"
[ -z "$(asked)" ]
result $? "asks nothing"
run "$lifecheck" drive static.yaml
[ "$status" = 2 ]
result $? "a provider is needed"
run "$lifecheck" drive --provider a --provider b static.yaml
[ "$status" = 2 ]
result $? "one provider"
run "$lifecheck" drive --provider "$peers/provider"
[ "$status" = 2 ]
result $? "scenarios are needed"
drives 3 "no such file" nowhere.yaml
echo "[]" >list.yaml
drives 3 "settings that are not a mapping" --provider-config list.yaml static.yaml
sed 's/time_static.t/time_machine.t/' static.yaml >unknown.yaml
drives 3 "a type that the provider does not have" unknown.yaml
out_has 'the provider has no resource "time_machine"' "is named"
echo "rfc: 1" >settings.yaml
drives 3 "settings that the provider does not have" --provider-config settings.yaml static.yaml

# ---- A provider that computes, of which objects other processes know

peer=$(dirname "$lifecheck")/tests/probe/provider
if [ -x "$peer" ]; then
    cat >peer.yaml <<END
lifecheck: 1
cases:
  - name: thing
    resource: peer_thing.t
    runs:
      - config: {name: a, title: !unknown , password: secret-of-thing, pin: "1234"}
        final_config: {name: a, title: hello, password: secret-of-thing, pin: "1234"}
        plan: {planned_state: {id: !unknown , name: a, title: !unknown , password: secret-of-thing, enabled: true, size: 10, owner: !unknown , url: !unknown , slug: !unknown , titled: !unknown , summary: !unknown , revision: !unknown }}
        expect: {action: create, findings: [{rule: drive/answer, path: .url}]}
      - config: {name: a, title: other, pin: "99", pin_version: 2}
        expect: {action: update}
      - config: {name: b, title: other}
        create_before_destroy: true
        expect: {action: create-then-delete}
      - config: {name: c}
        expect: {action: delete-then-create}
  - name: lists
    resource: peer_lists.l
    config: {items: [a, a, null], ports: [3, 1], tags: {b: c}, anything: {x: [1, two]}, place: {city: x, code: 1.5, open: true}}
  - name: blocks
    resource: peer_blocks.b
    runs:
      - config: {disk: [{size: 1, part: [{label: x, flags: [a]}]}, {size: !unknown }], rule: [{port: 1}, {port: 2}], label: {k: {text: t}}}
        final_config: {disk: [{size: 1, part: [{label: x, flags: [a]}]}, {size: 7}], rule: [{port: 1}, {port: 2}], label: {k: {text: t}}}
      - config: {disk: [{size: 1}]}
END
    cat >nested.yaml <<END
lifecheck: 1
resource: peer_nested.n
config: {name: n, spec: {image: i, env: [{key: a, value: secret-of-thing}]}, users: [{login: x}], mounts: {m: {path: p}}}
END
    mkdir world
    provider=$peer
    for as in terraform opentofu; do
        for protocol in 5 6; do
            drives 0 "protocol $protocol by $as" PROTOCOL=$protocol PEER_STATE="$work/world" --as $as --apply --record life.jsonl peer.yaml
            out_has "3 cases: 2 conform, 1 meets its expectation; 0 errors" "protocol $protocol by $as: as it should be"
            run "$lifecheck" check --as $as life.jsonl
            [ "$status" = 0 ] && ! grep -q secret-of-thing life.jsonl
            result $? "protocol $protocol by $as: the recording conforms, and has no secrets"
            grep -q '"PlanResourceChange","request".*"store_planned_private":true,"computed_blocks_allowed":true}.*"planned_private":.*"response":' life.jsonl
            [ "$?" = "$([ "$as$protocol" = terraform6 ]; echo $?)" ]
            result $? "protocol $protocol by $as: planned private data goes back with the final plan, for Terraform of version 6 only"
        done
        drives 0 "nested attributes by $as" PEER_STATE="$work/world" --as $as --apply nested.yaml
    done
    cat >kind.yaml <<END
lifecheck: 1
resource: peer_thing.k
config: {name: a}
END
    cat >refused.yaml <<END
lifecheck: 1
resource: peer_checked.c
cases:
  - {name: refused, runs: [{config: {kind: luxury, one: x}}, {config: {kind: basic, one: x}}]}
  - {name: expected, config: {kind: luxury, one: x}, validate: {diagnostics: [{severity: error}]}}
END
    drives 0 "an error of the provider is not a failure" refused.yaml
    err_has "refused.yaml#refused: the provider ends ValidateResourceConfig with an error: " "is reported"
    err_has "refused.yaml#refused: the runs after run 1 are skipped" "and what it keeps from being asked"
    ! grep -q '#expected: the provider ends' stderr
    result $? "unless it is expected"
    drives 3 "an error alone" refused.yaml#refused
    out_has "run 1 was not planned" "an error alone: nothing conforms"
    ! grep -q '1 conforms' stdout
    result $? "an error alone: is not checked"
    sed 's/^config/drive: {steps: [validate]}\n&/' kind.yaml >validated.yaml
    drives 0 "only validated" validated.yaml
    drives 1 "settings that hang" FAULT=configure-hangs --timeout 1 kind.yaml
    out_has "run 1 was not planned" "settings that hang: nothing conforms"
    ! grep -q '1 conforms' stdout
    result $? "settings that hang: is not checked"
    drives 1 "an apply that changes what was planned" FAULT=apply-changes PEER_STATE="$work/world" --apply kind.yaml
    out_has "apply/" "is found"
    drives 1 "an apply that hangs" FAULT=apply-hangs PEER_STATE="$work/world" --apply --timeout 1 kind.yaml
    err_has "NOT DESTROYED: peer_thing.k may exist" "is reported loudly"
    provider=

    # ---- The findings of a run and of its recording

    cat >findings.py <<'END'
import collections, json, sys
def findings(name):
    cases = json.load(open(name))["cases"]
    return collections.Counter((c["resource"], f["rule"], f["severity"], f["run"], f["path"], f["call"]["kind"]) for c in cases for f in c["findings"])
drive, check = (findings(name) for name in sys.argv[1:3])
for what, rest in ("drive alone", drive - check), ("check alone", check - drive):
    for finding in rest:
        print("#  ", what, *finding)
sys.exit(drive != check)
END
    sed '/expect: {action/d; /plan: /d; /expect: /d' peer.yaml >bare.yaml
    provider=$peer
    for fault in none apply-changes apply-unknown apply-fails read-drifts read-unknown keeps-prior permanent; do
        for as in terraform opentofu; do
            rm -rf world
            mkdir world
            drive FAULT=${fault#none} PEER_STATE="$work/world" --as $as --apply --record life.jsonl --format json bare.yaml
            mv stdout drive.json
            run "$lifecheck" check --as $as --format json life.jsonl
            mv stdout check.json
            python3 findings.py drive.json check.json
            result $? "$fault by $as: check finds the same in the recording"
            ! grep -q '"rule":"sequence/state-chain"' drive.json
            result $? "$fault by $as: its own runs follow each other"
        done
    done
    provider=

    # ---- Settings of the provider: it refuses those of others for what exists

    rm -rf world
    mkdir world
    empty_world() { # name
        [ -z "$(ls world)" ] || ls world | sed 's/^/#   left: /'
        [ -z "$(ls world)" ]
        result $? "$1: nothing is left"
        rm -f world/*
    }
    # settled STATUS NAME [NAME=VALUE...] [OPTION...] SCENARIO...
    settled() {
        local want=$1 name=$2
        shift 2
        rm -f count
        drives "$want" "$name" PEER_STATE="$work/world" "$@"
    }
    here='{provider_config: {endpoint: here, token: abc}}'
    there='{provider_config: {endpoint: there}}'
    for protocol in 5 6; do
        provider=$peer
        echo "{lifecheck: 1, resource: peer_thing.s, drive: $here, config: {name: a}}" >settings.yaml
        settled 0 "settings, protocol $protocol" PROTOCOL=$protocol --apply settings.yaml
        empty_world "settings, protocol $protocol"
        cat >cases.yaml <<END
lifecheck: 1
resource: peer_thing.s
cases:
  - {name: here, drive: $here, config: {name: a}}
  - {name: there, drive: $there, config: {name: b}}
  - {name: nowhere, config: {name: c}}
END
        settled 0 "cases with settings of their own, protocol $protocol" PROTOCOL=$protocol --apply cases.yaml
        empty_world "cases with settings of their own, protocol $protocol"
        echo "endpoint: elsewhere" >elsewhere.yaml
        settled 0 "cases with settings, and those of the command, protocol $protocol" PROTOCOL=$protocol --provider-config elsewhere.yaml --apply cases.yaml
        empty_world "cases with settings, and those of the command, protocol $protocol"
    done
    life_of() { # drive of the second run, its further keys
        cat <<END
lifecheck: 1
resource: peer_thing.s
runs:
  - {drive: $here, config: {name: a}}
  - {drive: $1, $2}
END
    }
    life_of "$there" "config: {name: a, title: t}" >two.yaml
    settled 3 "a run with other settings" --apply two.yaml
    out_has "run 2 was not planned" "a run with other settings: the case does not conform"
    err_has "the provider ends ReadResource with an error: Object of another account" "is asked with them"
    empty_world "a run with other settings"
    life_of '{provider_config: {endpoint: there}, steps: [validate, plan, apply]}' "config: {name: a, title: t}" >two.yaml
    settled 0 "an apply with other settings" --apply two.yaml
    err_has "nothing is applied: the object was made with another configuration of the provider than this run has" "is not done"
    empty_world "an apply with other settings"
    life_of '{provider_config: {endpoint: there}, steps: [validate, plan, apply]}' "config: null" >two.yaml
    settled 0 "a destroy with other settings" --apply two.yaml
    empty_world "a destroy with other settings"
    life_of '{provider_config: {token: abc, endpoint: here}}' "config: {name: a, title: t}, expect: {action: update}" >two.yaml
    settled 0 "the same settings in other words" --apply two.yaml
    ! grep -q 'nothing is applied' stderr
    result $? "the same settings in other words: are the same"
    empty_world "the same settings in other words"
    echo "{lifecheck: 1, resource: peer_thing.s, drive: {provider_config: {endpoint: !unknown }}, config: {name: a}}" >unknown.yaml
    settled 0 "unknown settings" --apply unknown.yaml
    err_has "nothing is applied: the configuration of the provider has unknown values" "unknown settings: only a plan has them"
    life_of '{provider_config: {endpoint: !unknown }, steps: [validate, plan, apply]}' "config: {name: a, title: t}" >two.yaml
    settled 0 "settings that become unknown" --apply two.yaml
    empty_world "settings that become unknown"

    export PEER=$peer
    provider=$work/nth
    life_of "$here" "create_before_destroy: true, config: {name: b}" >two.yaml
    settled 0 "a replace" NTH=5 FAULT=apply-fails --apply two.yaml
    empty_world "a replace of which the new object is broken"
    settled 1 "a replace" NTH=5 FAULT=apply-dies --apply two.yaml
    err_has "NOT DESTROYED: peer_thing.s may exist" "a replace that exits: the new object is reported"
    empty_world "a replace that dies: the old object"
    life_of "$here" "config: {name: a, title: t}" >two.yaml
    settled 0 "an object that is lost" NTH=4 FAULT=read-forgets --ignore 'read/*' --ignore 'sequence/*' --apply two.yaml
    [ "$(grep -c 'call ApplyResourceChange' "$PEER_LOG")" = 4 ]
    result $? "an object that is lost, and made again: both are destroyed"
    empty_world "an object that is lost, and made again"
    life_of '{provider_config: {endpoint: there}, steps: [validate, plan]}' "config: {name: a, note: !unknown }" >two.yaml
    settled 1 "a death with other settings" NTH=4 FAULT=exits --apply two.yaml
    empty_world "a death with other settings"
    cat >late <<'END'
#!/bin/sh
n=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo $n >"$COUNT"
[ $n -lt "$NTH" ] || exit 1
exec "$PEER"
END
    chmod +x late
    provider=$work/late
    settled 1 "settings that cannot be given" NTH=4 --apply settings.yaml
    err_has "NOT DESTROYED: peer_thing.s (id peer_thing-1) exists: destroy it manually, with the configuration of the provider in settings.yaml, line 1; its last known values are in lifecheck-left-peer_thing-1.json" "settings that cannot be given: reported with their place"
    ! grep -q abc lifecheck-left-peer_thing-1.json stderr
    result $? "settings that cannot be given: they are not copied"
    rm -f count lifecheck-left-* world/*
    provider=
fi

# ---- Real providers

real=${PROVIDERS:-}
if [ ! -x "$real/terraform-provider-random" ]; then
    echo "ok - real providers # SKIP PROVIDERS names no folder with them"
    exit 0
fi
unset RECORDING
export TF_CLI_CONFIG_FILE=/dev/null
cat >random.yaml <<END
lifecheck: 1
resource: random_password.p
cases:
  - {name: create, config: {length: 12}}
  - {name: replace, runs: [{config: {length: 12}}, {config: {length: 14}, expect: {action: delete-then-create}}]}
  - {name: unknown, config: {length: !unknown }, final_config: {length: 9}}
END
cat >time.yaml <<END
lifecheck: 1
resource: time_offset.t
cases:
  - {name: update, runs: [{config: {base_rfc3339: $when, offset_days: 3}}, {config: {base_rfc3339: $when, offset_days: 4}, expect: {action: update}}, {config: null}]}
END
cat >local.yaml <<END
lifecheck: 1
cases:
  - {name: file, resource: local_file.f, config: {content: hello, filename: $work/made}}
  - {name: data, resource: data.local_file.f, config: {filename: $work/local.yaml}}
END
cat >tls.yaml <<END
lifecheck: 1
resource: tls_private_key.k
config: {algorithm: ECDSA}
END
cat >function.yaml <<END
lifecheck: 1
resource: time
schema: {kind: provider}
function:
  - {name: rfc3339_parse, arguments: [$when], result: {day: 29, hour: 12, iso_week: 9, iso_year: 2024, minute: 0, month: 2, month_name: February, second: 0, unix: 1709208000, weekday: 4, weekday_name: Thursday, year: 2024, year_day: 60}}
  - {name: rfc3339_parse, arguments: [nonsense], error: {}}
  - {name: rfc3339_parse, arguments: [nonsense]}
END
sed 's/day: 29/day: 28/' function.yaml >otherwise.yaml
provider=$real/terraform-provider-time
drive --record function.jsonl function.yaml
[ "$status" = 0 ]
result $? "functions answer as expected"
[ "$(grep -c '"rpc":"CallFunction"' function.jsonl)" = 6 ]
result $? "each is called by two processes"
drive otherwise.yaml
[ "$status" = 1 ]
result $? "another result"
out_has "the function has another result than expected" "is reported"
for name in random time local tls; do
    for as in terraform opentofu; do
        provider=$real/terraform-provider-$name
        drive --as $as --apply --record $name.jsonl $name.yaml
        [ "$status" = 0 ] && [ ! -e made ] && ! ls lifecheck-left-* >/dev/null 2>&1
        result $? "$name by $as: created and destroyed"
        out_has "0 errors, 0 warnings" "$name by $as: without a finding"
        run "$lifecheck" check $name.jsonl
        [ "$status" = 0 ] && ! grep -q "BEGIN EC" $name.jsonl
        result $? "$name by $as: the recording conforms, and holds no key"
    done
done
