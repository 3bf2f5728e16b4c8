#!/bin/bash
# macos.sh TARGET...: everything is compiled and linked for macOS, by zig and with libraries from Debian's sources: the program,
# the tests' client and provider, the unit tests. Nothing is run; .github/workflows/macos.yml does that on a public forge.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0 skipped=0
rm -f a.o
for target in "$@"; do
    if ! why=$(packaging/zig 2>&1 >/dev/null); then
        echo "skipped: $target ($why)"
        skipped=$((skipped + 1))
        continue
    fi
    if ! why=$(packaging/libraries "$target" 2>&1); then
        echo "skipped: $target ($(tail -n 1 <<<"$why"))"
        skipped=$((skipped + 1))
        continue
    fi
    build=build/cross/$target libraries=$PWD/build/libraries/$target
    mapfile -t units < <(printf '%s\n' tests/unit/test_*.c | sed "s,^tests/\(.*\)\.c,$build/tests/\1,")
    for part in "$build/lifecheck" "$build/tests/record/provider $build/tests/record/client" ${UNITS:+"${units[*]}"}; do
        read -ra files <<<"$part"
        mkdir -p "$build"
        if "${MAKE:-make}" --no-print-directory -j"${JOBS:-$(nproc)}" BUILD="$build" CC="$libraries/cc" AR="$libraries/ar" CC_FOR_BUILD="${CC:-gcc}" SAME='' \
            PKG_CONFIG="env PKG_CONFIG_LIBDIR=$libraries/lib/pkgconfig pkg-config" "${files[@]}" >"$build/build.log" 2>&1 &&
            [ "$(od -An -tx4 -N4 "${files[0]}" | tr -d ' ')" = feedfacf ]; then
            passed=$((passed + ${#files[@]}))
            echo "ok - $target: ${files[*]##*/}"
        else
            failed=$((failed + 1))
            echo "not ok - $target: ${files[*]##*/}"
            grep -E 'error|undefined' "$build/build.log" | head -n 20
        fi
    done
done
if [ -e a.o ]; then
    echo "not ok - nothing is left outside of build/: a.o"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
