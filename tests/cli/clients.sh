#!/bin/bash
# What the newest clients ask: lists and state stores, each fault and none, and calls that no rule looks at.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# ---- Recordings with one fault each

python3 "$root/tests/cli/checks/gathered.py"
for file in good.*.jsonl; do
    run "$lifecheck" --all --strict "$file"
    [ "$status" = 0 ] && [ -z "$(findings)" ]
    result $? "$file: no finding"
done
for file in list.*.jsonl store.*.jsonl; do
    rule=$(cut -d. -f1,2 <<<"$file" | tr . /)
    run "$lifecheck" --all "$file"
    others=$(findings | grep -cv "\[$rule\]")
    [ "$others" = 0 ] && grep -q "\[$rule\]" stdout
    result $? "$file: $rule, and nothing else"
    grep -q 'ecret state' stdout
    [ $? = 1 ]
    result $? "$file: no state is shown"
done
run "$lifecheck" -v list.identity-missing.jsonl
out_has 'missing identity data in ListResource event for x_y' "the client's words"
run "$lifecheck" -v store.chunk-size.big.jsonl
out_has 'Failed to negotiate acceptable chunk size' "of a chunk size too"

# ---- Copies

for file in *.jsonl; do
    "$lifecheck" redact "$file" -o "copy-$file" >/dev/null 2>&1
    grep -q "$(printf '{secret state}' | base64 | cut -c1-12)" "copy-$file"
    [ $? = 1 ]
    result $? "a copy of $file has no state"
    case $file in store.read-back.jsonl) continue ;; esac # both are as long, which is all that a copy knows
    "$lifecheck" --all --format concise "$file" 2>&1 | grep -o '\[[a-z]*/[a-z-]*\]' >was
    "$lifecheck" --all --format concise "copy-$file" 2>&1 | grep -o '\[[a-z]*/[a-z-]*\]' | diff was - >stdout
    result $? "a copy of $file has the same findings"
done
run "$lifecheck" -v copy-store.read-back.jsonl
out_has 'needs state_store.bytes: store/read-back' "what a copy cannot show is not checked"

# ---- Real clients

wants 0 "a list by Terraform" "$lifecheck" --all "$root/testdata/clients/terraform-list.jsonl"
out_has '2 ValidateListResourceConfig: not checked, because no rule is about the configuration of a list resource' "a call that no rule looks at is named"
wants 0 "a state store of Terraform" "$lifecheck" --all "$root/testdata/clients/terraform-state-store.jsonl"
out_finds "a store without locks" 'info[store/lock-id]'
[ "$(findings | grep -c 'store/')" = 1 ]
result $? "nothing else is wrong with it"

# ---- Extracts

for file in list.*.jsonl store.*.jsonl; do
    case $file in *.untyped.jsonl | *.negative.jsonl | store.read-back.jsonl) continue ;; esac # not without what a scenario cannot hold
    run "$lifecheck" extract "$file" -o one.yaml --force
    ! grep -q 'ecret state' one.yaml && "$lifecheck" one.yaml >stdout 2>&1 && grep -q '1 meets its expectation' stdout
    result $? "an extract of $file judges itself"
done

# ---- Calls that no rule looks at

call() { printf '{"process":1,"seq":%d,"protocol":6,"rpc":"%s","request":{"type_name":"x_y"},"response":{}}\n' "$1" "$2"; }
{ head -n 1 good.list.jsonl && call 3 CloseEphemeralResource && call 4 CloseEphemeralResource && call 5 FlyToTheMoon && call 6 StopProvider; } >unseen.jsonl
wants 0 "calls that are not checked" "$lifecheck" unseen.jsonl
out_has 'unseen.jsonl:2:1: info: 2 CloseEphemeralResource: not checked, because' "are named with their number"
out_has '1 FlyToTheMoon: not checked, because lifecheck does not know this call' "so is an unknown one"
! grep -q StopProvider stdout
result $? "but not calls of every session"
for format in concise json jsonl sarif junit tap github markdown html; do
    run "$lifecheck" --format $format unseen.jsonl
    out_has '2 CloseEphemeralResource: not checked' "$format names them"
