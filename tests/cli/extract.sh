#!/bin/bash
# Findings taken out of recordings, plans and scenarios: what is written judges itself, is small, and
# shows no secret.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# Extract every finding of an input; reports how many, and what went wrong. `total` is their number.
total=0 sizes=0
extract_all() { # input, options
    local input=$1 n=0 wrong=''
    shift
    while n=$((n + 1)) && "$lifecheck" extract "$input" "$@" --finding "$n" -o one.yaml --force 2>stderr; do
        "$lifecheck" one.yaml >stdout || wrong+=" $n"
        grep -q '1 meets its expectation' stdout || wrong+=" $n"
        sizes=$((sizes + $(wc -c <one.yaml)))
        ! grep -rqF -e s3cret -e hunter2 one.yaml || wrong+=" secret-$n"
        [ ! -f "$input" ] || [ "${input%.yaml}" != "$input" ] ||
            [ "$(wc -c <one.yaml)" -lt "$(wc -c <"$input")" ] || wrong+=" large-$n"
    done
    grep -qE 'there is no finding|has no finding about an object' stderr || wrong+=" $n: $(cat stderr)"
    total=$((total + n - 1))
    [ -z "$wrong" ] || echo "# ${input#"$root"/}:$wrong"
    [ -z "$wrong" ]
}

# ---- Recordings

bad=0
for input in "$root"/testdata/captures/*.jsonl "$root"/testdata/captures/{crowded,thing}/proto-data; do
    extract_all "$input" || bad=1
done
result $bad "every finding of every recording judges itself"
[ "$total" -ge 6 ]
result $? "and there were some ($total)"

cp "$root"/testdata/plans/* .
sed 's/"thing-ba2719ef"/null/; s/"label": *"First"/"label": "Second"/' state.json >other.json
sed 's/"size": *12.5/"size": "many"/' state.json >broken.json
total=0
extract_all plan.json --new-state other.json && extract_all broken.json
result $? "every finding of a plan and of a state"
[ "$total" -ge 2 ]
result $? "and there were some ($total)"

# ---- Scenarios

total=0 sizes=0 bad=0
for folder in apply plan read upgrade wo replace identity sequence; do
    for file in "$root"/scenarios/"$folder"/*/fail-*.yaml; do
        # A string that differs from itself only in form can be one that no token has the form of.
        [ "${file%/normalized/fail-inside-of-objects.yaml}" = "$file" ] || continue
        extract_all "$file" --time-limit 2 || bad=1
    done
done
result $bad "every finding of many scenarios"
[ "$total" -ge 100 ] && [ $((sizes / total)) -lt 1500 ]
result $? "none of them large ($total of $((sizes / total)) bytes)"

# ---- What is written

input=$root/testdata/captures/fault-apply-value-changed.jsonl
wants 0 "to standard output" "$lifecheck" extract "$input"
out_is extract.yaml "is short, and says what broke"
wants 0 "to a file" "$lifecheck" extract "$input" -o new.yaml
wants 4 "a file that exists" "$lifecheck" extract "$input" -o new.yaml
err_has "--force overwrites it" "is kept, and the option is named"
wants 0 "overwritten" "$lifecheck" extract "$input" -o new.yaml --force
wants 0 "without time" "$lifecheck" extract "$input" -o large.yaml --time-limit 0
[ "$(wc -c <large.yaml)" -gt $(($(wc -c <new.yaml) * 4)) ]
result $? "it stays large"
wants 0 "and judges itself" "$lifecheck" large.yaml

cat >wrong.yaml <<'YAML'
lifecheck: 1
resource: nimbus_user.u
schema: {block: {attributes: {login: {type: string, required: true}}}}
config: {login: one}
prior_state: null
planned_state: {login: two}
YAML
wants 0 "a wrong value" "$lifecheck" extract wrong.yaml
out_has "planned_state: {login: two}" "does not become null, which is another mistake"

attributes=$(seq 2000 | sed 's/.*/"a&":{"type":"string","optional":true}/' | paste -sd,)
values=$(seq 2000 | sed 's/.*/"a&":"value &"/' | paste -sd,)
printf '{"lifecheck":1,"resource":"a_b.c","schema":{"block":{"attributes":{%s}}},"prior_state":null,"config":{%s},"planned_state":{%s},"new_state":{%s,"a2001":"x"}}' \
    "$attributes,\"a2001\":{\"type\":\"string\",\"optional\":true}" "$values" "$values" "$values" >wide.json
wants 0 "of 2001 attributes on one line" timeout 120 "$lifecheck" extract wide.json -o narrow.yaml
[ "$(wc -c <narrow.yaml)" -lt 1000 ]
result $? "one is left"

# ---- Secrets

cat >secret.yaml <<'YAML'
lifecheck: 1
resource: nimbus_user.u
schema:
  block:
    attributes:
      login: {type: string, required: true}
      note: {type: string, optional: true}
      tags: {type: 'map(string)', optional: true}
      keys: {type: 'map(string)', optional: true, sensitive: true}
      password: {type: string, required: true, sensitive: true}
