#!/bin/bash
# `lifecheck serve`: with the test client, which makes recorded calls, and with terraform and tofu where they are installed.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
schemas=$root/testdata/schemas
published=(--schema "$schemas/published-random.json" --schema "$schemas/published-time.json" --schema "$schemas/published-null.json")

serve() { # [OPTION...] -- COMMAND...
    run timeout -k 5 120 "$lifecheck" serve "$@"
}

serves() { # STATUS NAME [OPTION...] -- COMMAND...
    local want=$1 name=$2
    shift 2
    : >"$PEER_LOG"
    serve "$@"
    [ "$status" = "$want" ] || echo "#   exit status $status, not $want"
    [ "$status" = "$want" ]
    result $? "$name"
    leaves_nothing "$name"
}

err_has() { # text, name
    grep -qF -- "$1" "$work/stderr"
    result $? "$2"
}

# What is given wrongly.
serves 2 "no schema" -- true
err_has "--schema FILE" "no schema: it says what to give"
serves 2 "no command" "${published[@]}"
serves 2 "a command and --listen" "${published[@]}" --listen -- true
serves 2 "an address without a file" --provider-schema hashicorp/time -- true
err_has "ADDRESS=FILE" "an address without a file: it says what to give"
serves 3 "a schema that is not there" --schema missing.json -- true
serves 3 "a document that is not a schema" --schema "$captures/README.md" -- true
serves 3 "two schemas of one provider" "${published[@]}" --schema "$schemas/published-time.json" -- true
err_has "two documents" "two schemas of one provider: it says so"
err_has "$schemas/published-time.json is the other" "two schemas of one provider: both documents are named"
serves 3 "two schemas of one provider, of two registries" "${published[@]}" --provider-schema "registry.opentofu.org/hashicorp/time=$schemas/published-time.json" -- true
serves 3 "several providers for one address" --provider-schema "a/b=$schemas/plans.json" -- true
serves 3 "nested attributes in protocol 5" --protocol 5 --schema "$schemas/serve.json" -- true
err_has "full_thing has the nested attribute modes" "nested attributes in protocol 5: which"
serves 3 "a schema that is refused, with a folder for objects" --protocol 5 --schema "$schemas/serve.json" --state-dir unused -- true
[ ! -e unused ]
result $? "the folder is not made"
mkdir taken
echo '{}' >taken/store.json
serves 3 "a folder of others for objects" "${published[@]}" --state-dir taken -- true
err_has "taken/store.json" "a folder of others: its file is named"

serves 2 "a rule that does not exist" "${published[@]}" --break apply/change -- true
err_has "there is no such rule" "a rule that does not exist: it says so"
serves 2 "a rule that a provider cannot violate" "${published[@]}" --break sequence/prior-chain -- true
err_has "cannot violate this rule; RULE[@TYPE[.PATH]] takes wire/rpc-error, " "and says which it can"
serves 2 "a path to what has none" "${published[@]}" --break schema/single-items@peer_thing.title -- true
err_has "not at a path; write --break schema/single-items or" "a path to what has none: it says so"
serves 2 "a type that is missing" "${published[@]}" --break apply/changed@ -- true
err_has "the type is missing" "a type that is missing: it says so"
wants 0 "--break help" "$lifecheck" serve --break help
while read -r rule; do
    "$lifecheck" explain "$rule" >/dev/null || echo "$rule"
done <"$work/stdout" >"$work/unknown"
[ ! -s "$work/unknown" ] && [ "$(wc -l <"$work/stdout")" -gt 50 ]
result $? "--break help: each is a rule"
run "$lifecheck" explain apply/changed
out_has "lifecheck serve --break apply/changed" "explain names --break"
run "$lifecheck" explain sequence/prior-chain
! grep -qF "serve --break" "$work/stdout"
result $? "explain of a rule that no provider can violate does not"
serves 0 "a violation that has no place" "${published[@]}" --break apply/changed -- true
err_has "nothing was violated" "a violation that has no place: it is reported"

