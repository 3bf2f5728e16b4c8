#!/bin/bash
# run.sh ARCH...: builds lifecheck and its unit tests for each architecture of Debian and runs them, the scenario library,
# the recorded reports and the corpora: natively where this machine can, else by qemu-user. A report that is not the
# recorded one, byte for byte, is a failure. An architecture whose tools are missing is skipped by name.
# COMMANDS='record drive' also runs these scripts of tests/cli, which takes ten minutes for each architecture. Their own
# limits in seconds stay as they are: probe.sh does not keep them on a busy machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0 skipped=0
jobs=${JOBS:-$(nproc)}
# shellcheck source=packaging/arch.sh
. packaging/arch.sh

skip() { # what, why
    echo "skipped: $1 ($2)"
    skipped=$((skipped + 1))
}

wrap() { # PROGRAM...: for each a script that runs it, in $build/run
    local program
    mkdir -p "$build/run"
    for program in "$@"; do
        printf '#!/bin/sh\nexec qemu-%s -L "%s" "%s" "$@"\n' "$machine" "$root" "$PWD/$program" >"$build/run/${program##*/}"
        chmod +x "$build/run/${program##*/}"
    done
}

count() { # NAME COMMAND...: adds up the last line that the command prints, `N passed, N failed...`
    local name=$1 log=$build/$1.log started=$SECONDS status p f s
    shift
    "$@" >"$log" 2>&1
    status=$?
    read -r p f s < <(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 | sed 's/[^0-9]\+/ /g')
    [ "$status" = 0 ] || [ "${f:-0}" != 0 ] || f=1
    [ -n "${p:-}" ] || f=1
    [ "${f:-0}" = 0 ] || tail -n 60 "$log" | sed 's/^/    /'
    printf '%-6s %-10s %6d passed, %d failed, %d skipped (%d s)\n' "$arch" "$name" "${p:-0}" "${f:-0}" "${s:-0}" $((SECONDS - started))
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
}

setup() { # ARCH: sets build, settings and root. False: skipped
    build=build/cross/$1
    [ "$1" != "$own_arch" ] || build=build/release
    if ! settings_for "$1"; then
        skip "$1" "$why"
    elif [ -n "$root" ] && ! type -P "qemu-$machine" >/dev/null; then
        skip "$1" "qemu-$machine is not installed: apt-get install qemu-user"
    else
        return 0
    fi
    return 1
}

# Programs that start each other: the tests' provider, the client, and lifecheck once more.
commands() {
    local program=$build/lifecheck emulate=()
    local -a scripts=("${COMMANDS[@]/#/tests/cli/}")
    if [ -n "$root" ]; then
        emulate=(tests/cross/emulate.sh "$machine" "$root")
        if ! why=$("${emulate[@]}" 2>&1); then
            skip "$arch: ${COMMANDS[*]}" "$(tail -n 1 <<<"$why")"
            return
        fi
    fi
    JOBS=$jobs LIFECHECK=$program LIFECHECK_ALLOC=$program-alloc CAPTURES=$PWD/testdata/captures \
        count commands "${emulate[@]}" tests/tap.sh "${scripts[@]/%/.sh}"
}

read -ra COMMANDS <<<"${COMMANDS:-}"
for arch in "$@"; do
    setup "$arch" || continue
    started=$SECONDS
    mapfile -t units < <(printf '%s\n' tests/unit/test_*.c | sed "s,^tests/\(.*\)\.c,$build/tests/\1,")
    mapfile -t replays < <(printf '%s\n' tests/fuzz/fuzz_*.c | sed "s,^tests/fuzz/fuzz_\(.*\)\.c,$build/tests/fuzz/\1,")
    peers=()
    [ "${#COMMANDS[@]}" = 0 ] || peers=("$build/lifecheck-alloc" "$build"/tests/{record/{provider,client,asker},probe/provider,serve/client})
    mkdir -p "$build"
    if ! "${MAKE:-make}" --no-print-directory -j"$jobs" BUILD="$build" "${settings[@]}" "$build/lifecheck" "${units[@]}" "${replays[@]}" "${peers[@]}" >"$build/build.log" 2>&1; then
        tail -n 20 "$build/build.log"
        echo "$arch: it does not build"
        failed=$((failed + 1))
        continue
    fi
    echo "$arch: built ($((SECONDS - started)) s)"
    program=$build/lifecheck
    if [ -n "$root" ]; then
        wrap "$program" "${units[@]}" "${replays[@]}"
        program=$build/run/lifecheck
        units=("${units[@]/#*\//$build/run/}") replays=("${replays[@]/#*\//$build/run/}")
    fi
    [ -z "$root" ] || export CK_TIMEOUT_MULTIPLIER=20
    count unit tests/unit/run.sh "${units[@]}"
    count scenarios tests/scenarios.sh "$program" scenarios
    count reports tests/reports/run.sh "$program"
    count corpora tests/fuzz/run.sh testdata/fuzz "${replays[@]}"
    [ "${#COMMANDS[@]}" = 0 ] || commands
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