config: {login: u, note: !sensitive "hunter2 marked", password: hunter2-long, keys: {hunter2-key: x}, tags: {hunter2-long: t}}
prior_state: null
plan:
  planned_state: {login: u, note: "hunter2 marked", password: hunter2-long, keys: {hunter2-key: x}, tags: {hunter2-long: t}}
  diagnostics: [{severity: warning, summary: "hunter2-long is short", path: '.keys["hunter2-key"]'}]
  private: !text hunter2
new_state: {login: u, note: "hunter2 marked", password: HUNTER2-long, keys: {hunter2-key: x}, tags: {hunter2-long: t}}
YAML
for limit in 0 5; do
    wants 0 "a secret that changed, in $limit seconds" "$lifecheck" extract secret.yaml --time-limit "$limit" -o open.yaml --force
    ! grep -qi -e hunter2 -e "$(printf hunter2 | base64)" open.yaml
    result $? "is not in the scenario"
    wants 0 "which judges itself" "$lifecheck" open.yaml
done
wants 0 "with --secrets" "$lifecheck" extract secret.yaml --time-limit 0 --secrets
out_has "hunter2-long" "it is"

# ---- What does not work

wants 1 "a finding that is not there" "$lifecheck" extract "$input" --finding 99
err_has "there is no finding 99" "is reported"
wants 1 "no finding at all" "$lifecheck" extract "$root/testdata/captures/fault-none.jsonl"
err_has "this input has no finding about an object" "is reported"
wants 3 "what is not an input" "$lifecheck" extract "$root/Makefile"
wants 3 "what is not there" "$lifecheck" extract nowhere.yaml
wants 2 "two inputs" "$lifecheck" extract "$input" "$input"
wants 2 "finding 0" "$lifecheck" extract "$input" --finding 0
cp "$root/testdata/schemas/nimbus.json" .
sed 's|\.\./\.\./\.\./testdata/schemas/||' "$root/scenarios/wire/unknown-type-name/fail-undeclared.yaml" >lost.yaml
wants 1 "what no scenario with its own schema can tell" "$lifecheck" extract lost.yaml -o lost-one.yaml
err_has "nothing was written" "is reported"
[ ! -e lost-one.yaml ]
result $? "and nothing is written"
cat >dynamic.yaml <<'EOF'
lifecheck: 1
schema: {version: 0, block: {attributes: {name: {type: string, required: true}, blob: {type: dynamic, optional: true, sensitive: true}}}}
config: {name: a, blob: {hushname: 1, inner: {hushinner: [x]}}}
prior_state: null
planned_state: {name: a, blob: {hushname: 1, inner: {hushinner: [x]}}}
new_state: {name: b, blob: {hushname: 2, inner: {hushinner: [x]}}}
EOF
for finding in 1 2; do
    "$lifecheck" extract dynamic.yaml --finding $finding >stdout 2>stderr
    ! grep -q hush stdout stderr
    result $? "names within a secret dynamic value are in no extract ($finding)"
done
wants 0 "unless secrets are kept" "$lifecheck" extract dynamic.yaml --finding 1 --secrets
sed "s/blob: {hush.*}}/blob: !typed {type: 'list(object({hushname=string}))', value: [{hushname: a}]}}/" dynamic.yaml >typed.yaml
wants 0 "names in the type of a secret dynamic value" "$lifecheck" extract typed.yaml --finding 1 --time-limit 0
! grep -q hush stdout && grep -q 'list(object({[a-z]*=string}))' stdout
result $? "are tokens"

# Findings of whole plans have no calls to write down.
mkdir alone
sed 's/"applyable": *true/"applyable": false/' "$root/testdata/runs/update-terraform.plan.json" >alone/wrong.plan.json
wants 1 "a finding of a whole plan" "$lifecheck" extract alone/wrong.plan.json
err_has "findings about whole plans, states or configurations (1) do not count" "is reported to be one"
wants 1 "that is asked for" "$lifecheck" extract --finding 1 alone/wrong.plan.json
err_has "name the file under \"planning\" of a scenario" "and what to do instead"

# Keys and values of secrets in all spellings that a scenario has for them.
cat >spelled.yaml <<'EOF'
lifecheck: 1
resource: nimbus_user.u
schema:
  version: 2
  block:
    attributes:
      login: {type: string, required: true}
      note: {type: string, optional: true}
      keys: {type: 'map(string)', optional: true, sensitive: true}
      any: {type: dynamic, optional: true, sensitive: true}
    block_types:
      door: {nesting_mode: list, block: {attributes: {code: {type: string, optional: true, sensitive: true}, colour: {type: string, optional: true}}}}
previous_run_state:
  schema_version: 1
  private: !text hush-0
  attributes: {login: u, note: of hush-3, gone: {inner: [hush-2]}, door: [{code: hush-3, colour: red, old: hush-4}]}
upgrade:
  upgraded_state:
    login: v
    note: of hush-3
    keys: !literal {$unknown: hush-5}
    any: !typed {type: 'map(string)', value: {hushname: hush-1}}
    door: [{code: hush-3, colour: red}]
EOF
wants 0 "secrets in all spellings" "$lifecheck" extract spelled.yaml --time-limit 0
! grep -q hush stdout
result $? "are tokens"
grep -q 'colour: red' stdout && grep -q '{\$literal: {[a-z]*: [a-z]*}}' stdout && grep -q 'note: of [a-z]*$' stdout
result $? "and everything else stays"
