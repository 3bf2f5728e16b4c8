#!/usr/bin/env bash
# Figures of the house: lines, files, folders, functions, parameters, comments. Prints, judges nothing.
# `measure.sh [FOLDER]` measures another tree, so that two commits can be compared.
set -u
shopt -s globstar nullglob
cd "${1:-.}" || exit 2
sources=(src/**/*.c)
headers=(src/**/*.h include/lifecheck/**/*.h)
tables=(src/**/*.def include/lifecheck/**/*.def)
lines() { cat "$@" /dev/null | wc -l; }
# Non-blank lines that belong to a comment; a remark behind code does not count.
comments() {
    awk '/^[ \t]*$/ {next} {n++} inside {c++; if (/\*\//) inside = 0; next}
         /^[ \t]*\/\// {c++} /^[ \t]*\/\*/ {c++; if (!/\*\//) inside = 1}
         END {printf "%.1f %%", n ? 100 * c / n : 0}' "$@"
}
printf '.c     %5d files %6d lines, comments %s of non-blank lines\n' ${#sources[@]} "$(lines "${sources[@]}")" "$(comments "${sources[@]}")"
printf '.h     %5d files %6d lines, comments %s\n' ${#headers[@]} "$(lines "${headers[@]}")" "$(comments "${headers[@]}")"
printf '.def   %5d files %6d lines\n' ${#tables[@]} "$(lines "${tables[@]}")"
printf 'C in all (.c and .h) %d lines\n' "$(lines "${sources[@]}" "${headers[@]}")"
printf 'longest file: %s\n' "$(wc -l "${sources[@]}" | sort -n | awk '$2 != "total" {last = $2 " " $1 " lines"} END {print last}')"
for folder in src/**/; do
    echo "$(find "$folder" -maxdepth 1 -type f | wc -l) $folder"
done | sort -rn | head -3 | awk '{printf "folder %s: %d files\n", $2, $1}'
awk 'FNR == 1 {body = 0; text = ""} /^[a-z_].*[(]/ && !body {text = ""} !body {text = text $0}
     /^\{/ && !body {body = FNR; params = text; sub(/.*[ *]lc_[a-z0-9_]*\(|^[^(]*\(/, "", params); count = gsub(/,/, ",", params) + 1}
     /^\}/ && body {print FNR - body - 1, count; body = 0; text = ""}' "${sources[@]}" | sort -n |
    awk '{size[NR] = $1; if ($1 > 60) long++; if ($1 > 40) forty++; if ($2 > 5) many++}
         END {printf "functions: %d, lines p50 %d p90 %d p99 %d max %d, over 40 lines %d, over 60 lines %d, more than 5 parameters %d\n",
              NR, size[int(NR * .5)], size[int(NR * .9)], size[int(NR * .99)], size[NR], forty, long, many}'
