#!/bin/bash
# CloudFormation resource types: derived schemas, names, what is wrong and where, large ones. With
# CLOUDFORMATION=DIR (names.tsv, derived.tsv, schemas/) also types of the public registry.
# shellcheck source=tests/cli/lib.bash disable=SC2016 # $ref
. "$(dirname "$0")/lib.bash"
if ! command -v jq >/dev/null; then
    echo "ok - cfn # SKIP jq is not installed"
    exit 0
fi
types=$root/testdata/schemas/cloudformation

for name in bucket event_rule flow_log; do
    wants 0 "$name as the provider derives it" "$lifecheck" cfn schema --derive-as awscc --format json "$types/$name.json"
    jq -c '.provider_schemas[].resource_schemas[]' <stdout | cmp - "$types/$name.awscc.json"
    result $? "$name: byte for byte"
    cp "$types/$name.json" .
    wants 0 "$name by the document" "$lifecheck" cfn schema "$name.json"
    out_is "cfn-$name.txt" "$name: as recorded"
done
wants 0 "several files, one document" "$lifecheck" cfn schema --format json bucket.json flow_log.json
jq -r '.provider_schemas[] | (.resource_schemas, .data_source_schemas) | keys[]' <stdout >keys
[ "$(tr '\n' ' ' <keys)" = "awscc_netv2_flow_log awscc_storage_bucket awscc_netv2_flow_log awscc_netv2_flow_logs awscc_storage_bucket awscc_storage_buckets " ]
result $? "a resource and two data sources each"
mv stdout derived.json
wants 0 "the other way round" "$lifecheck" cfn schema --format json flow_log.json bucket.json
cmp -s stdout derived.json
result $? "the same document"
wants 0 "what is written can be read" "$lifecheck" schema lint derived.json
wants 3 "a type twice" "$lifecheck" cfn schema bucket.json bucket.json
err_has 'has the type awscc_storage_bucket already' "reported"
wants 0 "another Terraform name" "$lifecheck" cfn schema --type-name awscc_net_log flow_log.json
out_has ' log_id ' "the id goes by it"
wants 0 "another CloudFormation name" "$lifecheck" cfn schema --type-name Ex::Net2::FlowLog flow_log.json
out_has 'Ex::Net2::FlowLog is awscc_net2_flow_log' "derived from it"

# ---- What is wrong.

type() { # definitions, properties
    printf '{"typeName": "Ex::Svc::Thing",\n "definitions": {%s},\n "properties": {%s},\n "primaryIdentifier": ["/properties/A"]}\n' "$1" "$2"
}
type '"T": {"type": "object", "properties": {"Kids": {"type": "array", "items": {"$ref": "#/definitions/T"}}}}' \
    '"A": {"type": "string"}, "B": {"$ref": "#/definitions/T"}' >self.json
wants 1 "a definition that holds itself" "$lifecheck" cfn schema self.json
err_has 'self.json:2:101: error: /definitions/T/properties/Kids/items: definition T is recursive: T -> T' "with its place"
out_has 'not derived: definition T is recursive' "and the property is listed"
wants 1 "the provider derives nothing then" "$lifecheck" cfn schema --derive-as awscc --format json self.json
[ "$(jq -c '.provider_schemas[].resource_schemas' <stdout)" = '{}' ]
result $? "nothing"
type '' '"A": {"$ref": "#/definitions/None"}' >missing.json
wants 1 "a reference to nothing" "$lifecheck" cfn schema missing.json
err_has 'missing.json:3:31: error: /properties/A: $ref "#/definitions/None" names nothing' "with its place"
type '' '"A": {"type": "string"}, "Lifecycle": {"type": "string"}' >reserved.json
wants 1 "the name of a meta-argument" "$lifecheck" cfn schema reserved.json
err_has 'nothing is derived: top-level property Lifecycle conflicts with Terraform meta-argument: lifecycle' "suppresses the type"
printf '{"typeName": "Ex::Svc::Thing",\n"properties": {"A": {"type": "string"}, "A": {"type": "boolean"}}, "primaryIdentifier": []}' >twice.json
wants 0 "a key twice" "$lifecheck" cfn schema twice.json
err_has 'twice.json:2:41: warning: duplicate key "A"; the last one counts' "is reported"
out_has ' boolean ' "and the last one counts"
echo '[]' >array.json
wants 3 "no object" "$lifecheck" cfn schema array.json
wants 3 "no such file" "$lifecheck" cfn schema nowhere.json
wants 1 "no type schema" "$lifecheck" cfn schema derived.json
wants 2 "no command" "$lifecheck" cfn
wants 2 "no file" "$lifecheck" cfn schema
wants 2 "no such profile" "$lifecheck" cfn schema --derive-as terraform bucket.json
wants 2 "no such format" "$lifecheck" cfn schema --format html bucket.json

