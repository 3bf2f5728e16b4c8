#!/bin/bash
# lifecheck init: what it makes passes as it is, with everything switched on, as JSON, and changed as
# its remarks say.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
ln -s "$root/testdata/schemas" schemas
cp "$data/odd-schema.json" odd.json
mkdir made

switch_on() { sed 's/^\( *\)#\(\(  \)*[^ ]\)/\1\2/' "$1"; }

# ---- Every type of every document.

count=0
failed=0
for schema in schemas/*.json odd.json; do
    "$lifecheck" init --schema "$schema" >types 2>/dev/null || continue
    while read -r kind type provider; do
        count=$((count + 1))
        what=(init --schema "$schema" --type "$type" --kind "$kind" --provider "$provider")
        if ! "$lifecheck" "${what[@]}" -o "made/$count.yaml" || ! "$lifecheck" "${what[@]}" -o "made/$count.json"; then
            echo "#   $schema $kind $type"
            failed=$((failed + 1))
            continue
        fi
        switch_on "made/$count.yaml" >"made/$count-on.yaml"
    done <types
done
[ "$count" -ge 30 ] && [ "$failed" = 0 ]
result $? "a scenario of each of $count types"
wants 0 "they pass, with everything switched on and as JSON" "$lifecheck" made
out_has "$((3 * count)) cases: $((3 * count)) meet their expectation; " "all of them are checked"
wants 0 "none of them has a mistake" "$lifecheck" check --lint --fail-on warning made
[ "$(cat made/*.yaml | grep -cE '^ *#[^ ].*, computed$')" = 0 ]
result $? "what is computed cannot be switched on alone"
"$lifecheck" init --schema odd.json --type odd_faults >stdout
out_has '{rule: schema/attr-optional-required, path: ".both"}' "what is wrong with a schema is expected"
faulty=$(($("$lifecheck" init --schema schemas/no-provider-schema.json | wc -l) + $("$lifecheck" init --schema schemas/broken-types.json | wc -l)))
[ "$(grep -lE '^  findings:$' made/*.yaml | wc -l)" -le $((2 * faulty + 2)) ]
result $? "only then"

# ---- Each action of each resource type.

mkdir actions
count=0 refused=""
for schema in schemas/*.json odd.json; do
    "$lifecheck" init --schema "$schema" --kind resource >types 2>/dev/null || continue
    while read -r kind type provider; do
        for action in update delete replace no-op import; do
            count=$((count + 1))
            if "$lifecheck" init --schema "$schema" --type "$type" --kind "$kind" --provider "$provider" --action $action -o "actions/$count.yaml" 2>/dev/null; then
                switch_on "actions/$count.yaml" >"actions/$count-on.yaml"
            else
                refused="$refused $type"
            fi
        done
    done <types
done
[ "$count" -ge 150 ] && [ "$refused" = " odd_empty odd_empty odd_only_block odd_only_block" ]
result $? "a scenario of each action, $count of them"
wants 0 "they pass, as they are and with everything switched on" "$lifecheck" check --lint --fail-on warning actions
out_has "$((2 * (count - 4))) cases: $((2 * (count - 4))) meet their expectation; " "all of them are checked"
for action in create:create update:update delete:delete replace:delete-then-create no-op:no-op import:no-op; do
    wants 0 "--action ${action%:*}" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_disk --action "${action%:*}" --format json
    out_has "\"action\": \"${action#*:}\"" "is expected"
done
wants 2 "an update of a type without attributes" "$lifecheck" init --schema odd.json --type odd_empty --action update
err_has "odd_empty has no attribute that could change" "is reported"
wants 2 "an update of a data source" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_zone --action update
err_has "--action update is for resources; nimbus_zone is of the kind data" "is reported"

# ---- Large and deep ones.

awk 'BEGIN {printf "{\"format_version\": \"1.0\", \"provider_schemas\": {\"example.com/a/b\": {\"resource_schemas\": {\"b_wide\": {\"version\": 0, \"block\": {\"attributes\": {"
            for (i = 0; i < 1000; i++) printf "%s\"a%d\": {\"type\": \"string\", \"%s\": true}", i ? ", " : "", i, i % 3 == 0 ? "required" : i % 3 == 1 ? "optional" : "computed"
            printf "}}}, \"b_deep\": {\"version\": 0, \"block\": "
            for (i = 0; i < 60; i++) printf "{\"attributes\": {\"a\": {\"type\": \"string\", \"optional\": true}}, \"block_types\": {\"b\": {\"nesting_mode\": \"list\", \"block\": "
            printf "{}"
            for (i = 0; i < 60; i++) printf "}}}"
            printf "}, \"b_huge\": {\"version\": 0, \"block\": "
            for (i = 0; i < 9; i++) printf "{\"block_types\": {\"b\": {\"nesting_mode\": \"list\", \"min_items\": 20, \"block\": "
            printf "{\"attributes\": {\"a\": {\"type\": \"string\", \"required\": true}}}"
            for (i = 0; i < 9; i++) printf "}}}"
            print "}}}}}"}' >large.json
wants 0 "1,000 attributes" "$lifecheck" init --schema large.json --type b_wide -o wide.yaml
[ "$(grep -cE '^  a[0-9]+: example-a[0-9]+  # string, required$' wide.yaml)" = 334 ] && [ "$(grep -cE '^  #a[0-9]+: .*, optional$' wide.yaml)" = 333 ]
result $? "all of them are there"
wants 0 "they pass" "$lifecheck" wide.yaml
wants 0 "60 levels" "$lifecheck" init --schema large.json --type b_deep -o deep.yaml
[ "$(wc -l <deep.yaml)" -lt 120 ]
result $? "what is switched off has a limited depth"
switch_on deep.yaml >deep-on.yaml
wants 0 "it passes switched on" "$lifecheck" deep.yaml deep-on.yaml
wants 3 "20 blocks in 20 blocks, nine times" "$lifecheck" init --schema large.json --type b_huge
err_has "would be larger than 64 MiB" "is reported to be too large"

# ---- What is written.

wants 0 "a resource to standard output" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_firewall
out_is init.yaml "the whole of it"
wants 0 "a data source is found without its kind" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_zone
out_has "  kind: data" "and its kind is written"
wants 0 "an ephemeral resource" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_token --kind ephemeral
out_has "ephemeral.nimbus_token.example" "its address"
wants 0 "as JSON" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_disk --format json
out_has '"id": {"$unknown": true}' "markers are mappings"
wants 0 "a type of two providers" "$lifecheck" init --schema odd.json --type odd_shared --provider odd/two
out_has "  provider: odd/two" "the provider is written"
out_has "  two: example-two" "the right one is taken"
wants 0 "write-only" "$lifecheck" init --schema odd.json --type odd_types
[ "$(grep -c '^  key: null  # write-only' stdout)" = 2 ]
result $? "is null in both states"
wants 0 "an identity" "$lifecheck" init --schema odd.json --type odd_computed
out_has "  identity:" "comes back with the new state"

# ---- Its remarks are true.

"$lifecheck" init --schema schemas/nimbus.json --type nimbus_disk >disk.yaml
part() { awk -v part="$1:" '$1 == part {on = 1; next} /^[^ ]/ || /^$/ {on = 0} on && !/^ *#/' disk.yaml; }
head=$(sed -n '/^lifecheck/,/^$/p' disk.yaml)
object=$(part new_state)
{
    echo "$head"
    echo "prior_state:"
    echo "$object"
    part config | sed '1i config:' | sed 's/example-zone/other-zone/'
    echo "$object" | sed '1i planned_state:' | sed 's/example-zone/other-zone/'
    echo "$object" | sed '1i new_state:' | sed 's/example-zone/other-zone/'
    echo "expect: {action: update, findings: []}"
} >update.yaml
wants 0 "an update" "$lifecheck" update.yaml
{
    echo "$head"
    echo "prior_state:"
    echo "$object"
    part config | sed '1i config:'
    echo "$object" | sed '1i planned_state:'
    echo "expect: {action: no-op, findings: []}"
} >noop.yaml
wants 0 "nothing to do" "$lifecheck" noop.yaml
{
    echo "$head"
    echo "prior_state:"
    echo "$object"
    printf '%s: null\n' config planned_state new_state
    echo "expect: {action: delete, findings: []}"
} >delete.yaml
wants 0 "a delete" "$lifecheck" delete.yaml
{
    echo "$head"
    echo "prior_state:"
    echo "$object"
    part config | sed '1i config:' | sed 's/example-name/other-name/'
    echo "plan:"
    echo "$object" | sed 's/^/  /; 1i \  planned_state:' | sed 's/example-name/other-name/'
    echo "  requires_replace: ['.name']"
    echo "plan_create:"
    part planned_state | sed 's/^/  /; 1i \  planned_state:' | sed 's/example-name/other-name/'
    echo "destroy: {new_state: null}"
    echo "apply:"
    echo "$object" | sed 's/^/  /; 1i \  new_state:' | sed 's/example-name/other-name/'
    echo "expect: {action: delete-then-create, findings: []}"
} >replace.yaml
wants 0 "a replace" "$lifecheck" replace.yaml
sed '/^lifecheck/a create_before_destroy: true
s/delete-then-create/create-then-delete/' replace.yaml >before.yaml
wants 0 "a replace, the new one first" "$lifecheck" before.yaml
sed 's/id: !unknown .*/id: !unknown {not_null: true, prefix: "exam"}/; s/size_gb: !unknown/size_gb: !unknown {min: 1, max: 9}/' disk.yaml >refined.yaml
wants 0 "more refinements of an unknown" "$lifecheck" refined.yaml
grep -q 'prefix: "exam"' refined.yaml && grep -q 'max: 9}$' refined.yaml
result $? "and the requirements are there"

