#!/usr/bin/env bash
# lifecheck predict: names, functions and rules of the language that not all versions of the clients have. What is
# expected was compared with terraform 1.11.4 and 1.16.0.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/predict.bash
. "$root/tests/cli/predict.bash"
mkdir "$work/c"
cd "$work/c" || exit 1

actions() { # name, client, expected lines of text, options...
    local name=$1 as=$2 want=$3
    shift 3
    "$lifecheck" predict . --as "$as" "$@" >"$work/stdout" 2>"$work/stderr"
    diff <(grep -E '^ *([-+/.~?]+|unchanged:) ' "$work/stdout" | sed 's/^ *//' | sort) <(printf '%s\n' "$want" | sort) | sed 's/^/# /'
    result "${PIPESTATUS[0]}" "$as: $name"
}

arguments() { # the errors of versions that know none of the names below
    cat <<'T'
variable "a" {
  default    = "x"
  deprecated = "use b"
}
variable "m" {
  default = "m"
  const   = true
}
module "x" {
  source                     = "./${var.m}"
  ignore_nested_deprecations = true
}
output "o" {
  value = "1"
  type  = number
}
resource "terraform_data" "a" {
  lifecycle { destroy = false }
}
T
}
mkdir m
echo 'output "v" { value = 1 }' >m/main.tf
arguments >main.tf
errors "names of 1.15 and 1.16" terraform@1.11.4 'Unsupported argument: the argument const needs Terraform 1.15 or OpenTofu 1.12' \
    'Unsupported argument: the argument deprecated needs Terraform 1.15 or OpenTofu 1.10' 'Unsupported argument: .*destroy needs Terraform 1.16' \
    'Unsupported argument: .*ignore_nested_deprecations needs Terraform 1.15$' 'Unsupported argument: .*type needs Terraform 1.15$' \
    'Unsuitable value type' 'Variables not allowed'
errors "a name of 1.16" terraform@1.15 'Unsupported argument: .*destroy needs Terraform 1.16'
errors "all are known" terraform@1.16
errors "the newest is the default" terraform
sed -i 's/^  const .*//' main.tf
errors "a source is made of constants" terraform 'Unknown module source: only variables'
sed -i 's/\.\/${var.m}/.\/${terraform.workspace}/' main.tf
errors "and of nothing else" terraform 'Invalid module source'

cat >main.tf <<'T'
variable "m" {
  const     = true
  sensitive = true
  ephemeral = true
}
output "o" {
  value      = { a = "x" }
  deprecated = "no"
  type       = object({ a = number })
}
T
errors "rules of the new names" terraform 'Const variable cannot be ephemeral' 'Const variable cannot be sensitive' 'Root module output deprecated'
sed -i '1,5d; s/.*deprecated.*//' main.tf
errors "an output that does not fit" terraform 'Invalid output value'

cat >main.tf <<'T'
resource "terraform_data" "a" {
  lifecycle {
    action_trigger {
      events  = [before_create, after_update]
      actions = [action.x_y.z]
    }
  }
}
T
errors "a trigger of actions" terraform
errors "before there were any" terraform@1.13 'Unsupported block type: the block action_trigger needs Terraform 1.14'
errors "in another client" opentofu 'Unsupported block type'
sed -i 's/before_create, after_update/before_create, before_create, now/; s/action.x_y.z//' main.tf
errors "what a trigger must have" terraform 'Duplicate "before_create" event' 'Invalid "event" value now' 'No actions specified'

printf 'removed {\n  from = terraform_data.b\n  lifecycle { destroy = false }\n}\n' >main.tf
errors "a block of 1.7" terraform@1.6 'Unsupported block type: the block removed needs Terraform 1.7 or OpenTofu 1.7'
errors "a block in a block" opentofu@1.9 'Unsupported block type: the block lifecycle needs Terraform 1.7 or OpenTofu 1.10'
printf 'terraform { required_version = "~> 1.6.0" }\n' >versions.tf
errors "required_version names it" terraform 'Unsupported block type'
printf 'terraform { required_version = "~> 1.6" }\n' >versions.tf
errors "a newer one is allowed" terraform
rm versions.tf
printf '{"removed": [{"from": "terraform_data.b", "lifecycle": {"destroy": false}}]}' >main.tf.json
rm main.tf
errors "in JSON" terraform@1.6 'Extraneous JSON object property: the block removed needs'
rm main.tf.json

printf 'locals { x = "a" }\noutput "a" { value = templatestring(local.x, {}) }\n' >main.tf
errors "a function of 1.9" terraform@1.8 'Call to unknown function'
errors "is known then" terraform@1.9
errors "in OpenTofu earlier" opentofu@1.7
errors "but not always" opentofu@1.6 'Call to unknown function'
printf 'output "f" { value = format("%%s", null) }\n' >main.tf
errors "a null without a type" terraform@1.12 'Error in function call'
errors "whose result is unknown" terraform@1.11

cat >main.tf <<'T'
variable "n" { default = 1 }
resource "terraform_data" "a" {
  input = var.n
  lifecycle { destroy = false }
}
resource "terraform_data" "r" {
  triggers_replace = var.n
  lifecycle { destroy = false }
}
resource "terraform_data" "c" {
  count = var.n == 1 ? 2 : 1
  lifecycle { destroy = false }
}
T
object() { # name, instance's members
    printf '{"mode":"managed","type":"terraform_data","name":"%s","provider":"provider[\\"terraform.io/builtin/terraform\\"]","instances":[%s]}' "$1" "$2"
}
one='"schema_version":0,"attributes":{"id":"1","input":null,"output":null,"triggers_replace":null}'
in='{"schema_version":0,"attributes":{"id":"1","input":{"value":1,"type":"number"},"output":{"value":1,"type":"number"},"triggers_replace":null}}'
trigger='"schema_version":0,"attributes":{"id":"1","input":null,"output":null,"triggers_replace":{"value":1,"type":"number"}}'
state() { # members of the second object
    printf '{"version":4,"terraform_version":"1.16.0","serial":1,"lineage":"x","outputs":{},"resources":[%s,%s,%s]}' "$(object a "$in")" \
        "$(object r "{$trigger$1}")" "$(object c "{\"index_key\":0,$one},{\"index_key\":1,$one}")" >prior.json
}
state ''
actions "forgets an instance, destroys in a replace" terraform '. terraform_data.c[1] will no longer be managed, but will not be destroyed
-/+ terraform_data.r must be replaced
~ terraform_data.a will be updated in-place
unchanged: terraform_data.c[0]' --prior-state prior.json --var n=2
actions "forgets in a replace" opentofu '. terraform_data.c[1] will no longer be managed, but will not be destroyed
./+ terraform_data.r must be replaced, and the former object is not destroyed
~ terraform_data.a will be updated in-place
unchanged: terraform_data.c[0]' --prior-state prior.json --var n=2
state ',"status":"tainted"'
actions "forgets what is tainted" terraform '+/. terraform_data.r is tainted, so must be replaced
unchanged: terraform_data.a, terraform_data.c[0], terraform_data.c[1]' --prior-state prior.json
