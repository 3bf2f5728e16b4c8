#!/bin/bash
# Plans as a whole: nothing is found in what clients wrote, and one edit breaks one rule. The table has
# RULE#SEVERITY#PLAN#EDIT (jq)#what stands next to the plan in a scenario.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v jq >/dev/null; then
    echo "ok - runs # SKIP jq is not installed"
    exit 0
fi

plans=$root/testdata/runs

# The reports of many runs are read by one jq, which takes longer to start than they do.
silent=0 count=0
for plan in "$plans"/*.plan.json "$root"/testdata/plans/plan.json ${PLANS:+"$PLANS"/*.plan.json}; do
    "$lifecheck" check --format json "$plan"
    count=$((count + 1))
done >stdout 2>stderr
jq -r '[.cases[] | select(.domain == "run")] |
    if length == 1 and .[0].verdict == "conforms" and .[0].findings == [] then "conforms" else "# \(.)" end' stdout >found
[ "$(grep -cx conforms found)" = "$count" ] || { grep '^#' found; silent=1; }
result $silent "nothing is found in $count plans of clients"

broken=0 rows=0
while IFS='#' read -r rule severity plan edit beside; do
    [ -n "$rule" ] || continue
    rows=$((rows + 1))
    jq "($edit) | {lifecheck: 1, name: \"edited\", planning: ({plan: .} + ({${beside:-}}))}" "$plans/$plan.plan.json" >edited.json 2>problem ||
        { echo "# $rule: $(cat problem)"; broken=1; continue; }
    "$lifecheck" check --format json edited.json >&3 2>stderr
    echo "$rule $severity" >>expected
    echo "$rule in $plan: $edit $(head -c 300 stderr)" >>where
done 3>reports <<'ROWS'
run/format-version#error#update-terraform#.format_version = "2.0"
run/address-parse#error#update-terraform#.resource_changes[0].address = "terraform_data"
run/address-parse#error#update-terraform#.resource_changes[0].address = "terraform_data.a[ 0 ]"
run/address-fields#error#update-terraform#.resource_changes[0].name = "b"
run/address-fields#error#update-terraform#.resource_changes[0].type = "null_resource"
run/address-fields#error#update-terraform#.resource_changes[0].mode = "data"
run/address-fields#error#update-terraform#.resource_changes[0].address = "terraform_data.b"
run/address-fields#error#update-terraform#.resource_changes[0].module_address = "module.m"
run/address-fields#error#delete-count-index-terraform#.resource_changes[1].index = "1"
run/address-fields#error#create-module-terraform#del(.resource_changes[0].module_address)
run/duplicate-change#error#update-terraform#.resource_changes += [.resource_changes[0]]
run/deposed-key#error#deposed-noop-terraform#.resource_changes[1].deposed = "0a1b"
run/deposed-action#error#deposed-noop-terraform#.resource_changes[1].change.actions = ["update"]
run/deposed-action#error#deposed-noop-terraform#.resource_changes[1].change.actions = ["no-op"]
run/actions-unknown#error#update-terraform#.resource_changes[0].change.actions = ["frobnicate"]
run/actions-unknown#error#update-terraform#.resource_changes[0].change.actions = []
run/actions-unknown#error#taint-terraform#.resource_changes[0].change.actions = ["forget", "create"]
run/action-mode#error#data-pending-known-opentofu#.resource_changes[0].change.actions = ["create"]
run/action-mode#error#update-terraform#.resource_changes[0].change.actions = ["read"]
run/reason-unknown#info#taint-terraform#.resource_changes[0].action_reason = "replace_because_of_rain"
run/reason-action#error#update-terraform#.resource_changes[0].action_reason = "replace_because_tainted"
run/reason-action#error#update-terraform#.resource_changes[0].action_reason = "delete_because_each_key"
run/reason-action#error#data-unknown-terraform#.resource_changes[0].action_reason = "replace_by_request"
run/reason-missing#error#taint-terraform#del(.resource_changes[0].action_reason)
run/reason-missing#error#data-unknown-terraform#del(.resource_changes[0].action_reason)
run/provider-name#error#update-terraform#.resource_changes[0].provider_name = "registry.terraform.io/hashicorp/null"
run/provider-name#error#update-terraform#.resource_changes[0].provider_name = "terraform"
run/order#info#replace-option-terraform#.resource_changes |= reverse
run/previous-address#error#update-terraform#.resource_changes[0].previous_address = "terraform_data.a"
run/previous-address#error#update-terraform#.resource_changes[0].previous_address = "module.m"
run/previous-address#error#implied-count-terraform#(.resource_changes[].previous_address) = "terraform_data.old"
run/previous-live#error#replace-option-terraform#.resource_changes[0].previous_address = "terraform_data.b"
run/create-before#error#create-plain-terraform#.resource_changes[0].change.before = {"input": "x"}
run/create-before#error#update-terraform#.resource_changes[0].change.actions = ["create"]
run/after-missing#error#update-terraform#.resource_changes[0].change.after = null | .resource_changes[0].change.after_unknown = {}
run/delete-after#error#delete-no-config-terraform#.resource_changes[0].change.after = {"input": "x"}
run/delete-after#error#delete-no-config-terraform#.resource_changes[0].change.after_unknown = {"id": true}
run/delete-after#error#delete-no-config-terraform#.resource_changes[0].change.after_sensitive = {"id": true}
run/before-missing#error#update-terraform#.resource_changes[0].change.before = null
run/before-missing#error#create-plain-terraform#.resource_changes[0].change.actions = ["update"]
run/noop-equal#error#noop-terraform#.resource_changes[0].change.after.input = "other"
run/noop-equal#error#noop-terraform#.resource_changes[0].change.before.input = "other"
run/noop-equal#error#noop-terraform#.resource_changes[0].change.before_sensitive = {"input": true}
run/noop-equal#error#update-terraform#.resource_changes[0].change.actions = ["no-op"]
run/update-equal#warning#sensitive-only-terraform#.resource_changes[0].change.after_sensitive = {}
run/update-equal#warning#noop-terraform#.resource_changes[0].change.actions = ["update"]
run/unknown-overlap#error#update-terraform#.resource_changes[0].change.after_unknown.id = true
run/unknown-shape#error#update-terraform#.resource_changes[0].change.after_unknown.id = "yes"
run/unknown-shape#error#update-terraform#.resource_changes[0].change.after_unknown.id = [true]
run/sensitive-shape#error#update-terraform#.resource_changes[0].change.before_sensitive = false
run/sensitive-shape#error#update-terraform#.resource_changes[0].change.after_sensitive = false
run/sensitive-shape#error#update-terraform#.resource_changes[0].change.after_sensitive.nothing = true
run/sensitive-shape#error#delete-no-config-terraform#.resource_changes[0].change.before_sensitive = false
run/replace-paths-action#error#update-terraform#.resource_changes[0].change.replace_paths = [["input"]]
replace/path-invalid#error#ignore-replace-other-terraform#.resource_changes[0].change.replace_paths = [["nothing"]]
replace/path-unchanged#info#replace-option-terraform#.resource_changes[0].change.replace_paths = [["triggers_replace"], ["input"]]
run/cannot-update-paths#error#ignore-replace-other-terraform#del(.resource_changes[0].change.replace_paths)
run/cannot-update-paths#error#taint-terraform#.resource_changes[0].change.replace_paths = [["id"]]
run/import-shape#error#create-plain-terraform#.resource_changes[0].change.importing = {"id": "i"}
run/import-shape#error#delete-no-config-terraform#.resource_changes[0].change.importing = {"id": "i"}
run/generated-without-import#error#update-terraform#.resource_changes[0].change.generated_config = "x"
run/planned-missing#error#update-terraform#.planned_values.root_module.resources = []
run/planned-missing#error#create-plain-terraform#.planned_values.root_module = {}
run/planned-extra#error#create-plain-terraform#.planned_values.root_module.resources += [.planned_values.root_module.resources[0] + {address: "terraform_data.more", name: "more"}]
run/planned-extra#error#create-plain-terraform#.resource_changes = [] | .applyable = false
run/planned-values#error#update-terraform#.planned_values.root_module.resources[0].values.input = "other"
run/planned-values#error#update-terraform#.planned_values.root_module.resources[0].sensitive_values = {"input": true}
run/planned-values#error#update-terraform#.planned_values.root_module.resources[0].schema_version = 7
run/prior-missing#error#update-terraform#.prior_state.values.root_module.resources = []
run/prior-missing#error#deposed-noop-terraform#del(.prior_state.values.root_module.resources[1])
run/prior-equal#error#update-terraform#.prior_state.values.root_module.resources[0].values.id = "other"
run/prior-equal#error#update-terraform#.resource_changes[0].change.before.id = "other"
run/prior-create#error#create-plain-terraform#.prior_state = {values: {root_module: .planned_values.root_module}}
run/prior-tainted#error#update-terraform#.prior_state.values.root_module.resources[0].tainted = true
run/tainted-reason#error#taint-terraform#del(.prior_state.values.root_module.resources[].tainted)
run/deposed-unplanned#error#deposed-noop-terraform#del(.resource_changes[1]) | .applyable = false
run/instance-unplanned#error#replace-option-terraform#del(.resource_changes[1])
run/drift-shape#error#drift-update-terraform#.resource_drift[0].change.actions = ["create"]
run/drift-shape#error#drift-update-terraform#.resource_drift[0].change.actions = ["no-op"]
run/drift-shape#error#drift-update-terraform#.resource_drift[0].change.actions = ["delete"]
run/drift-shape#error#drift-update-terraform#.resource_drift[0].change.after.size = 4711
run/unknown-resource#error#update-terraform#.configuration.root_module.resources = []
run/unknown-resource#error#create-module-terraform#.configuration.root_module.module_calls = {}
run/no-config#error#delete-count-index-terraform#.resource_changes[1].action_reason = "delete_because_no_resource_config"
run/no-config#error#delete-no-config-terraform#.resource_changes[0].action_reason = "delete_because_each_key"
run/no-config#error#delete-no-config-terraform#.resource_changes[0].action_reason = "delete_because_no_module"
run/no-move-target#error#delete-no-config-terraform#.resource_changes[0].action_reason = "delete_because_no_move_target"
run/repetition#error#delete-count-index-terraform#.resource_changes[1].action_reason = "delete_because_each_key"
run/repetition#error#delete-count-index-terraform#.resource_changes[1].action_reason = "delete_because_wrong_repetition"
run/provider-config-key#error#update-terraform#.configuration.root_module.resources[0].provider_config_key = "other"
run/options-conflict#error#noop-terraform#.#mode: "refresh-only", refresh: false
run/options-conflict#error#destroy-terraform#.#mode: "destroy", replace: ["terraform_data.zz"]
sequence/refresh-only#error#update-terraform#.#mode: "refresh-only"
run/destroy-mode#error#destroy-terraform#.resource_changes[0].action_reason = "delete_because_no_resource_config"#mode: "destroy"
run/destroy-mode#error#destroy-terraform#.resource_changes[0].previous_address = "terraform_data.old"#mode: "destroy"
run/replace-option#error#update-terraform#.#replace: ["terraform_data.a"]
run/replace-option#error#noop-terraform#.#replace: ["terraform_data.a"]
run/replace-unasked#error#replace-option-terraform#.#replace: ["terraform_data.zz"]
run/read-reason#info#data-check-terraform#del(.checks)
run/read-reason#info#data-pending-known-opentofu#.resource_changes[0].action_reason = "read_because_check_nested"
run/output-values#error#output-create-terraform#.output_changes.o.before = "x"
run/output-values#error#output-create-terraform#.output_changes.o.actions = ["no-op"]
run/output-values#error#output-create-terraform#.output_changes.o.actions = ["delete"]
run/output-values#error#output-create-terraform#.output_changes.o.after_sensitive = true
run/output-planned#error#output-create-terraform#.planned_values.outputs.o.value = "x"
run/output-planned#error#output-create-terraform#del(.planned_values.outputs.o)
run/output-planned#error#output-create-terraform#del(.planned_values.outputs.o.type)
run/output-planned#error#output-create-terraform#.planned_values.outputs.more = {value: 1, type: "number"}
run/output-prior#error#output-create-terraform#.prior_state.values.outputs.o.value = "x"
run/output-config#error#output-create-terraform#.configuration.root_module.outputs = {}
run/output-config#error#output-create-terraform#.configuration.root_module.outputs.o.sensitive = true
run/applyable#error#update-terraform#.applyable = false
run/applyable#error#noop-terraform#.applyable = true
run/applyable#error#move-rename-terraform#.applyable = false
run/applyable#error#import-noop-terraform#.applyable = false
run/complete#error#target-b-terraform#.complete = true#target: ["terraform_data.b"]
run/complete#error#update-terraform#.complete = false#target: []
run/errored-partial#error#update-terraform#.errored = true | .complete = false
run/errored-partial#error#error-partial-terraform#.complete = true
run/check-status#info#data-check-terraform#.checks[0].status = "fail"
ROWS
jq -r '[.cases[0].findings[]? | .rule + " " + .severity] | unique | join(", ")' reports >found
cmp -s expected found || { paste -d '|' expected found where | awk -F'|' '$1 != $2 { print "# " $3 ": " $2 }'; broken=1; }
[ "$(wc -l <found)" = "$rows" ] || broken=1
result $broken "each of $rows edits breaks its rule, and no other"

# Rules that need more than a plan.
jq '{version: 4, terraform_version: "1.11.4", serial: 1, lineage: "l", outputs: {}, check_results: null, resources: [.prior_state.values.root_module.resources[] |
    {mode, type, name, provider: "provider[\"\(.provider_name)\"]", instances: [{schema_version, attributes: .values}]}]}' \
    "$plans/replace-option-terraform.plan.json" >before.json
cp "$plans/replace-option-terraform.plan.json" plan.json
wants 0 "the state before a plan" "$lifecheck" check plan.json --prior-state before.json
jq 'del(.resources[0])' before.json >less.json
wants 1 "one that lacks an object" "$lifecheck" check plan.json --prior-state less.json
out_finds "is not the state of this plan" '[run/prior-vs-file]:' '   terraform_data.a'
jq '.serial = 2 | .resources[0].instances[0].attributes |= (.id = "new" | .output = null)' before.json >after.json
wants 0 "the state after a plan" "$lifecheck" check plan.json --prior-state before.json --new-state after.json
jq '.resources[1].instances[0].attributes.input |= {value: ., type: "string"}' after.json >wrapped.json
wants 0 "values stored with their types" "$lifecheck" check plan.json --new-state wrapped.json --operation apply
out_has 'conforms' "are those values"
jq '.resources[1].instances[0].attributes.input.value = "changed"' wrapped.json >other.json
wants 1 "another one within" "$lifecheck" check plan.json --new-state other.json
jq '.resources[1].instances[0].attributes.input = "changed"' after.json >other.json
wants 1 "one where something else changed" "$lifecheck" check plan.json --new-state other.json
out_finds "is not what was planned" '[run/apply-result]:' '   terraform_data.b'
jq '.resources[0].instances[0].status = "tainted"' after.json >half.json
wants 0 "one that is left tainted" "$lifecheck" check plan.json --new-state half.json
out_finds "is a partial apply" 'info[run/apply-leftover]:' '   terraform_data.a'

operation() { # status, what is reported, edit, operation
    jq ".serial = 2 | $3" before.json >after.json
    wants "$1" "$4 and $3" "$lifecheck" check before.json --new-state after.json --operation "$4"
    out_has "$2" "... ${2:-nothing}"
}
a='.resources[0]' b='.resources[1]'
operation 0 'conforms' "$a.instances[0].status = \"tainted\"" taint:terraform_data.a
operation 1 'terraform_data.a is not tainted' . taint:terraform_data.a
operation 1 'terraform_data.b changed, though it is not the one named' "($a, $b).instances[0].status = \"tainted\"" taint:terraform_data.a
operation 1 'changed in something else than its status' "$a.instances[0] += {status: \"tainted\", schema_version: 3}" taint:terraform_data.a
operation 1 'the state before does not have terraform_data.c' . rm:terraform_data.c
operation 0 'conforms' "del($a)" rm:terraform_data.a
operation 1 'terraform_data.b is gone' "del($a, $b)" rm:terraform_data.a
operation 0 'conforms' "$a.name = \"c\"" mv:terraform_data.a,terraform_data.c
operation 0 'conforms' "$a.instances[0].index_key = \"k,1\"" 'mv:terraform_data.a,terraform_data.a["k,1"]'
operation 0 'conforms' "$a.module = \"module.m[0]\"" 'mv:terraform_data.a,module.m[0].terraform_data.a'
operation 1 'is not where it was moved to' "$a.name = \"d\"" mv:terraform_data.a,terraform_data.c
operation 0 'conforms' ".resources += [$a + {name: \"new\"}]" import:terraform_data.new
operation 1 'terraform_data.new is not new' . import:terraform_data.new
operation 0 'conforms' '.resources[].provider = "provider[\"example.test/x/y\"]"' replace-provider:terraform.io/builtin/terraform,example.test/x/y
operation 1 'does not have the new provider' "$a.provider = \"provider[\\\"example.test/x/y\\\"]\"" replace-provider:terraform.io/builtin/terraform,example.test/x/y
operation 0 'conforms' "del($a) | .resources[0].instances[0].attributes.id = \"x\"" refresh
operation 1 'something that a refresh does not renew' "$a.instances[0].status = \"tainted\"" refresh
wants 3 "an operation that does not exist" "$lifecheck" check before.json --new-state after.json --operation touch:terraform_data.a
out_has "no operation: taint:ADDR" "is reported"
wants 3 "an address that is none" "$lifecheck" check before.json --new-state after.json --operation taint:terraform_data
jq '.lineage = "m"' before.json >after.json
wants 1 "another lineage" "$lifecheck" check before.json --new-state after.json
out_has 'run/state-pair' "is another state"
