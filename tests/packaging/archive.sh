#!/bin/bash
# The source archive: the same bytes each time, all that is needed, and builds that are the same wherever they are made.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
if ! git -C "$root" rev-parse --verify HEAD >/dev/null 2>&1; then
    skip "the source archive" "this is not a checkout"
    exit 0
fi
archive=$root/build/dist/lifecheck-$version.tar.gz
for mask in 022 077; do
    rm -f "$archive"
    run bash -c "umask $mask && make -s -C '$root' dist"
    [ "$status" = 0 ] && cp "$archive" "$work/$mask.tar.gz"
    result $? "make dist, umask $mask"
done
chmod 644 "$archive"
cmp -s "$work/022.tar.gz" "$work/077.tar.gz"
result $? "the same commit, the same bytes"
tar -t -z -f "$work/022.tar.gz" | grep -v '/$' | sed "s,^lifecheck-$version/,," | LC_ALL=C sort >"$work/files"
git -C "$root" ls-tree -r --name-only HEAD | LC_ALL=C sort | diff - "$work/files" >"$work/output"
result $? "all files of the commit, .commit among them"
for place in one another/and/deeper; do
    mkdir -p "$work/$place"
    tar -x -z -f "$work/022.tar.gz" -C "$work/$place" --strip-components=1
    # What a path leaves behind does not hang on the optimisation, time does.
    run make -s "$jobs" -C "$work/$place" CC="$cc" CFLAGS='-O0 -g'
    [ "$status" = 0 ] && [ -x "$work/$place/build/release/lifecheck" ]
    result $? "it builds in $place"
done
[ "$(cat "$work/one/.commit")" = "$(git -C "$root" rev-parse HEAD)" ]
result $? ".commit is the commit"
cmp "$work/one/build/release/lifecheck" "$work/another/and/deeper/build/release/lifecheck" >"$work/output" 2>&1
result $? "both programs are the same, debug information too"
! grep -q "$work" "$work/one/build/release/lifecheck"
result $? "the path is not part of it"
cd "$work/one" || exit 1
run make -s CC="$cc" CFLAGS='-O0 -g' check-fast
[ "$status" = 0 ] && grep -q ' 0 failed' "$work/output"
result $? "and its short tests pass"
run make dist
[ "$status" != 0 ] && grep -q 'wants a git checkout' "$work/output"
result $? "make dist says that it needs a checkout"
