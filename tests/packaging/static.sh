#!/bin/bash
# The static program: needs no library, and runs in a root that holds nothing else.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
if ! ls "$(pkg-config --variable=libdir libcjson)/libcjson.a" >/dev/null 2>&1 && [ -z "${CJSON:-}" ] &&
    { ! type -P apt-get >/dev/null || ! type -P dpkg-source >/dev/null; }; then
    skip "the static program" "there is neither libcjson.a nor Debian's sources (apt-get, dpkg-source)"
    exit 0
fi
run make -s "$jobs" -C "$root" static CC="$cc"
[ "$status" = 0 ]
result $? "make static"
! grep -q warning "$work/output"
result $? "without warnings but the one that is explained"
program=$root/build/static/lifecheck
[ -x "$program" ] && ! readelf -d "$program" | grep -q NEEDED && ! readelf -l "$program" | grep -q INTERP
result $? "it needs neither a library nor a loader"
mkdir -p "$work/bare/tmp"
cp "$program" "$root/tests/cli/data/conforms.yaml" "$work/bare/"
if [ "$(id -u)" = 0 ] && chroot "$work/bare" /lifecheck --version >/dev/null 2>&1; then
    run chroot "$work/bare" /lifecheck conforms.yaml
    [ "$status" = 0 ] && grep -q '1 conforms' "$work/output"
    result $? "it judges in an empty root"
else
    skip "in an empty root" "only root can try"
fi
run "$program" -j2 "$root/scenarios"
[ "$status" = 0 ]
result $? "it judges the scenario library"
# Another architecture, run by qemu-user where it is there.
if type -P aarch64-linux-gnu-gcc >/dev/null && [ "$(uname -m)" != aarch64 ]; then
    run make -s "$jobs" -C "$root" static ARCH=arm64 CC="$cc"
    [ "$status" = 0 ] && ! readelf -d "$root/build/static-arm64/lifecheck" | grep -q NEEDED
    result $? "make static ARCH=arm64"
    if type -P qemu-aarch64 >/dev/null; then
        run qemu-aarch64 "$root/build/static-arm64/lifecheck" -j2 "$root/scenarios"
        [ "$status" = 0 ]
        result $? "it judges the scenario library under qemu-aarch64"
    else
        skip "run for arm64" "qemu-aarch64 is not installed"
    fi
else
    skip "make static ARCH=arm64" "aarch64-linux-gnu-gcc is not installed"
fi
copy "$work/elsewhere"
! git -C "$root" rev-parse HEAD >"$work/commit" 2>/dev/null || cp "$work/commit" "$work/elsewhere/.commit"
run make -s "$jobs" -C "$work/elsewhere" static CC="$cc" CJSON="$root/build/static-libraries/cjson"
cmp "$program" "$work/elsewhere/build/static/lifecheck" >"$work/output" 2>&1
result $? "another folder, the same bytes"
if [ -x "$root/build/static-arm64/lifecheck" ] && [ -f "$root/build/sysroot/arm64/complete" ]; then
    mkdir -p "$work/elsewhere/build/sysroot"
    cp -a "$root/build/sysroot/arm64" "$work/elsewhere/build/sysroot/"
    run make -s "$jobs" -C "$work/elsewhere" static ARCH=arm64 CC="$cc" CJSON="$root/build/static-libraries/cjson"
    cmp "$root/build/static-arm64/lifecheck" "$work/elsewhere/build/static-arm64/lifecheck" >"$work/output" 2>&1
    result $? "another folder, the same bytes for arm64"
else
    skip "another folder, for arm64" "make static ARCH=arm64 was not possible"
fi
