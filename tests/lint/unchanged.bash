# Sourced by the slow scripts of this folder. A file that was found clean is not read again by the same tool until it
# changes: build/<flavour>/lint/<name> has the hashes of clean files. `rm -r` that folder to ask about all.
# shellcheck shell=bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found_clean=${BUILD:-build/release}/lint

# changed NAME KEY FILE...: those that are not known to be clean. KEY: what else the result hangs on.
changed() {
    local name=$1 key
    key=$(sha256sum <<<"$2")
    shift 2
    sha256sum "$@" | sed "s/^/${key%% *} /" | LC_ALL=C sort >"$work/$name"
    mkdir -p "$found_clean"
    touch "$found_clean/$name"
    LC_ALL=C comm -23 "$work/$name" "$found_clean/$name" | sed 's/^[^ ]* [^ ]*  //'
}

# clean NAME: all files that `changed` was given are.
clean() {
    cp "$work/$1" "$found_clean/$1"
}
