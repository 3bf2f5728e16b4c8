#!/bin/bash
# Limits that an input reaches: what lies beyond is told as not checked, never passed over.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# ---- Paths that force a replace

paths() { # COUNT: so many good ones, then one that leads nowhere
    local list
    list=$(seq "$1" | sed 's/.*/[size]/' | paste -sd,)
    sed "s/replace_paths: .*/replace_paths: [$list, [zz]]/; /^expect:/d" "$root/scenarios/run/planned-values/pass-replace-of-a-secret.yaml"
}
paths 1 >two.yaml
wants 1 "a path that leads nowhere" "$lifecheck" two.yaml
out_has "replace/path-invalid" "is told"
paths 1000 >many.yaml
run "$lifecheck" -v many.yaml
out_has "not checked: a limit was reached: replace/* (2)" "behind a thousand others it is not looked for, and that is told"
wants 1 "which --require refuses" "$lifecheck" --require replace/path-invalid many.yaml

# ---- Sets whose elements have nothing in common

set_of() { # COUNT: blocks that are planned with other names than they are configured with
    awk -v n="$1" 'BEGIN {
        print "lifecheck: 1"
        print "schema: {version: 0, block: {block_types: {s: {nesting_mode: set, block: {attributes: {a: {type: string, optional: true}, b: {type: string, computed: true}}}}}}}"
        print "config:\n  s:"
        for (i = 0; i < n; i++) printf "    - {a: x%d}\n", i
        print "prior_state: null\nplanned_state:\n  s:"
        for (i = 0; i < n; i++) printf "    - {a: z%d, b: !unknown }\n", i
    }'
}
set_of 40 >small.yaml
wants 1 "a small set is decided" "$lifecheck" small.yaml
out_has "plan/set-element at" "element by element"
set_of 3000 >large.yaml
run "$lifecheck" -v large.yaml
out_has "not checked: a limit was reached: plan/set-element (1)" "a large one is told as not checked"
