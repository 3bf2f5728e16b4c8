#!/bin/bash
# run.sh CORPORA PROGRAM...: each program replays the corpus of its name, CORPORA/<name>, as many at once as there are
# processors (JOBS).
set -u
corpora=$1
shift
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" bash -c '
    name=${2##*/}
    [ ! -d "$1/$name" ] || "$2" "$1/$name" >"$0/$name" 2>&1
    echo $? >"$0/$name.status"' "$logs" "$corpora"
for program in "$@"; do
    name=${program##*/}
    if [ ! -d "$corpora/$name" ]; then
        echo "$name: there is no corpus $corpora/$name"
        failed=$((failed + 1))
        continue
    fi
    status=$(cat "$logs/$name.status" 2>/dev/null || echo "not known")
    count=$(sed -n 's/^\([0-9]*\) inputs$/\1/p' "$logs/$name")
    if [ "$status" = 0 ] && [ "${count:-0}" != 0 ]; then
        passed=$((passed + count))
    else
        echo "$name: status $status"
        tail -n 40 "$logs/$name"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