done
run "$lifecheck" --quiet unseen.jsonl
! grep -q 'not checked, because' stdout
result $? "--quiet leaves notes out"
run "$lifecheck" inspect unseen.jsonl
out_has '2 CloseEphemeralResource, because no rule' "inspect names them"
out_has '1 StopProvider, because it only asks the provider to stop' "and those of the session"
run "$lifecheck" inspect --format json unseen.jsonl
out_has '{"call":"StopProvider","count":1,"why":"it only asks the provider to stop"}' "as JSON too"

# ---- Identities without their schema

sed '2d' good.created.jsonl >untyped.jsonl
run "$lifecheck" -v untyped.jsonl
out_has 'not checked: needs identity_schema: identity/schema-flags' "what needs the schema is not checked"

# ---- Versions of the clients

cat >unknown.yaml <<'END'
lifecheck: 1
resource: x_y.a
schema:
  version: 0
  block: {attributes: {id: {type: string, computed: true}, name: {type: string, required: true}}}
config: {name: a}
read: {current_state: {id: a, name: a}, new_state: {id: !unknown , name: a}}
END
as() { # who, exit status, severity
    wants "$2" "--as $1" "$lifecheck" --as "$1" unknown.yaml
    out_has "$3[response/unknown]" "--as $1: $3"
}
as terraform 1 error
as terraform@1.7.5 0 info
as terraform@1.8 1 error
as opentofu@1.12 0 info
as document 1 error
knows() { # TEXT RULE
    run "$lifecheck" explain --error <<<"$1"
    head -n 1 stdout | grep -q "^$2: "
    result $? "explain --error knows: $1"
}
knows 'Warning: Unexpected size of chunk received' store/chunks
knows 'Warning: Unexpected size of last chunk received' store/chunks
knows 'Error: Plugin did not respond' wire/rpc-error
knows 'Error: an object is required' wire/value-decode
knows 'Error: Provider produced null object

Provider "provider[\"example.test/a/b\"]" produced a null value for ephemeral.b_token.t.' ephemeral/null
knows 'Error: failed to encode b_thing.t in state: value is not known' identity/unknown
knows 'Error: Invalid deferral' deferred/action-reason
knows 'Error: Invalid deferred reason' deferred/action-reason
knows 'panic: unexpected event type <nil> in InvokeAction response' action/unknown-event
knows 'Error: Provider produced different identity' identity/changed
knows 'Error: Failed to marshal plan to json: error in marshaling prior state: .id: value is not known' response/unknown

