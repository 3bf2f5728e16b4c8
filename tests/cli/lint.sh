#!/bin/bash
# lifecheck check --lint: mistakes in scenarios, by the table testdata/lint/lint.tsv; what they do to
# the exit status, and where they stand in reports.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
ln -s "$root/testdata/lint" lint

# ---- The table.

for file in lint/*.yaml; do
    name=$(basename "$file")
    run "$lifecheck" check --lint --report concise=short "$file"
    sed -n "s|^$file:\([0-9]*\):\([0-9]*\): [a-z]*\[\(lint/[a-z-]*\)\] \(.*\)|$name\t\1\t\2\t\3\t\4|p" short >found
    grep "^$name	" lint/lint.tsv >wanted
    diff wanted found | sed 's/^/#   /'
    cmp -s wanted found
    result $? "$name: $(wc -l <wanted) mistakes"
    [ "$(grep -cE '^(warning|info|error)\[lint/' stdout)" = "$(grep -c '^ *= fix  ' stdout)" ]
    result $? "$name: each has a fix"
    run "$lifecheck" "$file"
    if [ "$name" = traps.yaml ]; then
        [ "$(grep -c '\[lint/' stdout)" = "$(wc -l <wanted)" ]
        result $? "$name: all of it without --lint"
    else
        ! grep -q '\[lint/' stdout
        result $? "$name: nothing of it without --lint"
    fi
done
[ -z "$(grep '^nothing.yaml' lint/lint.tsv)" ]
result $? "near misses have none"
sed -n 's/^LC_LINT([A-Z_]*, "\([a-z/-]*\)".*/\1/p' "$root/include/lifecheck/verdict/lint.def" | sort >every
[ "$(wc -l <every)" -ge 20 ]
result $? "the list was understood"
cut -f 4 lint/lint.tsv | grep '^lint/' | sort -u | diff every - | sed 's/^/#   /' | tee differences
[ ! -s differences ]
result $? "every lint stands in the table"

# ---- Whether they fail.

wants 0 "warnings fail nothing" "$lifecheck" check --lint lint/values.yaml
out_has "0 errors, 0 warnings, 8 mistakes in scenarios and 1 remark;" "and are counted"
wants 1 "--fail-on warning" "$lifecheck" check --lint --fail-on warning lint/values.yaml
wants 1 "--strict" "$lifecheck" check --lint --strict lint/values.yaml
out_has "error[lint/set-repeats]" "makes them errors"
wants 0 "without --lint neither" "$lifecheck" check --strict --fail-on warning lint/values.yaml
sed -n '1,/^cases:/p; /  - name: an effect/,/apply.null-result/p' lint/expectations.yaml >advice.yaml
wants 0 "advice alone is not a warning" "$lifecheck" check --lint --fail-on warning advice.yaml
out_has "0 mistakes in scenarios and 1 remark;" "it is counted apart"
wants 1 "it is an info" "$lifecheck" check --lint --fail-on info advice.yaml
wants 0 "no mistakes" "$lifecheck" check --lint --strict --fail-on info lint/nothing.yaml
wants 0 "quietly" "$lifecheck" check --lint -q lint/values.yaml
[ ! -s stdout ]
result $? "what fails nothing is silent"
wants 1 "quietly, where they fail" "$lifecheck" check --lint -q --fail-on warning lint/values.yaml
out_has "lint/set-repeats" "they are reported"
wants 0 "by the environment" env LIFECHECK_LINT=1 "$lifecheck" lint/values.yaml
out_has "lint/set-repeats" "too"

# ---- Reports.

"$lifecheck" check --lint --format json lint >one
"$lifecheck" check --lint --format json -j 3 lint >three
cmp -s one three
result $? "the same with workers"
"$lifecheck" check --lint --format json lint/runs.yaml >stdout
out_has '"lint":[{"id":"lint/head-unused","severity":"warning","message":"' "JSON has them in the case"
out_has '"fix":"remove the key from the head","location":{"file":"lint/runs.yaml","line":11,"column":1}}]' "with fix and place"
out_has '"lint":{"error":0,"warning":1,"info":0}' "and sums"
"$lifecheck" check --lint --format json lint/nothing.yaml >stdout
out_has '"lint":[]' "none is an empty list"
"$lifecheck" --format json lint/runs.yaml >stdout
! grep -q '"lint"' stdout
result $? "no member without --lint"
"$lifecheck" check --lint --format jsonl lint/runs.yaml >stdout
[ "$(grep -c '^{"record":"case",.*"lint":\[{"id":"lint/head-unused"' stdout)" = 1 ] && grep -q '^{"record":"end",.*"lint":{"error":0' stdout
result $? "JSON Lines have them, too"
wants 0 "a scenario in JSON" "$lifecheck" check --lint --format concise - <<'END'
{"lifecheck": 1, "schema": {"block": {"attributes": {"zones": {"type": ["set", "string"], "optional": true}}}},
 "config": {"zones": ["a",
  "a"]}, "prior_state": null, "planned_state": {"zones": ["a"]},
 "expect": {"action": "create", "findings": []}}
END
out_has ":3:3: warning[lint/set-repeats] this element of a set equals that at line 2, column 23" "has places, too"
cat >secret.yaml <<'END'
lifecheck: 1
schema: {block: {attributes: {keys: {type: [set, string], optional: true, sensitive: true}, tags: {type: [map, string], optional: true, sensitive: true}}}}
config: {keys: [hunter2, hunter2], tags: {hunter2: x}}
ignore_changes: ['.tags["hunter2"]']
prior_state: {keys: [hunter2], tags: {hunter2: x}}
planned_state: {keys: [hunter2], tags: {hunter2: x}}
expect: {action: no-op, findings: []}
END
wants 0 "secrets" "$lifecheck" check --lint secret.yaml
[ "$(grep -cE 'lint/(set-repeats|ignore-changes-unused)' stdout)" = 2 ] && ! grep -q hunter2 stdout
result $? "are not shown"
{
    sed -n '1,2p' secret.yaml
    echo "config: {keys: [$(yes hunter2, | head -n 3000 | tr -d '\n')]}"
    printf '%s\n' 'prior_state: {keys: [hunter2]}' 'planned_state: {keys: [hunter2]}' 'expect: {action: no-op, findings: []}'
} >many.yaml
wants 0 "very many repeats" "$lifecheck" check --lint --format concise many.yaml
[ "$(grep -c '\[lint/' stdout)" = 21 ] && grep -q ':3:16: .* 2979 further elements of this set equal others' stdout
result $? "are counted after the first"
wants 0 "recorded calls have no text" "$lifecheck" check --lint --allow-empty "$root/testdata/captures/fault-none.jsonl"

# ---- Help.

wants 0 "--lint --help" "$lifecheck" check --lint --help
sed -n 's/^  \(lint\/[a-z-]*\) .*/\1/p' stdout | sort | cmp -s - every
result $? "lists them all"
[ "$(wc -l <stdout)" -le 50 ]
result $? "and little else"
