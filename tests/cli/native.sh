#!/bin/bash
# Configurations in native syntax: the files of a folder, overrides, values, modules, dynamic blocks,
# errors of syntax.
# shellcheck source=tests/cli/lib.bash
source "$(dirname "$0")/lib.bash"

# bounded COMMAND...: within 20 s of processor time, however busy the machine is, and without waiting for ever
bounded() {
    (ulimit -t 20; exec timeout 120 "$@")
}

predicts() { # a name, a folder, --as
    wants 0 "$1" "$lifecheck" predict --as "${3:-terraform}" --config "$2"
}

out_hasnt() { # text, name
    ! grep -qF -- "$1" "$work/stdout"
    result $? "$2"
}

out_like() { # pattern, name
    grep -q -- "$1" "$work/stdout"
    result $? "$2"
}

# ---- The same in both syntaxes.
mkdir both
cat >both/main.tf <<'EOF'
variable "names" {
  type    = list(string)
  default = ["a", "b"]
}
locals {
  all = { for n in var.names : n => upper(n) } # the names
}
resource "terraform_data" "x" {
  for_each = local.all
  input    = <<-TEXT
    ${each.key} is
    ${each.value}
  TEXT
  lifecycle { create_before_destroy = true }
}
check "some" {
  assert {
    condition     = length(terraform_data.x) > 0
    error_message = "none"
  }
}
EOF
cat >both/more.tf.json <<'EOF'
{"resource": {"terraform_data": {"y": {"input": "${terraform_data.x[\"a\"].id}"}}}}
EOF
predicts "a folder with both syntaxes" both
out_has 'terraform_data.x["a"] will be created' "native blocks are there"
out_has 'terraform_data.y will be created' "JSON blocks, too"
wants 0 "one file" "$lifecheck" predict --config both/main.tf
out_hasnt 'terraform_data.y' "the others are not read"
wants 0 "providers of it" "$lifecheck" providers both
out_like '^terraform_data.y ' "are found"

# ---- Which files.
mkdir tofu
echo 'resource "terraform_data" "tf" {}' >tofu/a.tf
echo 'resource "terraform_data" "tofu" {}' >tofu/a.tofu
echo 'resource "terraform_data" "hidden" {}' >tofu/.b.tf
echo 'resource "terraform_data" "backup" {}' >tofu/b.tf~
predicts "Terraform's files" tofu
out_has 'terraform_data.tf will be created' "are those of its suffix"
out_hasnt 'terraform_data.tofu' "and no others"
out_hasnt 'hidden' "no hidden ones"
out_hasnt 'backup' "and no backups"
predicts "OpenTofu's files" tofu opentofu
out_has 'terraform_data.tofu will be created' "take the place"
out_hasnt 'terraform_data.tf ' "of the others"

mkdir other
echo 'resource "terraform_data" "tofu" {}' >other/a.tofu
wants 3 "files of OpenTofu alone" "$lifecheck" predict --config other --as terraform
out_has "a.tofu:1:1: error: Terraform reads *.tf and *.tf.json" "are nothing to Terraform, which is reported"
mkdir many
for i in $(seq 20000); do echo '#' >"many/$i.tf"; done
wants 0 "as many files as that" bounded "$lifecheck" predict --config many --as opentofu

# ---- What grows with each line.
mkdir grows
{
    echo 'locals {'
    echo '  a0 = "x"'
    for i in $(seq 60); do echo "  a$i = \"\${local.a$((i - 1))}\${local.a$((i - 1))}\""; done
    echo '}'
    echo 'output "o" { value = local.a60 }'
} >grows/main.tf
wants 0 "locals that double" bounded "$lifecheck" predict --config grows
out_has "the string is too long" "end at a limit"
mkdir nests
{
    echo 'locals {'
    echo '  a0 = "x"'
    for i in $(seq 30000); do echo "  a$i = [local.a$((i - 1))]"; done
    echo '}'
    echo 'output "o" { value = local.a30000 }'
} >nests/main.tf
wants 0 "locals that nest" bounded "$lifecheck" predict --config nests
out_has "it is nested too deeply: at most 200 levels" "end at one, too"
text=$(head -c 9000000 /dev/zero | gzip -9 | base64 -w0)
mkdir bomb
echo "output \"o\" { value = [for i in range(1000) : length(base64gunzip(\"$text\"))] }" >bomb/main.tf
wants 0 "a small text that becomes a large one, a thousand times" bounded "$lifecheck" predict --config bomb
out_has "evaluating this takes too many steps (bomb/main.tf:1)" "ends at a limit, too"

