#!/bin/bash
# `lifecheck probe` itself: options, exit statuses, what is written, and that the same seed gives the
# same bytes. What it finds: probe-faults.sh.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/probe.bash
. "$root/tests/cli/probe.bash"

# ends STATUS TEXT NAME OPTION...: the status, and a string that is printed
ends() {
    local want=$1 text=$2 name=$3
    shift 3
    run timeout -k 5 120 "$lifecheck" probe "$@"
    [ "$status" = "$want" ] && cat stdout stderr | grep -qF -- "$text"
    result $? "$name"
}

# ---- What it is given

ends 2 "probe takes one provider" "a provider is needed"
ends 2 "probe takes one provider" "and no more than one" --provider a --provider b
ends 3 "--provider: ./nothing: no such file" "one that exists" --provider ./nothing
ends 2 'no law is called "seventeen"' "laws that exist" --provider "$peer" --law seventeen
ends 2 "no type matches ''" "an empty type does not select all" --provider "$peer" --type ''
ends 2 "no type matches 'peer_one'" "each type, also where --type is repeated" --provider "$peer" --type peer_one --type peer_thing
printf 'just text\n' >settings.yaml
ends 3 "the settings of a provider are a mapping" "settings are a mapping" --provider "$peer" --provider-config settings.yaml
printf '#!/bin/sh\necho this is no provider\n' >program
chmod +x program
ends 3 "program cannot be used" "a program that is not a provider" --provider ./program
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "panic: no access with $TOKEN" >&2\nexit 1\n' >talkative
chmod +x talkative
# shellcheck disable=SC2016
ends 3 'panic: no access with ($TOKEN)' "its last words" --provider ./talkative --env TOKEN=hunter2secret
! grep -q hunter2secret stdout stderr
result $? "name what it was given, and do not show it"
ends 2 "no type matches 'per_thing'; did you mean peer_thing?" "a type that is misspelt" --provider "$peer" --type per_thing
ends 2 "no type matches 'pear_*'; did you mean peer_blocks?" "a glob that matches nothing" --provider "$peer" --type 'peer_thing,pear_*'
ends 2 "no type matches 'nobody_*'" "one that is near to nothing" --provider "$peer" --type 'nobody_*'
ends 2 'no law is called "answer-fits"; did you mean "answers-fit"?' "a law that is misspelt" --provider "$peer" --law answer-fits
ends 0 "0 types" "which may be permitted" --provider "$peer" --type 'nobody_*' --allow-empty
ends 3 "missing.yaml" "a configuration that is not there" --provider "$peer" --config missing.yaml

# ---- What it says

ends 0 "1 type, 1 configured" "an honest type conforms" --provider "$peer" --type peer_blocks
[ ! -e .lifecheck ]
result $? "and nothing is written"
ends 0 "law 21, stored-is-settled, was not tried: no stored object" "what was not tried is reported" --provider "$peer" --type peer_blocks --law 21 -v --allow-empty
ends 0 "law 42, functions-are-pure, was not tried: it needs functions" "and what a type has nothing for" --provider "$peer" --type peer_blocks --law 42 -v --allow-empty
ends 0 "3 types, 3 configured; 1 law tried" "functions are selected as types are" --provider "$peer" --type 'function.*' --law 42
ends 0 "not all laws were tried" "and what there were no calls for" --provider "$peer" --type peer_blocks --calls 20
ends 0 "1 type, 1 configured" "a path of requires_replace that does not change is not a replacement" --provider "$peer" --type peer_thing \
    --env FAULT=replace-same
ends 1 "upgrade/lost" "without a choice of laws a stored object is upgraded once" --provider "$peer" --type peer_thing \
    --env FAULT=upgrade-lost -o upgraded