serves 3 "an input that is not there" "${published[@]}" missing.yaml -- true
serves 3 "--learn of a file that is not there" "${published[@]}" --learn missing.jsonl -- true
cat >zone.yaml <<END
lifecheck: 1
name: stated
resource: data.full_data.d
schema: {file: "$schemas/serve.json", type: full_data, kind: data}
config: {name: n}
data:
  state: {name: n, id: stated, zones: [z1, z2]}
END
cat >replaced.yaml <<END
lifecheck: 1
name: replaced
resource: full_thing.t
schema: {file: "$schemas/serve.json", type: full_thing}
config: {name: n, note: b}
prior_state: {name: n, note: a, code: c, id: i}
plan:
  planned_state: {name: n, note: b, code: c, id: i}
  requires_replace: [.note]
END
serves 0 "inputs" --schema "$schemas/serve.json" zone.yaml -- true
err_has "0 requests got a response of the inputs" "inputs: how many answers were used"

# The command and its status.
serves 0 "a command that asks nothing" "${published[@]}" -- true
serves 7 "the status of the command" "${published[@]}" -- sh -c 'exit 7'
err_has "--schema takes their schemas" "a command that fails early: what may be missing"
serves 127 "a command that does not exist" "${published[@]}" -- ./missing
serve "${published[@]}" -- sh -c 'echo "$TF_REATTACH_PROVIDERS"'
out_has '"registry.terraform.io/hashicorp/time":{"Protocol":"grpc","ProtocolVersion":6,' "providers of a document, for terraform"
out_has '"registry.opentofu.org/hashicorp/time":' "and for tofu"
serve --protocol 5 --provider-schema "example.test/a/b=$schemas/published-null.json" -- sh -c 'echo "$TF_REATTACH_PROVIDERS"'
out_has '{"example.test/a/b":{"Protocol":"grpc","ProtocolVersion":5,' "a provider with an address of its own, protocol 5"

# What the configuration requires is compared with the schemas before the client starts.
mkdir -p required/.terraform
cat >required/main.tf <<'END'
terraform {
  required_providers {
    full = { source = "example.test/tests/full" }
    aws  = { source = "hashicorp/aws" }
  }
}
resource "full_nothing" "t" {}
data "full_data" "d" { name = "n" }
resource "terraform_data" "t" {}
END
mkdir -p bin
printf '#!/bin/sh\necho started\n' >bin/terraform
chmod +x bin/terraform
serves 3 "a required provider without a schema" --schema "$schemas/serve.json" -- bin/terraform -chdir=required plan
err_has "required/main.tf:4:5: the configuration requires registry.terraform.io/hashicorp/aws" "a required provider without a schema: which, and where"
err_has "terraform providers schema -json >schemas.json" "a required provider without a schema: how to get it"
err_has "required/main.tf:7:10: full_nothing.t: the schema of example.test/tests/full has no resource full_nothing" "a type that the schema does not have"
[ "$(grep -c required/main.tf "$work/stderr")" = 2 ]
result $? "and nothing else is missing"
# So do the modules of run blocks: with an installed one that calls the root module, in both syntaxes.
mkdir -p tested/tests/setup tested/checks/child tested/.terraform/modules tested/example
printf 'terraform {\n  required_providers {\n    full = { source = "example.test/tests/full" }\n  }\n}\nresource "full_thing" "t" { name = "n" }\n' >tested/main.tf
printf 'resource "time_static" "t" {}\n' >tested/tests/setup/main.tf
printf 'resource "null_resource" "n" {}\n' >tested/checks/child/main.tf
printf 'module "c" {\n  source = "a/b/c"\n}\n' >tested/checks/main.tf
printf 'terraform {\n  required_providers {\n    full = { source = "example.test/tests/full" }\n  }\n}\nmodule "root" {\n  source = "../"\n}\nresource "full_nothing" "e" {}\n' >tested/example/main.tf
cat >tested/tests/a.tftest.hcl <<'END'
mock_provider "aws" {
  mock_resource "aws_thing" {
    defaults = { module = "m" }
  }
}
override_module { target = module.none }
run "setup" {
  module { source = "./tests/setup" }
  override_data {
    target = data.other_thing.d
    values = {}
  }
}
run "main" {}
END
printf 'run "example" {\n  module { source = "./example" }\n}\n' >tested/b.tftest.hcl
echo '{"run":{"one":{"module":{"source":"./checks"}}}}' >tested/checks/j.tftest.json
echo '{"Modules":[{"Key":"test.checks.j.tftest.json.one.c","Source":"registry.terraform.io/a/b/c","Dir":"checks/child"}]}' >tested/.terraform/modules/modules.json
serves 3 "a module of a test requires a provider" --schema "$schemas/serve.json" -- bin/terraform -chdir=tested test
err_has 'tested/tests/setup/main.tf:1:10: the module of run "setup" in tested/tests/a.tftest.hcl requires registry.terraform.io/hashicorp/time, and --schema has no schema of it' "a module of a test requires a provider: which, and where"
err_has "tested/example/main.tf:9:10: full_nothing.e: the schema" "a module of a test has a type that the schema does not have"
[ "$(grep -c tested/ "$work/stderr")" = 2 ]
result $? "and a mocked provider that no module requires is not missing"
serves 3 "validate reads tests" --schema "$schemas/serve.json" -- bin/terraform -chdir=tested validate
for words in plan "validate -no-tests" "test -filter tests/c.tftest.hcl"; do
    # shellcheck disable=SC2086 # words
    serves 0 "$words does not read these tests" --schema "$schemas/serve.json" -- bin/terraform -chdir=tested $words
