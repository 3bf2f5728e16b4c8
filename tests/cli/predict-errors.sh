#!/usr/bin/env bash
# lifecheck predict: configurations that the clients refuse, with the summary that they print and the block.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck disable=SC2016 # what looks like a variable is a template
schema=$root/testdata/schemas/nimbus.json

predicted() { # configuration, option...
    echo "$1" >refused.tf.json
    shift
    run "$lifecheck" predict --config refused.tf.json --schema "$schema" "$@"
}

refused() { # what is printed, configuration, option...
    local want="the client fails: $1"
    shift
    predicted "$@"
    grep -qxF -- "$want (refused.tf.json:1)" "$work/stdout" && ! grep -q '^nimbus_disk.a.* create$' "$work/stdout"
    result $? "$want"
}

disks() { # members of nimbus_disk.a, further members of the configuration
    echo "{\"resource\":{\"nimbus_disk\":{\"a\":{\"name\":\"n\",\"zone\":\"z\",$1},\"b\":{\"name\":\"n\",\"zone\":\"z\"}}}${2:+,$2}}"
}

a=nimbus_disk.a
refused "Reference to undeclared module: $a" "$(disks '"self_link":"${module.nope.y}"')"
refused "Reference to undeclared input variable: $a" "$(disks '"self_link":"${var.nope}"')"
refused "Reference to undeclared local value: $a" "$(disks '"self_link":"${local.nope}"')"
refused "Reference to undeclared local value: x" '{"locals":{"x":"${local.nope}"}}'
refused "Reference to undeclared resource: $a" "$(disks '"size_gb":"${length(nimbus_disk.nope)}"')"
refused "Reference to undeclared resource: $a" "$(disks '"size_gb":"${length(data.nimbus_disk.b)}"')"
refused "Unexpected resource instance key: $a" "$(disks '"size_gb":"${length(nimbus_disk.b[0].name)}"')"
refused "Missing resource instance key: nimbus_disk.c" \
    '{"resource":{"nimbus_disk":{"a":{"count":1,"name":"n","zone":"z"},"c":{"name":"${nimbus_disk.a.name}","zone":"z"}}}}'
refused "Unsupported attribute: $a" "$(disks '"size_gb":"${length(nimbus_disk.b.nope)}"')"
refused "Unsupported attribute: $a" "$(disks '"lifecycle":{"ignore_changes":["nope"]}')"
refused "Self-referential block: $a" "$(disks '"size_gb":"${length(nimbus_disk.a.zone)}"')"
refused "Extraneous JSON object property: $a" "$(disks '"nope":1')"
refused "Extraneous JSON object property: $a" "$(disks '"nope":"${nimbus_disk.b.name}"')"
refused "Missing required argument: $a" '{"resource":{"nimbus_disk":{"a":{"name":"n"}}}}'
refused "Missing required argument: $a" \
    '{"resource":{"nimbus_disk":{"a":{"name":"${nimbus_disk.b.zone}"},"b":{"name":"n","zone":"z"}}}}'
# Providers reject a null, and are not asked about a body that has an error.
nulls='"variable":{"v":{"default":null}},"resource":{"nimbus_disk":{"a":{"zone":"z","name":"${var.v}"'
refused "Missing required argument: $a" "{$nulls}}}}"
refused "Invalid function argument: $a" "{$nulls,\"size_gb\":\"\${parseint(var.v, 10)}\"}}}}"
! grep -q 'Missing required argument' stdout
result $? "a null is not reported next to it"
refused "Incorrect attribute value type: $a" "$(disks '"size_gb":"x"')"

