# Sourced behind lib.bash by scripts about `lifecheck probe`: a copy of the test provider, a home and a run folder of their own.
# shellcheck shell=bash disable=SC2034,SC2154 # variables are for those who source this, or of lib.bash
peer=$(dirname "$lifecheck")/tests/probe/provider
if [ ! -x "$peer" ]; then
    echo "ok - probe # SKIP the test provider is not built: libnghttp2 is missing"
    exit 0
fi
# One of its own: other scripts run the same program at the same time.
mkdir "$work/own"
cp "$peer" "$work/own/provider"
peer=$work/own/provider
mkdir run home
export XDG_RUNTIME_DIR=$work/run HOME=$work/home
unset TMPDIR XDG_CONFIG_HOME
