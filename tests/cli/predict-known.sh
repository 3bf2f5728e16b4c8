#!/usr/bin/env bash
# lifecheck predict: types whose behaviour is known without a schema or a provider.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

out_like() { # pattern, name
    grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

said() { # address, what happens -> a pattern of its line
    case $2 in
    no-op) echo "unchanged: .*$1" ;;
    update) echo "~ $1 will be updated in-place\$" ;;
    create) echo "+ $1 will be created\$" ;;
    delete) echo "- $1 will be destroyed" ;;
    "no-op | update") echo "? $1 may stay as it is or be updated in-place: " ;;
    "update | no-op") echo "? $1 may be updated in-place or stay as it is: " ;;
    *replace*) echo "/+ $1 must be replaced\$" ;;
    *) echo "$2" ;;
    esac
}

out_unlike() { # pattern, name
    ! grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

state() { # resources -> prior.json
    printf '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {%s}, "resources": [%s]}' "${2-}" "$1"
}

stored() { # type, name, provider, attributes
    printf '{"mode": "managed", "type": "%s", "name": "%s", "provider": "provider[\\"%s\\"]", "instances": [{"schema_version": 0, "attributes": %s}]}' "$@"
}

official=registry.terraform.io/hashicorp/null
builtin=terraform.io/builtin/terraform
mkdir config

# ---- null_resource

cat >config/main.tf.json <<'EOF'
{"resource": {"null_resource": {
  "same": {"triggers": {"a": "1"}}, "other": {"triggers": {"a": "2"}}, "none": {"triggers": {"a": null}},
  "dropped": {}, "new": {}, "uses": {"triggers": {"a": "${null_resource.same.id}"}}}},
 "import": [{"to": "null_resource.new", "id": "7"}]}
EOF
state "$(stored null_resource same $official '{"id": "1", "triggers": {"a": "1"}}'),
  $(stored null_resource other $official '{"id": "2", "triggers": {"a": "1"}}'),
  $(stored null_resource none $official '{"id": "3", "triggers": null}'),
  $(stored null_resource dropped $official '{"id": "4", "triggers": {"a": "1"}}'),
  $(stored null_resource uses $official '{"id": "5", "triggers": {"a": "1"}}')" >prior.json
wants 1 "null_resource" "$lifecheck" predict --config config --prior-state prior.json
out_like 'unchanged: .*null_resource.same' "triggers as they were"
out_like 'null_resource.other must be replaced' "other triggers"
out_like 'null_resource.dropped must be replaced' "no triggers any more"
out_like 'null_resource.none may be updated in-place, stay as it is or be replaced: ' "a null trigger depends on the version"
out_like 'unchanged: .*null_resource.uses' "the id is kept"
out_like 'the client fails: Resource Import Not Implemented: null_resource.new' "it cannot be imported"

cat >config/main.tf.json <<'EOF'
{"terraform": {"required_providers": {"null": {"source": "example.test/other/null"}}},
 "resource": {"null_resource": {"same": {"triggers": {"a": "1"}}}}}
EOF
wants 0 "another provider" "$lifecheck" predict --config config --prior-state prior.json
out_like '? null_resource.same may ' "nothing is known of its type"
cat >config/main.tf.json <<'EOF'
{"terraform": {"required_providers": {"n": {"source": "hashicorp/null"}}},
 "resource": {"null_resource": {"same": {"provider": "n", "triggers": {"a": "1"}}}}}
EOF
wants 0 "the same provider by another name" "$lifecheck" predict --config config --prior-state prior.json
out_like 'unchanged: .*null_resource.same' "its type is known"

# ---- null_resource becomes terraform_data

cat >config/main.tf.json <<'EOF'
{"moved": [{"from": "null_resource.same", "to": "terraform_data.same"}, {"from": "null_resource.dropped", "to": "terraform_data.dropped"}],
 "resource": {"terraform_data": {"same": {"triggers_replace": {"a": "1"}}, "dropped": {"triggers_replace": {"a": "2"}}}}}
EOF
wants 0 "moved to terraform_data" "$lifecheck" predict --config config --prior-state prior.json
out_like 'terraform_data.same stays as it is' \"triggers become an object\"
out_like 'terraform_data.dropped must be replaced' "and are compared"
sed -i 's/hashicorp\/null/other\/null/g' prior.json
wants 1 "moved from another provider, Terraform" "$lifecheck" predict --config config --prior-state prior.json --as terraform
out_like 'the client fails: Unsupported source provider for move operation: terraform_data.same' "is refused"
wants 0 "moved from another provider, OpenTofu" "$lifecheck" predict --config config --prior-state prior.json --as opentofu
out_like 'terraform_data.same stays as it is' \"is the same to it\"
sed -i 's/null_resource/demo_thing/g' config/main.tf.json prior.json
wants 1 "moved from another type" "$lifecheck" predict --config config --prior-state prior.json --as opentofu
out_like 'the client fails: unsupported move: demo_thing -> terraform_data; only move from ' "is refused"

# ---- terraform_data: the output of a removed input is known after apply, that of a new object is null

cat >config/main.tf <<'EOF'
resource "terraform_data" "removed" {}
resource "terraform_data" "null" {
  input = tostring(null)
}
resource "terraform_data" "replaced" {
  triggers_replace = 2
}
resource "terraform_data" "uses" {
  for_each = toset(["removed", "null", "replaced"])
  input    = contains([{ removed = terraform_data.removed, null = terraform_data.null, replaced = terraform_data.replaced }[each.key].output], "x")
}
EOF
rm config/main.tf.json
had='"input": {"value": "y", "type": "string"}, "output": {"value": "y", "type": "string"}'
was='"input": {"value": false, "type": "bool"}, "output": {"value": false, "type": "bool"}, "triggers_replace": null'
state "$(stored terraform_data removed $builtin "{\"id\": \"1\", $had, \"triggers_replace\": null}"),
  $(stored terraform_data null $builtin "{\"id\": \"2\", $had, \"triggers_replace\": null}"),
  $(stored terraform_data replaced $builtin "{\"id\": \"3\", $had, \"triggers_replace\": {\"value\": 1, \"type\": \"number\"}}"),
  {\"mode\": \"managed\", \"type\": \"terraform_data\", \"name\": \"uses\", \"provider\": \"provider[\\\"$builtin\\\"]\", \"instances\": [
   {\"index_key\": \"null\", \"schema_version\": 0, \"attributes\": {\"id\": \"4\", $was}},
   {\"index_key\": \"removed\", \"schema_version\": 0, \"attributes\": {\"id\": \"5\", $was}},
   {\"index_key\": \"replaced\", \"schema_version\": 0, \"attributes\": {\"id\": \"6\", $was}}]}" >prior.json
wants 0 "outputs of removed inputs" "$lifecheck" predict --config config --prior-state prior.json
out_like 'terraform_data.removed will be updated in-place$' "an input that is not set any more"
out_like 'terraform_data.uses\["removed"\] will be updated in-place$' "what uses its output is known after apply"
out_like 'terraform_data.uses\["null"\] will be updated in-place$' "so it is with a null that has a type"
out_like 'unchanged: .*terraform_data.uses\["replaced"\]' "the output of a new object is null"
rm config/main.tf

# ---- terraform_remote_state

cat >config/main.tf.json <<'EOF'
{"data": {"terraform_remote_state": {"net": {"backend": "local", "config": {"path": "${path.module}/net.tfstate"}, "defaults": {"zone": "z", "size": 1}},
  "stage": {"backend": "local", "workspace": "stage", "config": {"workspace_dir": "states"}}}},
 "resource": {"terraform_data": {
  "each": {"for_each": "${toset(data.terraform_remote_state.net.outputs.subnets)}"},
  "size": {"count": "${data.terraform_remote_state.net.outputs.size}"},
  "stage": {"count": "${data.terraform_remote_state.stage.outputs.many}"}}}}
EOF
state "" '"subnets": {"value": ["a", "b"], "type": ["list", "string"]}, "size": {"value": 2, "type": "number"}' >config/net.tfstate
mkdir -p config/states/stage
state "" '"many": {"value": 1, "type": "number"}' >config/states/stage/terraform.tfstate
wants 0 "terraform_remote_state" "$lifecheck" predict --config config
out_like 'terraform_data.each\["b"\] will be created$' "outputs of a local state"
out_like 'terraform_data.size\[1\] will be created$' "an output is used, not its default"
out_like 'terraform_data.stage\[0\] will be created$' "the state of a workspace"
rm config/net.tfstate
wants 1 "no remote state" "$lifecheck" predict --config config
out_like 'the client fails: Unable to find remote state: data.terraform_remote_state.net' "is an error"
sed -i 's|${path.module}/net|../net|' config/main.tf.json
wants 0 "a remote state outside the configuration" "$lifecheck" predict --config config
out_like 'terraform_data.each  undecided instances: ' "is not read"
sed -i 's|"backend": "local", "config"|"backend": "s3", "config"|' config/main.tf.json
wants 0 "another backend" "$lifecheck" predict --config config
out_like 'undecided instances: only the backend "local" is read' "is not read either"

# ---- A schema document that describes a known type in another way

cat >schema.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/other/terraform": {"resource_schemas": {"terraform_data": {"version": 0,
 "block": {"attributes": {"id": {"type": "string", "computed": true}, "size": {"type": "number", "optional": true}}}}}}}}
