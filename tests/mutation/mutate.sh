#!/bin/bash
# mutate.sh: changes the code of an area in one random place at a time and looks whether the tests of `make check`
# notice. AREA is one of the list below. SEED, COUNT and JOBS choose which places, how many, and how many at once; the
# same seed and tree give the same mutants. AGAIN=LOG takes instead what survived there, QUICK=1 leaves the sanitizers
# out. Status 1 when there are survivors not listed, or nothing was judged.
#
# Before the first mutant every test runs once together with functions that write down that they were called (reach.c). A
# mutant is then tried with the tests that reach its function, the quickest and most useful first; LIMIT seconds and
# ten times what such a test took is all it gets.
set -u
shopt -s globstar
area=${AREA:-contract} seed=${SEED:-1} count=${COUNT:-300} jobs=${JOBS:-2} limit=${LIMIT:-3} quick=${QUICK:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
listed=$root/tests/mutation/survivors.txt
build=build/mutation sanitized=build/mutation-asan reaching=build/mutation-reach
trees=("$build")
[ -n "$quick" ] || trees+=("$sanitized")
export SOURCE_DATE_EPOCH=1767225600
unset MAKEFLAGS MFLAGS MAKELEVEL
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
worker=1
renice -n 10 $$ >/dev/null 2>&1
ulimit -c 0

fail() {
    echo "mutate.sh: $*" >&2
    exit 2
}

# What is changed, and which tests of the command line are about it; those that take long and find little are left out.
area() {
    case $area in
        contract)
            files=(src/contract/**/*.c src/value/*.c)
            scripts=(tests/cli/{actions,bad,captures,cfn,diagnosis,elsewhere,gate,lint,logs,near-miss,plans,report,status,verdicts}.sh)
            ;;
        planning) files=(src/{configuration,plan,predict,provider_config,plan_rules}/**/*.c) scripts=(tests/cli/{predict,predict-errors,providers,plans,runs}.sh) ;;
        cloudformation) files=(src/cloudformation/**/*.c src/regexp/*.c) scripts=(tests/cli/{cfn,init}.sh) ;;
        documents)
            files=(src/scenario/planning/*.c)
            scripts=(tests/cli/{predict,predict-errors,providers,plans,bad}.sh)
            ;;
        report)
            files=(src/report/**/*.c)
            scripts=(tests/cli/{report,config,diagnosis,elsewhere,status,gate,github,merge,sarif}.sh)
            ;;
        *) fail "no area '$area': contract, planning, cloudformation, documents, report" ;;
    esac
}

# One shared library, so that neither the program nor the unit tests are linked again for a mutant.
make_() { # build folder, what to make...
    local tree=$1 how
    shift
    case $tree in
        "$build") how=(OPTIMISE='-O0 -fPIC' CHECKS=) ;;
        "$reaching") how=(OPTIMISE='-O0 -fPIC -finstrument-functions' CHECKS=) ;;
        "$sanitized") how=(FLAVOUR=asan OPTIMISE='-O1 -g1 -fPIC') ;;
    esac
    make -s BUILD="$tree" WARNINGS=-w LIBRARY="$tree/liblifecheck.so" CLI= "${how[@]}" "$@"
}

link_library() { # build folder
    local checks=
    [ "$1" != "$sanitized" ] || checks=-fsanitize=address,undefined
    # shellcheck disable=SC2086 # none or one
    find "$1/obj" -name '*.o' ! -path '*/cli/main.o' ! -path '*/obj/alloc/*' -print0 |
        xargs -0 "${CC:-gcc}" -shared -Wl,-soname,liblifecheck.so $checks -o "$1/liblifecheck.so"
}

# Every test, a line each: its kind and what of it.
tests() {
    local path
    echo "scenarios all"
    for path in testdata/reports/*.txt; do
        echo "reports $(basename "$path" .txt)"
    done
    for path in testdata/vectors/*.jsonl; do
        echo "vectors $(basename "$path" .jsonl)"
    done
    for path in tests/unit/test_*.c; do
        echo "unit $(basename "$path" .c)"
    done
    for path in scenarios/*/ values; do
        echo "variations $(basename "$path")"
    done
    for path in "${scripts[@]}"; do
        echo "cli $(basename "$path" .sh)"
    done
}

# Whether a test is content with the library of a folder, in so many seconds. A limit of memory would be exceeded by
# the shadow of the sanitizers.
content() { # build folder, folder of the library, seconds, kind, what of it
    local -x LD_LIBRARY_PATH=$PWD/$2
    local of=$1 command status
    case $4 in
        scenarios) command=("$of/lifecheck" -j1 scenarios) ;;
        reports) command=(tests/reports/run.sh "$of/lifecheck" "$5") ;;
        vectors) command=(tests/vectors/run.sh "$of/vectors" "$of/compare" testdata/vectors "$5") ;;
        unit) command=("$of/tests/unit/$5") ;;
        variations) command=(tests/variations/run.sh "$of"/tests/variations/{cases,values} "$5") ;;
        cli)
            LIFECHECK=$of/lifecheck timeout -k 1 "$3" bash "tests/cli/$5.sh" 2>&1 </dev/null | grep -q '^not ok'
            status=("${PIPESTATUS[@]}")
            [ "${status[1]}" != 0 ] && return "${status[0]}"
            return 1
            ;;
    esac
    ([ "$1" = "$sanitized" ] || ulimit -v 4000000 && exec timeout -k 1 "$3" "${command[@]}") >/dev/null 2>&1 </dev/null
}

