#!/bin/bash
# `lifecheck probe` with what the user has (configurations, stored objects), its pages, and `gate`
# with the reports of probing two versions.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
captures=$root/testdata/captures
peer=$(dirname "$lifecheck")/tests/probe/provider

if [ ! -x "$peer" ]; then
    echo "ok - evidence and pages of probe # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
mkdir run home old new broken
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME

# provider FOLDER NAME=VALUE...: one with these settings
provider() {
    ln -f "$peer" "$1/terraform-provider-peer" 2>links || cp "$peer" "$1/terraform-provider-peer"
    printf '%s\n' "${@:2}" >"$1/terraform-provider-peer.env"
}
provider old PROTOCOL=6
provider new PROTOCOL=6
provider broken PROTOCOL=6 FAULT=random

# probe FOLDER OPTION...: asks the provider there
probe() {
    timeout -k 5 120 "$lifecheck" probe --provider "$1/terraform-provider-peer" -o "$1/found" "${@:2}"
}

# ---- What the user has

cat >seed.yaml <<'END'
lifecheck: 1
name: an object with a name
resource: peer_thing.example
schema:
  block:
    attributes:
      name: {type: string, required: true}
      size: {type: string, optional: true}
config: {name: seedling, size: "12"}
END
wants 0 "a scenario to begin with" probe old --type peer_thing --law 16 --config seed.yaml --format json
out_has '"from":"seed.yaml"' "is asked first, fitted to the provider's schema"
mkdir scenarios
cp seed.yaml scenarios
wants 0 "a folder in scenarios" probe old --type peer_thing --law 16 --config scenarios --format json
out_has '"from":"scenarios/seed.yaml"' "is walked"
mkdir config
cat >config/main.tf.json <<'END'
{"variable": {"name": {"default": "from a variable"}},
 "resource": {"peer_thing": {"a": {"name": "${var.name}"}}, "elsewhere_thing": {"b": {}}}}
END
wants 0 "a configuration" probe old --type peer_thing --law 16 --config config --format json
out_has '"from":"config"' "is evaluated"
wants 0 "a state" probe old --type peer_thing --law 2,33,37 --state "$data/peer.tfstate" --format json
out_has '"stored":1' "has stored objects"
wants 3 "a configuration that is not there" probe old --type peer_thing --config nowhere.yaml
err_has "--config: nowhere.yaml: no such file" "is reported"
echo '{"resource": 5' >config/broken.tf.json
wants 3 "a configuration that cannot be read" probe old --type peer_thing --config config
err_has "config/broken.tf.json:" "is reported with its place"

# ---- Pages

wants 1 "pages for a release" probe broken --type 'peer_*' --report markdown=broken.md --report html=broken.html --format json
mv stdout broken.json
file_has() { # FILE TEXT NAME
    grep -qF -- "$2" "$1"
    result $? "$3"
}
file_has broken.md "## lifecheck probe: terraform-provider-peer" "Markdown: its title"
file_has broken.md "1 finding that fails" "what was found"
# shellcheck disable=SC2016
file_has broken.md '| error | `final/changed` | `peer_thing` | `.slug` |' "each finding"
file_has broken.md "| \`16 plan-repeats\` | The same plan twice has equal known values | must | 6 | 1 |" "each law"
! grep -qE '\| [0-9]+: +\|' broken.md
result $? "why laws were not tried"
file_has broken.html "<title>lifecheck probe: terraform-provider-peer</title>" "HTML: its title"
file_has broken.html "nothing was applied, imported or read" "what was asked"

# ---- Two versions

probe old --type 'peer_*' --format json >old.json
probe new --type 'peer_*' --format json >new.json
probe new --type peer_thing --law 16 --format json >less.json
wants 0 "gate: two versions that are equal" "$lifecheck" gate --strict --old old.json --new new.json
out_has "6 types were only probed: nothing of them was applied or read" "what probing cannot say is reported"
! grep -qF "probed in the old version only" stdout
result $? "nothing is lost"
wants 1 "gate: a version that is worse" "$lifecheck" gate --old old.json --new broken.json
out_has "new      error    final/changed at .slug of peer_thing (1)" "is reported"
wants 0 "gate: a version that was asked less" "$lifecheck" gate --old old.json --new less.json
out_has "peer_lists: the type was not probed" "types are reported"
out_has "peer_thing: law 1 (unknown-completes) was tried with the old version only: it was not selected" "and laws"
out_has "--strict refuses that" "and what refuses it"
wants 1 "gate --strict" "$lifecheck" gate --strict --old old.json --new less.json --format json
out_has '"probed_before_only":[{"type":"peer_blocks"' "JSON lists the losses"
wants 0 "gate: Markdown" "$lifecheck" gate --old old.json --new less.json --format markdown
out_has "### Probed in the old version only" "has a table of them"
wants 0 "gate: a version that was not probed" "$lifecheck" gate --old old.json --new "$captures/fault-none.jsonl"
out_has "the new version was not probed" "is reported"
[ -z "$(ls run)" ]
result $? "no socket is left"
