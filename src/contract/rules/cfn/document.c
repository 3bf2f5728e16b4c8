/* The documents between a Cloud Control provider and the service: sections "Create", "Read" and
 * "Update" of the resource behavior document. What the provider should send follows from the
 * objects of the run; what the service answers is compared with what is stored. */
#include "contract/rules/cfn/internal.h"

#include "lifecheck/base/arena.h"

#include <stdlib.h>

typedef struct context {
    lc_judge *j;
    const lc_cfn_type *type;
    const lc_cloud_control *control;
    const lc_call *call;
    const lc_value *before, *after; /* objects, or NULL */
    lc_loc loc;
} context;

/* ---- Findings at a place of a document. */

/* The path in the object for a JSON pointer of a document; inside a set that of the set. Stops
 * where the shape has no such member. */
static lc_path object_path(context *x, lc_str pointer)
{
    lc_cfn_tokens tokens;
    const lc_cfn_shape *shape = x->type->root;
    if (!lc_cfn_pointer_parse(&tokens, x->j->scratch, pointer))
        return LC_PATH_ROOT;
    lc_step *steps = LC_NEW_ARRAY(x->j->scratch, lc_step, tokens.count);
    size_t count = 0;
    for (size_t i = 0; shape && i < tokens.count && shape->form != LC_CFN_SET; i++) {
        lc_str token = tokens.items[i];
        lc_step step = {LC_STEP_ATTR, token, 0, NULL};
        const lc_cfn_property *p =
            shape->form == LC_CFN_OBJECT ? lc_cfn_member(shape, token) : NULL;
        if (shape->form == LC_CFN_OBJECT && (!p || !p->shape))
            break;
        if (p)
            step.name = p->attribute;
        else if (shape->form == LC_CFN_MAP)
            step.kind = LC_STEP_KEY;
        else if (lc_cfn_is_array(shape->form) && token.len < 10 && token.ptr[0] != '-')
            step = (lc_step){LC_STEP_INDEX, LC_STR_EMPTY,
                             (uint64_t)strtoul(lc_str_to_c(x->j->scratch, token), NULL, 10), NULL};
        else
            break;
        steps[count++] = step;
        shape = p ? p->shape : shape->element;
    }
    return (lc_path){steps, count};
}

static void emit(context *x, lc_rule rule, lc_str pointer, const char *note)
{
    lc_emit(x->j, &(lc_breach){.rule = rule,
                               .call = x->call,
                               .path = object_path(x, pointer),
                               .loc = x->loc,
                               .promised_by = LC_COLUMN_NONE,
                               .broken_by = LC_COLUMN_NONE,
                               .note = lc_str_from_c(note)});
}

/* ---- What is sent to create. */

static bool is_read_only(const lc_cfn_property *p)
{
    return p->computed && !p->optional;
}

/* Remove the properties that a user cannot set from a document, in place, and report each of them.
 * The pseudo property ID is removed silently. `pointer` is the place, and is restored. */
static void drop_read_only(context *x, const lc_cfn_shape *shape, lc_cfn_doc *doc, lc_buf *pointer)
{
    size_t kept = 0, mark = pointer->len;
    if (shape->element) {
        for (size_t i = 0; i < doc->items.count; i++)
            drop_read_only(x, shape->element, doc->items.items[i], pointer);
        return;
    }
    for (size_t i = 0;
         shape->form == LC_CFN_OBJECT && doc->kind == LC_NODE_MAPPING && i < doc->items.count;
         i++) {
        lc_cfn_place place = {NULL, doc->keys.items[i]};
        const lc_cfn_property *p = lc_cfn_member(shape, doc->keys.items[i]);
        bool pseudo = !p && shape == x->type->root && lc_str_is(doc->keys.items[i], "ID");
        lc_cfn_add_place(pointer, &place);
        if (p && is_read_only(p)) {
            emit(x, LC_RULE_CFN_DESIRED_READONLY, lc_buf_str(pointer),
                 "a read-only property is sent");
        } else if (!pseudo) {
            if (p && p->shape)
                drop_read_only(x, p->shape, doc->items.items[i], pointer);
            doc->keys.items[kept] = doc->keys.items[i];
            doc->items.items[kept++] = doc->items.items[i];
        }
        pointer->len = mark;
    }
    if (shape->form == LC_CFN_OBJECT && doc->kind == LC_NODE_MAPPING)
        doc->items.count = doc->keys.count = kept;
}

