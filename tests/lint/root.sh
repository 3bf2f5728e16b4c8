#!/usr/bin/env bash
# What stands at the root is meant: a test that ran in the wrong folder leaves files there.
set -u
if ! files=$(git ls-files 2>/dev/null) || [ -z "$files" ]; then
    echo "ok - root # SKIP this is not a checkout"
elif echo "$files" | grep -v / | grep -vxE 'action\.yml|CONTRIBUTING\.md|SECURITY\.md|CHANGELOG\.md|\.clang-format|\.clang-tidy|\.editorconfig|\.commit|\.gitattributes|\.gitignore|\.pre-commit-hooks\.yaml|Makefile|README\.md' | sed 's/^/# /' | grep .; then
    echo "not ok - root: files that nobody expects there"
else
    echo "ok - root"
fi
# .ci/run takes the command of the tests from README, so the line is there, whole and alone.
command=$(sed -n "s/^command=.*grep -x '\(.*\)' README.md.*/\1/p" .ci/run)
if [ -n "$command" ] && grep -qx "$command" README.md; then
    echo "ok - README has the command that .ci/run runs"
else
    echo "not ok - README does not have the command that .ci/run runs as a line of its own"
fi
