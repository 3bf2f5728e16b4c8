#!/usr/bin/env bash
# Probing one provider cannot change anything: its module and its command include none of the headers
# with calls that change or read the world, and name none of these calls. Only the comparison of two
# versions does (law 39), by world.h.
set -u
shopt -s nullglob
files=(src/probe/*.[ch] src/probe/*/*.[ch] src/cli/commands/probe/*.[ch] src/cli/seeds.[ch])
if [ ${#files[@]} = 0 ]; then
    echo "ok - probe # SKIP there is no such module"
    exit 0
fi
world=' src/probe/world.c src/probe/world.h '
mapfile -t files < <(for file in "${files[@]}"; do [[ $world == *" $file "* ]] || echo "$file"; done)
bad=$(
    grep -HlE '#include "probe/(world|laws/newer)\.h"' "${files[@]}" | grep -vE '^src/probe/laws/newer[a-z_]*\.[ch]$'
    grep -HnE '#include "(lifecheck/drive|drive/)' "${files[@]}"
    grep -HnE '\blc_driver_|\blc_client_(read|apply|import|move|read_data|open_ephemeral)\b' "${files[@]}"
    grep -HnE '"(Apply|Import|Move|Invoke|Open|Renew|Read)(Resource|DataSource|EphemeralResource|Action)[A-Za-z]*"' "${files[@]}"
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - probe changes nothing"
else
    echo "ok - probe changes nothing"
fi
