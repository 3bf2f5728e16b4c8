#!/bin/bash
# .lifecheck.yaml: where it is found, what beats what, what is refused, and ignores of a project.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/{conforms,legacy,violates,several}.yaml .
mkdir -p below/further .git # a repository

settle() { # text of the settings file
    printf '%s\n' "$1" >.lifecheck.yaml
}

refuses() { # status line, text of the settings file
    settle "$2"
    wants 2 "refuses: ${2//$'\n'/ }" "$lifecheck" conforms.yaml
    err_has "lifecheck: .lifecheck.yaml:$1" "  says: $1"
    [ ! -s stdout ]
    result $? "  and nothing else"
}

# ---- Found, and beaten

settle 'fail-on: warning'
wants 1 "a setting" "$lifecheck" legacy.yaml
wants 0 "a flag beats it" "$lifecheck" --fail-on error legacy.yaml
wants 0 "a variable beats it" env LIFECHECK_FAIL_ON=error "$lifecheck" legacy.yaml
wants 0 "--no-settings" "$lifecheck" --no-settings legacy.yaml
wants 1 "found upwards" env -C below/further "$lifecheck" ../../legacy.yaml
settle 'strict: true'
wants 1 "a setting without an argument" "$lifecheck" legacy.yaml
wants 0 "a variable can switch it off" env LIFECHECK_STRICT=0 "$lifecheck" legacy.yaml
echo 'fail-on: error' >below/.lifecheck.yaml
wants 0 "the nearest one only" env -C below/further "$lifecheck" ../../legacy.yaml
cp .lifecheck.yaml other.yaml
wants 1 "--settings names another" env -C below "$lifecheck" --settings ../other.yaml ../legacy.yaml
wants 1 "so does a variable" env -C below LIFECHECK_SETTINGS=../other.yaml "$lifecheck" ../legacy.yaml
wants 3 "one that is not there" "$lifecheck" --settings nowhere.yaml conforms.yaml
err_has "--settings: nowhere.yaml: no such file" "is reported"
: >.lifecheck.yaml
wants 0 "an empty one" "$lifecheck" legacy.yaml
settle "ignore: 'apply/*'"
wants 0 "one value of a list" "$lifecheck" violates.yaml
settle "ignore: [plan/*, apply/*]"
wants 0 "several" "$lifecheck" violates.yaml
wants 1 "a flag replaces all" "$lifecheck" --ignore 'plan/*' violates.yaml
settle "schema: [doc.json]"
run env -C below/further "$lifecheck" settings --show-origin --no-settings
out_has "# no settings file" "settings: without a file"
rm below/.lifecheck.yaml
run env -C below/further "$lifecheck" settings --show-origin
out_has 'schema: ["../../doc.json"]       # ../../.lifecheck.yaml:1:1' "files are named as seen from the settings file"
settle "format: jsonl"
wants 0 "a format is for reports" "$lifecheck" propose "$root/scenarios/apply/changed/pass-same-number.yaml"
wants 0 "commands about lifecheck itself do not look at it" "$lifecheck" --settings nowhere.yaml --help

# ---- Walks

settle "exclude: ['v*.yaml', 'drafts/*', 'l*.yaml', 'other.yaml', 'several.yaml']"
mkdir -p below/drafts
cp violates.yaml below/drafts
wants 0 "walks pass over what is excluded" "$lifecheck" .
out_has "1 case: 1 conforms" "and only over that"
wants 1 "what is named is checked" "$lifecheck" violates.yaml
rm other.yaml

# ---- Refused

