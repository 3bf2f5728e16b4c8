#!/bin/sh
# The lists of functions in man/lifecheck-predict.1, from the table of functions.
sed -n 's/^\(FN[A-Z_]*\)(\([a-z0-9]*\), \([A-Z]*\)[ ,].*/\1 \2 \3/p' src/configuration/functions/functions.def |
    awk '$1 == "FN_MORE" {kind[$2] = "BOTH"; next}
        {names[++count] = $2; kind[$2] = $1 == "FN_OPEN" ? "never" : $3}
        $2 == "bcrypt" || $2 == "timestamp" || $2 == "uuid" {kind[$2] = "later"}
        function show(title, wanted,    list, i) {
            for (i = 1; i <= count; i++)
                if (kind[names[i]] == wanted)
                    list = list (list == "" ? "" : ", ") names[i]
            if (list != "")
                printf ".TP\n.B %s\n%s.\n", title, list
        }
        END {
            show("In both clients", "BOTH")
            show("In OpenTofu only", "OPENTOFU")
            show("In Terraform only", "TERRAFORM")
            show("Known only when a plan is applied", "later")
            show("Not evaluated", "never")
        }'
