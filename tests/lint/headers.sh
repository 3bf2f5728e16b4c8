#!/usr/bin/env bash
# Every header compiles alone, all public ones together, and no type's name has two definitions.
set -u
shopt -s globstar
read -ra packages <<<"$PACKAGES"
flags=$(pkg-config --cflags "${packages[@]}")
for header in include/lifecheck/*.h src/**/*.h; do
    # shellcheck disable=SC2086 # flags are words
    if printf '#include "%s"\nint main(void);\n' "$header" |
        ${CC:-gcc} -std=c11 -fsyntax-only -Wall -Wextra -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -I. \
            $flags -x c - 2>"${TMPDIR:-/tmp}/header.$$"; then
        echo "ok - $header"
    else
        sed 's/^/# /' "${TMPDIR:-/tmp}/header.$$"
        echo "not ok - $header"
    fi
done

# shellcheck disable=SC2086 # flags are words
if printf '#include "%s"\n' include/lifecheck/*.h |
    ${CC:-gcc} -std=c11 -fsyntax-only -Wall -Wextra -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -I. $flags -x c - 2>"${TMPDIR:-/tmp}/header.$$"; then
    echo "ok - all public headers together"
else
    sed 's/^/# /' "${TMPDIR:-/tmp}/header.$$"
    echo "not ok - all public headers together"
fi
rm -f "${TMPDIR:-/tmp}/header.$$"

# A type is defined by `} name;` at the left margin, or by `struct name {` after a typedef.
twice=$(grep -HoE '^(\} lc_[a-z_0-9]+;|(struct|union) lc_[a-z_0-9]+ \{)' include/lifecheck/*.h src/**/*.[ch] |
    sed -E 's/^([^:]*):\} (.*);$/\2 \1/; s/^([^:]*):(struct|union) (.*) \{$/\3 \1/' | sort -u |
    awk '{files[$1] = files[$1] " " $2; n[$1]++} END {for (name in n) if (n[name] > 1) print name ":" files[name]}')
if [ -z "$twice" ]; then
    echo "ok - each name of a type is defined once"
else
    echo "# $twice"
    echo "not ok - each name of a type is defined once"
fi
