#!/usr/bin/env bash
# Files of at most 1,000 lines, functions of at most 60 (the catalogue and tables excepted), folders
# of at most 30 files: more, and it is two rooms. A list grows with what it lists, one file each.
set -u
shopt -s globstar
lists=' src/contract/rules/ src/cli/commands/ src/catalog/rules/ '
bad=$(
    for folder in src/**/ include/lifecheck/**/; do
        [[ $lists != *" $folder "* ]] || continue
        files=$(find "$folder" -maxdepth 1 -type f | wc -l)
        [ "$files" -le 30 ] || echo "$folder: $files files"
    done
    for file in src/**/*.c src/**/*.h include/lifecheck/**/*.h tests/*/*.c; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 1000 ] || echo "$file: $lines lines"
    done
    awk 'FNR == 1 {start = 0} /^[a-z].*[a-z0-9_]+\(.*$/ && !/;$/ {name = $0; head = FNR}
         /^\{/ {start = FNR} /^\}/ {if (start && FNR - start > 61) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0}' src/**/*.c
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - sizes"
else
    echo "ok - sizes"
fi
