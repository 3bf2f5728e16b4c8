#!/bin/bash
# docs/serving.md: every command with a client in its tables is run with terraform, in the order of the page.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v terraform >/dev/null; then
    echo "ok - commands of docs/serving.md # SKIP terraform is not installed"
    exit 0
fi
"$lifecheck" serve --help >/dev/null 2>&1 || {
    echo "ok - commands of docs/serving.md # SKIP serve was not built: libnghttp2 is missing"
    exit 0
}
mkdir bin home run
ln -s "$lifecheck" bin/lifecheck
PATH=$work/bin:$PATH
export HOME=$work/home XDG_RUNTIME_DIR=$work/run TF_CLI_CONFIG_FILE=/dev/null CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1
unset TMPDIR XDG_CONFIG_HOME

mkdir module && cd module || exit 1
cat >main.tf <<'T'
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}
resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}
output "arn" { value = aws_vpc.main.arn }
T
cat >main.tftest.hcl <<'T'
run "applies" {
  assert {
    condition     = startswith(output.arn, "arn:aws:ec2:") && strcontains(output.arn, ":vpc/example-")
    error_message = "this is not an ARN"
  }
}
T
cat >schemas.json <<'T'
{"format_version":"1.0","provider_schemas":{"registry.terraform.io/hashicorp/aws":{"provider":{"version":0,"block":{}},
"resource_schemas":{"aws_vpc":{"version":1,"block":{"attributes":{"arn":{"type":"string","computed":true},
"cidr_block":{"type":"string","required":true},"id":{"type":"string","computed":true}}}}}}}}
T
cp schemas.json aws.json
cat >zones.yaml <<'T'
lifecheck: 1
resource: aws_vpc.main
schema: {file: schemas.json, type: aws_vpc}
config: {cidr_block: 10.0.0.0/16}
prior_state: null
planned_state: {cidr_block: 10.0.0.0/16, arn: !unknown , id: !unknown }
new_state: {cidr_block: 10.0.0.0/16, arn: 'arn:aws:ec2:eu-west-1:1:vpc/vpc-1', id: vpc-1}
T

# A command of the page, which ends with this status.
serves() { # status, command
    local want=$1 command=$2
    case $command in
    *" terraform apply") command+=" -auto-approve -no-color" ;;
    *" terraform plan" | *" terraform test") command+=" -no-color" ;;
    # without --foreground the signal comes twice, and the second ends it at once
    *--listen) command="timeout --foreground --preserve-status -s INT 3 $command" ;;
    esac
    eval "$command" >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    [ "$status" = "$want" ] || sed 's/^/# /' "$work/stderr" "$work/stdout" | head -n 20
    [ "$status" = "$want" ]
    result $? "$2"
}

count=0
while IFS= read -r command; do
    count=$((count + 1))
    case $command in
    *"--break apply/"*)
        mv terraform.tfstate before # it is about an object that is created
        serves 1 "$command"
        mv before terraform.tfstate
        ;;
    *--break*) serves 1 "$command" ;;
    *) serves 0 "$command" ;;
    esac
done < <(awk -F '\x60' '/^\| \x60lifecheck serve / { print $2 }' "$root/docs/serving.md")
[ "$count" -ge 9 ] && [ -s run.jsonl ] && [ -s run.html ] && [ -n "$(find objects -type f)" ]
result $? "the page shows $count commands, which write what it says"
