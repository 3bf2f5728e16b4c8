#!/bin/bash
# What install puts where, and that uninstall leaves nothing. The program is a stand-in: only its completions are asked.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
copy "$work/tree"
cd "$work/tree" || exit 1
mkdir -p build/release
echo 'int main(int count, char **words) { return count == 3 && words[1][0] == 99 ? 0 : 1; }' >stand-in.c
$cc -g stand-in.c -o build/release/lifecheck || exit 1
run make -o build/release/lifecheck install DESTDIR="$work/there" PREFIX=/usr
[ "$status" = 0 ]
result $? "install"
cat >"$work/wanted" <<'X'
/usr/bin/lifecheck
/usr/share/bash-completion/completions/lifecheck
/usr/share/fish/vendor_completions.d/lifecheck.fish
/usr/share/lifecheck/report.schema.json
/usr/share/lifecheck/scenario.schema.json
/usr/share/man/man1/lifecheck.1
/usr/share/man/man5/lifecheck-scenario.5
/usr/share/man/man7/lifecheck-rules.7
/usr/share/zsh/site-functions/_lifecheck
X
files() {
    (cd "$1" && find . ! -type d | sed 's/^\.//' | LC_ALL=C sort)
}
files "$work/there" | diff "$work/wanted" - >"$work/output"
result $? "each file in its place"
[ -z "$(find "$work/there" -type f ! -path '*/bin/*' ! -perm 644)$(find "$work/there" -path '*/bin/*' ! -perm 755)" ]
result $? "with its mode, whatever the umask"
run make -o build/release/lifecheck install-strip DESTDIR="$work/stripped" PREFIX=/usr
[ "$status" = 0 ] && ! readelf -S "$work/stripped/usr/bin/lifecheck" | grep -q debug_info && readelf -S "$work/there/usr/bin/lifecheck" | grep -q debug_info
result $? "install-strip leaves debug information out"

mkdir -p "$work/there/usr/share/man/man1" && echo other >"$work/there/usr/share/man/man1/other.1"
run make uninstall DESTDIR="$work/there" PREFIX=/usr
[ "$status" = 0 ] && [ "$(files "$work/there")" = /usr/share/man/man1/other.1 ] && [ ! -e "$work/there/usr/share/lifecheck" ]
result $? "uninstall removes these and nothing else"
run make uninstall DESTDIR="$work/there" PREFIX=/usr
[ "$status" = 0 ]
result $? "a second time there is nothing to do"

folders=(bindir=/b datadir=/d mandir=/m bashcompletiondir=/cb zshcompletiondir=/cz fishcompletiondir=/cf)
run make -o build/release/lifecheck install DESTDIR="$work/apart" "${folders[@]}"
files "$work/apart" | tr '\n' ' ' >"$work/output"
[ "$(cat "$work/output")" = "/b/lifecheck /cb/lifecheck /cf/lifecheck.fish /cz/_lifecheck /d/lifecheck/report.schema.json /d/lifecheck/scenario.schema.json /m/man1/lifecheck.1 /m/man5/lifecheck-scenario.5 /m/man7/lifecheck-rules.7 " ]
result $? "each folder can be set"
run make uninstall DESTDIR="$work/apart" "${folders[@]}"
[ -z "$(files "$work/apart")" ]
result $? "and is cleared again"
run make -n -o build/release/lifecheck install INSTALL=some-install
grep -q '^some-install -m 755 ' "$work/output" && ! grep -q '^install' "$work/output"
result $? "INSTALL"