static lc_cfn_doc *copy_of(context *x, const lc_cfn_doc *doc)
{
    lc_cfn_doc *copy = NULL;
    lc_cfn_operation whole = {LC_CFN_ADD, LC_STR_EMPTY, LC_STR_EMPTY, NULL};
    lc_cfn_patch patch = {0};
    lc_str why;
    size_t at;
    /* applying a patch that replaces the whole document copies it */
    lc_cfn_doc *source = LC_NEW(x->j->scratch, lc_cfn_doc);
    *source = *doc;
    whole.value = source;
    *LC_PUSH(x->j->scratch, &patch.list, lc_cfn_operation) = whole;
    lc_cfn_patch_apply(&copy, x->j->scratch, &patch, &why, &at);
    return copy;
}

static void judge_desired_state(context *x)
{
    lc_str where;
    lc_buf pointer = {0};
    lc_cfn_doc *sent = copy_of(x, x->control->desired_state);
    lc_cfn_doc *want = lc_cfn_doc_root(x->j->scratch, x->type, x->after);
    x->loc = x->control->desired_state_loc;
    drop_read_only(x, x->type->root, sent, &pointer);
    if (!lc_cfn_doc_same(x->j->scratch, x->type->root, sent, want, &where))
        emit(x, LC_RULE_CFN_DESIRED_STATE, where,
             "the desired state that is sent is not what is planned");
    lc_buf_release(&pointer);
}

/* ---- What is sent to update. */

/* Does the pointer go through an index of a set, or of a list whose order has no meaning? "-" is
 * the end of it. */
static bool is_positional(context *x, lc_str pointer)
{
    lc_cfn_tokens tokens;
    const lc_cfn_shape *shape = x->type->root;
    if (!lc_cfn_pointer_parse(&tokens, x->j->scratch, pointer))
        return false;
    for (size_t i = 0; shape && i < tokens.count; i++) {
        const lc_cfn_property *p =
            shape->form == LC_CFN_OBJECT ? lc_cfn_member(shape, tokens.items[i]) : NULL;
        if ((shape->form == LC_CFN_SET || shape->form == LC_CFN_MULTISET) &&
            !lc_str_is(tokens.items[i], "-"))
            return true;
        shape = p ? p->shape : shape->element;
    }
    return false;
}

static void judge_operations(context *x, const lc_cfn_patch *patch)
{
    if (patch->list.count == 0)
        emit(x, LC_RULE_CFN_PATCH_EMPTY, LC_STR_EMPTY, "an update without operations is sent");
    for (size_t i = 0; i < patch->list.count; i++) {
        if (is_positional(x, patch->list.items[i].path))
            emit(x, LC_RULE_CFN_PATCH_POSITIONAL, patch->list.items[i].path,
                 "an operation addresses an element by its index, but the list is unordered");
    }
}

static bool is_create_only(const lc_cfn_property *p)
{
    return p->create_only;
}

/* Properties for which `is` holds, at the root or inside objects, must be the same in both
 * documents. */
static void judge_untouched(context *x, const lc_cfn_shape *shape, const lc_cfn_doc *before,
                            const lc_cfn_doc *after, bool (*is)(const lc_cfn_property *p),
                            lc_rule rule, const char *note, lc_buf *pointer)
{
    size_t mark = pointer->len;
    for (size_t i = 0; i < shape->member_count; i++) {
        const lc_cfn_property *p = &shape->members[i];
        lc_cfn_place place = {NULL, p->name};
        lc_str where;
        if (!p->shape)
            continue;
        const lc_cfn_doc *a = before ? lc_cfn_doc_get(before, p->name) : NULL;
        const lc_cfn_doc *b = after ? lc_cfn_doc_get(after, p->name) : NULL;
        lc_cfn_add_place(pointer, &place);
        if (is(p) && !lc_cfn_doc_same(x->j->scratch, p->shape, a, b, &where))
            emit(x, rule, lc_buf_str(pointer), note);
        else if (!is(p) && p->shape->form == LC_CFN_OBJECT && (a || b))
            judge_untouched(x, p->shape, a, b, is, rule, note, pointer);
        pointer->len = mark;
    }
}

