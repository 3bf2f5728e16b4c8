#!/bin/bash
# Wrong usage: exit status 2, one line on standard error that names the option and suggests.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

refuses() { # text, arguments...
    local text=$1
    shift
    wants 2 "refuses: $*" "$lifecheck" "$@"
    err_has "$text" "  says: $text"
    err_lines 1 "  in one line"
    [ ! -s stdout ]
    result $? "  and nothing else"
}

refuses "the option --strickt does not exist; did you mean --strict?" --strickt x.yaml
refuses "the option --xyzzy does not exist" --xyzzy x.yaml
refuses "the option -z does not exist" -z x.yaml
refuses ', not "jsno"; did you mean "json"?' --format jsno x.yaml
refuses "--format needs an argument" x.yaml --format
refuses "--strict takes no argument" --strict=yes x.yaml
refuses '--fail-on takes error, warning or info, not "never"' --fail-on never x.yaml
refuses '--as takes document, opentofu, terraform or recorded, not "tofu"' --as tofu x.yaml
refuses "--as terraform@2.5: a version is that of a client" --as terraform@2.5 x.yaml
refuses '--today takes a day as YYYY-MM-DD, not "2026-02-30"' --today 2026-02-30 x.yaml
refuses '--jobs takes a whole number up to 1024, not "many"' -j many x.yaml
refuses "--jobs takes a number of processes from 1, not 0" -j0 x.yaml
refuses '--max-depth takes a whole number up to 1000, not "5000"' --max-depth 5000 x.yaml
refuses '--max-input takes a whole number' --max-input 99999999T x.yaml
refuses '--width takes a whole number' --width -3 x.yaml
refuses '--select: no rule matches "aply/changed"; did you mean "apply/changed"?' --select aply/changed x.yaml
refuses '--report takes F=PATH, F one of text, json, ' --report xml=a x.yaml
refuses ', not "saif=a"; did you mean "sarif"?' --report saif=a x.yaml
refuses ', not "sarif="' --report sarif= x.yaml
refuses '--report sarif=-: standard output has a report already' --report sarif=- --format json x.yaml
refuses '--report sarif=-: standard output has a report already' --report json=- --report sarif=- x.yaml
refuses "--type is not an option of check" --type t x.yaml
refuses "--strict is not an option of rules" rules --strict
refuses "no input was named"
refuses 'the rule "aply/changed" does not exist; did you mean "apply/changed"?' explain aply/changed
refuses "explain takes one rule" explain
refuses "rules takes one pattern" rules a b
refuses "completion takes a shell: bash, zsh or fish" completion tcsh
refuses "propose takes one scenario file" propose
refuses "schema takes show or lint" schema list x.json

run env LIFECHECK_FORMAT=xml "$lifecheck" "$data/conforms.yaml"
[ "$status" = 2 ]
result $? "a variable is checked like its option"
err_has 'LIFECHECK_FORMAT takes text, json, ' "and named"
wants 1 "a variable sets an option" env LIFECHECK_STRICT=1 "$lifecheck" "$data/legacy.yaml"
wants 0 "a variable can be off" env LIFECHECK_STRICT=0 "$lifecheck" "$data/legacy.yaml"
wants 0 "a variable may hold a list" env LIFECHECK_IGNORE='plan/*,apply/*' "$lifecheck" "$data/violates.yaml"
wants 0 "a flag beats its variable" env LIFECHECK_FAIL_ON=warning "$lifecheck" --fail-on=error "$data/legacy.yaml"
wants 2 "SOURCE_DATE_EPOCH is checked" env SOURCE_DATE_EPOCH=today "$lifecheck" "$data/conforms.yaml"
wants 1 "SOURCE_DATE_EPOCH is today" env SOURCE_DATE_EPOCH=1900000000 "$lifecheck" "$data/several.yaml#known"

wants 0 "--help" "$lifecheck" --help
[ "$(wc -l <stdout)" -le 60 ]
result $? "is short"
out_has "man lifecheck" "leads to the man page"
for command in $("$lifecheck" --help | grep -o '^  [a-z]\+ '); do
    wants 0 "$command --help" "$lifecheck" "$command" --help
    out_has "usage: lifecheck $command" "names the command"
    [ "$(grep -n '' stdout | grep -v 'lifecheck' | cut -d: -f2- | wc -L)" -le 80 ]
    result $? "is not wider than 80 columns"
    [ "$(sed -n '/^Examples:$/,$p' stdout | grep -c '^  # ')" -ge 2 ]
    result $? "shows examples"
    ! grep -q ' $' stdout
    result $? "has no space at the end of a line"
    cp stdout of-option
    wants 0 "help $command" "$lifecheck" help "$command"
    cmp -s stdout of-option
    result $? "reports the same"
done
wants 0 "help" env LIFECHECK_FORMAT=sarif "$lifecheck" help
cmp -s stdout <("$lifecheck" --help)
result $? "says what --help does"
wants 2 "help of a command that does not exist" "$lifecheck" help chek
err_has 'the command "chek" does not exist; did you mean "check"?' "suggests"
wants 2 "help of two commands" "$lifecheck" help check gate
wants 0 "a narrow terminal" "$lifecheck" gate --help --width 50
[ "$(grep -v 'lifecheck gate' stdout | wc -L)" -le 50 ]
result $? "is obeyed"
if ! command -v script >/dev/null; then
    echo "ok - a terminal has its width # SKIP script is not installed"
elif ! script -qec true /dev/null </dev/null >stdout 2>&1; then
    echo "ok - a terminal has its width # SKIP there are no terminals here"
