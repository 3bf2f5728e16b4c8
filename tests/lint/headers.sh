#!/usr/bin/env bash
# Every header compiles alone.
set -u
read -ra packages <<<"$PACKAGES"
flags=$(pkg-config --cflags "${packages[@]}")
for header in include/lifecheck/*.h src/*/*.h; do
    # shellcheck disable=SC2086 # flags are words
    if printf '#include "%s"\nint main(void);\n' "$header" |
        ${CC:-gcc} -std=c11 -fsyntax-only -Wall -Wextra -D_POSIX_C_SOURCE=200809L -Iinclude -I. \
            -I"$(dirname "$header")" $flags -x c - 2>"${TMPDIR:-/tmp}/header.$$"; then
        echo "ok - $header"
    else
        sed 's/^/# /' "${TMPDIR:-/tmp}/header.$$"
        echo "not ok - $header"
    fi
done
rm -f "${TMPDIR:-/tmp}/header.$$"