# ---- Files and paths.

mkdir -p here/deep there
cp schemas/nimbus.json there/s.json
wants 0 "into another folder" "$lifecheck" init --schema there/s.json --type nimbus_disk -o here/deep/x.yaml
grep -q '^  file: ../../there/s.json$' here/deep/x.yaml
result $? "the schema is named as seen from there"
wants 0 "it is found" "$lifecheck" here/deep/x.yaml
wants 0 "beside the schema" "$lifecheck" init --schema there/s.json --type nimbus_disk -o there/x.yaml
grep -q '^  file: s.json$' there/x.yaml
result $? "the schema is a neighbour"
wants 0 "an absolute path" "$lifecheck" init --schema "$PWD/there/s.json" --type nimbus_disk -o here/y.yaml
grep -q "^  file: ../there/s.json$" here/y.yaml
result $? "is seen from the scenario, too"
echo mine >mine.yaml
wants 4 "a file that exists" "$lifecheck" init --schema there/s.json --type nimbus_disk -o mine.yaml
err_has "--force overwrites it" "says how"
[ "$(cat mine.yaml)" = mine ]
result $? "is left alone"
wants 0 "--force" "$lifecheck" init --schema there/s.json --type nimbus_disk -o mine.yaml --force
wants 0 "overwrites it" "$lifecheck" mine.yaml
wants 4 "no such folder" "$lifecheck" init --schema there/s.json --type nimbus_disk -o nowhere/x.yaml
err_has "nowhere/x.yaml cannot be written: No such file or directory" "names the file"

