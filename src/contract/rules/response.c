/* Family response: what every returned object must be, regardless of the call that returned it. */
#include "contract/judge.h"

#include "contract/walk/visit.h"
#include "lifecheck/base/arena.h"

#define RESPONSE_CALLS                                                                             \
    (LC_CALL_BIT(LC_CALL_UPGRADE) | LC_CALL_BIT(LC_CALL_READ) | LC_CALL_BIT(LC_CALL_REREAD) |      \
     LC_CALL_BIT(LC_CALL_PLAN) | LC_CALL_BIT(LC_CALL_PLAN_CREATE) |                                \
     LC_CALL_BIT(LC_CALL_DESTROY_PLAN) | LC_CALL_BIT(LC_CALL_FINAL_PLAN) |                         \
     LC_CALL_BIT(LC_CALL_APPLY) | LC_CALL_BIT(LC_CALL_DESTROY) | LC_CALL_BIT(LC_CALL_MOVE) |       \
     LC_CALL_BIT(LC_CALL_DATA) | LC_CALL_BIT(LC_CALL_OPEN))

static bool is_plan(lc_call_kind kind)
{
    return kind == LC_CALL_PLAN || kind == LC_CALL_PLAN_CREATE || kind == LC_CALL_FINAL_PLAN ||
           kind == LC_CALL_DESTROY_PLAN;
}

static bool is_read(lc_call_kind kind)
{
    return kind == LC_CALL_READ || kind == LC_CALL_REREAD;
}

static bool is_apply(lc_call_kind kind)
{
    return kind == LC_CALL_APPLY || kind == LC_CALL_DESTROY;
}

typedef struct context {
    lc_judge *j;
    const lc_call *call;
} context;

/* ---- response/type: a place of type dynamic that belongs to blocks must still hold blocks. The
 * cores check only the type of the place, which is dynamic, and accept anything. Where they panic
 * later, the walk that compares the object notes it. */

static void emit_type(context *x, lc_path path)
{
    lc_emit_at(x->j, LC_RULE_RESPONSE_TYPE, x->call, path,
               "not the shape that the schema gives these blocks");
}

static void type_of_block(context *x, const lc_block *s, const lc_value *v, const lc_trail *at);

static void type_of_blocks(context *x, const lc_block_type *b, const lc_value *v,
                           const lc_trail *at)
{
    if (!lc_is_known(v) || !b->block->implied->has_dynamic)
        return;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP) {
        type_of_block(x, b->block, v, at);
        return;
    }
    if (!lc_holds_blocks(b, v)) {
        emit_type(x, lc_path_from_trail(x->j->scratch, at));
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        const lc_value *element = &v->as.many.elems[i];
        lc_trail trail = lc_element_trail(at, v, i, false);
        if (!lc_fits_block(element, b->block))
            emit_type(x, lc_path_from_trail(x->j->scratch, &trail));
        else
            type_of_block(x, b->block, element, &trail);
    }
}

static void type_of_block(context *x, const lc_block *s, const lc_value *v, const lc_trail *at)
{
    if (!lc_is_known(v))
        return;
    for (size_t i = 0; i < s->block_count; i++) {
        lc_trail trail = lc_trail_attr(at, s->blocks[i].name);
        type_of_blocks(x, &s->blocks[i], &v->as.many.elems[s->blocks[i].slot], &trail);
    }
}

/* ---- response/unknown. */

/* Does OpenTofu crash when it normalizes this read: an unknown block with a nested attribute
 * inside? */
static bool unknown_block_crashes(const lc_judge *j, lc_path path)
{
    const lc_block *block = j->view->block;
    for (size_t i = 0; i < path.count; i++) {
        if (path.steps[i].kind != LC_STEP_ATTR)
            continue;
        const lc_block_type *b = lc_block_block(block, path.steps[i].name);
        if (!b || b->nesting == LC_NESTING_MAP || b->block->implied->has_dynamic)
            return false; /* no block, or one that is left as it is */
        block = b->block;
    }
    return path.count && !lc_block_has_stub(block);
}

static void quote_unknown(context *x, lc_finding *f)
{
    lc_buf text = {0};
    if (is_apply(x->call->kind)) {
        lc_buf_add_c(&text, LC_DETAIL_STILL_UNKNOWN);
        lc_buf_add_str(&text, f->path_text);
        lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_RESULT, lc_buf_str(&text));
    } else {
        lc_finding_quote(x->j, f, LC_BOTH_CORES, LC_SUMMARY_INVALID_OBJECT,
                         is_read(x->call->kind) ? LC_STR(LC_DETAIL_STATE_UNKNOWN) : LC_STR_EMPTY);
    }
    lc_buf_release(&text);
}

/* OpenTofu checks for unknowns after apply, data and ephemeral calls only, but may crash on a read.
 * Terraform checks all results but those of ephemeral resources and deferred reads. */
static void each_unknown(void *opaque, lc_path path)
{
    context *x = opaque;
    lc_call_kind kind = x->call->kind;
    lc_finding *f = lc_emit_at(x->j, LC_RULE_RESPONSE_UNKNOWN, x->call, path,
                               "unknown in a response that must be wholly known");
    quote_unknown(x, f);
    if (is_read(kind) && unknown_block_crashes(x->j, path))
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_CRASH);
    else if (!is_apply(kind) && kind != LC_CALL_DATA && kind != LC_CALL_OPEN)
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_NONE);
    else
        lc_finding_effect(f, LC_OPENTOFU, LC_EFFECT_ERROR);
    if (kind == LC_CALL_OPEN ||
        (x->call->deferred == LC_YES && (is_read(kind) || kind == LC_CALL_DATA)))
        lc_finding_effect(f, LC_TERRAFORM, LC_EFFECT_NONE);
}

