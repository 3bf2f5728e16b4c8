#!/bin/bash
# Copies that can be shared: no secret is left, and the findings are the same.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures

findings() { # of a file, without its name and places
    "$lifecheck" --all "$1" 2>&1 | grep -E ': (error|warning|info): ' | sed 's/^ *[^ ]*: \(error\|warning\|info\)/\1/' | sort
}

for name in fault-none fault-apply-value-changed fault-destroy-plan-not-null fault-read-json-normalized sdk2-random-import time-update random-replace; do
    for all in "" --all-values; do
        "$lifecheck" redact ${all:+"$all"} "$captures/$name.jsonl" -o copy.jsonl --force >stdout 2>stderr
        status=$?
        [ "$status" = 0 ] && diff <(findings "$captures/$name.jsonl") <(findings copy.jsonl) >differs
        result $? "$name $all: the same findings"
    done
done

# Every text that the copy of everything still holds, other than what the protocol itself says.
decoded() { # all base64 of a stream, decoded, as text
    grep -o '"\(msgpack\|json\|private\|planned_private\|prior_private\)":"[^"]*"' "$1" | sed 's/.*:"//; s/"$//' | while read -r line; do
        echo "$line" | base64 -d 2>/dev/null | strings -n 3
    done
}
"$lifecheck" redact "$captures/fault-none.jsonl" -o copy.jsonl --force
decoded "$captures/fault-none.jsonl" | grep -q s3cret
result $? "the recording holds a secret"
! decoded copy.jsonl | grep -q s3cret && ! grep -q s3cret copy.jsonl
result $? "the copy does not"
decoded copy.jsonl | grep -q '/dev/sda'
result $? "what is not a secret stays"
"$lifecheck" redact --all-values "$captures/fault-none.jsonl" -o copy.jsonl --force
! decoded copy.jsonl | grep -qE '/dev/sda|10\.1\.1\.1|arn:lifecheck'
result $? "with --all-values nothing stays"

# Messages and fields of a newer protocol may hold anything.
{
    sed '2,4s/"request":{/&"unknown_fields":"aHVzaDEyMzQ=",/' "$captures/fault-none.jsonl"
    echo '{"rpc":"NewCall","request":{"raw":"aHVzaDEyMzQ="}}'
} >newer.jsonl
wants 0 "a newer protocol" "$lifecheck" redact newer.jsonl -o copy.jsonl --force
! grep -q aHVzaDEyMzQ copy.jsonl && [ "$(grep -c '"unknown_fields":{"bytes":8}' copy.jsonl)" = 3 ] && grep -q '"request":{"raw":"","bytes":8}' copy.jsonl
result $? "only the lengths of what is unknown stay"
diff <(findings newer.jsonl) <(findings copy.jsonl) >differs
result $? "and the findings are the same"

cp "$root/testdata/plans/"* .
for file in plan.json state.json; do
    mkdir "$file.d" && cp schema.json "$file.d"
    wants 0 "$file" "$lifecheck" redact "$file" -o "$file.d/$file"
    ! grep -q s3cret "$file.d/$file"
    result $? "has no secret"
    diff <(findings "$file") <(findings "$file.d/$file") >differs
    result $? "has the same findings"
    wants 0 "$file with --all-values" "$lifecheck" redact --all-values "$file" -o "$file.d/$file" --force
    ! grep -qE 's3cret|10\.1\.1\.1|/dev/sda' "$file.d/$file"
    result $? "has no value"
    diff <(findings "$file") <(findings "$file.d/$file") >differs
    result $? "has the same findings"
done

"$lifecheck" redact "$captures/time-update.jsonl" --all-values >a
"$lifecheck" redact "$captures/time-update.jsonl" --all-values >b
cmp -s a b
result $? "the same input, the same copy"

# ---- Nothing in a copy is computed from a secret: other secrets, the same copy.

cat >tokens.schema.json <<'S'
{"format_version":"1.0","provider_schemas":{"example.test/x/x":{"provider":{"version":0,"block":{}},"resource_schemas":{"x_s":{"version":0,"block":{"attributes":{
 "a":{"type":"string","optional":true,"sensitive":true},"b":{"type":"string","optional":true,"sensitive":true},
 "n":{"type":"number","optional":true,"sensitive":true},"m":{"type":["map","string"],"optional":true,"sensitive":true}}}}}}}}
