#!/bin/bash
# Each optional tool and Python module in turn is not there: the test scripts that name it pass, or say what they skip.
# TOOLS="jq zsh" tries only these.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
cd "$root" || exit 1
export CC=$cc
run make "$jobs" -s build/release/lifecheck build/release/lifecheck-alloc build/release/tests/{record/{provider,client,asker},probe/provider,serve/client}
if [ "$status" != 0 ]; then
    result 1 "what the scripts test is built"
    exit 1
fi
modules="yaml jsonschema"
read -ra tools <<<"${TOOLS:-jq python3 $modules perl prove git man groff shellcheck clang-format zsh fish cmark-gfm chromium pre-commit nghttp2}"
mkdir "$work/all"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    for file in "$folder"/*; do
        name=${file##*/}
        [ ! -x "$file" ] || [ -e "$work/all/$name" ] || ln -s "$file" "$work/all/$name"
    done
done

for tool in "${tools[@]}"; do
    rm -rf "${work:?}/bin" "$work/python" "$work/release"
    cp -R -P "$work/all" "$work/bin"
    mkdir "$work/python"
    mkdir -p "$work/release/tests"
    cp build/release/lifecheck build/release/lifecheck-alloc "$work/release/"
    [ "$tool" = nghttp2 ] || cp -R build/release/tests/{record,probe,serve} "$work/release/tests/"
    words=$tool
    case " $modules " in
        *" $tool "*) echo "raise ImportError('hidden')" >"$work/python/$tool.py" && words=python3 ;;
        *) rm -f "$work/bin/$tool" ;;
    esac
    [ "$tool" != nghttp2 ] || words=tests/record
    mapfile -t scripts < <(grep -lE "^[^#]*\b$words\b" tests/cli/*.sh tests/lint/*.sh tests/reports/run.sh)
    bad=0 skips=0
    : >"$work/output"
    for script in "${scripts[@]}"; do
        arguments=()
        [ "$script" != tests/reports/run.sh ] || arguments=("$work/release/lifecheck" read)
        env PATH="$work/bin" PYTHONPATH="$work/python" BUILD=build/release LIFECHECK="$work/release/lifecheck" \
            LIFECHECK_ALLOC="$work/release/lifecheck-alloc" CAPTURES="$root/testdata/captures" \
            PACKAGES="libcjson yaml-0.1 gmp libutf8proc libpcre2-8 nettle hogweed zlib" \
            bash "$script" "${arguments[@]}" >"$work/one" 2>&1 </dev/null
        status=$?
        if [ "$status" != 0 ] && ! grep -q '^ok' "$work/one" || grep -q '^not ok' "$work/one"; then
            bad=$((bad + 1))
            echo "$script (status $status):" >>"$work/output"
            grep -v '^ok' "$work/one" | head -n 4 >>"$work/output"
        fi
        skips=$((skips + $(grep -ciE '# skip|^skipped' "$work/one")))
    done
    tail -n 30 "$work/output" >"$work/shown" && mv "$work/shown" "$work/output"
    [ "$bad" = 0 ]
    result $? "without $tool: ${#scripts[@]} scripts, $skips skipped"
done