# In a nested attribute: both clients were served this schema, and said the same.
cat >nested.json <<'END'
{"format_version":"1.0","provider_schemas":{"example.test/x/nim":{"provider":{"version":0,"block":{}},"resource_schemas":{"nim_a":{"version":0,
"block":{"attributes":{"other":{"type":"string","optional":true},"n":{"optional":true,"nested_type":{"nesting_mode":"single","attributes":{
"x":{"type":"string","required":true},"y":{"type":"string","optional":true}}}}}}}}}}}
END
nested() { # what is printed, arguments
    echo "{\"variable\":{\"v\":{\"type\":\"string\",\"default\":null}},\"resource\":{\"nim_a\":{\"a\":{$2}}}}" >nested.tf.json
    run "$lifecheck" predict --config nested.tf.json --schema nested.json
    [ "$(grep '^the client fails' stdout)" = "the client fails: $1: nim_a.a (nested.tf.json:1)" ]
    result $? "nested: $1"
}
nested "Missing required argument" '"n":{"x":"${var.v}"}'
nested "Error in function call" '"n":{"x":"${var.v}"},"other":"${format(\"%s\", var.v)}"'
nested "Incorrect attribute value type" '"n":{"y":"z"}'
refused "Undeclared resource in replace_triggered_by: $a" "$(disks '"lifecycle":{"replace_triggered_by":["nimbus_disk.nope"]}')"
refused "Resource precondition failed: $a" \
    "$(disks '"lifecycle":{"precondition":{"condition":"${var.v == 2}","error_message":"no"}}' '"variable":{"v":{"default":1}}')"
refused "Invalid operand: $a" \
    "$(disks '"lifecycle":{"precondition":{"condition":"${var.v + []}","error_message":"no"}}' '"variable":{"v":{"default":1}}')"
refused "Invalid precondition expression: $a" \
    "$(disks '"lifecycle":{"precondition":{"condition":"${timestamp() == \"x\"}","error_message":"no"}}')"
refused "Output refers to sensitive values: o" \
    '{"variable":{"v":{"default":1,"sensitive":true}},"locals":{"l":"${var.v}"},"output":{"o":{"value":"${local.l}"}}}'

# The name that is not declared, and one that is meant.
predicted '{"variable":{"subnets":{"default":1}},"locals":{"x":"${[module.sq.id]}","y":"${[var.subnet, local.q]}"}}'
out_has '    the root module has no variable named "subnet"; did you mean "subnets"?' "the variable is named"
out_has '    the root module has no module call named "sq"' "the module call is named"
out_has '    the root module has no local value named "q"' "all errors of an expression are reported"
wants 1 "details in JSON" "$lifecheck" predict --config refused.tf.json --format json
out_has '"detail":"the root module has no local value named \"q\""' "the detail is a member"

# Links to files with values that are not there: the clients look for terraform.tfvars, and fail with others.
mkdir links && echo '{"resource":{"terraform_data":{"a":{}}}}' >links/main.tf.json && ln -s nowhere links/terraform.tfvars
wants 0 "a link terraform.tfvars that leads nowhere" "$lifecheck" predict --config links --no-settings
out_has "terraform_data.a will be created" "is as if it were not there"
ln -s nowhere links/x.auto.tfvars
wants 1 "a link *.auto.tfvars that leads nowhere" "$lifecheck" predict --config links --no-settings
out_has "the client fails: Failed to read variables file (links/x.auto.tfvars:1)" "the client fails"

# A module that is not there, and blocks instead of arguments.
predicted '{"module":{"m":{"source":"a/b/c"}}}' --as terraform
out_has "the module a/b/c is not installed: run \`terraform init\`" "what installs a module"
mkdir block && printf 'module "m" {\n  source = "./m"\n  providers {\n    aws = aws\n  }\n}\nresource "terraform_data" "a" {\n  provider = aws[*]\n}\n' >block/main.tf
mkdir block/m && : >block/m/main.tf
wants 1 "providers as a block" "$lifecheck" predict --config block --no-settings
out_has "    providers is an argument: write \`providers = {\`" "what to write"
wants 1 "a splat of providers" "$lifecheck" providers block --no-settings
out_has "error[provider/ref-splat]: terraform_data.a:" "a splat in native syntax has its rule"

