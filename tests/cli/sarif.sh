#!/bin/bash
# SARIF: valid by the schema, and says the same as the JSON report.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
check=$root/tests/cli/checks/sarif_check.py
cp "$data"/*.yaml .

valid() { # name
    python3 "$check" stdout >problems 2>&1
    local good=$?
    sed 's/^/#   /' problems
    [ "$good" = 0 ]
    result $? "$1"
    cp stdout "read-$((++reads)).sarif"
}
reads=0

if ! command -v python3 >/dev/null || ! command -v jq >/dev/null; then
    echo "ok - SARIF # SKIP python3 or jq is not installed"
    exit 0
fi

wants 0 "a clean run" "$lifecheck" --format sarif conforms.yaml
valid "is valid"
jq -e '.runs | length == 1 and .[0].results == [] and .[0].invocations[0].executionSuccessful' stdout >/dev/null
result $? "is a run with empty results"
[ "$(jq -r '.runs[0].tool.driver.rules[].id' stdout | grep -c /)" -gt "$("$lifecheck" rules | wc -l)" ] &&
    cmp -s <("$lifecheck" rules --format json | jq -r '.[].rule' 2>/dev/null | sort) \
        <(jq -r '.runs[0].tool.driver.rules[].id' stdout | grep -v '^lint/\|^scenario/' | sort)
result $? "declares every rule of the catalogue"

run "$lifecheck" check --lint --format sarif several.yaml violates.yaml nowhere.yaml
valid "findings, lints and errors are valid"
cp stdout all.sarif
"$lifecheck" check --lint --format json several.yaml violates.yaml nowhere.yaml >all.json
[ "$(jq '[.runs[0].results[] | select(.ruleId | test("^(lint|scenario)/") | not)] | length' all.sarif)" = \
    "$(jq '[.cases[].findings[]] | length' all.json)" ]
result $? "every finding of the JSON report is a result"
cmp -s <(jq -c '[.cases[].findings[] | [.rule, .location.line, .location.column, .fingerprint]] | sort' all.json) \
    <(jq -c '[.runs[0].results[] | select(.properties) | [.ruleId, .locations[0].physicalLocation.region.startLine, .locations[0].physicalLocation.region.startColumn, .partialFingerprints["lifecheck/v2"]]] | sort' all.sarif)
result $? "with its rule, place and fingerprint"
jq -e '[.runs[0].results[] | select(.suppressions[0].justification == "BUG-2")] | length == 1' all.sarif >/dev/null
result $? "what a scenario ignores is suppressed for its reason"
jq -e '[.runs[0].results[] | select(.properties["lifecheck/case"] == "expected #1")] | all(.suppressions[0].justification == "the scenario expects it")' all.sarif >/dev/null
result $? "what it expects is suppressed too"
jq -e '[.runs[0].results[].locations[].logicalLocations[]? | .name] | all(length > 0 and (startswith("]") | not))' all.sarif >/dev/null
result $? "attributes have names"
jq -e '[.runs[0].results[] | select(.properties["lifecheck/case"] == "known")] | length == 1 and .[0].suppressions[0].justification == "the case is known to fail"' all.sarif >/dev/null
result $? "and what is known to fail"
jq -e '[.runs[0].results[].ruleId] | index("scenario/missing") and index("scenario/action") and index("scenario/ignore-unused")' all.sarif >/dev/null
result $? "expectations that are not met are results"
jq -e '.runs[0].invocations[0] | (.executionSuccessful | not) and (.toolExecutionNotifications[0].locations[0].physicalLocation.artifactLocation.uri == "nowhere.yaml")' all.sarif >/dev/null
result $? "an input that cannot be read is a notification"
jq -e '[.runs[0].results[] | select(.relatedLocations)] | length > 0 and all(.relatedLocations[].message.text != "")' all.sarif >/dev/null
result $? "related places name what stands there"
jq -e '[.runs[0].results[].partialFingerprints.primaryLocationLineHash | select(.)] | length == (unique | length)' all.sarif >/dev/null
result $? "line hashes distinguish results"
sed '1i\
\
' violates.yaml >moved.yaml && mv moved.yaml violates.yaml
"$lifecheck" --format sarif violates.yaml | jq -c '[.runs[0].results[].partialFingerprints]' >moved
cmp -s moved <(jq -c '[.runs[0].results[] | select(.locations[0].physicalLocation.artifactLocation.uri == "violates.yaml").partialFingerprints]' all.sarif)
result $? "and stay the same when lines move"

mkdir 'a b' && sed 's/name: violates/name: "a {0} [b](c) {1}"/' several.yaml >'a b/100%#ü.yaml'
run "$lifecheck" --format sarif "a b/100%#ü.yaml" "$work/violates.yaml"
valid "odd names and absolute paths are valid"
out_has 'a%20b/100%25%23%C3%BC.yaml' "names are escaped"
out_has '"uri":"violates.yaml","uriBaseId":"%SRCROOT%"' "absolute paths below the working directory are relative to it"
mkdir below
(cd below && "$lifecheck" --format sarif "$work/violates.yaml" ../violates.yaml) >stdout
valid "paths that are elsewhere are valid"
out_has "\"file://$work/violates.yaml\"" "and file URIs"
(cd below && GITHUB_WORKSPACE=$work "$lifecheck" --format sarif "$work/violates.yaml" ../violates.yaml) >stdout
valid "in a job of GitHub"
[ "$(jq -c '[.runs[].results[].locations[].physicalLocation.artifactLocation.uri] | unique' stdout)" = '["violates.yaml"]' ]
result $? "they are relative to the checkout"

# ---- Names for others

jq -e '.runs[0] | has("automationDetails") or (.tool.driver | has("informationUri") or any(.rules[]; has("helpUri"))) | not' all.sarif >/dev/null
result $? "no address and no category is generated"
run "$lifecheck" --format sarif --rules-url https://docs.example/rules# --sarif-category nightly violates.yaml
valid "with links and a category it is valid"
jq -e '.runs[0] | .automationDetails.id == "nightly/" and any(.tool.driver.rules[]; .id == "apply/changed" and .name == "ApplyChanged" and .helpUri == "https://docs.example/rules#apply/changed")' stdout >/dev/null
result $? "and has them"
for url in rules.html 'javascript:x' 'https://x/"onclick=' 'https://a b'; do
    wants 2 "--rules-url $url" "$lifecheck" --rules-url "$url" violates.yaml
    err_has "takes an address that begins with https://" "is refused"
done
jq -e '[.runs[0].results[] | select(.ruleId == "apply/changed").message.text] | any(startswith("the value is not the planned one (.name in ApplyResourceChange)\n"))' all.sarif >/dev/null
result $? "a message begins with the reason"
if command -v sarif >/dev/null && sarif --version 2>&1 | grep -qi "sarif tools"; then
    for command in summary csv html; do
        rm -f made
        sarif $command --output made all.sarif >problems 2>&1 && [ -s made ]
        result $? "sarif $command of sarif-tools reads it"
    done
else
    echo "ok - sarif-tools # SKIP sarif-tools is not installed"
fi

: >problems
for folder in "$root"/scenarios/*/ "$root/testdata/captures" "$root/testdata/plans"; do
    (cd "$root" && "$lifecheck" check --lint --format sarif "${folder#"$root/"}") >stdout 2>/dev/null
    python3 "$check" stdout >>problems 2>&1 || echo "$folder" >>problems