S
of() { # A B N KEY VALUE: a state with these secrets
    printf '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{},"resources":[{"mode":"managed","type":"x_s","name":"a","provider":"provider[\\"example.test/x/x\\"]","instances":[{"schema_version":0,"attributes":{"a":"%s","b":"%s","n":%s,"m":{"%s":"%s"}}}]}]}' "$@"
}
copy() { "$lifecheck" redact --schema tokens.schema.json "$1"; }
of us-east-1 x9!kq2zw 4711 user hunter2 >one.tfstate
of a-much-longer-region "another one, of words" 12345678901 somebody p >two.tfstate
copy one.tfstate >one.copy && copy two.tfstate >two.copy
sed 's/ //g' one.copy >one.flat && sed 's/ //g' two.copy >two.flat
grep -q '"a":"[a-z]*"' one.copy && cmp one.flat two.flat
result $? "other secrets give the same copy"
if ! command -v python3 >/dev/null; then
    echo "ok - tokens of a state, taken apart # SKIP python3 is not installed"
else
    of same same 4711 same same >equal.tfstate
    copy equal.tfstate >equal.copy
    python3 -c 'import json, sys; a = json.load(open("equal.copy"))["resources"][0]["instances"][0]["attributes"]; sys.exit(not (a["a"] == a["b"] == list(a["m"])[0] == list(a["m"].values())[0]))'
    result $? "equal secrets stay equal"
    of "Tok A" "tok  a" 5 k "tok a" >forms.tfstate
    copy forms.tfstate >forms.copy
    python3 -c 'import json, sys; a = json.load(open("forms.copy"))["resources"][0]["instances"][0]["attributes"]; v = [a["a"], a["b"], list(a["m"].values())[0]]; f = [x.replace(" ", "") for x in v]; sys.exit(not (len(set(v)) == 3 and f[1] == f[2] != f[0] and f[0].lower() == f[1]))'
    result $? "what differs in case and white space alone still does, and stays different"
    of 1.0 1.00 1 k 1 >numbers.tfstate
    copy numbers.tfstate >numbers.copy
    python3 -c 'import json, sys; a = json.load(open("numbers.copy"))["resources"][0]["instances"][0]["attributes"]; v = [a["a"], a["b"], list(a["m"].values())[0]]; sys.exit(not (len(set(v)) == 3 and {float(x) for x in v} == {float(a["n"])}))'
    result $? "so does the same number, written otherwise"
    awk 'BEGIN { printf "{\"version\":4,\"terraform_version\":\"1.11.4\",\"serial\":1,\"lineage\":\"x\",\"outputs\":{},\"resources\":[{\"mode\":\"managed\",\"type\":\"x_s\",\"name\":\"a\",\"provider\":\"provider[\\\"example.test/x/x\\\"]\",\"instances\":[{\"schema_version\":0,\"attributes\":{\"m\":{"
    for (i = 0; i < 2000; i++) { s = ""; for (k = 0; k < 11; k++) s = s "q" (int(i / 2 ^ k) % 2 ? " " : ""); printf "%s\"%sz\":\"v\"", i ? "," : "", s } printf "}}}]}]}" }' >spaces.tfstate
    copy spaces.tfstate >spaces.copy
    [ "$(python3 -c 'import json; print(len(json.load(open("spaces.copy"))["resources"][0]["instances"][0]["attributes"]["m"]))')" = 2000 ]
    result $? "two thousand names that differ in white space stay as many"
fi
wants 0 "standard input" "$lifecheck" redact - <"$captures/time-update.jsonl"
wants 4 "a file that exists" "$lifecheck" redact plan.json -o state.json
err_has "--force overwrites it" "is not overwritten"
wants 3 "an input of another kind" "$lifecheck" redact "$root/README.md"
err_has "can be redacted" "is reported"
wants 2 "no input" "$lifecheck" redact
echo '{"rpc":"CallFunction","request":{"name":"f","arguments":[{"msgpack":"pmh1c2ghIQ=="}]},"response":{"result":{"msgpack":"pmh1c2ghIQ=="}}}' >function.jsonl
wants 0 "a call whose values nobody can read" "$lifecheck" redact function.jsonl
! grep -q pmh1c2ghIQ stdout
result $? "is emptied"

# Of a dynamic value the names are data like the rest, and stand in its type once more.
cat >dynamic.json <<'EOF'
{"format_version":"1.0","provider_schemas":{"example.test/x/x":{"provider":{"version":0,"block":{}},"resource_schemas":{"x_y":{"version":0,"block":
{"attributes":{"name":{"type":"string","required":true},"blob":{"type":"dynamic","optional":true,"sensitive":true}}}}}}}}
EOF
cat >dynamic.tfstate <<'EOF'
{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"x_y","name":"z",
"provider":"provider[\"example.test/x/x\"]","instances":[{"schema_version":0,"attributes":{"name":"a","blob":{"value":{"hushname":"hushtext",
"inner":{"hushinner":[1]}},"type":["object",{"hushname":"string","inner":["object",{"hushinner":["tuple",["number"]]}]}]}},"sensitive_attributes":[]}]}]}
EOF
wants 0 "names within a secret dynamic value" "$lifecheck" redact dynamic.tfstate --schema dynamic.json
! grep -q hush stdout && { ! command -v jq >/dev/null || [ "$(jq -c '.resources[0].instances[0].attributes.blob | [(.value | keys), (.type[1] | keys)] | unique | length' stdout)" = 1 ]; }
result $? "are tokens, the same in the type"