EOF
cat >config/main.tf.json <<'EOF'
{"resource": {"terraform_data": {"a": {"size": 2}}}}
EOF
state "$(stored terraform_data a $builtin '{"id": "1", "size": 1}')" >prior.json
wants 0 "a known type with another schema" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json
out_like 'terraform_data.a may be updated in-place, stay as it is or be replaced: ' "is not known"

# ---- Data sources: what the state holds

cat >schema.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {
 "resource_schemas": {"demo_disk": {"version": 0, "block": {"attributes": {"name": {"type": "string", "optional": true}, "key": {"type": "string", "optional": true, "write_only": true}}}}},
 "data_source_schemas": {"demo_image": {"version": 0, "block": {"attributes": {"name": {"type": "string", "required": true}, "many": {"type": "number", "computed": true}}}}}}}}
EOF
cat >config/main.tf.json <<'EOF'
{"variable": {"name": {"default": "i"}}, "data": {"demo_image": {"i": {"name": "${var.name}"}}},
 "resource": {"terraform_data": {"n": {"count": "${data.demo_image.i.many}"}},
  "demo_disk": {"same": {"name": "d", "key": "secret"}, "other": {"name": "e"}}}}
EOF
state "{\"mode\": \"data\", \"type\": \"demo_image\", \"name\": \"i\", \"provider\": \"provider[\\\"example.test/demo/demo\\\"]\", \"instances\": [{\"schema_version\": 0, \"attributes\": {\"name\": \"i\", \"many\": 2}}]},
  $(stored demo_disk same example.test/demo/demo '{"name": "d", "key": null}'), $(stored demo_disk other example.test/demo/demo '{"name": "d", "key": null}')" >prior.json
