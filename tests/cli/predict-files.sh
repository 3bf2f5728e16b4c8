#!/usr/bin/env bash
# lifecheck predict, providers: which files a configuration may read, and what of them a report shows.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

out_has() { # text, name
    grep -qF -- "$1" "$work/stdout"
    result $? "$2"
}

# shows_nothing TEXT NAME ARGUMENTS...: no format shows the text
shows_nothing() {
    local text=$1 name=$2 format
    shift 2
    for format in text concise json jsonl markdown github sarif junit tap html; do
        run "$lifecheck" "$@" --format "$format"
        [ "$status" = 0 ] || [ "$status" = 1 ] || echo "#   $format: exit status $status"
        ! grep -qF -- "$text" "$work/stdout" "$work/stderr"
        result $? "$name: $format"
    done
}

mkdir -p repo/.git repo/env repo/modules/m outside/m
printf 'OUTSIDE' >outside/s.txt
echo 'resource "terraform_data" "outside" {}' >outside/m/main.tf
printf 'GIT' >repo/.git/config
printf 'ENV' >repo/.env
printf 'STATE' >repo/prod.tfstate
printf 'INSIDE' >repo/s.txt
printf '{"%s": {"a": "%s"}}' 'KEY\"]INSIDE' VALUE >repo/env/x.json
cat >repo/modules/m/main.tf <<'END'
variable "keys" {}
resource "terraform_data" "m" {
  for_each = var.keys
}
END

# ---- Modules.

modules() { # source...
    local n=0 source
    for source; do
        n=$((n + 1))
        printf 'module "m%d" {\n  source = "%s"\n}\n' $n "$source"
    done >repo/env/main.tf
}

ln -s ../../outside/m repo/env/link
mkdir -p repo/env/.terraform/modules
cat >repo/env/.terraform/modules/modules.json <<'END'
{"Modules": [{"Key": "m4", "Source": "registry.terraform.io/a/b/c", "Version": "1.0.0", "Dir": "../../outside/m"}]}
END
modules ../../outside/m ./link ../../../../../../../../../../etc a/b/c
wants 0 "modules outside of the repository" "$lifecheck" predict --config repo/env
for m in 1 2 3 4; do
    out_has "module.m$m  undecided instances: the module" "module $m is not opened"
done
out_has 'it lies outside of the repository; --module-root DIR adds a folder' "with the remedy"
grep -q 'repo/env/main.tf:1:1: warning: the module ../../outside/m is not opened' stderr stdout
result $? "a warning names the call"
! grep -qF terraform_data.outside stdout
result $? "nothing of them is read"
if command -v strace >/dev/null; then
    strace -f -e trace=open,openat -o trace "$lifecheck" predict --config repo/env >stdout 2>stderr
    ! grep -E '"(/etc|[^"]*outside)[^"]*"' trace | grep -vE '/etc/(ld\.so|localtime)'
    result $? "nothing outside is opened"
fi
modules ../../outside/m
wants 0 "a root that is added" "$lifecheck" predict --config repo/env --module-root outside
out_has 'module.m1.terraform_data.outside' "is read"
wants 3 "a root that is not there" "$lifecheck" predict --config repo/env --module-root nowhere
rm -r repo/env/.terraform repo/env/link

# ---- Files.

file_of() { # path: an instance is named by what is in the file
    printf 'resource "terraform_data" "x" {\n  for_each = toset([file("%s")])\n}\n' "$1" >repo/env/main.tf
}

for path in ../../outside/s.txt ../../../../../../../../../etc/passwd /etc/passwd; do
    file_of "$path"
    wants 0 "a file outside: $path" "$lifecheck" predict --config repo/env
    out_has 'terraform_data.x  undecided instances: file: the file is not read, because it lies outside' "is not read"
done
ln -s ../../outside/s.txt repo/env/out.txt
ln -s ../.git/config repo/env/git.txt
file_of out.txt
wants 0 "a link that leads out" "$lifecheck" predict --config repo/env
out_has 'because a symbolic link leads out of the configuration' "is not followed"
for path in ../.git/config git.txt ../.env ../prod.tfstate; do
    file_of "$path"
    wants 0 "a private file: $path" "$lifecheck" predict --config repo/env
    out_has '; --private-files reads them' "is not read"
    wants 0 "with --private-files" "$lifecheck" predict --config repo/env --private-files --show-file-values
    grep -qE 'terraform_data.x\["(GIT|ENV|STATE)"\]' stdout
    result $? "it is"
