#!/bin/bash
# The JSON Schema of the scenario format: every scenario is valid by it, wrong ones are not, and what is installed is
# what the command prints.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
wants 0 "the format as a JSON Schema" "$lifecheck" schema scenario
err_lines 0 "and nothing else"
cp stdout schema.json
cmp -s schema.json "$root/share/lifecheck/scenario.schema.json"
result $? "is share/lifecheck/scenario.schema.json; make man renews it"
[ "$(awk 'length > 140 || / $/' schema.json | wc -l)" = 0 ]
result $? "for people to read, too"
wants 2 "it takes no file" "$lifecheck" schema scenario schema.json
err_has "schema scenario takes nothing else" "is told"
if ! command -v make >/dev/null; then
    echo "ok - make install # SKIP make is not installed"
else
    make -n -C "$root" install DESTDIR=/there PREFIX=/usr 2>/dev/null |
        grep -qE '^install .*share/lifecheck/scenario.schema.json .*/there/usr/share/lifecheck/'
    result $? "is installed"
fi
if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "ok - scenarios by the JSON Schema # SKIP python3 or its YAML is not installed"
    exit 0
fi
python3 -c 'import jsonschema' 2>/dev/null || echo "ok - scenarios by the package jsonschema # SKIP python3-jsonschema is not installed"
check() {
    run python3 "$root/tests/cli/checks/format_check.py" schema.json "$@"
}

# ---- What is right

mapfile -t scenarios < <(find "$root/scenarios" "$root/testdata/readme" '(' -name '*.yaml' -o -name '*.yml' -o -name '*.json' ')' ! -name '*.tf.json' ! -name '*.tfvars.json' | sort)
[ "${#scenarios[@]}" -ge 600 ]
result $? "there are scenarios (${#scenarios[@]})"
check "${scenarios[@]}"
result "$status" "every scenario is valid"
"$lifecheck" init --schema "$root/testdata/schemas/nimbus.json" --type nimbus_disk >init.yaml
"$lifecheck" init --format json --schema "$root/testdata/schemas/nimbus.json" --type nimbus_disk >init.json
"$lifecheck" extract "$root/testdata/captures/fault-apply-value-changed.jsonl" >extract.yaml
check init.yaml init.json extract.yaml
result "$status" "and what lifecheck writes"

# ---- What is wrong: what the reader refuses and what takes no more than the format to see

refused=0
while IFS=$'\t' read -r file _ _ _ _ editor; do
    [ "$file" != file ] || continue
    check "$root/testdata/bad/$file"
    case $editor in
    refused)
        refused=$((refused + 1))
        [ "$status" = 1 ] && ! grep -q 'cannot be read' stdout
        ;;
    unread) grep -q 'cannot be read' stdout ;;
    -) [ "$status" = 0 ] ;;
    *) false ;;
    esac
    result $? "$file: $editor"
done <"$root/testdata/bad/bad.tsv"
[ "$refused" -ge 50 ]
result $? "wrong scenarios are refused ($refused)"

# Every key that takes a flag, a number, a list or a mapping, with something else.
cp "$root/testdata/readme/bucket.yaml" good.yaml
check good.yaml
result "$status" "a scenario to spoil"
while read -r line; do
    { cat good.yaml && echo "$line"; } >wrong.yaml
    check wrong.yaml
    [ "$status" = 1 ]
    result $? "refused: $line"
    "$lifecheck" wrong.yaml >/dev/null 2>&1
    [ $? = 3 ]
    result $? "and not read: $line"
done <<'X'
expact: {findings: []}
tainted: 1
create_before_destroy: "true"
refresh_only: null
calls: {rpc: PlanResourceChange}
capabilities: [plan_destroy]
capabilities: {plan_destroy: yes}
previous_run_state: {schema_version: one}
previous_run_state: {attributes: {}, extra: 1}
ignore: {rule: 'apply/*'}
ignore: [{rule: 'apply/*', reason: ''}]
known_failing: true
ignore_changes: some
ephemeral_values: .name
recorded_action: replace
read: {current_state: 5}
plan: {requires_replace: .name}
apply: {legacy_type_system: "no"}
apply: {diagnostics: [{severity: error, text: a}]}
validate: [{diagnostic: []}]
import: {imported: [{stat: {}}]}
action: {events: [{progress: {messages: a}}]}
expect: {findings: [{rule: apply/changed, terraform: maybe}]}
expect: {findings: [{rule: apply/changed, terraform@: error}]}
expect: {not_checked: apply/changed}
expect: {action: {terraform: create, pulumi: create}}
X
for change in 's/type: string, required: true/type: 5, required: true/' 's/required: true/required: 1/' 's/optional: true/optionl: true/' \
    's/attributes:/attribute:/' 's/version: 0/version: zero/' 's/^  block:/  blok:/'; do
    sed "$change" good.yaml >wrong.yaml
    check wrong.yaml
    [ "$status" = 1 ]
    result $? "refused: $change"
    "$lifecheck" wrong.yaml >/dev/null 2>&1
    [ $? = 3 ]
    result $? "and not read: $change"
done