else
    COLUMNS=64 script -qec "'$lifecheck' predict --help" /dev/null </dev/null | tr -d '\r' | grep -v 'lifecheck predict' >stdout
    [ "$(wc -L <stdout)" -le 64 ] && [ "$(wc -L <stdout)" -gt 55 ]
    result $? "a terminal has its width"
    script -qec "stty cols 70; '$lifecheck' predict --help" /dev/null </dev/null | tr -d '\r' | grep -v 'lifecheck predict' >stdout
    [ "$(wc -L <stdout)" -le 70 ] && [ "$(wc -L <stdout)" -gt 64 ]
    result $? "without the variable too"
fi
wants 0 "an option that a command needs" "$lifecheck" gate --help
out_has "usage: lifecheck gate --old PATH --new PATH [OPTION...]" "stands in the usage line"
out_has "(required)" "and is marked"
wants 0 "an option with another meaning" "$lifecheck" help cfn
out_has "property: the CloudFormation resource type schema" "is explained in the command's words"
! "$lifecheck" help check | grep -qE 'init:|cfn|providers:'
result $? "and nowhere else"

# ---- Examples: each is run next to the files that it names.

mkdir -p examples/bin examples/scenarios examples/config
cd examples || exit 1
cp "$data/conforms.yaml" scenarios/
cp "$data/conforms.yaml" bucket.yaml
sed "s|file: .*testdata|file: $root/testdata|" "$root/scenarios/apply/changed/pass-same-number.yaml" >update.yaml
cp "$root/testdata/captures/fault-none.jsonl" v1.jsonl
cp v1.jsonl v2.jsonl
cp "$root/testdata/captures/time-update.jsonl" applied.jsonl
cp "$root/testdata/captures/fault-apply-value-changed.jsonl" broken.jsonl
cp "$root/testdata/schemas/nimbus.json" schemas.json
cp schemas.json v1-schemas.json
cp schemas.json v2-schemas.json
cp "$root/testdata/schemas/cloudformation/flow_log.json" .
cp "$root/testdata/plans/plan.json" .
echo '{"resource": {"random_pet": {"a": {"length": 2}}}}' >config/main.tf.json
for shard in 1 2; do
    "$lifecheck" check --shard "$shard/2" --format json v1.jsonl broken.jsonl >"shard$shard.json"
done
"$lifecheck" check --format json v1.jsonl >old.json
cp old.json new.json
ln -s "$lifecheck" bin/lifecheck
printf '#!/bin/sh\nexit 0\n' >bin/terraform
cp bin/terraform terraform-provider-nimbus
cp bin/terraform terraform-provider-nimbus-v1
cp bin/terraform terraform-provider-nimbus-v2
chmod +x bin/terraform terraform-provider-nimbus*
grep '^EXAMPLE(' "$root/src/cli/commands.def" | sed 's/^EXAMPLE([A-Z]*, \([0-9]\), "[^"]*", "\(.*\)")$/\1 \2/; s/\\"/"/g' >../lines
while read -r want line; do
    rm -f recording-*
    [[ $line != "lifecheck record --provider "* ]] || want=3 # the binary of this test is not a provider
    PATH=$PWD/bin:$PATH LIFECHECK_ALLOW_EMPTY=1 run bash -c "$line" </dev/null
    [ "$status" = "$want" ] || echo "#   exit status $status, not $want"
    [ "$status" = "$want" ] && ! grep -q 'usage\|does not exist' ../stderr
    result $? "example: $line"
done <../lines
cd "$work" || exit 1
[ "$(wc -l <lines)" -ge 40 ]
result $? "examples are looked for where they stand"

wants 0 "--version" "$lifecheck" --version
out_has "mirrors opentofu f831fa1aa4b9, terraform 883c7221ee2e" "names the mirrored cores"
grep -qE '^built by (gcc|clang) .*, with(out)? nghttp2' stdout && [ "$(wc -l <stdout)" = 3 ]
result $? "and how it was built"
cp stdout of-option
for words in -V version; do
    wants 0 "$words" "$lifecheck" $words
    cmp -s stdout of-option
    result $? "reports the same"
done
if [ -e "$root/.git" ]; then
    grep -qE "^lifecheck [0-9.]+ \(commit [0-9a-f]{12}\)$" stdout
    result $? "names a commit"
fi
wants 3 "a file named like an option" "$lifecheck" -- --strict
wants 2 "an option that is near none" "$lifecheck" --bogus
err_has 'lifecheck COMMAND --help lists them' "leads to the lists"
mkdir nothing
for command in propose inspect extract; do
    wants 3 "$command of an empty folder" "$lifecheck" $command nothing
    err_has "no scenario" "is reported"
done
wants 3 "an empty word" "$lifecheck" ""
out_has 'an empty argument names no file' "is reported"
wants 3 "a word near a command" "$lifecheck" explian
out_has 'did you mean the command `explain`?' "suggests it"
mkdir -p lib
cp "$data/conforms.yaml" lib
wants 3 "a misspelt command with an argument" "$lifecheck" chek lib
err_has 'there is no command and no file "chek"; did you mean the command `check`?' "is reported"
[ ! -s stdout ]
result $? "and nothing is checked"
wants 2 "explain of a pattern" "$lifecheck" explain 'apply/*'
err_has "lifecheck rules 'apply/*' lists those of a pattern" "leads to rules"
wants 2 "explain of a rule without its family" "$lifecheck" explain element-appeared
err_has 'is named with its family: did you mean final/element-appeared, apply/element-appeared?' "names each"