done
file_of ../s.txt
wants 0 "a file of the repository" "$lifecheck" predict --config repo/env
out_has 'terraform_data.x["(hidden 1)"] will be created' "is read, and not shown"
wants 0 "without a repository" env -C repo mv .git git
wants 0 "a file beside the folder" "$lifecheck" predict --config repo/env
out_has "it lies outside of the configuration's folder, which is in no repository" "is not read"
mv repo/git repo/.git

# ---- What is shown.

cat >repo/env/main.tf <<'END'
resource "terraform_data" "a" {
  for_each = jsondecode(file("x.json"))
  input    = each.value
}
resource "terraform_data" "b" {
  for_each = { for k, v in terraform_data.a : "${k}-${v.input.a}" => k }
}
resource "terraform_data" "c" {
  for_each = toset([for v in ["INSIDE", "q"] : v if v == file("../s.txt")])
}
resource "terraform_data" "d" {
  count = file("../s.txt") == "INSIDE" ? 2 : 0
}
resource "terraform_data" "e" {
  for_each = fileset(path.module, "*.json")
}
resource "terraform_data" "f" {
  for_each = toset([templatefile("../s.txt", {}), filemd5("../s.txt"), filebase64("../s.txt")])
  lifecycle {
    precondition {
      condition     = length(each.key) != 6
      error_message = "it is ${each.key}"
    }
  }
}
module "m" {
  source   = "../modules/m"
  for_each = toset([upper(file("../s.txt"))])
  keys     = toset([each.key])
}
END
args=(predict --config repo/env)
wants 1 "keys from files" "$lifecheck" "${args[@]}"
out_has 'terraform_data.a["(hidden ' "a key of a file that is decoded"
out_has 'terraform_data.d[1]' "a file decides about count"
out_has 'terraform_data.e["x.json"]' "names of files are shown"
out_has 'Resource precondition failed: terraform_data.f["(hidden ' "errors have the token"
out_has '].terraform_data.m["(hidden ' "keys of modules and in modules"
out_has 'keys that come from files, or from sensitive outputs of other states, are not shown' "and a line says so"
shows_nothing INSIDE "no format shows a file" "${args[@]}"
shows_nothing VALUE "nor what is derived from it" "${args[@]}"
shows_nothing 554a7418 "nor its hash" "${args[@]}"
wants 1 "policies match the keys" "$lifecheck" "${args[@]}" --forbid 'create:module.m["INSIDE"].terraform_data.m["INSIDE"]'
out_has 'error[run/forbidden]: module.m["(hidden ' "and show the token"
wants 1 "with --show-file-values" "$lifecheck" "${args[@]}" --show-file-values
out_has 'module.m["INSIDE"].terraform_data.m["INSIDE"]' "they are shown"
out_has 'terraform_data.a["KEY\"]INSIDE"]' "with their escapes"

# The previous state has the key in an address, so it is not a secret.
cat >repo/env/main.tf <<'END'
resource "terraform_data" "x" {
  for_each = toset([file("../s.txt"), "${file("../s.txt")}-new"])
}
END
cat >prior.json <<'END'
{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {"pw": {"value": "PASSWORD", "type": "string", "sensitive": true},
  "name": {"value": "open", "type": "string"}}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "x",
  "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"index_key": "INSIDE", "schema_version": 0,
  "attributes": {"id": "1", "input": null, "output": null, "triggers_replace": null}}]}]}
END
wants 0 "a key that the state has" "$lifecheck" predict --config repo/env --prior-state prior.json
out_has 'unchanged: terraform_data.x["INSIDE"]' "is shown"
out_has 'terraform_data.x["(hidden 2)"] will be created' "another one is not"

# ---- Sensitive outputs of other states.