# Of blocks.
refused "Duplicate resource \"nimbus_disk\" configuration: $a" "{\"resource\":[{\"nimbus_disk\":{\"a\":{}}},{\"nimbus_disk\":{\"a\":{}}}]}"
refused "Duplicate local value definition" '{"locals":[{"a":1},{"a":2}]}'
refused "Duplicate output definition" '{"output":[{"o":{"value":1}},{"o":{"value":1}}]}'
refused "Duplicate variable declaration" '{"variable":[{"v":{}},{"v":{}}]}'
refused "Duplicate module call" '{"module":[{"m":{"source":"x"}},{"m":{"source":"x"}}]}'
refused "Extraneous JSON object property" '{"nope":{"a":1}}'
refused "Incorrect JSON value type" '{"resource":1}'
refused "Incorrect JSON value type" '{"resource":[1]}'
refused "Missing required argument" '{"removed":{}}'
refused "Incorrect JSON value type" '[1]'
echo 1 >one.tf.json
wants 3 "a file that holds no object" "$lifecheck" predict --config one.tf.json
out_has "one.tf.json:1:1: error: Root value must be object" "is reported"
refused "Duplicate local value definition" '[{"locals":{"a":1}},{"locals":{"a":2}}]'
refused "Resource instance address with keys is not allowed: ${a}[0]" '{"removed":{"from":"nimbus_disk.a[0]"}}'
refused "Removed resource block still exists: $a" "$(disks '"count":1' '"removed":{"from":"nimbus_disk.a"}')"

# Of imports.
refused "Configuration for import target does not exist: $a" '{"import":{"to":"nimbus_disk.a","id":"x"}}'
refused "Configuration for import target does not exist: ${a}[2]" "$(disks '"count":2' '"import":{"to":"nimbus_disk.a[2]","id":"x"}')"
refused "Duplicate import configuration for \"$a\": $a" \
    "$(disks '"size_gb":1' '"import":[{"to":"nimbus_disk.a","id":"x"},{"to":"nimbus_disk.a","id":"y"}]')"
refused "Invalid import id argument: $a" "$(disks '"size_gb":1' '"import":{"to":"nimbus_disk.a","id":"${timestamp()}"}')"
refused "Invalid import id argument: $a" "$(disks '"size_gb":1' '"import":{"to":"nimbus_disk.a","id":""}')" --as terraform
echo '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"terraform_data","name":"a",
    "provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"schema_version":0,"attributes":{"id":"i"}}]}]}' >imported.tfstate
