#!/bin/bash
# What lifecheck says of the mistakes that newcomers make: the whole message with its place, so that
# each says where, what and how to mend it. Every input has this one mistake.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

cat >scenario <<'END'
lifecheck: 1
name: ok
schema:
  block:
    attributes:
      name: {type: string, required: true}
      size: {type: number, optional: true}
      id: {type: string, computed: true}
config: {name: b}
prior_state: {name: a, id: q-1}
planned_state: {name: b, id: q-1}
END
cat >json <<'END'
{"lifecheck": 1,
 "schema": {"block": {"attributes": {"name": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}}}},
 "config": {"name": "b"},
 "prior_state": null,
 "planned_state": {"name": "b", "id": {"$unknown": true}}
}
END

# The errors of the input, and the mistakes that the report has in two lines, as FILE:LINE:COLUMN: severity: what it is.
mistakes() {
    awk '/^[^ ]+: (error|warning): / { print }
         /^(warning|info)\[lint\// { what = $0; sub(/\[/, ": ", what); sub(/\]/, "", what) }
         /^ *--> / && what { sub(/:$/, "", $2); print $2 ": " what; what = "" }' stdout
}

# A file has exactly this error or warning, or none: FILE, LINE:COLUMN: severity: message.
says() {
    local right=0
    run "$lifecheck" "$1"
    mistakes >told
    printf '%s' "${2:+$1:$2}" | cmp -s - <(printf '%s' "$(cat told)") || right=1
    [ "$right" = 0 ] || sed 's/^/#   /' told
    result "$right" "$1: $3"
}

# A copy of the scenario that sed changes: SCRIPT, message.
yaml() {
    sed -e "$1" scenario >m.yaml
    says m.yaml "$2" "$1"
}

# The same of the JSON.
json() {
    sed -e "$1" json >m.json
    says m.json "$2" "$1"
}

# A whole file: FILE, message; its text is on standard input.
file() {
    cat >"$1"
    says "$1" "$2" "as a whole"
}

wants 0 "the scenario is right" "$lifecheck" scenario
wants 0 "in JSON, too" "$lifecheck" json

# ---- The address.

yaml '2s/$/\nresource: ab/' '3:11: error: the resource "ab" is not the address of an object: write TYPE.NAME, such as ab.example'
yaml '2s/$/\nresource: ab./' '3:11: error: the resource "ab." is not the address of an object: write TYPE.NAME, such as ab.example'
yaml '2s/$/\nresource: module.m.ab.c/' ''

# ---- YAML.

yaml '7s/^ //' '7:6: error: this line does not fit the lines around it: it is indented by 5 spaces, and the keys of "attributes" (line 5) have 6'
yaml '7s/^/  /' '7:9: error: this line does not fit the lines around it: it is indented by 8 spaces, and the keys of "attributes" (line 5) have 6'
yaml '9s/.*/config:\n  name: b\n    size: 3/' '11:9: error: this line is indented by 4 spaces, deeper than line 10, which has a value already: give both 2'
yaml '9s/.*/config:\n  name: b\n size: 3/' '11:2: error: this line does not fit the lines around it: it is indented by 1 space, and the keys of "config" (line 9) have 2'
yaml '9s/.*/config:\n  - name: b\n  size: 3/' "11:3: error: this is not an item of the list of line 10: indent it to belong to the item, or begin it with '- '"
yaml '9s/.*/config:\n  name: b\n  - size: 3/' '11:3: error: an item of a list stands among the keys of a mapping (line 10): a list needs a key of its own, as in `key:`, above it'
yaml '7s/^ *size/\tsize/' '7:1: error: this is a tab, which cannot indent in YAML: use spaces'
yaml '2s/: /:/' '2:1: error: put a space after the colon of "name"'
yaml '9s/: /:/' '9:1: error: put a space after the colon of "config"'
yaml '9s/name: b/name:hunter2/' '9:10: error: put a space after the colon of "name"'
yaml '9s/name: b/name: b: c/' '9:17: error: a string with a colon and a space in it needs quotes, or a comma is missing before this key'
yaml '9s/.*/config:\n  name: b: c/' "10:10: error: a string with a colon and a space in it needs quotes, as in name: 'a: b'"
yaml '9s/name: b/name: "b/' '9:16: error: this quote is never closed'
yaml "9s/name: b/name: 'b/" '9:16: error: this quote is never closed'
yaml '9s/}//' "10:12: error: a '}' or a comma is missing before this: the '{' of line 9, column 9 is still open"
yaml '9s/}/}}/' "9:18: error: this '}' closes nothing: remove it"
yaml '9s/b}/[b}/' "9:18: error: this '}' does not fit: the '[' of column 16 needs a ']' first"
yaml '9s/.*/config:\n  name: @b/' "10:9: error: a string that begins with '@' needs quotes"
yaml '9s/.*/config:\n  name: %b/' "10:9: error: a string that begins with '%' needs quotes"
yaml '9s/.*/config:\n  name: *b/' "10:9: error: this alias has no anchor before it; a string that begins with '*' needs quotes"
yaml '9s/b}/${var.x}}/' '9:17: error: a string with ${ in it needs quotes'
yaml '$s/q-1}/!unknown}/' '11:38: error: put a space after !unknown: a bracket or comma must not touch it'
yaml '$s/$/\nconfig: {name: b}/' '12:1: error: duplicate key "config", first given in line 9'

# ---- HCL in YAML.

hcl='this is HCL, and a scenario is YAML: write `name: value` for an argument, and for a block `name:` with its arguments indented below'
yaml '9s/.*/resource "x" "y" {/' "9:1: error: $hcl"
yaml '9s/.*/config {\n  name = "hunter2"\n}/' "9:1: error: $hcl"
yaml '9s/.*/config:\n  name: b\n  size = 3/' "11:3: error: $hcl"
yaml '9s/.*/config:\n  name = "hunter2"/' '10:3: error: config is a string where the schema requires object; this is HCL, and a scenario is YAML: write `name: ...` instead of `name = ...`'
yaml '9s/.*/config: {name = "hunter2"}/' '9:10: error: this is HCL, and a scenario is YAML: write `name: ...` instead of `name = ...`'

# ---- JSON.

json '5s/$/,/' "5:58: error: a comma before '}' is not allowed in JSON: remove it"
json '3s/,$//' "4:2: error: a comma is missing before this: ',' or '}' is expected here"
comment='JSON has no comments: remove this one, or write YAML in a file named .yaml'
json '4s,$, // no object,' "4:23: error: $comment"
json '1a /* none */' "2:1: error: $comment"
json '1a # none' "2:1: error: $comment"
json '6d' "6:1: error: the file ends here, but the '{' of line 1, column 1 is not closed: is the file cut off?"
json '5s/"id.*//;6d' "6:1: error: the file ends here, but the '{' of line 5, column 19 is not closed: is the file cut off?"
json '5s/true.*/tr/;6d' '5:52: error: a value is expected here'
json '5s/"id"/"name"/' '5:33: error: duplicate key "name", first given in line 5'
json "1s/\"/'/g" "1:2: error: JSON has double quotes only: write \" instead of '"
json '3s/"b"/"hunter2/' '3:21: error: this string is never closed'
json '1s/"//g' '1:2: error: a name needs double quotes in JSON, as in "name"'
json '4s/null/None/' '4:17: error: JSON writes null'
json '4s/null/True/' '4:17: error: JSON writes true'
meant='did you mean the marker {"$unknown": true}?'
json '5s/\$unknown/$unkown/' "5:39: error: '.id' is a mapping where the schema requires string; $meant"
json '5s/\$unknown/!unknown/' "5:39: error: '.id' is a mapping where the schema requires string; $meant"
json '5s/\$unknown/unknown/' "5:39: error: '.id' is a mapping where the schema requires string; $meant"
sed '4s,$, // no object,' json >comment
says comment "4:23: error: $comment" "without a suffix"
sed '6d' json >cutoff
says cutoff "6:1: error: the file ends here, but the '{' of line 1, column 1 is not closed: is the file cut off?" "without a suffix"

# ---- Keys.

yaml 's/^planned_s/planedS/' '11:1: error: a scenario has no key "planedState"; did you mean "planned_state"?'
yaml 's/^prior_state/before/' '10:1: error: a scenario has no key "before"; the object before the change is "prior_state"'
yaml 's/^planned_state/after/' '11:1: error: a scenario has no key "after"; the object that was planned is "planned_state", the one after the apply "new_state"'
yaml '$s/$/\nactions: [update]/' '12:1: error: a scenario has no key "actions"; the action is expected, as in `expect: {action: update}`'
yaml '$s/$/\nchange: {actions: [update]}/' '12:1: error: a scenario has no key "change"; its before and after are "prior_state" and "planned_state", its actions `expect: {action: update}`'
yaml 's/^planned_state/plan/' '11:8: error: plan holds the fields of the call, and "name" is an attribute: write the object as `plan: {planned_state: {...}}`'
yaml 's/^schema/shema/' '3:1: error: a scenario has no key "shema"; did you mean "schema"?'
yaml '3,8d' '1:1: error: a case needs the key "schema": `schema: {file: schemas.json, type: TYPE}` names the output of `terraform providers schema -json`; lifecheck init writes a whole scenario from it'
yaml '1s/1/"1"/' '1:12: error: "lifecheck" is the version of the format, and this program reads version 1: write the number 1 without quotes'
yaml '1s/1/2/' '1:12: error: "lifecheck" is the version of the format, and this program reads version 1: write `lifecheck: 1`'
yaml '7s/{.*/number/' '7:13: error: an attribute is a mapping, not a string: write {type: string, optional: true}'
yaml '$s/$/\nexpect: {findings: [{rule: apply\/changed, terraform: fatal}]}/' '12:54: error: the effect "fatal" does not exist; these are: none, logged, tolerated, error-or-tolerated, error, crash'
mkdir folder
cp scenario folder/right.yaml
sed 's/^lifecheck/lifechek/' scenario >folder/typo.yaml
sed 1d scenario >folder/without.yaml
printf 'on: [push]\njobs: {}\n' >folder/workflow.yaml
wants 3 "a folder with misspelt heads" "$lifecheck" folder
out_has 'folder/typo.yaml:1:1: error: a scenario has no key "lifechek"; did you mean "lifecheck"?' "names the typo"
out_has 'folder/without.yaml:1:1: error: a scenario needs the key "lifecheck", the version of the format: lifecheck: 1' "and the head that is missing"
out_has 'skipped 1 file that is not a scenario' "another file is skipped"

# ---- Types.

none='this is not a type, neither as an expression nor as type JSON'
yaml 's/number/int/' "7:20: error: $none: no type has the name 'int'; did you mean number?"
yaml 's/number/list of string/' "7:20: error: $none: '(' is required; a list of strings is written list(string)"
yaml 's/number/map(string/' "7:20: error: $none: ')' is required"
list='this is not a type; one is an expression such as map(string), or type JSON such as [map, string]'
yaml 's/number/[map string]/' "7:20: error: $list; a comma is missing"
yaml 's/number/[list, str]/' "7:20: error: $list; did you mean string?"
yaml 's/number/[set]/' "7:20: error: $list; the type of the elements is missing"
yaml 's/number/5/' '7:20: error: a type is an expression such as list(string), or type JSON such as [list, string]'
yaml 's/number/"object({text = string, int = number})"/' ''

# ---- Values.

yaml '9s/}/, sise: 12}/' '9:19: error: config has no attribute or block "sise"; did you mean "size"?'
yaml '9s/}/, size: [a]}/' "9:25: error: '.size' is a sequence where the schema requires number; a number is written 12 or 0.5"
yaml '$s/id: q-1/id: !unkown /' "11:30: error: '.id' has the tag !unkown, which is not a marker; did you mean \"!unknown\"?"
for text in unknown '"unknown"' '"!unknown"' '(known after apply)' '<computed>'; do
    yaml "\$s/id: q-1/size: $text/" "11:32: error: '.size' is a string where the schema requires number; an unknown value is written !unknown"
done
yaml '$s/id: q-1/size: "${var.x}"/' "11:32: error: '.size' is a string where the schema requires number; lifecheck evaluates no references: write the value"
for text in unknown '!unknown' '(known after apply)' '<computed>'; do
    written=$text
    [ "$text" != '!unknown' ] || written="\"$text\""
    yaml "\$s/id: q-1/id: $written/" "11:30: warning: lint/unknown-text: '.id' is the string \"$text\", not an unknown value"
done
yaml '$s/id: q-1/id: "${var.x}"/' "11:30: warning: lint/reference-text: '.id' is a reference written as a string, not the value that it stands for"
yaml '$s/id: q-1/id: "unknown"/' ''
yaml '$s/id: q-1/id: "the ID (known after apply)"/' ''
yaml '$s/id: q-1/id: "${aws:username}"/' ''
yaml '10s/{.*/none/' '10:14: error: prior_state is a string where the schema requires object; write null if there is no object'
yaml '10s/{.*/{}/' '10:14: warning: lint/empty-prior: prior_state is an object without values, so this is not a create'
yaml '10s/{.*/[]/' '10:14: error: prior_state is a sequence where the schema requires object; a map or object is written {key: value}'
for left in d 's/{.*//'; do
    sed "10$left" scenario >m.yaml
    run "$lifecheck" --lint m.yaml
    mistakes | grep -qE ': warning: lint/(prior-missing|empty-null): '
    result $? "prior_state: $left is reported by --lint"
done

# ---- Other files.

file plan.out '1:1: error: this is a saved plan, or another archive: lifecheck reads plans as JSON, which `terraform show -json plan.out >plan.json` prints (tofu show -json is the same)' < <(printf 'PK\003\004\024\000\010\000')
configuration='1:1: error: this is a configuration in HCL, and a scenario is YAML with the responses of a provider: `lifecheck init` writes one from a schema, and `lifecheck record -- terraform apply` records and checks real calls'
for name in main.tf main.tofu main; do
    file "$name" "$configuration" <<'END'
# A bucket.
resource "a_b" "c" {
  name = "hunter2"
}
END
done
shown='1:1: error: this is what `terraform show` or `terraform plan` prints for people: give lifecheck the JSON that `terraform show -json plan.out >plan.json` prints'
file plan.txt "$shown" <<'END'

Terraform used the selected providers to generate the following execution plan.
END
file colours.txt "$shown" < <(printf '\n\033[1m  # a_b.c\033[0m will be created\n\033[32m  + resource "a_b" "c" {\n')
file state.txt "$shown" <<'END'
# a_b.c:
resource "a_b" "c" {
    id = "q-1"
}
END
file README.md '1:1: error: this is prose, not a scenario; `lifecheck init` writes a scenario' <<'END'
# A provider

* what it does: things
END
file ci.yaml '1:1: error: this is a workflow of GitHub, not a scenario, which begins with `lifecheck: 1`; `lifecheck init` writes one' <<'END'
on: [push]
jobs: {test: {runs-on: x}}
END
printf '{"format_version": "1.2", "resource_changes": []}' >plan.json
run "$lifecheck" --input scenarios plan.json
out_has 'plan.json:1:1: error: this is a plan as JSON: lifecheck checks it directly, as in `lifecheck plan.json`' "a plan in place of a scenario"
printf '{"version": 4, "serial": 1, "lineage": "x"}' >state.json
run "$lifecheck" --input scenarios state.json
out_has 'state.json:1:1: error: this is a state file: lifecheck checks it directly' "a state in place of a scenario"

# ---- Verdicts.

sed -n 1,8p scenario >few.yaml
wants 3 "a case without a call and a configuration" "$lifecheck" few.yaml
out_has '#ok: is not checked;' "is not checked"

# ---- Names and settings.

wants 3 "a case that is not there" "$lifecheck" scenario#nope
out_has 'scenario: error: no case has the name "nope"; there is "ok"' "those that are there are listed"
{
    sed -n 1p scenario
    sed -n 3,8p scenario
    echo cases:
    for i in $(seq 1 14); do echo "  - {name: case-number-$i, config: null}"; done
} >many.yaml
wants 3 "one of many" "$lifecheck" many.yaml#nope
out_has '"case-number-10" and 4 more' "only some are listed"
run env LIFECHECK_FAILON=warning "$lifecheck" scenario
err_has 'the variable LIFECHECK_FAILON is not known and has no effect; did you mean LIFECHECK_FAIL_ON?' "a misspelt variable"
run env LIFECHECK_VERSION=1 LIFECHECK_SOURCE=1 LIFECHECK_BINARY=1 LIFECHECK_FAIL_ON=error "$lifecheck" scenario
[ ! -s stderr ]
result $? "variables of others are not reported"
touch .lifecheck.yml
run "$lifecheck" scenario
err_has '.lifecheck.yml is not read: a settings file is named .lifecheck.yaml; --settings .lifecheck.yml takes it' "another name of the settings"
rm .lifecheck.yml
run "$lifecheck" explain 'apply/*'
err_has "explain takes one rule; lifecheck rules 'apply/*' lists those of a pattern" "a pattern"
run "$lifecheck" explain element-appeared
err_has 'a rule is named with its family: did you mean final/element-appeared, apply/element-appeared?' "a rule without its family"
wants 3 "a misspelt command" "$lifecheck" chek scenario
err_has 'there is no command and no file "chek"; did you mean the command `check`?' "says so"
[ ! -s stdout ]
result $? "a misspelt command is the only error"

# ---- An expected action that does not follow.

without_action() { # LINE WHY
    printf 'lifecheck: 1\nresource: a_b.c\nschema: {block: {attributes: {n: {type: string, optional: true}}}}\nconfig: {n: x}\n%s\nexpect: {action: create}\n' "$1" >none.yaml
    run "$lifecheck" none.yaml
    out_has "create is expected, but no action follows: $2" "no action: $2"
}
without_action 'planned_state: {n: x}' "the prior_state is not known"
without_action 'prior_state: null' "no planned_state is stated"
without_action $'prior_state: null\nplan: {diagnostics: [{severity: error, summary: x}]}' "the plan failed"

# ---- Nothing new where nothing is wrong.

"$lifecheck" "$root/scenarios" "$root/testdata/captures" >stdout 2>stderr
! mistakes | grep -qE ': (error|warning): (lint/|this |a scenario )'
result $? "no scenario and no recording has a message"

# ---- Files of another kind.

printf '\xef\xbb\xbf' | cat - scenario >m.yaml
says m.yaml '' "a byte order mark is not a mistake"
printf '\xef\xbb\xbflifecheck: 1\nnaem: x\n' >m.yaml
says m.yaml '1:1: error: a case needs the key "schema": `schema: {file: schemas.json, type: TYPE}` names the output of `terraform providers schema -json`; lifecheck init writes a whole scenario from it
m.yaml:2:1: error: a scenario has no key "naem"; did you mean "name"?' "and counts in no column"
pasted='error: this is what a client or a test printed, not a scenario: `lifecheck explain --error FILE` finds the rule behind an error in it'
file err.txt "1:1: $pasted" <<<$'Error: Provider produced inconsistent result after apply\n\nWhen applying changes to a_b.x, it failed.'
file box.txt "1:1: $pasted" <<<$'╷\n│ Error: Provider produced invalid plan\n╵'
file test.txt "1:1: $pasted" <<<$'--- FAIL: TestAccThing (0.10s)\n    thing_test.go:12: Step 1/1 error: Error running apply: exit status 1'
file run.txt "1:1: $pasted" <<<$'=== RUN   TestAccThing\n--- FAIL: TestAccThing (0.10s)'
empty='error: the file is empty: `lifecheck init` writes a scenario'
file empty.yaml "1:1: $empty" </dev/null
file space.yaml "1:1: $empty" <<<$' \n\n'
printf 'PK\x03\x04\x14\x00\x08\xff' >plan.out
saved='error: this is a saved plan, or another archive: lifecheck reads plans as JSON, which `terraform show -json plan.out >plan.json` prints (tofu show -json is the same)'
says plan.out "1:1: $saved" "a saved plan"
wants 3 "predict: a saved plan" "$lifecheck" predict plan.out
grep -qF "plan.out:1:1: $saved" stdout
result $? "the same words"
wants 3 "predict: a saved plan in place of a state" "$lifecheck" predict --config . --prior-state plan.out
grep -qF "plan.out:1:1: $saved" stdout
result $? "the same words of a state"

# ---- Commands.

wants 2 "help of a command that does not exist" "$lifecheck" gat --help
grep -qxF 'lifecheck: the command "gat" does not exist; did you mean "gate"?' stderr
result $? "says so"
wants 2 "and of one that is near none" "$lifecheck" --help xyzzy
wants 0 "a file beside --help is not a command" "$lifecheck" scenario --help

# ---- Other documents in place of schemas, and names that are near none.

echo '{"format_version": "1.2", "resource_changes": []}' >plan.json
echo '{"version": 4, "serial": 1}' >state.json
echo '{"format_version": "1.0"}' >none.json
named() { # file, message
    printf 'lifecheck: 1\nschema: {file: %s, type: t}\nconfig: {a: 1}\n' "$1" >named.yaml
    wants 3 "$1 in place of schemas" "$lifecheck" named.yaml
    out_has "$2" "is named, with the command"
}
named plan.json 'plan.json:1:1: error: this is a plan, not a schema document, which has a member "provider_schemas"; `terraform providers schema -json` prints one'
named state.json 'state.json:1:1: error: this is a state, not a schema document'
named none.json '"none.json" has the schemas of no provider: run `init`'
wants 2 "a part of a choice" "$lifecheck" --as tofu plan.json
grep -qF 'not "tofu"; did you mean "opentofu"?' stderr
result $? "means the choice"
wants 2 "a format that is near none" "$lifecheck" --format yaml plan.json
grep -q 'or html, not "yaml"$' stderr
result $? "has no suggestion"

# ---- A schema that cannot be that of the values.

echo '{"typeName": "Thing", "properties": {"Name": {"type": "string"}}, "primaryIdentifier": ["/properties/Name"]}' >thing.json
printf 'lifecheck: 1\nschema: {cloudformation: thing.json}\nconfig: {name: a}\nplanned_state: {name: a}\n' >thing.yaml
wants 3 "a resource type with a malformed name" "$lifecheck" thing.yaml
out_has '3:9: error: nothing is derived from the resource type: a type name is three parts' "is the reason"
out_has '1 input error' "reported once"
printf 'lifecheck: 1\nschema: {block: {attributes: {size: {type: number, optional: true}}}}\nconfig: {name: a, tags: b}\nplanned_state: {name: a, tags: b}\n' >other.yaml
wants 3 "values of another type" "$lifecheck" other.yaml
out_has '3:9: error: 2 of the 2 names in config are not attributes or blocks of the schema: it may be that of another type' "are suspected"
[ "$(grep -c 'another type' "$work/stdout")" = 1 ]
result $? "once"
printf 'lifecheck: 1\nschema: {block: {attributes: {name: {type: string, optional: true}}}}\nconfig: {name: a, zone: b, size: 1, tier: c}\nplanned_state: {name: a}\n' >other.yaml
wants 3 "values of another type that share a name" "$lifecheck" other.yaml
out_has '3:9: error: 3 of the 4 names in config are not' "are suspected"
printf 'lifecheck: 1\nschema: {block: {attributes: {name: {type: string, optional: true}, size: {type: number, optional: true}}}}\nconfig: {name: a, size: 1, zone: b, tier: c}\nplanned_state: {name: a}\n' >other.yaml
wants 3 "two of four names that do not fit" "$lifecheck" other.yaml
! grep -q 'another type' "$work/stdout"
result $? "are no reason to suspect the schema"

# ---- Names that are near none, and other programs' files.

run "$lifecheck" explain nothing
err_has '`lifecheck rules` lists the rules' "a rule that is near none: where they are listed"
printf 'rules: {}\n' >odd.yaml
wants 2 "a setting that is near none" "$lifecheck" --settings odd.yaml scenario
err_has '`lifecheck settings` prints those there are' "is listed, too"
wants 2 "a version without its client" "$lifecheck" --as 1.5 scenario
err_has 'a version is written terraform@1.5' "how it is written"
wants 1 "a message that no client prints" "$lifecheck" explain --error 'bla bla'
out_has 'lifecheck record -- terraform apply' "the next step"
yaml_latin=$(sed 's/name: ok/name: \xe9/' scenario)
printf '%s\n' "$yaml_latin" >latin.yaml
says latin.yaml '2:7: error: this byte is not UTF-8: save the file as UTF-8' "another encoding"

# ---- Configurations.

# A configuration has one error: VARIABLE OPTION, message; its text is on standard input.
stops() {
    rm -rf c && mkdir c && cat >c/main.tf
    wants 1 "a configuration that stops the client" "$lifecheck" predict --config c ${1:+--var "$1"}
    out_has "$2" "$2"
}
stops '' 'main.tf:1' <<<'resource "a_b" {}'
out_has 'this block has 1 label, and a resource block has 2' "labels are counted"
stops '' 'Duplicate resource "a_b" configuration: first declared at c/main.tf:1' <<<$'resource "a_b" "c" {}\nresource "a_b" "c" {}'
stops '' 'first declared at c/main.tf:1' <<<$'variable "v" {}\nvariable "v" {}'
stops '' 'no value is given; give one with --var size=VALUE or --var-file FILE' <<<'variable "size" {}'
stops size=big 'the value of variable "size": a number is required' <<<'variable "size" { type = number }'
stops size=hunter2 'Invalid value for input variable' <<<$'variable "size" {\n  type = number\n  sensitive = true\n}'
! grep -q 'hunter2\|a number is required' stdout
result $? "nothing is said of the value of a sensitive variable"
stops '' 'the source "./gone" of module "m" is not a folder' <<<'module "m" { source = "./gone" }'
wants 3 "a configuration in place of a plan" "$lifecheck" predict c/main.tf
out_has 'c/main.tf:1:1: error: this is a configuration in HCL, not a plan or a state: give its folder with --config' "how it is given"
wants 3 "a folder that does not exist" "$lifecheck" predict --config gone
err_has '--config: gone: no such file or folder' "is named once"

echo '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{},"resources":[]}' >held.json
wants 3 "a state instead of a plan" "$lifecheck" predict held.json
out_has 'held.json:1:1: error: this is not a plan as JSON but a state: `terraform show -json plan.out` prints a plan; --config FOLDER --prior-state FILE predicts without one' "both ways are named"
wants 3 "a schema document instead of a state" "$lifecheck" predict --config c --prior-state json
out_has 'json:1:1: error: this is not a state file of version 4: `terraform state pull` prints one' "the command that prints one is named"
wants 2 "a pattern that no rule has" "$lifecheck" --ignore 'aply/*' scenario
err_has '--ignore: no rule matches "aply/*"; `lifecheck rules` lists them' "is named with the list"
mkdir hollow
wants 3 "inspect of an empty folder" "$lifecheck" inspect hollow
err_has 'hollow has no scenario, stream of calls, capture directory, plan or state' "is named, with what is looked for"
file words.txt '1:1: error: a scenario is a mapping with the key `lifecheck: 1`, not a string: `lifecheck init` writes one; `lifecheck explain --error FILE` reads a pasted error' <<<hello

yaml '$s/$/\nexpect: {not_checked: ["aply\/*"]}/' '12:24: error: no rule matches "aply/*"; `lifecheck rules` lists them'

# ---- Wide characters, and a key as the place of a finding.

printf 'lifecheck: 1\nschema: {block: {attributes: {名前: {type: string, optional: true}}}}\nconfig: {名前: a}\nplanned_state: {名前: a}\n' >wide.yaml
run "$lifecheck" wide.yaml
out_has '   |                               ^^^^' "carets are below the key, as wide as it is"
! grep -qF '^^^^^' stdout
result $? "and end with it"

# ---- Each mistake of a command has its place, the reason and what to do. A row is STATUS | command | what is said,
# parts of which are in one line in this order.

printf 'PK\003\004\024\000\010\000\377' >plan.out
printf '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{},"resources":[]}' >state.json
printf '{"format_version":"1.2","terraform_version":"1.11.4","resource_changes":[],"configuration":{}}' >plan.json
printf '{"format_version":"1.0","provider_schemas":{"registry.terraform.io/a/b":{"resource_schemas":{"b_thing":{"version":0,"block":{"attributes":{"name":{"type":"string","required":true}}}}}}}}' >schemas.json
printf '{"lifecheck": 1}\n{"a": 2}\n' >two.jsonl
cp scenario ok.yaml
cp "$root/testdata/readme/renewal.jsonl" calls.jsonl
gzip -c ok.yaml >ok.yaml.gz
printf 'resource "a_b" "c" {\n  name = "x"\n}\n' >main.tf
mkdir -p config void && cp main.tf config/
: >empty
printf '\000\001' >bytes
rows() {
    while IFS='|' read -r expected command parts; do
        command=${command% } command=${command# } parts=${parts# }
        # shellcheck disable=SC2086 # words
        run "$lifecheck" $command
        [ "$status" = "${expected% }" ] && cat stdout stderr | grep -qF -- "$parts"
        result $? "$command: $parts"
    done
}
rows <<'END'
3 | ok.yml | ok.yml: error: no such file; did you mean "ok.yaml"?
3 | check ./okk.yaml | ./okk.yaml: error: no such file; did you mean "./ok.yaml"?
3 | absent | absent: error: no such file in the current folder: correct the path
3 | folder/absent | folder/absent: error: no such file in folder: correct the path
3 | gone/ok.yaml | gone/ok.yaml: error: no such file: the folder gone does not exist; correct the path
3 | x*.yaml | x*.yaml: error: no such file: no name matches this pattern; correct it
3 | predict plam.json | plam.json: error: no such file; did you mean "plan.json"?
3 | --schema schema.json ok.yaml | --schema: schema.json: no such file; did you mean "schemas.json"?
3 | inspect absent | absent: error: no such file in the current folder: correct the path
3 | extract absent | absent: error: no such file in the current folder: correct the path
3 | redact absent | absent: no such file in the current folder: correct the path
3 | merge absent | absent: no such file in the current folder: correct the path
3 | diff absent ok.yaml | absent: error: no such file in the current folder: correct the path
3 | schema show absent | absent: error: no such file in the current folder: correct the path
3 | gate --old absent --new ok.yaml | --old: absent: no such file or folder in the current folder: correct the path
3 | providers absent | absent: error: no such folder in the current folder: correct the path
3 | explain --error absent.txt | absent.txt: no such file in the current folder: correct the path
3 | --schema void ok.yaml | --schema: void: this is a folder, not a file: name a file in it
3 | predict --config config --module-root ok.yaml | --module-root: ok.yaml: this is a file, not a folder: name its folder
3 | ok.yaml.gz | ok.yaml.gz:1:1: error: this file is compressed: `gunzip` unpacks it
3 | bytes | bytes:1:1: error: this file is not text: lifecheck reads scenarios
3 | predict bytes | bytes:1:1: error: this file is not text: lifecheck reads scenarios
3 | predict ok.yaml | ok.yaml:1:1: error: this is not JSON: `terraform show -json PLAN` prints a plan
3 | predict calls.jsonl | calls.jsonl:2:1: error: there is more after the end of the document: remove it, or give a file with one JSON document
3 | predict schemas.json | schemas.json:1:1: error: this is not a plan as JSON: it needs format_version and resource_changes, as `terraform show -json plan.out` prints them
3 | predict --config config --prior-state ok.yaml | ok.yaml:1:1: error: this is not JSON: `terraform state pull` prints a state
3 | predict --config ok.yaml | ok.yaml: error: this is not a configuration: name a folder with *.tf or *.tf.json files, or one of them
3 | predict --config void | void: error: no configuration is in this folder: name one with *.tf or *.tf.json files
1 | --schema ok.yaml calls.jsonl | ok.yaml:1:1: error: this is not a schema document, which is a JSON object; `terraform providers schema -json` prints one
3 | schema lint main.tf | main.tf:1:1: error: this is not a schema document, which is a JSON object; `terraform providers schema -json` prints one
3 | --baseline ok.yaml ok.yaml | ok.yaml:1:1: this is not a baseline of version 2; --write-baseline makes one
3 | --baseline empty ok.yaml | empty:1:1: this is not a baseline of version 2; --write-baseline makes one
3 | verify ok.yaml ok.yaml | ok.yaml:1:1: this is not a claim: lifecheck probe --claim FILE writes one
3 | cfn schema ok.yaml | ok.yaml:1:1: error: this is not JSON, which begins with { or [; is it the right file?
1 | cfn schema schemas.json | schemas.json:1:1: error: a type schema has a "typeName" such as AWS::EC2::Instance; `aws cloudformation describe-type` prints one as its Schema
3 | --input plan ok.yaml | ok.yaml:1:1: error: this is not JSON, which begins with { or [; is it the right file?
3 | --input state plan.json | plan.json:1:1: error: this is not a state file, which needs version and resources: `terraform state pull` prints one
3 | --input log calls.jsonl | calls.jsonl:1:1: error: this is not a line of a log: leave out --input, or give what TF_LOG=JSON writes
3 | --input capture ok.yaml | ok.yaml: error: a capture directory is a folder, not a file: leave out --input, or name the folder
3 | --input capture void | void: error: no data files are in this folder: TF_LOG_SDK_PROTO_DATA_DIR=DIR terraform apply writes them
3 | --input scenarios two.jsonl | two.jsonl:2:1: error: there is more after the end of the document: remove it, or write --- before another document
3 | mocks ok.yaml | ok.yaml: the scenario does not name its resource: add `resource: TYPE.NAME`
3 | propose void | void: no scenario is in this folder; `lifecheck init` writes one
3 | schema show schemas.json --type b_thng | schemas.json: error: no such type: "b_thng"; `lifecheck schema show schemas.json` lists its types
2 | init --schema schemas.json --type b_thng | "schemas.json" has no resource "b_thng"; did you mean "b_thing"?
3 | probe --provider ok.yaml | ok.yaml cannot be used: this file cannot be executed; give the binary of the provider, or `chmod +x` it
3 | probe --provider /bin/true | /bin/true cannot be used: it ended with status 0 before its handshake (is it the binary of a provider?)
3 | record --provider a/b=ok.yaml -- true | --provider: ok.yaml: this file cannot be executed; give the binary of the provider, or `chmod +x` it
2 | serve --schema schemas.json --break aply/changed -- true | --break aply/changed: there is no such rule; did you mean "apply/changed"?
2 | --report json=r --report sarif=r ok.yaml | r cannot be a report: it is another one of this run; give each its own file
2 | --report json=ok.yaml ok.yaml | ok.yaml cannot be a report: it is an input of this run; name another file
2 | --report jsno=r ok.yaml | not "jsno=r"; did you mean "json"?
4 | -o ok.yaml ok.yaml | ok.yaml cannot be written: File exists; --force overwrites it
2 | --formt json ok.yaml | the option --formt does not exist; did you mean --format?
2 | --as teraform ok.yaml | --as takes document, opentofu, terraform or recorded, not "teraform"; did you mean "terraform"?
2 | --ignore aply/changed ok.yaml | --ignore: no rule matches "aply/changed"; did you mean "apply/changed"?
2 | explain apply/chnged | the rule "apply/chnged" does not exist; did you mean "apply/changed"?
2 | --fail-on fatal ok.yaml | --fail-on takes error, warning or info, not "fatal"
2 | gate --old calls.jsonl | gate takes --old PATH and --new PATH, evidence of two versions of a provider
2 | gate --old calls.jsonl --new calls.jsonl --state state.json | --state has no effect: it needs two binaries, in --old and in --new
2 | gate --old calls.jsonl --new calls.jsonl --var-file main.tf | --var-file has no effect: it needs two binaries, in --old and in --new
2 | gate --old calls.jsonl --new calls.jsonl --provider-config ok.yaml | --provider-config has no effect: neither --old nor --new names a binary
2 | predict plan.json --var a=1 | --var has no effect: a plan has its own values; --config FOLDER names a configuration
2 | --operation refresh state.json | --operation has no effect: --new-state names the state after it
3 | extract --schema ok.yaml calls.jsonl | ok.yaml:1:1: error: this is not a schema document, which is a JSON object; `terraform providers schema -json` prints one
3 | --max-input 10 ok.yaml | ok.yaml: error: larger than the limit of 10 bytes; --max-input sets that of inputs
3 | --max-depth 2 ok.yaml | ok.yaml:5:5: error: this is nested too deeply; --max-depth raises the limit
3 | --max-nodes 3 ok.yaml | ok.yaml:4:3: error: the document has too many values; --max-nodes raises the limit
END
run "$lifecheck" extract --schema ok.yaml calls.jsonl
grep -q '^lifecheck: 1' stdout
result $? "a scenario that does not need the schema is written nevertheless"
run "$lifecheck" "$root/testdata/logs/tolerated.text.log"
out_has 'not checked: what needs values, which a log does not have; `lifecheck record -- terraform apply` records them (-v: all)' "a log alone says what it cannot show"
run "$lifecheck" absent scenario
[ "$status" = 3 ] && grep -q '1 case: 1 conforms' stdout
result $? "the other input is checked"

# ---- YAML that libyaml refuses in its own words.

while IFS='|' read -r text said; do
    printf '%b' "$text" >raw.yaml
    says raw.yaml "$said" "$text"
done <<'END'
a: [1,,2]|1:7: error: a value is missing before this ','; a string that begins with it needs quotes
a: ,b|1:4: error: a value is missing before this ','; a string that begins with it needs quotes
a: "\\q"|1:5: error: this is not an escape: write \\ for a backslash, or use single quotes
a: "\\xZZ"|1:7: error: hexadecimal digits are missing: two after \x, four after \u, eight after \U
a: !<x|1:7: error: a string that begins with '!' needs quotes, unless it is a marker such as !unknown
a: !x!y z|1:4: error: a string that begins with '!' needs quotes, unless it is a marker such as !unknown
a: \x01|1:4: error: control characters are not allowed: write an escape in double quotes, as in "\u0001"
: a|1:1: error: a key is expected here, as in `name: value`
a: >3x\n y|1:6: error: the text after > or a vertical bar begins on the next line
END

# ---- Configurations with which a client stops: LINE:COLUMN, what is said, and what to write instead.

while IFS='|' read -r text place said fix; do
    rm -rf n && mkdir n
    printf '%b' "$text" >n/main.tf
    run "$lifecheck" predict --config n --no-settings --width 400
    [ "$status" = 1 ] && grep -qF -- "the client stops: $said" stdout && grep -qF -- "--> n/main.tf:$place " stdout &&
        grep -qF -- "= fix        $fix" stdout
    result $? "$text: $place: $said: $fix"
done <<'END'
resource "a_b" "c" {\n  x = a_b.c.y\n}|2:7|Self-referential block: a_b.c.y refers to the block itself|A block cannot use its own attributes: write the value
resource "a_b" "c" {\n  count = 2\n  x = a_b.c[0].y\n}|3:7|Self-referential block: a_b.c[0].y refers|A block cannot use its own attributes
locals {\n  a = local.a\n}|2:7|Self-referencing local value|A local value cannot use itself
locals {\n  a = local.b\n  b = local.a\n}|2:3|Cycle: local.a (expand), local.b (expand)|Remove one of the references between these objects
resource "a_b" "d" {\n  x = a_b.c.y\n}\nresource "a_b" "c" {\n  x = a_b.d.y\n}|4:1|Cycle: a_b.c, a_b.d|Remove one of the references between these objects
resource "a_b" "c" {\n  x = each.key\n}|2:7|Reference to "each" in context without for_each: the block does not set for_each|Set for_each in this block
resource "a_b" "c" {\n  x = each.value.y\n}|2:7|each.value cannot be used in this context: the block does not set for_each|Set for_each in this block
resource "a_b" "c" {\n  for_each = {}\n  x = each.name\n}|3:7|Invalid "each" attribute: each has no attribute "name"|Write each.key or each.value
resource "a_b" "c" {\n  x = count.index\n}|2:7|Reference to "count" in non-counted context: the block does not set count|Set count in this block
resource "a_b" "c" {\n  x = self.id\n}|2:7|Invalid "self" reference: this is not inside a provisioner|Only provisioner, connection and postcondition blocks have self
resource "a_b" "c" {\n  x = path.here\n}|2:7|Invalid "path" attribute: path has no attribute "here"|Write path.module
moved {\n  from = a_b.c\n}|1:7|Missing required argument: the argument to is required|Add the argument
moved {\n  from = "a_b.c"\n  to = a_b.d\n}|2:10|Invalid expression: an address is required here|Write an address without quotes
import {\n  to = a_b.c\n  id = "x"\n}|1:1|Configuration for import target does not exist|Add a resource block with the address in `to`
import {\n  to = a_b.c\n}\nresource "a_b" "c" {}|1:1|Missing required import argument|Add id = "..."
output "o" {\n  value = uper("x")\n}|2:11|Call to unknown function|Correct the name of the function
output "o" {\n  value = upper()\n}|2:17|Not enough function arguments|Add the missing arguments
variable "n" { default = 1 }\noutput "o" {\n  value = var.m\n}|3:11|Reference to undeclared input variable: the root module has no variable named "m"|Correct the name, or declare it
resource "a_b" "c" {\n  for_each = ["x"]\n}|2:14|Invalid for_each argument|Give for_each a map, or a set
resource "a_b" "c" {\n  count = -1\n}|2:11|Invalid count argument|Give count a whole number
resource "a_b" "c" {}\nresource "a_b" "c" {}|2:1|Duplicate resource "a_b" configuration|Rename or remove one of the two blocks
resource "terraform_data" "c" {\n  inptu = 1\n}|2:3|Unsupported argument: inptu; did you mean "input"?|Correct the name of the argument
resource "a_b" "c" {\n  lifecycle {\n    prevent_destory = true\n  }\n}|3:5|Unsupported argument: no argument named prevent_destory is expected here; did you mean "prevent_destroy"?|Correct the name
modul "m" {}|1:1|Unsupported block type: no block named modul is expected here; did you mean "module"?|Correct the type of the block
resource "terraform_data" "c" {\n  lifecycle {\n    ignore_changes = [inptu]\n  }\n}|3:23|Unsupported attribute: terraform_data has no attribute or block "inptu"|Correct the name of the attribute
locals {\n  n = 1\n}\noutput "o" {\n  value = locals.n\n}|5:11|Reference to undeclared resource: the root module has no resource named "locals.n"; did you mean "local.n"?|Correct the type or the name
data "terraform_remote_state" "x" {\n}|1:35|Missing required argument: backend|Add the argument
terraform {\n  required_providers {\n    a = { source = "x/a", version = "abc" }\n  }\n}|3:37|Invalid version constraint: this is not a version constraint|Write a constraint such as
END
printf 'resource "a_b" "c" {}\nmoved {\n  from = a_b.c\n  to = a_b.c\n}\n' >n/main.tf
run "$lifecheck" predict --config n --no-settings
out_has 'a_b.c: no client accepts this block: Redundant move statement' "a moved block: its error is named"
out_has '= fix        Remove the moved block, or correct from or to: both are the same address.' "and its fix"
run "$lifecheck" predict --config n --no-settings --format json
out_has '"fix":"Remove the moved block' "JSON has the fix"

# ---- The native syntax.

while IFS='|' read -r text said; do
    rm -rf n && mkdir n
    printf '%b' "$text" >n/main.tf
    run "$lifecheck" predict --config n
    [ "$status" = 3 ] && grep -qF -- "n/main.tf:$said" stdout
    result $? "$text: $said"
done <<'END'
a "b" {\n  c = \n}|2:7: error: Invalid expression: a value is missing here: write one, such as "text", 5, true or var.name
a "b" {\n  c = 1 +\n}|2:10: error: Invalid expression: a value is missing here
a "b" {\n  c = @x\n}|2:7: error: Invalid character: the language does not use this character: remove it, or quote the string that it belongs to
a "b" {\n  c = 'x'\n}|2:7: error: Invalid character: strings are written in double quotes
a "b" {\n  c = 1|1:7: error: Unclosed configuration block: the brace of this block is not closed: add }
a "b" {\n  c = [1, 2\n}|3:1: error: Missing item separator: elements are separated by commas; after the last one, close the list with ]
a "b" {\n  c = f(1\n}|3:1: error: Missing argument separator: arguments are separated by commas; after the last one, close the call with )
a "b" {\n  c = {d: 1 e: 2}\n}|2:13: error: Missing attribute separator: attributes are separated by line breaks or commas; after the last one, close the object with }
a "b" {\n  c = "${d"\n}|2:8: error: Unclosed template interpolation sequence: the brace of this interpolation is not closed: add }
a "b" {\n  c = <<E\nx\n}\n|5:1: error: Unterminated template string: the end of this string is missing: a closing quote, or the word of its heredoc on a line of its own
a "b" {\n  c = "\\q"\n}|2:8: error: Invalid escape sequence: this is not an escape; a backslash is written \\
a "b" {\n  c = 1 d = 2\n}|2:9: error: Missing newline after argument: an argument ends with its line: begin what follows on a new one
a "b" {\n  c = 1\n  c = 2\n}|3:3: error: Attribute redefined: an argument may be set only once: remove one of them
a "b" {\n}}|2:2: error: Missing newline after block definition: a block ends with its line: remove what follows, or begin it on a new one
resource "b {\n}|1:14: error: Invalid string literal: a label is a plain string on one line; is its closing quote missing?
a "b" {\n  c: 1\n}|2:3: error: Argument or block definition required: an argument, NAME = VALUE, or a block, TYPE { }, belongs here
END

# ---- What has no effect, or compares nothing, is not accepted in silence.

mkdir -p hollow other
rows <<'END'
2 | predict --config config --workspace a/b | --workspace takes a name of letters, digits, dashes, underscores and dots, not "a/b"
2 | predict --config config --env =x | --env takes NAME=VALUE: the name is missing
2 | predict --config config --env LC_NOT_SET | --env: the environment has no variable LC_NOT_SET; write LC_NOT_SET=VALUE
3 | predict --config config --target a_b.d | config: error: --target: no block and no object has the address a_b.d; did you mean "a_b.c"?
3 | predict --config config --exclude module.m | config: error: --exclude: no block and no object has the address module.m: correct or remove it
3 | predict --config config --replace x_y.zz | config: error: --replace: no block and no object has the address x_y.zz: correct or remove it
3 | predict plan.json --target a_b.c | plan.json: error: --target: no block and no object has the address a_b.c
3 | diff hollow other | hollow has no report, scenario, recording, plan or state to compare
3 | diff ok.yaml other | other has no report, scenario, recording, plan or state to compare
3 | --input calls ok.yaml | ok.yaml:1:1: error: this is not a stream of recorded calls but scenarios: leave out --input
3 | --input calls README.md | README.md:1:1: error: this line is not a recorded call
3 | ok.yaml --prior-state state.json | state.json: error: --prior-state has no effect: it needs a plan or state among the inputs; leave it out
1 | calls.jsonl --new-state state.json | state.json: error: --new-state has no effect: it needs a plan or state among the inputs; leave it out
END
run "$lifecheck" --input calls README.md
[ "$(grep -c ': error: ' stdout)" = 1 ]
result $? "a file that is not a recording is one error"
for option in --workspace --prior-state --settings --config; do
    wants 2 "$option without a value" "$lifecheck" predict --config config "$option" ''
    grep -q -- "$option takes [A-Z]*, not an empty string" stderr
    result $? "is not as if it were not given"
done
: >empty.yaml
printf '# nothing yet\n' >comment.yaml
for file in empty.yaml comment.yaml; do
    wants 0 "settings: $file has none" "$lifecheck" --settings $file scenario
done
while read -r variable status said; do
    wants "$status" "$variable" env "$variable" "$lifecheck" scenario
    grep -qF "$said" stderr
    result $? "$said"
done <<'END'
LIFECHECK_STRICT=maybe 2 LIFECHECK_STRICT takes 1 or 0, not "maybe"
LIFECHECK_VERBOSE=2 2 LIFECHECK_VERBOSE takes 1 or 0, not "2"
LIFECHECK_WIDTH=wide 2 LIFECHECK_WIDTH takes
LIFECHECK_AS=teraform 2 LIFECHECK_AS takes
LIFECHECK_JOBS=many 2 LIFECHECK_JOBS takes
LIFECHECK_COLOR=maybe 2 LIFECHECK_COLOR takes
END
for value in FALSE off On; do
    wants 0 "LIFECHECK_STRICT=$value" env LIFECHECK_STRICT=$value "$lifecheck" scenario
done

# ---- Recorded calls whose members have a wrong kind: the member, with the line.

while IFS='|' read -r edit said; do
    sed -E "$edit" calls.jsonl >edited.jsonl
    run "$lifecheck" edited.jsonl
    ! cmp -s calls.jsonl edited.jsonl && grep '^edited.jsonl:[0-9]*:1: error: ' stdout | grep -qF "$said"
    result $? "$edit: $said"
done <<'END'
2s/"provider":\{"block":\{\}\}/"provider":7/|2:1: error: "response" of this call does not match the protocol: provider: a mapping is required, not a number
2s/"provider":\{"block":\{\}\}/"provider":{"block":[]}/|2:1: error: "response" of this call does not match the protocol: provider.block: a mapping is required, not a sequence
2s/"resource_schemas":\{/"resource_schemas":{"x":"y",/|2:1: error: "response" of this call does not match the protocol: resource_schemas.x: a mapping is required, not a string
2s/"attributes":\[/"attributes":[null,/|attributes[0]: a mapping is required, not null
2s/"optional":true/"optional":"true"/|true or false is required, not a string
s/"planned_state":\{"msgpack":"[^"]*"\}/"planned_state":[]/|planned_state: a mapping is required, not a sequence
s/"client_capabilities":\{/"client_capabilities":{"deferral_allowed":1,/|client_capabilities.deferral_allowed: true or false is required, not a number
END

# ---- More mistakes of newcomers, each with what to write instead.

rows <<'END'
2 | explain apply | explain takes one rule; lifecheck rules 'apply/*' lists those of the family
3 | merge ok.yaml | ok.yaml: this is not a report of --format json; `lifecheck check --format json -o FILE` writes one
2 | inspect | inspect takes inputs: scenarios, recorded calls, capture directories, plans or states
END
wants 2 "explain: an error without --error" "$lifecheck" explain 'Provider produced inconsistent result after apply'
err_has "lifecheck explain --error 'MESSAGE' finds the rule behind an error" "the option is named"
run "$lifecheck" record -- terrafrom apply
[ "$status" = 127 ] && grep -q 'terrafrom cannot be run: No such file or directory; correct the name, or give its path' stderr
result $? "record: a misspelt client"
yaml '3,8d;9s/^/schema: schemas.json\n/' '3:9: error: a schema takes a mapping, not a string: write `{file: schemas.json, type: TYPE}`'
yaml '3,8d;9s/^/schema: {file: schemas.json}\n/' '3:10: error: a schema from a file needs the key "type": `lifecheck schema show` lists the types of the file'
yaml '$s/$/\nexpect: update/' '12:9: error: expect takes a mapping, not a string: write `{action: update}`'
yaml '$s/$/\nexpect: {findings: apply\/changed}/' '12:20: error: findings takes a list, not a string: write `[{rule: apply/changed}]`'
yaml '$s/$/\nexpect: {findings: [apply\/changed]}/' '12:21: error: an expected finding takes a mapping, not a string: write `{rule: apply/changed}`'
yaml '$s/$/\nplan: {requires_replace: name}/' '12:26: error: requires_replace takes a list, not a string: write `[.name]`'
yaml '$s/$/\ncases: {}/' '12:8: error: cases takes a list, not a mapping: write `[{name: first, config: {...}}]`'
yaml '$s/$/\ncases: []/' '12:8: error: cases is empty: write a case into it, or remove the key'
yaml '2s/ok/[ok]/' '2:7: error: the name of a case takes a string, not a sequence'
yaml '$s/name: b/name: !secret b/' "11:23: error: '.name' has the tag !secret, which is not a marker; a string that begins with ! needs quotes"
while IFS='|' read -r text said; do
    printf '%b' "$text" >odd.yaml
    wants 2 "settings: $text" "$lifecheck" --settings odd.yaml scenario
    err_has "odd.yaml:$said" "$said"
done <<'END'
strict = true\n|1:1: a settings file is a mapping, not a string: write lines such as `strict: true`
ignore:\n  - {rule: apply/changed}\n|2:5: an ignore needs the key "reason": say why, as in reason: "issue 7"
ignore:\n  - {reason: x}\n|2:5: an ignore needs the key "rule", as in rule: apply/changed
fail_on: warning\n|1:1: the key "fail_on" is not known in a settings file; did you mean "fail-on"?
strict: yes\n|1:9: strict takes true or false, not a string
END

# ---- Values of variables that there are not, and limits that no option raises.

rm -rf n && mkdir n
printf 'variable "name" {\n  default = 1\n}\nresource "terraform_data" "a" {\n  input = var.name\n}\n' >n/main.tf
printf 'nmae = 5\n' >n/terraform.tfvars
wants 0 "a value for a variable that is not declared" "$lifecheck" predict --config n --no-settings
out_has 'n/terraform.tfvars:1:1: warning: the value of "nmae" has no effect: the root module declares no variable of this name; did you mean "name"?' "is a warning, as of the clients"
printf '%0300d' 0 | sed 's/0/{a: /g' >deep.yaml
printf '%0300d' 0 | sed 's/0/}/g' >>deep.yaml
wants 2 "settings that are too deep" "$lifecheck" --settings deep.yaml scenario
err_has 'deep.yaml:1:801: this is nested too deeply' "have no option that raises the limit"
! grep -q max-depth stderr
result $? "and none is named"
wants 3 "a scenario that is too deep" "$lifecheck" deep.yaml
out_has 'deep.yaml:1:801: error: this is nested too deeply; --max-depth raises the limit' "has one"
