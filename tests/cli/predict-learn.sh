#!/usr/bin/env bash
# lifecheck predict --learn: what plans, scenarios and recordings show of a type.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

out_like() { # pattern, name
    grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

out_unlike() { # pattern, name
    ! grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

provider=example.test/demo/demo
cat >schema.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"resource_schemas": {"demo_disk": {"version": 1, "block": {
 "attributes": {"id": {"type": "string", "computed": true}, "size": {"type": "number", "optional": true}, "zone": {"type": "string", "optional": true},
  "tags": {"type": ["map", "string"], "optional": true}}}}}}}}
EOF
mkdir config
cat >config/main.tf.json <<'EOF'
{"resource": {"demo_disk": {"same": {"size": 1}, "moved": {"size": 1, "zone": "b"}, "grown": {"size": 2}, "tagged": {"size": 1, "tags": {"a": "2"}},
  "both": {"size": 2, "zone": "b"}}}}
EOF
object() { printf '{"mode": "managed", "type": "demo_disk", "name": "%s", "provider": "provider[\\"%s\\"]", "instances": [{"schema_version": 1, "attributes": {"id": "1", "size": 1, "zone": null, "tags": {"a": "1"}}}]}' "$1" "$provider"; }
printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [%s, %s, %s, %s, %s]}' \
    "$(object same)" "$(object moved)" "$(object grown)" "$(object tagged)" "$(object both)" | sed 's/{"a": "1"}/null/g' >prior.json

# ---- A plan

entry() { # name, actions, before, after, more
    printf '{"address": "demo_disk.%s", "mode": "managed", "type": "demo_disk", "name": "%s", "provider_name": "%s", "change": {"actions": %s, "before": %s, "after": %s, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}%s}}' \
        "$1" "$1" "$provider" "$2" "$3" "$4" "${5-}"
}
plan() { printf '{"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [%s]}' "$1"; }
plan "$(entry a '["delete","create"]' '{"id": "1", "size": 1, "zone": "x", "tags": null}' '{"size": 1, "zone": "y", "tags": null}' ', "replace_paths": [["zone"]]'),
 $(entry b '["update"]' '{"id": "1", "size": 1, "zone": "x", "tags": null}' '{"id": "1", "size": 2, "zone": "x", "tags": null}'),
 $(entry c '["no-op"]' '{"id": "1", "size": 1, "zone": "x", "tags": null}' '{"id": "1", "size": 1, "zone": "x", "tags": null}')" >plan.json
predict() { wants 0 "$1" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json "${@:2}"; }
predict "nothing is learned"
out_like 'demo_disk.moved may be updated in-place, stay as it is or be replaced: ' "an update is likely"
predict "a plan" --learn plan.json
out_like 'demo_disk.moved may be replaced, stay as it is or be updated in-place: ' "a replacement that was seen is likely, not certain"
out_like 'learned: demo_disk.zone forces a replacement (plan.json:1, seen 1 time)' "what was learned, and where"
out_like 'demo_disk.grown may be updated in-place, stay as it is or be replaced: ' "a change in place"
out_like 'learned: demo_disk.size changes in place (plan.json:2, seen 1 time)' "and where"
out_like 'demo_disk.same may stay as it is, be updated in-place or be replaced: ' "an object that does not differ"
predict "learned of all changes" --learn plan.json --verbose
out_like '^learned: demo_disk stays as it is if nothing differs (plan.json:3, seen 1 time)' "everything that was learned is listed"
predict "trusted" --learn plan.json --trust-learned
out_like 'demo_disk.moved must be replaced' "a replacement is certain"
out_like 'demo_disk.grown will be updated in-place$' "so is an update"
out_like 'unchanged: .*demo_disk.same' "and that nothing changes"
out_like 'demo_disk.tagged may be updated in-place, stay as it is or be replaced: ' "of other attributes nothing was learned"
predict "as JSON" --learn plan.json --format json
if command -v jq >/dev/null; then
    jq -e '.cases[0].predictions[] | select(.address == "demo_disk.moved") | .firm == false and .learned == {attribute: "zone", effect: "replace", seen: 1, file: "plan.json", line: 1}' stdout >jq 2>&1
    result $? "what was learned, as JSON"
