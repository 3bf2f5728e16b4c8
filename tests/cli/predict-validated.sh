#!/usr/bin/env bash
# lifecheck predict: the errors of a configuration that clients report together, because they validate all of it before
# they plan; each is that of terraform 1.11.4. Then those of a plan.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/predict.bash
. "$root/tests/cli/predict.bash"
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

# ---- for_each that fails; the errors are those of tofu 1.12.6 and terraform 1.11.4

# each EXPRESSION CLIENT SUMMARY...
each() {
    printf 'resource "terraform_data" "r" {\n  count = 2\n}\nresource "terraform_data" "e" {\n  for_each = %s\n}\n' "$1" >main.tf
    errors "for_each = $1" "${@:2}"
}
rm -f -- *.tf
each 'keys(terraform_data.r)' opentofu 'Invalid function argument' 'Invalid for_each argument'
each 'keys(terraform_data.r)' terraform 'Invalid function argument'
each 'toset(1 + "a")' opentofu 'Invalid operand' 'Invalid for_each argument'
each 'toset(1 + "a")' terraform 'Invalid operand'
each '[1 + "a"]' opentofu 'Invalid operand' 'Invalid for_each argument'
each '{ a = 1 + "a" }' opentofu 'Invalid operand'
each '{ a = terraform_data.r[7] }' opentofu 'Invalid index'
each 'toset([terraform_data.nope])' opentofu 'Reference to undeclared resource'
printf 'resource "terraform_data" "r" {\n  for_each = toset(1 + "a")\n}\nresource "terraform_data" "t" {\n  count = abs({})\n}\n' >main.tf
errors "that of a resource is evaluated when it is planned" opentofu 'Invalid function argument'
errors "that of a resource is evaluated with all others" terraform 'Invalid function argument' 'Invalid operand'
mkdir -p child
: >child/main.tf
printf 'module "m" {\n  source   = "./child"\n  for_each = toset(1 + "a")\n}\n' >main.tf
errors "that of a module call is evaluated first, when keys may be unknown" opentofu 'Invalid operand'
