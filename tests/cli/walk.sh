#!/bin/bash
# Which files are checked: what is named, what a walk takes, what it passes over.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
mkdir -p tree/b/.hidden tree/a tree/.git
cp "$data/conforms.yaml" tree/b/two.yaml
cp "$data/conforms.yaml" tree/a/one.yml
cp "$data/conforms.yaml" tree/b/.hidden/never.yaml
cp "$data/violates.yaml" tree/.git/never.yaml
cp "$data/conforms.yaml" tree/no-extension
printf '{"block": {}}\n' >tree/schema.json
printf 'text\n' >tree/notes.txt
printf '\0\1\2lifecheck: 1\n' >tree/binary
: >tree/nothing
ln -s .. tree/b/loop
ln -s ../a/one.yml tree/b/linked.yaml

wants 0 "a folder" "$lifecheck" tree
out_has "4 cases: 4 conform" "scenarios by their content, links to files too"
out_has "skipped 5 files" "the rest is counted"
wants 0 "a folder with -v" "$lifecheck" -v tree
out_has "skipped tree/schema.json" "and listed"
! grep -q "never\.yaml" stdout
result $? "dot files and dot folders are passed over"
grep '^tree/.*#' stdout | sed 's/#.*//' >order
printf 'tree/a/one.yml\ntree/b/linked.yaml\ntree/b/two.yaml\ntree/no-extension\n' | cmp -s - order
result $? "in order of names"
wants 0 "a folder with a slash" "$lifecheck" tree/
! grep -q 'tree//' stdout
result $? "does not get another"

wants 3 "a file that is named has to be a scenario" "$lifecheck" tree/schema.json
out_has "tree/schema.json:1:" "and the place is reported"
wants 3 "an empty file that is named" "$lifecheck" tree/nothing
printf '{"process":1,"seq":1,"protocol":6,"rpc":"StopProvider","request":{},"response":{}}\n' >stop.jsonl
wants 3 "a recording of no object, beside a scenario" "$lifecheck" "$data/conforms.yaml" stop.jsonl
out_has "stop.jsonl: error: nothing in it can be checked" "is reported"
wants 0 "unless that is permitted" "$lifecheck" --allow-empty "$data/conforms.yaml" stop.jsonl
mkdir -p some
cp stop.jsonl "$data/conforms.yaml" some
wants 0 "in a folder that is named" "$lifecheck" some
out_has "some/stop.jsonl: warning: nothing in it can be checked" "it is a warning"
mkdir -p none
wants 0 "an empty folder beside a scenario" "$lifecheck" "$data/conforms.yaml" none
err_has "none has no scenario, stream of calls, capture directory, plan or state" "is reported too"
printf 'lifecheck: 1\nname: [\n' >tree/broken.yaml
wants 3 "a scenario that is broken is not skipped in a walk" "$lifecheck" tree
out_has "tree/broken.yaml:" "but reported"
out_has "4 conform" "and the others are checked"

"$lifecheck" - <"$data/violates.yaml" >stdout 2>stderr
[ $? = 1 ]
result $? "standard input"
out_finds "with places" "error[apply/changed]:" "--> -:14:19   "
"$lifecheck" "-#violates" <"$data/several.yaml" >stdout 2>stderr
[ $? = 1 ]
result $? "a case of standard input"
mkfifo pipe
cat "$data/conforms.yaml" >pipe &
wants 0 "a named pipe" "$lifecheck" pipe
cp "$data/conforms.yaml" 'a#b.yaml'
wants 0 "a name with a # in it" "$lifecheck" 'a#b.yaml'
wants 0 "and a case of it" "$lifecheck" 'a#b.yaml#conforms'
cp "$data/violates.yaml" rules
wants 1 "a file named like a command" "$lifecheck" ./rules
wants 1 "after check too" "$lifecheck" check rules
if [ "$(id -u)" = 0 ]; then
    echo "ok - a file that may not be read # SKIP root may read everything"
else
    cp "$data/conforms.yaml" locked.yaml
    chmod 0 locked.yaml
    wants 3 "a file that may not be read" "$lifecheck" locked.yaml
fi
wants 3 "too large an input" "$lifecheck" --max-input 10 "$data/conforms.yaml"
out_has "larger than the limit" "is refused"
wants 3 "too many nodes" "$lifecheck" --max-nodes 3 "$data/conforms.yaml"
wants 3 "too deep an input" "$lifecheck" --max-depth 2 "$data/conforms.yaml"

# ---- A scenario whose head is misspelt or missing is reported, not passed over.

mkdir heads && cp "$data/conforms.yaml" heads/good.yaml
wants 0 "a folder with a scenario" "$lifecheck" heads
sed 's/^lifecheck:/lifechek:/' heads/good.yaml >heads/typo.yaml
wants 3 "a head that is misspelt" "$lifecheck" heads
out_has 'typo.yaml:' "is reported with its place"
out_has 'did you mean "lifecheck"?' "and with a guess"
rm heads/typo.yaml && grep -v '^lifecheck:' heads/good.yaml >heads/none.yaml
wants 3 "a head that is missing" "$lifecheck" heads
out_has 'none.yaml:2:1: error: a scenario needs the key "lifecheck"' "is reported"
rm heads/none.yaml
printf 'openapi: 3\nschema: {}\npaths: {}\n' >heads/api.yaml
printf 'name: x\nruns: {using: node20}\n' >heads/action.yml
printf '{"resource": {"a": {"b": {}}}, "variable": {}}\n' >heads/main.tf.json
printf 'lifecycle: {}\nconfig: {}\n' >heads/other.yaml
wants 0 "files that have some such keys" "$lifecheck" -v heads
out_has "heads/api.yaml" "are passed over"
mkdir line && tr -d '\n' <<'J' >line/one.json
{"lifecheck": 1, "schema": {"version": 0, "block": {"attributes": {"name": {"type": "string", "optional": true}}}}, "resource": "x_y.a",
 "calls": [{"rpc": "PlanResourceChange", "request": {"prior_state": null, "config": {"name": "a"}}, "response": {"planned_state": {"name": "b"}}}]}
J
wants 1 "a scenario in one line of JSON" "$lifecheck" line/one.json
out_has "[plan/mismatch-config]: .name:" "is a scenario, whatever its calls look like"
