#!/usr/bin/env bash
# Recordings that end early: with the schemas, or with a call that the client does not go on from.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.bash"
cd "$work" || exit 1

string=$(printf '"string"' | base64)
attribute() { printf '{"name":"%s","type":"%s",%s}' "$1" "$string" "$2"; } # NAME FLAGS
schema() { # FLAGS of name
    printf '{"rpc":"GetProviderSchema","request":{},"response":{"provider":{"block":{}},"resource_schemas":{"thing_box":{"block":{"attributes":[%s,%s]}}},"data_source_schemas":{"thing_box":{"block":{"attributes":[%s]}}},"ephemeral_resource_schemas":{"thing_box":{"block":{"attributes":[%s]}}},"list_resource_schemas":{"thing_box":{"block":{}}}}}\n' \
        "$(attribute id '"computed":true')" "$(attribute name "$1")" "$(attribute id '"computed":true')" "$(attribute id '"computed":true')"
}

# ---- Schemas alone.

schema '"optional":true' >sound.jsonl
wants 0 "schemas alone" "$lifecheck" -v sound.jsonl
out_has "sound.jsonl#5 schemas: conforms" "are checked, and identities that were not reported are not missed"
{ echo && schema '"optional":true,"required":true'; } >faulty.jsonl
wants 1 "a schema at fault" "$lifecheck" -v faulty.jsonl
out_finds "is reported where it was recorded" "error[schema/attr-optional-required]: .name:" "faulty.jsonl:2:1   " ", GetProviderSchema"
out_has "faulty.jsonl#thing_box: violates" "with its type"
out_has "faulty.jsonl#4 schemas: conforms" "and the others are checked as well"
{ schema '"optional":true' && schema '"optional":true,"required":true'; } >both.jsonl
wants 1 "two providers" "$lifecheck" both.jsonl
out_finds "are checked each" "error[schema/attr-optional-required]:" "both.jsonl:2:1   "
echo '{"rpc":"GetProviderSchema","request":{},"error":{"code":"Unavailable"}}' >silent.jsonl
wants 1 "a provider that does not answer" "$lifecheck" silent.jsonl
out_finds "is reported" "error[wire/rpc-error]: " "silent.jsonl:1:1   " ", GetProviderSchema"

# ---- A deferral that was not allowed, with the error that the SDK adds.

null='{"msgpack":"wA=="}'
object='{"msgpack":"gqJpZKFhpG5hbWWhYg=="}' # {id: a, name: b}
only='{"msgpack":"gaJpZMA="}'               # {id: null}
refused='"deferred":{"reason":"ABSENT_PREREQ"},"diagnostics":[{"severity":"ERROR","summary":"Invalid Deferred Resource Response"}]'
deferred() { # RPC REQUEST
    { schema '"optional":true' &&
        printf '{"rpc":"%s","request":{"type_name":"thing_box",%s},"response":{%s}}\n' "$1" "$2" "$refused"; } >calls.jsonl
    wants 1 "$1 is deferred" "$lifecheck" calls.jsonl
    out_finds "which is reported with the SDK's error" "error[deferred/not-allowed]: " ", $1"
}
deferred ReadResource "\"current_state\":$object"
deferred PlanResourceChange "\"prior_state\":$null,\"config\":$object,\"proposed_new_state\":$object,\"client_capabilities\":{\"deferral_allowed\":false}"
deferred ImportResourceState '"id":"a"'
deferred ReadDataSource "\"config\":$only"
{ schema '"optional":true' &&
    printf '{"rpc":"OpenEphemeralResource","request":{"type_name":"thing_box","config":%s},"response":{%s}}\n' "$only" "$refused"; } >calls.jsonl
run "$lifecheck" calls.jsonl
out_finds "OpenEphemeralResource too" "[deferred/not-allowed]: " ", OpenEphemeralResource"
{ schema '"optional":true' &&
    printf '{"rpc":"ReadResource","request":{"type_name":"thing_box","current_state":%s},"response":{"deferred":{"reason":"ABSENT_PREREQ"},"diagnostics":[{"severity":"ERROR","summary":"no such host"}]}}\n' "$object"; } >calls.jsonl
wants 0 "an error of its own" "$lifecheck" calls.jsonl
! grep -q deferred/not-allowed stdout || grep -q 'not checked.*deferred/not-allowed' stdout
result $? "is what the client gets"

# ---- Identities that were not requested: there is no schema of them, but they can be compared.

