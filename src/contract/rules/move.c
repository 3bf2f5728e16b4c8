/* Family move: an object of another type becomes one of this type. */
#include "contract/judge.h"

/* Is the object of another type? MoveResourceState is for objects of other types, or of the same
 * type name in another provider. The latter cannot be recognised here, so it gets no finding. */
static bool moves_other_type(const lc_judge *j, const lc_call *call)
{
    return !call->has_type_name || !lc_str_eq(call->type_name, j->view->schema->type_name);
}

static void judge_support(lc_judge *j, const lc_call *call)
{
    if (j->view->run->capabilities.move_resource_state != LC_NO || !moves_other_type(j, call))
        return;
    lc_finding *f = lc_emit_aside(j, LC_RULE_MOVE_UNSUPPORTED, call, call->loc,
                                  LC_STR("the provider does not declare move_resource_state"));
    lc_finding_quote(j, f, LC_TF, LC_SUMMARY_MOVE_UNSUPPORTED, LC_STR_EMPTY);
}

typedef struct context {
    lc_judge *j;
    const lc_call *call;
} context;

static void each_change(void *opaque, lc_path path)
{
    context *x = opaque;
    lc_emit_at(x->j, LC_RULE_MOVE_MEANING_CHANGED, x->call, path,
               "the move changes the value of an attribute with the same name and type");
}

static void judge_result(lc_judge *j, const lc_call *call)
{
    const lc_value *moved = lc_call_object(call);
    const lc_field *source = &call->raw.attributes;
    if (!moved || call->failed == LC_YES || !call->raw.given || !lc_field_has_value(source) ||
        lc_is_null(source->value))
        return;
    if (lc_is_null(moved)) {
        lc_emit_at(j, LC_RULE_MOVE_NULL, call, LC_PATH_ROOT,
                   "the move returns no object, though there was one");
        return;
    }
    context x = {j, call};
    lc_each_kept_change(j, source->value, moved, each_change, &x);
}

void lc_judge_move(lc_judge *j)
{
    const lc_call *call = j->view->call[LC_CALL_MOVE];
    if (!call)
        return;
    judge_support(j, call);
    judge_result(j, call);
}
