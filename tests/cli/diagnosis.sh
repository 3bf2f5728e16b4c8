#!/usr/bin/env bash
# Diagnoses: explained by name; places within a value are reported, and of a secret none.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.bash"

run "$lifecheck" explain stale-known
grep -q '^stale-known: a diagnosis, likely' "$work/stdout" && grep -q 'SDKv2: call SetNewComputed' "$work/stdout"
result $? "explain shows a diagnosis"
run "$lifecheck" explain --format json json-equal
grep -q '^\[{"diagnosis":"json-equal","confidence":"exact","why":"' "$work/stdout"
result $? "explain shows a diagnosis as JSON"
run "$lifecheck" explain json-eqaul
grep -q 'did you mean "json-equal"' "$work/stderr"
result $? "explain knows slips"

scenario() { # sensitive
    cat <<E2
lifecheck: 1
schema: {version: 0, block: {attributes: {policy: {type: string, optional: true, sensitive: $1}}}}
config: {policy: '{"a":{"hunter2":[1,2]},"~/":1}'}
prior_state: null
planned_state: {policy: '{"a":{"hunter2":[1,2]},"~/":1}'}
new_state: {policy: '{"a":{"hunter2":[1,3]},"~/":2}'}
E2
}
scenario false >open.yaml
run "$lifecheck" open.yaml
grep -q 'why  *two JSON or YAML documents that differ: at /a/hunter2/1, /~0~1$' "$work/stdout"
result $? "places within a string"
grep -q '^ *| differs  *planned  *new$' "$work/stdout" && grep -q '^ *| /~0~1  *1  *2$' "$work/stdout"
result $? "and both values there"
scenario true >secret.yaml
run "$lifecheck" secret.yaml
grep -q 'why  *two JSON or YAML documents that differ$' "$work/stdout" && ! grep -q hunter2 "$work/stdout"
result $? "no places within a secret"
run "$lifecheck" --format json secret.yaml
grep -q '"diagnosis":{"id":"json-differs","confidence":"exact"' "$work/stdout" && ! grep -q hunter2 "$work/stdout"
result $? "no places within a secret, as JSON"