refuses '1:1: the key "fial-on" is not known in a settings file; did you mean "fail-on"?' 'fial-on: error'
refuses '1:1: the key "today" is not known' 'today: 2026-01-01'
refuses '1:1: the key "new-state" is not known' 'new-state: x'
refuses '1:10: fail-on takes LEVEL, not a sequence' 'fail-on: [error]'
refuses '1:9: strict takes true or false, not a string' "strict: 'yes'"
refuses '1:1: fail-on takes error, warning or info, not "eror"; did you mean "error"?' 'fail-on: eror'
refuses '1:1: select: no rule matches "aply/*"' "select: ['aply/*']"
refuses '1:1: a settings file is a mapping, not a sequence' '[strict]'
refuses '3:1: a settings file is one document' $'strict: true\n---\nstrict: true'
refuses '1:10: an ignore needs the key "reason"' 'ignore: [{rule: apply/changed}]'
refuses '1:10: an ignore needs the key "rule"' 'ignore: [{reason: a}]'
refuses '1:17: no rule matches "aply/changed"; did you mean "apply/changed"?' 'ignore: [{rule: aply/changed, reason: a}]'
refuses '1:32: the key "pth" is not known in an ignore; did you mean "path"?' 'ignore: [{rule: apply/changed, pth: .a, reason: b}]'
refuses '1:38: this is not a path' 'ignore: [{rule: apply/changed, path: a-b, reason: b}]'
refuses '1:39: until takes a date of the form YYYY-MM-DD' 'ignore: [{rule: apply/changed, until: 2026-02-30, reason: b}]'
refuses '1:40: a reason is a string that is not empty' "ignore: [{rule: apply/changed, reason: ''}]"
refuses '2:1: duplicate key "strict"' $'strict: true\nstrict: true'

# ---- Findings that the project accepts

settle "ignore: [{rule: 'apply/*', path: .name, reason: the remote system trims names}]"
wants 0 "an ignore with a reason" "$lifecheck" -v violates.yaml
out_has "ignored: apply/changed at .name: the remote system trims names" "is reported with -v"
run "$lifecheck" --format json violates.yaml
out_has '"suppressed":"the remote system trims names"' "and in JSON"
wants 0 "it stays when a flag chooses rules" "$lifecheck" --ignore 'plan/*' violates.yaml
settle "ignore: [{rule: 'apply/*', path: .other, reason: r}]"
wants 1 "of another path" "$lifecheck" violates.yaml
out_has ".lifecheck.yaml:1:10: warning: the ignore of apply/* matches no finding" "it is reported that nothing needs it"
settle "ignore: [{rule: 'apply/*', resource: 'elsewhere.*', reason: r}]"
wants 1 "of another resource" "$lifecheck" violates.yaml
settle "ignore: [{rule: 'apply/*', type: other, reason: r}]"
wants 1 "of another type" "$lifecheck" violates.yaml
settle "ignore: [{rule: 'apply/*', reason: r, until: 2025-12-31}]"
wants 1 "expired" "$lifecheck" violates.yaml
out_has "warning: the ignore of apply/* expired on 2025-12-31" "that is reported"
settle "ignore: [{rule: 'apply/*', reason: r, until: 2026-01-01}]"
wants 0 "on its last day it holds" "$lifecheck" violates.yaml
settle "ignore: [{rule: '*', reason: r}]"
wants 0 "an expectation is compared with everything" "$lifecheck" "several.yaml#expected #1"
mkdir many
for i in {1..9}; do cp violates.yaml "many/$i.yaml"; done
settle "ignore: [{rule: 'apply/*', reason: r}, {rule: 'final/*', reason: r}]"
wants 0 "workers report what was needed" "$lifecheck" -j2 many
[ "$(grep -c 'matches no finding' stdout)" = 1 ]
result $? "and what was not"

# ---- settings

