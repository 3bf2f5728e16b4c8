#!/bin/bash
# Options that all commands have mean the same in each: runs of a few commands with all of them.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/{conforms,legacy,violates}.yaml .
ln -s "$root/testdata" testdata
ln -s "$root/scenarios" scenarios
"$lifecheck" --format json violates.yaml >old.json
"$lifecheck" --format json conforms.yaml >new.json
configuration=testdata/predict
schema=testdata/schemas/nimbus.json
calls=testdata/captures/fault-apply-value-changed.jsonl

# A command of each kind: its name, the status, its default format and the others, its words. Which command takes
# which option with which values: tests/unit/test_options.c.
commands=(
    "check|1|text|json jsonl sarif junit tap github markdown html|violates.yaml"
    "rules|0|text|json tsv man markdown html|apply/changed"
    "extract|0|yaml||$calls"
    "settings|0|yaml||"
)

same() { # file, name: what was printed is that
    cmp -s "$1" stdout
    result $? "$2"
}

for row in "${commands[@]}"; do
    IFS='|' read -r name want first others words <<<"$row"
    # shellcheck disable=SC2206 # words
    words=($words)
    command=("$lifecheck" "$name" "${words[@]}")
    wants "$want" "$name" "${command[@]}"
    cp stdout plain
    cp stderr told
    for option in "--color never" "--width 0" "--format $first" "-o -" "--output=-" --force; do
        # shellcheck disable=SC2086 # an option and its argument
        wants "$want" "$name $option" "${command[@]}" $option
        [ "$name" = settings ] || same plain "  prints the same" # it shows the option
    done
    for option in -v --verbose -q --quiet "--color always" "--color auto" "--width 60"; do
        # shellcheck disable=SC2086
        wants "$want" "$name $option" "${command[@]}" $option
    done
    for format in $others; do
        wants "$want" "$name --format $format" "${command[@]}" --format "$format"
        cp stdout "plain.$format"
        ! cmp -s plain stdout
        result $? "  is another format"
        wants "$want" "$name --report $format=-" "${command[@]}" --report "$format=-"
        same "plain.$format" "  is the same"
        wants "$want" "$name --report $format=report" "${command[@]}" --report "$format=report"
        same plain "  beside the default"
        [ -s report ]
        result $? "  to a file"
    done
    wants 2 "$name --format" "${command[@]}" --format nonsense
    err_has "--format takes $first" "  says which it has"
    err_lines 1 "  in one line"
    wants 2 "$name --report" "${command[@]}" --report nonsense=report
    err_has "--report takes F=PATH, F one of $first" "  says which it has"
    rm -f result*
    wants "$want" "$name -o FILE" "${command[@]}" -o result
    [ ! -s stdout ]
    result $? "  prints nothing"
    [ "$name" = settings ] || cmp -s plain result
    result $? "  and writes that"
    cmp -s told stderr
    result $? "  and says the same"
    echo mine >result
    wants 4 "$name -o FILE that exists" "${command[@]}" -o result
    err_has "result cannot be written: File exists; --force overwrites it" "  is reported"
    [ "$(cat result)" = mine ]
    result $? "  and it stays"
    wants "$want" "$name -o FILE --force" "${command[@]}" -o result --force
    [ -s result ] && [ "$(cat result)" != mine ]
    result $? "  overwrites it"
    wants 4 "$name -o in no folder" "${command[@]}" -o nowhere/result
    wants 2 "$name --color" "${command[@]}" --color sometimes
    err_has '--color takes auto, always or never, not "sometimes"' "  is checked"
    wants 2 "$name --width" "${command[@]}" --width wide
    err_has '--width takes a whole number up to 1000, not "wide"' "  is checked"
    wants 2 "$name: a misspelt option" "${command[@]}" --quite
    err_has "the option --quite does not exist; did you mean --quiet?" "  suggests"
    wants "$want" "$name: a format that only others have, for all" env LIFECHECK_FORMAT=tsv "${command[@]}"
    [ "$name" = rules ] || [ "$name" = settings ] || same plain "  is passed over"
    wants 2 "$name: one that nobody has" env LIFECHECK_FORMAT=nonsense "${command[@]}"
done
for words in "rules apply/changed" "extract $calls" "diff old.json old.json"; do
    rm -f result
    # shellcheck disable=SC2086 # a command and its words
    wants 0 "${words%% *}: LIFECHECK_REPORT is for commands that judge" env LIFECHECK_REPORT=json=result "$lifecheck" $words
    [ ! -e result ]
    result $? "  so nothing is written"
done
wants 0 "settings show a report of check" env LIFECHECK_REPORT=json=result LIFECHECK_FORMAT=sarif "$lifecheck" settings
out_has 'report: ["json=result"]' "as it is"
out_has 'format: "sarif"' "and its format"
[ ! -e result ]
result $? "and write none"
wants 2 "a report over an input" "$lifecheck" diff new.json old.json --report json=old.json
err_has "old.json cannot be a report: it is an input of this run" "is reported"
wants 2 "a report of a copy that is a folder" "$lifecheck" redact testdata/captures/thing/proto-data -o folder --report copy=x
wants 1 "diff --quiet" "$lifecheck" diff --quiet new.json old.json
[ "$(grep -c '^  new ' stdout)" -ge 1 ]
result $? "reports what is new"
wants 0 "diff --quiet" "$lifecheck" diff --quiet old.json new.json
[ "$(wc -l <stdout)" = 1 ]
result $? "and not what was repaired"
wants 0 "explain folds" "$lifecheck" explain --width 60 apply/changed
[ "$(sed '/^violation: /,$d' stdout | tail -n +2 | wc -L)" -le 60 ]
result $? "at that column"
wants 0 "explain --error, too" "$lifecheck" explain --error --width 60 'Error: Import returned no resources'
[ "$(sed '1d; /^$/,$d' stdout | wc -L)" -le 60 ]
result $? "at that column, but for the advice"
wants 0 "and does not with 0" "$lifecheck" explain --width 0 apply/changed
[ "$(sed '/^violation: /,$d' stdout | grep -c '^   *[a-z]*  *')" -ge 5 ] && [ "$(wc -L <stdout)" -gt 110 ]
result $? "so that lines are as long as they are"
mkdir there
wants 0 "init: a report beside the result" "$lifecheck" init --schema "$schema" --type nimbus_disk --report yaml=there/one.yaml --report json=there/one.json
grep -q 'nimbus.json' there/one.yaml && "$lifecheck" there/one.yaml there/one.json >/dev/null
result $? "names the schema as seen from there"

wants 2 "--config names a configuration, also where a settings file is meant" "$lifecheck" --config other.yaml conforms.yaml
err_has "--config is not an option of check" "and is reported"
wants 0 "a configuration for all commands" env LIFECHECK_CONFIG="$configuration" "$lifecheck" conforms.yaml
err_lines 0 "  is not for those that take none"
wants 0 "  and for those that do" env LIFECHECK_CONFIG="$configuration" "$lifecheck" predict
wants 0 "--config of providers" "$lifecheck" providers --config "$configuration"
cp stdout asked
wants 0 "as the word is" "$lifecheck" providers "$configuration"
same asked "with the same result"
wants 3 "no such configuration" "$lifecheck" predict --config nowhere
wants 2 "a name in part" "$lifecheck" --setting x conforms.yaml
err_has "did you mean --settings?" "  suggests"
