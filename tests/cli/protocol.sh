#!/bin/bash
# The table of the protocol is the union of three definitions, and recordings of the newest clients have no field that we do not know.
# PROTOCOL=DIR has the definitions of today as {terraform,opentofu,sdk}{5,6}.proto; they must say what testdata/protocol says.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# ---- The union

if ! command -v python3 >/dev/null; then
    echo "ok - the union of definitions # SKIP python3 is not installed"
else
    table() { python3 "$root/tests/protocol/table.py" "$@"; }
    printf 'syntax = "proto3";\nmessage A { // comment = 9;\n  message B { oneof o { string x = 1; int64 y = 2; } }\n  repeated B b = 1;\n  map<string, bytes> m = 2; }\n' >sdk.proto
    printf 'message A { message B { oneof o { string x = 1; int64 y = 2; } }\n  repeated B b = 1; map<string, bytes> m = 3; optional bool n = 4; reserved 5; }\n' >terraform.proto
    printf 'enum E { ZERO = 0; }\nservice S { rpc Go(A.Request) returns (stream ReadStateBytes.Response); }\n' >opentofu.proto
    table sdk=sdk.proto terraform=terraform.proto opentofu=opentofu.proto >union
    printf '%s\n' \
        "field	A.B	x	1	string	oneof o	sdk terraform" "field	A.B	y	2	int64	oneof o	sdk terraform" "field	A	b	1	B	repeated	sdk terraform" \
        "field	A	m	2	map<string,bytes>		sdk" "field	A	m	3	map<string,bytes>		terraform" "field	A	n	4	bool	optional	terraform" \
        "enum	E	ZERO	0			opentofu" "call	S	Go		A.Request	stream ReadStateBytes.ResponseChunk	opentofu" | diff - <(tail -n +2 union) >stdout
    result $? "a union of definitions, and who has which row"

    for version in 5 6; do
        if [ -n "${PROTOCOL:-}" ]; then
            table "sdk=$PROTOCOL/sdk$version.proto" "terraform=$PROTOCOL/terraform$version.proto" "opentofu=$PROTOCOL/opentofu$version.proto" |
                diff - "$root/testdata/protocol/tfplugin$version.tsv" >stdout
            result $? "the definitions of protocol $version say what the table says"
        else
            echo "ok - the definitions of protocol $version say what the table says # SKIP no PROTOCOL"
        fi
    done
fi

# ---- What the newest client sends

capture=$root/testdata/captures/terraform-main.jsonl
wants 0 "a recording of Terraform main" "$lifecheck" --all "$capture"
! grep -q "does not know" stdout stderr
result $? "has no field that is not known"
grep -q '"store_planned_private":true,"computed_blocks_allowed":true' "$capture"
result $? "and has the newest capabilities"
grep -q '"rpc":"PlanResourceChange".*"planned_private"' "$capture"
result $? "and planned private data in the final plan"

# A block that the client lets the provider compute is in a schema of the wire, too.
schema() { printf '{"process":1,"seq":1,"protocol":6,"rpc":"GetProviderSchema","request":{},"response":{"provider":{"block":{}},"resource_schemas":{"x_y":{"block":{"block_types":[{"type_name":"b","nesting":"LIST","block":{"computed":true,"attributes":[{"name":"n","type":"InN0cmluZyI=","computed":true}]}}]}}}}}\n'; }
configured() { printf '{"process":1,"seq":2,"protocol":6,"rpc":"ConfigureProvider","request":{"terraform_version":"1.16.0","client_capabilities":{%s}},"response":{}}\n' "$1"; }
planned() { printf '{"process":1,"seq":3,"protocol":6,"rpc":"PlanResourceChange","request":{"type_name":"x_y","prior_state":{"msgpack":"wA=="},"proposed_new_state":{"msgpack":"gaFiwA=="},"config":{"msgpack":"gaFiwA=="},"client_capabilities":{%s}},"response":{"planned_state":{"msgpack":"gaFi1AAA"}}}\n' "$1"; }
{ schema && configured '"computed_blocks_allowed":true' && planned '"computed_blocks_allowed":true'; } >allowed.jsonl
wants 0 "a client that allows computed blocks" "$lifecheck" --as terraform allowed.jsonl
! grep -q "warning\[\|error\[" stdout
result $? "may get an unknown one"