fi
fits_schema() { # name
    if python3 -c 'import jsonschema' 2>/dev/null; then
        python3 -c 'import json, sys, jsonschema; jsonschema.validate(json.load(open("stdout")), json.load(open(sys.argv[1])))' \
            "$root/share/lifecheck/report.schema.json" >valid 2>&1
        result $? "$1"
    fi
}
fits_schema "the report fits its JSON Schema"

# ---- Evidence of both kinds, of another version, of another provider

plan "$(entry a '["update"]' '{"id": "1", "size": 1, "zone": "x"}' '{"id": "1", "size": 1, "zone": "y"}')" >other.json
predict "the opposite" --learn plan.json --learn other.json --trust-learned
out_like 'demo_disk.moved may be replaced, stay as it is or be updated in-place: ' "leaves it open"
out_like 'learned: demo_disk.zone forces a replacement (plan.json:1, seen 1 time); the opposite was seen as well' "and is reported"
predict "the opposite, as JSON" --learn plan.json --learn other.json --format json
fits_schema "it fits as well"
sed 's/"version": 1/"version": 2/' schema.json >newer.json
cat >scenario.yaml <<'EOF'
lifecheck: 1
name: a zone is for good
resource: demo_disk.a
schema: {file: newer.json, type: demo_disk}
config: {zone: y}
prior_state: {id: "1", zone: x}
plan: {planned_state: {id: "1", zone: y}, requires_replace: [.zone]}
EOF
predict "a scenario of another schema version" --learn scenario.yaml
out_unlike 'learned: ' "teaches nothing"
sed -i 's/newer/schema/' scenario.yaml
predict "a scenario" --learn scenario.yaml
out_like 'learned: demo_disk.zone forces a replacement (scenario.yaml:[0-9]*, seen 1 time)' "teaches what its plan asks for"
sed 's/example.test/elsewhere.test/g' plan.json >elsewhere.json
predict "a plan of another provider" --learn elsewhere.json
out_unlike 'learned: ' "teaches nothing either"

# ---- Names below an attribute may be keys of a map, which must not be shown

plan "$(entry a '["delete","create"]' '{"tags": {"hidden": "1"}}' '{"tags": {"hidden": "2"}}' ', "replace_paths": [["tags", "hidden"]]')" >keys.json
predict "a path into a map" --learn keys.json --verbose
out_like 'learned: demo_disk.tags forces a replacement' "ends at the attribute"
out_unlike 'hidden' "its key is not shown"

# ---- Recordings, and what cannot be read

wants 0 "recordings" "$lifecheck" predict --config config --learn "$root/testdata/captures" --verbose
out_like '^learned: [a-z_]*\.[a-z_]* forces a replacement (.*testdata/captures/' "teach as well"
echo '{"not a plan": ' >broken.json
wants 3 "a file that cannot be understood" "$lifecheck" predict --config config --learn broken.json
wants 3 "no file" "$lifecheck" predict --config config --learn missing.json

# ---- Create-only properties of a CloudFormation type

cat >type.json <<'EOF'
{"typeName": "AWS::Demo::Disk", "description": "d", "additionalProperties": false, "primaryIdentifier": ["/properties/DiskId"],
 "readOnlyProperties": ["/properties/DiskId"], "createOnlyProperties": ["/properties/Zone"],
 "properties": {"DiskId": {"type": "string"}, "Zone": {"type": "string"}, "Size": {"type": "integer"}}}
EOF
cat >config/main.tf.json <<'EOF'
{"resource": {"awscc_demo_disk": {"a": {"zone": "b"}}}}
EOF
cat >prior.json <<'EOF'
{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [{"mode": "managed", "type": "awscc_demo_disk", "name": "a",
 "provider": "provider[\"registry.terraform.io/hashicorp/awscc\"]", "instances": [{"schema_version": 1, "attributes": {"id": "1", "disk_id": "1", "zone": "a", "size": 1}}]}]}
