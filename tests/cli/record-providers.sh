#!/bin/bash
# Which providers `lifecheck record` finds; providers that run already; --listen; signals.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=tests/cli/record.bash
. "$root/tests/cli/record.bash"
running='' recorder=''
trap '[ -z "$running$recorder" ] || kill -9 $running $recorder; rm -rf "$work"' EXIT
random=$captures/random-replace.jsonl
export RECORDING=$good

# install FOLDER RECORDING [NAME]: a provider as `init` installs it, which plays this recording
install() {
    mkdir -p "$1"
    ln "$peers/provider" "$1/${3:-terraform-provider-thing_v1.0.0_x5}" 2>kills ||
        cp "$peers/provider" "$1/${3:-terraform-provider-thing_v1.0.0_x5}"
    echo "RECORDING=$2" >"$1/${3:-terraform-provider-thing_v1.0.0_x5}.env"
}

# found [NAME=VALUE...] [OPTION...] -- COMMAND...: like record, but without --provider
found() {
    local settings=()
    while [[ $1 == [A-Z]*=* ]]; do
        settings+=("$1")
        shift
    done
    made=$((made + 1))
    recorded=r$made.jsonl
    : >"$PEER_LOG"
    run env -u RECORDING "${settings[@]}" timeout -k 5 60 "$lifecheck" record -o "$recorded" "$@"
}

# uses RECORDING ADDRESS NAME OPTION... -- COMMAND...: whose provider plays this recording
uses() {
    local plays=$1 of=$2 name=$3
    shift 3
    found "$@" --provider "$of" "$plays"
    [ "$status" = 0 ] && grep -q ' 0 failed' stdout && ! grep -q ' 0 equal' stdout && ! grep -q "^0 calls" stdout
    result $? "$name"
    leaves_nothing "$name"
}

# ---- What init installed

