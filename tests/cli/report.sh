#!/bin/bash
# The reports: golden files, further reports, and what differs where there is no terminal.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/*.yaml .

wants 1 "text" "$lifecheck" several.yaml
out_is several.txt "as recorded"
wants 1 "text with -v" "$lifecheck" -v several.yaml
out_is several-v.txt "as recorded"
wants 1 "text with -q" "$lifecheck" -q several.yaml
out_is several-q.txt "as recorded"
wants 1 "JSON" "$lifecheck" --format json several.yaml nowhere.yaml
out_is several.json "as recorded"
wants 1 "JSON Lines" "$lifecheck" --format jsonl several.yaml nowhere.yaml
out_is several.jsonl "as recorded"
[ "$(wc -l <stdout)" = 9 ]
result $? "one record a line: start, six cases, an error, end"

wants 1 "evidence" "$lifecheck" leaves.yaml
out_is leaves.txt "is leaf by leaf, and around what differs"
wants 1 "evidence as JSON" "$lifecheck" --format json leaves.yaml
out_has '{"path":".manifest","pointer":"/spec/dns","values":{"new":{"!local":"x"}}}' "has pointers into documents"
out_has '"evidence":[{"path":".rules[0].proto","values":{"config":"tcp","proposed":"tcp","planned":"TCP"}},{"path":".rules[1]"' "has nothing that is free to be computed"
! grep -q hunter stdout
result $? "and no secrets"

for format in junit tap github markdown; do
    wants 1 "$format" "$lifecheck" --format $format several.yaml nowhere.yaml
    out_is several.$format "as recorded"
done

cat >exempt.yaml <<'EOF'
lifecheck: 1
resource: nimbus_relic.old
schema: {version: 0, block: {attributes: {name: {type: string, required: true}, tag: {type: string, optional: true}}}}
config: {name: a}
prior_state: null
cases:
  - name: plan and apply
    plan: {planned_state: {name: a, tag: b}, legacy_type_system: true}
    apply: {new_state: {name: b, tag: c}, legacy_type_system: true}
  - name: plan alone
    plan: {planned_state: {name: a, tag: b}, legacy_type_system: true}
  - name: expected
    plan: {planned_state: {name: a, tag: b}, legacy_type_system: true}
    expect: {findings: [{rule: plan/noncomputed-value, terraform: tolerated}]}
EOF
wants 0 "what legacy_type_system excuses" "$lifecheck" -j 2 exempt.yaml
grep -q '^without legacy_type_system 4 findings tolerated today would stop a run:$' stdout &&
    grep -q '^  nimbus_relic: apply/changed (2), plan/noncomputed-value (2)$' stdout
result $? "is summed up by type"
run "$lifecheck" -v exempt.yaml
grep -q 'plan/noncomputed-value (3)' stdout && grep -q 'tolerated (error without legacy_type_system)' stdout
result $? "with -v expected ones too, and both effects"
run "$lifecheck" --format json exempt.yaml
grep -q '"without_legacy":\[{"type":"nimbus_relic","rules":\[{"rule":"apply/changed","count":2},{"rule":"plan/noncomputed-value","count":3}\]}\]' stdout &&
    grep -q '"legacy_type_system":{"set":"tolerated","unset":"error"}' stdout
result $? "in JSON"

wants 1 "a secret is nowhere" "$lifecheck" -v several.yaml
! grep -q hush stdout
result $? "not in text"
run "$lifecheck" --format json several.yaml
! grep -q hush stdout
result $? "not in JSON"

wants 1 "further reports" "$lifecheck" several.yaml nowhere.yaml --report json=a.json --report jsonl=b.jsonl --report text=c.txt
diff stdout c.txt >/dev/null
result $? "text is the same in a file"
diff a.json "$root/tests/cli/golden/several.json" >/dev/null
result $? "JSON is the same in a file"
diff b.jsonl "$root/tests/cli/golden/several.jsonl" >/dev/null
result $? "JSON Lines are the same in a file"
wants 1 "a report on standard output" "$lifecheck" several.yaml nowhere.yaml --report json=- --report text=d.txt
cmp -s stdout a.json && cmp -s c.txt d.txt
result $? "replaces the text"
wants 1 "a report on standard output" env LIFECHECK_FORMAT=jsonl "$lifecheck" several.yaml nowhere.yaml --report json=-
cmp -s stdout a.json
result $? "beats the environment"
wants 4 "a report that cannot be opened" "$lifecheck" conforms.yaml --report json=no/where.json
err_lines 1 "is reported in one line"

