#!/bin/bash
# The packages that carry the static program: each is built twice with the same bytes, installed into a root that has nothing
# else, or by its own installer without a registry, and run: check, record with a client, the man page.
# PACKAGES="deb npm" tries only these.
# shellcheck source=tests/packaging/lib.bash
. "$(dirname "$0")/lib.bash"
cd "$root" || exit 1
arch=$(dpkg --print-architecture 2>/dev/null || uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
read -ra kinds <<<"${PACKAGES:-archive wheel npm deb container}"
run make -s static
if [ "$status" != 0 ]; then
    skip "packages with the static program" "make static fails: $(tail -n 1 "$work/output")"
    exit 0
fi
# The tests' own client and provider, as static as the program.
run make -s "$jobs" FLAVOUR=static LDFLAGS="-L$root/build/static-libraries/$arch" build/static/tests/record/provider build/static/tests/record/client
[ "$status" = 0 ] && [ -x build/static/tests/record/client ] && peers=1
result $? "a client and a provider are built"

# FOLDER NAME: the root gets the tests' inputs; all that runs there is in it.
furnish() {
    mkdir -p "$1/t" "$1/tmp" "$1/dev"
    [ "$(id -u)" != 0 ] || [ -e "$1/dev/null" ] || mknod -m 666 "$1/dev/null" c 1 3 # as each container has it
    cp tests/cli/data/{conforms,leaves}.yaml testdata/captures/fault-apply-value-changed.jsonl "$1/t/"
    [ -z "${peers:-}" ] || cp build/static/tests/record/{provider,client} "$1/t/"
}

# NAME ROOT COMMAND...: what runs lifecheck, with `/` as the root's path in words (or the real one where there is no chroot)
works() {
    local name=$1 place=$2 recording=$2/t/fault-apply-value-changed.jsonl began
    shift 2
    began=$(date +%s%N)
    run "$@" --version
    [ "$status" = 0 ] && grep -qF "$version" "$work/output"
    result $? "$name: it starts ($((($(date +%s%N) - began) / 1000000)) ms)"
    run "$@" "$place/t/conforms.yaml"
    [ "$status" = 0 ] && grep -q '1 conforms' "$work/output"
    result $? "$name: check, nothing found"
    run "$@" "$recording"
    [ "$status" = 1 ] && grep -q 'apply/changed' "$work/output"
    result $? "$name: check, a violation"
    [ -n "${peers:-}" ] || return
    run env RECORDING="$recording" "$@" record --provider example.test/tests/thing="$place/t/provider" -o "$place/t/recorded.jsonl" \
        -- "$place/t/client" "$recording"
    [ "$status" = 1 ] && grep -q 'apply/changed' "$work/output"
    result $? "$name: record with a client"
}
within() { # NAME ROOT PROGRAM
    local name=$1 bare=$2 program=$3
    furnish "$bare"
    if [ "$(id -u)" != 0 ] || ! chroot "$bare" "$program" --version >/dev/null 2>&1; then
        skip "$name: in a bare root" "only root can try"
        return
    fi
    works "$name" "" chroot "$bare" "$program"
}
page() { # NAME FOLDER: is the man page there, and can it be read?
    local file
    file=$(find "$2" -name 'lifecheck.1*' | head -n 1)
    if [ -n "$file" ] && type -P man >/dev/null; then
        run env MANPAGER=cat man -l "$file"
        [ "$status" = 0 ] && grep -q explain "$work/output"
    else
        [ -n "$file" ]
    fi
    result $? "$1: the man page"
}

# CONTEXT STORAGE: a builder makes an image, which runs, also as a user that it does not know.
image() {
    local context=$1 inputs=$work/inputs builder=(buildah --storage-driver vfs --root "$2/root" --runroot "$2/run")
    if ! type -P buildah >/dev/null || [ "$(id -u)" != 0 ]; then
        skip "container: an image" "buildah and root are needed"
        return
    fi
    furnish "$inputs"
    run "${builder[@]}" bud --isolation chroot -t lifecheck "$context"
    [ "$status" = 0 ] && run "${builder[@]}" from --name lifecheck-test lifecheck && [ "$status" = 0 ]
    result $? "container: buildah makes an image"
    run "${builder[@]}" inspect --type image --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}' lifecheck
    grep -qx '\[/bin/lifecheck\] /work' "$work/output"
    result $? "container: it starts lifecheck"
    within_image() {
        # It ends with a status of its own.
        run "${builder[@]}" run --isolation chroot --user 4321:4321 -e RECORDING=fault-apply-value-changed.jsonl -v "$inputs/t:/work" lifecheck-test \
            /bin/lifecheck "$@"
    }
    within_image conforms.yaml
    [ "$status" = 0 ] && grep -q '1 conforms' "$work/output"
    result $? "container: check in the image, as another user"
    [ -z "${peers:-}" ] || {
        within_image record --provider example.test/tests/thing=/work/provider -o /tmp/recorded.jsonl -- /work/client fault-apply-value-changed.jsonl
        grep -q 'apply/changed' "$work/output"
        result $? "container: record in the image, as another user"
    }
    "${builder[@]}" rm --all >/dev/null
    "${builder[@]}" rmi --all >/dev/null
}

