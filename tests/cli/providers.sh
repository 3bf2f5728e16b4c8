#!/usr/bin/env bash
# lifecheck providers: the table, what a state should say, what is reported and by which exit status.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

out_like() { # pattern, name
    grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

folder=$root/scenarios/providers/regions
wants 0 "a configuration" "$lifecheck" providers "$folder"
out_like 'module.mod\["eu"\].aws_s3_bucket.inner\[1\] .*by_region\["eu"\]  passed as aws.by_region\[each.key\]' "an instance through a module call"
out_has 'warning[provider/same-for-each]:' "a warning"
wants 0 "by the rules of the document" "$lifecheck" providers --as document "$root/scenarios/providers/unused"
out_like 'nothing uses provider.*\.eu (.*main.tf.json:3:' "an instance that nobody uses"
wants 1 "the same as Terraform has it" "$lifecheck" providers --as terraform "$folder"
out_finds "Terraform refuses it" 'error[provider/count]:' '   provider.aws.by_region'
wants 0 "one file" "$lifecheck" providers "$folder/main.tf.json"
wants 0 "what the state should say" "$lifecheck" providers --emit-state "$folder"
out_like 'aws_s3_bucket.primary\["us"\] .*by_region\["us"\]  the object' "an address of an object"
wants 0 "as JSON" "$lifecheck" providers --format json "$folder"
python3 -c 'import json; json.load(open("stdout"))' 2>/dev/null || ! command -v python3 >/dev/null
result $? "is JSON"

mkdir -p m
echo '{"provider": {"aws": {}}, "module": {"m": {"source": "./m", "count": "${length(file(\"/dev/null\"))}"}}}' >main.tf.json
echo '{"resource": {"aws_s3_bucket": {"in": {}}}, "module": {"n": {"source": "./n"}}}' >m/main.tf.json
mkdir -p m/n
echo '{"resource": {"aws_s3_bucket": {"deep": {}}}}' >m/n/main.tf.json
echo '{"version": 4, "terraform_version": "1.10.0", "serial": 1, "lineage": "x", "resources": []}' >none.json
wants 0 "a module whose instances cannot be reported" "$lifecheck" providers --prior-state none.json .
out_like 'module.m.aws_s3_bucket.in .*the file is not read' "what it holds cannot be reported"
out_like 'module.m.module.n.aws_s3_bucket.deep .*the file is not read' "nor what is below"
rm -r m main.tf.json

cat >state.json <<'EOF'
{"version": 4, "terraform_version": "1.10.0", "serial": 1, "lineage": "x", "resources": [
 {"mode": "managed", "type": "aws_s3_bucket", "name": "primary", "instances": [
  {"index_key": "us", "provider": "provider[\"registry.opentofu.org/hashicorp/aws\"].by_region[\"us\"]"},
  {"index_key": "ap", "provider": "provider[\"registry.opentofu.org/hashicorp/aws\"].by_region[\"ap\"]"}]}]}
EOF
wants 1 "an object whose instance is gone" "$lifecheck" providers --prior-state state.json "$folder"
out_finds "is reported" '[provider/orphan-key]:' '   aws_s3_bucket.primary["ap"]'
out_like '  1. restore provider\["registry.opentofu.org/hashicorp/aws"\].by_region\["ap"\], without resources that use it' "and how to get out of it"
! grep -q 'before that client reads' "$work/stdout"
result $? "nobody asked for another client"
wants 1 "for an older client" "$lifecheck" providers --prior-state state.json --reader terraform@1.11 --select provider/downgrade "$folder"
out_finds "is reported, too" '[provider/downgrade]:' '   aws_s3_bucket.primary'
out_like 'before that client reads the state, in this order:' "and the way there"
wants 2 "a client that is none" "$lifecheck" providers --reader nobody "$folder"
err_has '--reader takes terraform@1.11' "is reported"

mkdir -p native
wants 3 "a folder without a configuration" "$lifecheck" providers native
out_has "native: error: no configuration is in this folder" "is reported"

mkdir -p open
cat >open/main.tf.json <<'EOF'
{"provider": {"aws": {"alias": "k", "for_each": {"a": 1}}},
 "resource": {"aws_s3_bucket": {"x": {"count": "${length(filemd5(\"/dev/null\"))}", "provider": "aws.k[\"a\"]"}, "y": {"provider": "aws.k[var.v]"}}},
 "variable": {"v": {}}}
EOF
wants 0 "what is not static" "$lifecheck" providers --var v=a open
out_like '^aws_s3_bucket.x  undecided .*the file is not read.*(open/main.tf.json:2:' "is reported with its place"
out_like '^aws_s3_bucket.y  provider.*\.k\["a"\]' "the rest is reported"
echo 'resource "x" "y" {}' >open/more.tf
wants 0 "files in native syntax" "$lifecheck" providers --var v=a open
out_like '^x.y ' "are read"
echo '{"provider": {"aws": {"alias": "k", "for_each": "${toset(var.l)}"}}, "resource": {"aws_s3_bucket": {"x": {"provider": "aws.k[\"b\"]"}}}, "variable": {"l": {"type": "list(string)"}}}' >list.tf.json
wants 0 "a variable that is a list" "$lifecheck" providers --var 'l=["a", "b"]' list.tf.json
out_like '^aws_s3_bucket.x  provider.*\.k\["b"\]' "its value is an expression"
wants 3 "a folder that is not there" "$lifecheck" providers nowhere
wants 2 "nothing" "$lifecheck" providers

# Reports show the table too.
wants 0 "as HTML and as Markdown" "$lifecheck" providers "$root/scenarios/providers/regions" --report html=table.html --report markdown=table.md --report json=table.json
grep -qF '<td data-c="provider instance"><code>provider[&quot;registry.opentofu.org/hashicorp/aws&quot;].by_region[&quot;eu&quot;]</code></td>' table.html
result $? "a row of the page"
grep -qF '| `module.mod["us"].aws_s3_bucket.inner[1]` | `provider["registry.opentofu.org/hashicorp/aws"].by_region["us"]` | passed as' table.md
result $? "and of the table in Markdown"
grep -qF '"provider_instances":[{"address":"aws_s3_bucket.primary[\"eu\"]","provider":"provider[\"registry.opentofu.org/hashicorp/aws\"].by_region[\"eu\"]","by":"aws.by_region[each.key]"}' table.json
result $? "and of JSON"
"$lifecheck" merge --format markdown table.json >merged.md
grep -q 'provider/same-for-each' merged.md
result $? "which merge reads"
