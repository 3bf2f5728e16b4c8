#!/bin/bash
# A file that an option names is checked before the command begins, in every command that has the option: an input that is
# missing, also if nothing needs it, and an output that cannot be written.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/conforms.yaml .
mkdir folder

# The words with which each command would do its work, without the option.
declare -A words=(
    [check]="conforms.yaml" [serve]="-- touch ran" [record]="-- touch ran" [drive]="--provider unix:none conforms.yaml"
    [probe]="--provider unix:none" [gate]="--old conforms.yaml --new conforms.yaml" [verify]="conforms.yaml none"
    [inspect]="conforms.yaml" [extract]="conforms.yaml" [redact]="conforms.yaml" [mocks]="conforms.yaml" [predict]=""
    [providers]="" [merge]="conforms.yaml" [diff]="conforms.yaml conforms.yaml" [init]="" [cfn]="name x" [schema]="scenario"
)

refuses() { # STATUS OPTION VALUE FILE: in one line, which names both; nothing was run
    # shellcheck disable=SC2086 # several words
    run "$lifecheck" "$command" "$2" "$3" ${words[$command]}
    [ "$status" = "$1" ] && [ "$(wc -l <stderr)" = 1 ] && [ ! -s stdout ] && [ ! -e ran ] &&
        grep -q "^lifecheck: $2: $4\(:\| cannot be written:\) [A-Za-z]" stderr
    result $? "$command $2"
    rm -f ran
}

# Each option whose argument is a file or folder, by the help of each command. --old and --new stand in the words already,
# --state-dir has tests of its own, and folders of scenarios are made where there are none.
for command in "${!words[@]}"; do
    "$lifecheck" "$command" --help >help
    format=$(sed -n 's/^  --format .*: \([a-z]*\) (default).*/\1/p' help)
    while read -r option argument; do
        case "$command $option $argument" in
        *" --old "* | *" --new "* | *" --state-dir "*) ;;
        "probe --output "* | *" --scenarios "*) refuses 4 "$option" conforms.yaml/new conforms.yaml/new ;;
        *" --report "*) refuses 4 "$option" "$format=none/file" none/file ;;
        *" --output "* | *" --write-baseline "* | *" --provider-log "* | *" --record "* | *" --checkpoint "* | *" --costs "* | \
            *" --claim "* | *" --learned "*) refuses 4 "$option" none/file none/file ;;
        *" ADDRESS=FILE") refuses 3 "$option" a/b/c=none none ;;
        *" "*FILE* | *" PATH" | *" DIR" | *" SCHEMA") refuses 3 "$option" none none ;;
        esac
    done < <(sed -nE 's/^  (-[a-z], )?(--[a-z-]+) ([A-Za-z=.]+).*/\2 \3/p' help)
done

# ---- What is not a missing file

"$lifecheck" --write-baseline known.json conforms.yaml >stdout
wants 0 "standard input" "$lifecheck" --baseline - conforms.yaml <known.json
cp conforms.yaml 'a=b#c.yaml'
wants 0 "a name with characters that separate" "$lifecheck" --settings /dev/null 'a=b#c.yaml'
wants 0 "a device as output" "$lifecheck" --report json=/dev/null conforms.yaml
wants 0 "a pipe as output is opened once" "$lifecheck" --report json=>(cat >piped) conforms.yaml

# ---- Files that no input needs are read nevertheless

: >empty
echo '{"a": 1}' >other.json
refused_by() { # COMMAND OPTION FILE MESSAGE: the message has the place and what to do, and the input is checked
    # shellcheck disable=SC2086 # several words
    wants "${want:-3}" "$1 $2 $3" "$lifecheck" "$1" "$2" "$3" ${words[$1]}
    cat stdout stderr >both
    [ "$(grep -c "$3:1:1: .*$4" both)" = 1 ]
    result $? "is reported once"
}
refused_by check --schema empty 'the file is empty: `terraform providers schema -json` prints a schema document$'
out_has "1 case: 1 conforms; 0 errors, 0 warnings, 1 input error" "the scenario is checked"
refused_by check --schema other.json 'has no member "provider_schemas"; `terraform providers schema -json` prints one$'
refused_by check --prior-state empty 'the file is empty: `terraform state pull` prints a state$'
refused_by check --new-state other.json 'not a state file of version 4: `terraform state pull` prints one$'
refused_by check --log empty 'this log has no line of the provider protocol and no violation; TF_LOG=JSON writes them$'
for command in inspect mocks gate; do
    refused_by "$command" --schema empty 'the file is empty: '
