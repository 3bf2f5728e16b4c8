/* import blocks: which instances they are for, and the identifiers. Blocks are looked at when their
 * target's resource is planned, because identifiers may refer to other resources. */
#include "run.h"

static lc_str config_text(run *r, const lc_address *address)
{
    lc_address config = lc_address_config(r->arena, address);
    return lc_address_text(r->arena, &config);
}

/* An index of the target: where it is no literal, what it is for an instance of the block, if that
 * is asked for. False: it is not known. */
static bool key_of(lc_key *out, const lc_ref_step *step, const within *w)
{
    lc_marked v = {step->key, NULL};
    lc_trouble trouble;
    int64_t number;
    *out = LC_NO_KEY;
    if (!v.value && !w)
        return true;
    if (!v.value && (!lc_forecast_evaluate(&v, w, step->index, &trouble) || !lc_is_known(v.value)))
        return false;
    if (v.value->type->kind == LC_TYPE_STRING)
        *out = lc_key_string(v.value->as.string);
    else if (v.value->type->kind == LC_TYPE_NUMBER && lc_num_to_int64(v.value->as.number, &number))
        *out = lc_key_int(number);
    return out->kind != LC_KEY_NONE;
}

typedef struct target_reader {
    const lc_reference *ref;
    size_t at; /* step */
    const within *w;
    bool open; /* some index is no literal */
} target_reader;

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
    return key_of(out, step, t->w);
}

/* The address that the block is written for. Without `w`, indices that are no literals are left
 * out; *open says that there are such. */
static bool written_for(lc_address *out, bool *open, run *r, const lc_config_import *import,
                        const within *w)
{
    target_reader t = {import->to.reference, 0, w, false};
    LC_VEC(lc_module_step) steps = {0};
    if (!t.ref || (t.ref->root != LC_ROOT_RESOURCE && t.ref->root != LC_ROOT_MODULE))
        return false;
    *out = (lc_address){NULL, 0, LC_MODE_MANAGED, t.ref->type, t.ref->name, LC_NO_KEY};
    lc_str name = t.ref->name;
    bool module = t.ref->root == LC_ROOT_MODULE;
    while (module) {
        lc_module_step *step = LC_PUSH(r->arena, &steps, lc_module_step);
        step->name = name;
        if (!next_key(&step->key, &t) || !next_name(&out->type, &t) || !next_name(&name, &t))
            return false;
        module = lc_str_is(out->type, "module");
        out->name = name;
    }
    out->modules = steps.items;
    out->module_count = steps.count;
    bool good = next_key(&out->key, &t);
    *open = t.open;
    return good && t.at == t.ref->count;
}

void lc_forecast_imports_find(run *r)
{
    lc_table seen;
    lc_table_init(&seen, r->arena);
    const lc_module *root = r->config->root;
    for (size_t i = 0; i < root->imports.count; i++) {
        const lc_config_import *import = &root->imports.items[i];
        lc_address to;
        bool open;
        if (!written_for(&to, &open, r, import, NULL))
            continue;
        lc_str text = config_text(r, &to), full = lc_address_text(r->arena, &to);
        if (!open && lc_table_put(&seen, full, r)) {
            lc_str summary = lc_str_printf(r->arena, "Duplicate import configuration for \"%.*s\"",
                                           LC_FMT(full));
            lc_forecast_error(r, summary, full, import->place);
            r->stop = true;
        }
        if (!lc_config_resource_at(r->config, &to) && !r->config->native) {
            lc_forecast_error(r, LC_STR("Configuration for import target does not exist"), full,
                              import->place);
            r->stop = true;
        }
        import_list *list = lc_table_get(&r->import_blocks, text);
        if (!list) {
            list = LC_NEW(r->arena, import_list);
            lc_table_put(&r->import_blocks, text, list);
        }
        *LC_PUSH(r->arena, &list->list, const lc_config_import *) = import;
    }
}

