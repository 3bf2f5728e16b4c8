/* Import blocks: which instances they import, and the ids. They are evaluated when the target's
 * resource is planned, because the id may refer to other resources. */
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

static lc_str config_text(lc_predictor *pred, const lc_address *address)
{
    lc_address config = lc_address_config(pred->arena, address);
    return lc_address_text(pred->arena, &config);
}

/* The state of reading the target address of an import block. */
typedef struct target_reader {
    const lc_reference *ref;
    size_t at; /* index of the next step */
    const lc_eval_scope *w;
    bool open;             /* some index is not a literal */
    bool failed;           /* an evaluated index is not a valid key; then */
    lc_eval_error trouble; /* this is the error */
} target_reader;

/* An index of the target. One that is not a literal is evaluated for an instance of the block if
 * t->w is set. False: it is not known, or not a valid key. */
static bool key_of(lc_key *out, const lc_ref_step *step, target_reader *t)
{
    lc_marked v = {step->key, NULL};
    int64_t number;
    *out = LC_NO_KEY;
    if (!v.value && !t->w)
        return true;
    if (!v.value && !lc_predict_evaluate(&v, t->w, step->index, &t->trouble)) {
        t->failed = true;
        return false;
    }
    unsigned marks = lc_marks_all(v);
    if ((marks & LC_MARK_HIDDEN) && lc_is_known(v.value) && v.value->type->kind == LC_TYPE_STRING)
        lc_hide_key(&t->w->run->hidden, t->w->run->arena, lc_key_string(v.value->as.string));
    /* OpenTofu rejects sensitive keys */
    bool secret = (marks & LC_MARK_SENSITIVE) && is_opentofu(t->w->run);
    if (lc_is_known(v.value) && !secret && v.value->type->kind == LC_TYPE_STRING)
        *out = lc_key_string(v.value->as.string);
    else if (lc_is_known(v.value) && !secret && v.value->type->kind == LC_TYPE_NUMBER &&
             lc_num_to_int64(v.value->as.number, &number))
        *out = lc_key_int(number);
    if (out->kind == LC_KEY_NONE && !(marks & LC_MARK_UNDECIDED)) {
        t->failed = true;
        t->trouble = (lc_eval_error){
            .summary = LC_STR(LC_SUMMARY_IMPORT_TO_KEY),
            .place = lc_expr_pos(step->index),
        };
    }
    return out->kind != LC_KEY_NONE;
}

static bool next_name(lc_str *out, target_reader *t)
{
    if (t->at >= t->ref->count || t->ref->steps[t->at].kind != LC_REF_ATTR)
        return false;
    *out = t->ref->steps[t->at++].name;
    return true;
}

static bool next_key(lc_key *out, target_reader *t)
{
    *out = LC_NO_KEY;
    if (t->at >= t->ref->count || t->ref->steps[t->at].kind != LC_REF_INDEX)
        return true;
    const lc_ref_step *step = &t->ref->steps[t->at++];
    t->open = t->open || !step->key;
    return key_of(out, step, t);
}

/* The target address of the block. Without `w`, indices that are not literals are left out, and
 * t->open is set. OpenTofu also parses data sources, to report them. */
static bool written_for(lc_address *out, target_reader *t, lc_predictor *pred,
                        const lc_config_import *import, const lc_eval_scope *scope)
{
    *t = (target_reader){.ref = import->to.reference, .w = scope};
    LC_VEC(lc_module_step) steps = {0};
    bool data = t->ref && t->ref->root == LC_ROOT_DATA && is_opentofu(pred);
    if (!t->ref || (t->ref->root != LC_ROOT_RESOURCE && t->ref->root != LC_ROOT_MODULE && !data))
        return false;
    lc_resource_mode mode = data ? LC_MODE_DATA : LC_MODE_MANAGED;
    *out = (lc_address){NULL, 0, mode, t->ref->type, t->ref->name, LC_NO_KEY};
    lc_str name = t->ref->name;
    bool module = t->ref->root == LC_ROOT_MODULE;
    while (module) {
        lc_module_step *step = LC_PUSH(pred->arena, &steps, lc_module_step);
        step->name = name;
        if (!next_key(&step->key, t) || !next_name(&out->type, t) || !next_name(&name, t))
            return false;
        module = lc_str_is(out->type, "module");
        out->name = name;
    }
    out->modules = steps.items;
    out->module_count = steps.count;
    return next_key(&out->key, t) && t->at == t->ref->count;
}

/* An error of an import block. `stop`: there is no plan. */
/* Terraform shows the address in the block, OpenTofu the block. */
static void report(lc_predictor *pred, const lc_config_import *import, lc_str summary,
                   lc_str address, bool stop)
{
    lc_predict_error(pred, summary, address, is_opentofu(pred) ? import->place : import->to.place);
    pred->stop = pred->stop || stop;
}

static lc_import_list *blocks_of(lc_predictor *pred, lc_str config)
{
    lc_import_list *list = lc_table_get(&pred->import_blocks, config);
    if (!list) {
        list = LC_NEW(pred->arena, lc_import_list);
        lc_table_put(&pred->import_blocks, config, list);
    }
    return list;
}

