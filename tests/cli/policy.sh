#!/usr/bin/env bash
# Policies of lifecheck predict: --forbid, --allow, --require-firm, and their exit statuses.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

folder=$root/testdata/predict
predict() { "$lifecheck" predict --config "$folder" --prior-state "$folder/prior.json" --format concise "$@"; }
found() { # rules and addresses, name
    local got
    got=$(sed -n 's/^[^[]*\[\(run\/[a-z-]*\)\] \([^ ]*\): .*/\1 \2/p' "$work/stdout" | sort | tr '\n' ';')
    [ "$got" = "$1" ] || echo "# $got"
    [ "$got" = "$1" ]
    result $? "$2"
}
wants_policy() { # status, name, found, options...
    local status=$1 name=$2 want=$3
    shift 3
    wants "$status" "$name" predict "$@"
    found "$want" "... finds what it should"
}

wants_policy 1 "a type, in any module" "run/forbidden demo_disk.boot;run/forbidden demo_disk.data[\"big\"];run/may-be-forbidden demo_disk.log[0];run/may-be-forbidden module.disks[0].demo_disk.spare;" --forbid 'replace:demo_*'
wants_policy 1 "the root module alone" "run/forbidden demo_disk.data[\"gone\"];run/policy-idle demo_disk.boot;" --forbid 'delete:demo_disk.*'
wants_policy 0 "an exception" "run/policy-idle demo_disk.boot;" --forbid 'delete:demo_disk.*' --allow 'delete:demo_disk.data["gone"]'
wants_policy 0 "the exception first" "run/policy-idle demo_disk.boot;" --allow 'delete:demo_disk.data["g*"]' --forbid 'delete:demo_disk.*'
wants_policy 1 "an exception for another action" "run/forbidden demo_disk.data[\"gone\"];run/policy-idle demo_disk.boot;run/policy-unmatched ;" --forbid 'delete:demo_disk.*' --allow 'update:demo_disk.d'
wants_policy 1 "two policies" "run/forbidden demo_disk.boot;run/forbidden demo_disk.gone;" --forbid replace:demo_disk.boot --forbid forget
wants_policy 1 "what destroys" "run/forbidden demo_disk.boot;run/forbidden demo_disk.data[\"big\"];run/forbidden demo_disk.data[\"gone\"];run/forbidden module.disks[2].demo_disk.spare;run/may-be-forbidden demo_disk.log[0];run/may-be-forbidden module.disks[0].demo_disk.spare;" --forbid destroy
wants_policy 0 "what only may happen" "run/may-be-forbidden demo_disk.log[0];" --forbid 'replace:demo_disk.log'
wants_policy 1 "... with --strict" "run/may-be-forbidden demo_disk.log[0];" --forbid 'replace:demo_disk.log' --strict --ignore run/removed-default
wants_policy 1 "allowed alone" "run/forbidden demo_disk.gone;run/may-be-forbidden demo_disk.log[0];run/may-be-forbidden module.disks[0].demo_disk.spare;" --allow create,update,delete --allow 'replace:demo_disk.boot' --allow 'replace:demo_disk.data'
wants_policy 1 "a policy without an object" "run/policy-unmatched ;" --forbid 'delete:demo_disc'
out_has "error[run/policy-unmatched]" "which is an error"
wants_policy 1 "an exception without an object" "run/policy-unmatched ;" --forbid 'forget:demo_disk.boot' --allow 'forget:demo_disc'
wants_policy 0 "... in a list that others use, too" "" --forbid 'delete:demo_disc' --ignore run/policy-unmatched
wants_policy 0 "a replace where only deletes are forbidden" "run/policy-idle demo_disk.boot;" --forbid 'delete:demo_disk.boot'
out_has "demo_disk.boot is replaced, which deletes it as well: \`destroy\` would match" "is pointed out"
wants_policy 1 "all must be firm" "run/not-firm demo_disk.log[0];run/not-firm module.disks[0].demo_disk.spare;" --require-firm
wants_policy 1 "some must be firm" "run/not-firm demo_disk.log[0];" "--require-firm=demo_disk.*"
wants_policy 0 "firm ones" "" --require-firm=demo_disk.boot --require-firm='demo_disk.data[*]'
wants_policy 0 "ignored" "run/policy-idle demo_disk.boot;" --forbid 'delete:demo_disk.*' --ignore run/forbidden

