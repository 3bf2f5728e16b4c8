# A JSON report as lines to compare and to read: per case what was found, what each core does with it, and what
# could not be checked. Constants of the rule are left out; they are the catalogue's.
# jq 1.6 makes a double of every number; later ones only of those that are calculated with.
def shown: walk(if type == "number" then . + 0 else . end) | tojson;
def effect: "\(.effect) set=\(.legacy_type_system.set) unset=\(.legacy_type_system.unset)"
    + (if .masked then " masked" else "" end)
    + (if .exact or .summary == null then "" else " inexact" end)
    + (if .summary then ": \(.summary)" else "" end)
    + (if .message then ": \(.message | tojson)" else "" end);
def cores: if .opentofu == .terraform then "    both \(.opentofu | effect)"
    else "    opentofu \(.opentofu | effect)", "    terraform \(.terraform | effect)" end;
def finding:
    "  \(.severity) \(.rule) at \(.path) \(.location.line // "-"):\(.location.column // "-")"
        + " run \(.run) \(.call | if . then "\(.rpc) \(.phase) \(.leg) \(.index)" else "-" end)"
        + (if .also | length > 0 then " also \(.also | join(","))" else "" end)
        + (if .follows != null then " follows \(.follows)" else "" end)
        + (if .doubtful then " doubtful" else "" end)
        + (if .suppressed then " suppressed \(.suppressed | tojson)" else "" end)
        + (if .broken_by then " \(.promised_by) -> \(.broken_by)" else "" end),
    "    \(.message // "")",
    (.values | to_entries[] | "    \(.key) \(.value | shown)"),
    (.evidence // [] | .[] | "    differs \(.path)\(if .pointer then " " + .pointer else "" end) \(.values | shown)"),
    cores;
def told: (.address // .provider) + (if .deposed then " \(.deposed)" else "" end)
    + " " + (walk(if type == "object" then del(.address, .deposed, .file) else . end) | shown);
def certainty: if .firm then del(.firm, .possible) else del(.firm) end | del(.mode);
.cases[]
    | "\(.file)#\(.name // .document): \(.verdict); \(.rules | "\(.checked) checked, \(.not_checked) not, \(.not_applicable) do not apply")",
    (.runs[] | "  run \(.run) \(.action | "opentofu \(.opentofu) terraform \(.terraform)") derived \(.derived | join(","))"
        + (if .unapplied then " unapplied" else "" end)),
    (.findings[] | finding),
    (.sets // [] | .[] | "  set \(.path)\(if .unknown then " unknown" else "" end)"),
    (.prediction // empty | "  prediction \(.state): \(.firm) firm of \(.objects), \(.blocks_open) blocks open, \(.failed) failed"),
    (.predictions // [] | .[] | "  predicts \(certainty | told)"),
    (.prediction_notes // [] | .[] | "  cannot tell \(told)"),
    (.provider_instances // [] | .[] | "  provider \(told)"),
    (.not_checked[] | "  lacks \(.missing): \(.rules | join(" ")) (\(.count))"),
    (.notes[] | "  note \(. | tojson)")
