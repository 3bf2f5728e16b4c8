#!/usr/bin/env bash
# clang-format has nothing to change, in either version that the sources are written for, and shellcheck nothing to report.
# Takes long, so it starts first.
set -u
shopt -s globstar
# shellcheck source=tests/lint/unchanged.bash
. "$(dirname "$0")/unchanged.bash"

formats=$(sh tools/clang-formats.sh)
for version in 14 19; do
    command=$(sed -n "s/^$version //p" <<<"$formats")
    if [ -z "$command" ]; then
        echo "ok - format by clang-format $version # SKIP clang-format $version is not installed"
        continue
    fi
    changed "format-$version" "$("$command" --version; cat .clang-format)" src/**/*.[ch] include/lifecheck/**/*.h tests/*/*.[ch] >"$work/files"
    if xargs -r -n 100 -P "$(nproc)" "$command" --dry-run -Werror <"$work/files" 2>"$work/errors"; then
        clean "format-$version"
        echo "ok - format by clang-format $version"
    else
        grep -E 'error:' "$work/errors" | cut -d: -f1 | sort | uniq -c | sed 's/^/# /'
        echo "not ok - format by clang-format $version"
    fi
done

libraries=(tests/{cli,lint,packaging}/*.bash)
options=(-x -S warning -e SC2319)
if ! command -v shellcheck >/dev/null; then
    echo "ok - shellcheck # SKIP shellcheck is not installed"
    exit 0
fi
# What a script sources counts as a part of it.
changed shellcheck "$(shellcheck --version; echo "${options[@]}"; cat "${libraries[@]}")" \
    .ci/run .ci/deps packaging/{apt.sh,arch.sh,binary,deb,dist,libraries,release-check,sbom,static,sysroot,zig} tests/examples tools/*.sh tests/*.sh tests/*/*.sh "${libraries[@]}" >"$work/files"
if xargs -r -n 8 -P "$(nproc)" shellcheck "${options[@]}" <"$work/files" >"$work/errors"; then
    clean shellcheck
    echo "ok - shellcheck"
else
    sed 's/^/# /' "$work/errors" | head -n 40
    echo "not ok - shellcheck"
fi
