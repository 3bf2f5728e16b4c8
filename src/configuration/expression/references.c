/* What both clients demand of every reference of an expression before they evaluate it: that it
 * names a whole object. Source: addrs.ParseRef of both clients. */
#include "configuration/expression/tree.h"
#include "lifecheck/catalog/core_message.h"

static bool fail(lc_eval_error *trouble, const char *detail, lc_source_pos place)
{
    *trouble =
        (lc_eval_error){LC_STR(LC_SUMMARY_INVALID_REFERENCE), lc_str_from_c(detail), place, NULL};
    return false;
}

/* A traversal ends before the first index that has to be evaluated. */
static size_t length_of(const lc_reference *ref)
{
    size_t count = 0;
    while (count < ref->path_count &&
           (ref->path[count].kind == LC_REF_ATTR || ref->path[count].key))
        count++;
    return count;
}

/* var.x, local.x, each.x, count.x, path.x, terraform.x, module.x: a name follows the first one. */
static bool check_named(const lc_reference *ref, size_t length, lc_eval_error *trouble)
{
    if (length > 0 && ref->path[0].kind == LC_REF_ATTR)
        return true;
    return fail(trouble, "an attribute of this object must follow",
                length > 0 ? ref->path[0].place : ref->place);
}

static bool check_module(const lc_reference *ref, size_t length, lc_eval_error *trouble)
{
    if (!check_named(ref, length, trouble))
        return false;
    if (length < 3 || ref->path[1].kind != LC_REF_INDEX || ref->path[2].kind == LC_REF_ATTR)
        return true;
    return fail(trouble, "an output of the module's instance must follow", ref->path[2].place);
}

/* `from`: the step that is the type, counted from 1; 0: the head itself. */
static bool check_typed(const lc_reference *ref, size_t length, size_t from, lc_eval_error *trouble)
{
    static const char detail[] = "a resource's type must be followed by its name";
    if (length < from + 1)
        return fail(trouble, detail, ref->place);
    if (from > 0 && ref->path[0].kind != LC_REF_ATTR)
        return fail(trouble, "the type of a resource must follow", ref->path[0].place);
    return ref->path[from].kind == LC_REF_ATTR || fail(trouble, detail, ref->path[from].place);
}

static bool is_single(lc_str head, lc_profile profile)
{
    static const char *const names[] = {"var", "local", "each", "count", "path", "terraform", NULL};
    return lc_str_is_one_of(head, names, NULL) ||
           (profile == LC_PROFILE_OPENTOFU && lc_str_is(head, "tofu"));
}

bool lc_reference_check(const lc_reference *ref, lc_profile profile, lc_eval_error *trouble)
{
    static const char *const reserved[] = {"template", "lazy", "arg", NULL};
    static const char *const typed[] = {"data", "resource", "ephemeral", NULL};
    size_t length = length_of(ref);
    if (is_single(ref->head, profile))
        return check_named(ref, length, trouble);
    if (lc_str_is(ref->head, "module"))
        return check_module(ref, length, trouble);
    if (lc_str_is_one_of(ref->head, reserved, NULL)) {
        fail(trouble, "this name is reserved for later versions", ref->place);
        trouble->summary = LC_STR(LC_SUMMARY_RESERVED_SYMBOL);
        return false;
    }
    return lc_str_is(ref->head, "self") ||
           check_typed(ref, length, lc_str_is_one_of(ref->head, typed, NULL) ? 1 : 0, trouble);
}