fault=(--provider "$peer" --type peer_thing --env FAULT=promises-new --law 1)
ends 1 "violates law 1, unknown-completes: see found/" "a broken law fails" "${fault[@]}" -o found
[ "$(stat -c %a found)" = 700 ] && [ "$(stat -c %a found/* | sort -u)" = 600 ]
result $? "its scenario is for this user alone"
"$lifecheck" check found >stdout
result $? "and judges itself"
ends 1 "found2/" "asked again" "${fault[@]}" -o found2
diff <(sed 's/found2/found/' found2/*) <(cat found/*) >stdout
result $? "the same seed gives the same bytes"
ends 1 "found/" "what failed is asked first" "${fault[@]}" -o found --calls 12
ends 0 "known" "a baseline takes what fails" "${fault[@]}" -o found --write-baseline known.json --force

# ---- Reports

for format in jsonl sarif junit tap github markdown html concise; do
    run timeout -k 5 120 "$lifecheck" probe "${fault[@]}" -o found --format "$format"
    [ "$status" = 1 ] && [ -s stdout ]
    result $? "format $format"
done
for version in old new; do
    run timeout -k 5 120 "$lifecheck" probe --provider "$peer" --type peer_blocks --format json
    [ "$status" = 0 ] && grep -q '^"probe":{"provider":"provider"' stdout && cp stdout "$version.json"
    result $? "JSON says what was tried"
done
run "$lifecheck" gate --old old.json --new new.json
[ "$status" = 0 ]
result $? "gate compares two of them"
for word in "" impure; do
    run timeout -k 5 120 "$lifecheck" probe --provider "$peer" --type 'function.*' --env "FAULT=$word" -o found --format json
    cp stdout "functions-$word.json"
done
compared=$("$lifecheck" gate --old functions-.json --new functions-impure.json)
[ $? = 1 ] && grep -qF "function/impure at . of function.shout" <<<"$compared"
result $? "and functions"

# ---- Nothing is left

timeout -s TERM 1 "$lifecheck" probe --provider "$peer" --law '*' --env FAULT=hangs >stdout 2>stderr
for _ in $(seq 100); do
    [ -n "$(ls -A run)" ] || pgrep -r D,R,S,T -f "^$peer" >stdout || break
    sleep 0.1
done
[ -z "$(ls -A run)" ] && ! pgrep -r D,R,S,T -f "^$peer" >stdout
result $? "after a signal no socket and no process is left"
timeout --preserve-status -s TERM 0.1 "$lifecheck" probe --provider "$peer" --law '*' >stdout 2>stderr
[ $? = 143 ]
result $? "what was not looked at does not conform: the status is the signal's"
for killed in lifecheck group; do
    for wait in 0.1 0.3 0.5; do
        rm -rf interrupted
        setsid "$lifecheck" probe --provider "$peer" --type peer_thing --law '*' --env FAULT=hangs --timeout 5 -o interrupted >stdout 2>stderr &
        pid=$!
        sleep $wait
        [ $killed = group ] && kill -TERM -- "-$pid" || kill -TERM "$pid"
        wait $pid
        [ $? = 143 ] && [ -z "$(ls interrupted 2>missing)" ] && ! grep -q rpc-error stdout
        result $? "a signal to the $killed after $wait s is not a fault of the provider"
    done
done

# ---- Much of it

names=$(seq 1 1005 | sed 's/^/t_/' | tr '\n' '|')
ends 1 "1000 scenarios are enough for one run" "very many types that fail" --provider "$peer" --env FAULT=upgrade-lost \
    --env "PEER_TYPES=$names" --type 't_*' --law 32 -o many
[ "$(find many -type f | wc -l)" = 1000 ]
result $? "have a bounded number of files"
ends 0 "peer_wide: not all laws were tried" "a type of very many attributes" --provider "$peer" --env PEER_WIDE=5000 --type peer_wide --calls 60
for wide in "150 300" "400 150" "4000 60"; do # of 300 calls
    run "$lifecheck" probe --provider "$peer" --env "PEER_WIDE=${wide% *}" --type peer_wide --calls 300 --report json=wide.json
    grep -q "\"calls\":${wide#* }," wide.json
    result $? "a type with ${wide% *} attributes gets ${wide#* } calls"
done
ends 0 "1 info in 1 type: replace/path-on-create (1)" "what does not fail is summed up" --provider "$peer" --type peer_thing --env FAULT=replace-new --law 32
! grep -qF "info[replace/path-on-create]" stdout
result $? "and not in full"
ends 0 "info[replace/path-on-create]" "but with --verbose" --provider "$peer" --type peer_thing --env FAULT=replace-new --law 32 -v

twins=(--provider "$peer" --env FAULT=upgrade-lost --env 'PEER_TYPES=twin_a|twin_b|twin_c' --type 'twin_*' --law 32)
ends 1 "twin_b: the same schema and findings as twin_a, which counts for both" "types of the same code" "${twins[@]}" -o twins --report junit=twins.xml
grep -qF "1 finding that fails" stdout && [ "$(find twins -type f | grep -c twin_a)" -ge 1 ] && [ "$(find twins -type f | grep -c 'twin_[bc]')" = 0 ]
result $? "are one finding with one scenario"
{ ! command -v python3 >missing || python3 "$root/tests/cli/checks/junit_check.py" twins.xml >stdout; } && grep -qF '<testsuite name="twin_a" tests="1" failures="1"' twins.xml
result $? "JUnit has a test for each type and law"
for shard in 1 2; do
    run timeout -k 5 120 "$lifecheck" probe "${twins[@]}" -o twins --shard $shard/2 --format json
    cp stdout "twins-$shard.json"
done
run timeout -k 5 120 "$lifecheck" probe "${twins[@]}" -o twins --format json
cp stdout twins.json
run "$lifecheck" merge --format json twins-1.json twins-2.json
cmp stdout twins.json
result $? "and in shards they are as well"

# ---- For those who maintain the provider

mkdir client
cat >client/terraform <<'END'
#!/bin/sh
[ "$1" != version ] || { echo "Terraform v1.11.4"; exit 0; }
echo "$*" >>"$CALLS"
env | sort >"$CALLS.env"
grep -q dev_overrides "$TF_CLI_CONFIG_FILE" && cat main.tf >"$CALLS.tf" || exit 1
cat terraform.tfstate >"$CALLS.state" 2>/dev/null || : >"$CALLS.state"
echo '{"@level":"info","@message":"Terraform 1.11.4"}'
cat "$SAYS"
exit 1
END
chmod +x client/terraform
says='{"@level":"error","diagnostic":{"severity":"error","summary":"Provider produced inconsistent final plan","detail":"about .slug: was cty"}}'
echo "$says" >says
twice=("${fault[@]}" --env "CALLS=$work/calls" --env "SAYS=$work/says")
PATH=$work/client:$PATH
ends 1 "; confirmed by Terraform 1.11.4" "the client says the same" "${twice[@]}" -o confirmed --confirm
cat >want <<'END'
resource "terraform_data" "unknown" {
  input = {
END
tf=$(find confirmed-issues -name main.tf | head -n 1)
grep -qF "$(head -n 1 want)" "$tf" && grep -qF '# The last command reports "Provider produced inconsistent final plan", about .slug.' "$tf" &&
    grep -qF 'name = "example"' "$tf" && grep -qF 'terraform_data.unknown.output.v1' "$tf"
result $? "with a configuration whose unknown values are outputs"
grep -q '^apply -input=false -json -auto-approve$' calls && ! grep -q "^SECRET=" calls.env && grep -qF 'resource "peer_thing" "example"' calls.tf
result $? "which it is run with, without variables of ours"
md=${tf%main.tf}issue.md
grep -qF '## peer_thing: Provider produced inconsistent final plan: .slug' "$md" && grep -qF '### Steps to reproduce' "$md" &&
    grep -qF '* Terraform 1.11.4' "$md" && grep -qF 'Error: Provider produced inconsistent final plan' "$md" && grep -qF 'terraform apply' "$md"
result $? "and an issue that can be pasted"
echo '{"@level":"error","diagnostic":{"severity":"error","summary":"No credentials","detail":"slug"}}' >says
ends 1 "; not confirmed: Terraform 1.11.4 reports No credentials" "the client says something else" "${twice[@]}" -o confirmed --confirm
: >says
ends 1 "; not confirmed: Terraform 1.11.4 reports no error" "or nothing" "${twice[@]}" -o confirmed --confirm
echo "$says" >says
: >calls
[ ! -s calls.state ]
result $? "an object that is created is in no state"
ends 1 "; confirmed by Terraform 1.11.4" "an object that exists is in a state" --provider "test/peer=$peer" --type peer_thing --env FAULT=keeps-prior --law 3 \
    --env "CALLS=$work/calls" --env "SAYS=$work/says" -o stored --confirm
state=$(find stored-issues -name terraform.tfstate | head -n 1)
[ "$(cat calls)" = "apply -input=false -json -auto-approve -refresh=false" ] && cmp -s calls.state "$state" &&
    grep -qF '"provider":"provider[\"registry.terraform.io/test/peer\"]","instances":[{"schema_version":2,"attributes":{' "$state" &&
    grep -qF 'terraform.tfstate' "${state%terraform.tfstate}main.tf" && grep -qF "$(cat "$state")" "${state%terraform.tfstate}issue.md"
result $? "which is not read again, and is in the issue"
ends 1 "violates law 3" "an object that is replaced" --provider "$peer" --type peer_thing --env FAULT=promises-named --law 3 -o replaced
grep -qF '    create_before_destroy = true' replaced-issues/*/main.tf
result $? "is created before the client deletes the other, which only the service could do"
! grep -qrF create_before_destroy stored-issues confirmed-issues
result $? "others are written without it"
PATH=${PATH#*:}

# ---- Claims

claim=(--provider "test/peer=$peer" -o claimed --claim claim.json --force)
ends 0 "12 types" "a claim of an honest provider" "${claim[@]}"
grep -qF '"conforms":true' claim.json && grep -qF '"binary_sha256":"'"$(sha256sum "$peer" | cut -d ' ' -f 1)"'"' claim.json &&
    grep -qF '"message":"conforms, 100 % of types tested","color":"brightgreen"' claim-badge.json
result $? "has the hash of the binary, and a badge"
verify() {
    local want=$1 text=$2 name=$3
    shift 3
    run timeout -k 5 300 "$lifecheck" verify "$@"
    [ "$status" = "$want" ] && cat stdout stderr | grep -qF -- "$text"
    result $? "$name"
}
verify 0 "true: test/peer conforms, 12 of 12 types configured" "is true" claim.json "$peer"
verify 0 "true:" "whatever the number of processes" --jobs 2 claim.json "$peer"
sed 's/"configured":12/"configured":11/' claim.json >other.json
verify 1 "not true: configured: claimed 11, is 12" "another one is not" other.json "$peer"
sed 's/"expires":"[^"]*"/"expires":"2020-01-31"/' claim.json >other.json
verify 1 "not true: it has expired: claimed 2020-01-31" "one that has expired is not" other.json "$peer"
verify 1 "not true: the binary's SHA-256" "nor one about another binary" claim.json "$lifecheck"
verify 3 "this is not a claim" "a badge is not a claim" claim-badge.json "$peer"
verify 2 "verify takes a claim and a binary" "a binary is needed" claim.json
ends 1 "finding" "a claim of a provider with a fault" "${claim[@]}" --env FAULT=promises-new
grep -qF '"rule":"final/changed","law":"unknown-completes","place":".slug"' claim.json && grep -qF '"color":"red"' claim-badge.json
result $? "has its findings"
verify 0 "true: test/peer has the findings that are claimed" "and is true as well" --env FAULT=promises-new claim.json "$peer"
verify 1 "claimed, not found" "but not of a provider without it" claim.json "$peer"
for less in --type=peer_thing --law=1 --ignore=final/changed --shard=1/2 --total-budget=60; do
    ends 2 "cannot be combined with --claim" "a claim leaves nothing out: $less" "${claim[@]}" "$less"
done

# ---- Last words

dies=(--provider "$peer" --type peer_thing --law 41 --env FAULT=unknown-dies)
run timeout -k 5 120 "$lifecheck" probe "${dies[@]}" -o died
[ "$status" = 1 ] && [ "$(grep -ciF "unavailable: panic: runtime error: invalid memory address" stdout)" -ge 2 ]
result $? "how a provider exited stands in the finding and in the summary"
grep -qF "  at main.plan (main.go:42)" stdout && ! grep -qE '0xc000123456|/home/builder' stdout died/*
result $? "with its stack, without arguments and folders"
grep -qF "at main.plan (main.go:42)" died/* && "$lifecheck" check -v died | grep -qF "panic: runtime error"
result $? "and in the scenario"
run timeout -k 5 120 "$lifecheck" probe "${dies[@]}" -o died --format json
grep -qF '"stack":"at main.plan (main.go:42)"' stdout
result $? "and in JSON"

# ---- Values in scenarios

ends 1 "violates law 34" "a write-only value that comes back" --provider "$peer" --type peer_thing --law 34 --env FAULT=write-only-back -o secret
grep -qF "config: {name: example, pin: " secret/* && [ "$(grep -c confidential secret/*)" = 0 ]
result $? "hides no value that is not a secret"
printf '#!/bin/sh\nFAULT=write-only-back exec "%s"\n' "$peer" >alone
chmod +x alone
ends 1 "violates law 34" "without any value of the user" --provider test/peer=./alone --type peer_thing --law 34 --offline -o generated
grep -qF 'config: {name: example, pin: "1"}' generated/* && grep -qF '; its values were generated.' generated/*
result $? "no value is replaced by a token"
grep -qF 'replaced by tokens' secret/* && ! grep -qF 'pin: "1"' secret/*
result $? "which a variable of the user may be"
ends 1 "violates law 10" "a late replacement" --provider "$peer" --type peer_thing --law 3,10 --env FAULT=late-replace -o late
grep -qF "config: {name: example, title: !unknown }" late/* && "$lifecheck" check late >checked
result $? "has its unknown values in the usual spelling, and an identity hides none"

# ---- Names of types

long=$(printf 'x%.0s' {1..300})
types=$'../../../outside|a/b|a-b|line\nbreak|\e[31m|.|..|-rf|Foo|foo|'"$long|${long}y"
mkdir -p deep/below/here
cd deep/below/here || exit 1
run timeout -k 5 120 "$lifecheck" probe --provider "$peer" --env FAULT=upgrade-dies --env "PEER_TYPES=$types" --law 32 -o out
[ "$status" = 1 ] && [ "$(find out -type f | tr '[:upper:]' '[:lower:]' | sort -u | wc -l)" = 18 ]
result $? "each type has files of its own, whatever its name"
[ -z "$(find out -type f | LC_ALL=C grep -vE '^out/[a-z0-9_][A-Za-z0-9_.-]{0,180}$')" ] && [ "$(find ../../.. -name '*outside*' | grep -cv /out/)" = 0 ]
result $? "with short and harmless names, in the folder alone"
grep -rqF "# Run it again: lifecheck" out && "$lifecheck" check out >checked && ! grep -qE '^break' "$work/stdout"
result $? "and a line break in one ends no line"
cd "$work" || exit 1

# ---- The folder

mkdir folder
echo mine >mine
ln -s ../mine folder/peer_thing-unknown-completes-final-changed.yaml
ends 4 "cannot be written" "a link in the folder" "${fault[@]}" -o folder
[ "$(cat mine)" = mine ]
result $? "is not followed"
cat >drive.yaml <<'END'
lifecheck: 1
name: for drive
resource: peer_thing.one
config: {name: a, title: of-the-user}
END
ends 1 "violates law 1" "a scenario without a schema, as drive takes it" "${fault[@]}" -o ours --config drive.yaml
grep -q of-the-user ours/*
result $? "is what it begins with"

# ---- What is learned

terms=(--provider "example.test/lifecheck/peer=$peer" --law "1,3,10" --quiet)
ends 0 "laws tried" "--learned" "${terms[@]}" --learned learned.json
grep -q '"type":"peer_thing","provider":"example.test/lifecheck/peer","schema_version":2,"replace":{"name"' learned.json
result $? "names what forces a replacement"
ends 0 "laws tried" "--learned with workers" "${terms[@]}" --jobs 3 --learned learned-too.json
cmp -s learned.json learned-too.json
result $? "learns the same with any number of them"
echo mine >mine.json
ends 4 "is not written" "--learned of a file that is no such document" "${terms[@]}" --learned mine.json
[ "$(cat mine.json)" = mine ]
result $? "leaves it as it is"

# ---- Processes that are started again

# Each process that plans was configured before, also if the budget ended with the one before it.
for calls in 8 12 16 20 24 28 32 36 40; do
    rm -f processes
    timeout -k 5 120 "$lifecheck" probe --provider "$peer" --type 'peer_thing,peer_trusting' --env FAULT=upgrade-dies \
        --env "PEER_LOG=$work/processes" --calls "$calls" -o started --force --quiet >stdout 2>stderr
    awk '/ConfigureProvider/ { done[$1] = 1 }
        /PlanResourceChange/ { plans++; if (!done[$1]) { print; bad = 1 } }
        END { exit bad || !plans }' processes
    result $? "a budget of $calls calls: no process plans that is not configured"
done
# Nor one that was not asked for its schemas, also of a provider that says it can do without.
rm -f processes
timeout -k 5 120 "$lifecheck" probe --provider "$peer" --type 'peer_thing,peer_trusting' --env FAULT=upgrade-dies --env SCHEMAS_OPTIONAL=1 \
    --env "PEER_LOG=$work/processes" -o started --force --quiet >stdout 2>stderr
awk '/GetProviderSchema/ { done[$1] = 1 }
    /ConfigureProvider|GetMetadata|Validate|Upgrade|PlanResourceChange/ && !done[$1] { print; bad = 1 }
    /PlanResourceChange/ { processes += !seen[$1]++ }
    END { exit bad || processes < 2 }' processes
result $? "each process is asked for its schemas first"