wants 0 "a data source with the arguments of the state" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json
out_like 'terraform_data.n\[1\] will be created$' "reads the values in the state"
out_like 'assumed: data.demo_image.i returns the values in the state' "which is reported"
out_like 'unchanged: .*demo_disk.same' "a schema that leaves no choice; write-only values are not compared"
out_like 'demo_disk.other may be updated in-place, stay as it is or be replaced: ' "what differs is up to the provider"
wants 0 "what data sources read may differ" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json --fresh-data
out_like 'terraform_data.n  undecided instances: its values are not known' "it is open"
wants 0 "a data source with other arguments" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json --var name=j
out_like 'terraform_data.n  undecided instances: its values are not known' "is open"

# ---- Parts that cannot be determined

cat >config/main.tf.json <<'EOF'
{"data": {"demo_image": {"i": {"name": "new"}}}, "locals": {"open": "${data.demo_image.i.many}"},
 "resource": {"terraform_data": {
  "input": {"input": "${local.open}"}, "changed": {"input": {"a": "${local.open}", "b": 2}},
  "trigger": {"input": 1, "triggers_replace": "${local.open}"}, "replaced": {"input": "${local.open}", "triggers_replace": 2}}}}
EOF
state "$(stored terraform_data input $builtin '{"id": "1", "input": {"value": 1, "type": "number"}, "output": {"value": 1, "type": "number"}, "triggers_replace": null}'),
  $(stored terraform_data changed $builtin '{"id": "2", "input": {"value": {"a": 1, "b": 1}, "type": ["object", {"a": "number", "b": "number"}]}, "output": {"value": {"a": 1, "b": 1}, "type": ["object", {"a": "number", "b": "number"}]}, "triggers_replace": null}'),
  $(stored terraform_data trigger $builtin '{"id": "3", "input": {"value": 1, "type": "number"}, "output": {"value": 1, "type": "number"}, "triggers_replace": {"value": 1, "type": "number"}}'),
  $(stored terraform_data replaced $builtin '{"id": "4", "input": {"value": 1, "type": "number"}, "output": {"value": 1, "type": "number"}, "triggers_replace": {"value": 1, "type": "number"}}')" >prior.json