# ---- A pipe instead of the list of modules.
mkdir -p pipe/.terraform/modules
mkfifo pipe/.terraform/modules/modules.json
echo 'module "a" { source = "x/y/z" }' >pipe/main.tf
wants 3 "a list of modules that is a pipe" bounded "$lifecheck" predict --config pipe
out_has "modules.json:1:1: error: this is not a regular file" "is not waited for"

# ---- Override files.
mkdir over
cat >over/main.tf <<'EOF'
variable "n" { default = 1 }
resource "terraform_data" "x" {
  count = var.n
  input = "x"
}
EOF
cat >over/main_override.tf <<'EOF'
variable "n" { default = 3 }
EOF
cat >over/override.tf.json <<'EOF'
{"resource": {"terraform_data": {"x": {"lifecycle": {"prevent_destroy": true}}}}}
EOF
predicts "override files" over
out_has 'terraform_data.x[2] will be created' "are merged"
echo 'resource "terraform_data" "nope" {}' >over/z_override.tf
wants 1 "one that changes nothing" "$lifecheck" predict --as terraform --config over
out_has 'Missing resource to override' "is an error"

# ---- Values.
mkdir values
cat >values/main.tf <<'EOF'
variable "a" {}
variable "b" {}
variable "c" {}
resource "terraform_data" "x" { for_each = toset([var.a, var.b, var.c]) }
EOF
printf 'a = "first"\nb = "first"\nc = "first"\n' >values/terraform.tfvars
echo '{"b": "second"}' >values/terraform.tfvars.json
echo 'c = "third"' >values/z.auto.tfvars
predicts "files of values" values
for key in first second third; do
    out_has "terraform_data.x[\"$key\"]" "in the clients' order: $key"
done

# ---- Modules.
mkdir -p root/.terraform/modules/net root/sub
cat >root/main.tf <<'EOF'
module "net" {
  source  = "example/net/test"
  version = "1.0.0"
  names   = ["a"]
}
module "sub" { source = "./sub" }
EOF
cat >root/.terraform/modules/net/main.tf <<'EOF'
variable "names" { type = list(string) }
resource "terraform_data" "net" { for_each = toset(var.names) }
EOF
echo 'resource "terraform_data" "sub" {}' >root/sub/main.tf
predicts "a module that is not installed" root
out_like 'module.net' "is named"
cat >root/.terraform/modules/modules.json <<'EOF'
{"Modules": [{"Key": "", "Source": "", "Dir": "."},
 {"Key": "net", "Source": "registry.terraform.io/example/net/test", "Version": "1.0.0", "Dir": ".terraform/modules/net"}]}
EOF
predicts "one that is installed" root
out_has 'module.net.terraform_data.net["a"]' "is read"
out_has 'module.sub.terraform_data.sub' "and the local one"
sed -i 's|"Key": "net"|"Key": "other"|' root/.terraform/modules/modules.json
wants 1 "one that is missing in the list" "$lifecheck" predict --as terraform --config root
out_has 'Module not installed' "stops the client"
sed -i 's|"Key": "other"|"Key": "net"|; s|"Dir": ".terraform/modules/net"|"Dir": "../outside"|' root/.terraform/modules/modules.json
predicts "one that leads out of the folder" root
out_has 'module.net  undecided instances: the module' "is not opened"
out_has '--module-root DIR' "with the remedy"
mkdir cycle
echo 'module "me" { source = "./../cycle" }' >cycle/main.tf
wants 3 "a module that calls itself" "$lifecheck" predict --config cycle
out_like 'cycle/main.tf:1:1: error: the module calls itself' "is reported"