done
serves 3 "-test-directory" --schema "$schemas/serve.json" -- bin/terraform -chdir=tested test -test-directory=./checks -filter=checks/j.tftest.json
err_has 'tested/checks/child/main.tf:1:10: the module of run "one" in tested/checks/j.tftest.json requires registry.terraform.io/hashicorp/null' "-test-directory: what an installed module of a test requires"
[ "$(grep -c tested/ "$work/stderr")" = 1 ]
result $? "-test-directory: and nothing else is missing"
serves 0 "a command that asks no provider" --schema "$schemas/serve.json" -- bin/terraform -chdir=required init
out_has started "a command that asks no provider is run"

# Recorded calls of a real client get other answers than those of the real provider.
serve --protocol 5 "${published[@]}" -o calls.jsonl -- "$client" --provider registry.terraform.io/hashicorp/time "$captures/time-update.jsonl"
[ "$(grep -c '"rpc":"ApplyResourceChange"' calls.jsonl)" = "$(grep -c '"rpc":"ApplyResourceChange"' "$captures/time-update.jsonl")" ]
result $? "recorded calls are answered and recorded"
leaves_nothing "recorded calls"

# A client that ends in an apply.
calls=$(grep -n '"rpc":"ApplyResourceChange"' calls.jsonl | head -n 1 | cut -d: -f1)
serves 1 "a client that ends in an apply" --protocol 5 "${published[@]}" --state-dir aborted -- "$client" --provider registry.terraform.io/hashicorp/time --abort "$((calls - 1))" "$captures/time-update.jsonl"
[ -z "$(find aborted -type f ! -name '*.json')" ]
result $? "a client that ends in an apply: no incomplete file is left"

for signal in INT TERM; do
    timeout -s $signal 1 "$lifecheck" serve "${published[@]}" --listen >"$work/stdout" 2>"$work/stderr"
    out_has "export TF_REATTACH_PROVIDERS=" "--listen until SIG$signal: what to export"
    grep -q 'serving until Ctrl-C' stderr && ! grep -q recording stderr
    result $? "says that it serves"
    leaves_nothing "--listen until SIG$signal"
done