# ---- Usage.

wants 0 "without a type" "$lifecheck" init --schema schemas/nimbus.json
[ "$(wc -l <stdout)" = 10 ]
result $? "lists the types"
wants 0 "of one kind" "$lifecheck" init --schema schemas/nimbus.json --kind data
[ "$(cat stdout)" = "$(printf '%-10s %-40s %s' data nimbus_zone registry.example.com/nimbus/nimbus)" ]
result $? "lists that kind"
wants 2 "a misspelt type" "$lifecheck" init --schema schemas/nimbus.json --type nimbus_dsk
err_has 'nimbus_disk' "names the nearest"
wants 2 "a type of two providers, without one" "$lifecheck" init --schema odd.json --type odd_shared
err_has 'registry.example.com/odd/two' "names the providers"
wants 2 "a kind that is none" "$lifecheck" init --schema odd.json --type odd_types --kind resorce
err_has 'did you mean "resource"?' "names the nearest kind"
wants 2 "no schema" "$lifecheck" init --type nimbus_disk
err_has "--schema FILE" "says what is missing"
wants 2 "a word too many" "$lifecheck" init --schema odd.json nimbus_disk
wants 2 "standard input as the schema" "$lifecheck" init --schema - --type nimbus_disk
wants 2 "YAML in a file named .json" "$lifecheck" init --schema there/s.json --type nimbus_disk --format yaml -o x.json
wants 2 "text is not a format" "$lifecheck" init --schema there/s.json --type nimbus_disk --format text
wants 3 "a schema that is not there" "$lifecheck" init --schema nothing.json --type nimbus_disk
wants 3 "a schema that is none" "$lifecheck" init --schema mine.yaml --type nimbus_disk

# ---- From a plan or a state.

plans=$root/testdata/plans
for from in plan state; do
    wants 0 "--from $from" "$lifecheck" init --from "$plans/$from.json" --address lifecheck_thing.t --schema "$plans/schema.json" -o "$from.yaml"
    wants 0 "it can be checked" "$lifecheck" -v "$from.yaml"
    out_has "1 case: 1 conforms" "and conforms"
done
grep -q 'planned_state:' plan.yaml
result $? "a plan has a planned state"
grep -q 'name: one' state.yaml && grep -q 'secret: {$sensitive: ' state.yaml
result $? "a state has the stored object, with tokens instead of secrets"
wants 3 "another address" "$lifecheck" init --from "$plans/plan.json" --address lifecheck_thing.s --schema "$plans/schema.json"
err_has 'did you mean "lifecheck_thing.t"?' "suggests"
wants 2 "no address" "$lifecheck" init --from "$plans/plan.json"
err_has "init --from takes --address too" "is reported"
wants 3 "what is neither" "$lifecheck" init --from "$plans/schema.json" --address lifecheck_thing.t
err_has "is neither a plan" "is reported"
