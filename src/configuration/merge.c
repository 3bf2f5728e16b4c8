/* Override files: each is read into a separate module, which is then merged block by block into the
 * module. Source: the cores' mergeFile and MergeBodies. */
#include "configuration/expression/tree.h"
#include "configuration/reader.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/variable.h"

#include <string.h>

/* ---- Bodies. */

static bool has_name(const lc_expr *object, lc_str name)
{
    lc_str other;
    for (size_t i = 0; lc_expr_key_at(&other, object, i); i++)
        if (lc_str_eq(other, name))
            return true;
    return false;
}

/* The members of both; names that the second has are its own. */
static const lc_expr *merge_bodies(lc_arena *arena, const lc_expr *base, const lc_expr *over)
{
    lc_str name;
    if (!base || !over || !lc_expr_is_object(base) || !lc_expr_is_object(over))
        return over ? over : base;
    const lc_expr **items = LC_NEW_ARRAY(arena, const lc_expr *, base->count + over->count);
    size_t count = 0;
    for (size_t i = 0; lc_expr_key_at(&name, base, i); i++) {
        if (has_name(over, name))
            continue;
        items[count++] = base->items[2 * i];
        items[count++] = base->items[2 * i + 1];
    }
    for (size_t i = 0; i < over->count; i++)
        items[count++] = over->items[i];
    lc_expr *out = lc_expr_new(arena, LC_EXPR_OBJECT, base->place, items, count);
    if (!out)
        return over;
    out->bare = lc_expr_is_native_body(base) && lc_expr_is_native_body(over);
    return out;
}

static void refuse_depends(lc_config_reader *r, const lc_config_refs *refs)
{
    if (refs->list.count)
        lc_config_report(r, refs->list.items[0].place, LC_SUMMARY_OVERRIDE_UNSUPPORTED,
                         "depends_on cannot be overridden");
}

static void missing(lc_config_reader *r, lc_source_pos place, const char *summary, lc_str name)
{
    lc_config_report_name(r, place, summary, "there is no %s in other files", name);
}

/* ---- terraform and provider. */

static void merge_required(lc_config_reader *r, const lc_module *over)
{
    lc_module *base = r->module;
    for (size_t i = 0; i < over->required.count; i++) {
        const lc_config_required *req = &over->required.items[i];
        size_t at = lc_table_get_index(&base->required_by_name, req->local_name);
        if (at != LC_NO_INDEX) {
            base->required.items[at] = *req;
            continue;
        }
        *LC_PUSH(r->arena, &base->required, lc_config_required) = *req;
        lc_table_put_index(&base->required_by_name, req->local_name, base->required.count - 1);
    }
    if (over->versions.count) {
        base->versions.items = over->versions.items;
        base->versions.count = over->versions.count;
        base->versions.capacity = over->versions.capacity;
    }
}

static bool is_backend(lc_setting_kind kind)
{
    return kind == LC_SETTING_BACKEND || kind == LC_SETTING_CLOUD;
}

/* A backend takes the place of any other, also of a block `cloud`. */
static void merge_settings(lc_config_reader *r, const lc_module *over)
{
    lc_module *base = r->module;
    for (size_t i = 0; i < over->settings.count; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < base->settings.count; k++)
            if (!is_backend(over->settings.items[i].kind) ||
                !is_backend(base->settings.items[k].kind))
                base->settings.items[kept++] = base->settings.items[k];
        base->settings.count = kept;
        *LC_PUSH(r->arena, &base->settings, lc_config_setting) = over->settings.items[i];
    }
}

static lc_config_provider *provider_like(const lc_module *base, const lc_config_provider *p)
{
    for (size_t i = 0; i < base->providers.count; i++)
        if (lc_str_eq(base->providers.items[i]->name, p->name) &&
            lc_str_eq(base->providers.items[i]->alias, p->alias))
            return base->providers.items[i];
    return NULL;
}

