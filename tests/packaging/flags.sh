#!/bin/bash
# What packagers set reaches each command, and takes nothing of ours away. Nothing is built: make -n prints the commands.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
copy "$work/tree"
cd "$work/tree" || exit 1

commands() { # VARIABLE=VALUE...: sets compile (a file), link (the program) and archive
    run env "$@" make -n V=1 build/release/lifecheck
    pick
}
on_line() { # the same, on the command line of make
    run make -n V=1 build/release/lifecheck "$@"
    pick
}
pick() {
    compile=$(grep -m 1 -- ' -c src/base/buf.c ' "$work/output")
    link=$(grep -m 1 -- ' -o build/release/lifecheck$' "$work/output")
    archive=$(grep -m 1 "rcsT\\? build/release/liblifecheck.a build/" "$work/output")
}
has() { # text, the words of which all must be there
    local word
    for word in $2; do
        [[ " $1 " == *" $word "* ]] || return 1
    done
}
ours="-std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -fstack-protector-strong -fPIE"

commands LANG=C
has "$compile" "$ours -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
result $? "without any, the file is compiled with -O2 -g, hardened"
has "$link" "-pie -Wl,-z,relro,-z,now"
result $? "and the program is linked so"
for way in commands on_line; do
    $way CFLAGS=-O3
    has "$compile" "$ours -O3" && ! has "$compile" -O2 && ! has "$compile" -g
    result $? "$way: CFLAGS=-O3 replaces -O2 -g and no more"
    $way CPPFLAGS=-DX LDFLAGS=-Wl,--stats LDLIBS=-lrt
    has "$compile" "$ours -O2 -g -DX" && has "$link" "-pie -Wl,--stats -lrt"
    result $? "$way: CPPFLAGS, LDFLAGS and LDLIBS are added"
    $way CC=some-cc AR=some-ar
    [[ $compile == some-cc\ * && $link == some-cc\ * && $archive == some-ar\ * ]]
    result $? "$way: CC and AR"
done
commands CPPFLAGS=-D_FORTIFY_SOURCE=3
has "$compile" -D_FORTIFY_SOURCE=3 && [ "$(grep -o FORTIFY_SOURCE <<<"$compile" | wc -l)" = 1 ]
result $? "one _FORTIFY_SOURCE, the user's"
commands CFLAGS="-O0 -g"
[[ $compile != *FORTIFY* ]]
result $? "none without optimisation, of which the headers would warn"
for flavour in asan fuzz valgrind coverage; do
    run make -n V=1 FLAVOUR=$flavour build/$flavour/lifecheck
    [ "$status" = 0 ] && ! grep -qE 'FORTIFY|relro' "$work/output"
    result $? "$flavour: nothing of it is in the way"
done
run make -n V=1 FLAVOUR=asan CC=clang build/asan/lifecheck
! grep -q bounds-strict "$work/output" || ! command -v clang >/dev/null
result $? "asan: clang is not given what only gcc knows"
printf '#!/bin/sh\necho "$@" >>%s/asked\nexec pkg-config "$@"\n' "$work" >"$work/other-pkg-config"
chmod +x "$work/other-pkg-config"
commands PKG_CONFIG="$work/other-pkg-config"
[ "$status" = 0 ] && grep -q -- '--cflags .*libcjson' "$work/asked"
result $? "PKG_CONFIG is asked"
run make PKG_CONFIG=no-such-pkg-config
[ "$status" != 0 ] && grep -q 'no-such-pkg-config is not installed' "$work/output"
result $? "one that is not there is named"
run make -n
! grep -q 'tests/' "$work/output"
result $? "make builds no test program"