cp prior.json repo/env/other.tfstate
cat >repo/env/main.tf <<'END'
data "terraform_remote_state" "s" {
  backend = "local"
  config = {
    path = "other.tfstate"
  }
}
resource "terraform_data" "x" {
  for_each = toset([data.terraform_remote_state.s.outputs.pw])
}
resource "terraform_data" "y" {
  for_each = toset([data.terraform_remote_state.s.outputs.name])
}
END
wants 0 "outputs of another state" "$lifecheck" predict --config repo/env
out_has 'terraform_data.x["(hidden 1)"] will be created' "a sensitive one is not shown"
out_has 'terraform_data.y["open"] will be created' "another one is"
shows_nothing PASSWORD "no format shows it" predict --config repo/env

# ---- providers

cat >repo/env/main.tf <<'END'
terraform {
  required_providers {
    demo = {
      source = "example/demo"
    }
  }
}
provider "demo" {
  alias    = "by"
  for_each = toset([file("../s.txt")])
}
resource "demo_disk" "a" {
  for_each = toset([file("../s.txt")])
  provider = demo.by[each.key]
}
resource "demo_disk" "b" {
  for_each = toset([file("../s.txt")])
  provider = demo.by["x${each.key}"]
}
END
wants 1 "provider instances" "$lifecheck" providers --as opentofu repo/env
out_has 'demo_disk.a["(hidden 1)"]  provider["registry.opentofu.org/example/demo"].by["(hidden 1)"]' "are found, and their keys not shown"
shows_nothing INSIDE "no format of providers shows them" providers --as opentofu repo/env
shows_nothing INSIDE "nor as the document has it" providers repo/env

# ---- sources of modules that OpenTofu evaluates

mkdir -p computed/mods/a/inner computed/mods/b
cat >computed/main.tf <<'EOF'
variable "kind" { default = "a" }
variable "later" { type = string }
locals {
  dir = "./mods/${local.b}"
  b   = "b"
}
module "local" { source = local.dir }
module "variable" {
  source = "./mods/${var.kind}"
  below  = "inner"
}
module "open" { source = "./mods/${var.later}" }
EOF
cat >computed/mods/a/main.tf <<'EOF'
variable "below" {}
module "nested" { source = "./${var.below}" }
EOF
for m in a/inner b; do echo 'resource "terraform_data" "x" {}' >computed/mods/$m/main.tf; done
wants 0 "sources from variables and locals" "$lifecheck" predict --config computed --as opentofu --open-variables
out_has 'module.local.terraform_data.x will be created' "a local names the folder"
out_has 'module.variable.module.nested.terraform_data.x will be created' "an argument of the caller does"
out_has 'module.open  undecided instances: the source of the module is not known' "a variable without a value leaves it open"
wants 0 "a value of the variable" "$lifecheck" predict --config computed --as opentofu --var later=b --var kind=a
out_has 'module.open.terraform_data.x' "decides the folder"
wants 1 "a folder that is not there" "$lifecheck" predict --config computed --as opentofu --var later=c
out_has 'the client fails: Unreadable module directory' "stops the client"
wants 1 "a source that needs a variable without a value" "$lifecheck" predict --config computed --as opentofu
out_has 'the client fails: No value for required variable' "stops the client"
wants 1 "Terraform before 1.15" "$lifecheck" predict --config computed --as terraform@1.14 --open-variables
out_has 'the client fails: Variables not allowed' "takes literal sources only"
wants 1 "Terraform" "$lifecheck" predict --config computed --as terraform --open-variables
out_has 'the client fails: Unknown module source' "takes constant variables only"
stops() { # expression, summary
    printf 'variable "s" {\n  default = "./mods/b"\n  sensitive = true\n}\nresource "terraform_data" "d" {}\nlocals {\n  none = null\n  self = local.self\n}\nmodule "m" {\n  source = %s\n}\n' "$1" >computed/main.tf
    wants 1 "the source $1" "$lifecheck" predict --config computed --as opentofu
    out_has "the client fails: $2" "is refused: $2"
}
stops 'terraform_data.d.id' 'Dynamic value in static context'
stops 'var.s' 'Sensitive value not allowed'
stops 'var.nope' 'Undefined variable'
stops 'local.none' 'Unsuitable value type'
stops 'local.self' 'Circular reference'