static void merge_providers(lc_config_reader *r, const lc_module *over)
{
    for (size_t i = 0; i < over->providers.count; i++) {
        lc_config_provider *p = over->providers.items[i], *own = provider_like(r->module, p);
        if (!own && p->alias.len) {
            missing(r, p->place, LC_SUMMARY_OVERRIDE_PROVIDER, p->alias);
        } else if (!own) {
            p->module = r->module;
            *LC_PUSH(r->arena, &r->module->providers, lc_config_provider *) = p;
        } else {
            own->body = merge_bodies(r->arena, own->body, p->body);
            own->has_version |= p->has_version;
            if (p->version.len)
                own->version = p->version;
        }
    }
}

/* ---- variable, locals, output. */

static void merge_variable(lc_config_reader *r, lc_config_variable *v, const lc_config_variable *o)
{
    lc_eval_error trouble;
    if (o->description.given)
        v->description = o->description;
    if (o->has_sensitive)
        v->sensitive = o->sensitive;
    if (o->has_ephemeral)
        v->ephemeral = o->ephemeral;
    if (o->has_nullable)
        v->not_nullable = o->not_nullable;
    if (o->constraint.type)
        v->constraint = o->constraint;
    if (o->initial)
        v->initial = o->initial;
    v->has_sensitive |= o->has_sensitive;
    v->has_ephemeral |= o->has_ephemeral;
    v->has_nullable |= o->has_nullable;
    if (v->initial && !lc_variable_default(v, r->arena, v->initial, &trouble)) {
        trouble.place = o->place;
        lc_config_report_errors(r, &trouble);
    }
}

static void merge_variables(lc_config_reader *r, const lc_module *over)
{
    for (size_t i = 0; i < over->variables.count; i++) {
        const lc_config_variable *o = over->variables.items[i];
        lc_config_variable *v = lc_table_get(&r->module->variable, o->name);
        if (v)
            merge_variable(r, v, o);
        else
            missing(r, o->place, LC_SUMMARY_OVERRIDE_VARIABLE, o->name);
    }
}

static void merge_locals(lc_config_reader *r, const lc_module *over)
{
    for (size_t i = 0; i < over->locals.count; i++) {
        const lc_config_local *o = over->locals.items[i];
        lc_config_local *local = lc_table_get(&r->module->local, o->name);
        if (local)
            *local = *o;
        else
            missing(r, o->place, LC_SUMMARY_OVERRIDE_LOCAL, o->name);
    }
}

static void merge_output(lc_config_reader *r, lc_config_output *own, const lc_config_output *o)
{
    if (o->description.text.len)
        own->description = o->description;
    if (o->value)
        own->value = o->value;
    if (o->type)
        own->type = o->type;
    if (o->has_sensitive)
        own->sensitive = o->sensitive;
    if (o->has_ephemeral)
        own->ephemeral = o->ephemeral;
    refuse_depends(r, &o->depends_on);
}

static void merge_outputs(lc_config_reader *r, const lc_module *over)
{
    for (size_t i = 0; i < over->outputs.count; i++) {
        const lc_config_output *o = over->outputs.items[i];
        lc_config_output *own = lc_table_get(&r->module->output, o->name);
        if (own)
            merge_output(r, own, o);
        else
            missing(r, o->place, LC_SUMMARY_OVERRIDE_OUTPUT, o->name);
    }
}

/* ---- module, resource. */

static void merge_repetition(lc_config_repetition *own, const lc_config_repetition *o)
{
    if (o->count) {
        own->count = o->count;
        own->count_place = o->count_place;
    }
    if (o->for_each) {
        own->for_each = o->for_each;
        own->for_each_place = o->for_each_place;
    }
    if (o->enabled) {
        own->enabled = o->enabled;
        own->enabled_place = o->enabled_place;
    }
}