EOF
wants 0 "a CloudFormation type" "$lifecheck" predict --config config --prior-state prior.json --schema awscc:type.json
out_like 'awscc_demo_disk.a may be replaced, stay as it is or be updated in-place: ' "a create-only property makes a replacement likely"
out_like 'learned: awscc_demo_disk.zone forces a replacement (.*type.json: create-only)' "and says so"

# ---- What was learned as a file

cat >config/main.tf.json <<'EOS'
{"resource": {"demo_disk": {"same": {"size": 1}, "moved": {"size": 1, "zone": "b"}, "grown": {"size": 2}}}}
EOS
printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [%s, %s, %s]}' \
    "$(object same)" "$(object moved)" "$(object grown)" | sed 's/{"a": "1"}/null/g' >prior.json
predict "a file of what was learned" --learn plan.json --learned learned.json
printf '{"lifecheck_learned":1,"providers":[],"types":[\n {"type":"demo_disk","provider":"%s","replace":{"zone":1},"in_place":{"size":1},"unchanged":1}]}\n' "$provider" | diff - learned.json
result $? "is small, sorted, and has no values"
predict "that file" --learn learned.json --trust-learned
out_like 'demo_disk.moved must be replaced' "teaches what forces a replacement"
out_like 'learned: demo_disk.zone forces a replacement (learned.json, seen 1 time)' "and is named"
out_like 'demo_disk.grown will be updated in-place$' "what changes in place"
out_like 'unchanged: .*demo_disk.same' "and that nothing changes"
predict "a file that is written again" --learn learned.json --learn plan.json --learned learned.json
grep -q '"replace":{"zone":2}' learned.json
result $? "has both"
echo 'a report' >other.json
wants 4 "a file of another kind" "$lifecheck" predict --config config --learned other.json
grep -q '^a report$' other.json
result $? "is left alone"
echo '{"lifecheck_learned":1,"types":[{"type":"demo_disk","replace":["zone"]}]}' >learned.json
wants 3 "a file of another form" "$lifecheck" predict --config config --learn learned.json
err_has "learned.json:1:1: a type has another form than --learned writes" "has a place"

# ---- Defaults: what is not configured and stays at a value

default() { # name, blocks of the printed configuration
    plan "$(entry d '["no-op"]' '{"id": "1", "size": 1, "zone": "x", "tags": null}' '{"id": "1", "size": 1, "zone": "x", "tags": null}')" |
        sed 's/]}$/], "configuration": {"root_module": {"resources": [{"address": "demo_disk.d", "mode": "managed", "type": "demo_disk", "name": "d", "provider_config_key": "demo", "expressions": '"$1"', "schema_version": 1}]}}}/' >default.json
}
echo '{"resource": {"demo_disk": {"same": {"size": 1}}}}' >config/main.tf.json
printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [%s]}' "$(object same)" |
    sed 's/{"a": "1"}/null/g; s/"zone": null/"zone": "x"/' >prior.json
default '{"size": {"constant_value": 1}}'
predict "a default of the type" --learn default.json --trust-learned --verbose
out_like '^learned: demo_disk.zone keeps its value where it is not configured (default.json:' "is learned"
out_like 'demo_disk.same stays as it is' "and is not a change"
default '{"size": {"constant_value": 1}, "zone": {"constant_value": "x"}}'
predict "a value that was configured there" --learn default.json --trust-learned
out_like 'demo_disk.same may stay as it is, be updated in-place or be replaced: ' "is not a default: it may have been removed"

# ---- A create whose answer names what forces a replacement

cat >create.yaml <<'EOS'
lifecheck: 1
resource: demo_disk.a
schema:
  version: 1
  block:
    attributes:
      id: {type: string, computed: true}
      size: {type: number, optional: true}
      zone: {type: string, optional: true}
config: {size: 1, zone: a}
cases:
  - name: a create
    prior_state: null
    plan: {planned_state: {id: !unknown , size: 1, zone: a}, requires_replace: [.zone]}
EOS
predict "a create" --learn create.yaml --verbose
out_like '^learned: demo_disk.zone forces a replacement (create.yaml:' "teaches as well"
