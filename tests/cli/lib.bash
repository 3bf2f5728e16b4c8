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

# run COMMAND...: sets status, and the files stdout and stderr. A death by signal is no status that
# any test wants, sanitizers included.
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

# headlines: of each finding of the text report in stdout one line, `FILE:LINE:COLUMN: severity: rule at PATH in CALL`
# or `rule of ADDRESS at PATH`, from the two lines in which the report says so when it is not folded
headlines() {
    awk '
        function subject(words,    parts, count, i, run) {
            count = split(words, parts, ", ")
            for (i = 1; i <= count; i++) {
                if (parts[i] ~ /^run [0-9]+$/) run = ", " parts[i]
                if (parts[i] ~ /^[A-Z][A-Za-z]+( \(|$)/) {
                    call = parts[i]
                    while (i < count && parts[i + 1] !~ /^#/) call = call ", " parts[++i]
                    return " at " path " in " call run
                }
            }
            return (parts[1] ~ /^#/ || parts[1] == "" ? "" : " of " parts[1]) (parts[2] ~ /^\./ ? " at " parts[2] : "") run
        }
        /^ *(error|warning|info)\[/ {
            severity = $1; sub(/\[.*/, "", severity)
            rule = $1; sub(/^[^[]*\[/, "", rule); sub(/\]:$/, "", rule)
            path = $0; sub(/^[^:]*: /, "", path)
            if (path ~ /^\./) sub(/: .*/, "", path); else path = "."
            expected = $0 ~ / \(not expected\)$/ ? ", not expected" : ""
        }
        /^ *--> / && rule {
            place = $0; sub(/^ *--> /, "", place)
            words = place; sub(/   .*/, "", place); sub(/^.*   /, "", words)
            print place ": " severity ": " rule subject(words) expected
            rule = ""
        }' "$work/stdout"
}

out_has() { # text, name
    grep -qF -- "$1" "$work/stdout" || headlines | grep -qF -- "$1"
    result $? "$2"
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