cp conforms.yaml input.yaml
wants 2 "a report in place of an input" "$lifecheck" input.yaml --report json=./input.yaml
err_has "./input.yaml cannot be a report: it is an input of this run" "is reported"
cmp -s input.yaml conforms.yaml
result $? "and the input is as it was"
wants 2 "a report in place of a case's file" "$lifecheck" "input.yaml#conforms" --report json=input.yaml
wants 2 "a report in place of a schema" "$lifecheck" conforms.yaml --schema input.yaml --report json=input.yaml
wants 2 "two reports in one file" "$lifecheck" conforms.yaml --report json=one.json --report sarif=./one.json
err_has "./one.json cannot be a report: it is another one of this run" "are reported"
wants 0 "two reports to nowhere" "$lifecheck" conforms.yaml --report json=/dev/null --report sarif=/dev/null

wants 1 "no colour without a terminal" "$lifecheck" violates.yaml
! grep -q "$(printf '\033')" stdout
result $? "no escapes"
wants 1 "colour on demand" "$lifecheck" --color always violates.yaml
grep -q "$(printf '\033')" stdout
result $? "escapes"
wants 1 "folded" "$lifecheck" --width 60 several.yaml#violates
[ "$(grep -v 'checked\|several.yaml' stdout | wc -L)" -le 60 ]
result $? "no explanation is wider than 60 columns"

several=(several.yaml violates.yaml conforms.yaml legacy.yaml nothing.yaml nowhere.yaml)
for format in text jsonl sarif junit tap github markdown html json; do
    run "$lifecheck" -j1 --format $format "${several[@]}"
    mv stdout one
    run "$lifecheck" -j4 --format $format "${several[@]}"
    cmp -s one stdout
    result $? "$format: the same bytes, whatever -j"
done
run env LC_ALL=de_DE.UTF-8 "$lifecheck" -j1 --format json "${several[@]}"
cmp -s one stdout
result $? "the same bytes, whatever the locale"

cat >several-imported.yaml <<SCENARIO
lifecheck: 1
resource: nimbus_disk.data
schema: {file: $root/testdata/schemas/nimbus.json, type: nimbus_disk}
import:
  id: d-1
  imported:
    - {type_name: nimbus_disk, state: null}
    - {type_name: nimbus_disk, state: null}
prior_state: null
SCENARIO
wants 1 "several problems of one import" "$lifecheck" -v several-imported.yaml
[ "$(grep -c 'opentofu .*not reached' stdout)" = 3 ] && [ "$(grep -c 'terraform .*not reached' stdout)" = 1 ]
result $? "say which core does not get there"

cat >sent.yaml <<SCENARIO
lifecheck: 1
resource: nimbus_disk.data
schema: {file: $root/testdata/schemas/nimbus.json, type: nimbus_disk}
prior_state: null
x-config: &config {name: data, zone: z1}
calls:
  - rpc: PlanResourceChange
    phase: plan
    request: {prior_state: null, config: *config}
    response: {planned_state: {id: {\$unknown: true}, name: data, zone: z1}}
  - rpc: PlanResourceChange
    phase: apply
    request: {prior_state: null, config: *config}
    response: {planned_state: {id: {\$unknown: true}, name: data, zone: z1}}
  - rpc: ApplyResourceChange
    request: {prior_state: null, config: *config, planned_state: {id: d-1, name: data, zone: z1}}
    response: {new_state: {id: d-2, name: data, zone: z1}}
SCENARIO
run "$lifecheck" sent.yaml
grep -A14 "apply.changed.: .id" stdout | grep -q 'final_planned  *"d-1"  *expected'
result $? "a result is compared with what was sent, and that is shown"

# ---- Files of reports are whole or not there, and nothing that is read is lost

