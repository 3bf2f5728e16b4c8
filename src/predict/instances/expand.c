/* Instance keys from count, for_each and enabled, and the instances of modules. */
#include "predict/internal.h"

static lc_repeat_kind kind_of(const lc_config_repetition *r)
{
    if (r->for_each)
        return REPEAT_EACH;
    if (r->count)
        return REPEAT_COUNT;
    if (r->enabled)
        return REPEAT_ENABLED;
    if (r->may_be_hidden)
        return REPEAT_HIDDEN;
    return REPEAT_NONE;
}

/* If the keys cannot be evaluated, a prediction from a plan alone takes those that the plan has.
 * Too many instances are left open instead of reported, as the core has no such limit. */
void lc_predict_expand(lc_expansion *out, lc_predictor *pred,
                       const lc_config_repetition *repetition, lc_module_instance *module,
                       lc_str address)
{
    lc_repetitions found;
    lc_eval_error trouble = {0};
    *out = (lc_expansion){.kind = kind_of(repetition), .gap = -1};
    lc_table_init(&out->by_text, pred->arena);
    pred->failed_elsewhere = false;
    bool good = lc_scope_expand(&found, module->scope, repetition, &trouble);
    bool many = good ? found.list.count > LC_MAX_INSTANCES - pred->expanded
                     : !pred->failed_elsewhere && trouble.summary.len == 0;
    if (pred->from_plan) {
        if (!good || many || pred->from_plan->is_hidden(pred, repetition, &found))
            found = pred->from_plan->keys(out, pred, address, many);
        good = true;
    } else if (many) {
        found = (lc_repetitions){
            .undecided = lc_undecided_new(pred->arena,
                                          trouble.detail.len
                                              ? trouble.detail
                                              : LC_STR("there are more instances than the limit"),
                                          trouble.place)};
        good = true;
    }
    if (!good) {
        lc_predict_eval_error(pred, &trouble, address);
        lc_predict_eval_error(pred, found.also, address);
        out->failed = true;
        return;
    }
    out->undecided = found.undecided;
    out->list = found.list.items;
    out->count = found.list.count;
    pred->expanded += out->count;
    for (size_t i = 0; i < out->count; i++) {
        lc_predict_index_key(pred, out, i);
        if (out->list[i].hidden)
            lc_hide_key(&pred->hidden, pred->arena, out->list[i].key);
    }
}

/* ---- Modules. */

/* The root has neither parent nor instance. */
lc_module_instance *lc_predict_module_instance(lc_predictor *pred, const lc_module *config,
                                               lc_module_instance *parent,
                                               const lc_repetition *instance)
{
    lc_module_instance *m = LC_NEW(pred->arena, lc_module_instance);
    m->config = config;
    m->module = lc_predict_module_index(pred, config);
    m->parent = parent;
    if (parent) {
        lc_module_step *step = LC_NEW(pred->arena, lc_module_step);
        *step = (lc_module_step){config->call->name, instance->key};
        lc_address inner = {step, 1, LC_MODE_MANAGED, LC_STR_EMPTY, LC_STR_EMPTY, LC_NO_KEY};
        m->address = lc_address_within(pred->arena, &parent->address, &inner);
    } else {
        m->address = (lc_address){NULL, 0, LC_MODE_MANAGED, LC_STR_EMPTY, LC_STR_EMPTY, LC_NO_KEY};
    }
    m->text = lc_address_text(pred->arena, &m->address);
    m->scope = lc_module_scope_new(pred->arena, &pred->around, config,
                                   parent ? parent->scope : NULL, instance);
    m->scope->owner = m;
    lc_table_init(&m->outputs, pred->arena);
    lc_table_init(&m->calls, pred->arena);
    lc_table_init(&m->resources, pred->arena);
    *LC_PUSH(pred->arena, &pred->instances[m->module], lc_module_instance *) = m;
    return m;
}

/* A module that is not there could declare anything. */
static void leave_unread(lc_predictor *pred, const lc_config_call *call, lc_str text)
{
    lc_run_open *open = LC_PUSH(pred->arena, &pred->out->open, lc_run_open);
    lc_str reason =
        !call->source.len ? LC_STR("the source of the module is not known")
        : call->refused.len
            ? lc_str_printf(pred->arena, "the module %.*s is not opened, because %.*s",
                            LC_FMT(call->source), LC_FMT(call->refused))
            : lc_str_printf(pred->arena, "the module %.*s is not installed: run `%s init`",
                            LC_FMT(call->source), is_opentofu(pred) ? "tofu" : "terraform");
    open->address = text;
    open->undecided = lc_undecided_new(pred->arena, reason, call->place);
}

/* Expands a module call in every instance of its caller. */
void lc_predict_expand_call(lc_predictor *pred, const lc_graph_node *node)
{
    const lc_config_call *call = node->block;
    for (size_t i = 0; i < pred->instances[node->module].count; i++) {
        lc_module_instance *caller = pred->instances[node->module].items[i];
        lc_call_instance *c = LC_NEW(pred->arena, lc_call_instance);
        lc_table_put(&caller->calls, call->name, c);
        lc_str text = lc_str_printf(pred->arena, "%.*s%smodule.%.*s", LC_FMT(caller->text),
                                    caller->text.len ? "." : "", LC_FMT(call->name));
        lc_predict_expand(&c->keys, pred, &call->repetition, caller, text);
        if (c->keys.undecided) {
            lc_run_open *open = LC_PUSH(pred->arena, &pred->out->open, lc_run_open);
            open->address = text;
            open->undecided = c->keys.undecided;
        }
        if (!call->child && c->keys.count)
            leave_unread(pred, call, text);
        /* Entries stay NULL if the module is not there. */
        c->children = lc_arena_zalloc(pred->arena, lc_mul_size(c->keys.count, sizeof *c->children));
        for (size_t k = 0; call->child && k < c->keys.count; k++)
            c->children[k] =
                lc_predict_module_instance(pred, call->child, caller, &c->keys.list[k]);
    }
}