/* Does the pointer of an operation lead to the place, or to one above it? */
static bool covers(lc_str operation, lc_str pointer)
{
    return lc_str_starts_with(pointer, operation) &&
           (pointer.len == operation.len || operation.len == 0 ||
            pointer.ptr[operation.len] == '/');
}

/* The service does not keep write-only values, so every patch must send them again. */
static void judge_resent(context *x, const lc_cfn_shape *shape, const lc_cfn_doc *after,
                         const lc_cfn_patch *patch, lc_buf *pointer)
{
    size_t mark = pointer->len;
    for (size_t i = 0; after && i < shape->member_count; i++) {
        const lc_cfn_property *p = &shape->members[i];
        lc_cfn_place place = {NULL, p->name};
        const lc_cfn_doc *now = p->shape ? lc_cfn_doc_get(after, p->name) : NULL;
        bool sent = false;
        if (!now)
            continue;
        lc_cfn_add_place(pointer, &place);
        for (size_t k = 0; p->write_only && !sent && k < patch->list.count; k++)
            sent = patch->list.items[k].op != LC_CFN_REMOVE &&
                   covers(patch->list.items[k].path, lc_buf_str(pointer));
        if (p->write_only && !sent)
            emit(x, LC_RULE_CFN_PATCH_WRITEONLY, lc_buf_str(pointer),
                 "a write-only value is configured and not in the patch");
        else if (p->shape->form == LC_CFN_OBJECT)
            judge_resent(x, p->shape, now, patch, pointer);
        pointer->len = mark;
    }
}

/* Apply the patch to the state before, with and without write-only values, because the service may
 * or may not keep them. True: one of the results is the planned state. *result is that one, or the
 * first; NULL: the patch applies to neither. */
static bool apply_to_either(context *x, const lc_cfn_patch *patch, lc_cfn_doc *const *befores,
                            lc_cfn_doc **result, lc_str *why, size_t *at, lc_str *where)
{
    lc_cfn_doc *want = lc_cfn_doc_root(x->j->scratch, x->type, x->after), *first = NULL;
    for (int i = 0; i < 2; i++) {
        lc_cfn_doc *doc = copy_of(x, befores[i]);
        lc_str reason, place;
        size_t index;
        if (!lc_cfn_patch_apply(&doc, x->j->scratch, patch, &reason, &index)) {
            *why = reason;
            *at = index;
            continue;
        }
        if (lc_cfn_doc_same(x->j->scratch, x->type->root, doc, want, &place)) {
            *result = doc;
            *where = LC_STR_EMPTY;
            return true;
        }
        if (!first) {
            first = doc;
            *where = place;
        }
    }
    *result = first;
    return false;
}

static void judge_patch(context *x)
{
    lc_cfn_patch patch;
    lc_str why = LC_STR_EMPTY, where = LC_STR_EMPTY;
    size_t at = 0;
    lc_cfn_doc *result = NULL;
    lc_buf pointer = {0};
    lc_cfn_doc *befores[] = {lc_cfn_doc_readable(x->j->scratch, x->type, x->before),
                             lc_cfn_doc_root(x->j->scratch, x->type, x->before)};
    x->loc = x->control->patch_loc;
    bool read = lc_cfn_patch_read(&patch, x->j->scratch, x->control->patch, &why, &at);
    bool right = read && apply_to_either(x, &patch, befores, &result, &why, &at, &where);
    if (!read || !result) {
        lc_str note =
            lc_str_printf(x->j->scratch, "operation %zu of the patch: %.*s", at, LC_FMT(why));
        emit(x, LC_RULE_CFN_PATCH_SYNTAX, LC_STR_EMPTY, lc_str_to_c(x->j->scratch, note));
        return;
    }
    if (!right)
        emit(x, LC_RULE_CFN_PATCH_RESULT, where,
             "the patch, applied to the object before the update, does not give the planned "
             "object");
    judge_operations(x, &patch);
    judge_untouched(x, x->type->root, befores[0], result, is_create_only,
                    LC_RULE_CFN_PATCH_CREATEONLY, "a create-only property is patched in place",
                    &pointer);
    judge_untouched(x, x->type->root, befores[0], result, is_read_only, LC_RULE_CFN_PATCH_READONLY,
                    "a read-only property is patched", &pointer);
    judge_resent(x, x->type->root, lc_cfn_doc_root(x->j->scratch, x->type, x->after), &patch,
                 &pointer);
    lc_buf_release(&pointer);
}

