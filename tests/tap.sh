#!/bin/bash
# Runs TAP scripts, four more at once than there are processors, since many of them wait (JOBS), and adds up their results
# in the order of their names. A script that says of itself that it takes long is started first. A script that says
# nothing, or fails without saying what, counts as one failure.
set -u
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0 skipped=0 running=0

# A version manager's python3 is a script that looks for the real one, and the module site takes longer than most scripts
# of ours: they get the packages of that python3 without it.
if python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && [ -x "$python" ]; then
    packages=$("$python" -c 'import site; print(*site.getsitepackages(), site.getusersitepackages(), sep=":")')
    mkdir "$logs/bin"
    printf '#!/bin/sh\nPYTHONPATH="%s${PYTHONPATH:+:$PYTHONPATH}" exec "%s" -S "$@"\n' "$packages" "$python" >"$logs/bin/python3"
    chmod +x "$logs/bin/python3"
    PATH=$logs/bin:$PATH
fi

run() { # a script, the file for what it says
    bash "$1" >"$2" 2>&1
    echo $? >"$2.status"
}

tell() { # the same
    local ok bad skips status
    status=$(cat "$2.status" 2>/dev/null || echo "not known")
    ok=$(grep -c '^ok' "$2") bad=$(grep -c '^not ok' "$2")
    skips=$(grep -ciE '^ok.*# skip' "$2")
    if [ $((ok + bad)) = 0 ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
        echo "not ok - $1 (exit status $status)"
        bad=$((bad + 1))
    fi
    if [ "$bad" != 0 ]; then
        echo "$1:"
        grep -v '^ok' "$2"
    fi
    grep -iE '^ok.*# skip' "$2"
    passed=$((passed + ok - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
}

jobs=${JOBS:-$(($(nproc) + 4))} long='# Takes long, so it starts first.'
mapfile -t order < <(grep -lx "$long" "$@"; grep -Lx "$long" "$@")
for script in "${order[@]}"; do
    if [ "$running" -ge "$jobs" ]; then
        wait -n
        running=$((running - 1))
    fi
    run "$script" "$logs/${script//\//-}" &
    running=$((running + 1))
done
wait
for script in "$@"; do
    tell "$script" "$logs/${script//\//-}"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) != 0 ]
