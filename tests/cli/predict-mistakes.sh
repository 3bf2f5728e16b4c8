#!/usr/bin/env bash
# lifecheck predict: configurations in native syntax with a mistake are refused as Terraform 1.11.4 and OpenTofu 1.12.6
# refused them: every error, with its place.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
if ! command -v python3 >/dev/null; then
    echo "ok - mistakes # SKIP python3 is not installed"
    exit 0
fi
python3 "$root/tests/cli/checks/mistakes_check.py" "$lifecheck" "$root/testdata/configurations/mistakes.jsonl"