found -- true
[ "$status" = 3 ]
result $? "nothing is installed: exit status 3"
err_has 'no provider was found: run `terraform init`' "nothing is installed: says what to do"
found -- sh -c 'exit 5'
[ "$status" = 5 ]
result $? "nothing is installed: the command runs all the same"
installed=.terraform/providers
install $installed/example.test/tests/thing/1.0.0/linux_amd64 "$good"
install $installed/example.test/tests/random/3.9.0/linux_amd64 "$random" terraform-provider-random_v3.9.0_x5
uses "$good" example.test/tests/thing "installed" -- "$client"
grep -q '"providers":\[{"address":"example.test/tests/[a-z]*","version":"[0-9.]*"},{' "$recorded"
result $? "installed: the recording has the versions"
uses "$random" example.test/tests/random "the other one" -- "$client"
found -- "$client" --connections 8 --parallel 3 --repeat 2 --provider example.test/tests/thing "$good" --provider example.test/tests/random "$random"
[ "$status" = 0 ] && grep -qx '200 calls, 200 answered, 200 equal, 0 failed' stdout
result $? "two providers at once"
[ "$(grep -c '"provider":"example.test/tests/' "$recorded")" = 198 ] && grep -q '"calls":200,"repeated_schemas":2,"lost":0' "$recorded"
result $? "two providers at once: all is recorded"
leaves_nothing "two providers at once"
mkdir -p other/down
mv .terraform other/down
uses "$good" example.test/tests/thing "-chdir=DIR" -- sh -c 'shift; cd other/down && exec "$0" "$@"' "$client" -chdir=other/down
uses "$good" example.test/tests/thing "TF_DATA_DIR" TF_DATA_DIR=other/down/.terraform -- "$client"
uses "$good" example.test/tests/thing "TF_DATA_DIR as an absolute path" TF_DATA_DIR="$work/other/down/.terraform" -- "$client"
uses "$good" example.test/tests/thing "TF_DATA_DIR below -chdir" TF_DATA_DIR=down/.terraform -- sh -c 'shift; cd other && exec "$0" "$@"' "$client" -chdir=other
mv other/down/.terraform .
thing=$installed/example.test/tests/thing
install $thing/2.0.0/linux_amd64 "$whole"
cat >.terraform.lock.hcl <<'END'
# This file is maintained automatically by "terraform init".
provider "example.test/tests/random" { version = "3.9.0" }
provider "example.test/tests/thing" {
  version     = "1.0.0"
  constraints = "~> 1.0"
  hashes = ["h1:abc=", "zh:def"]
}
END
uses "$good" example.test/tests/thing "several versions: that of the lock file" -- "$client"
rm .terraform.lock.hcl
found -- "$client" --provider example.test/tests/thing "$whole"
[ "$status" = 1 ] && grep -q ' 11 equal, 0 failed' stdout
result $? "several versions without a lock file: the highest"
err_has "holds several versions, and the lock file names none of them: 2.0.0 is taken" "several versions: reported"
install $thing/10.0.0/linux_amd64 "$good"
uses "$good" example.test/tests/thing "10.0.0 is higher than 2.0.0" -- "$client"
rm -r $thing/2.0.0 $thing/10.0.0
install $thing/1.0.0/windows_arm64 "$whole"
uses "$good" example.test/tests/thing "several machines: this one" -- "$client"
rm -r $thing/1.0.0/windows_arm64
mv $thing/1.0.0/linux_amd64 real
ln -s "$work/real" $thing/1.0.0/linux_amd64
uses "$good" example.test/tests/thing "a symbolic link to the cache" -- "$client"
touch .terraform/providers/file
mkdir -p .terraform/providers/empty .terraform/providers/a/b/c/1.0.0/linux_amd64
found -- "$client" --provider example.test/tests/thing "$good"
[ "$status" = 0 ]
result $? "what is not a provider does not matter"
err_has "version 1.0.0 has no binary that can be executed" "but is reported"
rm -r .terraform/providers/empty .terraform/providers/a .terraform/providers/file
echo FAULT=early-exit >>real/terraform-provider-thing_v1.0.0_x5.env
found -- "$client" --provider example.test/tests/random "$random"
[ "$status" = 0 ]
result $? "an installed one that does not start: the others are recorded"
err_has "cannot be recorded: it ended with status 2 before its handshake (is it the binary of a provider?); the client starts it by itself" "and it is reported"
leaves_nothing "an installed one that does not start"
mv .terraform was

# ---- Overrides of developers

install dev "$good" terraform-provider-thing
override() { # text; the settings of the client
    echo "$1" >settings
}
override=TF_CLI_CONFIG_FILE=settings
override 'provider_installation {
  dev_overrides {
    "example.test/tests/thing" = "'"$work"'/dev"
  }
  direct {}
}'
uses "$good" example.test/tests/thing "dev_overrides" $override -- "$client"
mkdir -p elsewhere
uses "$good" example.test/tests/thing "settings are those where we are, not behind -chdir" $override -- sh -c 'shift; exec "$0" "$@"' "$client" -chdir=elsewhere
override '# a comment { " }
// another {
/* and " { */
credentials "app.example.test" { token = "a{\"b" }
plugin_cache_dir="/x"   disable_checkpoint=true
provider_installation{/* here */dev_overrides={
example.test/tests/other = "nowhere"   # no quotes
"example.test/tests/thing"="./dev" }filesystem_mirror{path="/y"
include=["*/*"]}}'
uses "$good" example.test/tests/thing "dev_overrides, written oddly" $override -- "$client"
override '{"provider_installation": [{"dev_overrides": [{"example.test/tests/thing": "dev"}], "direct": [{}]}], "credentials": {}}'
uses "$good" example.test/tests/thing "dev_overrides in JSON" $override -- "$client"
override '{"provider_installation": {"dev_overrides": {"example.test/tests/thing": "dev/terraform-provider-thing"}}}'
uses "$good" example.test/tests/thing "dev_overrides in plainer JSON, with the file itself" $override -- "$client"
override 'provider_installation { dev_overrides { "example.test/tests/thing" = "missing" } }'
found $override -- true
err_has "dev_overrides names missing for example.test/tests/thing, where no terraform-provider-thing is" "dev_overrides without a program: reported"
for text in 'provider_installation {' 'provider_installation { dev_overrides { "a' '{' '/*' 'provider_installation { dev_overrides {{{{ = } "x" } }' '"\' 'provider_installation { dev_overrides { "a" "b" = = "c" } } }}}'; do
    override "$text"
    found $override -- true
    [ "$status" = 3 ] || echo "#   exit status $status: $text"
    [ "$status" = 3 ]
    result $? "broken settings"
done
echo 'provider_installation { dev_overrides { "example.test/tests/thing" = "'"$work"'/dev" } }' >"$HOME/.terraformrc"
uses "$good" example.test/tests/thing "settings in the home folder" -- "$client"
mv "$HOME/.terraformrc" "$HOME/.tofurc"
uses "$good" example.test/tests/thing "settings of OpenTofu" -- "$client"
install twice "$whole" terraform-provider-thing
uses "$good" example.test/tests/thing "dev_overrides win over what is installed" -- "$client"
found --provider "example.test/tests/thing=twice/terraform-provider-thing" -- "$client" --provider example.test/tests/thing "$whole"
[ "$status" = 1 ] && grep -q ' 11 equal, 0 failed' stdout
result $? "--provider wins over dev_overrides"
rm "$HOME/.tofurc"
for name in thing tests/thing; do
    found --provider "$name=dev/terraform-provider-thing" -- "$client" --provider $name "$good"
    [ "$status" = 0 ] && grep -q ' 11 equal, 0 failed' stdout
    result $? "an address may be short: $name"
