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