in_state='{"resource":{"terraform_data":{"a":{}}},"import":{"to":"terraform_data.a","id":""}}'
refused "Invalid import id argument: terraform_data.a" "$in_state" --prior-state imported.tfstate --as terraform
predicted "$in_state" --prior-state imported.tfstate --as opentofu
out_has "terraform_data.a" "OpenTofu plans although the identifier is empty"
! grep -qF "Invalid import id argument" "$work/stdout"
result $? "OpenTofu ignores an empty identifier"
predicted "$(disks '"size_gb":1' '"import":{"to":"nimbus_disk.a","id":""}')"
out_has "nimbus_disk.a will be created" "OpenTofu passes over an empty identifier"
predicted "$(disks '"size_gb":1' '"import":{"to":"nimbus_disk.a","id":"${file(\"../x\")}"}')"
out_has "(import)" "an identifier that cannot be reported"

# Of instances.
refused "Invalid count argument: $a" "$(disks '"count":-1')"
refused "Invalid count argument: $a" "$(disks '"count":"${length(split(\",\",timestamp()))}"')"
refused "Invalid count argument: m" '{"module":{"m":{"source":"x","count":-1}}}'
refused "Invalid for_each argument: m" '{"module":{"m":{"source":"x","for_each":["a"]}}}'
refused "Invalid for_each argument: $a" "$(disks '"for_each":["x"]')"
refused "Invalid for_each argument: $a" "$(disks '"for_each":"${toset([1])}"')"
refused "Invalid for_each argument: $a" "$(disks '"for_each":"${toset([timestamp()])}"')"
refused "Invalid for_each argument: $a" "$(disks '"for_each":"${toset(var.v)}"' '"variable":{"v":{"default":["x"],"sensitive":true}}')"
refused "Invalid for_each argument: $a" "$(disks '"for_each":"${zipmap([var.v],[1])}"' '"variable":{"v":{"default":"x","sensitive":true}}')"
refused "Invalid enabled argument: $a" "$(disks '"lifecycle":{"enabled":"${timestamp() == \"a\"}"}')"
refused "Invalid enabled argument: $a" "$(disks '"lifecycle":{"enabled":"${var.v}"}' '"variable":{"v":{"default":true,"sensitive":true}}')"
predicted '{"resource":{"nimbus_disk":{"a":{"lifecycle":{"enabled":false},"name":"n","zone":"z"},"b":{"name":"${nimbus_disk.a == null ? 1 : 2}","zone":"z"}}}}'
out_has "nimbus_disk.b will be created" "what is not enabled is null"
refused 'Invalid "each" attribute: nimbus_disk.a' "$(disks '"for_each":{"x":1},"size_gb":"${each.nope}"')"
refused "Reference to \"each\" in context without for_each: $a" "$(disks '"size_gb":"${each.key}"')"
refused 'Invalid "count" attribute: nimbus_disk.a' "$(disks '"count":1,"size_gb":"${count.nope}"')"
refused "Reference to \"count\" in non-counted context: $a" "$(disks '"size_gb":"${count.index}"')"
refused "Invalid \"path\" attribute: $a" "$(disks '"size_gb":"${path.nope}"')"
refused "Invalid \"self\" reference: $a" "$(disks '"size_gb":"${self.id}"')"
refused "Invalid default value for variable: v" \
    "$(disks '"size_gb":"${var.v}"' '"variable":{"v":{"type":"number","default":"x"}}')"
refused "Invalid type specification: v" '{"variable":{"v":{"type":"nope","default":"x"}}}'
refused "Invalid type specification: v" '{"variable":{"v":{"type":"optional(string)"}}}'
refused "Invalid default value for optional attribute: v" '{"variable":{"v":{"type":"object({n=optional(number,\"x\")})"}}}'
predicted '{"variable":{"l":{"type":"list","default":["a"]},"m":{"type":"map","default":{"k":"b"}}},
 "resource":{"nimbus_disk":{"a":{"for_each":"${var.m}","name":"${var.l[0]}","zone":"z"}}}}'
out_has 'nimbus_disk.a["k"] will be created' "types without elements"
predicted '{"variable":{"v":{"type":"map(object({zone=optional(string,\"z\")}))","default":{"k":{}}}},
 "resource":{"nimbus_disk":{"a":{"for_each":"${{for k, v in var.v : v.zone => k}}","name":"n","zone":"z"}}}}'
out_has 'nimbus_disk.a["z"] will be created' "an optional attribute has its default"
predicted "$(disks '"//":"a remark","self_link":"${nimbus_disk.b.name}"')"
out_has "nimbus_disk.a will be created" "a remark is not an argument"

# Of blocks within a resource.
firewall() { # members
    echo "{\"resource\":{\"nimbus_firewall\":{\"f\":{\"name\":\"n\",$1}}}}"
}
f=nimbus_firewall.f
refused "Duplicate logging block: $f" "$(firewall '"logging":[{"bucket":"a"},{"bucket":"b"}]')"
refused "Missing required argument: $f" "$(firewall '"logging":{}')"
refused "Incorrect JSON value type: $f" "$(firewall '"rule":1')"
refused "Extraneous JSON object property: $f" "$(firewall '"rule":{"protocol":"p","nope":1}')"
refused "Incorrect attribute value type: $f" "$(firewall '"rule":{"protocol":"p","ports":1}')"
refused "Incorrect attribute value type: nimbus_dns_zone.z" '{"resource":{"nimbus_dns_zone":{"z":{"name":"n","soa":[]}}}}'
refused "Incorrect attribute value type: nimbus_dns_zone.z" '{"resource":{"nimbus_dns_zone":{"z":{"name":"n","records":{}}}}}'
refused "Incorrect attribute value type: nimbus_dns_zone.z" '{"resource":{"nimbus_dns_zone":{"z":{"name":"n","hosts":[{"address":"a"}]}}}}'
refused "Incorrect attribute value type: nimbus_dns_zone.z" '{"resource":{"nimbus_dns_zone":{"z":{"name":"n","records":[{"type":"A"}]}}}}'
cat >limits.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"resource_schemas": {"demo_net": {"version": 0, "block": {"block_types": {
 "one": {"nesting_mode": "single", "min_items": 1, "block": {}},
 "some": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {}}}}}}}}}