# A plan says the same names in many places: values, what of them is unknown or sensitive, paths, constants, references.
cat >plain.schema.json <<'EOF'
{"format_version":"1.0","provider_schemas":{"example.test/x/x":{"provider":{"version":0,"block":{}},"resource_schemas":{"x_y":{"version":0,"block":
{"attributes":{"name":{"type":"string","required":true},"tags":{"type":["map","string"],"optional":true,"sensitive":true},
"free":{"type":"dynamic","optional":true},"blob":{"type":"dynamic","optional":true,"sensitive":true}}}}}}}}
EOF
told() { # of a plan, without its name and places
    "$lifecheck" --all ${schema:+--schema plain.schema.json} "$1" 2>&1 | sed -e 's/[^ ]*\.json:[0-9:]*/PLACE/' -e 's/[^ ]*\.json/PLAN/'
}
plan=$data/secret.plan.json
edits=(
    's/x^//'
    's/"after_unknown": {"blob": {"hushlater": true}}/"after_unknown": {"blob": {"hushname": true}}/'
    's/"hushname": "hushold"/"hushname": "hushelse"/'
    's/\["tags", "hushtag"\]/["tags", "hushtag", "hushdeep"]/'
    's/"before_sensitive": {"blob": true, "tags": true/"before_sensitive": {"blob": {"hushname": true}, "tags": true/'
    's/"sensitive_values": {"blob": true/"sensitive_values": {"blob": {"hushname": true}/'
    's/\["delete", "create"\]/["update"]/'
)
schema=yes
told "$plan" >judged
grep -q 'replace/path-unchanged' judged
result $? "the plan with secret names has findings"
for schema in "" yes; do
    for all in "" --all-values; do
        for edit in "${edits[@]}"; do
            sed "$edit" "$plan" >edited.json
            wants 0 "redact ${schema:+with a schema }$all: $edit" "$lifecheck" redact ${schema:+--schema plain.schema.json} ${all:+"$all"} edited.json -o hidden.json --force
            # What has no mark is known by the schema only.
            grep -o '[^ "]*hush[a-z]*' hidden.json | grep -v "${schema:-x_y.other}" >left
            ! [ -s left ]
            result $? "holds no secret name or value"
            diff <(told edited.json) <(told hidden.json) >differs
            result $? "and is checked the same"
        done
    done
done

# What old clients write, and what was cut: values without marks, and stored attributes without a version.
cat >old.tfstate <<'EOF'
{"version":4,"lineage":"l","serial":1,"resources":[{"mode":"managed","type":"old_thing","name":"a","provider":"provider.old","instances":[
  {"attributes":{"id":"hush-1"}},{"index_key":1,"schema_version":0,"attributes_flat":{"id":"hush-2","n":"47114711"}}]}]}
EOF
cat >old.plan.json <<'EOF'
{"format_version":"0.1","terraform_version":"0.15.0","planned_values":{"root_module":{"resources":[
  {"address":"old_thing.a","mode":"managed","type":"old_thing","name":"a","values":{"id":"hush-1","n":47114711}}]}},
 "resource_changes":[{"address":"old_thing.a","mode":"managed","type":"old_thing","change":{"actions":["create"],"before":null,"after":{"id":"hush-1","n":47114711}}}]}
EOF
for file in old.tfstate old.plan.json; do
    wants 0 "$file" "$lifecheck" redact --all-values "$file"
    ! grep -E 'hush|47114711' stdout
    result $? "  nothing stays"
done
cat >written.plan.json <<'EOF'
{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{"root_module":{}},"resource_changes":[],"configuration":{"root_module":{
  "resources":[{"address":"lifecheck_thing.a","mode":"managed","type":"lifecheck_thing","name":"a","expressions":{"later":{"constant_value":"hush"}},
    "provisioners":[{"type":"local-exec","expressions":{"command":{"constant_value":"echo hush"}}}]}],
  "variables":{"v":{"default":"hush","description":"of hush"}},"outputs":{"o":{"expression":{"constant_value":"hush"},"description":"of hush"}}}}}
