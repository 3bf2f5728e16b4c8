#!/bin/bash
# diff and gate: what two versions of a provider have found, exercised and declared differently.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures
cp "$captures"/{fault-none,fault-apply-value-changed}.jsonl .
cp "$data"/{conforms,violates,legacy}.yaml .
"$lifecheck" --format json fault-none.jsonl >none.json
"$lifecheck" --format json fault-apply-value-changed.jsonl >fault.json

# ---- diff

wants 1 "diff: a new finding" "$lifecheck" diff none.json fault.json
out_has "new      error    apply/changed at .name of lifecheck_thing (1)" "is reported"
out_has "fault-apply-value-changed.jsonl:11:1: the value is not the planned one" "with its place"
out_has "1 new, 0 fixed, 0 changed, 0 as before" "and counted"
wants 0 "diff: a fixed one" "$lifecheck" diff fault.json none.json
out_has "fixed    error    apply/changed at .name of lifecheck_thing (1)" "is reported"
wants 0 "diff: nothing new" "$lifecheck" diff fault.json fault.json
out_has "0 new, 0 fixed, 0 changed, 1 as before" "is counted"
"$lifecheck" --format json violates.yaml violates.yaml >twice.json
"$lifecheck" --format json violates.yaml >once.json
wants 1 "diff: more of the same" "$lifecheck" diff once.json twice.json
out_has "changed  error    apply/changed at .name of example_thing (1 -> 2)" "is reported"
wants 0 "diff: less of it" "$lifecheck" diff twice.json once.json
"$lifecheck" --format json --fail-on warning legacy.yaml >warning.json
"$lifecheck" --format json --strict legacy.yaml >error.json
wants 0 "diff: another severity" "$lifecheck" diff warning.json error.json
out_has "(1 -> 1, was warning)" "is reported"
wants 0 "diff: rules that are left out" "$lifecheck" diff --ignore 'apply/*' none.json fault.json
wants 1 "diff --format json" "$lifecheck" diff --format json none.json fault.json
out_has '"difference":"new","severity":"error","rule":"apply/changed","type":"lifecheck_thing","path":".name","fingerprint":"' "has the fingerprint"
out_has '"old":0,"new":1' "and both numbers"
"$lifecheck" --write-baseline known.json violates.yaml >/dev/null
"$lifecheck" --format json --baseline known.json violates.yaml >known-report.json
wants 0 "diff: what is known is not found" "$lifecheck" diff known-report.json known-report.json
out_has "0 as before" "on either side"
wants 1 "diff: inputs instead of reports" "$lifecheck" diff fault-none.jsonl fault-apply-value-changed.jsonl
wants 3 "diff: a report that is not there" "$lifecheck" diff none.json nowhere.json
wants 2 "diff: one report" "$lifecheck" diff none.json

# ---- gate: pages

wants 1 "gate --format markdown" "$lifecheck" gate --format markdown --old fault-none.jsonl --new fault-apply-value-changed.jsonl
out_has '## lifecheck gate: fail' "begins with the verdict"
out_has '1 new finding that fails, 0 breaking schema changes, 0 required rules not checked' "as the report has it"
out_has '| error | `apply/changed` | `lifecheck_thing` | `.name` | the value is not the planned one | `fault-apply-value-changed.jsonl:11:1` | 0 to 1 |' "has a row for what is new"
out_has '<details><summary>Never exercised</summary>' "and folds the rest"
wants 0 "gate --report markdown, html" "$lifecheck" gate --old fault-apply-value-changed.jsonl --new fault-none.jsonl --report markdown=gate.md --report html=gate.html
[ "$(head -n 1 gate.md)" = '## lifecheck gate: pass' ] && grep -A 4 'summary>Fixed<' gate.md | grep -q 'apply/changed'
result $? "what is fixed is folded"
if command -v python3 >/dev/null; then
    python3 "$root/tests/cli/checks/html_check.py" gate.html
    result $? "the page is whole"
