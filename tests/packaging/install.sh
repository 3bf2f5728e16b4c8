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
/usr/share/zsh/site-functions/_lifecheck
X
(cd man && printf '/usr/share/man/man%s\n' *.1) | sed 's|man\(lifecheck[^/]*\)$|man1/\1|' >>"$work/wanted"
printf '/usr/share/man/%s\n' man5/lifecheck-scenario.5 man7/lifecheck-options.7 man7/lifecheck-rules.7 >>"$work/wanted"
LC_ALL=C sort -o "$work/wanted" "$work/wanted"
# Examples have a test of their own.
files() {
    (cd "$1" && find . ! -type d ! -path '*/lifecheck/examples/*' | sed 's/^\.//' | LC_ALL=C sort)
}
examples=$work/there/usr/share/lifecheck/examples
missing=
for file in README.md docs/tutorial.md docs/images/report.png scenarios/README.md testdata/readme/policy.yaml testdata/schemas/nimbus.json; do
    cmp -s "$file" "$examples/$file" || missing+=" $file"
done
[ -z "$missing" ]
result $? "with the tutorial and its examples$missing"
files "$work/there" | diff "$work/wanted" - >"$work/output"
result $? "each file in its place"
[ -z "$(find "$work/there" -type f ! -path '*/bin/*' ! -perm 644)$(find "$work/there" -path '*/bin/*' ! -perm 755)" ]
result $? "with its mode, whatever the umask"
run make -o build/release/lifecheck install-strip DESTDIR="$work/stripped" PREFIX=/usr
[ "$status" = 0 ] && ! readelf -S "$work/stripped/usr/bin/lifecheck" | grep -q debug_info && readelf -S "$work/there/usr/bin/lifecheck" | grep -q debug_info
result $? "install-strip leaves debug information out"

mkdir -p "$work/there/usr/share/man/man1" && echo other >"$work/there/usr/share/man/man1/other.1"
run make uninstall DESTDIR="$work/there" PREFIX=/usr
[ "$status" = 0 ] && [ "$(cd "$work/there" && find . ! -type d)" = ./usr/share/man/man1/other.1 ] && [ ! -e "$work/there/usr/share/lifecheck" ]
result $? "uninstall removes these and nothing else"
run make uninstall DESTDIR="$work/there" PREFIX=/usr
[ "$status" = 0 ]
result $? "a second time there is nothing to do"

folders=(bindir=/b datadir=/d mandir=/m bashcompletiondir=/cb zshcompletiondir=/cz fishcompletiondir=/cf)
run make -o build/release/lifecheck install DESTDIR="$work/apart" "${folders[@]}"
[ -f "$work/apart/d/lifecheck/examples/docs/tutorial.md" ]
result $? "examples are among the data"
files "$work/apart" | tr '\n' ' ' >"$work/output"
[ "$(cat "$work/output")" = "/b/lifecheck /cb/lifecheck /cf/lifecheck.fish /cz/_lifecheck /d/lifecheck/report.schema.json /d/lifecheck/scenario.schema.json $(cd man && printf '%s\n' *.1 | LC_ALL=C sort | sed 's,^,/m/man1/,' | tr '\n' ' ')/m/man5/lifecheck-scenario.5 /m/man7/lifecheck-options.7 /m/man7/lifecheck-rules.7 " ]
result $? "each folder can be set"
run make uninstall DESTDIR="$work/apart" "${folders[@]}"
[ -z "$(find "$work/apart" ! -type d)" ]
result $? "and is cleared again"
run make -n -o build/release/lifecheck install INSTALL=some-install
grep -q '^some-install -m 755 ' "$work/output" && ! grep -q '^install' "$work/output"
result $? "INSTALL"
