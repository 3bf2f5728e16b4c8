#!/usr/bin/env bash
# No mutable globals: nothing of ours lies in .data or .bss, the signal handler's module included.
# One exception: the key of all hashes, set once before anything is hashed.
set -u
archives=("${BUILD:-build/release}"/{liblifecheck,cli}.a)
if [ ! -e "${archives[0]}" ]; then
    echo "not ok - globals: ${archives[0]} is not built"
    exit 1
fi
found=$(objdump -t "${archives[@]}" 2>/dev/null |
    awk '/file format/ {file = $1} ($4 == ".data" || $4 == ".bss" || $3 == ".data" || $3 == ".bss") && $NF !~ /^\./ && $(NF-1) != "0000000000000000" {print file, $NF}' |
    grep -vxE '(.*/base/)?hash\.o: keys')
if [ -n "$found" ]; then
    echo "$found" | sed 's/^/# /'
    echo "not ok - globals"
else
    echo "ok - globals"
fi
