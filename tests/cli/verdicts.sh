#!/usr/bin/env bash
# What a verdict stands for: nothing conforms that was not checked, and nothing together with an error.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.bash"
cd "$work" || exit 1

head='lifecheck: 1
resource: thing_box.a
schema: {version: 0, block: {attributes: {o: {type: string, optional: true}, r: {type: string, required: true}}}}'
write() { printf '%s\n%s\n' "$head" "$1" >case.yaml; } # REST

# ---- What was checked.

write ''
wants 3 "a schema and nothing else" "$lifecheck" case.yaml
out_has "case.yaml: is not checked" "is not checked"
wants 3 "not by strictness either" "$lifecheck" --strict case.yaml
wants 1 "a mistake of its author" "$lifecheck" --strict --lint case.yaml
out_has "lint/cannot-fail" "lint says"
write 'config: {r: a}'
wants 0 "a configuration and nothing else" "$lifecheck" -v case.yaml
out_has "case.yaml: conforms" "is checked by the rules that need nothing else"
write 'config: {o: a}'
wants 3 "a configuration that no client would send" "$lifecheck" case.yaml
out_finds "is reported" "warning[config/required-missing]: .r:" "case.yaml:4:9   " ", ValidateResourceConfig"
wants 1 "and fails a strict run" "$lifecheck" --strict case.yaml
write 'config: {o: !unknown , r: a}
validate: {}'
wants 0 "a validation and nothing else" "$lifecheck" -v case.yaml
out_has "case.yaml: conforms" "is checked"
write 'config: {o: !unknown , r: a}
validate: {diagnostics: [{severity: error, summary: bad, path: .o}]}'
wants 0 "a validation that rejects what is unknown" "$lifecheck" -v case.yaml
out_has "warning[validate/rejects-unknown]: .o:" "is reported"
out_has "case.yaml: conforms" "and judged"

# ---- Nothing conforms together with an error, whoever is at fault.

write 'config: {o: !unknown , r: a}
prior_state: null
planned_state: {o: !unknown , r: a}
final_config: {o: !unknown , r: a}'
wants 3 "an unknown in the final configuration" "$lifecheck" case.yaml
out_has "warning[config/final-unknown]:" "is a warning about the client"
wants 1 "an error of a strict run" "$lifecheck" -v --strict case.yaml
out_has "case.yaml: violates" "violates"
wants 1 "in every report" "$lifecheck" --strict --format junit case.yaml
out_has 'failures="1"' "it is a failure"
wants 3 "warnings about the client" "$lifecheck" -v --fail-on warning case.yaml
out_has "1 not checked" "leave nothing judged"

# ---- An expectation that an open answer may or may not meet.

cat >schema.json <<'S'
{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/x/thing": {"provider": {"version": 0, "block": {}}, "resource_schemas": {
 "thing_box": {"version": 0, "block": {"attributes": {"size": {"type": "number", "optional": true}}}}}}}}
S
expect() { # ACTIONS SCHEMAS
    printf 'lifecheck: 1\nplanning:\n%s  config: {resource: {thing_box: {a: {size: 2}}}}\n  state: {thing_box.a: {value: {size: 1}}}\n  expect: {thing_box.a: {actions: %s}}\n' "$2" "$1" >case.yaml
}
for actions in update '[delete, create]' no-op; do
    expect "$actions" ''
    wants 3 "without a schema, $actions" "$lifecheck" -v case.yaml
    out_has "case.yaml: is not checked" "is not checked"
done
for actions in update '[delete, create]'; do
    expect "$actions" '  schemas: [schema.json]
'
    wants 3 "with a schema, $actions" "$lifecheck" -v case.yaml
    out_has "run/expected-action" "is not checked"
    expect "$actions" '  schemas: [schema.json]
  provider: {thing_box.a: {requires_replace: []}}
'
    run "$lifecheck" -v case.yaml
    out_has "case.yaml: $([ "$actions" = update ] && echo conforms || echo violates)" "with an answer it is"
done
expect no-op '  schemas: [schema.json]
'
wants 1 "something changes, whatever the provider says" "$lifecheck" case.yaml

# ---- Strings that read as unknown values.

write 'config: {r: a, o: unknown}'
wants 0 "the word unknown" "$lifecheck" --format concise case.yaml
out_has "case.yaml:4:19: warning[lint/unknown-text] '.o' is the string" "is reported without being asked for"
wants 1 "and fails a strict run" "$lifecheck" --strict case.yaml
! grep -q ': conforms' stdout
result $? "which then says of nothing that it conforms"
for text in '"!unknown"' '(known after apply)' '<computed>'; do
    write "config: {r: a, o: $text}"
    run "$lifecheck" case.yaml
    out_has "lint/unknown-text" "so is $text"
done
write 'config: {r: a, o: "unknown"}'
run "$lifecheck" case.yaml
! grep -q lint/unknown-text stdout
result $? "a word in quotes is meant"
cat >number.yaml <<'Y'
lifecheck: 1
schema: {version: 0, block: {attributes: {n: {type: number, optional: true}, secret: {type: string, optional: true, sensitive: true}}}}
config: {n: unknown, secret: unknown}
Y
wants 3 "at a number" "$lifecheck" number.yaml
out_has "number.yaml:3:13: error: '.n' is a string where the schema requires number; an unknown value is written !unknown" "the error says how it is written"
! grep -q secret stdout
result $? "and nothing is said of a secret"

# ---- Sums count what was selected, and name what is known or only information.

cp "$root/testdata/readme/bucket.yaml" broken.yaml
run "$lifecheck" --select 'wire/*' --format json broken.yaml
grep -q '"rules":{"checked":2,"not_applicable":3,"not_checked":1}' stdout
result $? "sums of a selection"
run "$lifecheck" --ignore 'apply/*' broken.yaml
! grep -q 'apply/' stdout && grep -q '30 of 43 rules checked' stdout
result $? "sums without what is ignored"
run "$lifecheck" --write-baseline known.json broken.yaml
wants 0 "with which nothing is new" "$lifecheck" --baseline known.json broken.yaml
out_has "has known findings only" "does not make the case conform"
write 'config: {r: a, o: !unknown }
prior_state: {r: a, o: b}
planned_state: {r: a, o: b}'
run "$lifecheck" case.yaml
out_has "0 errors, 0 warnings, 1 info" "information is counted, too"
wants 0 "cases that expect violations" "$lifecheck" "$root/scenarios/plan/kept-prior" --report html=all.html --report markdown=all.md
grep -q '<h1>lifecheck: all cases meet their expectation</h1>' all.html && grep -q '^## lifecheck: all cases meet their expectation' all.md
result $? "are not said to conform"

# ---- A type that is none: the author's slip where it stands in the scenario, the provider's in its own schema.

cat >type.yaml <<'Y'
lifecheck: 1
schema: {version: 0, block: {attributes: {n: {type: [list, text], optional: true}}}}
config: {n: [a]}
Y
wants 3 "a type that is none, inline" "$lifecheck" type.yaml
out_has "type.yaml:2:53: error: this is not a type; one is an expression such as map(string)" "says where and what one is"
printf 'lifecheck: 1\nschema: {file: %s, type: nimbus_bucket}\n' "$root/testdata/schemas/broken-types.json" >type.yaml
wants 1 "in a provider's document" "$lifecheck" type.yaml
out_has "schema/attr-type-json" "it is a violation"