done

# ---- Providers that run already

start_provider RECORDING="$good"
first=$running one=$entry
uses "$good" example.test/tests/thing "TF_REATTACH_PROVIDERS" TF_REATTACH_PROVIDERS="{\"example.test/tests/thing\":$one}" -- "$client"
runs "$first" && [ "$(grep -c ' start$' "$PEER_LOG")" = 0 ]
result $? "its provider goes on, and no other one is started"
mv was .terraform
rm real/terraform-provider-thing_v1.0.0_x5.env
echo "RECORDING=$whole" >real/terraform-provider-thing_v1.0.0_x5.env
uses "$good" example.test/tests/thing "it wins over what is installed" TF_REATTACH_PROVIDERS="{\"example.test/tests/thing\":$one}" -- "$client"
found TF_REATTACH_PROVIDERS="{\"example.test/tests/thing\":$one}" -- "$client" --provider example.test/tests/thing "$good" --provider example.test/tests/random "$random"
[ "$status" = 0 ] && grep -q ' 100 equal, 0 failed' stdout
result $? "beside what is installed"
mv .terraform was
stop_provider
found TF_REATTACH_PROVIDERS="{\"example.test/tests/thing\":$one}" -- "$client" --provider example.test/tests/thing "$good"
[ "$status" = 1 ]
result $? "a provider that has gone"
err_has "example.test/tests/thing cannot be reached at $work/plugin" "a provider that has gone: reported"
start_provider FAULT=tcp RECORDING="$good"
uses "$good" example.test/tests/thing "one that listens on a port" TF_REATTACH_PROVIDERS="{\"example.test/tests/thing\":$entry}" -- "$client"
stop_provider
start_provider FAULT=kill-in-apply RECORDING="$whole"
found TF_REATTACH_PROVIDERS="{\"example.test/tests/thing\":$entry}" -- "$client" --provider example.test/tests/thing "$whole"
[ "$status" = 1 ] && [ "$(errors)" = "ApplyResourceChange - Unavailable the provider closed the connection before the response" ]
result $? "one that exits"
running=
for value in zork '[]' '{"a":1}' '{"a":{"Protocol":"netrpc"}}' '{"a":{"Protocol":"grpc","Addr":{"Network":"unix"}}}'; do
    run env TF_REATTACH_PROVIDERS="$value" "$lifecheck" record -o n.jsonl -- touch ran
    [ "$status" = 3 ] && [ ! -e ran ] && [ ! -e n.jsonl ]
    result $? "TF_REATTACH_PROVIDERS='$value': nothing is run"
    err_has "lifecheck: TF_REATTACH_PROVIDERS: " "TF_REATTACH_PROVIDERS='$value': says so"
done
found TF_REATTACH_PROVIDERS= -- true
[ "$status" = 3 ]
result $? "TF_REATTACH_PROVIDERS may be empty"

# Some that start other programs ignore SIGCHLD, and programs inherit that.
run timeout 20 python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$lifecheck" record --allow-empty -o ignored.jsonl -- grep ^SigIgn /proc/self/status
[ "$status" = 0 ]
result $? "SIGCHLD is ignored: the end of the command is noticed"
grep -q '[13579bdf]....$' stdout
result $? "SIGCHLD is ignored: by the command too"

# ---- --listen

# listen OPTION...: a recorder in the background; sets recorder, reattach and wrapper
listen() {
    made=$((made + 1))
    recorded=r$made.jsonl
    : >"$PEER_LOG"
    rm -f listen.stdout listen.stderr
    timeout -k 5 60 "$lifecheck" record --listen -o "$recorded" "$@" >listen.stdout 2>listen.stderr &
    recorder=$!
    await 'recording until' listen.stderr
    result $? "--listen $*: says that it listens"
    reattach=$(sed -n "s/^export TF_REATTACH_PROVIDERS='\(.*\)'$/\1/p" listen.stdout)
    wrapper=$(sed -n "s/^export TF_ACC_TERRAFORM_PATH='\(.*\)'$/\1/p" listen.stdout)
}

# The end of it, by a signal.
ends_listening() { # signal, status, "calls repeated lost", name
    kill "-$1" "$(children_of "$recorder")"
    wait "$recorder"
    status=$?
    recorder=
    cp listen.stdout stdout
    cp listen.stderr stderr
    ends "$2" "$3" "$4"
}