# ---- Large ones.

awk 'BEGIN {printf "{\"typeName\":\"Ex::Svc::Wide\",\"primaryIdentifier\":[\"/properties/P1\"],\"properties\":{"
            for (i = 1; i <= 80000; i++) printf "%s\"P%d\":{\"type\":\"string\",\"description\":\"property %d of many\"}", (i > 1 ? "," : ""), i, i
            print "}}"}' >wide.json
[ "$(wc -c <wide.json)" -gt 5000000 ]
result $? "5 MB"
wants 0 "are derived" timeout 120 "$lifecheck" cfn schema --format json wide.json
[ "$(jq '.provider_schemas[].resource_schemas[].block.attributes | length' <stdout)" = 80001 ]
result $? "every property"
awk 'BEGIN {printf "{\"typeName\":\"Ex::Svc::Deep\",\"primaryIdentifier\":[],\"properties\":{\"P\":"
            for (i = 1; i <= 60; i++) printf "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"P%d\":", i
            printf "{\"type\":\"string\"}"
            for (i = 1; i <= 60; i++) printf "}}}"
            print "}}"}' >deep.json
wants 0 "60 levels" "$lifecheck" cfn schema --format json deep.json
grep -q '"p60":' stdout
result $? "the lowest one too"
mv stdout deep-derived.json
wants 0 "and can be read" "$lifecheck" schema lint deep-derived.json
awk 'BEGIN {printf "{\"typeName\":\"Ex::Svc::Many\",\"properties\":{\"P\":{\"$ref\":\"#/definitions/D0\"}},\"definitions\":{"
            for (i = 0; i < 40; i++) printf "\"D%d\":{\"type\":\"object\",\"properties\":{\"A\":{\"$ref\":\"#/definitions/D%d\"},\"B\":{\"$ref\":\"#/definitions/D%d\"}}},", i, i + 1, i + 1
            print "\"D40\":{\"type\":\"string\"}}}"}' >many.json
wants 3 "two to the fortieth" timeout 120 "$lifecheck" cfn schema many.json
err_has 'more than 500000 properties' "is bounded"

# ---- Names.

wants 0 "names" "$lifecheck" cfn name EndpointIPs AWS::Events::EventBus
[ "$(cat stdout)" = "$(printf 'EndpointIPs\tendpoint_i_ps\tendpoint_i_ps\nAWS::Events::EventBus\tawscc_events_event_bus\tawscc_events_event_buses')" ]
result $? "of properties and types"
printf 'As2Id\nCNAMEs\n' | "$lifecheck" cfn name - >stdout
[ "$(cat stdout)" = "$(printf 'As2Id\tas_2_id\tas2_id\nCNAMEs\tcnames\tcnam_es')" ]
result $? "from standard input"

