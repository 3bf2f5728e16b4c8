#!/bin/bash
# README, docs/ and man pages: every command in a console block is run, and every output shown is what it prints. With
# GOLDEN_ACCEPT=1 the outputs in README and docs/ are renewed. With PUBLISHED=DIR, a folder with the published provider
# terraform-provider-time 0.14.2, README's commands about it run, too; terraform must be in the PATH.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v python3 >/dev/null; then
    echo "ok - documents # SKIP python3 is not installed"
    exit 0
fi
mkdir bin run home
ln -s "$lifecheck" bin/lifecheck
PATH=$work/bin:$PATH
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME

# Each document in a folder of its own, with the folders that `make install` copies, and the provider of the tests.
read -ra folders < <(sed -n 's/^EXAMPLE_FOLDERS := //p' "$root/Makefile")
[ "${#folders[@]}" -gt 5 ]
result $? "folders of examples are read where they stand"
tree() { # folder
    local folder
    mkdir -p "$1/testdata"
    cd "$1" || exit 1
    for folder in "${folders[@]}"; do
        ln -s "$root/$folder" "$folder"
    done
    ln -s "$(dirname "$lifecheck")/tests/probe/provider" terraform-provider-peer
}

# README's run of a client: what `terraform apply` was given before the recorded run.
published() {
    cp "$PUBLISHED/terraform-provider-time" .
    printf 'provider_installation {\n  dev_overrides {\n    "hashicorp/time" = "%s"\n  }\n  direct {}\n}\n' "$PWD" >terraformrc
    cat >main.tf <<'X'
terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}
variable "days" {}
resource "terraform_data" "days" {
  input = var.days
}
resource "time_offset" "renewal" {
  base_rfc3339 = "2030-01-01T00:00:00Z"
  offset_days  = terraform_data.days.output
}
X
    export TF_CLI_CONFIG_FILE=$PWD/terraformrc
    TF_VAR_days=1 terraform apply -auto-approve >/dev/null 2>&1
    export TF_VAR_days=2
}

if [ -x "$(dirname "$lifecheck")/tests/probe/provider" ]; then
    for document in "$root/README.md" "$root"/docs/*.md; do
        name=$(basename "$document" .md)
        tree "$work/$name"
        case $name in
        README)
            [ -z "${PUBLISHED:-}" ] || published
            least=3
            ;;
        ci | provider-ci) least=0 ;;
        *) least=1 ;;
        esac
        python3 "$root/tests/cli/checks/consoles.py" "$name" "$document" "$least"
        [ "$name" = README ] || grep -q '^Task: ' "$document"
        result $? "$name: begins with a task"
        [ "$name" = README ] || [ "$name" = tutorial ] || grep '^## ' "$document" | tail -n 1 | grep -qx '## What it cannot do'
        result $? "$name: ends with what it cannot do"
    done
else
    echo "ok - documents # SKIP the test provider is not built: libnghttp2 is missing"
fi
unset TF_CLI_CONFIG_FILE TF_VAR_days
tree "$work/man"

[ "$(wc -l <"$root/README.md")" -le 150 ]
result $? "README: at most 150 lines"
missing=$(cd "$root" && python3 tests/cli/checks/links.py ./*.md docs/*.md ./*/README.md scenarios/*/README.md packaging/*.md)
[ -z "$missing" ]
result $? "each link leads to a file or heading $missing"

python3 "$root/tests/cli/checks/doc_options.py" "$lifecheck" "$root/README.md" "$root"/docs/*.md

# The scenario that the tutorial shows, with the expectation below it.
awk '/^```yaml$/ {n++; on = 1; next} /^```$/ {on = 0} on {print > ("block" n ".yaml")}' "$root/docs/tutorial.md"
cat "$root/testdata/readme/policy.yaml" block1.yaml >judged.yaml
wants 0 "tutorial: with its expectation the scenario passes" lifecheck judged.yaml
awk '/^```yaml$/ {n++; on = 1; next} /^```$/ {on = 0} on {print > ("scenarios" n ".yaml")}' "$root/docs/scenarios.md"
cat scenarios1.yaml scenarios2.yaml >judged.yaml
wants 0 "scenarios: with its expectation the scenario passes" lifecheck judged.yaml

# ---- EXAMPLES of the man page

sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$root/man/lifecheck.1" | sed -n '/^\.EX/,/^\.EE/p' | grep -v '^\.' |
    sed 's/\\-/-/g' >examples
[ "$(wc -l <examples)" -ge 5 ]
result $? "man: shows commands"
while IFS= read -r line; do
    eval "$line" >stdout 2>stderr
    status=$?
    [ "$status" = 0 ] && [ -s stdout ] && [ ! -s stderr ]
    result $? "man: $line"
done <examples
sed -n '/^\.EX/,/^\.EE/p' "$root/man/lifecheck-scenario.5" | sed '/^\.EE/q' | grep -v '^\.' | sed 's/\\-/-/g' >scenario.yaml
wants 0 "man: the scenario of section 5" lifecheck scenario.yaml
