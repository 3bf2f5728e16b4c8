#!/usr/bin/env bash
# Every rule of the catalogue: its slug is on the frozen list, it is emitted somewhere, and it has a
# failing scenario and a near miss, or a unit test that says why not.
# Every diagnosis is chosen somewhere, and has a scenario with it and a near miss.
set -u
shopt -s globstar
rows=$("${LIFECHECK:-build/release/lifecheck}" rules --format tsv | cut -f 1)
count=$(echo "$rows" | wc -l)
if [ "$count" -gt 100 ]; then
    echo "ok - $count rows"
else
    echo "not ok - $count rows were printed"
fi
# The id is the slug in capitals, and the row stands in the file of its family.
bad=$(
    awk 'function id(slug) {slug = toupper(slug); gsub(/[\/-]/, "_", slug); return slug}
        FILENAME != "-" {while (match($0, /RULE\([A-Z0-9_]+, "[^"]*",/)) {
                             row[FILENAME substr($0, RSTART, RLENGTH)]; $0 = substr($0, RSTART + RLENGTH)}; next}
        {split($1, part, "/")
         if (!("src/catalog/rules/" part[1] ".def" "RULE(" id($1) ", \"" $1 "\"," in row))
             print $1 " has no row with the id " id($1) " in its family\047s file"}' src/catalog/rules/*.def - <<<"$rows"
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - ids and files"
else
    echo "ok - ids and files"
fi
if diff <(echo "$rows" | sort) <(sort testdata/golden/slugs.txt) | sed 's/^/# /' | grep .; then
    echo "not ok - slugs"
else
    echo "ok - slugs"
fi
# The walk over values emits a rule of final/ or apply/ by its common part.
bad=$(
    {
        grep -ohE '\bLC_RULE_[A-Z0-9_]+\b|\bRULE\(w, [A-Z0-9_]+\)' src/**/*.c | sort -u | sed 's/^/emitted /'
        sed 's/^/alone /' tests/lint/no-scenario.txt
        find scenarios -mindepth 3 -name '*-*' | sed -nE 's,^scenarios/([^/]+/[^/]+)/(fail|pass)-.*,\2 \1,p' | sort -u
        echo "$rows" | sed 's/^/row /'
    } | awk '
        $1 != "row" {known[$0]; next}
        {
            slug = $2; id = toupper(slug); gsub(/[\/-]/, "_", id); part = id; sub(/^[^_]*_/, "", part)
            common = slug ~ /^(final|apply)\// && ("emitted RULE(w, " part ")" in known)
            if (!("emitted LC_RULE_" id in known) && !common) print slug " is emitted nowhere"
            if ("alone " slug in known) next
            if (!("fail " slug in known)) print slug " has no fail- scenario"
            if (!("pass " slug in known)) print slug " has no pass- scenario"
        }'
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - rules"
else
    echo "ok - rules"
fi

bad=$(
    tr '\n' ' ' <src/diagnose/diagnoses.def | grep -o 'LC_DIAGNOSIS([A-Z_]*, *"[a-z-]*"' | tr -d '("' | sed 's/LC_DIAGNOSIS//; s/, */ /' |
        while read -r id name; do
            grep -q "DIAGNOSIS_$id\b" src/diagnose/choose.c || echo "$name is chosen nowhere"
            grep -q "diagnosis: $name\b" scenarios/diagnosis/"$name"/fail*.yaml 2>/dev/null || echo "$name has no fail- scenario"
            ls scenarios/diagnosis/"$name"/near*.yaml >/dev/null 2>&1 || echo "$name has no near miss"
        done
    for folder in scenarios/diagnosis/*/; do
        grep -q "\"$(basename "$folder")\"" src/diagnose/diagnoses.def || echo "$folder is of no diagnosis"
    done
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - diagnoses"
else
    echo "ok - diagnoses"
fi
bad=$(
    sed 's,/.*,,' testdata/golden/slugs.txt | sort -u | while read -r family; do
        case $family in
        function | list) file=contract/rules/schema.c ;; # what they demand is about their schemas
        run) file=plan_rules ;;
        provider) file=provider_config ;;
        *) file=contract/rules/$family ;;
        esac
        [ -e "src/$file" ] || [ -e "src/$file.c" ] || echo "no file of the family $family: src/$file.c"
    done
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - a slug leads to its file"
else
    echo "ok - a slug leads to its file"
fi
