#!/usr/bin/env bash
# run.sh [FILE...]: clang-tidy, gcc -fanalyzer and cppcheck over src/ (or these files of it), as compile_commands.json says
# that they are compiled. A finding that tests/analyze/known.txt does not list is a failure. TOOLS=cppcheck asks one alone.
set -u
jobs=${JOBS:-$(nproc)}
known=tests/analyze/known.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
tools=" ${TOOLS:-clang-tidy gcc-analyzer cppcheck} "

# Each C file of src/ that is asked for, and how it is compiled.
printf '%s\n' "$@" >"$work/wanted"
awk -F'"' -v wanted="$work/wanted" 'BEGIN {while ((getline file < wanted) > 0) if (file != "") {only[file]; some = 1}}
    $8 ~ /^src\// && (!some || ($8 in only)) {print $8}' compile_commands.json >"$work/files"
while read -r file; do
    grep -F "\"file\": \"$file\"" compile_commands.json | sed 's/.*"command": "\(.*\)"},\?$/\1/; s/\\"/"/g'
done <"$work/files" >"$work/commands"

# judge TOOL: its output, lines `FILE:LINE:COLUMN: KIND: MESSAGE [ID]`, against the list
judge() {
    sed -n "s,^$PWD/,,; s/^\(src[^:]*\|include[^:]*\):\([0-9]*\):[0-9]*: [a-z]*: \(.*\) \[-\?\([A-Za-z.,-]*\)\]\$/\1 \4 \2 \3/p" "$work/output" | sort -u >"$work/findings"
    awk -v tool="$1" -v list="$known" '
        BEGIN {while ((getline line < list) > 0) {split(line, w, " "); if (w[1] == tool) known[w[2] " " w[3]]}}
        {if (($1 " " $2) in known) used[$1 " " $2]; else {file = $1; id = $2; at = $3; $1 = $2 = $3 = ""; print file ":" at ":" $0 " [" id "]"}}
        END {for (entry in known) if (!(entry in used)) print "# not found by this " tool ": " entry > "/dev/stderr"}' \
        "$work/findings" >"$work/new" 2>"$work/unused"
    [ "$asked" != all ] || cat "$work/unused"
    if [ -s "$work/new" ]; then
        sed 's/^/    /' "$work/new"
        echo "not ok - $1"
        failed=$((failed + 1))
    else
        echo "ok - $1"
        passed=$((passed + 1))
    fi
}
skip() { # TOOL
    echo "ok - $1 # SKIP $1 is not installed"
    skipped=$((skipped + 1))
}
asked=${1:-all}
if [ ! -s "$work/files" ]; then
    echo "compile_commands.json has no such file"
    exit 1
fi

if [[ $tools != *" clang-tidy "* ]]; then
    :
elif command -v clang-tidy >/dev/null; then
    xargs -n 8 -P "$jobs" clang-tidy --quiet <"$work/files" >"$work/output" 2>/dev/null
    judge clang-tidy
else
    skip clang-tidy
fi
if [[ $tools != *" gcc-analyzer "* ]]; then
    :
elif gcc -fanalyzer -E -x c /dev/null >/dev/null 2>&1; then
    # gcc 12 does not see that a function that returns true has set what its pointer names; cppcheck looks for such values.
    # shellcheck disable=SC2016 # $0 is the line
    sed 's/^[^ ]*/gcc/; s/ -c / -fanalyzer -Wno-analyzer-use-of-uninitialized-value -S -o \/dev\/null /' "$work/commands" | xargs -d '\n' -n 1 -P "$jobs" sh -c 'eval "$0"' >"$work/output" 2>&1
    judge gcc-analyzer
else
    skip gcc-analyzer
fi
if [[ $tools != *" cppcheck "* ]]; then
    :
elif command -v cppcheck >/dev/null; then
    # The last three are its own: it cannot read some of C11's macros, and follows no more than it has time for.
    cppcheck -q -j "$jobs" -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L --std=c11 --enable=warning,performance,portability \
        --template='{file}:{line}:{column}: {severity}: {message} [{id}]' --suppress=missingIncludeSystem \
        --suppress=syntaxError --suppress=internalAstError --suppress=normalCheckLevelMaxBranches \
        --file-list="$work/files" >"$work/output" 2>&1
    judge cppcheck
else
    skip cppcheck
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
