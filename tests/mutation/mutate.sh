#!/bin/bash
# mutate.sh: changes the code of an area in one random place at a time and looks whether the tests of `make check`
# notice. AREA is one of the list below. SEED, COUNT and JOBS choose which places, how many, and how many at once; the
# same seed and tree give the same mutants. AGAIN=LOG takes instead what survived there, QUICK=1 leaves the sanitizers
# out. Status 1 when there are survivors not listed, or nothing was judged.
set -u
area=${AREA:-contract} seed=${SEED:-1} count=${COUNT:-300} jobs=${JOBS:-2} limit=${LIMIT:-10} quick=${QUICK:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
listed=$root/tests/mutation/survivors.txt
build=build/mutation sanitized=build/mutation-asan
trees=("$build")
[ -n "$quick" ] || trees+=("$sanitized")
export SOURCE_DATE_EPOCH=1767225600
unset MAKEFLAGS MFLAGS MAKELEVEL
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
renice -n 10 $$ >/dev/null 2>&1
ulimit -c 0

fail() {
    echo "mutate.sh: $*" >&2
    exit 2
}

# What is changed, and which tests of the command line are about it; all other kinds of tests always run, but no
# variation has a report.
area() {
    varied=1
    case $area in
        contract) files=(src/contract/*.c src/value/*.c) scripts=(tests/cli/*.sh) ;;
        planning) files=(src/planning/*.c) scripts=(tests/cli/{predict,predict-errors,providers,plans,runs}.sh) ;;
        cloudformation) files=(src/schema/{cfn_,pattern}*.c) scripts=(tests/cli/{cfn,init}.sh) ;;
        documents)
            files=(src/input/{planning,providers,forecast,recorded}*.c)
            scripts=(tests/cli/{predict,predict-errors,providers,plans,bad}.sh)
            ;;
        report)
            varied=
            files=(src/report/*.c)
            scripts=(tests/cli/{report,diagnosis,elsewhere,status,gate,github,merge,sarif,html,report_schema}.sh)
            ;;
        *) fail "no area '$area': contract, planning, cloudformation, documents, report" ;;
    esac
}

# One shared library, so that neither the program nor the unit tests are linked again for a mutant.
make_() {
    make -s BUILD="$build" OPTIMISE='-O0 -fPIC' WARNINGS=-w CHECKS= LIBRARY="$build/liblifecheck.so" "$@"
}

make_sanitized() {
    make -s FLAVOUR=asan BUILD="$sanitized" OPTIMISE='-O1 -g1 -fPIC' WARNINGS=-w LIBRARY="$sanitized/liblifecheck.so" "$@"
}

link_library() { # build folder, option...
    local tree=$1
    shift
    find "$tree/obj" -name '*.o' ! -path '*/cli/main.o' -print0 |
        xargs -0 "${CC:-gcc}" -shared -Wl,-soname,liblifecheck.so "$@" -o "$tree/liblifecheck.so"
}

limited() {
    (ulimit -v 4000000 && exec timeout -k 1 "$limit" "$@") >/dev/null 2>&1
}

long() { # without a limit of memory, which the sanitizers' shadow would exceed
    timeout -k 1 "$((limit * 6))" "$@" >/dev/null 2>&1
}

# What notices a mutant, the cheap first; nothing when it survives.
killer() {
    local unit script status
    local -x LD_LIBRARY_PATH=$PWD/$build
    limited "$build/lifecheck" -j1 scenarios
    status=$?
    case $status in
        0) ;;
        124 | 137) echo "scenarios, time"; return ;;
        *) echo scenarios; return ;;
    esac
    limited tests/reports/run.sh "$build/lifecheck" || { echo reports; return; }
    if ! limited tests/vectors/run.sh "$build/vectors" "$build/compare" testdata/vectors; then
        echo vectors
        return
    fi
    for unit in "$build"/tests/unit/test_*; do
        [ -x "$unit" ] || continue
        limited "$unit" || { basename "$unit"; return; }
    done
    if [ -n "$varied" ] && ! limited tests/variations/run.sh "$build"/tests/variations/{cases,values}; then
        echo variations
        return
    fi
    for script in "${scripts[@]}"; do
        if LIFECHECK=$build/lifecheck timeout -k 1 60 bash "$script" 2>&1 | grep -q '^not ok'; then
            basename "$script"
            return
        fi
    done
}

# What notices it under the sanitizers.
sanitizer() {
    local unit
    local -x LD_LIBRARY_PATH=$PWD/$sanitized
    long tests/reports/run.sh "$sanitized/lifecheck" || { echo "reports, sanitized"; return; }
    long tests/variations/run.sh "$sanitized"/tests/variations/{cases,values} || { echo "variations, sanitized"; return; }
    for unit in "$sanitized"/tests/unit/test_*; do
        [ -x "$unit" ] || continue
        long "$unit" || { echo "$(basename "$unit"), sanitized"; return; }
    done
    long tests/vectors/run.sh "$sanitized/vectors" "$sanitized/compare" testdata/vectors || echo "vectors, sanitized"
}

