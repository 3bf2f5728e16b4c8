#!/bin/bash
# `lifecheck gate` with two builds of the provider that computes: each fault of upgrades.def is found
# by what it says, in a scenario that `check` judges alone; of honest changes, and of the same build
# on both sides, nothing is.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider
look=$root/tests/cli/checks/gate_finding.py

if [ ! -x "$peer" ]; then
    echo "ok - two binaries # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
if ! command -v python3 >/dev/null; then
    echo "ok - two binaries # SKIP python3 is not installed"
    exit 0
fi
mkdir run home
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME

# provider FOLDER NAME=VALUE...: one with these settings, in a folder of its own; sets provider
provider() {
    mkdir -p "$1"
    provider=$work/$1/terraform-provider-peer
    ln -f "$peer" "$provider" 2>links || cp "$peer" "$provider"
    printf '%s\n' "${@:2}" "PEER_LOG=$work/$1/log" >"$provider.env"
}

# gate OLD NEW OPTION...
gate() {
    run timeout -k 5 120 "$lifecheck" gate --old "$1" --new "$2" --scenarios "$2.found" --format json "${@:3}"
}

# types WORD: what to ask about, so that the test is quick
types() {
    case $1 in
    move-*) echo peer_checked && return ;;
    settings-*) echo provider && return ;;
    esac
    sed -n "s/^UPGRADE(\"$1\", \"[^\"]*\", [A-Z_]*, \"\([^\".]*\)[^\"]*\", .*/\1/p" "$root/tests/probe/upgrades.def" | sort -u | sed 's/^$/function.*/; s/^peer_lookup$/data.peer_lookup/; s/^peer_session$/ephemeral.peer_session/' | paste -sd,
}

# ---- Guards

for protocol in 5 6; do
    provider "same$protocol" "PROTOCOL=$protocol"
    gate "$provider" "$provider" --state "$root/tests/cli/data/peer.tfstate"
    cp stdout "same$protocol/report.json"
    [ "$status" = 0 ] && python3 "$look" "same$protocol/report.json" none 2>stderr
    result $? "protocol $protocol: the same build on both sides"
    ! grep -E ' call (Apply|Open|Invoke)' "same$protocol/log" >stdout
    result $? "protocol $protocol: nothing is applied or opened"
done
provider local LOCAL=1
local=$provider
gate "$local" "$local" --state "$root/tests/cli/data/peer.tfstate"
[ "$status" = 0 ] && python3 "$look" stdout none 2>stderr
result $? "the same build on both sides, which needs no service"
for call in ReadResource ReadDataSource ImportResourceState MoveResourceState; do
    grep -q " call $call" local/log
    result $? "  $call is asked"
