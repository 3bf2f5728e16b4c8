#!/usr/bin/env bash
# The museum: each scenario begins with its link, version, mechanism, message and who was to blame, and
# the table of its README is what the files say. GOLDEN_ACCEPT=1 renews the table.
set -u
export LC_ALL=C
readme=scenarios/museum/README.md
bad=$(
    for file in scenarios/museum/*.yaml; do
        id=$(basename "$file" .yaml)
        awk -v file="$file" -v number="${id##*-}" '
            NR == 1 && $0 !~ "^# https://github.com/[^/]+/[^/]+/(issues|pull)/" number "$" {print file ": no link to #" number}
            NR >= 2 && NR <= 5 {split("Version Mechanism Seen Blame", field, " ")
                                if ($0 !~ "^# " field[NR - 1] ": .") print file ":" NR ": not " field[NR - 1]}
            NR == 5 && $0 !~ /^# Blame: (provider|SDK|core)$/ {print file ": to blame is a provider, an SDK or a core"}
            NR == 6 && $0 != "#" {print file ": no empty line before the story"}
            NR > 6 && /^# / {story++} /^lifecheck: 1$/ {exit}
            END {if (!story) print file ": no story"}' "$file"
    done
)
table=$(
    echo "| project | issue | mechanism | rules | diagnosis | to blame |"
    echo "|---|---|---|---|---|---|"
    for file in scenarios/museum/*.yaml; do
        awk -v name="$(basename "$file")" '
            function link(text, target) {return "[" text "](" target ")"}
            NR == 1 {url = $2; split(url, part, "/"); project = part[4] "/" part[5]; number = part[7]}
            /^# Mechanism: / {mechanism = substr($0, 14)}
            /^# Blame: / {blame = $3}
            match($0, /rule: [a-z]+\/[a-z-]+/) {
                rule = substr($0, RSTART + 6, RLENGTH - 6)
                if (!(rule in seen)) rules = rules (rules ? ", " : "") rule
                seen[rule] = 1
            }
            match($0, /diagnosis: [a-z-]+/) {
                id = substr($0, RSTART + 11, RLENGTH - 11)
                if (!(id in known)) ids = ids (ids ? ", " : "") id
                known[id] = 1
            }
            END {print "| " project " | " link("#" number, url) " | " link(mechanism, name) " | " (rules ? rules : "none") " | " ids " | " blame " |"}' "$file"
    done
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - museum: heads"
else
    echo "ok - museum: heads"
fi
if [ -n "${GOLDEN_ACCEPT:-}" ]; then
    head=$(sed '/^| project /,$d' "$readme")
    printf '%s\n\n%s\n' "$head" "$table" >"$readme"
fi
if diff <(sed -n '/^| project /,$p' "$readme") <(echo "$table") | sed 's/^/# /' | grep .; then
    echo "not ok - museum: the table is not what the files say; GOLDEN_ACCEPT=1 renews it"
else
    echo "ok - museum: table"
fi