# With a client.
for terraform in terraform tofu; do
    if ! command -v $terraform >/dev/null; then
        echo "ok - $terraform # SKIP $terraform is not installed"
        continue
    fi
    mkdir $terraform
    cat >$terraform/main.tf <<'END'
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    time   = { source = "hashicorp/time" }
    null   = { source = "hashicorp/null" }
  }
}
variable "length" { default = 3 }
resource "random_pet" "p" { length = var.length }
resource "random_password" "w" { length = 12 }
resource "null_resource" "n" { triggers = { x = random_pet.p.id } }
resource "time_static" "t" { triggers = { a = random_pet.p.id } }
output "time" { value = time_static.t.rfc3339 }
END
    for protocol in 5 6; do
        rm -rf $terraform/terraform.tfstate* objects
        client() { # STATUS NAME COMMAND...
            local want=$1 name="$terraform, protocol $protocol: $2"
            shift 2
            serves "$want" "$name" --protocol $protocol "${published[@]}" --state-dir objects -- $terraform -chdir=$terraform "$@" -no-color
        }
        client 0 "init" init
        client 0 "apply" apply -auto-approve
        out_has 'time = "2030-01-02T03:04:05Z"' "$terraform, protocol $protocol: a computed time is one"
        [ "$(find objects -name '*.json' | wc -l)" = 5 ]
        result $? "$terraform, protocol $protocol: each object has a file"
        client 0 "an empty plan" plan -detailed-exitcode
        client 0 "an update" apply -auto-approve -var length=4
        client 0 "an empty plan after it" plan -detailed-exitcode -var length=4
        rm -f objects/time_static.*
        client 2 "an object whose file is gone is planned again" plan -detailed-exitcode -var length=4
        client 1 "apply it: the change from outside is a finding" apply -auto-approve -var length=4
        client 0 "destroy" destroy -auto-approve
    done
    mkdir -p $terraform/tests/setup
    printf 'terraform {\n  required_providers {\n    random = { source = "hashicorp/random" }\n    null = { source = "hashicorp/null" }\n  }\n}\nresource "random_pet" "p" {}\noutput "name" { value = random_pet.p.id }\n' >$terraform/tests/setup/main.tf
    cat >$terraform/tests/a.tftest.hcl <<'END'
run "setup" {
  module { source = "./tests/setup" }
}
run "main" {
  variables { length = 5 }
  assert {
    condition     = random_pet.p.length == 5 && run.setup.name != random_pet.p.id
    error_message = "length ${random_pet.p.length}, ${run.setup.name}"
  }
}
END
    serves 0 "$terraform: tests with a module of their own" "${published[@]}" -- sh -c "cd $terraform && $terraform init -no-color && $terraform test -no-color"
    out_has "2 passed, 0 failed" "$terraform: all runs pass"
    serves 1 "$terraform: a violation" "${published[@]}" --break apply/changed@time_static.triggers -- sh -c "$terraform -chdir=$terraform apply -auto-approve -no-color"
    err_has "[apply/changed]" "$terraform: a violation is found"
    [ "$(grep -c '^error\[' "$work/stderr")" = 1 ]
    result $? "$terraform: and nothing else"
    # What is added to a schema is found, and nothing else.
    for rule in schema/attr-two-types schema/single-items schema/negative-version schema/provider-missing; do
        run "$lifecheck" serve "${published[@]}" --break $rule --report json=report.json --force -- "$terraform" "-chdir=$terraform" plan -no-color
        [ "$status" = 1 ] && [ "$(jq -r '[.cases[].findings[]?.rule] | unique | join(",")' report.json)" = $rule ]
        result $? "$terraform: --break $rule: is found, and nothing else"
    done
    run "$lifecheck" serve "${published[@]}" --break schema/single-items@time_static --report json=report.json --force -- "$terraform" "-chdir=$terraform" plan -no-color
    [ "$(jq -r '[.cases[] | select(.findings[]?.rule == "schema/single-items").type] | unique | join(",")' report.json)" = time_static ]
    result $? "$terraform: of one type"
    mkdir stated
    cat >stated/main.tf <<'END'
