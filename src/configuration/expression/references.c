/* What both clients demand of every reference of an expression before they evaluate it: that it
 * names a whole object. Source: addrs.ParseRef of both clients. */
#include "configuration/expression/tree.h"
#include "lifecheck/core_message.h"

/* Errors in the order in which they are found. */
typedef struct faults {
    lc_arena *arena;
    lc_eval_error *first, *last; /* NULL: none so far */
} faults;

static void add(faults *f, const char *summary, const char *detail, lc_source_pos place)
{
    lc_eval_error *error = f->first;
    if (f->last) {
        error = LC_NEW(f->arena, lc_eval_error);
        f->last->next = error;
    }
    *error = (lc_eval_error){lc_str_from_c(summary), lc_str_from_c(detail), place, NULL};
    f->last = error;
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
static bool check_named(faults *f, const lc_reference *ref, size_t length)
{
    if (length > 0 && ref->path[0].kind == LC_REF_ATTR)
        return true;
    add(f, LC_SUMMARY_INVALID_REFERENCE, "an attribute of this object must follow",
        length > 0 ? ref->path[0].place : ref->place);
    return false;
}

static void check_module(faults *f, const lc_reference *ref, size_t length)
{
    if (!check_named(f, ref, length) || length < 3)
        return;
    if (ref->path[1].kind == LC_REF_INDEX && ref->path[2].kind != LC_REF_ATTR)
        add(f, LC_SUMMARY_INVALID_REFERENCE, "an output of the module's instance must follow",
            ref->path[2].place);
}

/* `from`: the step that is the type, counted from 1; 0: the head itself. */
static void check_typed(faults *f, const lc_reference *ref, size_t length, size_t from)
{
    static const char detail[] = "a resource's type must be followed by its name";
    if (length < from + 1)
        add(f, LC_SUMMARY_INVALID_REFERENCE, detail, ref->place);
    else if (from > 0 && ref->path[0].kind != LC_REF_ATTR)
        add(f, LC_SUMMARY_INVALID_REFERENCE, "the type of a resource must follow",
            ref->path[0].place);
    else if (ref->path[from].kind != LC_REF_ATTR)
        add(f, LC_SUMMARY_INVALID_REFERENCE, detail, ref->path[from].place);
}

static bool is_single(lc_str head, lc_profile profile)
{
    static const char *const names[] = {"var", "local", "each", "count", "path", "terraform", NULL};
    return lc_str_is_one_of(head, names, NULL) ||
           (profile == LC_PROFILE_OPENTOFU && lc_str_is(head, "tofu"));
}

static void check(faults *f, const lc_reference *ref, lc_profile profile)
{
    static const char *const reserved[] = {"template", "lazy", "arg", NULL};
    static const char *const typed[] = {"data", "resource", "ephemeral", NULL};
    size_t length = length_of(ref);
    if (is_single(ref->head, profile))
        check_named(f, ref, length);
    else if (lc_str_is(ref->head, "module"))
        check_module(f, ref, length);
    else if (lc_str_is_one_of(ref->head, reserved, NULL))
        add(f, LC_SUMMARY_RESERVED_SYMBOL, "this name is kept for later versions", ref->place);
    else if (!lc_str_is(ref->head, "self"))
        check_typed(f, ref, length, lc_str_is_one_of(ref->head, typed, NULL) ? 1 : 0);
}

bool lc_reference_check(lc_arena *arena, const lc_reference *ref, lc_profile profile,
                        lc_eval_error *trouble)
{
    faults f = {arena, trouble, NULL};
    check(&f, ref, profile);
    return !f.last;
}

bool lc_expr_check_references(lc_arena *arena, const lc_expr *expr, lc_profile profile,
                              lc_eval_error *trouble)
{
    lc_references refs = {arena, {NULL, 0, 0}};
    faults f = {arena, trouble, NULL};
    lc_expr_references_of(&refs, expr, profile);
    for (size_t i = 0; i < refs.list.count; i++)
        check(&f, refs.list.items[i], profile);
    return !f.last;
}
