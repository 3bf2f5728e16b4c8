#!/usr/bin/env bash
# clang-format has nothing to change, and shellcheck nothing to say.
set -u
shopt -s globstar
if ! command -v clang-format >/dev/null; then
    echo "ok - format # SKIP clang-format is not installed"
elif ! clang-format --version | grep -q ' version 14\.'; then
    echo "ok - format # SKIP this is not clang-format 14; others want other line breaks"
elif clang-format --dry-run -Werror src/**/*.[ch] include/lifecheck/**/*.h tests/*/*.[ch] 2>"${TMPDIR:-/tmp}/format.$$"; then
    echo "ok - format"
else
    grep -E 'error:' "${TMPDIR:-/tmp}/format.$$" | cut -d: -f1 | sort | uniq -c | sed 's/^/# /'
    echo "not ok - format"
fi
rm -f "${TMPDIR:-/tmp}/format.$$"
if ! command -v shellcheck >/dev/null; then
    echo "ok - shellcheck # SKIP shellcheck is not installed"
elif shellcheck -x -S warning -e SC2319 .ci/run .ci/deps packaging/{dist,deb,static} tests/examples tests/*.sh tests/*/*.sh tests/{cli,packaging}/lib.bash >"${TMPDIR:-/tmp}/shell.$$"; then
    echo "ok - shellcheck"
else
    sed 's/^/# /' "${TMPDIR:-/tmp}/shell.$$" | head -n 40
    echo "not ok - shellcheck"
fi
rm -f "${TMPDIR:-/tmp}/shell.$$"
