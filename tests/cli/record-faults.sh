#!/bin/bash
# Providers that misbehave under `lifecheck record`: what is told, what is recorded, how it ends.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"

# refused NAME=VALUE... TEXT NAME: a provider that does not start, and is named by the user
refused() {
    local name=${*: -1} text=${*: -2:1}
    record "${@:1:$#-2}" --start-timeout 2 -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e "$file" ]
    result $? "$name: nothing is run, and no recording is left"
    err_has "$text" "$name: says so"
    leaves_nothing "$name"
}

# ---- No start

refused FAULT=garbage "the program printed \"Hello from a wrapper script" "another text"
refused FAULT=early-exit "it ended with status 2 before its handshake" "an early end"
err_has "  | panic: runtime error" "an early end: its last words"
refused FAULT=no-handshake "it did not say within 2 seconds where it listens" "silence"
refused FAULT=protocol-4 "speaks protocol \"4\", and not 5 or 6" "an old protocol"
refused FAULT=protocol-7 "speaks protocol \"7\", and not 5 or 6" "a newer protocol"
refused FAULT=tls "wants TLS, which nobody asked for" "TLS"
refused FAULT=netrpc "speaks \"netrpc\", and not gRPC" "net/rpc"
for row in true:'it ended with status 0 before its handshake' cat:'it ended with status 0 before its handshake'; do
    run "$lifecheck" record --provider "$address=/bin/${row%%:*}" -o n.jsonl -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e n.jsonl ]
    result $? "/bin/${row%%:*} is no provider"
    err_has "${row#*:}" "/bin/${row%%:*}: says so"
done