fi
{
    printf 'lifecheck: 1\nschema: {version: 0, block: {attributes: {'
    for i in $(seq 900); do printf 'attribute_with_a_long_name_%s: {type: string, optional: true}, ' "$i"; done
    printf '}}}\nresource: "a|b.c"\nprior_state: null\nconfig: &c {'
    for i in $(seq 900); do printf 'attribute_with_a_long_name_%s: v, ' "$i"; done
    printf '}\nplanned_state: *c\nnew_state: {'
    for i in $(seq 900); do printf 'attribute_with_a_long_name_%s: w, ' "$i"; done
    printf '}\n'
} >large.yaml
wants 1 "gate: many findings" "$lifecheck" gate --format markdown --old conforms.yaml --new large.yaml
[ "$(wc -c <stdout)" -le 65536 ] && [ $(($(grep -c '^| error ' stdout) + $(sed -n 's/^\([0-9]*\) more rows are not shown.*/\1/p' stdout))) -ge 900 ]
result $? "fit into a comment ($(wc -c <stdout) bytes), the rest is counted"
wants 1 "gate: with -v" "$lifecheck" gate -v --format markdown --old conforms.yaml --new large.yaml
[ "$(grep -c '^| error ' stdout)" = 900 ]
result $? "everything is there"
echo "resource: [" >unreadable.yaml
wants 3 "gate: nothing understood" "$lifecheck" gate --format markdown --old conforms.yaml --new unreadable.yaml
out_has '## lifecheck gate: undecided' "is reported"

# ---- gate: findings

wants 0 "gate: the same" "$lifecheck" gate --old fault-none.jsonl --new fault-none.jsonl
out_has "pass: 0 new findings that fail, 0 breaking schema changes, 0 required rules not checked" "says so in its last line"
wants 1 "gate: a new finding" "$lifecheck" gate --old fault-none.jsonl --new fault-apply-value-changed.jsonl
out_has "fail: 1 new finding that fails" "fails"
sed 's#"file":"fault-apply-value-changed.jsonl"#"file":"run/rpc.jsonl"#g' fault.json >stream.json
sed -e 's#{"file":"fault-apply-value-changed.jsonl","document"#{"file":"run/proto-data","document"#' \
    -e 's#"file":"fault-apply-value-changed.jsonl"#"file":"run/proto-data/1_ApplyResourceChange"#g' fault.json >data.json
sed 's#run/#other/#g' stream.json >other.json
wants 1 "gate: two recordings of one run" "$lifecheck" gate --old none.json --new stream.json --new data.json
out_has "apply/changed at .name of lifecheck_thing (1)" "show a finding once"
wants 1 "gate: two runs" "$lifecheck" gate --old none.json --new stream.json --new data.json --new other.json
out_has "apply/changed at .name of lifecheck_thing (2)" "show it twice"
"$lifecheck" merge --format json stream.json data.json >both.json
wants 0 "diff: with and without the data files of a run" "$lifecheck" diff stream.json both.json
out_has "0 new, 0 fixed, 0 changed, 1 as before" "nothing is more"
wants 0 "gate: what was there before" "$lifecheck" gate --old fault-apply-value-changed.jsonl --new fault-apply-value-changed.jsonl
wants 0 "gate: a fixed one" "$lifecheck" gate --old fault.json --new none.json
wants 1 "gate: reports" "$lifecheck" gate --old none.json --new fault.json
out_has "JSON reports have no schemas" "have no schemas"
wants 0 "gate: a warning" "$lifecheck" gate --old conforms.yaml --new legacy.yaml
out_has "apply/changed at .name of (no type) (1)" "what is tolerated for SDKv2 is listed"
wants 1 "gate: a warning can fail" "$lifecheck" gate --fail-on warning --old conforms.yaml --new legacy.yaml
wants 1 "gate: and be an error" "$lifecheck" gate --strict --old conforms.yaml --new legacy.yaml
wants 1 "gate: a warning that became an error" "$lifecheck" gate --old warning.json --new error.json
wants 0 "gate: rules that are left out" "$lifecheck" gate --ignore 'apply/*' --old fault-none.jsonl --new fault-apply-value-changed.jsonl
mkdir scenarios
cp conforms.yaml violates.yaml scenarios
wants 0 "gate: several inputs a side" "$lifecheck" gate --old scenarios --old fault-none.jsonl --new scenarios --new fault-none.jsonl
out_has "findings: old 3 cases, new 3 cases" "are added"

# ---- Whole plans and states

