#!/bin/bash
# What .ci/deps says where it cannot install: no apt-get, no sudo, a sudo that refuses.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
mkdir "$work/bin"
for tool in sh cat grep tr echo printf head; do
    ln -s "$(type -P $tool)" "$work/bin/$tool"
done
deps() {
    run env PATH="$work/bin" "$(type -P sh)" "$root/.ci/deps" "$@"
}
tool() { # name, body
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
said() {
    grep -qE -- "$1" "$work/output"
}

deps
[ "$status" = 1 ] && said 'libutf8proc +text' && said 'yaml-0.1' && said 'pkg-config'
result $? "no apt-get: it names the libraries and what for"
tool dpkg-query 'exit 1'
# shellcheck disable=SC2016 # for the tool
tool apt-get 'echo "apt-get $*"; [ "$1" = update ] || exit ${REFUSE:-0}'
tool apt-cache '[ "$2" != libmsgpack-c-dev ] || exit 100; echo "Package: $2"'
tool id 'echo 1000'
deps
[ "$status" = 1 ] && said 'as root: apt-get update && apt-get install gcc make .* libmsgpack-dev '
result $? "no sudo: it says what root has to run"
# shellcheck disable=SC2016 # for the tool
tool sudo '[ "$1" = apt-get ] && echo "sudo: you may not" && exit 1'
deps
[ "$status" = 1 ] && said 'as root: apt-get update && apt-get install gcc'
result $? "sudo refuses: it says so, too"
# shellcheck disable=SC2016 # for the tool
tool sudo '"$@"'
deps
[ "$status" = 0 ] && said '^apt-get install .* gcc make .* libmsgpack-dev ' && ! said '[ |]check '
result $? "with sudo it installs, only what the build needs"
deps --test --packaging
[ "$status" = 0 ] && said '^apt-get install .* check .* debhelper' && said '^apt-get install .* zsh$'
result $? "--test and --packaging add theirs"
deps --packaging
[ "$status" = 0 ] && said '^apt-get install .* debhelper' && ! said 'lintian'
result $? "--packaging alone: nothing that only tests need"
tool apt-cache 'echo "Package: $2"'
deps
said 'libmsgpack-c-dev ' && ! said 'libmsgpack-dev'
result $? "of two names of a package it takes the one that there is"
deps --tset
[ "$status" = 2 ]
result $? "an option that it does not know is refused"
tool dpkg-query 'echo install ok installed'
deps --test
[ "$status" = 0 ] && said 'nothing to install'
result $? "nothing to do"
