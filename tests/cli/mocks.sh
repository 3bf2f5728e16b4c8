#!/bin/bash
# `lifecheck mocks`: mock files from scenarios and recordings; with TERRAFORM_MOCKS=RC, a CLI configuration
# whose dev_overrides name the provider random, also `terraform test` with one.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures

cat >e.yaml <<'END'
lifecheck: 1
resource: nimbus_disk.a
schema:
  version: 0
  block:
    attributes:
      id: {type: string, computed: true}
      odd: {type: string, computed: true}
      none: {type: string, computed: true}
      token: {type: string, computed: true, sensitive: true}
      copy: {type: string, computed: true}
      many: {type: [set, [object, {a: number, b: [map, string]}]], computed: true}
      name: {type: string, required: true}
    block_types:
      part: {nesting_mode: list, block: {attributes: {serial: {type: string, computed: true}, size: {type: number, required: true}}}}
config: {name: a, part: [{size: 1}]}
prior_state: null
planned_state: {id: !unknown , odd: !unknown , none: !unknown , token: !unknown , copy: !unknown , many: !unknown , name: a, part: [{serial: !unknown , size: 1}]}
new_state: {id: v-1, odd: "a${b} %{c} \"q\" \\ \n", token: hunter2-secret, copy: "is hunter2-secret here", many: [{a: 1.5, b: {"x y": z}}], name: a, part: [{serial: s1, size: 1}]}
END
cat >want <<'END'
mock_resource "nimbus_disk" {
  defaults = {
    copy = "redacted"
    id = "v-1"
    many = [
      {
        "a" = 1.5
        "b" = {
          "x y" = "z"
        }
      },
    ]
    odd = "a$${b} %%{c} \"q\" \\ \n"
    token = "redacted"
    part = {
      serial = "s1"
    }
  }
}
END
wants 0 "a scenario" "$lifecheck" mocks e.yaml
cmp -s stdout want
result $? "computed values of all types, no secret"
err_has "2 secret values are replaced by a placeholder" "and how many there were"
wants 0 "a recording" "$lifecheck" mocks "$captures/random-replace.jsonl" -o random.tfmock.hcl
grep -q '^mock_resource "random_[a-z]*" {' random.tfmock.hcl
result $? "its types"
wants 4 "a file that exists" "$lifecheck" mocks e.yaml -o random.tfmock.hcl
wants 2 "nothing to read" "$lifecheck" mocks
sed 's/^new_state.*//' e.yaml >planned.yaml
wants 3 "nothing but a plan" "$lifecheck" mocks planned.yaml
err_has "there is nothing to mock" "says so"
wants 3 "a file that is not there, and one that is" "$lifecheck" mocks absent.jsonl e.yaml
cmp -s stdout want
result $? "the other is written"

if [ -z "${TERRAFORM_MOCKS:-}" ]; then
    echo "ok - terraform test # SKIP TERRAFORM_MOCKS is not set"
    exit 0
fi
mkdir -p module/mocks module/tests
mv random.tfmock.hcl module/mocks
cat >module/main.tf <<'END'
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
resource "random_pet" "a" {}
output "id" { value = random_pet.a.id }
END
cat >module/tests/a.tftest.hcl <<'END'
mock_provider "random" {
  source = "./mocks"
}
run "a" {
  assert {
    condition     = strcontains(output.id, "-")
    error_message = "not the form of a pet: ${output.id}"
  }
}
END
TF_CLI_CONFIG_FILE=$TERRAFORM_MOCKS run terraform -chdir=module test -no-color
[ "$status" = 0 ] && grep -q '1 passed' stdout
result $? "terraform test"
