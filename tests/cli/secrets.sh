#!/bin/bash
# No sensitive or write-only value reaches any output, not even where the scenario is wrong about it.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

scenario=$root/scenarios/circumstances/secrets.yaml
for format in text json jsonl; do
    wants 0 "$format" "$lifecheck" -v --format "$format" "$scenario"
    ! grep -q -i xyzzy stdout stderr
    result $? "no secret in $format"
done

# The same values judged without an expectation, against the wrong one, and unreadable.
sed '/^expect:/,$d' "$scenario" >plain.yaml
wants 1 "without an expectation" "$lifecheck" -v plain.yaml
! grep -q -i xyzzy stdout stderr
result $? "no secret"
sed 's|path: .\.token.|path: ".nowhere"|' "$scenario" >wrong.yaml
run "$lifecheck" -v wrong.yaml
! grep -q -i xyzzy stdout stderr
result $? "no secret in expectations that are not met"
sed 's|^  token: xyzzy-1|  token: [xyzzy-1]|' "$scenario" >type.yaml
wants 3 "a secret of the wrong type" "$lifecheck" type.yaml
! grep -q -i xyzzy stdout stderr
result $? "no secret in errors"
wants 0 "propose" "$lifecheck" propose "$scenario"
! grep -q -i xyzzy stdout stderr
result $? "no secret in proposals"

# Write-only values that were returned, stored or sent.
for format in text json jsonl; do
    wants 0 "write-only values in $format" "$lifecheck" -v --format "$format" "$root/scenarios/wo" "$root/scenarios/upgrade"
    ! grep -q 's[34]cret' stdout stderr
    result $? "are not shown in $format"
done
