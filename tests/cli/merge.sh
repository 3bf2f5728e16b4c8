#!/bin/bash
# --shard and merge: the result of all shards is that of the whole run, byte for byte.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# same N NAME FORMAT ARGUMENTS...: N shards against the whole; the last arguments are paths
same() {
    local shards=$1 name=$2 format=$3 i want bad=0
    shift 3
    rm -f shard-*.json
    "$lifecheck" --format "$format" "$@" >whole 2>/dev/null
    want=$?
    for ((i = shards; i >= 1; i--)); do
        "$lifecheck" --shard "$i/$shards" --report json="shard-$i.json" "$@" >/dev/null 2>&1
    done
    local flags=()
    for word in "$@"; do
        case $word in -v | -q | --allow-empty) flags+=("$word") ;; esac
    done
    "$lifecheck" merge --format "$format" "${flags[@]}" shard-*.json >merged 2>stderr
    [ $? = "$want" ] || bad=1
    diff whole merged | head -n 6 | cut -c1-300 | sed 's/^/#   /'
    cmp -s whole merged || bad=1
    result $bad "$shards shards, $format: $name"
}

mkdir all
cp "$data"/*.yaml "$data/lint.json" all
cp -r "$root/testdata/captures" captures
cp -r "$root/testdata/logs" logs
for format in text json jsonl; do
    same 3 "one of each outcome" "$format" all nowhere.yaml
done
for format in sarif junit tap github markdown concise; do
    same 3 "one of each outcome" "$format" all nowhere.yaml
    same 2 "recordings" "$format" captures logs
    same 3 "the scenario library" "$format" "$root/scenarios"
done
same 1 "one is all" json all
same 20 "more shards than files" json all
same 2 "folders, streams and logs" json captures logs
same 3 "folders, streams and logs" text captures logs
same 2 "the scenario library" text -v "$root/scenarios"
same 7 "the scenario library" json "$root/scenarios"
same 3 "in few words" text -q all
same 3 "in many words" text -v all
same 2 "mistakes in scenarios" text --lint all
same 2 "mistakes in scenarios" json --lint --strict all
same 3 "another client's verdict" text -v --as terraform all captures
same 3 "another client's verdict" json --as opentofu all captures
same 3 "rules that are hidden" text -v --select 'plan/*' all
same 3 "rules that are hidden" json --select 'plan/*' all
same 3 "another level" text -q --fail-on info captures
same 3 "rules that have to be checked" text --require 'final/*' all
same 3 "ignored rules" sarif --ignore 'apply/*' all
for format in junit tap; do
    same 3 "rules that are hidden" "$format" --select 'plan/*' all
    same 2 "rules that are ignored" "$format" --ignore 'apply/*' all
done
mkdir broken
for i in 1 2 3 4; do printf 'lifecheck: 1\nschema: {file: %s, type: a_b}\nresource: a_b.c\nconfig: {}\n' "nowhere.json" >"broken/no-file-$i.yaml"; done
for i in 1 2 3 4; do printf 'lifecheck: 1\nschema: {file: %s, type: a_b}\nresource: a_b.c\nconfig: {}\n' "bad.json" >"broken/bad-$i.yaml"; done
echo '{"format_version": "1.0", "provider_schemas": 7}' >broken/bad.json
same 3 "schema documents that nobody can read" json broken
"$lifecheck" -j1 broken >one
[ "$(grep -c 'no such file' one)" = 4 ] && [ "$(grep -c 'bad.json:1:47' one)" = 4 ]
result $? "each input is reported why"
for i in 1 2 3; do "$lifecheck" -j2 broken | cmp -s - one || break; done
result $? "whatever worker has it"
cat >.lifecheck.yaml <<'X'
ignore:
  - {rule: 'apply/*', resource: '*', reason: a, until: 2027-01-01}
  - {rule: 'move/*', reason: b}
  - {rule: 'final/*', reason: c, until: 2025-01-01}
X
same 3 "ignores, used in one shard only" text -v all
same 3 "ignores, used in one shard only" json all
same 3 "ignores, of the project" sarif all
rm .lifecheck.yaml

# ---- Known findings

"$lifecheck" --write-baseline known.json all/violates.yaml >/dev/null
cp all/violates.yaml all/zz.yaml
"$lifecheck" --format json --baseline known.json all >whole
for i in 1 2; do "$lifecheck" --shard $i/2 --format json all >shard-$i.json; done
wants 1 "a baseline is given to merge" "$lifecheck" merge --format json --baseline known.json shard-1.json shard-2.json
cmp -s stdout whole
result $? "and takes as many"
wants 2 "not to a shard" "$lifecheck" --shard 1/2 --baseline known.json all
err_has "give it to lifecheck merge" "that is reported"
echo 'baseline: known.json' >.lifecheck.yaml
for i in 1 2; do "$lifecheck" --shard $i/2 --format json all >shard-$i.json; done
wants 1 "a baseline of the project is left to merge" "$lifecheck" merge --format json shard-1.json shard-2.json
cmp -s stdout whole
result $? "which takes as many"
rm .lifecheck.yaml

# ---- Several runs

"$lifecheck" --format json all/conforms.yaml >a.json
"$lifecheck" --format json all/legacy.yaml >b.json
wants 0 "reports of several runs" "$lifecheck" merge a.json b.json
out_has "2 cases: 2 conform" "are joined"
"$lifecheck" --format json all/conforms.yaml all/legacy.yaml >whole
wants 0 "also as JSON" "$lifecheck" merge --format json a.json b.json
cmp -s stdout whole
result $? "as one run would be"
wants 0 "one report" "$lifecheck" merge --format json a.json
cmp -s stdout a.json
result $? "is as it was"

# ---- Refused

wants 2 "pages of objects, which no record holds" "$lifecheck" merge --format html a.json
err_has "--format takes text, json, jsonl, sarif, junit, tap, github, markdown or concise, not \"html\"" "is reported"
echo before >page.html
wants 2 "nor as a further report" "$lifecheck" merge --report html=page.html a.json
[ "$(cat page.html)" = before ]
result $? "and the file of an earlier run stays"
for i in 1 2 3; do "$lifecheck" --shard $i/3 --format json all >shard-$i.json; done
wants 3 "a missing shard" "$lifecheck" merge shard-1.json shard-3.json
err_has "shard 2 of 3 is missing" "is named"
wants 3 "a missing last shard" "$lifecheck" merge shard-1.json shard-2.json
err_has "shard 3 of 3 is missing" "is named"
wants 3 "a shard twice" "$lifecheck" merge shard-1.json shard-2.json shard-2.json
err_has "shard-2.json: this shard was given twice" "is named"
wants 3 "a shard and a whole report" "$lifecheck" merge shard-1.json a.json
err_has "this is not a shard of the same run" "do not fit"
"$lifecheck" --format json --strict all/conforms.yaml >strict.json
wants 3 "reports with other policies" "$lifecheck" merge a.json strict.json
err_has "strict.json: this report was made with another --as, --strict, --fail-on, --select or --ignore" "do not fit"
"$lifecheck" --format json --select 'apply/*' all/conforms.yaml >other.json
wants 3 "reports of other rules" "$lifecheck" merge a.json other.json
wants 3 "no report" "$lifecheck" merge all/conforms.yaml
err_has "this is not a report of --format json" "is reported"
wants 3 "a report that is cut" "$lifecheck" merge <(head -c 2000 a.json)
sed 's,"apply/changed","apply/changde",g' b.json >other.json
wants 3 "rules of another version" "$lifecheck" merge other.json
err_has "no rule that this version knows" "are reported"
sed 's/"lifecheck_report":1/"lifecheck_report":2/' a.json >other.json
wants 3 "another version" "$lifecheck" merge other.json
sed 's/"inputs":\[{"cases":[0-9]*/"inputs":[{"cases":99/' shard-1.json >other.json
wants 3 "a shard that contradicts itself" "$lifecheck" merge other.json shard-2.json shard-3.json
err_has "contradicts itself about its shard" "is reported"
wants 2 "merge without a report" "$lifecheck" merge
for bad in 0/2 3/2 1 1/ /2 a/b 1/2/3 1/99999; do
    wants 2 "--shard $bad" "$lifecheck" --shard "$bad" all
    err_has "--shard takes I/N" "is reported"
done
python3 - "$lifecheck" <<'X' 2>/dev/null
import json, random, subprocess, sys
random.seed(7)
text = open("shard-1.json").read()
whole = json.loads(text)
def spoil(node):
    if isinstance(node, dict) and node:
        key = random.choice(sorted(node))
        if random.random() < .4: node[key] = random.choice([None, [], {}, "", 7, True, [None], {"a": 1}])
        else: spoil(node[key])
    elif isinstance(node, list) and node:
        i = random.randrange(len(node))
        if random.random() < .2: node[i] = random.choice([None, [], {}, "", 7])
        else: spoil(node[i])
for n in range(150):
    copy = json.loads(text)
    for _ in range(3): spoil(copy)
    open("spoilt.json", "w").write(json.dumps(copy))
    for case in copy.get("cases") if isinstance(copy.get("cases"), list) else []:
        if isinstance(case, dict) and random.random() < .1: case["passes"] = random.choice([True, False])
    for format in "text", "json", "junit", "tap":
        done = subprocess.run([sys.argv[1], "merge", "--format", format, "-v", "spoilt.json", "shard-2.json", "shard-3.json"], capture_output=True)
        if done.returncode not in (0, 1, 3): print("not ok - spoilt", n, done.returncode); sys.exit(1)
X
status=$?
if command -v python3 >/dev/null; then
    result $status "150 spoilt reports"
else
    echo "ok - 150 spoilt reports # SKIP python3 is not installed"
fi
