#!/bin/bash
# No sensitive or write-only value reaches any output, not even where the scenario is wrong about it.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

scenario=$root/scenarios/circumstances/secrets.yaml
formats=(text json jsonl sarif junit tap github markdown html)
for format in "${formats[@]}"; do
    wants 0 "$format" "$lifecheck" -v --format "$format" "$scenario"
    ! grep -q -i xyzzy stdout stderr
    result $? "no secret in $format"
done

# The same values judged without an expectation, against the wrong one, and unreadable.
sed '/^expect:/,$d' "$scenario" >plain.yaml
for format in "${formats[@]}"; do
    wants 1 "without an expectation, $format" "$lifecheck" -v --format "$format" plain.yaml
    ! grep -q -i xyzzy stdout stderr
    result $? "no secret"
done
sed 's|path: .\.token.|path: ".nowhere"|' "$scenario" >wrong.yaml
for format in "${formats[@]}"; do
    run "$lifecheck" check --lint -v --format "$format" wrong.yaml
    ! grep -q -i xyzzy stdout stderr
    result $? "no secret in expectations that are not met, $format"
done
sed 's|^  token: xyzzy-1|  token: [xyzzy-1]|' "$scenario" >type.yaml
for format in "${formats[@]}"; do
    wants 3 "a secret of the wrong type, $format" "$lifecheck" --format "$format" type.yaml
    ! grep -q -i xyzzy stdout stderr
    result $? "no secret in errors"
done
wants 0 "propose" "$lifecheck" propose "$scenario"
! grep -q -i xyzzy stdout stderr
result $? "no secret in proposals"

# What the attributes of a dynamic value are called is data; in a schema it is none.
cat >names.yaml <<'X'
lifecheck: 1
name: names in a secret
resource: example_thing.a
schema:
  version: 0
  block:
    attributes:
      any: {type: dynamic, optional: true, sensitive: true}
      typed: {type: [object, {shown: string}], optional: true, sensitive: true}
config: {any: {xyzzy: {xyzzy2: a}}, typed: {shown: a}}
prior_state: null
planned_state: {any: {xyzzy: {xyzzy2: a}}, typed: {shown: a}}
new_state: {any: {xyzzy: {xyzzy2: b}}, typed: {shown: b}}
X
sed 's/^new_state: {any: {xyzzy: {xyzzy2: b}}/new_state: {any: {xyzzy3: 1}/' names.yaml >shape.yaml
for format in "${formats[@]}"; do
    wants 1 "names in a dynamic secret, $format" "$lifecheck" -v --format "$format" names.yaml shape.yaml
    ! grep -q -i xyzzy stdout stderr
    result $? "are not shown"
    [ "$format" = tap ] || grep -q 'typed\.shown' stdout
    result $? "those of the schema are"
done
wants 0 "names in a dynamic secret, and a baseline" "$lifecheck" --write-baseline names.json names.yaml shape.yaml
! grep -q -i xyzzy names.json
result $? "are not written to it"
wants 1 "names in a dynamic secret, and the gate" "$lifecheck" gate --old "$scenario" --new names.yaml
! grep -q -i xyzzy stdout stderr
result $? "are not on its page"

# A copy of a sensitive value at a place that is not sensitive. What is equal by chance stays: true, short strings.
cat >copies.yaml <<'X'
lifecheck: 1
name: copies of a secret
resource: example_thing.a
schema:
  version: 0
  block:
    attributes:
      pw: {type: string, optional: true, sensitive: true}
      short: {type: string, optional: true, sensitive: true}
      flag: {type: string, optional: true, sensitive: true}
      empty: {type: string, optional: true, sensitive: true}
      copy: {type: string, optional: true}
      list: {type: [list, string], optional: true}
      tags: {type: [map, string], optional: true}
      items: {type: [set, string], optional: true}
      word: {type: [list, string], optional: true}
X
values() { # COPY ITEM TAG WORDS
    echo "{pw: xyzzy-secret, short: abc, flag: 'true', empty: '', copy: $1, list: [$1], tags: {xyzzy-secret: $3, b: $1}, items: [$2], word: $4}"
}
cat >>copies.yaml <<X
config: $(values xyzzy-secret xyzzy-secret a "[abc, 'true', '']")
prior_state: null
planned_state: $(values xyzzy-secret xyzzy-secret a "[abc, 'true', '']")
new_state: $(values changed changed b "[other, 'other', 'other']")
X
for format in "${formats[@]}" concise; do
    wants 1 "copies of a secret, $format" "$lifecheck" -v --format "$format" copies.yaml
    ! grep -q -i xyzzy stdout stderr
    result $? "are not shown"
done
run "$lifecheck" --format json copies.yaml
[ "$(grep -o '"planned": *"\(abc\|true\|\)"' stdout | sort -u | wc -l)" = 3 ]
result $? "what is short, true or empty is shown"

