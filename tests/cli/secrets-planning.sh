#!/bin/bash
# No secret of whole plans, states and configurations reaches any output of any command, not even where it is of the wrong
# type, where it is what a message is about, or where its place is.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v python3 >/dev/null; then
    echo "ok - secrets of plans and configurations # SKIP python3 is not installed"
    exit 0
fi
run python3 "$root/tests/cli/checks/secrets_planning.py" .
result "$status" "plans, states and configurations with secrets"
reports=()
for format in text json jsonl sarif junit tap github markdown html; do
    reports+=(--report "$format=all.$format")
done

told() { # what, command...: run it, nothing secret is reported, and it did not crash
    local what=$1
    shift
    "$lifecheck" "$@" >told 2>&1
    status=$?
    [ $status -le 3 ] || echo "# $what: exit status $status" >>leaks
    grep -i -H -o '.\{0,40\}hush.\{0,40\}' --label="$what" - <told >>leaks
}

files=(*.yaml *.plan.json *.tfstate)
: >leaks
for file in "${files[@]}"; do
    rm -f all.*
    told "check $file" check -v --lint --schema vault.schema "$file" "${reports[@]}"
    grep -i -H -o '.\{0,40\}hush.\{0,40\}' all.* >>leaks
done
! [ -s leaks ]
result $? "check, in every format: ${#files[@]} files"
cp leaks stdout
: >leaks
for file in "${files[@]}"; do
    told "inspect $file" inspect --schema vault.schema "$file"
    told "extract $file" extract --schema vault.schema "$file"
    told "gate $file" gate --old plan-plain.yaml --new "$file"
    told "baseline $file" --write-baseline known --force "$file"
    grep -i -H -o '.\{0,40\}hush.\{0,40\}' known >>leaks
done
! [ -s leaks ]
result $? "inspect, extract, gate and baselines"
: >leaks
for file in *.plan.json *.tfstate; do
    told "redact $file" redact --schema vault.schema "$file"
    told "predict $file" predict --config config-plain --prior-state state-plain.tfstate --schema vault.schema "$file"
done
! [ -s leaks ]
result $? "redact, and predict with a plan"
: >leaks
for folder in config-*; do
    for as in opentofu terraform; do
        told "predict $folder" predict --config "$folder" --as $as --schema vault.schema -v
        told "predict $folder with a state" predict --config "$folder" --as $as --schema vault.schema --prior-state state-plain.tfstate --format json
        told "providers $folder" providers "$folder" --as $as -v
    done
    told "providers $folder --emit-state" providers "$folder" --emit-state
    told "providers $folder with a state" providers "$folder" --prior-state state-plain.tfstate --format html
done
! [ -s leaks ]
result $? "predict and providers"
grep -q -r -i hush config-plain && grep -q -i hush plan-plain.plan.json state-plain.tfstate forecast-plain-opentofu.yaml
result $? "the secrets are there"
"$lifecheck" predict --config config-plain --prior-state state-plain.tfstate --schema vault.schema >told
grep -q 'demo_vault.a ' told
result $? "and objects with them are predicted"
"$lifecheck" --format json forecast-answer-keyed-opentofu.yaml >told
grep -q '"replace_paths":\[".keys\[\*\]"' told
result $? "places within a secret are hidden in predictions"