# Which functions a test reaches, and how long it takes: a file for each in $work/reach, its name begins with the
# milliseconds, so that a listing has the quickest first.
reach() {
    local object before after kind which
    mkdir "$work/reach"
    nm "$reaching/liblifecheck.so" | awk '$2 ~ /[tT]/ {print $1, $3}' | sort >"$work/symbols"
    while read -r kind which; do
        before=$(date +%s%N)
        REACHED=$work/reached content "$build" "$reaching" 120 "$kind" "$which" || { echo "$kind $which"; return 1; }
        after=$(date +%s%N)
        [ -f "$work/reached" ] || continue
        sort -u "$work/reached" | join -o 2.2 - "$work/symbols" >"$work/reach/$(printf %06d $(((after - before) / 1000000))) $kind $which"
        rm "$work/reached"
    done < <(tests)
}

# The tests that reach a function: the quick first, and before them those that have often noticed something.
reached() { # FUNCTION
    cd "$work/reach" || return
    if [ "$1" = - ]; then ls; else grep -lFx -- "$1" *; fi | awk -v file="$work/noticed.$worker" '
        BEGIN {while ((getline line <file) > 0) noticed[line]++}
        {print $1 / (1 + noticed[$0]) ^ 2, $0}' | sort -n | cut -d ' ' -f 2-
}

# What notices a mutant of a function; nothing when it survives.
killer() { # FUNCTION, build folder, how much slower its programs are
    local file kind which took status
    while read -r file; do
        read -r took kind which <<<"$file"
        [ "$2" = "$build" ] || [ "$kind" != cli ] || continue
        content "$2" "$2" $(((limit + 10#$took / 100) * $3)) "$kind" "$which" && continue
        status=$?
        echo "$file" >>"$work/noticed.$worker"
        case $status in
            124 | 137) echo "$kind $which, time" ;;
            *) echo "$kind $which" ;;
        esac
        return
    done < <(reached "$1")
}

make_all() { # build folder, sources of unit tests...
    local tree=$1 objects
    shift
    objects=$(find src -name '*.c' | sed "s,^src/\(.*\)c$,$tree/obj/\1o,")
    # shellcheck disable=SC2086 # one word for each
    make_ "$tree" -j"$jobs" $objects && link_library "$tree" &&
        make_ "$tree" -j"$jobs" "$tree"/{lifecheck,vectors,compare,tests/variations/cases,tests/variations/values} "${@/#/$tree/}"
}

# The same library again, with the functions of the area written down.
make_reaching() {
    mkdir "$reaching" && cp -a "$build/obj" "$reaching" || return 1
    printf '%s\n' "${files[@]}" | sed "s,^src/\(.*\)c$,$reaching/obj/\1o," >"$work/objects"
    # shellcheck disable=SC2046 # one word for each
    rm $(cat "$work/objects") && make_ "$reaching" -j"$jobs" $(cat "$work/objects") &&
        "${CC:-gcc}" -std=c11 -O1 -fPIC -c tests/mutation/reach.c -o "$reaching/obj/reach.o" && link_library "$reaching"
}

prepare() {
    mkdir "$work/1" && tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/1" -xf - || return 1
    cd "$work/1" || return 1
    local units=(tests/unit/test_*.c)
    make_all "$build" "${units[@]%.c}" && make_reaching || return 1
    [ -n "$quick" ] || make_all "$sanitized" "${units[@]%.c}"
}

# The accepted reason of a survivor, by file:function and mutation.
reason() {
    [ -f "$listed" ] && awk -F '\t' -v where="$1" '
        BEGIN {mutation = ENVIRON["MUTATION"]}
        !/^#/ && $1 == where && $2 == mutation {print $3; exit}' "$listed"
}

# What notices the mutant in the tree, or `stillborn`.
judge() { # OBJECT FUNCTION
    local by
    if ! make_ "$build" "$build/$1" >/dev/null 2>&1 || ! link_library "$build" 2>/dev/null; then
        echo stillborn
        return
    fi
    by=$(killer "$2" "$build" 1)
    if [ -z "$by" ] && [ -z "$quick" ] && make_ "$sanitized" "$sanitized/$1" >/dev/null 2>&1 && link_library "$sanitized" 2>/dev/null; then
        by=$(killer "$2" "$sanitized" 6)
        by=${by:+$by, sanitized}
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
    by=$(judge "$object" "$3")
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
            if (sub(/^SURVIVED /, "") && match($0, /:[0-9]+: /))
                again[substr($0, 1, RSTART) substr($0, RSTART + RLENGTH)] = 1
            next
        }
        ($1 ":" $7 " (in " $3 ")") in again' "$AGAIN" "$work/places" >"$work/chosen"
fi
echo "$(wc -l <"$work/chosen") of $(wc -l <"$work/places") places, seed $seed"

(prepare) >/dev/null || fail "the tree does not build"
by=$(cd "$work/1" && reach) || fail "the tree as it is fails: $by"
by=$(cd "$work/1" && [ -z "$quick" ] && killer - "$sanitized" 6)
[ -z "$by" ] || fail "the tree as it is fails: $by, sanitized"
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