"$lifecheck" cfn name --format json EndpointIPs AWS::Events::EventBus | jq -c '.[]' >stdout
[ "$(cat stdout)" = '{"property":"EndpointIPs","attribute":"endpoint_i_ps","identity":"endpoint_i_ps"}
{"type":"AWS::Events::EventBus","resource":"awscc_events_event_bus","plural":"awscc_events_event_buses"}' ]
result $? "as JSON"
wants 0 "a name that is reserved at the top" "$lifecheck" cfn name Provider ProviderName
[ "$(cat stdout)" = "$(printf 'Provider\tprovider_name\tprovider\tnested: provider\nProviderName\tprovider_name\tprovider_name')" ]
result $? "the name there, and the nested one"
"$lifecheck" cfn name --format json provider | jq -c '.[]' >stdout
[ "$(cat stdout)" = '{"property":"provider","attribute":"provider_name","identity":"provider","nested":"provider"}' ]
result $? "as JSON"
wants 0 "that name back" "$lifecheck" cfn property provider_name provider
[ "$(cut -f2 stdout)" = "$(printf 'ProviderName PROVIDERName ProviderNAME providerName providerNAME Provider PROVIDER provider\nProvider PROVIDER provider')" ]
result $? "both properties"
wants 0 "the way back" "$lifecheck" cfn property arn s_3_backup_mode http_2
[ "$(cat stdout)" = "$(printf 'arn\tArn ARN arn\tambiguous\ns_3_backup_mode\ts3BackupMode s3BACKUPMode s3BackupMODE s3backupMode s3backupMODE\tambiguous\nhttp_2\tHttp2 http2\tambiguous')" ]
result $? "all properties that there could be"
wants 0 "with one candidate" "$lifecheck" cfn property s3_u
wants 1 "no property becomes that" "$lifecheck" cfn property 9x Bad ''
[ "$(cut -f2- stdout)" = "$(printf '\tnone\n\tnone\n\tnone')" ]
result $? "reported for each"
wants 0 "with the type" "$lifecheck" cfn property --schema cloudformation:flow_log.json sink_arn flow_log_id id
[ "$(cat stdout)" = "$(printf 'sink_arn\tSinkArn (PrimarySink/SinkArn Sinks/SinkArn Steps/SinkArn)\tone\nflow_log_id\tId (Id)\tone\nid\t\tadded: it identifies the resource')" ]
result $? "exactly these"
type '' '"A": {"type": "object", "properties": {"SMSText": {"type": "string"}}}, "B": {"type": "object", "properties": {"SmsText": {"type": "string"}}}' >two.json
wants 1 "names that one map cannot keep apart" "$lifecheck" cfn property --schema two.json --format json sms_text c
[ "$(jq -c '.[] | [.ambiguous, .properties[].name]' <stdout | paste -sd' ')" = '[true,"SMSText","SmsText"] [false]' ]
result $? "are ambiguous"
wants 2 "two types" "$lifecheck" cfn property --schema two.json --schema flow_log.json a
wants 3 "no such type" "$lifecheck" cfn property --schema nowhere.json a
wants 2 "a schema for names" "$lifecheck" cfn name --schema two.json A
wants 0 "very many" timeout 120 "$lifecheck" cfn property "$(printf 'ab_cd_%.0s' $(seq 31))ef"
out_has 'ambiguous, and more' "are bounded"

# ---- What the registry has, and what could be.

type '"a/b": {"type": "string"}' '"A": {"$ref": "#/definitions/a~1b"}' >escaped.json
wants 0 "a reference with an escape" "$lifecheck" cfn schema escaped.json
wants 1 "which the provider takes as it stands" "$lifecheck" cfn schema --derive-as awscc escaped.json
type '' '"A": {"type": "boolean", "default": "False"}, "B": {"type": "object", "default": {}}, "C": {"type": "integer", "default": 1.5}, "D": {"type": "array", "items": {"type": "string"}, "default": ""}' >defaults.json
wants 0 "defaults that the provider takes" "$lifecheck" cfn schema --derive-as awscc defaults.json
out_has 'default false' "a word for a boolean"
grep -qE '^ +C .*default 1$' stdout
result $? "a number that is cut off"
err_has 'the default of D is not a value of its type' "what is not a value is reported"
wants 1 "by the document" "$lifecheck" cfn schema defaults.json
err_has 'the default of C is not a value of its type' "a default is a value"
type '' '"A": {"type": "string", "default": 5}' >stops.json
wants 1 "a default that the provider stops at" "$lifecheck" cfn schema --derive-as awscc stops.json

printf '{"typeName":"Ex::Svc::Thing","properties":{"A":{"type":"string","pattern":"^(a|a)*(a|a)*(a|a)*(a|aa)+$"},"B":{"type":"string","pattern":"(?=x)y"}},"primaryIdentifier":[]}' >hostile.json
printf 'lifecheck: 1\nschema: {cloudformation: hostile.json}\nconfig: {a: "%sb", b: q}\nprior_state: null\nvalidate: {diagnostics: []}\nexpect: {findings: [], not_checked: [cfn/config-pattern]}\n' "$(printf 'a%.0s' $(seq 20000))" >hostile.yaml
wants 0 "a pattern that takes too many steps is not checked" timeout 120 "$lifecheck" hostile.yaml
wants 0 "a pattern that Go refuses" "$lifecheck" cfn schema hostile.json
err_has 'this pattern restricts nothing, because Go refuses it' "is reported"

# ---- Documents.

cp -r "$root/testdata/schemas" .
cp "$data/cfn-documents.yaml" .
wants 1 "documents" "$lifecheck" cfn documents cfn-documents.yaml
out_is cfn-documents.txt "as recorded, without secrets"
wants 1 "documents with secrets" "$lifecheck" cfn documents --secrets cfn-documents.yaml
out_is cfn-documents-secrets.txt "the worked examples"
wants 0 "documents of one case, as JSON" "$lifecheck" cfn documents --format json 'cfn-documents.yaml#drop a sink'
[ "$(jq -r '.[0].patch | length' <stdout)" = 4 ]
result $? "can be read"
wants 3 "documents of other resources" "$lifecheck" cfn documents "$root/scenarios/plan/absent"
wants 3 "documents of nothing" "$lifecheck" cfn documents nowhere.yaml

# ---- Recordings.

cat >plan.json <<'END'
{"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [{"address": "awscc_storage_bucket.b", "mode": "managed",
"type": "awscc_storage_bucket", "name": "b", "provider_name": "registry.terraform.io/hashicorp/awscc", "change": {"actions": ["update"],
"before": {"id": "bkt", "bucket_name": "bkt", "access_mode": "private", "access_password": "s3cr3t", "arn": "arn:b", "s3_uri": "u1", "tags": null, "versioning": null},
"after": {"id": "bkt", "bucket_name": "bkt", "access_mode": "private", "access_password": "other", "arn": "arn:b", "s3_uri": "u2", "tags": null, "versioning": null},
"after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}], "configuration": {"root_module": {}}}
END
wants 1 "a plan, with the type" "$lifecheck" --schema cloudformation:bucket.json plan.json -v
out_finds "is checked by the rules of the type" 'error[cfn/replace-missing]: .s3_uri:' ', PlanResourceChange'
! grep -qE 's3cr3t|other"' stdout
result $? "and write-only values are not shown"
wants 1 "a plan, as the provider does it" "$lifecheck" --schema awscc:bucket.json plan.json
wants 0 "a copy without secrets" "$lifecheck" redact --schema cloudformation:bucket.json plan.json
! grep -q s3cr3t stdout
result $? "knows what is write-only"
wants 0 "types of a type" "$lifecheck" schema show cloudformation:bucket.json
out_has 'awscc_storage_buckets' "the plural too"
wants 2 "no scenario to begin with" "$lifecheck" init --schema cloudformation:bucket.json --type awscc_storage_bucket

# ---- Extracts carry the type.

for finding in patch-result/fail-order-lost:awscc_storage_queue schema-conflict/fail-required-output: \
    schema-attribute/fail-lost-and-invented: list-ids/fail-a-page-missing:awscc_ reserved-name/fail-count: \
    patch-writeonly/fail-not-sent-again:; do
    file=$root/scenarios/cfn/${finding%:*}.yaml
    wants 0 "extract of ${finding%:*}" "$lifecheck" extract --finding 1 "$file"
    mv stdout extract.yaml
    grep -q '^  cloudformation:' extract.yaml
    result $? "it holds the type"
    wants 0 "and judges itself" "$lifecheck" extract.yaml
done
cat >both.yaml <<'END'
lifecheck: 1
resource: awscc_svc_thing.example
schema:
  version: 1
  block: {attributes: {a: {type: string, optional: true, computed: true}, id: {type: string, optional: true, computed: true}}}
  as: awscc
  cloudformation:
    typeName: Ex::Svc::Thing
    properties: {A: {type: string, default: [1]}}
    primaryIdentifier: [/properties/A]
config: {a: x}
prior_state: {a: s3cr3t, id: s3cr3t}
planned_state: {a: x, id: s3cr3t}
END
wants 0 "a type and a schema, both in the scenario" "$lifecheck" both.yaml
out_has 'both.yaml:9' "what is wrong in the type has its place in the scenario"
sed -i 's/, default: \[1\]//' both.yaml
wants 1 "compared" "$lifecheck" both.yaml
out_has '[cfn/id-attribute]: .id:' "with each other"
cat >secret.yaml <<'END'
lifecheck: 1
schema:
  cloudformation:
    typeName: Ex::Svc::Thing
    properties: {Name: {type: string}, Token: {type: string}, Provider: {type: string}, Box: {type: object, properties: {Key: {type: string}, Open: {type: string}}}}
    primaryIdentifier: [/properties/Name]
    createOnlyProperties: [/properties/Name]
    writeOnlyProperties: [/properties/Token, /properties/Provider, /properties/Box/Key]
config: {name: n, token: hidden-one, provider_name: hidden-five, box: {open: o}}
prior_state: {id: n, name: n, token: hidden-one, provider_name: hidden-five, box: {open: o}}
planned_state: {id: n, name: n, token: hidden-one, provider_name: hidden-five, box: {open: o}}
cloud_control:
  patch: [{op: add, path: /Token, value: hidden-two}, {op: add, path: /Box, value: {Key: hidden-three, Open: p}}]
  current_state: {Name: n, Token: hidden-four}
END
wants 0 "extract of documents with secrets" "$lifecheck" extract secret.yaml
! grep -q hidden stdout
result $? "has none of them"
out_has 'rule: cfn/' "and a finding"

# ---- The registry's own.

# ---- A document that is not a type.

echo '{"provider_schemas":{}}' >no-type.json
calls=$root/testdata/captures/random-replace.jsonl
wants 3 "a type from which nothing is derived beside a recording" "$lifecheck" --schema cloudformation:no-type.json "$calls"
out_has 'cloudformation:no-type.json: error: nothing is derived: a type schema has a "typeName"' "is reported with its reason"
out_has "2 conform" "and the recording is checked"
wants 3 "properties of no type" "$lifecheck" cfn property --schema no-type.json a
err_has "no-type.json: nothing is derived" "are not sought"
wants 1 "a type without a name" "$lifecheck" cfn schema no-type.json
out_has "a type without a name, by the document" "is called that"

if [ ! -d "${CLOUDFORMATION:-}" ]; then
    echo "ok - the registry's types # SKIP CLOUDFORMATION is not set"
    exit 0
fi
tail -n +2 "$CLOUDFORMATION/names.tsv" >names
cut -f1 names | "$lifecheck" cfn name - | diff - names >stdout
result $? "all names"
cut -f2 names | "$lifecheck" cfn property - | cut -f2 | paste <(cut -f1 names) - |
    awk -F'\t' '{n = split($2, back, " "); found = 0; for (i = 1; i <= n; i++) found += back[i] == $1; if (found != 1) print}' >stdout
[ ! -s stdout ]
result $? "and back"
tail -n +2 "$CLOUDFORMATION/derived.tsv" | cut -f1,2 | while IFS=$'\t' read -r file want; do
    "$lifecheck" cfn schema --derive-as awscc "$CLOUDFORMATION/schemas/$file" 2>/dev/null | sed -n '1s/.* is \(.*\),.*/\1/p
        2s/.*, of \([0-9]*\) names; nothing.*/\1 false/p; 2s/.*, of \([0-9]*\) names; can.*/\1 true/p
        2s/ *nothing is derived: /FAILS /p' | paste -sd' ' >got
    case $want in
    OK*) want=$(echo "$want" | sed 's/^OK //; s/attrs=//; s/updatable=//') ;;
    CRASH*) want='.* FAILS definition .* is recursive' ;;
    *) want=".* FAILS ${want#* }" ;;
    esac
    grep -q "^$want" got || { echo "$file: want $want"; cat got; }
done >stdout
[ ! -s stdout ]
result $? "all types, counts and failures"
