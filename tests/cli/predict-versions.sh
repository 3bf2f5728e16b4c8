#!/usr/bin/env bash
# lifecheck predict: names, functions and rules of the language that not all versions of the clients have. What is
# expected was compared with terraform 1.11.4 and 1.16.0.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
mkdir "$work/c"
cd "$work/c" || exit 1

errors() { # name, client, expected "Summary name" lines...
    local name=$1 as=$2
    shift 2
    "$lifecheck" predict . --as "$as" --format json >"$work/stdout" 2>"$work/stderr"
    python3 - "$work/stdout" "$@" <<'P'
import json, re, sys
report = json.load(open(sys.argv[1]))
found = sorted(e["summary"] + ": " + e.get("detail", "") for e in report["cases"][0]["prediction"]["errors"])
print(*found, sep="\n", file=open("found", "w"))
sys.exit(0 if len(found) == len(sys.argv) - 2 and all(sum(bool(re.search(p, f)) for f in found) == 1 for p in sys.argv[2:]) else 1)
P
    result $? "$as: $name"
}

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

# ---- What stops a client before, or while it plans.
cat >main.tf <<'T'
resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition     = terraform_data.s.id == ""
      error_message = "no"
    }
  }
}
resource "terraform_data" "s" {
}
output "o" {
  value = toset(true)
}
T
errors "the value of an output is validated first" terraform 'Invalid function argument'
printf 'locals {\n  l = toset(true)\n}\noutput "a" {\n  value = local.l\n}\noutput "b" {\n  value = local.l\n}\n' >main.tf
errors "an error of a local is one error" terraform 'Invalid function argument'
cat >main.tf <<'T'
resource "terraform_data" "a" {
  count = 2
}
locals {
  s   = toset([for a in terraform_data.a : a.id])
  bad = 1 + []
}
output "x" {
  value = toset(true)
}
output "y" {
  value = values(local.s)
}
output "z" {
  value = length(local.bad)
}
T
errors "locals and outputs of them are validated at once" terraform 'Error in function call' 'Invalid operand' 'Invalid function argument'
mkdir -p args
cat >args/main.tf <<'T'
variable "i" {
  type = string
}
resource "terraform_data" "x" {
  input = upper([var.i])
}
T
cat >main.tf <<'T'
variable "o" {
  type    = object({ y = list(number) })
  default = { y = [] }
}
resource "terraform_data" "r" {
  for_each = toset(["a"])
  input    = var.o.z
}
module "converted" {
  source = "./args"
  i      = [1]
}
module "evaluated" {
  source   = "./args"
  for_each = toset(["a"])
  i        = 1 + []
}
module "fits" {
  source = "./args"
  count  = 2
  i      = parseint("1", count.index)
}
T
errors "so are resources and arguments of modules" terraform 'Unsupported attribute' 'Invalid value for input variable' 'Invalid operand' 'Invalid function argument'
cat >main.tf <<'T'
variable "r" {
  default = "x"
}
locals {
  z = toset([var.r])
}
provider "aws" {
  region = values(local.z)
}
provider "aws" {
  alias  = "two"
  region = var.nope
}
provider "aws" {
  alias  = "unused"
  region = var.nope
}
data "aws_region" "needs_the_first" {
  name = 1 + []
}
resource "aws_s3_bucket" "needs_the_second" {
  provider = aws.two
  count    = 0
}
output "o" {
  value = toset(true)
}
T
errors "so are providers that are used, and not what needs them" terraform 'Error in function call' 'undeclared input variable' 'Invalid function argument'
cat >main.tf <<'T'
variable "s" {
  default   = ["a"]
  sensitive = true
}
variable "l" {
  type    = list(number)
  default = [1]
}
variable "unknown" {
  default = {}
}
resource "terraform_data" "s" {
  for_each = var.s
}
resource "terraform_data" "l" {
  count = var.l
}
resource "terraform_data" "u" {
  for_each = var.unknown
}
output "o" {
  value = toset(true)
}
T
errors "so are count and for_each, whose keys need not be known" terraform 'Invalid for_each argument' 'Incorrect value type' 'Invalid function argument'
printf 'variable "a" {}\nvariable "b" {}\n' >main.tf
errors "every variable without a value is an error" terraform 'a=VALUE' 'b=VALUE'
mkdir -p n
cat >n/main.tf <<'T'
variable "i" {}
resource "terraform_data" "a" { input = var.i }
resource "terraform_data" "b" { count = terraform_data.a.output == null ? 1 : 0 }
T
printf 'module "n" {\n  source = "./n"\n  count  = 2\n  i      = count.index == 0 ? null : "x"\n}\n' >main.tf
errors "a count is not known in one module instance" terraform 'Invalid count argument'
! "$lifecheck" predict . --as terraform | grep -q 'terraform_data.b.*created'
result $? "nor planned in the other"

# The refresh before a destroy plan evaluates the targets and IDs of imports.
rm -rf n args
cat >prior.json <<'T'
{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"terraform_data",
"name":"r","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"index_key":0,"schema_version":0,
"attributes":{"id":"i","input":null,"output":null,"triggers_replace":null}}]}]}
T
imported() { # target, id
    printf 'resource "terraform_data" "r" {\n  count = 1\n}\nresource "terraform_data" "n" {}\nimport {\n  to = %s\n  id = %s\n}\n' "$1" "$2" >main.tf
    "$lifecheck" predict . --as terraform --prior-state prior.json --mode destroy >"$work/stdout" 2>"$work/stderr"
}
imported 'terraform_data.r[1]' '"x"'
grep -q 'the client fails: Configuration for import target does not exist' "$work/stdout"
result $? "-destroy: no instance for an import"
imported terraform_data.n '""'
grep -q 'the client fails: Invalid import id argument' "$work/stdout"
result $? "-destroy: an empty ID"
imported terraform_data.n '"x"'
grep -q 'prediction: 1 object: 1 firm (1 deleted)' "$work/stdout"
result $? "-destroy: nothing is imported"
