#!/usr/bin/env bash
# lifecheck predict: the table with its reasons, a plan together with it, and which exit status.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v jq >/dev/null; then
    echo "ok - predict # SKIP jq is not installed"
    exit 0
fi

out_like() { # pattern, name
    grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

folder=$root/testdata/predict
schema=$root/testdata/schemas/demo-disk.json
wants 0 "a configuration and a state" "$lifecheck" predict --config "$folder" --prior-state "$folder/prior.json" --schema "$schema"
out_like 'demo_disk.boot is tainted, so must be replaced' "a tainted object that was moved"
out_like 'it was demo_disk.old before (moved at .*main.tf.json:16)' "the place of the setting"
out_like 'demo_disk.data\["big"\] will be replaced due to changes in replace_triggered_by' "a trigger"
out_like 'demo_disk.data\["gone"\] will be destroyed' "a key that is gone"
out_like 'demo_disk.gone will no longer be managed, but will not be destroyed' "a removed block"
out_like 'demo_disk.log\[0\] may stay as it is, be updated in-place or be replaced' "what the provider decides"
out_like 'module.disks\[2\].demo_disk.spare will be destroyed' "a module instance that is gone"
out_like '+ output.zone is added' "an output"
wants 0 "nothing stored" "$lifecheck" predict --config "$folder"
out_like 'module.disks\[1\].demo_disk.spare will be created' "all is created"
wants 0 "one file" "$lifecheck" predict --config "$folder/main.tf.json"
wants 0 "everything is destroyed" "$lifecheck" predict --config "$folder" --prior-state "$folder/prior.json" --mode destroy
out_like 'single-run: the options of this run ask for it (-destroy)' "and why"
wants 0 "a target" "$lifecheck" predict --config "$folder" --target module.disks --as terraform
! grep -q 'demo_disk.boot ' "$work/stdout"
result $? "others are left out"
wants 0 "as JSON" "$lifecheck" predict --config "$folder" --prior-state "$folder/prior.json" --format json
jq -e '.cases[0].predictions[] | select(.address == "demo_disk.gone") | .why.behavior == "configuration" and .why.setting == "removed"' "$work/stdout" >"$work/jq" 2>&1
result $? "a prediction of a report"
wants 0 "a variable" "$lifecheck" predict --config "$folder" --var 'sizes={"one": 1}'
out_like 'demo_disk.data\["one"\] will be created' "its value counts"

wants 0 "as HTML and as Markdown" "$lifecheck" predict --config "$folder" --prior-state "$folder/prior.json" --report html=predicted.html --report markdown=predicted.md
grep -q '<td data-c="object"><code>demo_disk.gone</code></td><td data-c="action"><code>. will no longer be managed, but will not be destroyed</code></td>' predicted.html
result $? "a row of the page"
grep -q 'configuration: it was demo_disk.old before (moved at .*main.tf.json:16)' predicted.html
result $? "with its reasons"
grep -qF '| `demo_disk.log[0]` | `? may stay as it is, be updated in-place or be replaced` |' predicted.md
result $? "what cannot be reported, in Markdown"
grep -q 'output zone: ' predicted.html && grep -q 'output zone: ' predicted.md
result $? "outputs"

wants 0 "a variable" "$lifecheck" predict --config "$folder" --var 'sizes={"one": 1}'
out_like 'demo_disk.data\["one"\] will be created' "its value counts"
wants 1 "a variable that is not declared" "$lifecheck" predict --config "$folder" --var 'other=1'
out_has "the client fails: Value for undeclared variable: other" "is refused"
wants 1 "a value that is not an expression" "$lifecheck" predict --config "$folder" --var 'sizes={"one"'
out_has "the client fails: " "is refused"
wants 1 "a value that is not constant" "$lifecheck" predict --config "$folder" --var 'sizes={one=upper("a")}'
out_has "the client fails: Function calls not allowed: sizes" "is refused"
wants 1 "a value that does not fit" "$lifecheck" predict --config "$folder" --var 'sizes=["a"]'
out_has "the client fails: Invalid value for input variable" "is refused"
wants 1 "a variable without an equals sign" "$lifecheck" predict --config "$folder" --var sizes
out_has "the client fails: Invalid -var option" "is refused"
echo '{"sizes": {"two": 2}, "other": 1}' >values.json
wants 0 "a file of values" "$lifecheck" predict --config "$folder" --var-file values.json
out_like 'demo_disk.data\["two"\] will be created' "counts, and may hold more"
printf '# values\nsizes = {\n  four = 4\n}\n' >values.tfvars
wants 0 "a file of values in native syntax" "$lifecheck" predict --config "$folder" --var-file values.tfvars
out_like 'demo_disk.data\["four"\] will be created' "counts too"
printf 'sizes = {four = var.x}\n' >values.tfvars
wants 1 "a value that refers to something" "$lifecheck" predict --config "$folder" --var-file values.tfvars
out_has "the client fails: Variables not allowed: sizes (values.tfvars:1)" "is refused, with its place"
printf 'variable "sizes" {\n}\n' >values.tfvars
wants 1 "a declaration among values" "$lifecheck" predict --config "$folder" --var-file values.tfvars
out_has "the client fails: Variable declaration in .tfvars file: sizes (values.tfvars:1)" "is refused"
printf 'sizes = {\n' >values.tfvars
wants 3 "values that are not values" "$lifecheck" predict --config "$folder" --var-file values.tfvars
wants 0 "a file and an option" "$lifecheck" predict --config "$folder" --var-file values.json --var 'sizes={"one": 1}'
out_like 'demo_disk.data\["one"\] will be created' "the option wins"
wants 3 "a file that is not there" "$lifecheck" predict --config "$folder" --var-file nowhere.json
TF_VAR_sizes='{"three": 3}' TF_VAR_other=1 wants 0 "the environment" "$lifecheck" predict --config "$folder" --var-environment
out_like 'demo_disk.data\["three"\] will be created' "counts if one says so"
TF_VAR_sizes='{"three": 3}' wants 0 "the environment" "$lifecheck" predict --config "$folder"
grep -q 'three' "$work/stdout" && result 1 "else it does not" || result 0 "else it does not"

cat >plan.json <<'EOF'
{"format_version": "1.2", "terraform_version": "1.12.5", "planned_values": {"root_module": {"resources": [
  {"address": "demo_disk.a", "mode": "managed", "type": "demo_disk", "name": "a", "provider_name": "example.test/demo/demo",
   "schema_version": 0, "values": {"id": "d-1", "size": 1, "zone": null}, "sensitive_values": {}}]}},
 "resource_changes": [{"address": "demo_disk.a", "mode": "managed", "type": "demo_disk", "name": "a",
  "provider_name": "example.test/demo/demo", "change": {"actions": ["no-op"], "before": {"id": "d-1", "size": 1, "zone": null},
  "after": {"id": "d-1", "size": 1, "zone": null}, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
 "prior_state": {"format_version": "1.0", "terraform_version": "1.12.5", "values": {"root_module": {"resources": [
  {"address": "demo_disk.a", "mode": "managed", "type": "demo_disk", "name": "a", "provider_name": "example.test/demo/demo",
   "schema_version": 0, "values": {"id": "d-1", "size": 1, "zone": null}, "sensitive_values": {}}]}}},
 "configuration": {"provider_config": {"demo": {"name": "demo", "full_name": "example.test/demo/demo"}}, "root_module": {"resources": [
  {"address": "demo_disk.a", "mode": "managed", "type": "demo_disk", "name": "a", "provider_config_key": "demo", "schema_version": 0}]}},
 "errored": false}
EOF
mkdir same more
echo '{"resource": {"demo_disk": {"a": {"size": 1}}}}' >same/main.tf.json
echo '{"resource": {"demo_disk": {"a": {"size": 1}, "b": {"size": 1}}}}' >more/main.tf.json
wants 0 "a plan that is as predicted" "$lifecheck" predict --config same plan.json
wants 0 "a plan that lacks an object, and may have been made for others" "$lifecheck" predict -v --config more plan.json
out_like 'needs options: .*run/expected-action' "asks for the options"
sed 's/^ "errored": false/ "errored": false, "complete": true, "applyable": true/' plan.json >whole.json
wants 1 "a plan that lacks an object, and says that it is complete" "$lifecheck" predict --config more whole.json
out_finds "it is reported" 'error[run/expected-action]:' '   demo_disk.b'
echo '{"resource": {"demo_disk": {"a": {"size": "${data.demo_zone.z.n}"}, "n": {"count": "${data.demo_zone.z.n}"}}}, "data": {"demo_zone": {"z": {}}}}' >more/main.tf.json
wants 0 "what is not static" "$lifecheck" predict --config more
out_like 'demo_disk.n  undecided instances: .*(more/main.tf.json:1)' "its place"
echo '{"variable": {"n": {}}, "resource": {"demo_disk": {"a": {"count": "${var.n}", "size": 1}}}}' >more/main.tf.json
wants 1 "a variable without a value" "$lifecheck" predict --config more
out_has "the client fails: No value for required variable: n (more/main.tf.json:1)" "is refused"
wants 0 "a variable without a value" "$lifecheck" predict --config more --open-variables
out_like 'demo_disk.a  undecided instances: the variable has no value' "is not known if one says so"
jq '.variables = {n: {value: "2"}}' plan.json >variables.json
run "$lifecheck" predict --config more variables.json --format json
jq -e '.cases[0].foreseen[] | select(.address == "demo_disk.a[1]").possible == [["create"]]' "$work/stdout" >"$work/jq" 2>&1
result $? "the plan has its value"
echo '{"n": 3}' >more/terraform.tfvars.json
wants 0 "a variable in a file" "$lifecheck" predict --config more
out_like 'demo_disk.a\[2\] will be created' "has its value"
cat >folder.yaml <<'EOF'
lifecheck: 1
name: variables of a folder
planning:
  config_dir: more
  expect:
    demo_disk.a[2]: {actions: create}
EOF
wants 0 "a scenario that names the folder" "$lifecheck" folder.yaml
sed -i 's/^  expect:/  variables: {n: 4}\n&/; s/a\[2\]/a[3]/' folder.yaml
wants 0 "and a value of its own, which counts" "$lifecheck" folder.yaml
rm more/terraform.tfvars.json
jq '.configuration.root_module.resources += [.configuration.root_module.resources[0] | .address = "terraform_data.b" | .name = "b" | .count_expression = {constant_value: 1}]' "$root/testdata/runs/create-plain-terraform.plan.json" >other.json
echo '{"resource": {"terraform_data": {"a": {"input": "x"}}}}' >more/main.tf.json
wants 1 "a plan whose own configuration has more" "$lifecheck" predict other.json
wants 0 "the configuration beside it counts" "$lifecheck" predict --config more other.json
wants 3 "a folder that is not there" "$lifecheck" predict --config nowhere
mkdir -p native
wants 3 "a folder without a configuration" "$lifecheck" predict --config native
out_has "native: error: no configuration is in this folder" "is reported"
echo 'resource "demo_disk" "a" { size = 1 }' >native/main.tf
wants 0 "a configuration in native syntax" "$lifecheck" predict --config native
out_like 'demo_disk.a will be created' "is read"
wants 2 "no configuration" "$lifecheck" predict
wants 2 "no address" "$lifecheck" predict --config same --replace 'demo disk'

# A plan alone: its actions as they are, and why.
alone=$folder/alone.plan.json
wants 0 "a plan alone" "$lifecheck" predict "$alone"
! grep -q '^demo_disk.a\[0\]' "$work/stdout"
result $? "what stays as it is is not reported"
out_like 'demo_disk.a\[2\] will be destroyed' "a key beyond a count that is a variable"
out_like 'demo_disk.c\[1\] will be created' "a key that only the plan has"
out_like 'module.disks\[0\].demo_disk.spare\[1\] will be created' "a count that is passed to a module"
out_like 'data.demo_zone.z\[0\] will be read during apply' "a read that waits"
out_like 'reasons come from the plan only' "what it does not hold is said"
wants 0 "a plan alone, as JSON" "$lifecheck" predict "$alone" --format json
jq -e '.cases[0].predictions | length == 13 and any(.address == "demo_disk.gone" and .reason == "delete_because_no_resource_config")' "$work/stdout" >"$work/jq" 2>&1
result $? "its predictions"

found=
for plan in "$root"/testdata/runs/*.plan.json; do
    "$lifecheck" predict "$plan" --format json 2>stderr | jq -e '[.cases[].findings[]] == []' >jq.out || found="$found $plan"
done
[ -z "$found" ]
result $? "plans of real clients are as predicted$found"

edited() { # rule and address, plan, edit
    jq "def drop(a): .resource_changes |= map(select(.address != a)) |
            .planned_values.root_module |= walk(if type == \"object\" and has(\"resources\") then .resources |= map(select(.address != a)) else . end);
        def entry(a): .resource_changes[] | select(.address == a);
        def copy(a; b; i): .resource_changes |= map(., (select(.address == a) | .address = b | .index = i)) |
            .planned_values.root_module.resources |= map(., (select(.address == a) | .address = b | .index = i));
        $3" "$2" >edited.plan.json
    "$lifecheck" predict edited.plan.json --format json >stdout 2>stderr
    jq -r '.cases[].findings[] | "\(.rule) \(.address)"' stdout | sort | paste -sd, >rules
    [ "$(cat rules)" = "$1" ]
    result $? "${3//$'\n'/ }: ${1:-nothing}, found: $(cat rules)"
}
edited 'run/count-keys demo_disk.a[1]' "$alone" 'drop("demo_disk.a[1]")'
edited 'run/count-keys demo_disk.a[7]' "$alone" 'copy("demo_disk.a[1]"; "demo_disk.a[7]"; 7)'
edited 'run/no-module demo_disk.a[2]' "$alone" '(entry("demo_disk.a[2]")).action_reason = "delete_because_no_module"'
edited 'run/expected-reason demo_disk.a[2]' "$alone" 'del((entry("demo_disk.a[2]")).action_reason)'
edited 'run/each-keys demo_disk.b["y"]' "$alone" 'drop("demo_disk.b[\"y\"]")'
edited 'run/each-keys demo_disk.b["q"]' "$alone" 'copy("demo_disk.b[\"y\"]"; "demo_disk.b[\"q\"]"; "q")'
edited 'run/each-keys demo_disk.b["x"]' "$alone" '(entry("demo_disk.b[\"x\"]")) |= (.action_reason = "delete_because_each_key" | .change += {actions: ["delete"], after: null, after_sensitive: false}) | .planned_values.root_module.resources |= map(select(.address != "demo_disk.b[\"x\"]"))'
edited 'run/count-keys demo_disk.c[2]' "$alone" 'copy("demo_disk.c[1]"; "demo_disk.c[3]"; 3)'
edited 'run/expected-action demo_disk.d' "$alone" 'drop("demo_disk.d")'
edited 'data/read-early data.demo_zone.z[0]' "$alone" 'drop("data.demo_zone.z[0]")'
edited 'run/count-keys module.disks[0].demo_disk.spare[1]' "$alone" 'drop("module.disks[0].demo_disk.spare[1]")'
edited 'run/expected-action terraform_data.a["k"]' "$root/testdata/runs/create-plain-terraform.plan.json" 'copy("terraform_data.a"; "terraform_data.a[\"k\"]"; "k")'
edited 'run/no-module module.m[1].terraform_data.z' "$root/testdata/runs/delete-module-count-opentofu.plan.json" '(entry("module.m[1].terraform_data.z")).action_reason = "delete_because_wrong_repetition"'
edited 'run/expected-reason terraform_data.b' "$root/testdata/runs/destroy-terraform.plan.json" '.configuration.root_module.resources = [] | (entry("terraform_data.a")).action_reason = "delete_because_no_resource_config"'
edited 'data/read-late data.demo_zone.z[0]' "$alone" 'def keep: map(select(.address == "data.demo_zone.z[0]" or .address == "demo_disk.c[0]"));
    .resource_changes |= keep | .planned_values.root_module |= {resources: (.resources | keep)} | .prior_state.values.root_module.resources |= keep |
    .configuration.root_module |= (del(.module_calls) | .resources |= map(select(.name == "c" or .name == "z")))'
edited 'run/instance-unplanned terraform_data.a' "$root/testdata/runs/destroy-terraform.plan.json" 'drop("terraform_data.a")'
# What a plan does not hold, or may hold otherwise, is not a finding.
edited '' "$alone" '(entry("demo_disk.gone")) |= (.change.actions = ["forget"]) | .planned_values.root_module.resources += [{address: "demo_disk.gone", mode: "managed", type: "demo_disk", name: "gone", provider_name: "example.test/demo/demo", schema_version: 0, sensitive_values: false}]'
edited '' "$alone" 'del(.configuration.root_module.resources[0].count_expression.constant_value) | drop("demo_disk.a[1]") | (entry("demo_disk.a[2]")).action_reason = "delete_because_count_index"'
edited '' "$alone" 'del(.configuration.root_module.resources[1].for_each_expression) | drop("demo_disk.b[\"y\"]") | drop("data.demo_zone.z[0]")'
edited '' "$alone" 'del(.configuration.root_module.resources[3].expressions.zone.references) | drop("demo_disk.d")'
edited '' "$alone" '.complete = false | drop("demo_disk.d") | drop("demo_disk.a[1]")'
edited '' "$alone" '.variables.n.value = null | drop("demo_disk.a[1]") | drop("module.disks[0].demo_disk.spare[1]")'
edited '' "$alone" 'del(.configuration.root_module.module_calls.disks.count_expression.constant_value) | drop("module.disks[0].demo_disk.spare[1]")'
edited '' "$alone" '.configuration.root_module.resources[0].count_expression.constant_value = "many" | drop("demo_disk.a[1]")'
edited '' "$alone" '.format_version = "1.1" | del((entry("demo_disk.a[2]")).action_reason)'

# Bounds: what is not looked at is said, and many instances that refer to many others cost no pairs.
echo '{"resource":{"demo_disk":{"r":{"count":1000000000}}}}' >many.tf.json
wants 0 "a count beyond all bounds" "$lifecheck" predict --config many.tf.json
out_has "demo_disk.r  undecided instances: there are more instances than the limit" "is said not to be looked at"
echo '{"resource":{"demo_disk":{"r":{"count":30000},"s":{"count":"${length(demo_disk.r)}"}}}}' >pairs.tf.json
(ulimit -v 4000000 && "$lifecheck" predict --config pairs.tf.json >stdout 2>stderr)
[ $? = 0 ] && [ "$(grep -c ' will be created$' stdout)" = 60000 ]
result $? "30,000 instances that refer to 30,000 others"

# ---- A destroy plan whose refresh stops, while something is open

cat >broken.json <<'EOF'
{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "b",
 "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"schema_version": 0, "attributes": {"id": "x", "input": null, "output": null, "triggers_replace": null}}]}]}
EOF
two='"terraform_data": {"a": {}, "b": {}}'
moved='"moved": [{"from": "terraform_data.a", "to": "terraform_data.b"}]'
# shellcheck disable=SC2016
open='"variable": {"n": {}}, "resource": {"null_resource": {"c": {"count": "${var.n}"}}'
stops() { # summary, members of the configuration, option...
    local summary=$1
    echo "{$2}" >broken/main.tf.json
    shift 2
    for mode in normal destroy refresh-only; do
        wants 1 "$summary, $mode" "$lifecheck" predict --mode $mode --config broken --prior-state broken.json --format json "$@"
        grep -q "\"summary\":\"$summary\"" "$work/stdout" && grep -q "\"mode\":\"$mode\",\"state\":\"failed\"" "$work/stdout"
        result $? "is reported for that mode"
    done
}
mkdir broken
stops "Moved object still exists" "\"module\": {\"m\": {\"source\": \"hashicorp/consul/aws\"}}, \"resource\": {$two}, $moved"
stops "Moved object still exists" "$open, $two}, $moved" --open-variables
stops "Invalid count argument" "$open, \"terraform_data\": {\"a\": {\"count\": -1}, \"b\": {}}}" --open-variables

# ---- A plan together with the configuration it was made of: values of variables, types, and options

made() { # type, name, stored input, planned action, further members -> made.json
    local after='{"id": "1", "input": '$3', "output": '$3', "triggers_replace": null}'
    local change='"before": '$after', "after": '$after', "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}'
    case $4 in *delete*) change='"before": '$after', "after": null, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": false' ;; esac
    local object='"address": "'$1.$2'", "mode": "managed", "type": "'$1'", "name": "'$2'", "provider_name": "terraform.io/builtin/terraform"'
    local stored="{\"resources\": [{$object, \"schema_version\": 0, \"values\": $after, \"sensitive_values\": {}}]}" planned
    planned=$stored
    case $4 in *delete*) planned='{}' ;; esac
    echo "{\"format_version\": \"1.2\", \"terraform_version\": \"1.11.4\", \"planned_values\": {\"root_module\": $planned},
      \"resource_changes\": [{$object, \"change\": {\"actions\": [\"$4\"], $change}}],
      \"prior_state\": {\"format_version\": \"1.0\", \"terraform_version\": \"1.11.4\", \"values\": {\"root_module\": $stored}},
      \"configuration\": {\"root_module\": {\"resources\": [{$object, \"schema_version\": 0}]}}, \"errored\": false, \"applyable\": $([ "$4" = no-op ] && echo false || echo true), $5}" >made.json
}
of() { # body of terraform_data.a
    printf 'variable "n" {\n  default = 5\n}\nvariable "ports" {\n  type    = list(number)\n  default = [80]\n}\nresource "terraform_data" "a" {\n  %s\n}\n' "$1" >made/main.tf
}
mkdir made
whole='"complete": true'
for input in 'var.ports' 'toset([80])' '[80]'; do
    of "input = $input"
    made terraform_data a '[80]' no-op "$whole"
    wants 0 "a value whose type the plan does not show: $input" "$lifecheck" predict --as terraform --config made made.json
    made terraform_data a '[80]' update "$whole"
    wants 0 "its type alone may change: $input" "$lifecheck" predict --as terraform --config made made.json
done
of 'input = [81]'
made terraform_data a '[80]' no-op "$whole"
wants 1 "a value that differs whatever its type" "$lifecheck" predict --as terraform --config made made.json
out_finds "is reported" 'error[run/expected-action]:' '   terraform_data.a'
of 'input = { a = var.ports, b = "${timestamp()}" }'
made terraform_data a '{"a": [80], "b": "x"}' no-op "$whole"
wants 1 "a part that differs for certain" "$lifecheck" predict --as terraform --config made made.json

of 'input = var.n'
echo 'n = 1' >made/terraform.tfvars
echo 'n = 3' >made/a.auto.tfvars
made terraform_data a 2 no-op "$whole, \"variables\": {\"n\": {\"value\": 2}, \"ports\": {\"value\": [80]}}"
wants 0 "values of variables are those of the plan, not of files" "$lifecheck" predict --as terraform --config made made.json
wants 0 "nor of the environment" env TF_VAR_n=4 TF_VAR_ports=nonsense "$lifecheck" predict --var-environment --as terraform --config made made.json
wants 0 "an option that says the same" "$lifecheck" predict --as terraform --config made made.json --var n=2
! grep -q 'another value of the variable' "$work/stdout" "$work/stderr"
result $? "is not a contradiction"
wants 0 "an option that says something else" "$lifecheck" predict --as terraform --config made made.json --var n=6
grep -q 'warning: the plan was made with another value of the variable n than the options give' "$work/stdout" "$work/stderr"
result $? "is reported"
made terraform_data a 3 no-op "$whole"
wants 0 "what the plan does not hold comes from files" "$lifecheck" predict --as terraform --config made made.json
rm made/*.tfvars

of 'input = 1'
echo 'resource "terraform_data" "b" {}' >>made/main.tf
part='"complete": false'
made terraform_data a 1 no-op "$part"
wants 0 "a plan that leaves something out" "$lifecheck" predict -v --as terraform --config made made.json
out_like 'needs options: .*run/expected-action' "asks for the options"
wants 1 "options that it was not made with" "$lifecheck" predict --as terraform --config made made.json --target terraform_data.b
made terraform_data a 1 delete "$part"
wants 0 "a destroy plan for a target" "$lifecheck" predict --as terraform --config made made.json --format json
grep -q '"mode":"destroy"' "$work/stdout"
result $? "is recognised"
wants 0 "with its options it is compared" "$lifecheck" predict --as terraform --config made made.json --mode destroy --target terraform_data.a

# ---- removed blocks that destroy, and prevent_destroy of an object whose action is open

mkdir ends
cat >ends/main.tf <<'EOF'
variable "x" {}
removed {
  from = terraform_data.gone
  lifecycle {
    destroy = true
  }
}
resource "terraform_data" "p" {
  triggers_replace = var.x
  lifecycle {
    prevent_destroy = true
  }
}
EOF
stored() {
    printf '{"mode": "managed", "type": "terraform_data", "name": "%s", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": [{"schema_version": 0, "attributes": {"id": "i", "input": null, "output": null, "triggers_replace": null}}]}' "$1"
}
echo '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": ['"$(stored gone), $(stored p)"']}' >ends.json
wants 0 "what a removed block destroys" "$lifecheck" predict --as terraform --open-variables --config ends --prior-state ends.json
out_has 'configuration: a removed block destroys it (removed at ends/main.tf:2)' "names the block"
out_has 'configuration: the client stops if it is to be replaced (lifecycle.prevent_destroy at ends/main.tf:11)' "prevent_destroy is noted where a replace is possible"
wants 0 "in JSON" "$lifecheck" predict --as terraform --open-variables --config ends --prior-state ends.json --format json
grep -q '"prevents":{[^}]*"line":11' "$work/stdout"
result $? "it is a member of the object"
sed -i 's/prevent_destroy = true/prevent_destroy = false/' ends/main.tf
wants 0 "a prevent_destroy that is false" "$lifecheck" predict --as terraform --open-variables --config ends --prior-state ends.json
! grep -q 'the client stops if' "$work/stdout"
result $? "is not noted"