cp "$root/testdata/runs/update-terraform.plan.json" good.plan.json
sed 's/"applyable": *true/"applyable": false/' good.plan.json >bad.plan.json
sed 's/"schema_version": *1/"status": "odd", &/' "$root/testdata/plans/state.json" >odd.tfstate
wants 0 "gate: what the client wrote" "$lifecheck" gate --old good.plan.json --new bad.plan.json
out_has "new      error    run/applyable at .applyable (1), blamed on the client" "says so"
out_has "not the fault of the provider: 1 new finding of the client or the evidence" "and is counted behind the verdict"
out_has "(whole plans and configurations): 1 case" "coverage of whole plans"
out_has "    run               " "is that of the run model"
if grep -q "recorded$" stdout; then false; else true; fi
result $? "which has no actions to exercise"
wants 1 "gate: and fails with --strict" "$lifecheck" gate --strict --old good.plan.json --new bad.plan.json
out_has "fail: 1 new finding that fails" "as one that counts"
wants 0 "gate: what was in the plan before" "$lifecheck" gate --strict --old bad.plan.json --new bad.plan.json
wants 0 "gate: a state" "$lifecheck" gate --old good.plan.json --new good.plan.json --new odd.tfstate
out_has "run/state-status of lifecheck_thing.t (1), blamed on the evidence" "names the object"
wants 1 "gate: rules that a plan alone cannot answer" "$lifecheck" gate --require 'run/prior-vs-file' --old good.plan.json --new good.plan.json
out_has "run/prior-vs-file is required and was not checked for (whole plans and configurations)" "say for what"
wants 0 "gate: as JSON" "$lifecheck" gate --format json --old good.plan.json --new odd.tfstate
out_has '"type":"","address":"lifecheck_thing.t"' "has the address"
out_has '"blame":"evidence"' "and the blame"
out_has '"blamed_on_others":1' "and the number"
wants 1 "diff: plans" "$lifecheck" diff good.plan.json bad.plan.json
out_has "run/applyable at .applyable (1), blamed on the client" "has no type to name"
mkdir whole
cp good.plan.json bad.plan.json odd.tfstate whole
for shard in 1 2 3; do
    "$lifecheck" --shard "$shard/3" --format json whole >"shard$shard.json" 2>/dev/null
done
"$lifecheck" --format json whole >whole.json 2>/dev/null
wants 1 "merge: slices of plans and states" "$lifecheck" merge --format json shard1.json shard2.json shard3.json
cmp -s stdout whole.json
result $? "are the whole"
wants 0 "diff: slices and the whole" "$lifecheck" diff whole.json shard1.json
"$lifecheck" --write-baseline whole.known whole >/dev/null 2>&1
wants 0 "a baseline of plans and states" "$lifecheck" --baseline whole.known whole
rm whole/bad.plan.json
wants 0 "of which one was mended" "$lifecheck" --baseline whole.known whole
sed -i 's/"status": "odd"/"status": "tainted"/' whole/odd.tfstate
cp bad.plan.json whole/again.plan.json
cp bad.plan.json whole/twice.plan.json
wants 1 "of which one came twice" "$lifecheck" --baseline whole.known whole

# ---- gate: coverage

run "$lifecheck" gate --old fault-none.jsonl --new fault-none.jsonl
out_has "final_plan        63 of  65 rules checked; never identity/no-schema, identity/type" "coverage by type and call"
out_has "never identity/no-schema, identity/type" "what was not checked"
for action in update replace delete import; do
    out_has "no $action of lifecheck_thing recorded" "no $action"
done
! grep -q "no create of" stdout
result $? "but a create"
wants 1 "gate: a rule that has to be checked" "$lifecheck" gate --require 'identity/*' --old fault-none.jsonl --new fault-none.jsonl
out_has "identity/no-schema is required and was not checked for lifecheck_thing" "is named"
wants 0 "gate: and was" "$lifecheck" gate --require 'final/*' --old fault-none.jsonl --new fault-none.jsonl
wants 0 "gate: another folder" "$lifecheck" gate --old "$captures/random-replace.jsonl" --new "$captures/crowded"
out_has "nothing of random_pet recorded, though the old version has it" "what is no longer exercised"
wants 0 "gate: a replace" "$lifecheck" gate --old "$captures/random-replace.jsonl" --new "$captures/random-replace.jsonl"
! grep -q "no replace of random_pet" stdout
result $? "is seen"

sets() { # rules
    cat <<X
lifecheck: 1
resource: box.b
schema:
  block:
    attributes: {id: {type: string, computed: true}}
    block_types:
      rule: {nesting_mode: set, block: {attributes: {port: {type: number, optional: true, computed: true}}}}
      peer: {nesting_mode: set, block: {attributes: {name: {type: string, optional: true}}}}
config: {rule: [$1], peer: []}
prior_state: null
planned_state: {id: !unknown , rule: [$1], peer: []}
X
}
sets '{port: 1}' >known.yaml
sets '{port: !unknown }' >unknown.yaml
wants 0 "gate: sets without unknowns" "$lifecheck" gate --old known.yaml --new known.yaml
out_has "no set block of box ever had an unknown" "are reported"
wants 0 "gate: a set with one" "$lifecheck" gate --old known.yaml --new unknown.yaml
out_has "the set block .peer of box never had an unknown" "only the other is"
"$lifecheck" --format json known.yaml >known-set.json
"$lifecheck" gate --old known.yaml --new known.yaml >live
"$lifecheck" gate --old known-set.json --new known-set.json >reported
cmp -s <(grep -v 'JSON reports' reported) live
result $? "a report says the same as its inputs"