wants 0 "parts that cannot be determined" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json
out_like 'terraform_data.input may stay as it is or be updated in-place: ' "the input alone never replaces"
out_like 'terraform_data.changed will be updated in-place$' "another part differs"
out_like 'terraform_data.trigger may stay as it is, be updated in-place or be replaced: ' "a trigger may replace"
out_like 'terraform_data.replaced must be replaced' "a trigger that differs replaces whatever the input is"

# ---- A state that the clients do not read

cat >config/main.tf.json <<'EOF'
{"resource": {"terraform_data": {"a": {}}}}
EOF
state "$(stored terraform_data a $builtin '{"id": "1"}'), $(stored terraform_data a $builtin '{"id": "2"}')" >prior.json
wants 1 "an object that is stored twice, OpenTofu" "$lifecheck" predict --config config --prior-state prior.json
out_like 'the client fails: error loading state: Duplicate resource instance in state: ' "stops the client"
out_unlike '^terraform_data.a ' "so nothing is planned"
wants 1 "the same, Terraform" "$lifecheck" predict --config config --prior-state prior.json --as terraform
out_like 'the client fails: Duplicate resource instance in state ' "is an error of its own"

# ---- Parts of an object that no provider can plan otherwise

cat >schema.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"resource_schemas": {
 "demo_disk": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}, "name": {"type": "string", "optional": true}, "size": {"type": "number", "optional": true}, "zone": {"type": "string", "optional": true, "computed": true}}}},
 "demo_old": {"version": 0, "block": {"attributes": {"id": {"type": "string", "optional": true, "computed": true}, "name": {"type": "string", "optional": true}}}}}}}}
EOF
cat >config/main.tf.json <<'EOF'
{"resource": {"demo_disk": {"a": {"name": "2", "size": 2}, "new": {"size": 1}}, "demo_old": {"new": {"name": "1"}, "kept": {"name": "1"}}, "terraform_data": {
  "name": {"count": "${tonumber(demo_disk.a.name)}"}, "size": {"count": "${demo_disk.a.size}"}, "zone": {"count": "${tonumber(demo_disk.a.zone)}"},
  "new": {"count": "${demo_disk.new.size}"}, "old": {"count": "${tonumber(demo_old.new.name)}"}, "kept": {"count": "${tonumber(demo_old.kept.name)}"}}}}
EOF
state "$(stored demo_disk a example.test/demo/demo '{"id": "1", "name": "2", "size": 1, "zone": "1"}'), $(stored demo_old kept example.test/demo/demo '{"id": "1", "name": "1"}')" >prior.json
wants 0 "parts of open objects" "$lifecheck" predict --config config --prior-state prior.json --schema schema.json
out_like 'terraform_data.name\[1\] will be created$' "an argument that is as before"
out_like 'terraform_data.size  undecided instances: it depends on the response of the provider' "one that differs: the provider may keep what was there"
out_like 'terraform_data.zone  undecided instances: it depends on the response of the provider' "a computed one"
out_like 'terraform_data.new\[0\] will be created$' "an argument of a new object"
out_like 'terraform_data.old  undecided instances: it depends on the response of the provider' "an old SDK may plan another value"
out_like 'terraform_data.kept\[0\] will be created$' "but not if it is as before"

# ---- What is known of an id before it is created

cat >config/main.tf.json <<'EOF'
{"resource": {"terraform_data": {
  "new": {}, "replaced": {"triggers_replace": 2},
  "counted": {"count": "${terraform_data.new.id != null ? 1 : 0}"}, "null": {"count": "${terraform_data.replaced.id == null ? 1 : 0}"},
  "kept": {"input": "${terraform_data.replaced.id == null}"}, "content": {"input": "${terraform_data.new.id == \"x\"}"}}}}
EOF
false='{"value": false, "type": "bool"}'
state "$(stored terraform_data replaced $builtin '{"id": "1", "input": null, "output": null, "triggers_replace": {"value": 1, "type": "number"}}'),
  $(stored terraform_data kept $builtin "{\"id\": \"2\", \"input\": $false, \"output\": $false, \"triggers_replace\": null}"),
  $(stored terraform_data content $builtin "{\"id\": \"3\", \"input\": $false, \"output\": $false, \"triggers_replace\": null}")" >prior.json
for client in terraform opentofu; do
    wants 0 "an id that is not known yet is not null, $client" "$lifecheck" predict --config config --prior-state prior.json --as $client
    out_like 'terraform_data.counted\[0\] will be created$' "a count that compares it with null is known"
    out_unlike 'terraform_data.null' "that of a replaced object, too"
    out_like 'unchanged: .*terraform_data.kept' "an argument that compares it does not change"
    out_like 'terraform_data.content will be updated in-place$' "its content remains unknown"