# Where values decide since when a finding is reported.
cat >null.yaml <<'END'
lifecheck: 1
resource: x_y.a
schema: {version: 0, block: {block_types: {b: {nesting_mode: list, block: {attributes: {v: {type: string, optional: true}}}}}}}
prior_state: null
config: !msgpack gaFiwA==
planned_state: !msgpack gaFiwA==
END
cat >nested.yaml <<'END'
lifecheck: 1
resource: x_y.a
schema: {version: 0, block: {attributes: {n: {optional: true, nested_type: {nesting_mode: single, attributes: {v: {type: string, optional: true, computed: true}}}}}}}
prior_state: null
config: {n: {v: a}}
planned_state: {n: !unknown }
END
sed 's/, computed: true//' nested.yaml >nested-plain.yaml
reported() { # FILE WHO SEVERITY[RULE]
    run "$lifecheck" --as "$2" "$1"
    out_has "$3" "$1 --as $2: $3"
}
reported null.yaml terraform@1.15 'info[plan/block-null]'
reported null.yaml terraform@1.16 'error[plan/block-null]'
reported nested.yaml terraform@1.4 'info[plan/nested-unknown]'
reported nested.yaml terraform@1.5 'error[plan/nested-unknown]'
reported nested.yaml opentofu@1.6 'error[plan/nested-unknown]'
reported nested-plain.yaml terraform@1.4 'error[plan/nested-unknown]'
run "$lifecheck" nested.yaml
out_has 'an error since Terraform 1.5; OpenTofu: always' "the finding says since when"
run "$lifecheck" unknown.yaml
out_has '= versions   an error since Terraform 1.8; OpenTofu: never' "a finding says since when"
wants 1 "as JSON" "$lifecheck" --format json unknown.yaml
grep -q '"terraform":{"effect":"error".*"since":"1.8","legacy' stdout && grep -q '"opentofu":{"effect":"none".*"since":"never","legacy' stdout
result $? "so does JSON, for each client"
run "$lifecheck" explain response/unknown
grep -A 1 '^  versions' stdout | grep -q 'read: since Terraform 1.8; OpenTofu: never'
result $? "so does explain, for each call"
run "$lifecheck" explain deferred/not-allowed
out_has 'since Terraform 1.9; in OpenTofu 1.11 only' "a check that a version has lost"
run "$lifecheck" explain apply/changed
grep -qE '^  versions *Terraform 1.0 and 1.1 tolerate nothing in protocol 6(; confirmed with .*)?$' stdout
result $? "of what was always checked only what very old versions do not read"
run "$lifecheck" explain schema/attr-name
! grep -q '^  versions' stdout
result $? "or nothing"
run "$lifecheck" explain plan/nested-unknown
out_has 'Terraform before 1.5.1 reports the attributes in it that are neither Computed nor' "what old releases do otherwise"
run "$lifecheck" rules --format json final/refinement
out_has '"versions":"since Terraform 1.6;' "the list of rules has it as JSON"
out_has '"since":1' "and the version of the rules that brought a rule"
run "$lifecheck" rules --format markdown final/refinement
out_has '* Versions: since Terraform 1.6;' "on pages"
run "$lifecheck" rules --format man
out_has 'Versions: since Terraform 1.6;' "and in the man page"
wants 0 "a version whose proposed values are not known" "$lifecheck" --as terraform@1.3 unknown.yaml
err_has 'Terraform before 1.4 proposes other values for nested sets' "is reported"
for wrong in terraform@2.0 terraform@ terraform@1. terraform@1.99 terraform@1.5x document@1.5 recorded@1.5; do
    wants 2 "--as $wrong" "$lifecheck" --as "$wrong" unknown.yaml
    err_has 'a version is that of a client' "--as $wrong: is refused with words"
done
wants 2 "another command with a version" "$lifecheck" providers --as terraform@1.5 .
err_has 'only check and predict know versions' "is refused"

# Recordings: the client that made them decides what a client stops at. Its name may come at the end.
read_unknown() { printf '{"process":1,"seq":2,"protocol":6,"rpc":"ReadResource","request":{"type_name":"x_y","current_state":{"msgpack":"gqJpZKExoW6hYQ=="}},"response":{"new_state":{"msgpack":"gqJpZNQAAKFuoWE="}}}\n'; }
for client in terraform:1.7.5:0 terraform:1.11.4:1 terraform-1.17:1.17.0-dev:1 tofu:1.9.0:0 tofu:1.13.0:0 terraform::1; do
    IFS=: read -r name version want <<<"$client"
    { head -n 1 good.list.jsonl && read_unknown && printf '{"recording":{"client":{"name":"%s","version":"%s"}}}\n' "$name" "$version"; } >made.jsonl
    wants "$want" "a recording of $name $version" "$lifecheck" made.jsonl
    wants "$want" "--as recorded by $name $version" "$lifecheck" --as recorded made.jsonl
    out_has 'which made the recording' "--as recorded by $name $version: says so"
    wants 1 "--as document, whoever made it ($name $version)" "$lifecheck" --as document made.jsonl
    wants 1 "--strict, whoever made it ($name $version)" "$lifecheck" --strict made.jsonl
    wants "$want" "from a pipe ($name $version)" "$lifecheck" - <made.jsonl