for kind in "${kinds[@]}"; do
    rm -rf build/packages/*-"$arch".tar.gz
    run make -s "package-$kind"
    [ "$status" = 0 ]
    result $? "make package-$kind"
    mapfile -t files < <(grep '^build/packages/' "$work/output")
    [ "${#files[@]}" != 0 ] || continue
    sha256sum "${files[@]}" >"$work/sums"
    run make -s "package-$kind"
    sha256sum -c "$work/sums" >"$work/output" 2>&1
    result $? "$kind: the same bytes ($(du -bc "${files[@]}" | tail -n 1 | cut -f 1) bytes)"
    there=$work/$kind
    mkdir -p "$there"
    case $kind in
        archive)
            tar -x -z -f "${files[0]}" -C "$there" --strip-components=1
            within archive "$there" /bin/lifecheck
            page archive "$there"
            ;;
        container)
            # As a builder does what the Containerfile says, which needs nothing but COPY and ADD.
            mkdir -p "$there/context" "$there/root"
            tar -x -z -f "${files[0]}" -C "$there/context"
            ! grep -vE '^(#|FROM scratch$|COPY |ADD tmp.tar /$|ENV |WORKDIR |ENTRYPOINT \["/bin/lifecheck"\]$)' "$there/context/Containerfile" >"$work/output"
            result $? "container: the Containerfile has an empty base"
            mkdir -p "$there/root/bin" "$there/root/work"
            cp "$there/context/lifecheck" "$there/root/bin/" && tar -x -p -f "$there/context/tmp.tar" -C "$there/root"
            within container "$there/root" /bin/lifecheck
            image "$there/context" "$there/storage"
            ;;
        deb)
            if ! type -P dpkg >/dev/null || [ "$(id -u)" != 0 ]; then
                skip "deb: in a bare root" "dpkg and root are needed"
                continue
            fi
            mkdir -p "$there/var/lib/dpkg/info" "$there/var/lib/dpkg/updates"
            : >"$there/var/lib/dpkg/status"
            run dpkg --root="$there" --force-not-root --force-script-chrootless -i "${files[0]}"
            [ "$status" = 0 ]
            result $? "deb: dpkg installs it into a root without any package"
            within deb "$there" /usr/bin/lifecheck
            page deb "$there"
            run dpkg --root="$there" --force-script-chrootless -P lifecheck
            [ "$status" = 0 ] && [ ! -e "$there/usr/bin/lifecheck" ]
            result $? "deb: it is removed"
            ;;
        wheel)
            if ! python3 -m venv "$there/venv" >"$work/output" 2>&1; then
                skip "wheel: installed" "python3 has no venv"
                continue
            fi
            run "$there/venv/bin/pip" install --no-index "${files[0]}"
            [ "$status" = 0 ]
            result $? "wheel: pip installs it without a registry"
            furnish "$there"
            works wheel "$there" "$there/venv/bin/lifecheck"
            page wheel "$there/venv"
            ;;
        npm)
            if ! type -P npm >/dev/null; then
                skip "npm: installed" "npm is not installed"
                continue
            fi
            run npm install --offline --no-audit --no-fund --global --prefix "$there" "${files[@]/#/.\/}"
            [ "$status" = 0 ]
            result $? "npm: it is installed without a registry"
            furnish "$there"
            works npm "$there" "$there/bin/lifecheck"
            page npm "$there"
            ;;
    esac
done