done
want=3 refused_by extract --schema other.json 'has no member "provider_schemas"'
cp "$CAPTURES"/fault-none.jsonl calls.jsonl
wants 3 "a state that calls do not need" "$lifecheck" --prior-state other.json calls.jsonl
wants 3 "several inputs, of which one reads the document" "$lifecheck" --schema empty --jobs 2 calls.jsonl conforms.yaml conforms.yaml
out_has "3 cases: 3 conform; 0 errors, 0 warnings, 1 input error" "reports it once, and checks the others"
wants 3 "a shard" "$lifecheck" --schema empty --shard 1/2 --format json conforms.yaml
err_has "empty:1:1: the file is empty" "reports it"
echo 'schema: empty' >.lifecheck.yaml
wants 3 "a schema of the settings file" "$lifecheck" conforms.yaml
out_has "empty:1:1: error: the file is empty" "is reported"
rm .lifecheck.yaml

# ---- What is not a file

wants 3 "a folder in place of a file" "$lifecheck" --schema folder conforms.yaml
err_has "--schema: folder: this is a folder, not a file" "is reported"
wants 3 "a file in place of a folder" "$lifecheck" predict --config . --module-root conforms.yaml
err_has "--module-root: conforms.yaml: this is a file, not a folder" "is reported"
wants 4 "an output that is a folder" "$lifecheck" --report json=folder conforms.yaml
err_has "--report: folder cannot be written: Is a directory" "is reported"
[ -z "$(ls folder)" ]
result $? "nothing is left in it"

# ---- Names from elsewhere

wants 3 "a variable" env LIFECHECK_SCHEMA=none "$lifecheck" conforms.yaml
err_has "LIFECHECK_SCHEMA: none: no such file" "is named"
echo 'schema: none.json' >.lifecheck.yaml
wants 3 "a settings file" "$lifecheck" conforms.yaml
err_has ".lifecheck.yaml:1:1: schema: none.json: no such file in the current folder: correct the path" "is named with the place"
wants 0 "the command that prints settings" "$lifecheck" settings
rm .lifecheck.yaml

# ---- Reports of a run that does not begin

echo '{"of": "an earlier run"}' >report.json
wants 3 "a missing input with reports" "$lifecheck" --format sarif --report json=report.json --report junit=report.xml --baseline none.json conforms.yaml
err_has "--baseline: none.json: no such file in the current folder: correct the path" "is reported on standard error"
grep -qF '{"file":"--baseline","line":0,"column":0,"message":"none.json: no such file in the current folder: correct the path"}' report.json && ! grep -q earlier report.json
result $? "and in the report, which is not that of an earlier run"
out_has '"none.json: no such file in the current folder: correct the path"' "and in the one on standard output"
grep -q 'none.json: no such file' report.xml
result $? "and in the others"
echo '{' >cut.json
wants 3 "a baseline that is cut off" "$lifecheck" --format json --baseline cut.json conforms.yaml
out_has '{"file":"cut.json","line":' "is in the report, too"
echo 'baseline: none.json' >.lifecheck.yaml
wants 3 "a missing input of a settings file" "$lifecheck" --format json conforms.yaml
out_has '{"file":".lifecheck.yaml","line":1,"column":1,"message":"baseline: none.json: no such file in the current folder: correct the path (--no-settings leaves the settings out)"}' "has its place in the report"
rm .lifecheck.yaml
for command in drive probe record serve merge; do
    # shellcheck disable=SC2086 # several words
    wants 3 "$command" "$lifecheck" "$command" --report json=report.json --baseline none.json ${words[$command]}
    grep -q '"message":"none.json: no such file in the current folder: correct the path"' report.json
    result $? "has a report with it"
done

# ---- A report in a folder that is not there

wants 4 "no such folder" "$lifecheck" --report json=none/report.json conforms.yaml
err_has "--report: none/report.json cannot be written: No such file or directory; make the folder none first" "is named"
wants 3 "a report in the folder of scenarios" "$lifecheck" probe --provider unix:none -o out/found --report json=out/found/report.json
! grep -q 'cannot be written' stderr && [ -d out/found ]
result $? "is not an error, because the command makes the folder"

# ---- Files that lifecheck overwrites only if it has written them

echo mine >learned.json
wants 4 "--learned" "$lifecheck" predict --config folder --learned learned.json
err_has "--learned: learned.json is not written: it exists" "is refused"
[ ! -s stdout ]
result $? "before the work"
