#!/bin/bash
# The Debian package: made, looked at by lintian, and installed, run and removed in a bare root.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
if ! type -P dpkg-buildpackage >/dev/null || ! type -P dh >/dev/null; then
    skip "the Debian package" "dpkg-dev or debhelper is not installed"
    exit 0
fi
run make -s -C "$root" deb
[ "$status" = 0 ]
result $? "make deb"
deb=$(echo "$root/build/deb/lifecheck_$version-1_"*.deb)
changes=$(echo "$root/build/deb/lifecheck_$version-1_"*.changes)
[ -f "$deb" ] || exit 0
dpkg-deb -c "$deb" | awk '{ print $6 }' | grep -v '/$' >"$work/files"
missing=
for file in bin/lifecheck share/man/man{1/lifecheck.1,5/lifecheck-scenario.5,7/lifecheck-rules.7}.gz share/lifecheck/scenario.schema.json \
    share/bash-completion/completions/lifecheck share/zsh/ share/fish/vendor_completions.d/lifecheck.fish; do
    grep -q "^\./usr/$file" "$work/files" || missing+=" $file"
done
echo "missing:$missing" >"$work/output"
[ -z "$missing" ]
result $? "all files are in it"
if type -P lintian >/dev/null; then
    # Who maintains it and under which licence is not ours to say; Debian was not asked to take it.
    run lintian --allow-root --suppress-tags initial-upload-closes-no-bugs,bogus-mail-host-in-debian-changelog,bogus-mail-host "$changes"
    ! grep -E '^[EW]:' "$work/output" >"$work/lintian"
    result $? "lintian has neither errors nor warnings"
else
    skip "lintian" "it is not installed"
fi
if [ "$(id -u)" != 0 ] || ! type -P mmdebstrap >/dev/null; then
    skip "the package in a bare root" "mmdebstrap is not installed, or this is not root"
    exit 0
fi
. /etc/os-release
if ! mmdebstrap --mode=root --variant=apt "$VERSION_CODENAME" "$work/bare" >"$work/output" 2>&1; then
    skip "the package in a bare root" "mmdebstrap cannot make one here"
    exit 0
fi
cp "$deb" "$work/bare/lifecheck.deb"
cp /etc/resolv.conf "$work/bare/etc/"
mkdir -p "$work/bare/there/testdata"
cp -R "$root/scenarios" "$work/bare/there/"
cp -R "$root/testdata/schemas" "$work/bare/there/testdata/"
within() {
    run env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$work/bare" "$@"
}
within sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends /lifecheck.deb'
[ "$status" = 0 ]
result $? "it is installed, with what it depends on and no more"
within lifecheck there/scenarios/apply there/scenarios/plan
[ "$status" = 0 ] && grep -q ' meet their expectation' "$work/output"
result $? "it runs"
within apt-get purge -q -y lifecheck
[ "$status" = 0 ] && [ ! -e "$work/bare/usr/bin/lifecheck" ] && [ ! -e "$work/bare/usr/share/lifecheck" ]
result $? "it is removed, and nothing stays"
