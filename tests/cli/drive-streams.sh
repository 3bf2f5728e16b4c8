#!/bin/bash
# `lifecheck drive` with lists, actions and state stores of the provider that computes: each fault is
# found by the rule that is about it and by no other, and on the honest provider nothing is found.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider

if [ ! -x "$peer" ]; then
    echo "ok - lists, actions and state stores # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
mkdir run home seed
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME

scenario() { # NAME RESOURCE CONFIG [MORE]
    printf 'lifecheck: 1\nname: %s\nresource: %s\nconfig: %s\n%s\n' "$1" "$2" "$3" "${4:-}" >"$1.yaml"
}
scenario life peer_thing.a '{name: one, title: First}'
scenario list list.peer_thing.all '{}'
scenario list-one list.peer_thing.all '{}' 'list: {limit: 1}'
scenario list-lists list.peer_lists.all '{}'
scenario action action.peer_restart.now '{id: i-1}' 'drive: {apply: true}'
scenario store state_store.peer_store.s '{bucket: b}'

# drive [NAME=VALUE...] OPTION...: with a world of its own, in which two objects exist
drive() {
    local settings=()
    while [[ $1 == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    rm -rf world && cp -r seed world
    run env "PEER_STATE=$work/world" "PEER_LOG=$work/log" "${settings[@]}" timeout -k 5 60 "$lifecheck" drive --provider "$peer" "$@"
}
asked() { # calls of the driven process, without those of every process
    sed -n 's/^[0-9]* call \([A-Za-z]*\).*/\1/p' log | grep -vE '^(Get(ProviderSchema|ResourceIdentitySchemas)|ValidateProviderConfig|ConfigureProvider|StreamStdio|StartStream|Shutdown|StopProvider)$' | tr '\n' ' '
}
asks() { # calls, name
    [ "$(asked)" = "$1 " ] || echo "#   $(asked)"
    [ "$(asked)" = "$1 " ]
    result $? "$2"
    : >log
}

# ---- Two objects that stay

for _ in 1 2; do
    run env "PEER_STATE=$work/seed" FAULT=destroy-forgets "$lifecheck" drive --provider "$peer" --apply life.yaml
done
rm -f lifecheck-left-*
[ "$(ls seed)" = "$(printf '%s\n' peer_thing.peer_thing-{1,2}.{json,settings})" ]
result $? "two objects exist"

# ---- The honest provider

: >log
for type in life list list-one action store; do
    drive --apply --fail-on info --record "$type.jsonl" "$type.yaml"
    [ "$status" = 0 ] && ! grep -qE '^[a-z]+\[' stdout && diff -r seed world >differs
    result $? "$type: nothing is found on the honest provider, and nothing is left"
done
: >log

drive --apply list.yaml
asks "ValidateListResourceConfig ListResource ImportResourceState ReadResource ImportResourceState ReadResource ListResource" \
    "a list: the objects are read, and listed again"
drive --apply life.yaml
asked | grep -q "ReadResource ValidateResourceConfig PlanResourceChange ListResource "
result $? "what was created is listed before it is destroyed"
: >log
drive --apply action.yaml
asks "ValidateActionConfig PlanAction InvokeAction" "an action"
drive --apply store.yaml
asks "ValidateStateStoreConfig ConfigureStateStore GetStates ConfigureStateStore LockState LockState WriteStateBytes ReadStateBytes GetStates UnlockState LockState UnlockState LockState WriteStateBytes ReadStateBytes WriteStateBytes ReadStateBytes UnlockState DeleteState GetStates ReadStateBytes" \
    "a state store, by two processes"
[ "$(grep -c '"rpc":"WriteStateBytes"' store.jsonl)" = 3 ] && ! grep -q 'lineage' store.jsonl
result $? "its calls are recorded, states are not"
run "$lifecheck" check --fail-on info store.jsonl list.jsonl action.jsonl life.jsonl
[ "$status" = 0 ]
result $? "check says the same of the recordings"

# ---- Faults

while IFS=$'\t' read -r word _ rules type; do
    case $word in list-* | action-* | store-*) ;; *) continue ;; esac
    drive "FAULT=$word" --apply --fail-on info --format concise "$type.yaml"
    found=$(grep -oE '[a-z]+\[[a-z-]+/[a-z-]+\]' stdout | sed 's/.*\[//; s/\]//' | sort -u | tr '\n' ' ')
    [ "$status" = 1 ] && [ "$found" = "$rules " ] || echo "#   status $status: $found"
    [ "$status" = 1 ] && [ "$found" = "$rules " ]
    result $? "$word: $rules finds it, and nothing else does"
    ! compgen -G 'world/state.*.json' && ! compgen -G 'world/state.*.lock'
    result $? "$word: no state and no lock is left"
done < <("$peer" faults)

drive FAULT=store-lines --apply store.yaml
[ "$status" = 1 ]
result $? "a store that changes what is written fails without an option"

# ---- What is not asked, and what is left

: >log
drive action.yaml
asks "ValidateActionConfig PlanAction" "without --apply an action is planned"
grep -v '^drive' action.yaml >planned.yaml
drive --apply planned.yaml
err_has "not invoked, because nothing undoes it" "without apply: true it is not invoked"
: >log
drive store.yaml
asks "ValidateStateStoreConfig ConfigureStateStore GetStates" "without --apply nothing is written to a store"
err_has "nothing is written to the store: --apply" "and why is said"
echo mine >seed/state.lifecheck-drive.json
drive --apply store.yaml
asks "ValidateStateStoreConfig ConfigureStateStore GetStates" "a state of that name is not touched"
err_has "the store has a state lifecheck-drive already" "it is named"
rm seed/state.*
for type in list action store; do
    drive --apply --as opentofu "$type.yaml"
    err_has "OpenTofu" "$type: OpenTofu makes no such calls"
done
: >log
drive --list --apply list.yaml action.yaml store.yaml
[ "$status" = 0 ] && grep -q "InvokeAction if the scenario says apply: true" stdout && grep -q "locked, written, read and deleted" stdout
result $? "--list names the calls"
drive FAULT=list-endless --apply list-one.yaml
err_has "ListResource was ended after 101 messages of its response" "a list without an end is left"
out_has "list/beyond-limit" "and is a finding"
drive --apply --secrets list-one.yaml
err_has "the list has reached its limit of 1" "a limit that is reached is said"
sed 's/^config/drive: {steps: [validate, plan, apply]}\n&/' life.yaml >steps.yaml
: >log
drive --apply steps.yaml
! asked | grep -q ListResource
result $? "steps without list: nothing is listed"
sed 's/^config/drive: {list: {prefix: other}}\n&/' life.yaml >filtered.yaml
drive --apply --fail-on info filtered.yaml
[ "$status" = 0 ] && asked | grep -q ListResource
result $? "a list with a filter need not have what was created"
sed 's/^config/drive: {list: {suffix: other}}\n&/' life.yaml >wrong.yaml
drive --apply wrong.yaml
out_has 'wrong.yaml:4:16: error:' "a configuration that the list does not have is an error"
out_has 'no attribute or block "suffix"; its schema has prefix' "that names it"
