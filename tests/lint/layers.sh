#!/usr/bin/env bash
# An include points to the same or a lower layer only, as the table of src/README.md draws it. A module is a folder of
# src/, with its public headers in the folder of the same name in include/lifecheck/. A header below src/ is included by
# its own module alone, and by no public header; third-party headers are included by the module that owns them.
set -u
shopt -s globstar
table=$(mktemp)
trap 'rm -f "$table"' EXIT
awk -F'|' '/^\| [0-9]/ {gsub(/ /, "", $2); gsub(/ /, "", $3); print "module", $3, $2
           for (i = split($5, foreign, " "); i > 0; i--) print "foreign", foreign[i], $3}' src/README.md >"$table"
bad=$(
    grep -H '^#include ' src/**/*.[ch] include/lifecheck/**/*.h | sed -nE 's/:#include [<"]([^">]*)[">].*/ \1/p' | awk -v table="$table" '
        BEGIN {while ((getline line < table) > 0) {split(line, w, " ")
                   if (w[1] == "module") layer[w[2]] = w[3]
                   if (w[1] == "foreign") owner[w[2]] = owner[w[2]] " " w[3]}}
        {public = $1 ~ /^include\//; mine = $1; sub(/^(include\/lifecheck|src)\//, "", mine); sub(/\/.*/, "", mine)
         name = $2; sub(/.*\//, "", name); folder = $2; sub(/^lifecheck\//, "", folder); sub(/\/.*/, "", folder)}
        !(mine in layer) {print $1 ": module " mine " is not in the table"; next}
        $2 ~ /^lifecheck\// {
            if (!(folder in layer)) print $1 ": " $2 " is in no module of the table"
            else if (layer[folder] > layer[mine]) print $1 ": includes " $2 " of a higher layer"; next}
        $2 ~ /\// && (folder in layer) && public {print $1 ": a public header includes " $2 ", which is private"; next}
        $2 ~ /\// && (folder in layer) && folder != mine {print $1 ": " $2 " is for " folder " alone"}
        (name in owner) && index(owner[name] " ", " " mine " ") == 0 {print $1 ": " $2 " belongs to" owner[name]}'
    for header in include/lifecheck/*.h; do
        [ ! -e "$header" ] || echo "$header is in no folder of a module"
    done
    for folder in include/lifecheck/*/; do
        grep -q "^module $(basename "$folder") " "$table" || echo "$folder is of no module of the table"
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
