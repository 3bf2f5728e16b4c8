#!/usr/bin/env bash
# An include points to the same or a lower layer only, as the table of src/README.md draws it; a
# header below src/ is included by its own module alone; third-party headers are included by the
# module that owns them. A module is a folder of src/, whatever folders it has itself.
set -u
shopt -s globstar
awk -F'|' '/^\| [0-9]/ {gsub(/ /, "", $2); gsub(/ /, "", $3); print $2, $3, ":", $5, ":", $6}' src/README.md |
    awk '{layer = $1; module = $2; part = 0
          for (i = 3; i <= NF; i++) if ($i == ":") part++; else if (part == 1) print "header", $i, layer, module; else if (part == 2) print "foreign", $i, layer, module
          print "module", module, layer, module}' >"${TMPDIR:-/tmp}/layers.$$"
table="${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "$table"' EXIT
bad=$(
    for file in src/**/*.[ch]; do
        module=${file#src/}
        module=${module%%/*}
        sed -n 's/^#include [<"]\([^">]*\)[">].*/\1/p' "$file" | sed "s|^|$file $module |"
    done | awk -v table="$table" '
        BEGIN {while ((getline line < table) > 0) {split(line, w, " ")
                   if (w[1] == "header") layer_of[w[2]] = w[3]
                   if (w[1] == "foreign") owner[w[2]] = owner[w[2]] " " w[4]
                   if (w[1] == "module") mine[w[2]] = w[3]}}
        !($2 in mine) {print $1 ": module " $2 " is not in the table"; next}
        $3 ~ /^lifecheck\// {name = $3; sub(/^lifecheck\//, "", name); sub(/\.(h|def)$/, "", name)
            if (!(name in layer_of)) print $1 ": " $3 " is not in the table"
            else if (layer_of[name] > mine[$2]) print $1 ": includes " $3 " of a higher layer"; next}
        {folder = $3; sub(/\/.*/, "", folder)}
        $3 ~ /\// && (folder in mine) && folder != $2 {print $1 ": " $3 " is for " folder " alone"}
        {name = $3; sub(/.*\//, "", name)}
        (name in owner) && index(owner[name] " ", " " $2 " ") == 0 {print $1 ": " $3 " belongs to" owner[name]}'
    for header in include/lifecheck/*.h; do
        name=$(basename "$header" .h)
        grep -q "^header $name " "$table" || echo "$header is not in the table"
    done
    awk '$1 == "module" {print $2}' "$table" | while read -r module; do
        [ -d "src/$module" ] || echo "module $module of the table has no folder"
    done
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - layers"
else
    echo "ok - layers"
fi
