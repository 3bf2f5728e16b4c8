# Sourced after lib.bash by scripts about `lifecheck predict`: the errors of the configuration in this folder.
# shellcheck shell=bash disable=SC2154 # variables of lib.bash
errors() { # name, client, expected "Summary name" lines...
    local name=$1 as=$2
    shift 2
    "$lifecheck" predict . --as "$as" --format json >"$work/stdout" 2>"$work/stderr"
    python3 - "$work/stdout" "$@" <<'P'
import json, re, sys
report = json.load(open(sys.argv[1]))
found = sorted(e["summary"] + ": " + e.get("detail", "") for e in report["cases"][0]["prediction"]["errors"])
print(*found, sep="\n", file=open("found", "w"))
sys.exit(0 if len(found) == len(sys.argv) - 2 and all(sum(bool(re.search(p, f)) for f in found) == 1 for p in sys.argv[2:]) else 1)
P
    result $? "$as: $name"
}
