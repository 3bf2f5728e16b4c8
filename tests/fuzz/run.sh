#!/bin/bash
# run.sh CORPORA PROGRAM...: each program replays the corpus of its name, CORPORA/<name>.
set -u
corpora=$1
shift
passed=0 failed=0
for program in "$@"; do
    name=$(basename "$program")
    if [ ! -d "$corpora/$name" ]; then
        echo "$name: there is no corpus $corpora/$name"
        failed=$((failed + 1))
        continue
    fi
    output=$("$program" "$corpora/$name" 2>&1)
    status=$?
    count=$(echo "$output" | sed -n 's/^\([0-9]*\) inputs$/\1/p')
    if [ "$status" = 0 ] && [ "${count:-0}" != 0 ]; then
        passed=$((passed + count))
    else
        echo "$name: status $status"
        echo "$output" | tail -n 40
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