done
cat >config/main.tf.json <<'EOF'
{"resource": {"null_resource": {"a": {}}, "terraform_data": {"i": {"input": 1}, "a": {"count": "${null_resource.a.id != null ? 1 : 0}"},
  "b": {"count": "${terraform_data.i.output != null ? 1 : 0}"}}}}
EOF
state "" >prior.json
wants 1 "other attributes may become null" "$lifecheck" predict --config config --prior-state prior.json
[ "$(grep -c 'the client fails: Invalid count argument' "$work/stdout")" = 2 ]
result $? "so the client refuses both counts"

# ---- Ignored changes take the sensitivity of what they restore

kept() { # name, stored input (value, type), paths below input that are stored as sensitive, body, ignore_changes, action
    state "{\"mode\": \"managed\", \"type\": \"terraform_data\", \"name\": \"a\", \"provider\": \"provider[\\\"$builtin\\\"]\", \"instances\": [{\"schema_version\": 0,
      \"attributes\": {\"id\": \"1\", \"input\": $2, \"output\": $2, \"triggers_replace\": null}, \"sensitive_attributes\": [$3]}]}" >prior.json
    printf 'variable "s" {\n  default   = "s"\n  sensitive = true\n}\nresource "terraform_data" "a" {\n  input = %s\n  lifecycle { ignore_changes = %s }\n}\n' "$4" "$5" >ignored/main.tf
    for client in terraform opentofu; do
        wants 0 "$1, $client" "$lifecheck" predict --config ignored --prior-state prior.json --as $client
        out_like "$(said terraform_data.a "$6")" "is $6"
    done
}
mkdir ignored
x='{"value": "x", "type": "string"}'
s='{"value": "s", "type": "string"}'
object='{"value": {"a": "x", "b": 1}, "type": ["object", {"a": "string", "b": "number"}]}'
map='{"value": {"k": "x", "l": "y"}, "type": ["map", "string"]}'
tuple='{"value": ["x", "y"], "type": ["tuple", ["string", "string"]]}'
step() { echo "{\"type\": \"get_attr\", \"value\": \"$1\"}"; }
index() { echo "{\"type\": \"index\", \"value\": {\"value\": $1, \"type\": \"$2\"}}"; }
input="[$(step input)]"
kept "an ignored argument from a sensitive variable" "$x" "" var.s '[input]' no-op
kept "the same value, now sensitive" "$s" "" var.s '[input]' no-op
kept "sensitivity that is not ignored" "$s" "" var.s '[triggers_replace]' update
kept "everything is ignored" "$x" "" var.s all no-op
kept "stored as sensitive, and no longer so" "$x" "$input" '"y"' '[input]' no-op
kept "the same, where everything is ignored" "$x" "$input" '"y"' all no-op
kept "stored as sensitive, and not ignored" "$x" "$input" '"x"' '[triggers_replace]' update
kept "a nested path" "$object" "" '{ a = var.s, b = 1 }' '[input.a]' no-op
kept "a nested path beside another change" "$object" "" '{ a = var.s, b = 2 }' '[input.a]' update
kept "a path within a value that is sensitive" "$object" "$input" 'sensitive({ a = "y", b = 1 })' '[input.a]' update
kept "a value around the path that is now sensitive" "$object" "" 'sensitive({ a = "x", b = 1 })' '[input.a]' update
kept "a list index" "$tuple" "" '[var.s, "y"]' '[input[0]]' no-op
kept "an index of a sensitive list that is stored so" "$tuple" "$input" '[for v in sensitive(["x", "y"]) : v]' '[input[0]]' no-op
kept "the same, with another change" "$tuple" "$input" 'sensitive(["x", "z"])' '[input[0]]' update
kept "a part of a sensitive object that is stored so" "$object" "$input" 'sensitive({ a = "x", b = 1 })' '[input.a]' no-op
kept "an index of a list that is no longer sensitive" "$tuple" "$input" '["x", "y"]' '[input[0]]' update
kept "a stored list index" "$tuple" "[$(step input), $(index 0 number)]" '["z", "y"]' '[input[0]]' no-op
kept "a map key" "$map" "" 'tomap({ k = var.s, l = "y" })' '[input["k"]]' no-op
kept "a map key that is stored as sensitive" "$map" "[$(step input), $(index '"k"' string)]" 'tomap({ k = "z", l = "y" })' '[input["k"]]' no-op
kept "a key of an object, which stands for all of it" "$object" "" '{ a = var.s, b = 2 }' '[input["a"]]' no-op
kept "a map key that is not ignored" "$map" "" 'tomap({ k = "x", l = var.s })' '[input["k"]]' update
kept "a sensitive part of a sensitive value" "$object" "$input, [$(step input), $(step a)]" 'sensitive({ a = sensitive("x"), b = 1 })' '[triggers_replace]' no-op

