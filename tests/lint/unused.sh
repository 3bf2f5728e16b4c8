#!/usr/bin/env bash
# Every external name of the library and of the command line is used by another object of the product; what one file
# alone uses is static. That tests use a name is not a reason to have it, but for those listed here.
set -u
build=${BUILD:-build/release}
archives=("$build"/{liblifecheck,cli}.a)
allowed=(
    lc_core_compatible    # recorded verdicts of the cores about two values, without a case around them
    lc_version_allows     # constraints one by one; who uses them asks about all evidence at once
    lc_verdict_apply      # findings that no judgement gives together
    lc_config_read_text   # a settings file that is only text, for the corpora
    lc_cfn_patch_op_names # words of an enum, whose functions are inline
    lc_difference_names   # the same
)
if [ ! -e "${archives[0]}" ]; then
    echo "not ok - unused names: ${archives[0]} is not built"
    exit 1
fi
found=$(
    nm -A "${archives[@]}" "$build/obj/cli/main.o" 2>/dev/null | sed 's/^\([^:]*:\)*//' | awk '
        NF < 2 {next}
        $(NF - 1) ~ /^[TDRBC]$/ {defined[$NF]}
        $(NF - 1) == "U" {used[$NF]}
        END {for (name in defined) if (!(name in used) && name != "main") print name}' | sort
)
unused=$(comm -23 - <(printf '%s\n' "${allowed[@]}" | sort) <<<"$found")
gone=$(comm -13 - <(printf '%s\n' "${allowed[@]}" | sort) <<<"$found")
if [ -n "$unused$gone" ]; then
    [ -z "$unused" ] || printf '%s\n' "$unused" | sed 's/^/# no other file uses /'
    [ -z "$gone" ] || printf '%s\n' "$gone" | sed 's/^/# needs no exception: /'
    echo "not ok - unused names"
else
    echo "ok - unused names"
fi
if [ "$(nm "${archives[@]}" 2>/dev/null | grep -c ' T ')" -lt 500 ]; then
    echo "not ok - names are looked for where they stand"
fi
