#!/usr/bin/env bash
# src/README.md and the tree agree: each file and folder that it names is there, and each room is named.
set -u
bad=$(
    grep -oE '`[a-z_/]+(\.(c|h|def|css)|/)`' src/README.md | tr -d '`' | sort -u | while read -r name; do
        [ -e "src/$name" ] || [ -e "include/lifecheck/$name" ] || [ -e "$name" ] ||
            [ -n "$(find src include -path "*/$name" -print -quit)" ] || echo "$name is not there"
    done
    find src -mindepth 1 -type d | sed 's,^src/,,' | while read -r room; do
        case $room in
        cli/commands/*) ;; # a list: the name of the room is the name of the command
        */*) grep -q "$room/" src/README.md || echo "src/README.md does not name the room $room/" ;;
        *) grep -q "^| [0-9]* | $room |" src/README.md || echo "src/README.md has no row for $room" ;;
        esac
    done
)
if [ -n "$bad" ]; then
    echo "$bad" | sed 's/^/# /'
    echo "not ok - rooms"
else
    echo "ok - rooms"
fi