EOF
schema=limits.json
refused "Missing one block: demo_net.n" '{"resource":{"demo_net":{"n":{"some":{}}}}}'
refused "Insufficient some blocks: demo_net.n" '{"resource":{"demo_net":{"n":{"one":{}}}}}'
refused "Insufficient some blocks: demo_net.n" '{"resource":{"demo_net":{"n":{"one":{},"some":[]}}}}'
refused "Too many some blocks: demo_net.n" '{"resource":{"demo_net":{"n":{"one":{},"some":[{},{},{}]}}}}'
predicted '{"resource":{"demo_net":{"n":{"one":{},"some":[{},{}]},"m":{"one":[{}],"dynamic":{"some":{"for_each":["a","b"],"content":{}}}}}}}'
out_has "demo_net.n will be created" "as many as may be"
out_has "demo_net.m will be created" "dynamic ones are counted"
refused "Insufficient some blocks: demo_net.m" '{"resource":{"demo_net":{"m":{"one":[{}],"dynamic":{"some":{"for_each":[],"content":{}}}}}}}'

# ---- Names that the language does not take for one.

refused "Invalid resource name" '{"resource":{"nimbus_disk":{"a b":{"name":"n","zone":"z"}}}}'
refused "Invalid resource type name" '{"resource":{"nimbus?disk":{"a":{}}}}'
refused "Invalid data source name" '{"data":{"1_disk":{"a":{}}}}'
refused "Invalid data resource name" '{"data":{"nimbus_disk":{"-":{}}}}'
refused "Invalid variable name" '{"variable":{"a.b":{}}}'
refused "Invalid local value name" '{"locals":{"":1}}'
refused "Invalid output name" '{"output":{"a/b":{"value":1}}}'
refused "Invalid module instance name" '{"module":{"a b":{"source":"./c"}}}'

# ---- Provider instances that stored objects need