mkdir -p empty state open
echo '{}' >empty/main.tf.json
wants 1 "nothing is predicted" "$lifecheck" predict --config empty --require-firm
out_has "nothing is predicted" "and says so"
wants 3 "no state" "$lifecheck" predict --config "$folder" --forbid 'replace,delete:demo_*' --format concise
out_has "no state was read" "and says so"
wants 0 "no state, on purpose" "$lifecheck" predict --config "$folder" --forbid 'replace,delete:demo_*' --format concise --allow-empty
wants 0 "a folder without an option" "$lifecheck" predict "$folder"
out_has "no state was read: every object is new (--prior-state terraform.tfstate?)" "whose objects are all new"
wants 0 "a folder with a state" "$lifecheck" predict "$folder" --prior-state "$folder/prior.json"
! grep -q "no state was read" "$work/stdout"
result $? "has other objects"
cat >open/main.tf.json <<'JSON'
{"data": {"demo_zone": {"z": {}}},
 "resource": {"demo_db": {"a": {"for_each": "${toset(data.demo_zone.z.names)}"}, "b": {}}}}
JSON
wants 3 "a block whose instances are open, and no state" "$lifecheck" predict --config open --forbid 'delete:demo_db.a["x"]' --format concise
out_has "main.tf.json:" "has a place"
out_has "warning[run/may-be-forbidden] demo_db.a: demo_db.a: its instances are not known" "could have one that is forbidden"
wants 3 "another block" "$lifecheck" predict --config open --forbid 'update:demo_db.b' --format concise
! grep -q may-be-forbidden "$work/stdout"
result $? "is not concerned"

echo "{forbid: ['delete:demo_disk.data'], allow: ['*:demo_disk.boot'], require-firm: [demo_disk.log]}" >settings.yaml
wants 1 "from a settings file" predict --settings settings.yaml
found "run/forbidden demo_disk.data[\"gone\"];run/not-firm demo_disk.log[0];run/policy-idle demo_disk.data[\"big\"];" "lists"

wants 2 "no such action" predict --forbid 'destory:demo_disk'
err_has 'takes a policy, not "destory:demo_disk": "destory" is not an action; these are: no-op, create' "and lists the actions"
wants 2 "no action" predict --forbid ':demo_disk'
wants 2 "an action too many" predict --forbid 'delete,'
wants 2 "no pattern" predict --forbid 'delete:'
err_has "a name is expected here, at character 1 of the pattern" "and where"
wants 2 "a pattern that is none" predict --allow 'delete:a.b.c'
wants 2 "no argument" predict --forbid
wants 2 "a pattern for firmness" predict --require-firm=a..b

for format in json sarif junit tap github markdown html; do
    predict --forbid 'delete:demo_disk.*' --format $format >report.$format 2>/dev/null
    [ $? = 1 ] && grep -q "forbid" report.$format
    result $? "a finding as $format"
done

# ---- What rests on an assumption about data sources counts as open

mkdir -p data
cat >data/main.tf <<'EOF'
data "demo_image" "i" {
  name = "i"
}
resource "terraform_data" "n" {
  for_each = toset(split(",", data.demo_image.i.list))
}
resource "terraform_data" "input" {
  input = data.demo_image.i.list
}
resource "terraform_data" "new" {
  input = data.demo_image.i.list
}
resource "terraform_data" "plain" {
}
resource "terraform_data" "none" {
  count = data.demo_image.i.list == "" ? 1 : 0
}
EOF
cat >demo.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"data_source_schemas": {"demo_image": {"version": 0,
 "block": {"attributes": {"name": {"type": "string", "required": true}, "list": {"type": "string", "computed": true}}}}}}}}
