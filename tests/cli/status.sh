#!/bin/bash
# Exit statuses: the highest of 4, 1, 3 wins, and nothing hides findings.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

wants 0 "a case that conforms" "$lifecheck" "$data/conforms.yaml"
wants 1 "a case that violates" "$lifecheck" "$data/violates.yaml"
wants 1 "check may be written out" "$lifecheck" check "$data/violates.yaml"
wants 0 "a case that meets its expectation" "$lifecheck" "$data/several.yaml#expected #1"
wants 0 "a failure that is known" "$lifecheck" "$data/several.yaml#known"
wants 1 "a known failure that has expired" "$lifecheck" --today 2027-01-01 "$data/several.yaml#known"
wants 1 "an expectation that is not met" "$lifecheck" "$data/several.yaml#not as expected"
wants 0 "a finding that is ignored" "$lifecheck" "$data/several.yaml#ignored"
wants 1 "several cases" "$lifecheck" "$data/several.yaml"

wants 3 "a file that does not exist" "$lifecheck" nowhere.yaml
out_has "nowhere.yaml: error: no such file" "errors about inputs go where the report goes"
err_lines 0 "and not to standard error"
wants 3 "a case that does not exist" "$lifecheck" "$data/conforms.yaml#nobody"
wants 3 "no input was checked" "$lifecheck" "$data/nothing.yaml"
err_has "nothing was checked" "that is reported"
wants 0 "which can be permitted" "$lifecheck" --allow-empty "$data/nothing.yaml"
wants 0 "or made up for" "$lifecheck" "$data/nothing.yaml" "$data/conforms.yaml"
wants 3 "an input that is not understood does not hide others" "$lifecheck" nowhere.yaml "$data/conforms.yaml"
out_has "1 case: 1 conforms; 0 errors, 0 warnings, 1 input error" "both are counted"
wants 1 "a violation beats bad input" "$lifecheck" nowhere.yaml "$data/violates.yaml"
out_has "no such file" "which is reported all the same"

mkdir empty
wants 3 "an empty folder" "$lifecheck" empty
err_has "lifecheck: empty has no scenario, stream of calls, capture directory, plan or state" "is named, with what was looked for"
mkdir -p 'tf/a module' && echo 'resource "random_pet" "p" {}' >'tf/a module/main.tf'
for command in check inspect extract; do
    wants 3 "$command of a folder with a configuration" "$lifecheck" $command tf
    err_has "lifecheck: tf has no scenario, stream of calls, capture directory, plan or state; to check a configuration: lifecheck predict --config 'tf/a module'" "names predict and its folder"
done
wants 0 "next to what is checked" "$lifecheck" tf "$data/conforms.yaml"
err_has "lifecheck predict --config 'tf/a module'" "is reported too"
wants 0 "an empty folder, permitted" "$lifecheck" --allow-empty empty

wants 0 "tolerated by the legacy type system" "$lifecheck" "$data/legacy.yaml"
out_has "warning[apply/changed]:" "and warned of"
wants 1 "unless it is strict" "$lifecheck" --strict "$data/legacy.yaml"
wants 1 "or warnings fail" "$lifecheck" --fail-on warning "$data/legacy.yaml"
wants 0 "a core's verdict" "$lifecheck" --as terraform "$data/legacy.yaml"
wants 1 "a core's verdict on an error" "$lifecheck" --as opentofu "$data/violates.yaml"
wants 0 "rules that are left out" "$lifecheck" --ignore 'apply/*' "$data/violates.yaml"
wants 0 "rules that are chosen" "$lifecheck" --select 'plan/*' "$data/violates.yaml"
wants 1 "a rule that has to be checked and was not" "$lifecheck" --require 'final/*' "$data/conforms.yaml"
out_has "final/changed is required and not checked: final_planned_state is missing" "says what is missing"
wants 0 "a rule that has to be checked and was" "$lifecheck" --require apply/changed "$data/conforms.yaml"
wants 0 "options do not change what an expectation is compared with" \
    "$lifecheck" --strict --fail-on info --select 'plan/*' "$data/several.yaml#expected #1"