/* ---- response/null-block. */

static void emit_null_block(context *x, const lc_value *v, const lc_trail *at)
{
    lc_finding *f = lc_emit_at(x->j, LC_RULE_RESPONSE_NULL_BLOCK, x->call,
                               lc_path_from_trail(x->j->scratch, at),
                               lc_is_null(v) ? "null instead of an empty collection of blocks"
                                             : "blocks that are unknown as a whole");
    bool logged = is_read(x->call->kind);
    lc_finding_effect(f, LC_OPENTOFU, logged ? LC_EFFECT_LOGGED : LC_EFFECT_NONE);
    lc_finding_effect(f, LC_TERRAFORM,
                      logged && !x->j->view->schema->not_legacy ? LC_EFFECT_LOGGED
                                                                : LC_EFFECT_NONE);
    if (logged)
        lc_finding_quote(x->j, f, LC_BOTH_CORES, "", LC_STR(LC_DETAIL_NULL_BLOCKS));
}

static void null_blocks(context *x, const lc_block *s, const lc_value *planned, const lc_value *v,
                        const lc_trail *at);

/* No blocks must be an empty collection. A null result instead of planned blocks is reported by
 * the rules of apply. */
static bool null_is_wrong(const context *x, const lc_block_type *b, const lc_value *planned,
                          const lc_value *v)
{
    if (!lc_is_null(v) || b->nesting == LC_NESTING_SINGLE)
        return false;
    if (b->nesting == LC_NESTING_GROUP)
        return !planned || !lc_is_known(planned);
    if (b->computed && is_apply(x->call->kind))
        return false; /* apply/computed-block-null */
    return !planned || !lc_is_known(planned) || planned->count == 0;
}

/* Elements of sets have no counterpart in the plan. */
static const lc_value *planned_element(const lc_value *planned, const lc_value *v, size_t i)
{
    if (v->type->kind == LC_TYPE_MAP || v->type->kind == LC_TYPE_OBJECT)
        return lc_entry(planned, lc_entry_key(v, i));
    return lc_item(planned, i);
}

static void null_blocks_within(context *x, const lc_block_type *b, const lc_value *planned,
                               const lc_value *v, const lc_trail *at)
{
    if (!lc_is_known(v))
        return;
    if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP) {
        null_blocks(x, b->block, planned, v, at);
        return;
    }
    if (!lc_holds_blocks(b, v))
        return;
    for (size_t i = 0; i < v->count; i++) {
        lc_trail trail = lc_element_trail(at, v, i, false);
        if (lc_fits_block(&v->as.many.elems[i], b->block))
            null_blocks(x, b->block, planned_element(planned, v, i), &v->as.many.elems[i], &trail);
    }
}

static void null_blocks(context *x, const lc_block *s, const lc_value *planned, const lc_value *v,
                        const lc_trail *at)
{
    if (!lc_is_known(v))
        return;
    if (planned && (!lc_is_known(planned) || !lc_fits_block(planned, s)))
        planned = NULL;
    for (size_t i = 0; i < s->block_count; i++) {
        const lc_block_type *b = &s->blocks[i];
        const lc_value *part = &v->as.many.elems[b->slot];
        const lc_value *before = planned ? &planned->as.many.elems[b->slot] : NULL;
        lc_trail trail = lc_trail_attr(at, b->name);
        if (null_is_wrong(x, b, before, part))
            emit_null_block(x, part, &trail);
        else
            null_blocks_within(x, b, before, part, &trail);
    }
}

/* ---- response/null-element. */

static void each_null_element(void *opaque, const lc_trail *at)
{
    context *x = opaque;
    lc_emit_at(x->j, LC_RULE_RESPONSE_NULL_ELEMENT, x->call, lc_path_from_trail(x->j->scratch, at),
               "null, where the clients look for the sensitive attribute of an element");
}

/* A failed call owes no object, except that the cores store the result of a failed apply. */
void lc_judge_responses(lc_judge *j)
{
    const lc_run *run = j->view->run;
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        const lc_value *object = lc_call_object(call);
        if (!object || !(LC_CALL_BIT(call->kind) & RESPONSE_CALLS))
            continue;
        context x = {j, call};
        if (call->failed == LC_YES && !is_apply(call->kind))
            continue;
        type_of_block(&x, j->view->block, object, NULL);
        if (lc_rule_get(LC_RULE_RESPONSE_NULL_ELEMENT)->calls & LC_CALL_BIT(call->kind))
            lc_each_null_secret_holder(j->view->block, object, each_null_element, &x);
        if (!is_plan(call->kind))
            lc_each_unknown(j->scratch, object, each_unknown, &x);
        if (call->kind == LC_CALL_UPGRADE || is_read(call->kind))
            null_blocks(&x, j->view->block, NULL, object, NULL);
        else if (call->kind == LC_CALL_APPLY)
            null_blocks(&x, j->view->block, j->view->promised, object, NULL);
    }
}