EOF
stored() { # name, index key, input
    printf ', {"mode": "managed", "type": "terraform_data", "name": "%s", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": [{%s"schema_version": 0, "attributes": {"id": "x", "input": %s, "output": %s, "triggers_replace": null}}]}' "$1" "${2:+\"index_key\": \"$2\", }" "$3" "$3"
}
{ printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [{"mode": "data", "type": "demo_image", "name": "i", "provider": "provider[\\"example.test/demo/demo\\"]", "instances": [{"schema_version": 0, "attributes": {"name": "i", "list": "a"}}]}'
    stored n a null && stored input "" '{"value": "a", "type": "string"}' && stored plain "" null && echo ']}'; } >data.json
rests() { "$lifecheck" predict --config data --prior-state data.json --schema demo.json --format concise "$@"; }
wants_rests() { # status, name, found, options...
    local status=$1 name=$2 want=$3
    shift 3
    wants "$status" "$name" rests "$@"
    found "$want" "... finds what it should"
}
wants 0 "an assumption about data sources" rests --format text
grep -q 'unchanged: .*terraform_data.n\["a"\]' "$work/stdout"
result $? "the assumed action is the answer"
out_has "4 objects: 4 firm (1 created, 3 unchanged), 0 undecided; 2 objects rest on an assumption about data sources" "the summary counts what rests on it"
out_has "1 conforms as far as it is known" "which is not all that there is to know"
wants_rests 0 "what the data source may delete" 'run/may-be-forbidden terraform_data.n["a"];' --forbid destroy
wants_rests 1 "... with --strict" 'run/may-be-forbidden terraform_data.n["a"];' --forbid destroy --strict
wants_rests 0 "... if the state is trusted" "" --forbid destroy --strict --trust-state
wants_rests 0 "what it may create" "run/may-be-forbidden terraform_data.none;" --forbid create:terraform_data.none
wants_rests 1 "a create that happens in any case" "run/forbidden terraform_data.new;" --forbid create:terraform_data.new
wants_rests 0 "permissions" 'run/may-be-forbidden terraform_data.n["a"];' --allow create,update
wants_rests 0 "an input never replaces" "" --forbid destroy:terraform_data.input
wants_rests 1 "what must be firm" 'run/not-firm terraform_data.input;run/not-firm terraform_data.n;run/not-firm terraform_data.n["a"];run/not-firm terraform_data.none;' --require-firm
wants_rests 0 "... is firm in a state that is trusted" "" --require-firm --trust-state
wants_rests 0 "what does not rest on it" "" --require-firm=terraform_data.plain --require-firm=terraform_data.new
wants 0 "a state that is trusted" rests --trust-state
! grep -q "rest on an assumption" "$work/stdout"
result $? "has no note"
cat >rests.yaml <<'EOF'
lifecheck: 1
planning:
  config_dir: data
  state_file: data.json
  schemas: [demo.json]
  expect: {'terraform_data.n["a"]': {actions: no-op}, terraform_data.new: {actions: create}}
EOF
wants 3 "an expectation of what rests on it" "$lifecheck" rests.yaml
out_has 'terraform_data.n["a"]: not checked' "is not checked"
sed -i '/expect:/s/{.*/{terraform_data.new: {actions: create}}/' rests.yaml
wants 0 "an expectation of what does not" "$lifecheck" rests.yaml

# ---- A client that stops at what the case states: nothing of the provider is checked.

refused='lifecheck: 1\nresource: demo_disk.a\nschema: {block: {attributes: {o: {type: string, required: true}}}}\nconfig: {}\n'
sound='lifecheck: 1\nresource: demo_disk.b\nschema: {block: {attributes: {o: {type: string, optional: true}}}}\nprior_state: null\nconfig: {o: a}\nplanned_state: {o: a}\n'
printf '%b' "$refused" >refused.yaml
printf '%b---\n%b' "$refused" "$sound" >beside.yaml
for options in "" "--fail-on warning" "--as terraform" "--as opentofu"; do
    # shellcheck disable=SC2086 # words
    wants 3 "both clients refuse the configuration $options" "$lifecheck" $options refused.yaml
    out_has "1 case: 1 not checked" "it does not conform $options"
    # shellcheck disable=SC2086 # words
    wants 3 "beside a case that conforms $options" "$lifecheck" $options beside.yaml
    out_has "2 cases: 1 conforms, 1 not checked" "both are counted $options"
done
wants 1 "--strict: an error" "$lifecheck" --strict refused.yaml
wants 0 "a rule that is ignored" "$lifecheck" --ignore config/required-missing beside.yaml
{ cat refused.yaml && echo 'expect: {findings: [{rule: config/required-missing, path: .o}]}'; } >expected.yaml
wants 0 "a scenario that expects it" "$lifecheck" expected.yaml
run "$lifecheck" --format json beside.yaml
cp stdout beside.json
run "$lifecheck" merge beside.json beside.json
[ "$status" = 3 ]
result $? "merge: the same"