# ---- Dynamic blocks, and what a schema says of native blocks.
cat >schema.json <<'EOF'
{"format_version": "1.0", "provider_schemas": {"example.test/demo/demo": {"resource_schemas": {"demo_net": {"version": 0, "block": {
 "attributes": {"name": {"type": "string", "optional": true}, "ports": {"type": ["list", ["object", {"n": "number"}]], "optional": true}},
 "block_types": {
  "rule": {"nesting_mode": "list", "max_items": 3, "block": {"attributes": {"port": {"type": "number", "required": true}},
   "block_types": {"tag": {"nesting_mode": "set", "block": {"attributes": {"t": {"type": "string", "optional": true}}}}}}},
  "zone": {"nesting_mode": "map", "block": {"attributes": {"size": {"type": "number", "optional": true}}}}}}}}}}}
EOF
mkdir dynamic
refuses() { # the error, the body
    echo "variable \"list\" { default = [1, 2] }
resource \"demo_net\" \"n\" {
$2
}" >dynamic/main.tf
    wants 1 "$1" "$lifecheck" predict --as terraform --schema schema.json --config dynamic
    out_has "$1" "is reported"
}
accepts() { # a name, the body
    echo "resource \"demo_net\" \"n\" {
$2
}" >dynamic/main.tf
    wants 0 "$1" "$lifecheck" predict --as terraform --schema schema.json --config dynamic
    out_has "demo_net.n will be created" "is planned"
}
accepts "dynamic blocks" '
  rule { port = 1 }
  dynamic "rule" {
    for_each = [2, 3]
    content {
      port = rule.value
      dynamic "tag" {
        for_each = { x = rule.key }
        iterator = it
        content { t = "${it.key}-${it.value}" }
      }
    }
  }
  dynamic "zone" {
    for_each = { a = 1 }
    labels   = [zone.key]
    content { size = zone.value }
  }'
accepts "an attribute that is written as blocks" 'ports { n = 1 }
  ports { n = 2 }'
refuses 'Too many rule blocks' 'dynamic "rule" {
    for_each = [1, 2, 3, 4]
    content { port = rule.value }
  }'
refuses 'Unsupported argument' 'nope = 1'
refuses 'Unsupported block type' 'nope {}'
refuses 'Unsupported argument' 'rule = [{ port = 1 }]'
refuses 'Unsupported block type' 'name {}'
refuses 'Missing required argument' 'rule {}'
refuses 'Missing key for zone' 'zone {}'
refuses 'Extraneous label for rule' 'rule "x" { port = 1 }'
refuses 'Missing dynamic content block' 'dynamic "rule" { for_each = [] }'
refuses 'Invalid dynamic for_each value' 'dynamic "rule" {
    for_each = 5
    content { port = 1 }
  }'
refuses 'Invalid dynamic for_each value' 'dynamic "rule" {
    for_each = null
    content { port = 1 }
  }'
refuses 'Incorrect attribute value type' 'rule { port = var.list }'
refuses 'Unsupported block type' 'dynamic "nope" {
    for_each = []
    content {}
  }'

# ---- Blocks of the client.
mkdir blocks
stops() { # the error, the file
    echo "$2" >blocks/main.tf
    wants 1 "$1" "$lifecheck" predict --as "${3:-terraform}" --config blocks
    out_has "$1" "is reported"
}
stops 'Unsupported argument' 'variable "x" { nope = 1 }'
stops 'Unsupported block type' 'nope "x" {}'
stops 'Missing name for resource' 'resource "terraform_data" {}'
stops 'Extraneous label for locals' 'locals "x" {}'
stops 'Missing required argument' 'output "o" {}'
stops 'Invalid expression' 'resource "terraform_data" "x" { depends_on = [1 + 1] }'
stops 'Variables not allowed' 'variable "x" { default = local.y }'
stops 'Unsuitable value type' 'output "o" {
  value     = 1
  sensitive = "maybe"
}'
stops 'Reserved block type name in resource block' 'resource "terraform_data" "x" { 
  locals {}
}'
stops 'Unexpected "a" block' 'locals { 
  a {}
}'
stops 'Zero assert blocks' 'check "c" {}'
stops 'Invalid version constraint' 'terraform { required_version = "soon" }'

