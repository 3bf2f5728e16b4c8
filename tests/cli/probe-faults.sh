#!/bin/bash
# `lifecheck probe` with the provider that computes: of each fault the law that is about it finds it
# by the rule that is about it, in a small scenario that `check` judges alone; on the honest
# provider there is nothing to find.
# Takes long, so it starts first.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
peer=$(dirname "$lifecheck")/tests/probe/provider
look=$root/tests/cli/checks/probe_finding.py

if [ ! -x "$peer" ]; then
    echo "ok - faults found by probe # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
if ! command -v python3 >/dev/null; then
    echo "ok - faults found by probe # SKIP python3 is not installed"
    exit 0
fi
mkdir run home
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME

# provider FOLDER NAME=VALUE...: one with these settings, in a folder of its own; sets provider
provider() {
    mkdir -p "$1"
    provider=$work/$1/terraform-provider-peer
    ln -f "$peer" "$provider" 2>links || cp "$peer" "$provider"
    printf '%s\n' "${@:2}" "PEER_LOG=$work/$1/log" >"$provider.env"
}

# ask OPTION...: the provider
ask() {
    run timeout -k 5 120 "$lifecheck" probe --provider "$provider" --state "$root/tests/cli/data/peer.tfstate" "$@"
}

# ---- The honest provider

for protocol in 5 6; do
    provider "honest$protocol" "PROTOCOL=$protocol"
    ask --law '*' --type 'peer_*,provider,function.*' -o "honest$protocol/found" --format json
    cp stderr "honest$protocol/stderr"
    [ "$status" = 0 ] && python3 "$look" stdout none 2>stderr
    result $? "protocol $protocol: nothing is found on the honest provider"
    ! grep -F "a mistake of lifecheck itself" "honest$protocol/stderr" >stdout
    result $? "protocol $protocol: it is asked nothing that no client asks"
    ! grep -E ' call (Apply|Read|Import|Open|Invoke)' "honest$protocol/log" >stdout
    result $? "protocol $protocol: nothing is applied, read, imported or opened"
    grep -E ' call Configure' "honest$protocol/log" | sort | uniq -d >stdout
    [ "$(grep -cE ' call Configure' "honest$protocol/log")" -gt 3 ] && [ ! -s stdout ]
    result $? "protocol $protocol: no process is configured twice"
done

# ---- Faults

while IFS=$'\t' read -r word law rules type; do
    [ "$law" != 0 ] || continue
    provider "$word" "FAULT=$word"
    ask --law "$law" ${type:+--type "$type"} -o "$word/found" --format json --timeout 2 --fail-on info --strict
    mv stdout "$word/report.json"
    [ "$status" -le 1 ] || echo "#   exit status $status"
    python3 "$look" "$word/report.json" "$rules" >found 2>stderr
    result $? "$word: law $law finds it"
    read -r file leaves rule <found || continue
    [ -f "$file" ]
    result $? "$word: a scenario shows it"
    [ -f "$file" ] || continue
    echo "$leaves" >>leaves
    [ "$leaves" -le 8 ]
    result $? "$word: in $leaves leaves"
    run "$lifecheck" check "$file"
    [ "$status" = 0 ] && grep -qF "rule: $rule" "$file" && grep -qF '1 meets its expectation' stdout
    result $? "$word: the scenario shows it alone"
done < <("$peer" faults)
if [ -s leaves ]; then
    sort -n leaves | awk '{n[NR] = $1} END {print "# leaves: median " n[int((NR + 1) / 2)] ", most " n[NR] ", " NR " scenarios"}'
fi
[ -z "$(ls run)" ]
result $? "no socket is left"