EOF
for schema in "" schema.json; do
    wants 0 "constants that no schema has${schema:+, with one}" "$lifecheck" redact --all-values written.plan.json ${schema:+--schema "$schema"}
    ! grep hush stdout
    result $? "  nothing stays"
done

# ---- Damaged plans: what is left of an entry is still values.

for kept in '"address":"x_y.a",' '"mode":"managed","type":"x_y",' ''; do
    cat >cut.plan.json <<EOF
{"format_version":"1.2","terraform_version":"1.11.4","resource_changes":[],
 "planned_values":{"root_module":{"resources":[{$kept"values":{"id":"hush-1","deep":[{"n":47114711}]}}]}},
 "prior_state":{"format_version":"1.0","values":{"root_module":{"resources":[{$kept"values":{"id":"hush-2"}}],
   "child_modules":[{"address":"module.m","resources":[{$kept"values":{"id":"hush-3"}}]}]}}}}
EOF
    wants 0 "an entry of {$kept values} with --all-values" "$lifecheck" redact --all-values cut.plan.json
    ! grep -E 'hush|47114711' stdout && grep -q '"address":"module.m"' stdout
    result $? "  no value stays, and the names of modules do"
done

# ---- Constants of count and for_each: what is not a key of an instance is a value.

cat >repeated.plan.json <<'EOF'
{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{"root_module":{}},
 "resource_changes":[{"address":"x_y.a[\"first\"]","mode":"managed","type":"x_y","name":"a","index":"first","provider_name":"example.test/x/x",
   "change":{"actions":["no-op"],"before":{"name":"n"},"after":{"name":"n"}}}],
 "configuration":{"root_module":{"resources":[
   {"address":"x_y.a","mode":"managed","type":"x_y","name":"a","for_each_expression":{"constant_value":{"first":{"hushname":"hush-1","n":47114711}}}},
   {"address":"x_y.b","mode":"managed","type":"x_y","name":"b","count_expression":{"constant_value":2}},
   {"address":"x_y.c","mode":"managed","type":"x_y","name":"c","count_expression":{"constant_value":"${var.a == \"hush-2\" ? 1 : 0}"}},
   {"address":"x_y.d","mode":"managed","type":"x_y","name":"d","for_each_expression":{"constant_value":["hush-3",47114711]}}],
  "module_calls":{"m":{"source":"./m","count_expression":{"constant_value":"hush-4"},"module":{"resources":[
   {"address":"x_y.e","mode":"managed","type":"x_y","name":"e","count_expression":{"constant_value":{"hushname":"hush-5"}}}]}},
   "n":{"source":"./n","for_each_expression":{"constant_value":{"one":"hush-6"}},"module":{}}}}}}
EOF
wants 0 "count and for_each with --all-values" "$lifecheck" redact --all-values repeated.plan.json -o repeated.copy.json
! grep -E 'hush|47114711' repeated.copy.json
result $? "  no value stays"
grep -q '{"constant_value":{"first":{' repeated.copy.json && grep -q '{"constant_value":2}' repeated.copy.json
result $? "  how many instances there are, and of which keys, does"
schema=''
delete=$root/testdata/runs/delete-none-to-each-terraform.plan.json
"$lifecheck" redact --all-values "$delete" -o delete.plan.json --force && ! grep -q toset delete.plan.json
result $? "a template of for_each goes"
sed 's/"for_each_expression":{[^}]*}"}/"for_each_expression":{"references":["local.a"]}/' "$delete" >open.plan.json
diff <(told open.plan.json) <(told delete.plan.json) >differs
result $? "  and is checked as an expression that the plan does not show"
diff <(told repeated.plan.json) <(told repeated.copy.json) >differs
result $? "  and is checked the same"

# ---- Constants that the schema of a block does not have

cat >block.schema.json <<'EOF'
{"format_version":"1.0","provider_schemas":{"example.test/x/x":{"provider":{"version":0,"block":{}},"resource_schemas":{"x_y":{"version":0,"block":
{"attributes":{},"block_types":{"door":{"nesting_mode":"list","block":{"attributes":{"code":{"type":"string","optional":true}}}}}}}}}}}
EOF
cat >block.plan.json <<'EOF'
{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{"root_module":{}},"resource_changes":[],"configuration":{"root_module":{"resources":[
  {"address":"x_y.a","mode":"managed","type":"x_y","name":"a","expressions":{"door":[{"code":{"constant_value":"hush-1"},"later":{"constant_value":"hush-2"},
    "inner":[{"constant_value":"hush-3"}]}]}}]}}}
EOF
wants 0 "constants of a block that its schema does not have" "$lifecheck" redact --all-values block.plan.json --schema block.schema.json
! grep hush stdout
result $? "  nothing stays"