done
{ head -n 1 good.list.jsonl && read_unknown && printf '{"recording":{"client":{"name":"terraform","version":"1.7.5"}}}\n'; } >made.jsonl
run "$lifecheck" made.jsonl
out_has 'info[response/unknown]' "what this client accepts is shown"
out_has '= versions   accepted by Terraform 1.7.5, which made the recording; an error since Terraform 1.8;' "with what the newest says"
out_has '1 finding: Terraform 1.7.5, which made the recording, continues where' "and once for the whole recording"
run "$lifecheck" --format json made.jsonl
out_has '"client":{"name":"terraform","version":"1.7.5"}' "JSON names the client"
run "$lifecheck" --shard 1/1 --format json made.jsonl
cp stdout part.json
run "$lifecheck" merge part.json
out_has 'accepted by Terraform 1.7.5, which made the recording' "reports made from a shard say the same"
sed 's/"terraform","version":"1.7.5"/"tofu","version":"1.13.0"/' made.jsonl >tofu.jsonl
run "$lifecheck" tofu.jsonl
out_has 'accepted by OpenTofu 1.12 or later' "OpenTofu calls itself 1.13.0 since 1.12"
# A recording that states no client: the version that it gives its providers.
for version in 1.5.7:0 1.7.0:0 1.8.0:1 0.15.0:1; do
    { head -n 1 good.list.jsonl && printf '{"process":1,"seq":2,"protocol":6,"rpc":"ConfigureProvider","request":{"terraform_version":"%s"},"response":{}}\n' "${version%:*}" && read_unknown; } >called.jsonl
    wants "${version#*:}" "a client that calls itself ${version%:*}" "$lifecheck" called.jsonl
done
{ head -n 1 good.list.jsonl && read_unknown; } >unnamed.jsonl
wants 1 "a recording that does not name its client" "$lifecheck" unnamed.jsonl
! grep -q 'does not name its client' stdout
result $? "is checked by the document, and nothing is said of it"
wants 1 "--as recorded, and it does not name its client" "$lifecheck" --as recorded unnamed.jsonl
out_has 'the recording does not name its client' "is checked by the document, and says so"

# ---- Clauses, and the rules of each version

run "$lifecheck" rules --clauses
out_has 'OpenTofu lifecycle document, introduction' "clauses by document and section"
out_has ' 0 without a rule; ' "how many no rule checks"
count=$(grep -c '^ *quote:' "$root/testdata/clauses.yaml")
out_has "$count clauses, " "all of the map"
run "$lifecheck" rules --clauses 'read/*'
out_has 'read/normalized' "those of a pattern"
! grep -q 'sequence/state-chain$' stdout
result $? "and no others"
run "$lifecheck" rules --clauses --format json
[ "$(grep -o '"document":' stdout | wc -l)" = "$count" ]
result $? "as JSON"
wants 2 "another format" "$lifecheck" rules --clauses --format tsv
err_has '--clauses has the formats text and json' "is refused"
version=$("$lifecheck" --format json good.list.jsonl | grep -o '"rules_version":"[0-9]*"' | grep -o '[0-9]*')
"$lifecheck" rules --format tsv | cut -f 1 | LC_ALL=C sort >now
cmp -s now "$root/share/lifecheck/rules/$version.txt"
result $? "the rules of this version are those of its file"
"$lifecheck" rules --format json | sed 's/},{"rule"/}\n{"rule"/g' | sed 's/.*"rule":"\([^"]*\)".*"since":\([0-9]*\).*/\2 \1/' >since
for each in $(seq "$version"); do
    awk -v v="$each" '$1 <= v { print $2 }' since | LC_ALL=C sort | cmp -s - <(grep -xFf now "$root/share/lifecheck/rules/$each.txt")
    result $? "what a rule says of its version is what the file of version $each lists"
done
