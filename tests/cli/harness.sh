#!/bin/bash
# JUnit and TAP: what strict readers take, and the same outcome as the exit status.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
cp "$data"/*.yaml .

checks() { # script, name
    python3 "$root/tests/cli/checks/$1" stdout >problems 2>&1
    local good=$?
    sed 's/^/#   /' problems
    [ "$good" = 0 ]
    result $? "$2"
}

proves() { # how many fail, name
    # TAP's version line is newer than the prove of Debian 12
    sed 1d stdout >stream
    prove -e cat stream >proved 2>&1
    local status=$? failed
    failed=$(sed -n 's/.* Failed: \([0-9]*\))$/\1/p' proved)
    [ "${failed:-0}" = "$1" ] && [ "$status" = "$((${failed:-0} > 0))" ] && ! grep -q 'Parse errors' proved
    status=$?
    [ "$status" = 0 ] || sed 's/^/#   /' proved
    result $status "$2"
}

if ! command -v python3 >/dev/null || ! command -v prove >/dev/null; then
    echo "ok - JUnit and TAP # SKIP python3 or prove is not installed"
    exit 0
fi

# ---- JUnit

wants 1 "JUnit" "$lifecheck" --format junit several.yaml nowhere.yaml
checks junit_check.py "is well-formed and has the right totals"
out_has '<testsuites name="lifecheck" tests="119" failures="2" errors="1" skipped="3">' "counts"
out_has '<testcase classname="several.yaml#violates" name="apply/changed"><failure message=' "a violation is a failure"
out_has '^ actual' "whose text says everything"
out_has '<skipped message="known failing: BUG-1"/>' "a known failure is skipped"
out_has '<skipped message="ignored: BUG-2"/>' "what is ignored is skipped"
out_has '<system-out>not checked: needs ' "what cannot be checked is reported for each case"
! grep -q 'time=\|<skipped message="not checked' stdout
result $? "it is not a test, and no time is generated"
out_has '<error message="nowhere.yaml: ' "an input that cannot be read is an error"
run "$lifecheck" --format junit conforms.yaml
checks junit_check.py "a clean run is well-formed"
out_has ' failures="0" errors="0" skipped="0">' "and fails and skips nothing"
run "$lifecheck" --format junit nothing.yaml
checks junit_check.py "a case without any call is well-formed"
out_has ' name="judged"><skipped message="nothing could be checked"/>' "and a test that is skipped"
run "$lifecheck" check --lint --fail-on warning --format junit "$root/testdata/lint"
checks junit_check.py "so are mistakes in scenarios"
wants 1 "a rule that is required" "$lifecheck" --format junit --require 'final/*' conforms.yaml
checks junit_check.py "is well-formed"
out_has '<failure message="final/' "and fails"

# ---- TAP

wants 1 "TAP" "$lifecheck" --format tap several.yaml nowhere.yaml
checks tap_check.py "is a stream of version 14"
proves 3 "prove reads it, and counts what fails"
out_has 'not ok 2 - several.yaml\#violates' "a violation fails the case"
out_has '    not ok 45 - apply/changed' "and the rule"
out_has '          path: ".name"' "with its finding as YAML"
out_has 'not ok 5 - several.yaml\#known # TODO known failing: BUG-1' "a known failure is TODO"
out_has ' # SKIP not checked: needs calls' "what cannot be checked is SKIP"
wants 0 "TAP of a clean run" "$lifecheck" --format tap conforms.yaml
proves 0 "succeeds with prove"
wants 3 "TAP of nothing" "$lifecheck" --format tap nothing.yaml
checks tap_check.py "is a stream of version 14"
run "$lifecheck" --allow-empty --format tap .
checks tap_check.py "a folder"
mkdir empty
run "$lifecheck" --allow-empty --format tap empty
out_has '1..0 # SKIP nothing was checked' "an empty folder"

# ---- Names and strings from inputs

cat >odd.yaml <<'EOF'
lifecheck: 1
name: "odd ]]> <&\"' \\ # TODO \u0007\u0085\u2028 \uFFFE end"
resource: nimbus_disk.data
schema: {version: 0, block: {attributes: {name: {type: string, required: true}}}}
config: {name: "]]>\u0001# é\u007f"}
prior_state: null
planned_state: {name: "---\n  ...\nok 1"}
EOF
wants 1 "odd names in JUnit" "$lifecheck" --format junit odd.yaml
checks junit_check.py "are well-formed"
wants 1 "odd names in TAP" "$lifecheck" --format tap odd.yaml
checks tap_check.py "are one line each"
proves 1 "and no directive"

# ---- Everything there is, strictly and not

for options in "" "--strict --fail-on info" "--as terraform --select plan/*" "--lint --strict"; do
    # shellcheck disable=SC2086 # words
    (cd "$root" && set -f && "$lifecheck" check $options --format json scenarios testdata/captures testdata/plans \
        --report "junit=$work/all.xml" --report "tap=$work/all.tap") >all.json 2>stderr
    status=$?
    [ "$status" -le 1 ] && [ ! -s stderr ]
    result $? "all scenarios and recordings${options:+ with $options}"
    cp all.xml stdout
    checks junit_check.py "JUnit is well-formed"
    grep -q ' failures="0" ' <(sed -n 2p all.xml)
    [ $? = "$status" ]
    result $? "and says what the exit status says"
    cp all.tap stdout
    checks tap_check.py "TAP is a stream of version 14"
    proves "$(grep -c '^not ok' <(grep -v '# TODO' all.tap))" "and says so too"
    : >stdout
done