# ---- gate: schemas

document() { # version, block
    echo "{\"format_version\":\"1.0\",\"provider_schemas\":{\"example.com/a/box\":{\"provider\":{\"version\":0,\"block\":{}},\"resource_schemas\":{\"box_a\":{\"version\":$1,\"block\":$2}}}}}"
}
changes() { # name, message, new version, old block, new block
    document 1 "$4" >old.json
    document "$3" "$5" >new.json
    wants "${status_wanted:-1}" "gate: $1" "$lifecheck" gate --old old.json --new new.json
    out_has "  box_a at $2" "  $2"
}
follows() { # what stored objects live with, as changes has it
    status_wanted=0 changes "$@"
    out_has "schema changes that break configurations, or drop what was stored" "  is distinguished"
    wants 1 "  with --strict it fails" "$lifecheck" gate --strict --old old.json --new new.json
}
a='{"attributes":{"n":{"type":"string","optional":true,"computed":true}}}'
follows "an attribute is removed" ".n: was string, is gone" 1 "$a" '{}'
changes "a type is changed" ".n: was string, is number" 1 "$a" '{"attributes":{"n":{"type":"number","optional":true,"computed":true}}}'
follows "optional to required" ".n: was optional, is required" 1 "$a" '{"attributes":{"n":{"type":"string","required":true}}}'
follows "no longer computed" ".n: was computed, is not" 1 "$a" '{"attributes":{"n":{"type":"string","optional":true}}}'
changes "the version goes back" ".: the schema version was 1, is 0" 0 "$a" "$a"
b='{"block_types":{"r":{"nesting_mode":"list","block":{"attributes":{"p":{"type":"number","optional":true}}}}}}'
follows "a nesting is changed" ".r: was a list block, is a set block" 1 "$b" "${b/list/set}"
follows "a block is removed" ".r: was a list block, is gone" 1 "$b" '{}'
follows "an attribute below is removed" ".r.p: was number, is gone" 1 "$b" '{"block_types":{"r":{"nesting_mode":"list","block":{}}}}'
changes "a block becomes an attribute" ".r: was a list block, is string" 1 "$b" '{"attributes":{"r":{"type":"string","optional":true}}}'
changes "a list becomes a map" ".r: was a list block, is a map block" 1 "$b" "${b/list/map}"
t() { echo "{\"attributes\":{\"n\":{\"type\":$1,\"optional\":true}}}"; }
follows "a number becomes text" ".n: was number, is string" 1 "$(t '"number"')" "$(t '"string"')"
follows "a list becomes a set" ".n: was list(list(bool)), is set(list(bool))" 1 "$(t '["list",["list","bool"]]')" "$(t '["set",["list","bool"]]')"
changes "elements of another type" ".n: was list(string), is set(number)" 1 "$(t '["list","string"]')" "$(t '["set","number"]')"
changes "a map becomes a list" ".n: was map(string), is list(string)" 1 "$(t '["map","string"]')" "$(t '["list","string"]')"
n='{"attributes":{"o":{"nested_type":{"nesting_mode":"single","attributes":{"p":{"type":"number","optional":true}}},"optional":true}}}'
changes "a nested attribute" ".o: was a nested attribute (single), is a nested attribute (list)" 1 "$n" "${n/single/list}"
document 1 "$a" >old.json
document 2 '{}' >new.json
wants 0 "gate: with a new version" "$lifecheck" gate --old old.json --new new.json
out_has "box_a: 1 with the new version 2: its upgrader must handle them" "its upgrader has to do it"
document 1 '{"attributes":{"m":{"type":"string","optional":true},"n":{"type":"string","optional":true,"computed":true}}}' >new.json
wants 0 "gate: a new attribute" "$lifecheck" gate --old old.json --new new.json
sed 's/box_a/box_b/' old.json >new.json
wants 1 "gate: a type is removed" "$lifecheck" gate --old old.json --new new.json
out_has "box_a: the resource type is gone" "is reported"
sed 's/port: {type: number/port: {type: string/' known.yaml >typed.yaml
wants 1 "gate: schemas in scenarios" "$lifecheck" gate --old typed.yaml --new known.yaml
out_has "box at .rule.port: was string, is number" "are compared too"

# ---- gate: JSON, and what is refused