cat >ignored/main.tf <<'EOF'
resource "terraform_data" "x" {
  input            = { k = "x" }
  triggers_replace = 2
}
resource "null_resource" "whole" {
  triggers = tomap(terraform_data.x.output)
  lifecycle { ignore_changes = [triggers] }
}
resource "null_resource" "entry" {
  triggers = { k = terraform_data.x.output.k }
  lifecycle { ignore_changes = [triggers["k"]] }
}
EOF
object='{"value": {"k": "x"}, "type": ["object", {"k": "string"}]}'
state "$(stored terraform_data x $builtin "{\"id\": \"1\", \"input\": $object, \"output\": $object, \"triggers_replace\": {\"value\": 1, \"type\": \"number\"}}"),
  $(stored null_resource whole $official '{"id": "2", "triggers": {"k": "x"}}'), $(stored null_resource entry $official '{"id": "3", "triggers": {"k": "x"}}')" >prior.json
for client in terraform opentofu; do
    wants 0 "ignored maps, $client" "$lifecheck" predict --config ignored --prior-state prior.json --as $client
    out_like 'null_resource.whole must be replaced' "the clients restore nothing of an unknown map"
    out_like 'unchanged: .*null_resource.entry' "but an entry of a known one"
done

# ---- The version of the client: older ones evaluate both operands of && and ||.

mkdir versions
data() { # version, attributes of `b`, the provider of another object
    printf '{"version": 4, "terraform_version": "%s", "serial": 1, "lineage": "x", "outputs": {}, "resources": [%s%s, %s]}' "$1" \
        "${3:+$(stored null_resource n "$3" '{"id": "3", "triggers": null}'), }" \
        "$(stored terraform_data a $builtin '{"id": "1", "input": null, "output": null, "triggers_replace": {"value": 1, "type": "number"}}')" \
        "$(stored terraform_data b $builtin "{\"id\": \"2\", $2, \"triggers_replace\": null}")" >prior.json
}
versioned() { # expression of b's input, its line with state of 1.11.4, with state of 1.13.0; each for Terraform
    local at=2 version true='"input": {"value": true, "type": "bool"}, "output": {"value": true, "type": "bool"}'
    printf 'variable "none" { default = null }\nresource "terraform_data" "a" { triggers_replace = 2 }\nresource "terraform_data" "b" { %s }\n' "$1" >versions/main.tf
    for version in 1.11.4 1.13.0; do
        data $version "$true"
        "$lifecheck" predict --config versions --prior-state prior.json --as terraform >"$work/stdout"
        out_like "${!at}" "Terraform $version: $1"
        at=$((at + 1))
    done
}
unchanged='unchanged: .*terraform_data.b'
versioned 'input = true || terraform_data.a.id == "x"' '~ terraform_data.b will be updated in-place$' "$unchanged"
versioned 'input = terraform_data.a.id == "x" || true' '~ terraform_data.b will be updated in-place$' "$unchanged"
versioned 'input = !(false && terraform_data.a.id == "x")' '~ terraform_data.b will be updated in-place$' "$unchanged"
versioned 'input = true || null' 'the client fails: Operation failed' "$unchanged"
versioned 'input = var.none == null || var.none.a' 'the client fails: Attempt to get attribute from null value' "$unchanged"
versioned 'input = true || tobool("z")' 'the client fails: Invalid function argument' "$unchanged"
versioned 'input = true || false' "$unchanged" "$unchanged"
versioned 'count = false && terraform_data.a.id == "x" ? 1 : 0' 'the client fails: Invalid count argument' '- terraform_data.b.0. will be destroyed'