/* ---- The service's answer against what is stored. */

typedef struct reading {
    context *x;
    const lc_value *service; /* the state by the service's answer */
    const lc_value *before, *planned;
    lc_rule rule;
    lc_cfn_report say;
} reading;

/* The service's document as a value of the type, in `scratch`; NULL: it does not fit the type,
 * which is reported. */
static const lc_value *service_value(context *x)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_source source;
    lc_diags diags;
    lc_buf text = {0};
    lc_value value;
    lc_str why = LC_STR_EMPTY;
    lc_diags_init(&diags, x->j->scratch);
    lc_cfn_doc_add_json(&text, x->control->current_state, false);
    lc_str json = lc_buf_take(x->j->scratch, &text);
    if (lc_json_parse_last(&source, x->j->scratch, LC_STR("state"), json, &limits, &diags) != LC_OK)
        return NULL;
    if (lc_cfn_value(&value, x->j->scratch, x->type->root, &source.documents[0], &why))
        return lc_value_new(x->j->scratch, &value);
    x->loc = x->control->current_state_loc;
    lc_str note = lc_str_printf(x->j->scratch, "the service sends %.*s, somewhere", LC_FMT(why));
    emit(x, LC_RULE_CFN_DOC_TYPE, LC_STR_EMPTY, lc_str_to_c(x->j->scratch, note));
    return NULL;
}

/* The service drops empty collections, so null and empty are the same. */
static bool is_nothing(const lc_value *v)
{
    return lc_is_null(v) || (lc_is_known(v) && lc_type_is_collection(v->type) && v->count == 0);
}

static bool agrees(const reading *r, const lc_cfn_property *p, const lc_value *a, const lc_value *b)
{
    return (is_nothing(a) && is_nothing(b)) || lc_cfn_same(r->x->j->scratch, p->shape, a, b);
}

static const lc_value *part(const reading *r, const lc_value *whole, const lc_trail *at)
{
    return whole ? lc_path_apply(r->x->j->scratch, whole, lc_path_from_trail(r->x->j->scratch, at))
                 : NULL;
}

static bool holds_members(const lc_cfn_shape *shape, const lc_value *a, const lc_value *b)
{
    if (!lc_is_known(a) || !lc_is_known(b))
        return false;
    const lc_cfn_shape *inner = shape->element ? shape->element : shape;
    return inner->form == LC_CFN_OBJECT && shape->form != LC_CFN_SET && a->count == b->count;
}

/* The sorted hashes of the elements without repetitions; returns their number. */
static size_t distinct(lc_arena *arena, const lc_value *list, uint64_t **out)
{
    uint64_t *hashes = lc_value_element_hashes(arena, list);
    size_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (i == 0 || hashes[i] != hashes[i - 1])
            hashes[count++] = hashes[i];
    }
    *out = hashes;
    return count;
}

/* The same elements in another order, or repeated another number of times. */
static bool is_shuffled(const reading *r, const lc_cfn_property *p, const lc_value *a,
                        const lc_value *b)
{
    uint64_t *x, *y;
    if ((p->shape->form != LC_CFN_LIST && p->shape->form != LC_CFN_ORDERED_SET) ||
        !lc_is_known(a) || !lc_is_known(b) || a->count > b->count || a->count == 0)
        return false;
    size_t count = distinct(r->x->j->scratch, a, &x);
    if (count != distinct(r->x->j->scratch, b, &y))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (x[i] != y[i])
            return false;
    }
    return true;
}

static bool all_null(const lc_value *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (!lc_is_null(&v->as.many.elems[i]))
            return false;
    }
    return true;
}