wants 1 "gate --format json" "$lifecheck" gate --format json --old typed.yaml --new known.yaml
for text in '"lifecheck_gate":1,"passes":false' '"kind":"type-changed","path":".rule.port"' '"never_exercised":["no update of box recorded"' \
    '"call":"plan","cases":1,"judged":[' '"actions":{"no-op":0,"create":1'; do
    out_has "$text" "  $text"
done
if command -v jq >/dev/null; then
    jq -e . stdout >/dev/null
    result $? "is JSON"
else
    echo "ok - is JSON # SKIP jq is not installed"
fi
wants 3 "gate: an input that is not there" "$lifecheck" gate --old fault-none.jsonl --new nowhere.jsonl
err_has "--new: nowhere.jsonl: no such file" "is reported"
[ ! -s stdout ]
result $? "and no verdict given"
wants 3 "gate: nothing on one side" "$lifecheck" gate --old . --new fault-none.jsonl --input state
wants 2 "gate: one side" "$lifecheck" gate --new fault-none.jsonl
err_has "gate takes --old PATH and --new PATH" "is reported"
wants 2 "gate: a word" "$lifecheck" gate --old none.json --new none.json c

# ---- Forms that read what was stored, types that are gone, and what never comes to rest

declare_thing() { # ATTRIBUTES
    printf '{"format_version":"1.0","provider_schemas":{"registry.example.com/demo/demo":{"provider":{"version":0,"block":{}},"resource_schemas":{"demo_thing":{"version":0,"block":{"attributes":{%s}}}}}}}\n' "$1"
}
map='"search":{"type":["map","string"],"optional":true}'
nested() { printf '"search":{"optional":true,"nested_type":{"nesting_mode":"%s","attributes":{"key":{"type":"%s","optional":true},"value":{"type":"string","optional":true}}}}' "$1" "$2"; }
declare_thing "$map" >map.json
declare_thing "$(nested single string)" >single.json
declare_thing "$(nested single number)" >number.json
declare_thing "$(nested list string)" >list.json
wants 0 "gate: a map that becomes an object" "$lifecheck" gate --old map.json --new single.json
out_has "demo_thing at .search: was map(string), is a nested attribute (single)" "is reported"
out_has "0 breaking schema changes" "reads what was stored"
wants 1 "gate: and one that becomes an object of numbers" "$lifecheck" gate --old map.json --new number.json
out_has "1 breaking schema change" "does not"
wants 1 "gate: or a list of objects" "$lifecheck" gate --old map.json --new list.json
wants 0 "gate: an object that becomes a map" "$lifecheck" gate --old single.json --new map.json
wants 1 "gate: types that another recording does not declare" "$lifecheck" gate --old "$captures/time-update.jsonl" --new "$captures/random-replace.jsonl"
out_has "time_rotating: the resource type is gone" "are gone"
wants 0 "gate: types that are not exercised any more" "$lifecheck" gate --old "$captures/time-update.jsonl" --new "$captures/time-update.jsonl"
head='lifecheck: 1
resource: demo_thing.a
schema: {version: 0, block: {attributes: {name: {type: string, required: true}, revision: {type: number, computed: true}}}}
runs:
  - {config: {name: a}, prior_state: null, planned_state: {name: a, revision: !unknown }, new_state: {name: a, revision: 1}}'
printf '%s\n  - {config: {name: a}, prior_state: {name: a, revision: 1}, planned_state: {name: a, revision: 1}}\n' "$head" >rests.yaml
printf '%s\n  - {config: {name: a}, prior_state: {name: a, revision: 1}, planned_state: {name: a, revision: !unknown }}\n' "$head" >goes-on.yaml
wants 0 "gate: a version that never comes to rest" "$lifecheck" gate --old rests.yaml --new goes-on.yaml
out_has "demo_thing at .revision: sequence/perpetual-diff (1)" "is reported"
out_has "1 place changes again after every apply" "beside the verdict"
wants 1 "gate: and can be refused" "$lifecheck" gate --fail-on warning --old rests.yaml --new goes-on.yaml
run "$lifecheck" gate --old goes-on.yaml --new goes-on.yaml
! grep -q 'again after' stdout
result $? "which the old one did not do either"
run "$lifecheck" gate --old "$captures/time-update.jsonl" --new "$captures/aws-write-only-split.jsonl"
[ "$(grep -c 'replace/path-on-create at . of aws_secretsmanager_secret_version' stdout)" = 1 ] && [ "$(grep -c path-on-create stdout)" = 1 ]
result $? "gate: what is inherent to SDKv2 is one line of the type"