prepare() {
    mkdir "$work/1" && tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/1" -xf - || return 1
    cd "$work/1" || return 1
    local objects units
    objects=$(find src -name '*.c' | sed "s,^src/\(.*\)c$,$build/obj/\1o,")
    units=$(find tests/unit -name 'test_*.c' | sed "s,^\(.*\)\.c$,$build/\1,")
    # shellcheck disable=SC2086 # one word for each
    make_ -j"$jobs" $objects && link_library "$build" &&
        make_ -j"$jobs" "$build/lifecheck" "$build/vectors" "$build/compare" "$build"/tests/variations/{cases,values} $units || return 1
    [ -z "$quick" ] || return 0
    # shellcheck disable=SC2086
    make_sanitized -j"$jobs" ${objects//$build/$sanitized} && link_library "$sanitized" -fsanitize=address,undefined &&
        make_sanitized -j"$jobs" "$sanitized/lifecheck" "$sanitized/vectors" "$sanitized/compare" "$sanitized"/tests/variations/{cases,values} \
            ${units//$build/$sanitized}
}

# The accepted reason of a survivor, by file:function and mutation.
reason() {
    [ -f "$listed" ] && awk -F '\t' -v where="$1" '
        BEGIN {mutation = ENVIRON["MUTATION"]}
        !/^#/ && $1 == where && $2 == mutation {print $3; exit}' "$listed"
}

# What notices the mutant in the tree, or `stillborn`.
judge() { # OBJECT
    local by
    if ! make_ "$build/$1" >/dev/null 2>&1 || ! link_library "$build" 2>/dev/null; then
        echo stillborn
        return
    fi
    by=$(killer)
    if [ -z "$by" ] && [ -z "$quick" ] && make_sanitized "$sanitized/$1" >/dev/null 2>&1 &&
        link_library "$sanitized" -fsanitize=address,undefined 2>/dev/null; then
        by=$(sanitizer)
    fi
    echo "$by"
}

try() { # FILE LINE FUNCTION COLUMN LENGTH REPLACEMENT MUTATION
    local object=obj/${1#src/} by why tree
    object=${object%.c}.o
    cp -p "$1" "$work/$worker.c" || return 1
    for tree in "${trees[@]}"; do
        cp -p "$tree/$object" "$work/$worker.${tree##*/}.o" || return 1
    done
    BECOMES=$6 awk -v line="$2" -v at="$4" -v len="$5" '
        NR == line {$0 = substr($0, 1, at - 1) ENVIRON["BECOMES"] substr($0, at + len)} {print}' \
        "$work/$worker.c" >"$1"
    why=$(MUTATION=$7 reason "$1:$3")
    by=$(judge "$object")
    case $by,$why in
        stillborn,*) echo "stillborn $1:$2: $7" ;;
        ,) echo "SURVIVED $1:$2: $7 (in $3)" ;;
        ,*) echo "accepted $1:$2: $7 ($why)" ;;
        *,) echo "killed $1:$2: $7 ($by)" ;;
        *) echo "killed $1:$2: $7 ($by), though it is listed as a survivor" ;;
    esac
    cp -p "$work/$worker.c" "$1"
    for tree in "${trees[@]}"; do
        cp -p "$work/$worker.${tree##*/}.o" "$tree/$object"
    done
}

work_through() {
    worker=$1
    cd "$work/$worker" || exit 2
    awk -v n="$jobs" -v k="$worker" 'NR % n == k % n' "$work/chosen" |
        while IFS=$'\t' read -r file line function column length becomes mutation; do
            try "$file" "$line" "$function" "$column" "$length" "$becomes" "$mutation"
        done | tee "$work/result.$worker"
}

cd "$root" || exit 2
area
awk -f tests/mutation/places.awk "${files[@]}" >"$work/places" || fail "no places"
# A shuffle that is the same with every awk.
awk -v seed="$seed" -v count="$count" '
    function random(n) {state = (state * 16807) % 2147483647; return int(state / 2147483647 * n)}
    {place[NR] = $0}
    END {
        state = (seed * 7919 + 1) % 2147483646 + 1
        for (i = 0; i < 10; i++) random(1)
        for (i = 1; i <= NR && i <= count; i++) {
            j = i + random(NR - i + 1)
            chosen = place[j]; place[j] = place[i]
            print chosen
        }
    }' "$work/places" >"$work/chosen"
if [ -n "${AGAIN:-}" ]; then
    awk -F '\t' '
        NR == FNR {
            if (sub(/^SURVIVED /, "") && sub(/ \(in [^ ]*\)$/, "") && match($0, /:[0-9]+: /))
                again[substr($0, 1, RSTART) substr($0, RSTART + RLENGTH)] = 1
            next
        }
        ($1 ":" $7) in again' "$AGAIN" "$work/places" >"$work/chosen"
fi
echo "$(wc -l <"$work/chosen") of $(wc -l <"$work/places") places, seed $seed"

(prepare) >/dev/null || fail "the tree does not build"
by=$(cd "$work/1" && killer && { [ -n "$quick" ] || sanitizer; })
[ -z "$by" ] || fail "the tree as it is fails: $by"
for ((w = 2; w <= jobs; w++)); do
    cp -a "$work/1" "$work/$w" || fail "no room for another tree"
done
for ((w = 1; w <= jobs; w++)); do
    work_through "$w" &
done
wait

cat "$work"/result.* | awk '
    {n[$1]++}
    END {
        tried = n["killed"] + n["SURVIVED"]
        printf "%d mutants: %d killed, %d survived, %d stillborn, score %.1f %%", NR, n["killed"], n["SURVIVED"],
            n["stillborn"], tried ? 100 * n["killed"] / tried : 0
        if (n["accepted"])
            printf "; %d more survived as listed", n["accepted"]
        print ""
        exit n["SURVIVED"] > 0 || !(tried + n["accepted"])
    }'
