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
void lc_predict_expand(lc_expansion *out, lc_predictor *r, const lc_config_repetition *repetition,
                       lc_module_instance *module, lc_str address)
{
    lc_repetitions found;
    lc_eval_error trouble = {0};
    *out = (lc_expansion){.kind = kind_of(repetition), .gap = -1};
    lc_table_init(&out->by_text, r->arena);
    r->failed_elsewhere = false;
    bool good = lc_scope_expand(&found, module->scope, repetition, &trouble);
    bool many = good ? found.list.count > LC_MAX_INSTANCES - r->expanded
                     : !r->failed_elsewhere && trouble.summary.len == 0;
    if (r->from_plan) {
        if (!good || many || r->from_plan->is_hidden(r, repetition, &found))
            found = r->from_plan->keys(out, r, address, many);
        good = true;
    } else if (many) {
        found = (lc_repetitions){
            .undecided = lc_undecided_new(r->arena,
                                          trouble.detail.len
                                              ? trouble.detail
                                              : LC_STR("there are more instances than the limit"),
                                          trouble.place)};
        good = true;
    }
    if (!good) {
        lc_predict_eval_error(r, &trouble, address);
        out->failed = true;
        return;
    }
    out->undecided = found.undecided;
    out->list = found.list.items;
    out->count = found.list.count;
    r->expanded += out->count;
    for (size_t i = 0; i < out->count; i++) {
        lc_predict_index_key(r, out, i);
        if (out->list[i].hidden)
            lc_hide_key(&r->hidden, r->arena, out->list[i].key);
    }
}

/* ---- Modules. */

/* The root has neither parent nor instance. */
lc_module_instance *lc_predict_module_instance(lc_predictor *r, const lc_module *config,
                                               lc_module_instance *parent,
                                               const lc_repetition *instance)
{
    lc_module_instance *m = LC_NEW(r->arena, lc_module_instance);
    m->config = config;
    m->module = lc_predict_module_index(r, config);
    m->parent = parent;
    if (parent) {
        lc_module_step *step = LC_NEW(r->arena, lc_module_step);
        *step = (lc_module_step){config->call->name, instance->key};
        lc_address inner = {step, 1, LC_MODE_MANAGED, LC_STR_EMPTY, LC_STR_EMPTY, LC_NO_KEY};
        m->address = lc_address_within(r->arena, &parent->address, &inner);
    } else {
        m->address = (lc_address){NULL, 0, LC_MODE_MANAGED, LC_STR_EMPTY, LC_STR_EMPTY, LC_NO_KEY};
    }
    m->text = lc_address_text(r->arena, &m->address);
    m->scope =
        lc_module_scope_new(r->arena, &r->around, config, parent ? parent->scope : NULL, instance);
    m->scope->owner = m;
    lc_table_init(&m->outputs, r->arena);
    lc_table_init(&m->calls, r->arena);
    lc_table_init(&m->resources, r->arena);
    *LC_PUSH(r->arena, &r->instances[m->module], lc_module_instance *) = m;
    return m;
}

/* A module that is not there could declare anything. */
static void leave_unread(lc_predictor *r, const lc_config_call *call, lc_str text)
{
    lc_run_open *open = LC_PUSH(r->arena, &r->out->open, lc_run_open);
    lc_str reason =
        !call->source.len ? LC_STR("the source of the module is not known")
        : call->refused.len
            ? lc_str_printf(r->arena, "the module %.*s is not opened, because %.*s",
                            LC_FMT(call->source), LC_FMT(call->refused))
            : lc_str_printf(r->arena, "the module %.*s is not installed: run `%s init`",
                            LC_FMT(call->source), is_opentofu(r) ? "tofu" : "terraform");
    open->address = text;
    open->undecided = lc_undecided_new(r->arena, reason, call->place);
}

/* Expands a module call in every instance of its caller. */
void lc_predict_expand_call(lc_predictor *r, const lc_graph_node *node)
{
    const lc_config_call *call = node->block;
    for (size_t i = 0; i < r->instances[node->module].count; i++) {
        lc_module_instance *caller = r->instances[node->module].items[i];
        lc_call_instance *c = LC_NEW(r->arena, lc_call_instance);
        lc_table_put(&caller->calls, call->name, c);
        lc_str text = lc_str_printf(r->arena, "%.*s%smodule.%.*s", LC_FMT(caller->text),
                                    caller->text.len ? "." : "", LC_FMT(call->name));
        lc_predict_expand(&c->keys, r, &call->repetition, caller, text);
        if (c->keys.undecided) {
            lc_run_open *open = LC_PUSH(r->arena, &r->out->open, lc_run_open);
            open->address = text;
            open->undecided = c->keys.undecided;
        }
        if (!call->child && c->keys.count)
            leave_unread(r, call, text);
        /* Entries stay NULL if the module is not there. */
        c->children = lc_arena_zalloc(r->arena, lc_mul_size(c->keys.count, sizeof *c->children));
        for (size_t k = 0; call->child && k < c->keys.count; k++)
            c->children[k] = lc_predict_module_instance(r, call->child, caller, &c->keys.list[k]);
    }
}
