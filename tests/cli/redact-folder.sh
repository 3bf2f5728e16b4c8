#!/bin/bash
# Copies of capture directories: no secret is left in any file, and the findings are the same.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures

findings() { # of a capture directory, without findings and values; not what is said of its files
    "$lifecheck" -v "$1" 2>&1 | sed -nE 's/^ *[^ ]*: (error|warning|info): ([a-z-]+\/.*)/\1 \2/p; /^ +why /p; s/^[^ ]*#[^ ]*(: [a-z])/\1/p; /^([0-9]+ violations? in .*; )?[0-9]+ cases?:/p'
}

compare() { # capture directory, its name. Plans and states beside it are not copied, and so not read here
    local all
    rm -rf alone && mkdir alone && cp -r "$1" alone/data && cp "$1"/../*.log "$1"/../*schema.json alone/
    set -- "$PWD/alone/data" "$2"
    for all in "" --all-values; do
        rm -rf copy
        wants 0 "$2 $all" "$lifecheck" redact ${all:+"$all"} "$1" -o copy
        diff <(findings "$1") <(findings copy) >stdout
        result $? "$2 $all: the same findings"
        diff <(cd "$1" && ls -- *_*) <(cd copy && ls -- *_*) >stdout
        result $? "$2 $all: the same data files"
    done
}
for name in thing crowded; do
    compare "$captures/$name/proto-data" "$name"
done
if [ -d "${CAPTURES:-}" ]; then
    for folder in "$CAPTURES"/*/proto-data; do
        name=$(basename "$(dirname "$folder")")
        if [ -f "$folder/../schema.json" ]; then
            compare "$folder" "$name"
        else
            echo "ok - $name # skip no schema document beside it"
        fi
    done
else
    echo "ok - recorded captures # skip CAPTURES names no folder of them"
fi

# Secrets in every place that a directory can hold one. The text has a quote and a backslash.
plain='p"ss\w'
cp -r "$captures/thing" planted && cd planted || exit 1
sed -i 's/\(1795229203899_PlanResourceChange_Response\|ApplyResourceChange_Request\)_PlannedPrivate\.empty/\1_PlannedPrivate/' sdk.log
LC_ALL=C sed -i 's/s3cret/p"ss\\w/g; s/hunter2/written/g' proto-data/*.msgpack
for file in proto-data/*ConfigureProvider_Request_Config.msgpack proto-data/*ValidateProviderConfig*.msgpack; do
    printf '\x81\xa8endpoint\xacendpointkey1' >"$file"
done
printf '{"cookie":"privatepart","number":48213377}' >proto-data/1795229203905_ApplyResourceChange_Request_PlannedPrivate && rm proto-data/1795229203905_ApplyResourceChange_Request_PlannedPrivate.empty
printf '{"cookie":"privatepart","number":48213377}' >proto-data/1795229203906_ApplyResourceChange_Response_Private
printf 'bareprivate' >proto-data/1795229203899_PlanResourceChange_Response_PlannedPrivate && rm proto-data/1795229203899_PlanResourceChange_Response_PlannedPrivate.empty
printf '\xabfunctionarg' >proto-data/1795229203990_CallFunction_Request_Arguments_0.msgpack
printf '\x81\xa5other\xacunknowntype1' >proto-data/1795229203991_ReadDataSource_Request_Config.msgpack
printf '{"other":"unknownjson1"}' >proto-data/1795229203992_ReadDataSource_Response_State.json
printf 'cuttext\xc1brokenbytes' >proto-data/1795229203993_ReadResource_Request_CurrentState.msgpack
line=$(grep 'Received downstream response' sdk.log | grep '"ApplyResourceChange"')
diagnostic() { # summary, detail, attribute, each as JSON has it
    sed "s|Received downstream response|Response contains warning diagnostic|; s|}\$|,\"diagnostic_severity\":\"WARNING\",\"diagnostic_summary\":\"$1\",\"diagnostic_detail\":\"$2\",\"diagnostic_attribute\":\"$3\",\"provider_field\":\"providerfield\"}|" <<<"$line"
}
{
    diagnostic 'value p\\"ss\\\\w' 'again \\"p\\\\\\"ss\\\\\\\\w\\" or cCJzc1x3, written and 48213377' 'AttributeName(\\"tags\\").ElementKeyString(\\"written\\")'
    diagnostic 'x' 'y' 'AttributeName(\\"zones\\").ElementKeyValue(tftypes.String<\\"written\\">)'
    sed 's|Received downstream response|Received request|; s|"ApplyResourceChange"|"ConfigureProvider"|; s|tf_req_id":"[^"]*|tf_req_id":"other|' <<<"$line"
    diagnostic 'environmenttoken' 'environmenttoken' 'AttributeName(\\"endpoint\\")' | sed 's|"ApplyResourceChange"|"ConfigureProvider"|; s|tf_req_id":"[^"]*|tf_req_id":"other|'
    echo '{"@level":"trace","@message":"Value is frameworkvalue","@module":"sdk.framework","tf_rpc":"ApplyResourceChange","tf_req_id":"other"}'
    echo '{"@level":"warn","@message":"Provider produced an unexpected new value: was cty.StringVal(\"corevalue\")"}'
    echo '2026-11-21T02:24:31.686Z [TRACE] provider.terraform-provider-x: textvalue: @module=x'
    echo '{"@level":"error","@message":"Error from downstream: grpcmessage","@module":"sdk.proto","tf_rpc":"ReadResource","tf_req_id":"gone","error":"grpcerror","@caller":"/home/somebody/x.go"}'
} >>sdk.log
cd ..
secrets=(written endpointkey1 privatepart 48213377 bareprivate functionarg unknowntype1 unknownjson1 cuttext brokenbytes
    environmenttoken frameworkvalue corevalue textvalue grpcmessage grpcerror providerfield somebody "$plain" 'p\"ss\\w' 'p\\\"ss\\\\w')
for secret in "${secrets[@]}"; do # plain or in the log's own JSON
    LC_ALL=C grep -raqF -- "$secret" planted || echo "#   $secret is not there"
    LC_ALL=C grep -raqF -- "$secret" planted
    result $? "$secret was planted"
done
holds() { # a secret of any spelling; prints it
    local secret
    for secret in "${secrets[@]}" cCJzc1x3; do
        LC_ALL=C grep -raqF -- "$secret" "$1" && echo "$secret" && return 0
        LC_ALL=C grep -raqF -- "$(printf %s "$secret" | base64 | tr -d =)" "$1" && echo "$secret" && return 0
    done
    return 1
}
for all in "" --all-values; do
    rm -rf copy
    wants 0 "planted secrets $all" "$lifecheck" redact ${all:+"$all"} planted/proto-data -o copy
    err_has "of 95 lines have no files, diagnostics or capabilities of a call" "what is left out of the log is reported"
    err_has "4 data files that cannot be read without a schema" "so is what is emptied"
    ! holds copy >stdout
    result $? "planted secrets $all: none is in the copy"
    diff <(findings planted/proto-data) <(findings copy) >stdout
    result $? "planted secrets $all: the same findings"
done
mkdir nolog && cp -r planted/proto-data planted/schema.json nolog/
wants 0 "without a log" "$lifecheck" redact nolog/proto-data -o nolog.copy
! holds nolog.copy >stdout
result $? "no secret is in the copy"
diff <(findings nolog/proto-data) <(findings nolog.copy) >stdout
result $? "the same findings"
! grep -q 'wire/diag-path' <(findings planted/proto-data)
result $? "an element of a set that a diagnostic points at is not a place that the schema does not have"
cp planted/sdk.log noise.log
diff <(findings planted/proto-data) <(findings copy) >stdout
result $? "what lies around a copy that has its own log does not matter"
rm noise.log

# Logs and documents that are named keep their order.
mkdir named && cp -r planted/proto-data named/ && cp planted/sdk.log named.txt && cp planted/schema.json named.json && cp planted/schema.json named/b-schema.json
wants 0 "named log and documents" "$lifecheck" redact named/proto-data --log named.txt --schema named.json -o named.copy
[ -f named.copy/01-named.txt.log ] && [ -f named.copy/01-named.json-schema.json ] && [ -f named.copy/02-b-schema.json ]
result $? "lie next to the copies"
"$lifecheck" redact planted/proto-data -o one 2>/dev/null
"$lifecheck" redact planted/proto-data -o two 2>/dev/null
diff -r one two >stdout
result $? "the same key, the same copy"

wants 4 "a folder that is there" "$lifecheck" redact planted/proto-data -o one
err_has "a folder is never overwritten" "is reported"
wants 4 "with --force too" "$lifecheck" redact planted/proto-data -o one --force
diff -r one two >stdout
result $? "it stays as it was"
mkdir left.partial
wants 4 "the rest of another run" "$lifecheck" redact planted/proto-data -o left
err_has "left.partial cannot be written" "is reported"
wants 2 "no output" "$lifecheck" redact planted/proto-data
wants 3 "a folder without data files" "$lifecheck" redact planted -o none
err_has "no data files" "is reported"
err_has "no copy was written" "is reported last"
cp -r "$captures/thing" bare && rm bare/schema.json
wants 3 "no schema document" "$lifecheck" redact bare/proto-data -o none
err_has "no schema document next to the capture" "is reported"
wants 3 "a file that is larger than the limit" "$lifecheck" redact planted/proto-data -o none --max-input 200
[ ! -e none ] && [ ! -e none.partial ]
result $? "no part of a copy is left"