box() { printf '{"msgpack":"%s"}' "$(printf '%b' "\\x82\\xa2id\\xa1a\\xa4name\\xa1$1" | base64)"; }            # NAME
identity() { printf '{"identity_data":{"msgpack":"%s"}}' "$(printf '%b' "\\x81\\xa6region\\xa2$1" | base64)"; } # REGION
update() { # REGION after the apply
    schema '"optional":true'
    printf '{"rpc":"PlanResourceChange","request":{"type_name":"thing_box","prior_state":%s,"proposed_new_state":%s,"config":%s,"prior_identity":%s},"response":{"planned_state":%s,"planned_identity":%s}}\n' \
        "$(box a)" "$(box b)" "$(box b)" "$(identity eu)" "$(box b)" "$(identity eu)"
    printf '{"rpc":"ApplyResourceChange","request":{"type_name":"thing_box","prior_state":%s,"planned_state":%s,"config":%s,"planned_identity":%s},"response":{"new_state":%s,"new_identity":%s}}\n' \
        "$(box a)" "$(box b)" "$(box b)" "$(identity eu)" "$(box b)" "$(identity "$1")"
}
update us >calls.jsonl
run "$lifecheck" calls.jsonl
out_finds "an identity that changes" "info[identity/changed]: .region:" ", ApplyResourceChange"
update eu >calls.jsonl
run "$lifecheck" --format json calls.jsonl
! grep -q '"rule":"identity/' stdout && grep -q '"checked":\[[^]]*"identity/changed"' stdout
result $? "one that does not is checked"
run "$lifecheck" -v calls.jsonl
out_has "not checked: needs identity_schema: identity/schema-flags, identity/schema-type, identity/no-schema, identity/type (4)" "what only a schema can show is said not to be checked"
run "$lifecheck" calls.jsonl
! grep -q identity_schema stdout
result $? "the last lines do not ask for what its client did not call for"
sed 's/,"[a-z]*_identity":{[^}]*}}//g' calls.jsonl >none.jsonl
run "$lifecheck" -v none.jsonl
! grep -q 'needs action' stdout
result $? "an action, which a recording cannot have, is not required"
grep -q 'not checked' stdout && ! grep -q 'not checked.*identity' stdout
result $? "without any identity nothing is said of them"
sed '$s/,"new_identity":{[^}]*}}//' calls.jsonl >missing.jsonl
run "$lifecheck" missing.jsonl
out_finds "an apply without an identity after a plan with one" "info[identity/missing]: " ", ApplyResourceChange"
sed 's/"planned_identity":{[^}]*}}/"planned_identity":{"identity_data":{"msgpack":"wA=="}}/' calls.jsonl >null.jsonl
run "$lifecheck" --format json null.jsonl
! grep -q '"rule":"identity/' stdout
result $? "a client that does not hand on identities gets a plan without one"
unknown=$(printf '\x81\xa6region\xd4\x00\x00' | base64)
for bytes in "$unknown" "$(printf '\xd4\x00\x00' | base64)"; do
    sed '2s|\("planned_identity":{"identity_data":{"msgpack":"\)[^"]*|\1'"$bytes|" calls.jsonl >unknown.jsonl
    run "$lifecheck" unknown.jsonl
    out_has "error[identity/unknown]:" "the planned identity of an existing object is unknown: $bytes"
    sed 's|"prior_state":{"msgpack":"[^"]*"}|"prior_state":{"msgpack":"wA=="}|' unknown.jsonl >create.jsonl
    run "$lifecheck" --format json create.jsonl
    ! grep -q '"rule":"identity/' stdout
    result $? "and that of one that is created: $bytes"
done

imports() { # IDENTITY-OF-IMPORT IDENTITY-OF-READ, or "" for none
    schema '"optional":true'
    printf '{"rpc":"ImportResourceState","request":{"type_name":"thing_box","id":"a"},"response":{"imported_resources":[{"type_name":"thing_box","state":%s%s}]}}\n' \
        "$(box a)" "${1:+,\"identity\":$(identity "$1")}"
    printf '{"rpc":"ReadResource","request":{"type_name":"thing_box","current_state":%s},"response":{"new_state":%s%s}}\n' \
        "$(box a)" "$(box a)" "${2:+,\"new_identity\":$(identity "$2")}"
}
imports eu us >import.jsonl
run "$lifecheck" import.jsonl
out_finds "an import and the read right after it contradict each other" "info[identity/changed]: .region:" ", ReadResource"
for row in "eu eu" " eu" " "; do
    imports "${row% *}" "${row#* }" >import.jsonl
    run "$lifecheck" --format json import.jsonl
    ! grep -q '"rule":"identity/' stdout
    result $? "an import and a read that agree: '$row'"
done
imports eu "" >import.jsonl
run "$lifecheck" import.jsonl
out_finds "an import with an identity and a read without one" "info[identity/missing]: " ", ReadResource"
