#!/bin/bash
# Names that hold control characters reach no terminal: in words of the command line, and in every
# kind of input, whatever the command prints of it.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

captures=$root/testdata/captures
escape='\\u001b[31mX' # for sed, to be JSON
count=0

quiet_about() { # what, words
    run "$lifecheck" "${@:2}"
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" stdout stderr
    result $? "no controls: $1"
    grep -q '?\[31m' stdout stderr && count=$((count + 1))
}

told() { # what, words: one line on standard error
    wants 2 "$1" "$lifecheck" "${@:2}"
    err_lines 1 "is reported in one line"
    quiet_about "$@"
}

told "an option" $'--\033[31mX'
told "a rule" explain $'\033[31mX'
told "a pattern" rules $'a\n\033[31mX'
quiet_about "a file" $'\033[31mX'

sed "s/nimbus_disk/nimbus_disk$escape/g; s/\"size\"/\"size$escape\"/g" "$root/testdata/schemas/nimbus.json" >schemas.json
disk=$'nimbus_disk\033[31mX'
quiet_about "schema show" schema show schemas.json
quiet_about "schema show, one type" schema show schemas.json --type "$disk"
quiet_about "schema lint" schema lint schemas.json
quiet_about "init, types" init --schema schemas.json
quiet_about "init" init --schema schemas.json --type "$disk"

sed "s/lifecheck_thing/lifecheck_thing$escape/g" "$captures/fault-apply-value-changed.jsonl" >new.jsonl
cp "$captures/fault-none.jsonl" old.jsonl
for command in check "check -v" "check --format github" inspect extract redact "gate --old old.jsonl --new" "diff old.jsonl"; do
    # shellcheck disable=SC2086 # a command and its options
    quiet_about "calls, $command" $command new.jsonl
done

sed "s/aws_s3_bucket/aws$escape/g; s/by_region/by$escape/g" "$root/scenarios/providers/regions/main.tf.json" >main.tf.json
quiet_about "providers" providers main.tf.json
quiet_about "providers --emit-state" providers --emit-state main.tf.json
quiet_about "predict" predict --config main.tf.json

for file in plan state; do
    sed "s/\"\(address\|name\|type\)\": *\"\([^\"]*\)\"/\"\1\":\"\2$escape\"/g" "$root/testdata/plans/$file.json" >$file.json
    for command in check "check -v" inspect predict; do
        # shellcheck disable=SC2086 # a command and its options
        quiet_about "a $file, $command" $command $file.json
    done
done

sed "s/\"\([A-Z][A-Za-z]*\)\"/\"\1$escape\"/g" "$root/testdata/schemas/cloudformation/bucket.json" >type.json
quiet_about "cfn schema, properties" cfn schema type.json
sed "s/Example/Example$escape/g" "$root/testdata/schemas/cloudformation/bucket.json" >type.json
quiet_about "cfn schema, the type" cfn schema type.json
quiet_about "cfn name" cfn name $'A\033[31mB'

sed 's/^resource: .*/resource: "example_bucket.l\\e[31mX"/; s/^name: .*/name: "policy\\e[31mX"/' "$root/testdata/readme/bucket.yaml" >scenario.yaml
for command in check "check -v" propose inspect "cfn documents"; do
    # shellcheck disable=SC2086 # a command and its options
    quiet_about "a scenario, $command" $command scenario.yaml
done
quiet_about "a pasted error" explain --error $'Error: Import returned no resources \033[31mX'

[ "$count" -ge 20 ]
result $? "and the names are reported"

# ---- Lines that a CI system takes for commands, changes of direction, and what JSON lets through

python3 - >inject.json <<'P'
import json
bad = "x\n::error file=a::b\n##vso[task.setvariable]c\r\n  ::set-output name=a::b\u202eabc\u2028\x7f\x9b31m"
def text():
    return {"type": "string", "optional": True}
schema = {"version": 0, "block": {"attributes": {"a": text(), bad: text()}, "block_types": {"b" + bad: {"nesting_mode": "list", "block": {"attributes": {"k" + bad: text()}}}}}}
value = {"a": bad, bad: bad, "b" + bad: [{"k" + bad: bad}]}
print(json.dumps({"lifecheck": 1, "name": bad, "resource": "x_y." + bad, "schema": schema, "config": value, "prior_state": None,
    "planned_state": value, "new_state": {**value, "a": bad + "1", bad: "2"}}, indent=1))
P
for command in check "check -v" propose inspect "check --format tap" "check --format markdown" "check --format html" "check --format junit" \
    "check --format json" "check --format sarif" extract "gate --old inject.json --new"; do
    # shellcheck disable=SC2086 # words
    run "$lifecheck" $command inject.json
    ! LC_ALL=C grep -qE '^[[:space:]]*(::|##[^# ])' stdout && ! LC_ALL=C grep -qP '\xe2\x80[\xa8-\xae]|\xc2[\x80-\x9f]|\x7f' stdout
    result $? "no command and no control: $command"
done
run "$lifecheck" --format github inject.json
! LC_ALL=C grep -E '^[[:space:]]*(::|##)' stdout | grep -vqE '^::(error|warning|notice) (file=inject.json,line=[0-9]+,(endLine=[0-9]+,)?col=[0-9]+,)?title='
result $? "no command but ours: --format github"

# ---- Pipes that no one writes to, and slow ones. All at once, because each takes its time.

calls=$root/testdata/captures/fault-none.jsonl
mkfifo nobody silent stops schema quiet
printf 'lifecheck: 1\nresource: demo_disk.a\nschema: {file: schema, type: demo_disk}\nconfig: {size: 1}\n' >refers.yaml
keep_open() { # pipe, seconds, command whose output comes first
    local pipe=$1 seconds=$2
    shift 2
    { "$@" && sleep "$seconds"; } >"$pipe" &
    writers+=($!)
}
waits() { # name, file or process substitution
    timeout 60 "$lifecheck" "$2" >"$1.out" 2>&1
    echo $? >"$1.status"
}
writers=()
keep_open silent 50 true
keep_open stops 50 printf 'lifecheck: 1\n'
keep_open schema 50 true
{ head -n 3 "$calls" && sleep 11 && tail -n +4 "$calls"; } >quiet &
readers=()
for name in nobody silent stops quiet; do
    waits $name $name &
    readers+=($!)
done
waits schema refers.yaml &
readers+=($!)
{ sleep 11 && cat "$calls"; } | waits input - &
readers+=($!)
waits substituted <(sleep 11 && cat "$data/conforms.yaml") &
readers+=($!)
wait "${readers[@]}"
for name in nobody silent stops schema; do
    [ "$(cat $name.status)" = 3 ] && grep -q "no process writes to this pipe (waited 10 seconds): start its writer first" $name.out
    result $? "a pipe is given up: $name"
done
for name in quiet input substituted; do
    [ "$(cat $name.status)" = 0 ]
    result $? "is waited for: $name"
done
for pid in "${writers[@]}"; do
    # shellcheck disable=SC2046 # words
    kill "$pid" $(children_of "$pid") 2>/dev/null
done
