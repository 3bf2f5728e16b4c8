/* What differs between two values of an object: attributes and nested blocks by name. */
#include "predict/answer/internal.h"

static bool forces(const lc_path_list *paths, lc_str name)
{
    for (size_t i = 0; i < paths->count; i++) {
        const lc_path *path = &paths->items[i].path;
        if (path->count && lc_str_eq(path->steps[0].name, name))
            return true;
    }
    return false;
}

static bool is_empty(const lc_value *v)
{
    return lc_is_null(v) || (lc_is_known(v) && v->count == 0 && v->type->kind != LC_TYPE_OBJECT &&
                             !lc_type_is_primitive(v->type));
}

void lc_cause_values(lc_cause_list *out, const lc_value *before, const lc_value *after,
                     const lc_path_list *required)
{
    const lc_type *type = after->type;
    bool both = lc_is_known(before) && lc_is_known(after) && before->count == after->count;
    for (size_t i = 0; both && i < after->count; i++) {
        const lc_value *was = &before->as.many.elems[i], *is = &after->as.many.elems[i];
        lc_step step = {LC_STEP_ATTR, type->as.attrs[i].name, 0, NULL};
        if (lc_value_raw_equal(was, is))
            continue;
        lc_run_cause *cause = lc_cause_add(out,
                                           !lc_is_wholly_known(is) ? LC_CAUSE_UNKNOWN
                                           : is_empty(is)          ? LC_CAUSE_REMOVED
                                           : is_empty(was)         ? LC_CAUSE_ADDED
                                                                   : LC_CAUSE_CHANGED,
                                           (lc_path){&step, 1});
        if (cause)
            cause->forces = forces(required, step.name);
    }
}