done
: >stdout
sed 's/^/#   /' problems
[ ! -s problems ]
result $? "the reports of all scenarios and recordings are valid"

# ---- A baseline, and what another file ignores

cat >.lifecheck.yaml <<'EOF'
ignore:
  - {rule: plan/nested-count, path: .rules, reason: "the list is a set, really"}
EOF
"$lifecheck" leaves.yaml --select plan/mismatch-config --write-baseline known.json >/dev/null 2>&1
run "$lifecheck" leaves.yaml --baseline known.json --format sarif
valid "with a baseline it is valid"
jq -e '[.runs[0].results[] | [.ruleId, .baselineState, .suppressions[0].kind]] | unique == [["apply/changed","new",null],
    ["plan/mismatch-config","unchanged","external"],["plan/nested-count","new","external"]]' stdout >/dev/null
result $? "known findings are unchanged, others new; both lists are external"

# ---- The whole schema, where classes were made of it

if ! python3 -c 'import pydantic_sarif.model' 2>/dev/null; then
    echo "ok - SARIF by its schema # SKIP pydantic-sarif is not installed"
    exit 0
fi
(cd "$root" && "$lifecheck" check --lint --format sarif scenarios testdata/captures nowhere.yaml) >read-all.sarif 2>/dev/null
python3 - read-*.sarif >problems 2>&1 <<'EOF'
import sys
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        Log.model_validate_json(file.read())
EOF
good=$?
: >stdout
sed 's/^/#   /' problems | head -n 20
[ "$good" = 0 ]
result $? "every report so far is read by classes made from the schema"