printf 'resource "terraform_data" "a" { triggers_replace = 2 }\nresource "terraform_data" "b" { input = true || terraform_data.a.id == "x" }\n' >versions/main.tf
same='"input": {"value": true, "type": "bool"}, "output": {"value": true, "type": "bool"}'
held() { # line of b, what it holds for, name, arguments...
    local line=$1 words=$2 name=$3
    shift 3
    "$lifecheck" predict --config versions --prior-state prior.json "$@" >"$work/stdout"
    out_like "$(said terraform_data.b "$line")" "$name"
    out_like "^for $words" "... and for which client"
}
data 1.11.4 "$same"
held 'no-op' 'OpenTofu 1.11.4 (named by the state); mirrored: ' "OpenTofu 1.10 and later short-circuit" --as opentofu
held 'no-op | update' 'OpenTofu 1.11.4 (named by the state), or Terraform of that version; ' "either client"
data 1.9.0 "$same"
held 'update' 'OpenTofu 1.9.0 (named by the state), which evaluates both operands of && and ||; ' "OpenTofu before 1.10" --as opentofu
held 'update' 'OpenTofu 1.9.0 (named by the state), which' "either client evaluates both"
echo 'terraform { required_version = ">= 1.12, < 2.0" }' >versions/versions.tf
data 1.11.4 "$same"
held 'no-op' 'Terraform >= 1.12, < 2.0 (named by required_version); ' "a state of a version that is not allowed" --as terraform
echo 'terraform { required_version = "~> 1.11.0" }' >versions/versions.tf
data 1.13.0 "$same"
held 'update' 'Terraform ~> 1.11.0 (named by required_version), which evaluates both' "an older version is required" --as terraform
echo 'terraform { required_version = ">= 1.5" }' >versions/versions.tf
data '' "$same"
some='Terraform >= 1.5 (named by required_version), some of which evaluate both operands of && and ||; '
held 'no-op | update' "$some" "what differs between the versions that are allowed is open" --as terraform
held 'no-op' 'Terraform 1.13 (named by --as); ' "--as names one of them" --as terraform@1.13
held 'update' 'Terraform 1.11.4 (named by --as), which evaluates both' "and an older one" --as terraform@1.11.4
rm versions/versions.tf
echo 'terraform { required_version = ">= 1.10" }' >versions/versions.tofu
held 'no-op' 'OpenTofu >= 1.10 (named by required_version); ' "all versions of OpenTofu that are allowed do the same"
echo 'terraform { required_version = ">= 1.9" }' >versions/versions.tofu
held 'no-op | update' 'OpenTofu >= 1.9 (named by required_version), some of which' "and these do not"
rm versions/versions.tofu
held 'no-op' 'Terraform [0-9.]*-dev ([0-9a-f]*)$' "no version is named" --as terraform
"$lifecheck" predict --config versions --prior-state prior.json --as terraform --format json >"$work/stdout"
out_unlike '"client_version"' "nor in JSON"
data 1.11.4 "$same"
"$lifecheck" predict --config versions --prior-state prior.json --as terraform --format json >"$work/stdout"
out_like '"client_version":"1.11.4","client_version_from":"the state","holds_for":"Terraform 1.11.4 ' "JSON names client and version"
echo '# This file is maintained automatically by "terraform init".' >versions/.terraform.lock.hcl
held 'update' 'Terraform 1.11.4 (named by the state), which evaluates both' "the lock file names the client"
echo '# This file is maintained automatically by "tofu init".' >versions/.terraform.lock.hcl
held 'no-op' 'OpenTofu 1.11.4 (named by the state); ' "either client"
data 1.11.4 "$same" "$official"
held 'update' 'Terraform 1.11.4 (named by the state), which evaluates both' "the providers of a state name it before"
rm versions/.terraform.lock.hcl
data 1.11.4 "$same"
for format in markdown html; do
    "$lifecheck" predict --config versions --prior-state prior.json --as terraform --format $format >"$work/stdout"
    out_like 'for Terraform 1.11.4 .*named by the state' "so does $format"
done

# ---- Each fact once: what changes comes first, and lines that repeat the action are left out.

cat >versions/main.tf <<'EOT'
resource "terraform_data" "a" { triggers_replace = 1 }
resource "terraform_data" "b" { triggers_replace = 2 }
resource "terraform_data" "new" {}
resource "demo_disk" "open" { size = 2 }
EOT
rm versions/versions.tf
stay='"input": null, "output": null, "triggers_replace": {"value": 1, "type": "number"}'
state "$(stored terraform_data a $builtin "{\"id\": \"1\", $stay}"), $(stored terraform_data b $builtin "{\"id\": \"2\", $stay}"),
  $(stored demo_disk open example.test/demo/demo '{"id": "3", "size": 1}')" >prior.json
wants 0 "changed, unchanged and open objects" "$lifecheck" predict --config versions --prior-state prior.json --as terraform
sed '/^prediction:/,$d' "$work/stdout" >listed
diff - listed <<'EOT'
-/+ terraform_data.b must be replaced
    `triggers_replace` changes # forces replacement (versions/main.tf:2:52)
  ? demo_disk.open may be updated in-place, stay as it is or be replaced: it depends on the response of the provider
    `size` changes (versions/main.tf:4:38)
  + terraform_data.new will be created
    unchanged: terraform_data.a