static void merge_call(lc_config_reader *r, lc_config_call *own, const lc_config_call *o)
{
    if (o->source_value) {
        own->source = o->source;
        own->source_value = o->source_value;
        own->source_place = o->source_place;
    }
    if (o->version_value)
        own->version_value = o->version_value;
    merge_repetition(&own->repetition, &o->repetition);
    own->arguments = merge_bodies(r->arena, own->arguments, o->arguments);
    if (o->providers.count) {
        own->has_providers = true;
        own->providers = o->providers;
    }
    refuse_depends(r, &o->depends_on);
}

static void merge_calls(lc_config_reader *r, const lc_module *over)
{
    for (size_t i = 0; i < over->calls.count; i++) {
        const lc_config_call *o = over->calls.items[i];
        lc_config_call *own = lc_table_get(&r->module->call_by_name, o->name);
        if (own)
            merge_call(r, own, o);
        else
            missing(r, o->place, LC_SUMMARY_OVERRIDE_MODULE, o->name);
    }
}

static const lc_config_lifecycle *
merge_lifecycles(lc_arena *arena, const lc_config_lifecycle *before, const lc_config_lifecycle *o)
{
    if (o == &lc_config_no_lifecycle)
        return before;
    lc_config_lifecycle *own = LC_NEW(arena, lc_config_lifecycle);
    *own = *before;
    if (o->create_before_destroy.place.source)
        own->create_before_destroy = o->create_before_destroy;
    if (o->prevent_destroy.place.source)
        own->prevent_destroy = o->prevent_destroy;
    if (o->destroy.place.source)
        own->destroy = o->destroy;
    if (o->ignore_changes.list.count)
        own->ignore_changes = o->ignore_changes;
    own->ignore_all |= o->ignore_all;
    return own;
}

static void merge_resource(lc_config_reader *r, lc_config_resource *own,
                           const lc_config_resource *o)
{
    merge_repetition(&own->repetition, &o->repetition);
    if (o->provider)
        own->provider = o->provider;
    if (o->connection)
        own->connection = o->connection;
    if (o->provisioners.count)
        own->provisioners = o->provisioners;
    own->lifecycle = merge_lifecycles(r->arena, own->lifecycle, o->lifecycle);
    own->body = merge_bodies(r->arena, own->body, o->body);
    refuse_depends(r, &o->depends_on);
}

static void merge_resources(lc_config_reader *r, const lc_module *over)
{
    for (size_t i = 0; i < over->resources.count; i++) {
        const lc_config_resource *o = over->resources.items[i];
        lc_config_resource *own = lc_table_get(&r->module->resource, o->address);
        if (own)
            merge_resource(r, own, o);
        else
            missing(r, o->place,
                    o->mode == LC_MODE_DATA ? LC_SUMMARY_OVERRIDE_DATA
                                            : LC_SUMMARY_OVERRIDE_RESOURCE,
                    o->address);
    }
}

/* ---- Files. */

/* Blocks that only other files may have. */
static void refuse_others(lc_config_reader *r, const lc_module *over)
{
    static const char only[] = "such blocks belong into other files";
    for (size_t i = 0; i < over->moved.count; i++)
        lc_config_report(r, over->moved.items[i].place, LC_SUMMARY_OVERRIDE_MOVED, only);
    for (size_t i = 0; i < over->imports.count; i++)
        lc_config_report(r, over->imports.items[i].place, LC_SUMMARY_OVERRIDE_IMPORT, only);
}

void lc_config_override(lc_config_reader *r, const lc_config_file *file,
                        void (*read)(lc_config_reader *r, const lc_config_file *file))
{
    lc_module *base = r->module;
    lc_module *over = lc_config_module_new(r->arena, base->parent, base->call);
    r->module = over;
    r->overriding = true;
    read(r, file);
    r->module = base;
    r->overriding = false;
    base->incomplete |= over->incomplete;
    merge_required(r, over);
    merge_settings(r, over);
    merge_providers(r, over);
    merge_variables(r, over);
    merge_locals(r, over);
    merge_outputs(r, over);
    merge_calls(r, over);
    merge_resources(r, over);
    refuse_others(r, over);
}