stored_with() { # key of the instance, provider address, further members of the object
    echo "{\"index_key\": \"$1\", \"provider\": \"$2\", \"schema_version\": 0, \"attributes\": {\"id\": \"$1\", \"input\": {\"value\": \"x\", \"type\": \"string\"}, \"output\": {\"value\": \"x\", \"type\": \"string\"}, \"triggers_replace\": null}${3-}}"
}
instances() { # object... -> instances.json
    local IFS=,
    echo "{\"version\": 4, \"terraform_version\": \"1.12.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": {}, \"resources\": [{\"mode\": \"managed\", \"type\": \"terraform_data\", \"name\": \"a\", \"instances\": [$*]}]}" >instances.json
}
by_key='provider[\"terraform.io/builtin/terraform\"].by_key'
both() { # members of the configuration
    mkdir -p keyed
    echo "{\"provider\": {\"terraform\": {\"alias\": \"by_key\", \"for_each\": {\"us\": \"v\"}}}$1}" >keyed/main.tf.json
}
lacks_instance() { # name, option...
    local name=$1
    shift
    wants 1 "$name" "$lifecheck" predict --no-settings --as opentofu --config keyed --prior-state instances.json "$@"
    out_has "the client fails: Provider instance not present: terraform_data.a[\"eu\"]" "by its provider instance"
}
out_lacks() { # text, name
    ! grep -qF -- "$1" "$work/stdout"
    result $? "$2"
}
# shellcheck disable=SC2016
users=', "resource": {"terraform_data": {"a": {"input": "x", "for_each": {"us": 1}, "provider": "terraform.by_key[each.key]"}}}'
instances "$(stored_with eu "${by_key}[\\\"eu\\\"]")" "$(stored_with us "${by_key}[\\\"us\\\"]")"
both "$users"
lacks_instance "an instance whose key is gone" --mode normal
out_has 'unchanged: terraform_data.a["us"]' "the others are planned"
out_lacks 'terraform_data.a["eu"] will be destroyed' "and it is not"
lacks_instance "the same in a destroy plan" --mode destroy
out_lacks "delete" "which plans nothing"
lacks_instance "the same in a destroy plan without refresh" --mode destroy --no-refresh
lacks_instance "the same in a refresh-only plan" --mode refresh-only
wants 0 "a key that is still there" "$lifecheck" predict --no-settings --as opentofu --config keyed --prior-state instances.json --mode destroy --no-refresh --target 'terraform_data.a["us"]'
both ""
lacks_instance "a block that is gone, too"
both ', "removed": [{"from": "terraform_data.a", "lifecycle": {"destroy": false}}]'
lacks_instance "objects that are forgotten"
both "$users"
instances "$(stored_with eu "${by_key}[\\\"eu\\\"]" ', "deposed": "00000001"')" "$(stored_with us "${by_key}[\\\"us\\\"]")"
lacks_instance "a deposed object"
instances "$(stored_with us "${by_key}[\\\"us\\\"]")"
wants 0 "all instances are there" "$lifecheck" predict --no-settings --as opentofu --config keyed --prior-state instances.json --mode destroy
out_has '1 deleted' "the object is destroyed"
wants 1 "a repeated provider block in Terraform" "$lifecheck" predict --no-settings --as terraform --config keyed --prior-state instances.json
out_has "the client fails: Reserved argument name in provider block" "is an error"
out_lacks "Provider configuration not present" "and later stages do not begin"
both ""
wants 1 "a repeated provider block that nothing uses" "$lifecheck" predict --no-settings --as terraform --config keyed
out_has "the client fails: Reserved argument name in provider block" "is an error as well"
# shellcheck disable=SC2016
both ', "resource": {"terraform_data": {"a": {"for_each": {"us": 1, "ap": 1}, "provider": "terraform.by_key[each.key]"}}}'
wants 1 "a declared instance without a provider instance" "$lifecheck" predict --no-settings --as opentofu --config keyed
out_has 'terraform_data.a["us"] will be created' "others are planned"
out_lacks 'terraform_data.a["ap"] will be created' "but not that one"
wants 1 "a state without providers" "$lifecheck" predict --no-settings --as opentofu --config keyed --prior-state <(sed 's/"provider": "[^ ]*", "schema/"schema/' instances.json)
out_has "the client fails: error loading state: Provider field missing state" "is none that OpenTofu reads"

predicted "$(disks '"size_gb":1')" --replace 'module.m["k"]'
grep -qF 'the client fails: Invalid force-replace address "module.m[\"k\"]": module.m["k"]' stdout
result $? "an address in a summary is quoted as the clients quote it"

# ---- replace_triggered_by

triggers() { # summaries of OpenTofu and of Terraform, separated by semicolons; entry, other lines of the resource
    local client
    printf 'resource "terraform_data" "a" {\n  %s\n  lifecycle {\n    replace_triggered_by = [%s]\n  }\n}\nresource "terraform_data" "b" {}\n' "${4-}" "$3" >triggers/main.tf
    for client in opentofu terraform; do
        run "$lifecheck" predict --no-settings --as $client --config triggers
        sed -n 's/^the client fails: \([^:(]*[^:( ]\).*/\1/p' stdout | sort | paste -sd ';' >found
        [ "$(cat found)" = "$([ $client = opentofu ] && echo "$1" || echo "$2")" ]
        result $? "replace_triggered_by = [$3] ${4-}, $client"
    done
}
both_trigger() { triggers "$1" "$1" "${@:2}"; }

