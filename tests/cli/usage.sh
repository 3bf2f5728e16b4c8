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
refuses '--as takes document, opentofu or terraform, not "tofu"' --as tofu x.yaml
refuses "--as terraform@1.5: only the verdicts of one version are known" --as terraform@1.5 x.yaml
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
refuses "--type is no option of check" --type t x.yaml
refuses "--strict is no option of rules" rules --strict
refuses "nothing to judge was named"
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
[ "$(wc -l <stdout)" -le 30 ]
result $? "is short"
out_has "man lifecheck" "leads to the man page"
for command in $("$lifecheck" --help | grep -o '^  [a-z]* '); do
    wants 0 "$command --help" "$lifecheck" "$command" --help
    out_has "usage: lifecheck $command" "names the command"
    ! grep -q ' $' stdout
    result $? "has no blank at the end of a line"
done
wants 0 "--version" "$lifecheck" --version
out_has "mirrors opentofu f831fa1aa4b9, terraform 883c7221ee2e" "names the mirrored cores"
wants 3 "a file named like an option" "$lifecheck" -- --strict
wants 2 "an option that is near none" "$lifecheck" --bogus
err_has 'lifecheck COMMAND --help lists them' "leads to the lists"
wants 3 "a word that is no command elsewhere" "$lifecheck" help
out_has 'did you mean --help?' "leads to the option"
mkdir nothing
for command in propose inspect extract; do
    wants 3 "$command of an empty folder" "$lifecheck" $command nothing
    err_has "lifecheck: there is no" "is told"
done
wants 3 "an empty word" "$lifecheck" ""
out_has 'an empty argument names no file' "is told"
wants 3 "a word near a command" "$lifecheck" explian
out_has 'did you mean the command `explain`?' "suggests it"
