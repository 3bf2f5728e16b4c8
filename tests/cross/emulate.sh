#!/bin/bash
# emulate.sh MACHINE ROOT COMMAND...: runs the command where the kernel starts a program of that machine (a name of
# qemu) with qemu-user and the libraries in ROOT, also when another program starts it. The setting is one of a user
# namespace of its own, which Linux has since 6.7: the system keeps its own. Without COMMAND it only says whether that
# can be done, on stderr if not.
set -eu
if [ "${1:-}" != --inside ]; then
    exec unshare --user --map-root-user --mount "$0" --inside "$@"
fi
machine=$2 root=$3
shift 3
case $machine in # class, byte order; number of the machine in this order
    aarch64) head='\x02\x01' type='\x02\x00\xb7\x00' mask='\xfe\xff\xff\xff' ;;
    i386) head='\x01\x01' type='\x02\x00\x03\x00' mask='\xfe\xff\xff\xff' ;;
    s390x) head='\x02\x02' type='\x00\x02\x00\x16' mask='\xff\xfe\xff\xff' ;;
    *) echo "$0: it does not know $machine" >&2 && exit 1 ;;
esac
# A variable with the folder of the libraries would not reach programs that are started with an environment of their own.
interpreter=$(mktemp)
trap 'rm -f "$interpreter"' EXIT
printf '#!/bin/sh\nexec %s -L "%s" "$@"\n' "$(type -P "qemu-$machine")" "$root" >"$interpreter"
chmod +x "$interpreter"
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
skipped=$(printf '\\x00%.0s' {1..9}) anything=$(printf '\\xff%.0s' {1..6})
printf '%s' ":qemu-$machine:M::\x7fELF$head\x01$skipped$type:$anything\xff$skipped$mask:$interpreter:" >/proc/sys/fs/binfmt_misc/register
[ $# = 0 ] || "$@"
