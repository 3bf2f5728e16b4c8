# shellcheck shell=bash disable=SC2034 # what is set is read where this file is sourced
# Sourced from the root of the repository: how to build for another architecture of Debian.
own_arch=$(dpkg --print-architecture 2>/dev/null || uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')

describe_arch() { # ARCH: sets triple and machine (as qemu calls it). False: not known
    case $1 in
        amd64) triple=x86_64-linux-gnu machine=x86_64 ;;
        arm64) triple=aarch64-linux-gnu machine=aarch64 ;;
        i386) triple=i686-linux-gnu machine=i386 ;;
        s390x) triple=s390x-linux-gnu machine=s390x ;;
        *) return 1 ;;
    esac
}

# ARCH: sets settings, a list of make's variables, and for an architecture other than this machine's root, where its
# libraries are. False: why says what is missing.
settings_for() {
    local launcher=
    settings=() root=
    describe_arch "$1" || { why="packaging/arch.sh does not know it" && return 1; }
    [ "$1" != "$own_arch" ] || return 0
    if ! type -P "$triple-gcc" >/dev/null; then
        why="$triple-gcc is not installed: apt-get install gcc-${triple/_/-}"
    elif ! type -P apt-get dpkg-deb >/dev/null || ! packaging/sysroot "$1"; then
        why="Debian's libraries for it cannot be had: packaging/sysroot $1"
    else
        root=$PWD/build/sysroot/$1/root
        [[ ${CC:-} != ccache\ * ]] || launcher='ccache '
        settings=(CC="$launcher$triple-gcc --sysroot=$root" AR="$triple-ar" STRIP="$triple-strip" CC_FOR_BUILD="${CC:-gcc}"
            PKG_CONFIG="env PKG_CONFIG_LIBDIR=$root/usr/lib/${triple/i686/i386}/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config")
        return 0
    fi
    return 1
}
