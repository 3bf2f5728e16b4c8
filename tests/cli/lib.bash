# Sourced by the scripts of this folder: TAP results for commands run in a folder of their own.
# shellcheck shell=bash disable=SC2034 # variables are for those who source this
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
lifecheck=$(realpath "${LIFECHECK:-$root/build/release/lifecheck}")
data=$root/tests/cli/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH=1767225600
[ -z "${LIFECHECK_ALLOC:-}" ] || alloc=$(realpath "$LIFECHECK_ALLOC")
unset "${!LIFECHECK_@}" COLUMNS GITHUB_STEP_SUMMARY
LIFECHECK_ALLOC_PROGRAM=${alloc:-}
cd "$work" || exit 1

result() { # status of a test, its name
    if [ "$1" = 0 ]; then
        echo "ok - $2"
    else
        echo "not ok - $2"
        for file in "$work/stdout" "$work/stderr"; do
            [ ! -s "$file" ] || sed "s|^|#   |" "$file" | head -n 20
        done
    fi
}

# run COMMAND...: sets status, and the files stdout and stderr. A death by signal is not a status that
# any test needs, sanitizers included.
run() {
    "$@" >"$work/stdout" 2>"$work/stderr"
    status=$?
}

# wants STATUS NAME COMMAND...
wants() {
    local want=$1 name=$2
    shift 2
    run "$@"
    [ "$status" = "$want" ] || echo "#   exit status $status, not $want"
    [ "$status" = "$want" ]
    result $? "$name"
}

# findings: of each finding of the text report in stdout one line, its first two as they are printed:
# `severity[rule]: PATH: what is wrong` and `  --> FILE:LINE:COLUMN   OBJECT, ACTION, CALL`
findings() {
    sed -nE '/^ *(error|warning|info)\[[a-z]+\/[a-z-]+\]: /{N;s/\n */ /;p;}' "$work/stdout"
}

out_has() { # text, name
    grep -qF -- "$1" "$work/stdout"
    result $? "$2"
}

out_finds() { # name, pieces of the two lines of one finding
    local name=$1 found piece
    found=$(findings)
    shift
    for piece in "$@"; do
        found=$(grep -F -- "$piece" <<<"$found")
    done
    [ -n "$found" ]
    result $? "$name"
}

err_has() {
    grep -qF -- "$1" "$work/stderr"
    result $? "$2"
}

err_lines() { # number, name
    [ "$(wc -l <"$work/stderr")" = "$1" ]
    result $? "$2"
}

out_is() { # golden file, name
    if [ -n "${GOLDEN_ACCEPT:-}" ]; then
        cp "$work/stdout" "$root/tests/cli/golden/$1"
    fi
    diff -u "$root/tests/cli/golden/$1" "$work/stdout" | sed 's/^/# /' | head -n 40
    cmp -s "$root/tests/cli/golden/$1" "$work/stdout"
    result $? "$2"
}

# Does the process run? One that has ended stays as a zombie until its parent looks, and process 1 of a
# container may never do.
runs() { # process id
    local pid rest
    { read -r pid rest <"/proc/$1/stat"; } 2>/dev/null || return 1
    rest=${rest##*) }
    [ "${rest%% *}" != Z ] && [ "${rest%% *}" != X ]
}

children_of() { # process id
    local stat pid rest parent=$1
    for stat in /proc/[0-9]*/stat; do
        { read -r pid rest <"$stat"; } 2>/dev/null || continue
        rest=${rest##*) }
        # shellcheck disable=SC2086 # state, parent, ...
        set -- $rest
        [ "${2:-}" != "$parent" ] || echo "$pid"
    done
}
