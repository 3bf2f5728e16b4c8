#!/bin/bash
# `# lifecheck: ignore RULE -- reason` in scenarios: at a value, above a key, above a case; what is not a comment; what is
# wrong or unused.
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
ln -s "$root/testdata/schemas" schemas
scenario() { # what stands behind new_state's zone, above that line, above the case
    cat <<Y
lifecheck: 1
schema: {file: schemas/nimbus.json, type: nimbus_disk}
cases:
${3:+  $3
}  - name: a
    config: {name: data, zone: z1, size_gb: 40}
    prior_state: null
    planned_state: {id: !unknown , name: data, zone: z1, size_gb: 40, self_link: !unknown }
    new_state:
      id: d-1
      name: data
${2:+      $2
}      zone: Z1${1:+ $1}
      size_gb: 40
      self_link: x
  - name: b
    config: {name: data, zone: z1, size_gb: 40}
    prior_state: null
    planned_state: {id: !unknown , name: data, zone: z1, size_gb: 40, self_link: !unknown }
    new_state: {id: d-1, name: data, zone: z1, size_gb: 40, self_link: x}
Y
}
comment='# lifecheck: ignore apply/changed -- the remote system says it in capitals'
scenario >plain.yaml
wants 1 "without a comment" "$lifecheck" plain.yaml
scenario "$comment" >at.yaml
wants 0 "in the line of the value" "$lifecheck" at.yaml
scenario "" "$comment" >above.yaml
wants 0 "in the line above" "$lifecheck" above.yaml
scenario "" "" "$comment" >case.yaml
wants 0 "above the case" "$lifecheck" case.yaml
scenario "# lifecheck: ignore apply/* -- a pattern" >glob.yaml
wants 0 "a pattern of rules" "$lifecheck" glob.yaml
wants 0 "SARIF" "$lifecheck" --format sarif at.yaml
grep -q '"kind": *"inSource"' stdout && grep -q 'the remote system says it in capitals' stdout
result $? "has a suppression with its reason"
wants 0 "another case of the file is not concerned" "$lifecheck" 'at.yaml#b'
[ ! -s stderr ]
result $? "and does not complain"

scenario "" '# lifecheck: ignore apply/changed' >reason.yaml
wants 3 "without a reason" "$lifecheck" reason.yaml
out_has 'reason.yaml:11:7: error: an ignore needs a reason: # lifecheck: ignore apply/changed -- why it is accepted' "is reported"
scenario "# lifecheck: ignore aply/changed -- because" >rule.yaml
wants 3 "a rule that does not exist" "$lifecheck" rule.yaml
out_has 'no rule matches "aply/changed"; did you mean "apply/changed"?' "is reported"
scenario "# lifecheck: ignore apply/absent -- because" >unused.yaml
wants 1 "another rule" "$lifecheck" unused.yaml
out_has 'the ignore of apply/absent matches no finding' "is reported as unused"
{ echo "$comment" && scenario; } >nowhere.yaml
wants 1 "above the head of several cases" "$lifecheck" nowhere.yaml
out_has 'nowhere.yaml:1:1: error: this ignore is about no case' "is reported"

# What is text is not a comment.
scenario | sed "s|^  - name: a|  - name: 'a $comment'|" >text.yaml
wants 1 "in quoted text" "$lifecheck" text.yaml
! grep -q 'matches no finding' stdout
result $? "nothing is said of it"
{ echo 'x-note: |'; echo "  $comment"; scenario; } >block.yaml
wants 1 "in a block of text" "$lifecheck" block.yaml