terraform {
  required_providers {
    full = { source = "example.test/tests/full" }
  }
}
variable "note" { default = "a" }
resource "full_thing" "t" {
  name = "n"
  note = var.note
  any  = { a = [1, "b"] }
}
data "full_data" "d" { name = "n" }
output "zones" { value = join(",", data.full_data.d.zones) }
END
    serves 0 "$terraform: answers of inputs" --schema "$schemas/serve.json" zone.yaml -- sh -c "cd stated && $terraform init >/dev/null && $terraform apply -auto-approve -no-color"
    out_has 'zones = "z1,z2"' "$terraform: a data source has the stated value"
    err_has "1 request got a response of the inputs" "$terraform: it is counted"
    serves 0 "$terraform: nothing changes what is stored, values below dynamic included" --schema "$schemas/serve.json" zone.yaml -- $terraform -chdir=stated plan -no-color -detailed-exitcode
    ! grep -qF "meaning-changed" "$work/stdout" "$work/stderr"
    result $? "$terraform: and the upgrade returns it as it is"
    serves 0 "$terraform: --learn" --schema "$schemas/serve.json" --learn replaced.yaml -- $terraform -chdir=stated plan -no-color -var note=c
    out_has "must be replaced" "$terraform: --learn: a change that was seen to replace does it"
    rm -rf stated
    mkdir cloud
    cat >cloud/main.tf <<'END'
terraform {
  required_providers {
    cloud = { source = "example.test/tests/cloud" }
  }
}
provider "cloud" {
  region  = "north-7"
  project = "p-1"
  token   = "hidden"
  default_tags { tags = { Team = "core", Env = "dev" } }
}
provider "cloud" {
  alias  = "south"
  region = "south-8"
}
resource "cloud_topic" "t" {
  name = "n"
  tags = { Env = "test" }
}
resource "cloud_topic" "u" {
  provider = cloud.south
  name     = "n"
  project  = "mine"
}
data "cloud_region" "d" { provider = cloud.south }
output "t" { value = [cloud_topic.t.region, cloud_topic.t.project, cloud_topic.t.tags_all, cloud_topic.t.arn] }
output "u" { value = [cloud_topic.u.region, cloud_topic.u.project, data.cloud_region.d.name] }
output "token" { value = cloud_topic.t.token }
output "key" { value = base64decode(cloud_topic.t.key) }
END
    serves 0 "$terraform: a provider with a configuration" --schema "$schemas/cloud.json" -- sh -c "cd cloud && $terraform init >/dev/null && $terraform apply -auto-approve -no-color && $terraform output -json -no-color >../cloud.json"
    if command -v jq >/dev/null; then
        [ "$(jq -c '.t.value[:3]' cloud.json)" = '["north-7","p-1",{"Env":"test","Team":"core"}]' ]
        result $? "$terraform: its region, project and default tags are in what it computes"
        jq -r '.t.value[3]' cloud.json | grep -q :north-7:
        result $? "$terraform: the region in an ARN, too"
        [ "$(jq -c .u.value cloud.json)" = '["south-8","mine","south-8"]' ]
        result $? "$terraform: each configuration has its own"
        [[ $(jq -r .key.value cloud.json) == key-* ]]
        result $? "$terraform: a value is in Base64 where the description says so"
    else
        echo "ok - $terraform: what it computes # SKIP jq is not installed"
    fi
    ! grep -q hidden cloud.json
    result $? "$terraform: other settings are not shown"
    printf 'terraform {\n  provider_meta "cloud" {\n    module_name = "m"\n  }\n}\n' >cloud/meta.tf
    serves 0 "$terraform: a plan after the apply, with provider_meta" --schema "$schemas/cloud.json" -- $terraform -chdir=cloud plan -detailed-exitcode -no-color
    rm -rf cloud
done
