#!/usr/bin/env bash
# Functions that are not used here: unbounded, dependent on the locale, or around the allocator;
# mutable statics inside functions; JSON written without the writer of lifecheck/base/json.h; symbols
# without the prefix.
set -u
shopt -s globstar
bad=$(
    grep -nE '\b(strcpy|strcat|strncpy|strncat|sprintf|vsprintf|strtok|atoi|strtod|atof|gets|localtime|setlocale|alloca|setjmp|longjmp|rand)[[:space:]]*\(' src/**/*.[ch] include/lifecheck/**/*.h
    grep -nE '\b(malloc|calloc|realloc|free)[[:space:]]*\(' src/**/*.[ch] | grep -v '^src/base/memory.c:'
    grep -nE '^[[:space:]]+static ' src/**/*.c | grep -vE 'static const|static char \*const|_Noreturn static|^src/base/memory.c:'
    grep -nE 'lc_buf_[a-z_]+\(.*([{,]\\"|\\":[^ ])' src/**/*.c
    grep -nwE 'TODO|FIXME|XXX|HACK' src/**/*.[ch] include/lifecheck/**/*.h tests/*/*.[ch] | grep -vF '" # TODO "' # TAP's directive
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - banned"
else
    echo "ok - banned"
fi
archives=("${BUILD:-build/release}"/{liblifecheck,cli}.a)
bad=$(nm -g --defined-only "${archives[@]}" 2>/dev/null | awk 'NF == 3 && $3 !~ /^lc_/ {print $3}' | grep -vE '^(__|_GLOBAL)')
if [ ! -e "${archives[0]}" ]; then
    echo "not ok - symbols: ${archives[0]} is not built"
elif [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - symbols without the prefix"
else
    echo "ok - symbols"
fi