listen --provider "$address=$peers/provider"
run env TF_REATTACH_PROVIDERS="$reattach" "$client" "$good"
[ "$status" = 0 ] && grep -q ' 11 equal, 0 failed' stdout
result $? "--listen: a client with the variable"
run sh -c '. ./listen.stdout; exec "$0" "$@"' "$client" "$good"
[ "$status" = 0 ] && grep -q ' 11 equal, 0 failed' stdout
result $? "--listen: what it prints is for a shell"
ends_listening INT 0 "22 1 0" "--listen"
err_has "2 cases" "--listen: a report at the end"
for signal in TERM HUP; do
    listen --provider "$address=$peers/provider"
    env TF_REATTACH_PROVIDERS="$reattach" "$client" "$good" >client.stdout 2>&1
    ends_listening $signal 0 "11 0 0" "--listen, ended by SIG$signal"
done

run nohup sh -c '"$0" record --listen -o nohup.jsonl >/dev/null & sleep 0.5
    kill -HUP $!
    sleep 0.2
    grep -q "^State:.[^ZX]" /proc/$!/status && echo goes on
    kill $!
    wait $!' "$lifecheck"
out_has "goes on" "--listen under nohup: SIGHUP does not end it"
err_has "0 calls recorded in nohup.jsonl" "--listen under nohup: SIGTERM does"

listen --provider "$address=dev/terraform-provider-thing"
start_provider RECORDING="$random"
run env LIFECHECK_CLIENT="$client" TF_REATTACH_PROVIDERS="{\"example.test/tests/random\":$entry}" "$wrapper" --provider example.test/tests/random "$random" --provider "$address" "$good"
[ "$status" = 0 ] && grep -q ' 100 equal, 0 failed' stdout
result $? "the wrapper of acceptance tests: the provider of a test, next to those of the recorder"
stop_provider
for _ in 1 2 3; do
    start_provider RECORDING="$whole"
    run env LIFECHECK_CLIENT="$client" TF_REATTACH_PROVIDERS="{\"$address\":$entry}" "$wrapper" --provider "$address" "$whole" --exit 4
    [ "$status" = 4 ] && grep -q ' 11 equal, 0 failed' stdout
    result $? "the wrapper: another test with another provider of the same address"
    stop_provider
done
run env LIFECHECK_CLIENT="$client" TF_REATTACH_PROVIDERS=zork "$wrapper" --provider "$address" "$good"
[ "$status" = 0 ]
result $? "the wrapper: a variable that cannot be read"
run env LIFECHECK_CLIENT="$client" "$wrapper" --print-env
grep -q "^{\"$address\":" stdout && [ "$status" = 0 ]
result $? "the wrapper: no variable"
[ "$(find "${wrapper%/*}" -name '[0-9]*' | wc -l)" = 1 ]
result $? "the wrapper: sockets of tests that are over are removed"
run env LIFECHECK_CLIENT=./missing "$wrapper"
[ "$status" = 127 ]
result $? "the wrapper: no client"
err_has "missing cannot be run: No such file or directory" "the wrapper: no client, reported"
python3 -c '
import socket, sys, time
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.send(b"{")
print("on", flush=True)
time.sleep(30)' "${wrapper%/*}/control" >silent &
silent=$!
await on silent
run timeout 10 env TF_REATTACH_PROVIDERS="$reattach" "$client" --provider "$address" "$good"
[ "$status" = 0 ]
result $? "a wrapper that says nothing delays nothing"
kill "$silent"
gone=$wrapper
ends_listening INT 1 "$((89 + 11 + 33 + 11 + 11)) 5 0" "the wrapper"
err_has "TF_REATTACH_PROVIDERS of a test: no JSON" "the wrapper: what could not be read is reported"
run env LIFECHECK_CLIENT="$client" "$lifecheck" record --join "${gone%/*}/control" -- "$client" "$good"
[ "$status" = 4 ]
result $? "--join without a recorder"
err_has "no recorder listens at ${gone%/*}/control: No such file or directory" "--join without a recorder: reported"

# A client that is still there waits for an answer.
install dev "$good" terraform-provider-hang
echo FAULT=hang >>dev/terraform-provider-hang.env
unset RECORDING
listen --provider "$address=dev/terraform-provider-hang"
env TF_REATTACH_PROVIDERS="$reattach" timeout 20 "$client" "$good" >client.stdout 2>client.stderr &
hanging=$!
await 'call PlanResourceChange' "$PEER_LOG"
ends_listening INT 0 "6 0 0" "--listen that ends before a call"
[ "$(errors)" = "PlanResourceChange cut Canceled the recording ended before the response" ]
result $? "--listen that ends before a call: it is not the provider's fault"
wait "$hanging" || true