static bool judge_read_value(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *now,
                             const lc_trail *at)
{
    reading *r = visit->context;
    const lc_value *want = visit->in_set ? NULL : part(r, r->service, at);
    const lc_value *before = want ? part(r, r->before, at) : NULL;
    if (!want || p->write_only || agrees(r, p, now, want))
        return false;
    if (p->shape->form == LC_CFN_OBJECT && before && lc_is_null(before) && lc_is_null(want) &&
        lc_is_known(now) && all_null(now)) {
        lc_cfn_emit(&r->say, LC_RULE_CFN_READ_MATERIALISED, at,
                    "an object of nulls, where neither the prior state nor the service has an "
                    "object");
        return false;
    }
    if (holds_members(p->shape, now, want))
        return true;
    if (is_shuffled(r, p, now, want))
        lc_cfn_emit(&r->say, LC_RULE_CFN_READ_ORDER, at,
                    "the service returns it in another order, or with repeated elements");
    else
        lc_cfn_emit(&r->say, LC_RULE_CFN_READ_STATE, at,
                    "the service returns another value of "
                    "%.*s",
                    LC_FMT(p->name));
    return false;
}

/* A value that was planned unknown must now be the one that the service answers. */
static bool judge_filled(lc_cfn_visit *visit, const lc_cfn_property *p, const lc_value *planned,
                         const lc_trail *at)
{
    reading *r = visit->context;
    const lc_value *want = visit->in_set ? NULL : part(r, r->service, at);
    const lc_value *now = want ? part(r, r->x->after, at) : NULL;
    if (!lc_is_unknown(planned) || !now || p->write_only || lc_is_unknown(now))
        return !lc_is_unknown(planned) && want != NULL;
    if (!agrees(r, p, now, want))
        lc_cfn_emit(&r->say, r->rule, at, "not the value that the service returned");
    return false;
}

static void judge_applied(context *x, const lc_value *service)
{
    const lc_run_view *v = x->j->view;
    const lc_value *now = lc_call_object(x->call);
    bool creates = v->replacing || (v->sent_prior && lc_is_null(v->sent_prior));
    if (!now || !lc_is_known(now) || !v->promised || !lc_is_known(v->promised))
        return;
    context after = *x;
    after.after = now;
    reading r = {.x = &after, .service = service};
    r.rule = creates ? LC_RULE_CFN_CREATE_UNKNOWN : LC_RULE_CFN_UPDATE_UNKNOWN;
    r.say = (lc_cfn_report){x->j, x->call, &x->call->result, v->promised_column, LC_COLUMN_NEW};
    lc_cfn_visit visit = {&r, judge_filled, false};
    lc_cfn_visit_object(&visit, x->type->root, v->promised, NULL);
    const lc_value *id = lc_value_attr(now, LC_STR("id"));
    lc_trail at = lc_trail_attr(NULL, LC_STR("id"));
    if (creates && x->control->has_identifier && id && lc_is_known(id) &&
        id->type->kind == LC_TYPE_STRING && !lc_str_eq(id->as.string, x->control->identifier))
        lc_cfn_emit(&r.say, r.rule, &at, "the service returned another identifier");
}

static void judge_gone(context *x, const lc_value *now)
{
    bool found = x->control->current_state != NULL;
    if (found == !lc_is_null(now))
        return;
    x->loc = x->call->result.loc;
    emit(x, LC_RULE_CFN_READ_GONE, LC_STR_EMPTY,
         found ? "the service has the object, but the read removes it"
               : "the service does not have the object, but the read keeps it");
}

static void judge_read(context *x, const lc_value *before)
{
    const lc_value *now = lc_call_object(x->call);
    if (!now)
        return;
    judge_gone(x, now);
    const lc_value *service =
        x->control->current_state && lc_is_known(now) ? service_value(x) : NULL;
    if (!service)
        return;
    reading r = {.x = x, .service = service, .before = before};
    r.say = (lc_cfn_report){x->j, x->call, &x->call->result, LC_COLUMN_NONE,
                            lc_call_column(x->call->kind)};
    lc_cfn_visit visit = {&r, judge_read_value, false};
    lc_cfn_visit_object(&visit, x->type->root, now, NULL);
}

/* ---- The run. */

