#!/bin/bash
# Runs parts of the tests, each a make target whose output has lines `N passed, N failed, N skipped`,
# and adds them up. Goes on after a failure. A part without such a line counts as one failure.
set -u
results=build/results
mkdir -p "$results"
passed=0 failed=0 skipped=0 jobs=${JOBS:-$(nproc)}
for part in "$@"; do
    log=$results/$part.log
    started=$SECONDS
    "${MAKE:-make}" --no-print-directory -j"$jobs" "$part" >"$log" 2>&1
    status=$?
    sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1)
    read -r p f s < <(echo "$sum" | sed 's/[^0-9]\+/ /g')
    p=${p:-0} f=${f:-0} s=${s:-0}
    if [ "$status" != 0 ] && [ "$f" = 0 ] || [ -z "$sum" ]; then
        f=$((f + 1))
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    printf '%-22s %6d passed, %d failed, %d skipped (%d s)\n' \
        "$part" "$p" "$f" "$s" $((SECONDS - started))
    grep -iE '^(skipped|not ok .*# skip|ok .*# skip)' "$log" | sed 's/^/    /'
    if [ "$f" != 0 ]; then
        { grep -A 8 '^not ok' "$log" || tail -n 40 "$log"; } | head -n 120 | sed 's/^/    /'
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
