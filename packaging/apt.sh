# shellcheck shell=sh disable=SC2016,SC1091
# Sourced: packages and sources of Debian in a folder of their own, without touching the lists of the system and without root.
# own_apt DIR ARCH apt-get's words...: DIR holds lists, archives and (none) installed packages.
site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian$' || true)
site=${site:-http://deb.debian.org/debian}
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")

own_apt() {
    dir=$1 arch=$2
    shift 2
    mkdir -p "$dir/lists/partial" "$dir/archives/partial"
    [ -f "$dir/status" ] || : >"$dir/status"
    [ -f "$dir/sources.list" ] || printf 'deb %s %s main\ndeb-src %s %s main\n' "$site" "$codename" "$site" "$codename" >"$dir/sources.list"
    apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::Etc::SourceList="$dir/sources.list" \
        -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$dir/lists" -o Dir::State::Status="$dir/status" -o Dir::Cache="$dir" \
        -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 -o Acquire::Languages=none "$@"
}