static const lc_value *planned_object(const lc_run_view *v)
{
    const lc_call *plan =
        v->call[LC_CALL_PLAN_CREATE] ? v->call[LC_CALL_PLAN_CREATE] : v->call[LC_CALL_PLAN];
    if (v->promised)
        return v->promised;
    return v->initial ? v->initial : plan ? lc_call_object(plan) : NULL;
}

static void judge_sent(context *x)
{
    const lc_run_view *v = x->j->view;
    const lc_call *apply = v->call[LC_CALL_APPLY];
    x->call = apply ? apply : v->call[LC_CALL_PLAN];
    x->after = planned_object(v);
    x->before = v->sent_prior;
    if (!x->call || !x->after || !lc_is_known(x->after) || !x->before)
        return;
    bool creates = lc_is_null(x->before) || v->replacing;
    if (creates && x->control->desired_state)
        judge_desired_state(x);
    if (!creates && x->control->patch)
        judge_patch(x);
}

void lc_judge_cfn_documents(lc_judge *j, const lc_cfn_type *type)
{
    const lc_run_view *v = j->view;
    context x = {.j = j, .type = type, .control = v->run->cloud_control};
    if (!x.control)
        return;
    judge_sent(&x);
    x.call = v->call[LC_CALL_APPLY];
    if (x.call && x.call->failed != LC_YES && x.control->current_state) {
        const lc_value *service = service_value(&x);
        if (service)
            judge_applied(&x, service);
    }
    lc_call_kind kind = v->call[LC_CALL_REREAD] ? LC_CALL_REREAD : LC_CALL_READ;
    bool last = kind == LC_CALL_REREAD || !v->call[LC_CALL_APPLY];
    x.call = v->call[kind];
    if (x.call && last && x.call->failed != LC_YES &&
        (x.control->current_state || x.control->not_found))
        judge_read(&x, kind == LC_CALL_REREAD ? v->saved : v->upgraded);
}

/* ---- The documents that a provider should send, for commands that print them. */

static const lc_str *identifier_of(lc_arena *arena, const lc_cfn_type *type, const lc_value *object)
{
    const lc_value *id = object && lc_is_known(object) ? lc_value_attr(object, LC_STR("id")) : NULL;
    lc_str *out = LC_NEW(arena, lc_str);
    if (id && lc_is_known(id) && id->type->kind == LC_TYPE_STRING)
        *out = id->as.string;
    else if (!object || !lc_is_known(object) || !lc_cfn_identifier(out, arena, type, object))
        return NULL;
    return out;
}

static void redact(const lc_case *c, const lc_cfn_type *type, lc_cfn_doc *doc)
{
    for (size_t i = 0; i < c->sensitive.count; i++)
        lc_cfn_doc_hide(doc, type->root, c->sensitive.items[i]);
}

bool lc_case_documents(lc_documents *out, lc_arena *arena, lc_case *c, size_t run)
{
    *out = (lc_documents){0};
    if (c->planning)
        return false; /* there is no object */
    lc_run_view *views = LC_NEW_ARRAY(arena, lc_run_view, c->runs.count);
    for (size_t i = 0; i <= run; i++)
        lc_run_view_make(&views[i], arena, c, i, i ? &views[i - 1] : NULL);
    const lc_run_view *v = &views[run];
    const lc_cfn_type *type = v->schema->cloudformation;
    const lc_value *after = planned_object(v), *before = v->sent_prior;
    if (!type || !type->resource || v->schema->kind != LC_KIND_RESOURCE || !before)
        return false;
    if (!lc_is_null(before))
        out->identifier = identifier_of(arena, type, before);
    if (v->deleting)
        return out->identifier != NULL;
    if (!after || !lc_is_known(after))
        return false;
    lc_cfn_doc *want = lc_cfn_doc_root(arena, type, after);
    redact(c, type, want);
    if (lc_is_null(before) || v->replacing) {
        out->desired_state = want;
        const lc_str *made = identifier_of(arena, type, after);
        out->created = made ? made : identifier_of(arena, type, v->saved);
    } else {
        lc_cfn_doc *was = lc_cfn_doc_readable(arena, type, before);
        redact(c, type, was);
        out->has_patch = true;
        lc_cfn_patch_make(&out->patch, arena, type, was, want);
    }
    return true;
}
