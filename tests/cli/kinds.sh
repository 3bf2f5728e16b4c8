#!/bin/bash
# Every command that takes a scenario takes one of every kind, or says why not.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
list=()
for family in "$root"/scenarios/*/; do
    # the first of each rule would be the same kind again and again
    while read -r file; do list+=("$file"); done < <(find "$family" -name '*.yaml' | sort | awk 'NR % 40 == 1')
done
[ ${#list[@]} -ge 40 ]
result $? "there are scenarios of many kinds"
for command in propose "propose --format json" "cfn documents" "cfn documents --format json" inspect extract; do
    bad=0
    for file in "${list[@]}"; do
        # shellcheck disable=SC2086 # a command and its options
        run "$lifecheck" $command "$file"
        case $status in
        0 | 1) ;;
        3) [ -s stdout ] || [ -s stderr ] ;;
        *) false ;;
        esac || { echo "#   ${file#"$root/"}: exit status $status" && bad=1; }
    done
    result $bad "$command takes or refuses every kind of scenario"
done
case=$root/scenarios/planning/behaviors/deposed.yaml
wants 3 "nothing is proposed for a configuration as a whole" "$lifecheck" propose "$case"
out_has "nothing is proposed for this case" "and it is said"
wants 3 "nothing is sent for it" "$lifecheck" cfn documents "$case"
out_has "no run shows what is sent" "and it is said"