Plan: 2 to add, 0 to change, 1 to destroy; 1 undecided.
EOT
result $? "each fact once, what stays as it is last"
"$lifecheck" predict --config versions --prior-state prior.json --as terraform --format html >"$work/stdout"
out_unlike 'default: ' "nor in HTML"
"$lifecheck" predict --config versions --prior-state prior.json --as terraform --format markdown >"$work/stdout"
out_has '## lifecheck: 2 to add, 0 to change, 1 to destroy (1 to replace), 1 undecided' "a title says what happens"
"$lifecheck" predict --config versions --prior-state prior.json --as terraform --format html >"$work/stdout"
out_has '<h1>lifecheck: 2 to add, 0 to change, 1 to destroy (1 to replace), 1 undecided</h1>' "in HTML too"
"$lifecheck" predict --config versions --prior-state prior.json --as terraform --format json >"$work/stdout"
out_like '"text":"it is declared, and has no object yet","implied":true' "JSON has all, and marks it"

# ---- Plans show no types below dynamic attributes: what looks the same is not a finding, what differs is one

shown() { # name, shown value, `.before_sensitive` of it, expression, exit, actions of the plan
    cat >shown.json <<EOF
{"format_version": "1.2", "terraform_version": "1.11.4", "complete": true, "errored": false, "applyable": false,
 "planned_values": {"root_module": {"resources": [{"address": "terraform_data.a", "mode": "managed", "type": "terraform_data", "name": "a", "provider_name": "$builtin", "schema_version": 0,
  "values": {"id": "1", "input": $2, "output": $2, "triggers_replace": $2}, "sensitive_values": {"input": $3, "triggers_replace": $3}}]}},
 "resource_changes": [{"address": "terraform_data.a", "mode": "managed", "type": "terraform_data", "name": "a", "provider_name": "$builtin",
  "change": {"actions": ["no-op"], "before": {"id": "1", "input": $2, "output": $2, "triggers_replace": $2}, "after": {"id": "1", "input": $2, "output": $2, "triggers_replace": $2}, "after_unknown": {},
   "before_sensitive": {"input": $3, "triggers_replace": $3}, "after_sensitive": {"input": $3, "triggers_replace": $3}}}],
 "prior_state": {"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": {"resources": [{"address": "terraform_data.a", "mode": "managed", "type": "terraform_data", "name": "a",
  "provider_name": "$builtin", "schema_version": 0, "values": {"id": "1", "input": $2, "output": $2, "triggers_replace": $2}, "sensitive_values": {"input": $3, "triggers_replace": $3}}]}}},
 "configuration": {"root_module": {"resources": [{"address": "terraform_data.a", "mode": "managed", "type": "terraform_data", "name": "a", "provider_config_key": "terraform", "schema_version": 0, "expressions": {}}]}}}
EOF
    printf 'variable "s" {\n  default   = "s"\n  sensitive = true\n}\nresource "terraform_data" "a" {\n  input            = %s\n  triggers_replace = %s\n}\n' "$4" "$4" >shown/main.tf
    wants "$5" "$1" "$lifecheck" predict shown.json --config shown --as terraform
}
mkdir shown
shown "a list with a sensitive element" '["s", "x"]' '[true]' 'tolist([var.s, "x"])' 0
shown "a map within an object, with a sensitive element" '{"m": {"k": "s"}}' '{"m": {"k": true}}' '{ m = tomap({ k = var.s }) }' 0
shown "sensitive parts of a sensitive value" '{"a": null, "l": ["s"]}' true 'sensitive({ a = null, l = [var.s] })' 0
shown "a null of a type" 'null' '{}' 'toset(null)' 0
shown "a null string" 'null' '{}' 'tostring(null)' 0
shown "a null below a list" '[null, "x"]' '{}' 'tolist([null, "x"])' 0
shown "another element of a list" '["s", "y"]' '[true]' 'tolist([var.s, "x"])' 1
out_like '^error\[run/expected-action\]: terraform_data.a: ' "is found"
shown "another element of a map in an object" '{"m": {"k": "x"}}' '{}' '{ m = tomap({ k = "z" }) }' 1
shown "no null any more" 'null' '{}' 'tolist([])' 1
shown "a string that is sensitive now" '"s"' '{}' 'var.s' 1
