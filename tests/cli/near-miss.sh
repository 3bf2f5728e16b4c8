#!/bin/bash
# A near miss of a rule never breaks that rule, not even by a finding of severity info, which an expectation need not list.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

"$lifecheck" --format jsonl "$root/scenarios" 2>/dev/null |
    sed -n 's|^.*"file":"[^"]*scenarios/\([a-z-]*/[a-z-]*\)/pass-[^"]*".*$|\1 &|p' >cases
[ "$(wc -l <cases)" -gt 100 ]
result $? "near misses are checked"
awk 'index($0, "\"rule\":\"" $1 "\"")' cases >stdout
[ ! -s stdout ]
result $? "none of them has a finding of its rule"