mkdir triggers
none="Invalid replace_triggered_by expression"
other="Invalid reference in replace_triggered_by expression"
both_trigger "$none" null
both_trigger "$none" '"terraform_data.b"'
both_trigger "$none" count.index
both_trigger "$none" '1 + terraform_data.b.id + terraform_data.b.id'
both_trigger "$none" 'terraform_data.b.nope, null'
both_trigger "$other" 'terraform_data.b.id + local.x'
both_trigger "$other" 'terraform_data.b[local.x]'
both_trigger "$other;$none" self.id
both_trigger "Invalid each reference in replace_triggered_by expression;$none" each.value
both_trigger "Invalid each reference in replace_triggered_by expression" 'terraform_data.b[each.value]'
both_trigger "Invalid count reference in replace_triggered_by expression" 'terraform_data.b[count.foo]'
both_trigger "Invalid reference" terraform_data
undeclared="Undeclared resource in replace_triggered_by"
triggers "$undeclared" "Reference to undeclared resource" terraform_data.nope
both_trigger "Reference to undeclared resource" terraform_data.nope 'input = terraform_data.nope.id'
both_trigger "Unsupported argument" terraform_data.nope 'bogus = 1'
both_trigger "Invalid function argument" terraform_data.nope 'input = tostring([])'
triggers "Reference to undeclared resource;$undeclared" "Reference to undeclared resource" terraform_data.nope 'depends_on = [terraform_data.nope]'

# ---- Conditions with a reference that is wrong: the clients evaluate them all the same

condition() { # summaries, condition, message, block, its end
    local client
    printf 'variable "v" {\n  default = 1\n}\n%s\n    precondition {\n      condition     = %s\n      error_message = %s\n    }\n%s\n' \
        "$4" "$2" "$3" "${5-$end}" >conditions/main.tf
    for client in opentofu terraform; do
        run "$lifecheck" predict --no-settings --as $client --config conditions
        [ "$(sed -n 's/^the client fails: \([^:(]*[^:( ]\).*/\1/p' stdout | sort -u | paste -sd ';')" = "$1" ]
        result $? "condition = $2, error_message = $3, $client"
    done
}
mkdir conditions
in_resource='resource "terraform_data" "a" {
  lifecycle {'
end='  }
}'
in_output='output "o" {
  value = 1'
missing="Reference to undeclared resource"
condition "$missing;Unknown variable" 'terraform_data.nope.id == "x"' '"no"' "$in_resource"
condition "$missing;Unknown variable" 'var.v == 1' '"no ${terraform_data.nope.id}"' "$in_resource"
condition "$missing;Unknown variable" 'try(terraform_data.nope.id, 1) == var.v' '"no"' "$in_resource"
condition "$missing;Unknown variable" 'length([for x in var.v : terraform_data.nope.id + x]) > 0' '"no"' "$in_resource"
condition "Reference to undeclared input variable" 'var.nope == "x"' '"no"' "$in_resource"
condition "Reference to undeclared local value" 'local.nope == "x"' '"no"' "$in_resource"
condition 'Invalid "path" attribute' 'path.nope == "x"' '"no"' "$in_resource"
condition "Reference to undeclared module;Unknown variable" 'module.nope.x == "x"' '"no"' "$in_resource"
condition 'Invalid "self" reference;Unknown variable' 'self.id == "x"' '"no"' "$in_resource"
condition "$missing" 'can(terraform_data.nope.id)' '"no ${try(terraform_data.nope.id, 1)}"' "$in_resource"
condition "Invalid reference;Unknown variable" 'terraform_data == var.v' '"no"' "$in_resource"
condition "$missing;Unknown variable" 'terraform_data.nope.id == "x"' '"no"' "$in_output" "}"