/* The target is not declared anywhere. OpenTofu then makes no plan. For Terraform it is an error of
 * one node in the graph, which -target may exclude. */
static void note_undeclared(lc_predictor *pred, const lc_config_import *import,
                            const lc_address *to)
{
    lc_str summary = LC_STR(LC_SUMMARY_IMPORT_NO_CONFIG);
    bool targets = pred->in->options.targets.list.count > 0;
    if (is_opentofu(pred))
        report(pred, import, summary, lc_address_text(pred->arena, to), true);
    else if (!is_opentofu(pred) && (!targets || lc_predict_covered(pred, to)))
        report(pred, import, summary, lc_address_text(pred->arena, to), false);
}

/* Assigns blocks to resources by configuration address, before planning. The refresh before a
 * destroy plan does not import, but Terraform evaluates targets and IDs there, too. */
void lc_predict_imports_find(lc_predictor *pred)
{
    const lc_module *root = pred->config->root;
    for (size_t i = 0; i < root->imports.count; i++) {
        const lc_config_import *import = &root->imports.items[i];
        lc_address to;
        target_reader reader;
        if (!written_for(&to, &reader, pred, import, NULL))
            continue;
        lc_str text = config_text(pred, &to);
        if (!pred->config->incomplete &&
            (to.mode == LC_MODE_DATA || !lc_config_resource_at(pred->config, &to)))
            note_undeclared(pred, import, &to);
        if (!pred->before_destroy || !is_opentofu(pred))
            *LC_PUSH(pred->arena, &blocks_of(pred, text)->list, const lc_config_import *) = import;
    }
}

/* Evaluates the id. The clients differ about sensitive and empty ids: OpenTofu rejects the former
 * and ignores a block with the latter. */
static void find_id(lc_import_target *t, const lc_eval_scope *scope)
{
    lc_marked v;
    lc_eval_error trouble;
    t->error = LC_STR(LC_SUMMARY_IMPORT_ID);
    if (!t->block->id) {
        t->error = LC_STR_EMPTY;
        return;
    }
    t->place = lc_expr_pos(t->block->id);
    if (!lc_predict_evaluate(&v, scope, t->block->id, &trouble)) {
        t->error = scope->run->failed_elsewhere ? LC_STR_EMPTY : trouble.summary;
        t->place = trouble.place;
        t->failed = true;
        return;
    }
    const lc_value *text;
    lc_str why;
    if (lc_marks_all(v) & LC_MARK_UNDECIDED) {
        t->undecided = v.marks->undecided;
        t->error = LC_STR_EMPTY;
    } else if (is_opentofu(scope->run) && (lc_marks_all(v) & LC_MARK_SENSITIVE)) {
        t->failed = true;
    } else if (lc_is_known(v.value) &&
               lc_value_convert(&text, scope->run->arena, v.value, &lc_type_string, &why)) {
        bool empty = text->as.string.len == 0;
        t->id = text;
        t->ignored = empty && is_opentofu(scope->run);
        t->failed = empty && !t->ignored;
        t->error = t->failed ? t->error : LC_STR_EMPTY;
    } else {
        t->failed = true;
        if (lc_is_known(v.value))
            t->error = LC_STR(LC_SUMMARY_INCORRECT_VALUE_TYPE);
    }
}

/* ---- Targets of the blocks of one resource. */

/* The import blocks of one resource, while they are evaluated. */
typedef struct targeting {
    lc_predictor *r;
    const lc_config_resource *config;
    bool fit; /* false: nothing of the resource is planned */
} targeting;

/* OpenTofu stops the whole plan for such an error. */
static void report_unfit(targeting *t, const lc_config_import *import, lc_str summary,
                         lc_str address)
{
    report(t->r, import, summary, address, is_opentofu(t->r));
    t->fit = false;
}

/* Terraform first compares the kind of the key with the block's repetition. */
static bool key_fits(targeting *t, const lc_config_import *import, const lc_address *to)
{
    const lc_config_repetition *n = &t->config->repetition;
    lc_key_kind want = n->count ? LC_KEY_INT : n->for_each ? LC_KEY_STRING : LC_KEY_NONE;
    if (is_opentofu(t->r) || to->key.kind == want)
        return true;
    report_unfit(t, import, LC_STR(LC_SUMMARY_IMPORT_TO), lc_address_text(t->r->arena, to));
    return false;
}

/* True if the target instance is declared, or may be. */
static bool is_declared(targeting *t, const lc_address *to)
{
    lc_address path = lc_address_module(to);
    const lc_module_instance *module = lc_predict_module_find(t->r, &path);
    const lc_resource_instance *resource =
        module ? lc_table_get(&module->resources, t->config->address) : NULL;
    if (resource && resource->keys.undecided)
        return true;
    lc_buf key = {0};
    lc_key_add(&key, to->key);
    bool found = resource && lc_table_get(&resource->keys.by_text, lc_buf_str(&key));
    lc_buf_release(&key);
    return found;
}