# Parts of longer strings: the secret itself, in JSON, and its base64 behind 0, 1 and 2 bytes. A short secret is not a part.
secret='xyzzy-"pass"' part='xyzzy-\"pass\"'
encoded() { # BEFORE
    printf '%s' "$1$secret/more" | base64 -w0
}
cat >parts.yaml <<X
lifecheck: 1
name: parts of strings
resource: example_thing.a
schema: {block: {attributes: {pw: {type: string, optional: true, sensitive: true}, short: {type: string, optional: true, sensitive: true},
  mark: {type: string, optional: true}, word: {type: string, optional: true}, list: {type: [list, string], optional: true},
  tags: {type: [map, string], optional: true}, made: {type: string, computed: true}}}}
config: {pw: 'xyzzy-"pass"', short: abcd, mark: !sensitive marked-secret, word: abcdef, list: ['url://u:xyzzy-"pass"@host', '{"a":"$part"}', "$(encoded '')", "$(encoded a)", "$(encoded ab)", u:marked-secret], tags: {a marked-secret: b}, made: null}
prior_state: null
planned_state: {pw: 'xyzzy-"pass"', short: abcd, mark: !sensitive marked-secret, word: abcdeg, list: ['url://v:xyzzy-"pass"@host', '{"b":"$part"}', "$(encoded '')=", "$(encoded a)=", "x$(encoded ab)", v:marked-secret], tags: {a marked-secret: c}, made: !unknown {prefix: a marked-secret}}
new_state: {pw: 'xyzzy-"pass"', short: abcd, mark: !sensitive marked-secret, word: abcdeh, list: ['url://w:xyzzy-"pass"@host', '{"c":"$part"}', "=$(encoded '')", "=$(encoded a)", "y$(encoded ab)", w:marked-secret], tags: {a marked-secret: d}, made: changed}
X
wanted=$(for before in '' a ab; do encoded "$before" | cut -c 5-16; done)
for format in "${formats[@]}" concise; do
    wants 1 "parts of strings, $format" "$lifecheck" -v --format "$format" parts.yaml
    ! grep -q -e xyzzy -e marked-secret -e "$wanted" stdout stderr
    result $? "are not shown"
done
run "$lifecheck" --format json parts.yaml
grep -q abcdeg stdout
result $? "a string with a short secret is shown"
wants 0 "parts of strings" "$lifecheck" inspect parts.yaml
! grep -q -e xyzzy -e marked-secret stdout stderr
result $? "are not shown by inspect"

# Write-only values that were returned, stored or sent.
for format in "${formats[@]}"; do
    wants 0 "write-only values in $format" "$lifecheck" -v --format "$format" "$root/scenarios/wo" "$root/scenarios/upgrade"
    ! grep -q 's[34]cret' stdout stderr
    result $? "are not shown in $format"
done

# Every scenario with a secret, in every format, with its expectation and without, and the summary of a job.

if ! python3 -c 'import yaml' 2>/dev/null; then
    echo "ok - secrets of all scenarios # SKIP python3 or its YAML is not installed"
    exit 0
fi
reports=()
for format in "${formats[@]}"; do
    reports+=(--report "$format=all.$format")
done
export GITHUB_STEP_SUMMARY=$work/all.summary
render() { # file: to all.*
    rm -f all.*
    "$lifecheck" check --lint -v "$1" "${reports[@]}" >/dev/null 2>all.stderr
    [ "$(wc -c all.* | grep -c ' all\.')" = 11 ]
}
# Words that the program says anyway
render "$data/conforms.yaml"
cat all.* >common
mapfile -t files < <(grep -rlE 'sensitive|write_only' "$root/scenarios" --include='*.yaml' | sort)
mkdir of
run python3 "$root/tests/cli/checks/secrets_of.py" common of "${files[@]}"
result "$status" "secrets are listed"
searched=0
for number in "${!files[@]}"; do
    file=${files[number]}
    [ -e "of/$number.words" ] || continue
    searched=$((searched + 1))
    sed '/^expect:/,$d' "$file" >bare.yaml
    render "$file" && ! grep -iF -f "of/$number.words" all.*
    result $? "no secret of ${file#"$root/"} in any format"
    render bare.yaml && ! grep -iF -f "of/$number.words" all.*
    result $? "without its expectation"
done
[ "$searched" -ge 10 ]
result $? "there are scenarios with secrets ($searched)"

# Every scenario whose schema has a secret attribute with a value, with words that stand nowhere else instead of the
# values: found by the schemas, inside the files or next to them.
mkdir tree
cp -r "$root/scenarios" tree
ln -s "$root/testdata" tree/testdata
run python3 "$root/tests/cli/checks/secrets_plant.py" tree/scenarios
result "$status" "secrets are planted"
planted=0
while read -r words; do
    file=${words%.words}
    planted=$((planted + 1))
    render "$file" && ! grep -iF -f "$words" all.*
    result $? "no planted secret of ${file#tree/} in any format"
    grep -qiF -f "$words" "$file"
    result $? "it is there"
done < <(find tree -name '*.words' | sort)
[ "$planted" -ge 39 ]
result $? "there are scenarios with secrets ($planted)"

# ---- A value of another shape, around a place that is sensitive

for format in text json markdown html sarif; do
    run "$lifecheck" -v --format $format "$data/misshapen-secrets.yaml"
    ! grep -q 'hush[0-9]' stdout && grep -q 'response/type' stdout
    result $? "of another shape: $format"
done
