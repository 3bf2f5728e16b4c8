#!/bin/bash
# Calls of provider functions in recordings: what is checked, and that no value of them is shown or copied.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$(realpath "${CAPTURES:-$root/testdata/captures}")

cp "$captures/functions.jsonl" as-recorded.jsonl
wants 0 "as recorded" "$lifecheck" -v as-recorded.jsonl
out_has "as-recorded.jsonl#function rfc3339_parse: conforms" "the calls of a function are a case"
! grep -q "not checked: needs function" stdout
result $? "arguments and results are read"

# changed LINE RESPONSE: the answer of that line is another one
changed() { awk -v line="$1" -v new="$2" 'NR == line { sub(/"response":.*/, "\"response\":" new "}") } { print }' as-recorded.jsonl; }

changed 5 '{"result":{"msgpack":"wA=="}}' >null.jsonl
wants 1 "another result of the same arguments" "$lifecheck" null.jsonl
out_has "error[function/impure]: rfc3339_parse: the same arguments gave another result before" "is reported"
changed 5 '{"error":{"text":"sesame","function_argument":"1"}}' >error.jsonl
wants 1 "an error" "$lifecheck" error.jsonl
out_has "info[function/error-argument]: rfc3339_parse: the error is about argument 1 of 1, from 0" "about an argument that there is not"
! grep -q sesame stdout
result $? "whose text is not shown"
changed 5 '{"result":{"msgpack":"1AAA"}}' >unknown.jsonl
wants 1 "an unknown result" "$lifecheck" unknown.jsonl
out_has "error[function/result-unknown]" "is reported"
changed 5 '{"result":{"msgpack":"pnNlc2FtZQ=="}}' >type.jsonl
wants 1 "a result of another type" "$lifecheck" type.jsonl
out_has "error[function/result-type]" "is reported"
! grep -q sesame stdout
result $? "without the value"
sed '5s/"arguments":\[.*\]}/"arguments":[{"msgpack":"wA=="}]}/' as-recorded.jsonl >argument.jsonl
run "$lifecheck" argument.jsonl
out_has "warning[function/argument]: rfc3339_parse: argument 0 is null, which its parameter does not allow" "an argument that the signature forbids"

# A configured provider may have functions that depend on its configuration, so only the same one is compared.
configured() { printf '{"process":%s,"protocol":5,"provider":"registry.terraform.io/hashicorp/time","rpc":"Configure","request":{"config":{"msgpack":"%s"}},"response":{}}\n' "$1" "$2"; }
{ head -n 1 null.jsonl && configured 2 gaFhAQ== && configured 3 gaFhAg== && sed -n '4s/"process":[0-9]*/"process":2/p; 5s/"process":[0-9]*/"process":3/p' null.jsonl; } >two.jsonl
wants 0 "providers that are configured differently" "$lifecheck" two.jsonl
sed 's/gaFhAg==/gaFhAQ==/' two.jsonl >same.jsonl
wants 1 "and those that are configured alike" "$lifecheck" same.jsonl

wants 0 "a redacted copy" "$lifecheck" redact null.jsonl -o redacted.jsonl
! grep -q tDIwMjQt redacted.jsonl && grep -q '"rpc":"CallFunction","request":{},"response":{}' redacted.jsonl
result $? "has neither arguments nor results"
wants 0 "and is checked without them" "$lifecheck" --allow-empty redacted.jsonl

wants 0 "a small scenario of the finding" "$lifecheck" extract null.jsonl
! grep -q 2024-02-29 stdout
result $? "has a token for the argument"
cp stdout small.yaml
wants 0 "and judges itself" "$lifecheck" small.yaml

# Functions belong to the provider. In a recording with calls about objects its schema is checked, too.
capture=$captures/fault-apply-value-changed.jsonl
with_functions() { sed '1s/"resource_schemas":/"functions":'"$1"',&/' "$capture"; }
count() { "$lifecheck" --format json "$1" | jq "[.cases[].findings[]? | select(.rule == \"$2\")] | length"; }
with_functions '{"parse":{"parameters":[{"name":"1a","type":"InN0cmluZyI="}],"return":{"type":"InN0cmluZyI="}}}' >named.jsonl
run "$lifecheck" named.jsonl
out_has "[function/param-name]: .parse.1a: the name of a parameter that is not an identifier" "a function whose parameter has no valid name, next to calls about objects"
[ "$(count named.jsonl function/param-name)" = 1 ]
result $? "once"
with_functions '{"parse":{"parameters":[{"name":"a","type":"InN0cmluZyI="}],"return":{"type":"InN0cmluZyI="}}}' >sound.jsonl
[ "$(count sound.jsonl function/param-name)" = 0 ] && [ "$("$lifecheck" --format json sound.jsonl | jq '.cases | length')" = "$("$lifecheck" --format json "$capture" | jq '.cases | length')" ]
result $? "none of a valid one"

# A client that gets no schema of the provider itself stops there, so before calls about objects it was left out of the
# recording; with an error there is none to expect.
sed '1s/"provider":{"block".*}},"resource_schemas"/"resource_schemas"/' "$capture" >cut.jsonl
! head -n 1 cut.jsonl | grep -q '"provider":{'
result $? "the provider's own schema is left out"
[ "$(count cut.jsonl schema/provider-missing)" = 0 ]
result $? "with calls about objects nothing is reported"
head -n 1 cut.jsonl >missing.jsonl
[ "$(count missing.jsonl schema/provider-missing)" = 1 ]
result $? "alone it is missing"
head -n 1 "$capture" >there.jsonl
[ "$(count there.jsonl schema/provider-missing)" = 0 ]
result $? "not where it is"
printf '%s\n' '{"process":1,"protocol":6,"rpc":"GetProviderSchema","request":{},"response":{"diagnostics":[{"severity":"ERROR","summary":"no"}]}}' >refused.jsonl
[ "$(count refused.jsonl schema/provider-missing)" = 0 ]
result $? "not next to an error"
