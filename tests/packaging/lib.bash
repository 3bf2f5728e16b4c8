# Sourced by the scripts of this folder: TAP results for builds in copies of the tree. They want make and a compiler.
# shellcheck shell=bash disable=SC2034 # variables are for those who source this
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-gcc} version=${VERSION:-$(make -s -C "$root" version)}
unset MAKEFLAGS MFLAGS MAKELEVEL CC AR CPPFLAGS CFLAGS LDFLAGS LDLIBS PREFIX DESTDIR VERSION JOBS
jobs=-j$(nproc)

result() { # status of a test, its name
    if [ "$1" = 0 ]; then
        echo "ok - $2"
    else
        echo "not ok - $2"
        tail -n 10 "$work/output" 2>/dev/null | cut -c -300 | sed 's/^/#   /'
    fi
}

skip() { # name, why
    echo "ok - $1 # SKIP $2"
}

# run COMMAND...: sets status, and the file output
run() {
    "$@" >"$work/output" 2>&1 </dev/null
    status=$?
}

copy() { # a folder: what is in the tree, without what was built
    mkdir -p "$1"
    tar -c -f - -C "$root" --exclude=./build --exclude=./.git . | tar -x -f - -C "$1"
}
