#!/bin/sh
# Which of the two versions of clang-format that agree on the sources are installed, 14 (Debian 12) and 19 (Debian 13):
# a line `VERSION COMMAND` for each. CLANG_FORMAT=COMMAND is asked first.
for version in 14 19; do
    for command in ${CLANG_FORMAT:-} clang-format "clang-format-$version"; do
        if "$command" --version 2>/dev/null | grep -q " version $version\\."; then
            echo "$version $command"
            break
        fi
    done
done
