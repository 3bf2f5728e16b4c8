#!/bin/bash
# The JSON Schema of the scenario format: every scenario is valid by it, wrong ones are not, and what is installed is
# what the command prints.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
wants 0 "the format as a JSON Schema" "$lifecheck" schema scenario
err_lines 0 "and nothing else"
cp stdout schema.json
cmp -s schema.json "$root/share/lifecheck/scenario.schema.json"
result $? "is share/lifecheck/scenario.schema.json; make man renews it"
[ "$(awk 'length > 140 && !/"description": / || / $/' schema.json | wc -l)" = 0 ]
result $? "for people to read, too"
wants 2 "it takes no file" "$lifecheck" schema scenario schema.json
err_has "schema scenario takes no file" "is reported"
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
mapfile -t bad < <(cut -f 1 "$root/testdata/bad/bad.tsv" | grep -vx file | sed "s|^|$root/testdata/bad/|")
check "${bad[@]}"
cp stdout checked
while IFS=$'\t' read -r file _ _ _ _ editor; do
    [ "$file" != file ] || continue
    found=$(grep -F -- "$root/testdata/bad/$file: " checked)
    case $editor in
    refused)
        refused=$((refused + 1))
        [ -n "$found" ] && [[ $found != *"cannot be read"* ]]
        ;;
    unread) [[ $found == *"cannot be read"* ]] ;;
    -) [ -z "$found" ] && [ -s checked ] ;;
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
names=()
while read -r line; do
    { cat good.yaml && echo "$line"; } >"wrong-${#names[@]}.yaml"
    names+=("$line")
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
    sed "$change" good.yaml >"wrong-${#names[@]}.yaml"
    names+=("$change")
done
check wrong-*.yaml
for n in "${!names[@]}"; do
    grep -q "^wrong-$n.yaml: \." stdout
    result $? "refused: ${names[n]}"
    "$lifecheck" "wrong-$n.yaml" >/dev/null 2>&1
    [ $? = 3 ]
    result $? "and not read: ${names[n]}"
done

# ---- The format in scenarios of one type

documents=$root/testdata/schemas
run python3 "$root/tests/cli/checks/typed_check.py" "$lifecheck" "${scenarios[@]}"
[ "$status" = 0 ] && [ "$(tail -n 1 stdout | cut -d' ' -f 1)" -ge 200 ]
result $? "scenarios of one type are valid by what is made for it"
wants 0 "the format of a type" "$lifecheck" schema scenario --schema "$documents/nimbus.json" --type nimbus_firewall
cp stdout schema.json
out_has '"lifecheck scenario, format 1, of nimbus_firewall"' "says so"
typed=()
typed() { # valid or refused: for each line of standard input, a scenario that has it
    local line
    while IFS= read -r line; do
        printf '%s\n' "lifecheck: 1" "schema: {file: f, type: t}" "$line" >"typed-${#typed[@]}.yaml"
        typed+=("$1: $line")
    done
}
typed valid <<'X'
config: null
config: {name: a}
planned_state: !unknown
planned_state: !unknown {not_null: true}
planned_state: {name: !unknown , id: !unknown {prefix: "fw-"}, priority: !unknown {min: 1}}
new_state: {priority: 5, limits: {burst: 1}, logging: null, zone: {a: {weight: 1}}}
new_state: {priority: !sensitive 5, rule: !unknown {min_length: 1}}
new_state: {priority: !typed {type: string, value: a}, name: 1.0}
new_state: {rule: [{protocol: tcp, ports: [1, 2], match: [!unknown ]}], source: !unknown }
proposed_new_state: {name: !json '"a"', priority: !msgpack "y/8="}
final_planned_state: {name: {$unknown: true}, rule: {$unknown: {min_length: 1}}}
plan: {prior_state: {name: a}, planned_state: {name: b}}
X
typed refused <<'X'
config: {nam: a}
config: {name: [a]}
config: words
config: [a]
config: {rule: {protocol: tcp}}
config: {rule: [{prot: tcp}]}
config: {rule: [tcp]}
config: {zone: [a]}
config: {zone: {a: {wait: 1}}}
planned_state: {priority: many}
planned_state: {priority: {minimum: 1}}
planned_state: {name: {$unkown: true}}
planned_state: {limits: {burst: a lot}}
prior_state: {source: [{cidr: {a: b}}]}
new_state: {logging: [a]}
proposed_new_state: {identifier: a}
final_planned_state: {rule: [{match: [{head: a}]}]}
plan: {planned_state: {nam: b}}
X
check typed-*.yaml
for n in "${!typed[@]}"; do
    case ${typed[n]} in
    valid:*) [ "$status" = 1 ] && ! grep -q "^typed-$n.yaml: " stdout ;;
    *) grep -q "^typed-$n.yaml: \." stdout ;;
    esac
    result $? "${typed[n]}"
done
cat >described.json <<'X'
{"format_version": "1.0", "provider_schemas": {"example.com/a/a": {"resource_schemas": {"a_b": {"version": 0, "block": {
  "attributes": {"size": {"type": "number", "optional": true, "description": "How large it is."}},
  "block_types": {"part": {"nesting_mode": "list", "block": {"description": "A \"part\".", "attributes": {"x": {"type": ["map", "string"], "optional": true}}}}}}}}}}}
X
wants 0 "descriptions of the document" "$lifecheck" schema scenario --schema described.json --type a_b
out_has '"number, optional\n\nHow large it is."' "are shown for attributes"
out_has '"list block\n\nA \"part\"."' "and blocks"
wants 3 "no such type" "$lifecheck" schema scenario --schema described.json --type a_c
err_has "a_b" "names a near one"
wants 3 "no such document" "$lifecheck" schema scenario --schema nowhere.json --type a_c
wants 2 "a document without a type" "$lifecheck" schema scenario --schema described.json
err_has "--schema FILE and --type T together" "is reported"
wants 0 "a variable alone" env LIFECHECK_SCHEMA=nowhere.json "$lifecheck" schema scenario
