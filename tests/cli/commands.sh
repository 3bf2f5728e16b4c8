#!/bin/bash
# The commands other than check: golden outputs, and what they refuse.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/* .

wants 3 "propose: a case without a prior state" "$lifecheck" propose propose.yaml
out_is propose.txt "as recorded"
wants 0 "propose: one case as JSON" "$lifecheck" propose --format json 'propose.yaml#update'
out_is propose.json "as recorded"
wants 3 "propose: a file that is not there" "$lifecheck" propose nowhere.yaml
wants 3 "propose: JSON keeps errors apart" "$lifecheck" propose --format json nowhere.yaml
err_has "nowhere.yaml: error: no such file" "on standard error"

wants 0 "schema show" "$lifecheck" schema show lint.json
out_is schema.txt "as recorded"
wants 0 "schema show: a type" "$lifecheck" schema show lint.json --type a_good
out_is schema-type.txt "as recorded"
wants 0 "schema show: a kind" "$lifecheck" schema show lint.json --kind data
[ "$(wc -l <stdout)" = 1 ]
result $? "one line"
wants 3 "schema show: no such type" "$lifecheck" schema show lint.json --type a_god
wants 3 "schema show: no such file" "$lifecheck" schema show nowhere.json
wants 3 "schema show: one of two types does not exist" "$lifecheck" schema show lint.json --type a_good --type a_god
grep -qF "no such type: \"a_god\"" stdout && grep -qF "a_good (resource" stdout
result $? "reports that one, and shows the other"
wants 2 "schema show: no such kind" "$lifecheck" schema show lint.json --kind resources
err_has 'did you mean "resource"?' "suggests"
wants 1 "schema lint" "$lifecheck" schema lint lint.json
out_is schema-lint.txt "as recorded"
wants 0 "schema lint: nothing to report" "$lifecheck" schema lint "$root/testdata/schemas/nimbus.json"
sed 's/"name": "id"/"name": "an id"/' "$root/testdata/schemas/nimbus-extensions.json" >extensions.json
wants 1 "schema lint: extensions" "$lifecheck" schema lint extensions.json
out_has 'list nimbus_bucket at .: a list resource whose managed type has no identity schema (Terraform refuses it)' "lists"
out_has 'the name of a parameter that is not an identifier (Terraform refuses it)' "functions"
wants 3 "schema lint: no schema document" "$lifecheck" schema lint conforms.yaml

wants 0 "rules" "$lifecheck" rules
[ "$(wc -l <stdout)" = "$(wc -l <"$root/testdata/golden/slugs.txt")" ]
result $? "one line a rule"
wants 0 "rules as tab-separated values" "$lifecheck" rules --format tsv 'apply/*'
[ "$(awk -F'\t' 'NF != 7' stdout | wc -l)" = 0 ] && [ "$(wc -l <stdout)" -ge 10 ]
result $? "seven columns"
wants 2 "rules: no match" "$lifecheck" rules aply
wants 0 "rules as JSON" "$lifecheck" rules --format json apply/changed
out_is rules.json "as recorded"
wants 0 "explain" "$lifecheck" explain apply/changed
out_is explain.txt "as recorded"
for slug in $("$lifecheck" rules --format tsv | cut -f 1); do
    run "$lifecheck" explain "$slug"
    sed '/^violation: /,$d' stdout >rows
    [ "$status" = 0 ] && [ "$(wc -L <rows)" -le 110 ] || result 1 "explain $slug"
    scenarios=$(grep -cE "^(violation: scenarios/$slug/fail-|near miss: scenarios/$slug/pass-)" stdout)
    [ "$scenarios" = 2 ] || grep -qx "$slug" "$root/tests/lint/no-scenario.txt" || result 1 "explain $slug: its scenarios"
done
result 0 "every rule can be explained"
