#!/usr/bin/env bash
# Every header compiles alone, a public one with -Iinclude alone; all public ones together; and no type's name has two
# definitions. One run of the compiler reads all headers, each as if it were the first: as a file that includes it.
set -u
shopt -s globstar
read -ra packages <<<"$PACKAGES"
read -ra flags <<<"$(pkg-config --cflags "${packages[@]}")"
# shellcheck source=tests/lint/unchanged.bash
. "$(dirname "$0")/unchanged.bash"

# What any header hangs on: all headers and lists, the compiler, the libraries.
all=$(cat include/lifecheck/**/*.{h,def} src/**/*.{h,def}; ${CC:-gcc} --version; pkg-config --modversion "${packages[@]}"; echo "${flags[@]}")

compiles() { # name, directories for -I, headers: one file for each, all in one call
    local name=$1 include=$2 n=0 header
    shift 2
    if [ -z "$(changed "headers$include" "$all" "$@")" ]; then
        printf 'ok - %s\n' "$@"
        return
    fi
    rm -f "$work"/*.c
    for header in "$@"; do
        n=$((n + 1))
        printf '#include "%s"\nint main(void);\n' "$PWD/$header" >"$work/$n.c"
    done
    # shellcheck disable=SC2086 # a list of options
    if [ "$n" -gt 0 ] && ${CC:-gcc} -std=c11 -fsyntax-only -Wall -Wextra -D_POSIX_C_SOURCE=200809L $include "${flags[@]}" "$work"/*.c 2>"$work/errors"; then
        clean "headers$include"
        printf 'ok - %s\n' "$@"
    else
        sed "s,$PWD/,,; s/^/# /" "$work/errors"
        echo "not ok - $n headers, $name"
    fi
}
compiles "public, with -Iinclude alone" -Iinclude include/lifecheck/**/*.h
compiles "private" "-Iinclude -Isrc -I." src/**/*.h

printf '#include "%s"\n' include/lifecheck/**/*.h >"$work/all.h"
if ${CC:-gcc} -std=c11 -fsyntax-only -Wall -Wextra -D_POSIX_C_SOURCE=200809L -Iinclude -I. "${flags[@]}" -x c - <"$work/all.h" 2>"$work/errors"; then
    echo "ok - all public headers together"
else
    sed 's/^/# /' "$work/errors"
    echo "not ok - all public headers together"
fi

# A type is defined by `} name;` at the left margin, or by `struct name {` after a typedef.
twice=$(grep -HoE '^(\} lc_[a-z_0-9]+;|(struct|union) lc_[a-z_0-9]+ \{)' include/lifecheck/**/*.h src/**/*.[ch] |
    sed -E 's/^([^:]*):\} (.*);$/\2 \1/; s/^([^:]*):(struct|union) (.*) \{$/\3 \1/' | sort -u |
    awk '{files[$1] = files[$1] " " $2; n[$1]++} END {for (name in n) if (n[name] > 1) print name ":" files[name]}')
if [ -z "$twice" ]; then
    echo "ok - each name of a type is defined once"
else
    echo "# $twice"
    echo "not ok - each name of a type is defined once"
fi
