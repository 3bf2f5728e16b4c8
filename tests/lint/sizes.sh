#!/usr/bin/env bash
# Files of at most 1,000 lines, functions of at most 60 (the catalogue and tables excepted), folders
# of at most 30 files: more, and it is two rooms. A list grows with what it lists, one file each.
set -u
shopt -s globstar
lists=' src/contract/rules/ src/cli/commands/ src/catalog/rules/ '
bad=$(
    find src include/lifecheck -type f | awk -v lists="$lists" '
        {folder = $0; sub(/[^\/]*$/, "", folder); files[folder]++}
        END {for (folder in files) if (files[folder] > 30 && !index(lists, " " folder " ")) print folder ": " files[folder] " files"}'
    awk 'FNR > 1000 && !(FILENAME in long) {long[FILENAME]; print FILENAME ": more than 1,000 lines"}' \
        src/**/*.[ch] include/lifecheck/**/*.h tests/*/*.c
    awk 'FNR == 1 {start = 0} /^[a-z].*[a-z0-9_]+\(.*$/ && !/;$/ {name = $0; head = FNR}
         /^\{/ {start = FNR} /^\}/ {if (start && FNR - start > 61) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0}' src/**/*.c
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - sizes"
else
    echo "ok - sizes"
fi