/* Terraform evaluates the id of each target before it skips those that are in the state. */
static void check_unused_id(targeting *t, const lc_eval_scope *scope,
                            const lc_config_import *import, lc_str address)
{
    lc_import_target unused = {.block = import};
    find_id(&unused, scope);
    if (!unused.failed)
        return;
    if (unused.error.len)
        lc_predict_error(t->r, unused.error, address,
                         unused.place.source ? unused.place : import->place);
    t->fit = false;
}

/* One target. Terraform skips one that is in the state already. Both reject one that is not
 * declared, and OpenTofu reports a second import of the same instance. */
static void add_target(targeting *t, const lc_eval_scope *scope, const lc_config_import *import)
{
    lc_predictor *pred = t->r;
    lc_address to;
    target_reader reader;
    bool written = written_for(&to, &reader, pred, import, scope);
    if (!written && reader.failed && is_opentofu(pred)) {
        lc_predict_eval_error(pred, &reader.trouble, t->config->address);
        t->fit = false;
    }
    if (!written || !key_fits(t, import, &to))
        return;
    lc_str text = lc_address_text(pred->arena, &to);
    const lc_state_instance *instance = lc_predict_state_instance(pred, text);
    bool there = instance && instance->current;
    if (there && !is_opentofu(pred)) {
        check_unused_id(t, scope, import, text);
        return;
    }
    if (!is_declared(t, &to)) {
        report_unfit(t, import, LC_STR(LC_SUMMARY_IMPORT_NO_CONFIG), text);
        return;
    }
    lc_import_target *target = LC_NEW(pred->arena, lc_import_target);
    target->address = to;
    target->text = text;
    target->block = import;
    find_id(target, scope);
    if (target->failed && is_opentofu(pred)) {
        if (target->error.len)
            lc_predict_error(pred, target->error, text,
                             target->place.source ? target->place : import->place);
        t->fit = false;
    }
    if (lc_table_put(&pred->imports, text, target) && is_opentofu(pred)) {
        report(pred, import,
               lc_str_printf(pred->arena, LC_SUMMARY_IMPORT_DUPLICATE "\"%.*s\"", LC_FMT(text)),
               text, false);
        t->fit = false;
    }
}

/* The value without marks but LC_MARK_HIDDEN. */
static lc_marked unmarked(lc_arena *arena, lc_marked v)
{
    lc_marked bare = {v.value, NULL};
    return lc_marks_all(v) & LC_MARK_HIDDEN ? lc_marked_with(arena, bare, LC_MARK_HIDDEN, NULL)
                                            : bare;
}

/* The instances of an import block with for_each. Lists are allowed, too; their keys are
 * numbers. */
static bool each_of(lc_repetitions *out, const lc_eval_scope *scope, const lc_config_import *import,
                    lc_eval_error *trouble)
{
    lc_predictor *pred = scope->run;
    lc_marked v;
    if (!lc_predict_evaluate(&v, scope, import->for_each, trouble))
        return false;
    if (!is_opentofu(pred) && lc_is_null(v.value))
        return true;
    if (!is_opentofu(pred) && !(lc_marks_all(v) & LC_MARK_UNDECIDED))
        v = unmarked(pred->arena, v); /* Terraform allows sensitive values here */
    bool list = v.value->type->kind == LC_TYPE_TUPLE || v.value->type->kind == LC_TYPE_LIST;
    if (!list || !lc_is_known(v.value) || lc_is_marked(v))
        return lc_scope_each(out, pred->arena, pred->profile, v, lc_expr_pos(import->for_each),
                             trouble);
    for (uint32_t i = 0; i < v.value->count; i++) {
        lc_marked part = {&v.value->as.many.elems[i],
                          v.marks && i < v.marks->count ? v.marks->children[i] : v.marks};
        *LC_PUSH(pred->arena, &out->list, lc_repetition) =
            (lc_repetition){.key = lc_key_int(i), .has_each = true, .each_value = part};
    }
    return true;
}

static void add_targets(targeting *t, const lc_config_import *import)
{
    lc_eval_scope scope = {.run = t->r, .module = t->r->root};
    lc_repetitions each = {0};
    lc_eval_error trouble;
    if (!import->for_each) {
        add_target(t, &scope, import);
        return;
    }
    if (!each_of(&each, &scope, import, &trouble)) {
        lc_predict_eval_error(t->r, &trouble, t->config->address);
        t->fit = false;
        return;
    }
    for (size_t k = 0; k < each.list.count; k++) {
        scope.instance = &each.list.items[k];
        add_target(t, &scope, import);
    }
}

bool lc_predict_imports_of(lc_predictor *pred, const lc_config_resource *config)
{
    const lc_import_list *list =
        lc_table_get(&pred->import_blocks, lc_predict_config_text(pred, config));
    targeting t = {pred, config, true};
    for (size_t i = 0; list && i < list->list.count; i++)
        add_targets(&t, list->list.items[i]);
    return t.fit;
}