static void find_id(import_target *t, const within *w)
{
    lc_marked v;
    lc_trouble trouble;
    t->error = LC_STR("Invalid import id argument");
    if (!t->block->id) {
        t->error = LC_STR_EMPTY;
        return;
    }
    if (!lc_forecast_evaluate(&v, w, t->block->id, &trouble)) {
        t->error = w->run->failed_elsewhere ? LC_STR_EMPTY : trouble.summary;
        t->failed = true;
        return;
    }
    const lc_value *text;
    lc_str why;
    if (lc_marks_all(v) & LC_MARK_DOUBT) {
        t->doubt = v.marks->doubt;
        t->error = LC_STR_EMPTY;
    } else if (lc_is_known(v.value) &&
               lc_value_convert(&text, w->run->arena, v.value, &lc_type_string, &why)) {
        bool empty = text->as.string.len == 0;
        t->id = text;
        t->ignored = empty && is_opentofu(w->run);
        t->failed = empty && !t->ignored;
        t->error = t->failed ? t->error : LC_STR_EMPTY;
    } else {
        t->failed = true;
    }
}

static void add_target(const within *w, const lc_config_import *import)
{
    run *r = w->run;
    lc_address to;
    bool open;
    if (!written_for(&to, &open, r, import, w))
        return;
    import_target *t = LC_NEW(r->arena, import_target);
    t->address = to;
    t->text = lc_address_text(r->arena, &to);
    t->block = import;
    find_id(t, w);
    if (lc_table_put(&r->imports, t->text, t)) {
        lc_str summary =
            lc_str_printf(r->arena, "Duplicate import configuration for \"%.*s\"", LC_FMT(t->text));
        lc_forecast_error(r, summary, t->text, import->place);
    }
}

bool lc_forecast_imports_of(run *r, const resource_instance *resource)
{
    lc_address config = lc_address_config(r->arena, &resource->module->address);
    lc_str text = lc_address_text(r->arena, &config);
    text = lc_str_printf(r->arena, "%.*s%s%.*s", LC_FMT(text), text.len ? "." : "",
                         LC_FMT(resource->config->address));
    import_list *list = lc_table_get(&r->import_blocks, text);
    for (size_t i = 0; list && !list->looked && i < list->list.count; i++) {
        const lc_config_import *import = list->list.items[i];
        within w = {r, r->root, NULL, NULL};
        lc_instances each = {0};
        lc_marked v;
        lc_trouble trouble;
        if (!import->for_each) {
            add_target(&w, import);
            continue;
        }
        if (!lc_forecast_evaluate(&v, &w, import->for_each, &trouble) ||
            !lc_scope_each(&each, r->arena, r->profile, v, lc_expr_place(import->for_each),
                           &trouble)) {
            lc_forecast_trouble(r, &trouble, LC_STR_EMPTY);
            continue;
        }
        for (size_t k = 0; k < each.list.count; k++) {
            w.instance = &each.list.items[k];
            add_target(&w, import);
        }
    }
    if (list)
        list->looked = true;
    return list != NULL;
}

/* A target that is no declared instance of its resource. */
bool lc_forecast_imports_fit(run *r, const resource_instance *resource)
{
    lc_address config = lc_address_config(r->arena, &resource->module->address);
    lc_str text = lc_address_text(r->arena, &config);
    text = lc_str_printf(r->arena, "%.*s%s%.*s", LC_FMT(text), text.len ? "." : "",
                         LC_FMT(resource->config->address));
    const import_list *list = lc_table_get(&r->import_blocks, text);
    bool fit = true;
    for (size_t i = 0; list && i < list->list.count; i++) {
        lc_address to;
        bool open;
        if (!written_for(&to, &open, r, list->list.items[i], NULL) || open ||
            !lc_module_path_eq(to.modules, to.module_count, resource->module->address.modules,
                               resource->module->address.module_count))
            continue;
        lc_buf key = {0};
        lc_key_add(&key, to.key);
        bool found = lc_table_get(&resource->keys.by_text, lc_buf_str(&key)) != NULL;
        lc_buf_release(&key);
        if (found)
            continue;
        lc_forecast_error(r, LC_STR("Configuration for import target does not exist"),
                          lc_address_text(r->arena, &to), list->list.items[i]->place);
        fit = false;
    }
    return fit;
}