mkdir -p places/w && cp violates.yaml places/i.yaml && cp violates.yaml places/w/q.yaml && cd places || exit 1
"$lifecheck" i.yaml --report json=out.json >/dev/null
chmod 600 out.json
"$lifecheck" i.yaml --report json=out.json >/dev/null
[ "$(ls)" = $'i.yaml\nout.json\nw' ] && [ "$(stat -c %a out.json)" = 600 ]
result $? "a report replaces the one before, with its mode, and leaves nothing next to it"
wants 2 "a file that a walk finds" "$lifecheck" w --report json=w/q.yaml
cmp -s i.yaml w/q.yaml
result $? "is not lost"
cp "$root/testdata/schemas/demo-disk.json" schema.json
printf 'lifecheck: 1\nresource: demo_disk.a\nschema: {file: schema.json, type: demo_disk}\nconfig: {size: 1}\n' >refers.yaml
wants 2 "a file that a scenario names" "$lifecheck" refers.yaml --report json=./schema.json
cmp -s schema.json "$root/testdata/schemas/demo-disk.json"
result $? "is not lost either"
ln -s real.json link.json
run "$lifecheck" i.yaml --report json=link.json
[ -L link.json ] && grep -q lifecheck_report real.json
result $? "a link stays one"
mkfifo slow
echo before >old.json
"$lifecheck" --input calls slow --report json=old.json >/dev/null 2>&1 &
reader=$!
exec 8>slow
head -n 3 "$root/testdata/captures/fault-none.jsonl" >&8
kill -TERM $reader
wait $reader 2>/dev/null
exec 8>&-
[ "$(cat old.json)" = before ] && [ "$(find . -name "old.json*" | wc -l)" = 1 ]
result $? "a signal leaves what was there, and nothing else"
if [ -w /dev/full ]; then
    wants 4 "a full disk" "$lifecheck" i.yaml --report json=/dev/full
fi
cd .. || exit 1

cat >keys.yaml <<'SCENARIO'
lifecheck: 1
schema: {version: 0, block: {attributes: {tags: {type: [map, string], optional: true}}}}
config: {tags: {Team: a}}
prior_state: null
planned_state: {tags: {Team: a}}
new_state: {tags: {team: a}}
SCENARIO
wants 1 "findings of one cause, concise" "$lifecheck" --format concise keys.yaml
[ "$(wc -l <stdout)" = 1 ]
result $? "share a line"
out_has 'keys.yaml:6:19: error[apply/element-vanished] .tags: a planned element is missing: a key differs only' "the first is in full"
out_has 'now "team", and error[apply/element-appeared]: an element that was not planned appeared' "the other is named"
wants 1 "findings of one cause, concise with -v" "$lifecheck" -v --format concise keys.yaml
[ "$(grep -c '^keys.yaml:6:19: error\[apply/element-[a-z]*\] .tags: .*now "team"$' stdout)" = 2 ]
result $? "have a line each"
wants 1 "one of them is ignored" "$lifecheck" --format concise --ignore apply/element-vanished keys.yaml
[ "$(grep -c '^keys.yaml:6:19: error\[apply/element-appeared\] .tags: ' stdout)" = 1 ]
result $? "the other has its line"
wants 1 "findings of one cause, annotations" "$lifecheck" --format github keys.yaml
[ "$(grep -c '^::error ' stdout)" = 1 ] && grep -q 'title=apply/element-vanished.*%0Aand apply/element-appeared: an element that was not planned appeared%0Amore: ' stdout
result $? "share one"
wants 1 "annotations with -v" "$lifecheck" -v --format github keys.yaml
[ "$(grep -c '^::error ' stdout)" = 2 ]
result $? "have one each"
wants 1 "findings of one cause, Markdown" "$lifecheck" --format markdown keys.yaml
[ "$(grep -c '^| error |' stdout)" = 1 ]
result $? "share a row"
# shellcheck disable=SC2016 # backquotes of Markdown
out_has '| error | `apply/element-vanished`, `apply/element-appeared` | `.tags` |' "which names each of them"
out_has '## lifecheck: 2 violations in 1 case' "and each is counted"

pairs() { # number: as many keys whose form changes
    seq "$1" | sed "s/.*/$2&: a/" | paste -sd,
}
sed "s/{Team: a}/{$(pairs 25 K)}/; s/{team: a}/{$(pairs 25 k)}/" keys.yaml >many-keys.yaml
wants 1 "more rows than Markdown shows" "$lifecheck" --format markdown many-keys.yaml
[ "$(grep -c '^| error |' stdout)" = 20 ]
result $? "twenty rows"
out_has '... and 10 more' "the others are counted as findings"