done
same=$work/same6/terraform-provider-peer
gate "$work/same5/terraform-provider-peer" "$same"
cp stderr messages
python3 "$look" stdout none 2>stderr
grep -q 'speaks protocol 5, the new one 6' messages
result $? "other protocols are reported"
# A provider that has a fault in both versions has no other in the new one.
for fault in random per-process unstable-private permanent oscillates impure:function.* impure-elsewhere:function.* upgrade-again \
    upgrade-dies exits private-needed newer-taken no-state wrong-type null-dies; do
    type=peer_thing
    case $fault in *:*) type=${fault#*:} ;; esac
    provider "${fault%:*}" "FAULT=${fault%:*}"
    gate "$provider" "$provider" --type "$type" --timeout 2
    cp stdout report.json
    python3 "$look" report.json none 2>stderr
    result $? "${fault%:*}: a fault of both versions is not a finding"
done
gate "$provider" "$provider" --type peer_thing --timeout 2 --env "ANY=thing-of-the-user"
[ "$status" -le 1 ]
result $? "one that exits has the variables of the user each time"
printf '#!/bin/sh\nexit 1\n' >dies
chmod +x dies
gate "$work/dies" "$same"
[ "$status" = 3 ] && grep -q 'cannot be used' stderr
result $? "one that is not a provider"
if [ -x "$(dirname "$peer")/../record/provider" ]; then
    cp "$(dirname "$peer")/../record/provider" terraform-provider-other
    gate "$same" "$work/terraform-provider-other"
    [ "$status" = 3 ]
    result $? "one that is another provider, or serves nothing"
fi
provider flood "FAULT=hangs"
gate "$same" "$provider" --type peer_thing --timeout 1
[ "$status" -le 1 ]
result $? "one that hangs is asked to the end"
gate "$same" "$root/tests/cli/data/peer.tfstate"
[ "$status" = 3 ]
result $? "a file that is not evidence"
"$lifecheck" gate --old "$same" --new "$root/testdata/schemas/nimbus.json" --format json >stdout
grep -q '"type":"peer_thing","type_removed":true' stdout
result $? "a binary and a schema document"
gate "$same" "$root/testdata/schemas/nimbus.json" --apply
[ "$status" = 2 ] && grep -q 'needs a binary' stderr
result $? "--apply with one binary"
gate "$work/none" "$same"
[ "$status" = 3 ]
result $? "one that does not exist"
gate "$same" "$same" --type 'peer_thnig'
[ "$status" = 3 ] && grep -q 'did you mean peer_thing' stderr
result $? "a type that does not exist"

# ---- Side by side

provider sides "UPGRADE=new-default-replaces"
for jobs in 1 3; do
    gate "$same" "$provider" --jobs $jobs
    [ "$status" = 1 ]
    result $? "--jobs $jobs"
    sed 's/"milliseconds":[0-9]*/"milliseconds":0/' stdout >"jobs$jobs"
    mv sides/terraform-provider-peer.found "jobs$jobs.found"
done
cmp jobs1 jobs3 >stdout && diff -r jobs1.found jobs3.found >stdout
result $? "  the reports and scenarios are the same"
gate "$same" "$provider" --jobs 0
[ "$status" = 2 ] && grep -q 'from 1' stderr
result $? "--jobs 0"
gate "$same" "$root/testdata/schemas/nimbus.json" --jobs 2
[ "$status" = 2 ] && grep -q 'types of two binaries' stderr
result $? "--jobs with one binary"

# ---- A state of many objects that are alike, and one that is not

python3 - "$root/tests/cli/data/peer.tfstate" >many.tfstate <<'END'
import copy, json, sys
state = json.load(open(sys.argv[1]))
things = next(one for one in state["resources"] if one["type"] == "peer_thing")
things["instances"] = [dict(copy.deepcopy(things["instances"][0]), index_key=at) for at in range(60)]
things["instances"][40]["attributes"]["note"] = "unlike"
state["resources"] = [things]
json.dump(state, sys.stdout)
END
provider many "UPGRADE=upgrade-error-if-set"
gate "$same" "$provider" --type peer_thing --state many.tfstate
[ "$status" = 1 ] && grep -q '"rule":"gate/upgrade-fails"' stdout
result $? "the object that sets what no other does is asked about"
grep -q '"why":"given objects that are like others, or too many","count":52' stdout
result $? "  and how many are not is reported"

# ---- Own infrastructure

mkdir configuration
cat >configuration/main.tf <<'END'
terraform {
  required_providers {
    peer = { source = "example.test/tests/peer" }
  }
}
resource "peer_thing" "stored" {
  name   = "one"
  title  = "T"
  amount = 12.5
}
END
provider own "UPGRADE=new-default-replaces"
gate "example.test/tests/peer=$same" "example.test/tests/peer=$provider" --type peer_thing --config configuration --state "$root/tests/cli/data/peer.tfstate"
[ "$status" = 1 ] && python3 -c 'import json, sys; (one,) = json.load(open("stdout"))["own_plan"]; sys.exit((one["address"], one["class"], one["old"], one["new"]) != ("peer_thing.stored", "breaks", "no change", "replace"))'
result $? "an object of the user that the new version replaces"
gate "example.test/tests/peer=$same" "example.test/tests/peer=$same" --type peer_thing --config configuration --state "$root/tests/cli/data/peer.tfstate"
[ "$status" = 0 ] && grep -qF '"own_plan":[]' stdout
result $? "none that the same version replaces"
run "$lifecheck" gate --old "$same" --new "$provider" --type peer_thing --scenarios md --format markdown
grep -q 'BREAKING CHANGES' stdout && grep -q 'resource/peer' stdout
result $? "a draft of the changelog"
file=$(ls md/*gate-replaces.yaml)
run "$lifecheck" drive --provider "$provider" "$file"
[ "$status" = 0 ]
result $? "drive repeats what the scenario shows"
run "$lifecheck" drive --provider "$same" "$file"
[ "$status" = 1 ]
result $? "  and does not with the old version"
gate "example.test/tests/peer=$same" "example.test/tests/peer=$same" --config configuration --state "$root/tests/cli/data/peer.tfstate" --calls 50
grep -q "only the types that configuration uses are tested; --type '\*' tests all" "$work/stderr"
result $? "a configuration: only its types are tested"
! grep -qF '"peer_checked"' "$work/stdout"
result $? "and no other ones"

# ---- What is created is destroyed

# applied UPGRADE OPTION...: both versions have it, and keep objects in the folder world
applied() {
    rm -rf world lifecheck-left-*
    mkdir world
    provider before "$1" "PEER_STATE=$work/world"
    before=$provider
    provider after "$1" "PEER_STATE=$work/world"
    gate "$before" "$provider" --type peer_thing --apply "${@:2}"
}
for calls in 40 600; do
    applied UPGRADE= --calls $calls
    grep -q '"undestroyed":0' stdout && [ -z "$(find world -type f)" ]
    result $? "--calls $calls ends the trials, and every object is destroyed"
done
for creates in 1 2 5; do
    : >before/log
    "$lifecheck" gate --old "$before" --new "$provider" --type peer_thing --apply --scenarios found >stdout 2>stderr &
    pid=$!
    for ((i = 0; i < 1000; i++)); do
        [ "$(grep -c ' call Apply' before/log)" -lt $creates ] || break
        sleep 0.01
    done
    kill -TERM $pid
    wait $pid
    status=$?
    [ "$status" = 3 ] && grep -q 'not compared: interrupted' stderr && [ -z "$(find world -type f)" ]
    result $? "a signal after $creates applied changes: every object is destroyed"
done
applied UPGRADE=apply-destroy
[ "$status" = 3 ] && grep -q 'NOT DESTROYED: peer_thing (id peer_thing-[0-9]*) exists: destroy it manually' stderr
result $? "no version destroys: reported"
[ "$(stat -c %a lifecheck-left-peer_thing-1.json)" = 600 ] && grep -q '"exists": true' lifecheck-left-peer_thing-1.json
result $? "  its values are in a file for the user alone"
applied FAULT=apply-dies
[ "$status" = 3 ] && grep -q 'NOT DESTROYED: peer_thing may exist' stderr
result $? "the provider exits while it creates: reported"
applied FAULT=destroy-forgets
[ "$status" = 3 ] && grep -q 'NOT DESTROYED: peer_thing (id' stderr && [ -n "$(find world -type f)" ]
result $? "a destroy that returns the object: reported"
rm -f lifecheck-left-*

# ---- Changes

while IFS=$'\t' read -r word found; do
    case $word in
    schema-* | lower-* | read-* | import-* | move-* | identity-* | settings-*)
        provider "$word" "UPGRADE=$word" LOCAL=1
        gate "$local" "$provider" --type "$(types "$word")"
        ;;
    apply-*)
        mkdir "world-$word"
        provider applying "PEER_STATE=$work/world-$word"
        applying=$provider
        provider "$word" "UPGRADE=$word" "PEER_STATE=$work/world-$word"
        gate "$applying" "$provider" --type "$(types "$word")" --apply
        case $word in apply-private | apply-other)
            [ -z "$(find "world-$word" -type f)" ]
            result $? "$word: every object is destroyed"
            ;;
        esac
        ;;
    *)
        provider "$word" "UPGRADE=$word"
        gate "$same" "$provider" --type "$(types "$word")"
        ;;
    esac
    mv stdout "$word/report.json"
    if [ -z "$found" ]; then
        [ "$status" = 0 ] && python3 "$look" "$word/report.json" none 2>stderr
        result $? "$word: nothing is found"
        continue
    fi
    [ "$status" -le 1 ] || echo "#   exit status $status"
    python3 "$look" "$word/report.json" "$found" >found 2>stderr
    result $? "$word: it is found"
    read -r file rule <found || continue
    [ "$file" != - ] || continue
    run "$lifecheck" check "$file"
    [ "$status" = 0 ] && grep -qF "rule: $rule" "$file" && grep -qF '1 meets its expectation' stdout
    result $? "$word: the scenario shows it alone"
done < <("$peer" upgrades)
[ -z "$(ls run)" ]
result $? "no socket is left"
