#!/bin/bash
# Plans and state files as JSON: what they show, what they cannot show, and what is no such thing.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
things=$root/testdata/plans
cp "$things"/* .

wants 0 "a plan" "$lifecheck" -v plan.json
out_has "plan.json#lifecheck_thing.t: conforms" "is a case an address"
out_has "not checked: needs config" "has no configuration"
run "$lifecheck" plan.json
out_has "not checked: apply/* (19) need new_state; 3 more need next_state, state (-v: all)" "the last lines name what an option can give"
wants 0 "with what was saved" "$lifecheck" plan.json --new-state state.json
! grep -q 'not checked: needs new_state' stdout
result $? "apply rules are checked"
sed 's/"thing-ba2719ef"/null/; s/"label": *"First"/"label": "Second"/' state.json >other.json
wants 1 "a saved value that was planned otherwise" "$lifecheck" plan.json --new-state other.json
out_has "[apply/changed]: .label:" "is a finding"
! grep -q 's3cret' stdout
result $? "secrets stay secret"
run "$lifecheck" --format json -v plan.json --new-state other.json
! grep -q 's3cret' stdout
result $? "in JSON too"

wants 0 "from a pipe" "$lifecheck" -v - --schema schema.json <plan.json
out_has "lifecheck_thing.t: conforms" "with a schema that is named"
mkdir away && cp plan.json away
wants 0 "no schema" "$lifecheck" -v away/plan.json
out_has 'no schemas: objects are not checked one by one' "is reported"
out_has 'plan.json#the plan as a whole: conforms' "the plan as a whole is checked"

sed 's/"actions":\["create"\]/"actions":["update"]/' plan.json >wrong.json
wants 1 "an action that does not follow from the values" "$lifecheck" wrong.json
out_has "behavior/wrong-action" "is a finding about the client"

cat >empty.json <<'EOF'
{"format_version":"1.2","resource_changes":[{"address":"lifecheck_thing.t","mode":"managed","type":"lifecheck_thing","name":"t",
"provider_name":"example.test/lifecheck/lifecheck","change":null}]}
EOF
wants 1 "an entry without a change" "$lifecheck" empty.json
out_has "run/actions-unknown" "has no actions"
out_has "1 case: 1 violates" "has no values to judge"

wants 0 "a state file" "$lifecheck" -v state.json
out_has "state.json#lifecheck_thing.t: conforms" "conforms to the schema"
sed 's/"size": *12.5/"size": "many"/' state.json >broken.json
wants 1 "one that does not" "$lifecheck" broken.json
out_has "[wire/value-decode]: .size:" "is reported where"
sed 's/"schema_version": *1,/"schema_version": 9,/' state.json >newer.json
wants 3 "a state of a newer provider is not checked" "$lifecheck" newer.json
out_has "upgrade/newer-state" "is reported"
sed 's/"label": *"First"/"label": "Second"/; s/"serial": *1,/"serial": 2,/' state.json >after.json
wants 0 "two states of the same version" "$lifecheck" state.json --new-state after.json
out_has "[upgrade/meaning-changed]: .label:" "are an upgrade"
echo '{"version":3,"terraform_version":"0.11.14","serial":1,"lineage":"x","resources":[]}' >older.json
wants 3 "a state of an older format, and what was saved later" "$lifecheck" older.json --new-state state.json
out_has "older.json:1:12: error: a state of version 3" "is reported"
echo '{"version":4,"lineage":"x","serial":1,"encryption_version":"v0","encrypted_data":"AAAA"}' >sealed.json
wants 3 "an encrypted state" "$lifecheck" sealed.json
out_has "this state is encrypted" "is reported"
sed 's/"version": *4/"version": 3/' state.json >older.json
for files in "older.json" "older.json --new-state state.json" "older.json --prior-state state.json" \
    "state.json --new-state older.json" "state.json --prior-state older.json" \
    "plan.json --new-state older.json" "plan.json --prior-state older.json"; do
    # shellcheck disable=SC2086 # two or three words
    wants 3 "a state of version 3: $files" "$lifecheck" $files
    out_has "older.json:2:14: error: a state of version 3; any apply of a current client" "is reported"
done
echo '{"version":4,"lineage":"x","serial":1,"resources":"none"}' >listless.json
wants 3 "a state without a list of resources" "$lifecheck" listless.json
out_has 'listless.json:1:1: error: this is not a state file of version 4' "is none"
wants 0 "a state as \`show -json\` prints it" "$lifecheck" -v shown.json
out_has "shown.json#lifecheck_thing.t: conforms" "is checked like the file"
out_has "2 cases: 2 conform" "as a whole and object by object"
sed 's/"size": *12.5/"size": "many"/' shown.json >shown-broken.json
wants 1 "one that does not fit" "$lifecheck" shown-broken.json
out_has "[wire/value-decode]: .size:" "is reported where"
"$lifecheck" plan.json --new-state state.json | sed 1d >file.txt
"$lifecheck" plan.json --new-state shown.json | sed 1d >shown.txt
cmp file.txt shown.txt
result $? "what was saved after a plan, in both forms"
head -c 900 state.json >cut.json
wants 3 "a state that is cut" "$lifecheck" cut.json
out_has "cut.json:" "is an error with its place"

# ---- inspect

wants 0 "inspect a plan" "$lifecheck" inspect plan.json
out_has "plan.json: a plan as JSON" "says what it is"
out_has "lifecheck_thing: 1 instance, 1 call" "what it holds"
out_has "missing    new_state: apply/*" "and what it does not have"
wants 0 "inspect in JSON" "$lifecheck" inspect --format json plan.json state.json "$root/testdata/captures/thing/proto-data"
grep -q '"kind":"a capture directory","instances":1' stdout && grep -q '"lacks":{' stdout
result $? "reports all of them"
wants 3 "inspect what is nothing" "$lifecheck" inspect "$root/Makefile"
out_has "nothing that is known" "says so"
wants 2 "inspect without a path" "$lifecheck" inspect
! grep -q s3cret stdout
result $? "no secret is shown"

# ---- Addresses of a recording from the files next to it.

mkdir beside
cp "$root/testdata/captures/fault-none.jsonl" beside/rpc.jsonl
cp shown.json beside/state.json
wants 0 "a printed state beside a recording" "$lifecheck" -v beside
out_has "rpc.jsonl#lifecheck_thing.t: conforms" "names its objects"
rm beside/state.json
echo '{"resource":{"lifecheck_thing":{"only":{"name":"one"}},"terraform_data":{"a":{}}}}' >beside/main.tf.json
wants 0 "a configuration beside a recording" "$lifecheck" -v beside
out_has "rpc.jsonl#lifecheck_thing.only: conforms" "names what has one block and one instance"
sed 's/"name":"one"/"count":1/' beside/main.tf.json >repeated && mv repeated beside/main.tf.json
run "$lifecheck" -v beside
out_has "rpc.jsonl#lifecheck_thing#1: conforms" "no block that is repeated"
echo '{"resource":{"lifecheck_thing":{"only":{}}},"module":{"m":{"source":"./m"}}}' >beside/main.tf.json
run "$lifecheck" -v beside
out_has "rpc.jsonl#lifecheck_thing#1: conforms" "and none where modules may have others"

# ---- What a printed state marks, and what it does not print

shown() { # VALUE MARKS
    printf '{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":{"resources":[{"address":"demo_thing.a","mode":"managed","type":"demo_thing","name":"a","provider_name":"example.test/demo/demo","schema_version":0,"values":{"tags":{"pw":"%s"}},"sensitive_values":%s}]}}}' "$1" "$2"
}
cat >tags.json <<'S'
{"format_version":"1.0","provider_schemas":{"example.test/demo/demo":{"provider":{"version":0,"block":{}},"resource_schemas":{"demo_thing":{"version":0,"block":{"attributes":{"tags":{"type":["map","string"],"optional":true}}}}}}}}
S
shown hushold '{"tags":{"pw":true}}' >before.json
shown hushnew '{"tags":{"pw":true}}' >later.json
run "$lifecheck" -v --schema tags.json --new-state later.json before.json
out_has "[upgrade/meaning-changed]: .tags" "a printed state after another"
! grep -q hush stdout
result $? "keeps what one key of a map is marked to hold"
run "$lifecheck" --format json --new-state later.json before.json
! grep -q 'run/state-pair' stdout || grep -q '"not_checked":\[[^]]*run/state-pair' stdout
result $? "has no lineage to compare"
