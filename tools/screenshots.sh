#!/bin/sh
# Makes the pictures of docs/reports.md: what a terminal of 80 columns shows, and the HTML page of a recording. Wants chromium;
# with pngquant they become smaller.
set -eu
cd "$(dirname "$0")/.."
lifecheck=build/release/lifecheck
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Colours of a terminal as spans; the text is escaped first.
page() {
    echo '<!DOCTYPE html><meta charset="utf-8"><style>body{margin:0;background:#1b1e23}pre{margin:0;padding:14px 16px;color:#d7dae0;font:14px/1.35 "DejaVu Sans Mono",monospace}.c1{font-weight:700}.c31{color:#ff6b68}.c32{color:#8fd46a}.c33{color:#f2c55c}.c34{color:#6cb6ff}.c35{color:#d38aea}.c36{color:#5ecfd0}.c2,.c90{color:#8a919c}</style><pre>'
    sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | awk '{
        while (match($0, /\033\[[0-9;]*m/)) {
            codes = substr($0, RSTART + 2, RLENGTH - 3)
            out = ""
            while (open) { out = out "</span>"; open-- }
            if (codes != "" && codes != "0") {
                gsub(/;/, " c", codes)
                out = "<span class=\"c" codes "\">" out
                sub(/<span[^>]*>/, "", out); out = out "<span class=\"c" codes "\">"
                open = 1
            }
            $0 = substr($0, 1, RSTART - 1) out substr($0, RSTART + RLENGTH)
        }
        print
    }'
    echo '</pre>'
}

shot() { # PAGE WIDTH HEIGHT PICTURE
    chromium --headless --no-sandbox --hide-scrollbars --force-device-scale-factor=1 --window-size="$2,$3" \
        --screenshot="$work/shot.png" "file://$1" >/dev/null 2>&1
    if command -v pngquant >/dev/null; then
        pngquant --force --output "$4" 64 "$work/shot.png"
    else
        cp "$work/shot.png" "$4"
    fi
}

mkdir -p docs/images
{
    echo '$ lifecheck testdata/readme/policy.yaml'
    $lifecheck --color always --width 80 testdata/readme/policy.yaml || true
} | page >"$work/terminal.html"
shot "$work/terminal.html" 720 420 docs/images/terminal.png
SOURCE_DATE_EPOCH=1767225600 $lifecheck --quiet --report html="$work/report.html" testdata/captures/fault-apply-value-changed.jsonl >/dev/null || true
shot "$work/report.html" 1100 900 docs/images/report.png
ls -l docs/images
