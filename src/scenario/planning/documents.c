/* Plans and states: files of their own, or within another document. */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

const lc_source *lc_json_open(lc_arena *arena, lc_str path, const char *origin,
                              const lc_limits *limits, lc_diags *diags)
{
    lc_str text;
    lc_source *source = LC_NEW(arena, lc_source);
    bool ok = lc_file_read(&text, arena, path, limits->input_bytes, diags) == LC_OK;
    const char *foreign = ok ? lc_foreign_document(arena, text) : NULL;
    if (ok && text.len == 0)
        foreign = lc_str_to_c(arena, lc_str_printf(arena, "the file is empty: %s", origin));
    else if (ok && !foreign && !lc_begins_like_json(text))
        foreign = lc_str_to_c(arena, lc_str_printf(arena, "this is not JSON: %s", origin));
    if (foreign) {
        lc_diag_error(diags, (lc_loc){path, 1, 1}, "%s", foreign);
        return NULL;
    }
    ok = ok && lc_json_parse(source, arena, path, lc_without_bom(text), limits, diags) == LC_OK &&
         source->count > 0;
    return ok ? source : NULL;
}

const lc_source *lc_in_json_file(lc_in *in, lc_str path)
{
    return lc_json_open(in->arena, lc_beside(in->arena, in->source->file, path),
                        "`terraform show -json` prints a plan or a state", &in->values.limits,
                        in->diags);
}

lc_state_file *lc_state_read(lc_arena *arena, const lc_source *source, const lc_node *node,
                             lc_diags *diags)
{
    lc_state_file *state = LC_NEW(arena, lc_state_file);
    return node && lc_state_from_node(state, arena, source, node, diags) == LC_OK ? state : NULL;
}

lc_state_file *lc_state_open(lc_arena *arena, lc_str path, const lc_limits *limits, lc_diags *diags)
{
    const lc_source *source = lc_json_open(arena, path, LC_STATE_ORIGIN, limits, diags);
    return source ? lc_state_read(arena, source, source->documents, diags) : NULL;
}

lc_plan *lc_plan_read(lc_arena *arena, const lc_source *source, const lc_node *node,
                      lc_diags *diags)
{
    lc_plan *plan = LC_NEW(arena, lc_plan);
    return node && lc_plan_from_node(plan, arena, source, node, diags) == LC_OK ? plan : NULL;
}