settle $'fail-on: warning\nexclude: drafts'
LIFECHECK_STRICT=1 run "$lifecheck" settings --show-origin -j3
out_has 'fail-on: "warning"               # .lifecheck.yaml:1:1' "settings: from the file"
out_has 'strict: true                     # LIFECHECK_STRICT' "settings: from the environment"
out_has 'jobs: "3"                        # --jobs' "settings: from a flag"
out_has 'as: document                     # built-in' "settings: built in"
settle $'fail-on: warning\nignore: [plan/*, {rule: apply/*, path: .name, reason: "a # b", until: 2030-01-31}]\nexclude: drafts'
run "$lifecheck" settings --show-origin
out_has '  - {rule: "apply/*", path: ".name", reason: "a # b", until: 2030-01-31} # .lifecheck.yaml:2:18' "settings: what is ignored for a reason"
run "$lifecheck" settings
cp stdout printed.yaml
wants 0 "settings: what it prints can be read back" "$lifecheck" settings --settings printed.yaml
cmp -s <(tail -n +2 stdout | tr -d '"') <(tail -n +2 printed.yaml | tr -d '"')
result $? "  and is the same again"
settle 'require: plan/*'
wants 2 "settings: what check refuses" env LIFECHECK_FAIL_ON=bad "$lifecheck" settings --show-origin
out_has 'fail-on: "bad"                   # LIFECHECK_FAIL_ON' "  is shown"
err_has "LIFECHECK_FAIL_ON" "  and reported"
wants 2 "what is required and left out" "$lifecheck" --ignore 'plan/*' conforms.yaml
err_has "plan/* is required, but select and ignore leave it out" "  is not a requirement"
wants 2 "a strict baseline without one" "$lifecheck" --no-settings --baseline-strict conforms.yaml

# ---- A file that was not named may be a stranger's

mkdir -p stranger/repository/.git stranger/repository/sub stranger/loose
cp violates.yaml conforms.yaml stranger/repository/sub
cp violates.yaml stranger/loose
echo "ignore: ['*']" >stranger/.lifecheck.yaml
wants 1 "above the repository it is not looked for" env -C stranger/repository/sub "$lifecheck" violates.yaml
rm -r .git
wants 1 "nor above the working directory, where there is no repository" env -C stranger/loose "$lifecheck" violates.yaml
mkdir .git
echo "ignore: ['apply/*']" >stranger/repository/.lifecheck.yaml
wants 0 "at its root it is" env -C stranger/repository/sub "$lifecheck" violates.yaml
out_has "narrowed by ignore in ../.lifecheck.yaml" "and what it leaves out is reported"
grep -qx 'narrowed by ignore in ../.lifecheck.yaml' stdout
result $? "in a line of its own"
for format in json jsonl sarif junit tap github markdown html; do
    run env -C stranger/repository/sub "$lifecheck" --format $format violates.yaml
    out_has "ignore in ../.lifecheck.yaml" "  in $format"
done
wants 1 "gate: fails by it" env -C stranger/repository/sub "$lifecheck" gate --old conforms.yaml --new conforms.yaml
out_has "narrowed by ignore in ../.lifecheck.yaml, which fails" "and says why"
wants 0 "gate: not by the command line" env -C stranger/repository/sub "$lifecheck" gate --ignore 'apply/*' --old conforms.yaml --new conforms.yaml
chmod 0666 stranger/repository/.lifecheck.yaml
wants 1 "one that everybody can write is passed over" env -C stranger/repository/sub "$lifecheck" violates.yaml
err_has "../.lifecheck.yaml is not read: another user owns it or can write to it" "and that is reported"
wants 0 "unless it is named" env -C stranger/repository/sub "$lifecheck" --settings ../.lifecheck.yaml violates.yaml
if [ "$(id -u)" = 0 ]; then
    chmod 0644 stranger/repository/.lifecheck.yaml
    chown 12345 stranger/repository/.lifecheck.yaml
    wants 1 "so is somebody else's" env -C stranger/repository/sub "$lifecheck" violates.yaml
else
    echo "ok - a file of somebody else # SKIP only root can make one"
fi
refuses '1:1: report names an output' "report: ['text=out.txt']"
refuses '1:1: force names an output' 'force: true'
refuses '1:1: write-baseline names an output' 'write-baseline: b.json'
for path in /etc/passwd ../x.json a/../../x.json; do
    refuses '1:9: schema names a file outside of the folder' "schema: $path"
done
ln -s /etc link
refuses '1:9: schema names a file outside of the folder' "schema: link/passwd"
rm .lifecheck.yaml