# ---- Errors of syntax.
mkdir bad
printf 'locals {\n  a = \n  é = "x\n}\n' >bad/a.tf
printf '{"locals": {"a": .5}, }' >bad/b.tf.json
wants 3 "errors of syntax" "$lifecheck" predict --config bad
out_has 'bad/a.tf:2:7: error: Invalid expression' "the first"
out_has 'bad/a.tf:3:' "the second of the same file"
out_has 'bad/b.tf.json:1:18: error: Invalid JSON number' "those of the next file"
out_has 'bad/b.tf.json:1:21: error: Trailing comma in object' "all of them"
wants 3 "the same for providers" "$lifecheck" providers bad

# ---- Lines of configurations are quoted without what literals, heredocs and comments hold.
mkdir quoted
cat >quoted/a.tf <<'EOF'
# hidden1
resource "a_b" "name" {
  x = "hidden2-${foo(1)}-hidden3" + 12345678 * "hidden4" = 12 # hidden5
  z "hidden8"
}
EOF
printf 'locals {\n  y = <<EOT\n  hidden6 ${upper("hidden7") 8}\nEOT\n}\n' >quoted/b.tf
wants 3 "literals in lines with errors" "$lifecheck" predict --config quoted
out_has ' 3 |   x = "...${foo(1)}..." + ... * "..." = 12' "the line is quoted"
out_like '^   |  *^$' "with a caret"
out_has ' 3 | ...${upper("...") 8}' "and one of a heredoc"
out_hasnt hidden "nothing of a literal is shown"
rm quoted/b.tf
echo 'variable "password" {}' >quoted/a.tf
echo 'password = "hidden9" "hidden10"' >quoted/v.tfvars
wants 3 "a file of values" "$lifecheck" predict --config quoted --var-file quoted/v.tfvars
out_has 'password = "..." "..."' "its line is quoted"
out_hasnt hidden "without the values"
printf 'variable "a" {\n  type    = strin\n  default = "hidden"\n}\n' >quoted/a.tf
wants 1 "an error that stops the client" "$lifecheck" predict --config quoted
out_has ' 2 |   type    = strin' "its line is quoted"

# ---- Depths.
mkdir deep
{ printf '{"locals": {"a": '; head -c 10000 /dev/zero | tr '\0' '['; printf '}}'; } >deep/main.tf.json
wants 3 "10,000 levels in JSON syntax" "$lifecheck" predict --config deep
out_like 'deep/main.tf.json:1:1016: error: values are nested too deeply' "are refused with a place"
rm deep/main.tf.json
{ printf 'locals {\n  a = '; head -c 10000 /dev/zero | tr '\0' '['; printf '\n}\n'; } >deep/main.tf
wants 3 "10,000 levels in native syntax" "$lifecheck" predict --config deep
out_like 'deep/main.tf:2:' "are refused with a place, too"

# ---- Links and sizes.
mkdir -p links out
echo 'resource "terraform_data" "x" {}' >links/main.tf
echo 'resource "terraform_data" "y" {}' >out/y.tf
ln -s main.tf links/again.tf.link
ln -s ../out/y.tf links/y.tf
wants 3 "a link that leads out" "$lifecheck" predict --config links
out_like 'links/y.tf:1:1: error: the symbolic link leads out' "is reported"
rm links/y.tf
mkdir links/inner
echo 'resource "terraform_data" "z" {}' >links/inner/z.tf
ln -s inner/z.tf links/z.tf
predicts "a link that stays" links
out_has 'terraform_data.z' "is followed"
mkdir large
head -c 40000000 /dev/zero | tr '\0' '#' >large/main.tf
wants 3 "a file that is too large" "$lifecheck" predict --config large
out_like 'large/main.tf:1:1: error: the file is too large' "is reported with its place"

