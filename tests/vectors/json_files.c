/* Recorded files in JSON syntax: the blocks of the configuration, field by field, in the names of
 * the recording. Fields that are empty are left out. */
#include "json_files.h"
#include "expressions.h"
#include "files.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/provider_config/provider_config.h"

typedef struct writer {
    lc_json *w;
    lc_arena *arena;
    const vectors_scope *scope;
    const lc_configuration *config;
    const lc_module *m;
    bool tofu;
} writer;

/* ---- Expressions. */

/* Does it refer to something outside of the line? */
static bool refers_outside(const writer *x, const lc_expr *expr)
{
    lc_references refs = {x->arena, {NULL, 0, 0}};
    lc_expr_references(&refs, expr);
    for (size_t i = 0; i < refs.list.count; i++) {
        const lc_reference *r = refs.list.items[i];
        bool given =
            r->root == LC_ROOT_VARIABLE && lc_table_get(&x->scope->config.root->variable, r->name);
        if (!given && r->root != LC_ROOT_PATH && r->root != LC_ROOT_TERRAFORM &&
            r->root != LC_ROOT_SELF && r->root != LC_ROOT_BAD)
            return true;
    }
    return false;
}

/* The reference in one spelling: steps as .name or [key]. */
static lc_str spell(lc_arena *arena, const lc_reference *r, bool relative)
{
    lc_buf text = {0};
    lc_buf_add_c(&text, relative ? "." : "");
    lc_buf_add_str(&text, r->head);
    for (size_t i = 0; i < r->path_count; i++) {
        const lc_ref_step *step = &r->path[i];
        if (step->kind == LC_REF_ATTR) {
            lc_buf_add_char(&text, '.');
            lc_buf_add_str(&text, step->name);
            continue;
        }
        lc_buf_add_char(&text, '[');
        if (step->key && step->key->type->kind == LC_TYPE_STRING)
            lc_buf_add_hcl_quoted(&text, step->key->as.string);
        else if (step->key)
            lc_num_add_text(&text, step->key->as.number);
        lc_buf_add_char(&text, ']');
    }
    lc_str out = lc_buf_copy(arena, &text);
    lc_buf_release(&text);
    return out;
}

static bool is_static(const lc_reference *r)
{
    for (size_t i = 0; i < r->path_count; i++)
        if (r->path[i].kind == LC_REF_INDEX && !r->path[i].key)
            return false;
    return true;
}

/* A literal text that could also be a reference. */
static const lc_reference *as_reference(const writer *x, const lc_expr *expr)
{
    const lc_value *v = lc_expr_constant(expr);
    const lc_expr *parsed;
    lc_eval_error trouble;
    if (!v || !lc_is_known(v) || v->type->kind != LC_TYPE_STRING ||
        !lc_traversal_parse(&parsed, x->arena, v->as.string, lc_expr_pos(expr), &trouble))
        return NULL;
    const lc_reference *r = lc_expr_reference(parsed);
    return r && is_static(r) ? r : NULL;
}

static void write_reference(const writer *x, const char *key, const lc_reference *r)
{
    if (r && is_static(r))
        lc_json_str(x->w, key, spell(x->arena, r, false));
}

/* What may be a block is not evaluated as a whole. */
static bool is_block(const vectors_result *result)
{
    return result->ok && lc_marks_self(result->value) == 0 &&
           (lc_marks_all(result->value) & LC_MARK_UNDECIDED);
}

/* {"expression": ...}. `native`: within a reference, and not a string of its own. */
static void write_any_expression(const writer *x, const char *key, const lc_expr *expr, bool native)
{
    if (!expr)
        return;
    lc_json_object(x->w, key);
    lc_buf *out = lc_json_value(x->w, "expression");
    lc_json inner = {.out = out};
    lc_str reference = LC_STR_EMPTY;
    const lc_reference *r = as_reference(x, expr);
    if (!r && native)
        r = lc_expr_reference(expr);
    if (r)
        reference = spell(x->arena, r, false);
    vectors_result result = {0};
    bool outside = refers_outside(x, expr);
    if (!outside)
        result = vectors_evaluate(x->arena, x->scope, expr);
    if (outside || is_block(&result)) {
        lc_buf_add_c(out, "{\"not_evaluated\":true");
    } else {
        vectors_result_write(out, &result, 0);
        out->len--; /* the brace: members follow */
    }
    if (reference.len) {
        lc_buf_add_c(out, ",\"as_reference\":");
        lc_json_str(&inner, NULL, reference);
    }
    lc_buf_add_char(out, '}');
    lc_json_end_object(x->w);
}

static void write_expression(const writer *x, const char *key, const lc_expr *expr)
{
    write_any_expression(x, key, expr, false);
}

/* A place that the client reads as a reference, among expressions. */
static void write_reference_expression(const writer *x, const char *key, const lc_config_ref *ref)
{
    lc_json_object(x->w, key);
    lc_json_object(x->w, "expression");
    lc_json_bool(x->w, "not_evaluated", true);
    write_reference(x, "as_reference", ref->reference);
    lc_json_end_object(x->w);
    lc_json_end_object(x->w);
}

static void write_references(const writer *x, const char *key, const lc_config_refs *refs,
                             bool relative)
{
    bool any = false;
    for (size_t i = 0; i < refs->list.count; i++) {
        const lc_config_ref *ref = &refs->list.items[i];
        if (!ref->reference)
            continue;
        if (!any)
            lc_json_array(x->w, key);
        any = true;
        lc_json_object(x->w, NULL);
        lc_json_str(x->w, "reference", spell(x->arena, ref->reference, relative));
        lc_json_end_object(x->w);
    }
    if (any)
        lc_json_end_array(x->w);
}

/* {"body": {...}} */
static void write_body(const writer *x, const lc_expr *body)
{
    lc_str name;
    lc_json_object(x->w, "config");
    lc_json_object(x->w, "body");
    for (size_t i = 0; body && lc_expr_key_at(&name, body, i); i++) {
        const lc_expr *value = lc_expr_member_of(body, name);
        if (!value)
            continue;
        lc_json_key(x->w, name);
        write_expression(x, NULL, value);
    }
    lc_json_end_object(x->w);
    lc_json_end_object(x->w);
}

static void write_text(const writer *x, const char *key, lc_str text)
{
    if (text.len)
        lc_json_str(x->w, key, text);
}

static void write_true(const writer *x, const char *key, bool is)
{
    if (is)
        lc_json_bool(x->w, key, true);
}

static void write_conditions(const writer *x, const char *key, const lc_config_conditions *list)
{
    if (!list->list.count)
        return;
    lc_json_array(x->w, key);
    for (size_t i = 0; i < list->list.count; i++) {
        lc_json_object(x->w, NULL);
        write_expression(x, "condition", list->list.items[i].condition);
        write_expression(x, "error_message", list->list.items[i].message);
        lc_json_end_object(x->w);
    }
    lc_json_end_array(x->w);
}

static lc_provider_ref provider_of(const writer *x, const lc_config_ref *written)
{
    return lc_provider_ref_parse(written, x->tofu ? LC_PROFILE_OPENTOFU : LC_PROFILE_TERRAFORM);
}

/* A provider configuration: its name, alias and (OpenTofu) key. */
static void write_provider(const writer *x, const char *key, const lc_config_ref *written)
{
    lc_provider_ref ref = {0};
    if (written)
        ref = provider_of(x, written);
    if (!ref.ok)
        return;
    lc_json_object(x->w, key);
    lc_json_str(x->w, "name", ref.name);
    write_text(x, "alias", ref.alias);
    write_any_expression(x, "key_expression", ref.key, true);
    lc_json_end_object(x->w);
}

/* ---- Blocks. */

static void write_terraform(const writer *x)
{
    static const struct {
        const char *list, *label;
    } settings[] = {{"backends", "type"}, {"cloud_configs", NULL}, {"provider_metas", "provider"}};
    if (x->m->versions.count && !x->tofu) {
        lc_json_array(x->w, "core_version_constraints");
        for (size_t i = 0; i < x->m->versions.count; i++)
            lc_json_str(x->w, NULL, x->m->versions.items[i].text);
        lc_json_end_array(x->w);
    }
    for (size_t kind = LC_SETTING_BACKEND; kind <= LC_SETTING_PROVIDER_META; kind++) {
        bool any = false;
        for (size_t i = 0; i < x->m->settings.count; i++) {
            const lc_config_setting *s = &x->m->settings.items[i];
            if (s->kind != kind)
                continue;
            if (!any)
                lc_json_array(x->w, settings[kind].list);
            any = true;
            lc_json_object(x->w, NULL);
            write_body(x, s->body);
            if (settings[kind].label)
                lc_json_str(x->w, settings[kind].label, s->label);
            lc_json_end_object(x->w);
        }
        if (any)
            lc_json_end_array(x->w);
    }
}

/* The source in full. */
static void write_provider_type(const writer *x, const lc_config_required *req)
{
    lc_provider_address address;
    lc_eval_error why;
    lc_str source = req->source.len ? req->source : req->local_name;
    lc_str text = lc_str_printf(x->arena, "provider[\"%.*s\"]", LC_FMT(source));
    lc_profile profile = x->tofu ? LC_PROFILE_OPENTOFU : LC_PROFILE_TERRAFORM;
    if (lc_provider_address_parse(&address, x->arena, profile, text, &why))
        lc_json_str(x->w, "type", address.fqn);
}

/* The clients leave out entries with errors. */
static bool is_refused(const writer *x, size_t at)
{
    const lc_config_required *req = &x->m->required.items[at];
    bool last = at + 1 == x->m->required.count;
    uint64_t from = req->place.where, to = last ? UINT64_MAX : req[1].place.where;
    for (size_t i = 0; i < x->config->problems.count; i++) {
        const lc_config_problem *p = &x->config->problems.items[i];
        if (!p->warning && p->place.where >= from && p->place.where < to)
            return true;
    }
    return false;
}

static void write_required(const writer *x)
{
    if (!x->m->required.count)
        return;
    lc_json_array(x->w, "required_providers");
    lc_json_object(x->w, NULL);
    lc_json_object(x->w, "required_providers");
    for (size_t i = 0; i < x->m->required.count; i++) {
        const lc_config_required *req = &x->m->required.items[i];
        if (is_refused(x, i))
            continue;
        lc_json_key(x->w, req->local_name);
        lc_json_object(x->w, NULL);
        lc_json_str(x->w, "name", req->local_name);
        write_text(x, "requirement", req->version);
        write_text(x, "source", req->source);
        write_provider_type(x, req);
        lc_json_end_object(x->w);
    }
    lc_json_end_object(x->w);
    lc_json_end_object(x->w);
    lc_json_end_array(x->w);
}

static void write_providers(const writer *x)
{
    if (!x->m->providers.count)
        return;
    lc_json_array(x->w, "provider_configs");
    for (size_t i = 0; i < x->m->providers.count; i++) {
        const lc_config_provider *p = x->m->providers.items[i];
        lc_json_object(x->w, NULL);
        write_text(x, "alias", p->alias);
        write_body(x, p->body);
        write_expression(x, "for_each", p->repetition.for_each);
        lc_json_str(x->w, "name", p->name);
        write_text(x, "version", p->version);
        lc_json_end_object(x->w);
    }
    lc_json_end_array(x->w);
}

static void write_variable(const writer *x, const lc_config_variable *v)
{
    const lc_type *type = v->constraint.type ? v->constraint.type : &lc_type_dynamic;
    const lc_value *initial = v->initial ? lc_expr_constant(v->initial) : NULL;
    lc_json_object(x->w, NULL);
    lc_typejson_encode(lc_json_value(x->w, "constraint_type"), type);
    if (initial) {
        vectors_result result = {.ok = true, .value = {initial, NULL}};
        vectors_result_write(lc_json_value(x->w, "default"), &result, 0);
    }
    write_text(x, "description", v->description.text);
    write_true(x, "description_set", v->description.given);
    write_true(x, "ephemeral", v->ephemeral);
    write_true(x, "ephemeral_set", v->has_ephemeral);
    lc_json_str(x->w, "name", v->name);
    write_true(x, "nullable", !v->not_nullable);
    write_true(x, "nullable_set", v->has_nullable);
    lc_json_uint(x->w, "parsing_mode", v->constraint.is_expression ? 'H' : 'L');
    write_true(x, "sensitive", v->sensitive);
    write_true(x, "sensitive_set", v->has_sensitive);
    lc_typejson_encode(lc_json_value(x->w, "type"), lc_type_without_optional(type));
    write_conditions(x, "validations", &v->validations);
    lc_json_end_object(x->w);
}

static void write_local(const writer *x, const lc_config_local *local)
{
    lc_json_object(x->w, NULL);
    write_expression(x, "expr", local->value);
    lc_json_str(x->w, "name", local->name);
    lc_json_end_object(x->w);
}

static void write_output(const writer *x, const lc_config_output *o)
{
    lc_json_object(x->w, NULL);
    if (!x->tofu)
        lc_json_c(x->w, "constraint_type", "dynamic");
    write_references(x, "depends_on", &o->depends_on, false);
    write_text(x, "description", o->description.text);
    write_true(x, "description_set", o->description.given);
    write_true(x, "ephemeral", o->ephemeral);
    write_true(x, "ephemeral_set", o->has_ephemeral);
    write_expression(x, "expr", o->value);
    lc_json_str(x->w, "name", o->name);
    write_conditions(x, "preconditions", &o->preconditions);
    write_true(x, "sensitive", o->sensitive);
    write_true(x, "sensitive_set", o->has_sensitive);
    lc_json_end_object(x->w);
}

static void write_passed(const writer *x, const lc_config_call *c)
{
    bool any = false;
    for (size_t i = 0; i < c->providers.count; i++) {
        const lc_config_passed *p = &c->providers.items[i];
        if (!provider_of(x, &p->child).ok || !provider_of(x, &p->parent).ok)
            continue;
        if (!any)
            lc_json_array(x->w, "providers");
        any = true;
        lc_json_object(x->w, NULL);
        write_provider(x, "in_child", &p->child);
        write_provider(x, "in_parent", &p->parent);
        lc_json_end_object(x->w);
    }
    if (any)
        lc_json_end_array(x->w);
}

static void write_call(const writer *x, const lc_config_call *c)
{
    lc_json_object(x->w, NULL);
    write_body(x, c->arguments);
    write_expression(x, "count", c->repetition.count);
    write_references(x, "depends_on", &c->depends_on, false);
    write_expression(x, "for_each", c->repetition.for_each);
    lc_json_str(x->w, "name", c->name);
    write_passed(x, c);
    write_expression(x, x->tofu ? "source" : "source_expr", c->source_value);
    write_true(x, "source_set", x->tofu && c->source_value);
    write_expression(x, x->tofu ? "version_attr" : "version_expr", c->version_value);
    lc_json_end_object(x->w);
}

/* ---- Resources. */

static void write_provisioners(const writer *x, const lc_config_resource *r)
{
    if (r->connection) {
        lc_json_object(x->w, "connection");
        write_body(x, r->connection);
        lc_json_end_object(x->w);
    }
    if (!r->provisioners.count)
        return;
    lc_json_array(x->w, "provisioners");
    for (size_t i = 0; i < r->provisioners.count; i++) {
        const lc_config_provisioner *p = &r->provisioners.items[i];
        lc_json_object(x->w, NULL);
        write_body(x, p->body);
        if (p->connection) {
            lc_json_object(x->w, "connection");
            write_body(x, p->connection);
            lc_json_end_object(x->w);
        }
        lc_json_uint(x->w, "on_failure", p->goes_on ? 1 : 2);
        lc_json_str(x->w, "type", p->type);
        lc_json_uint(x->w, "when", p->destroy ? 2 : 1);
        lc_json_end_object(x->w);
    }
    lc_json_end_array(x->w);
}

/* What only managed resources have. */
static void write_managed(const writer *x, const lc_config_resource *r)
{
    const lc_config_lifecycle *l = r->lifecycle;
    lc_buf members = {0};
    lc_json inner = {.out = &members};
    writer y = *x;
    y.w = &inner;
    lc_json_object(&inner, NULL);
    write_true(&y, "create_before_destroy", l->create_before_destroy.value);
    write_true(&y, "create_before_destroy_set", l->create_before_destroy.place.source != NULL);
    if (x->tofu && l->destroy.place.source)
        write_expression(&y, "destroy", l->destroy.expr);
    write_true(&y, "destroy_set", !x->tofu && l->destroy.place.source);
    write_true(&y, "ignore_all_changes", l->ignore_all);
    write_references(&y, "ignore_changes", &l->ignore_changes, true);
    if (x->tofu && l->prevent_destroy.place.source)
        write_expression(&y, "prevent_destroy", l->prevent_destroy.expr);
    write_true(&y, "prevent_destroy", !x->tofu && l->prevent_destroy.value);
    write_true(&y, "prevent_destroy_set", !x->tofu && l->prevent_destroy.place.source);
    write_provisioners(&y, r);
    lc_json_end_object(&inner);
    if (members.len > 2)
        lc_json_raw(x->w, "managed", lc_buf_str(&members));
    lc_buf_release(&members);
}

static void write_resource(const writer *x, const lc_config_resource *r)
{
    static const char *const modes[] = {[LC_MODE_MANAGED] = "ManagedResourceMode",
                                        [LC_MODE_DATA] = "DataResourceMode",
                                        [LC_MODE_EPHEMERAL] = "EphemeralResourceMode"};
    const lc_config_lifecycle *l = r->lifecycle;
    lc_json_object(x->w, NULL);
    write_body(x, r->body);
    write_expression(x, "count", r->repetition.count);
    write_references(x, "depends_on", &r->depends_on, false);
    write_expression(x, "enabled", r->repetition.enabled);
    write_expression(x, "for_each", r->repetition.for_each);
    write_managed(x, r);
    lc_json_c(x->w, "mode", modes[r->mode]);
    lc_json_str(x->w, "name", r->name);
    write_conditions(x, "postconditions", &l->postconditions);
    write_conditions(x, "preconditions", &l->preconditions);
    write_provider(x, "provider_config_ref", r->provider);
    if (l->replace_triggered_by.list.count) {
        lc_json_array(x->w, "triggers_replacement");
        for (size_t i = 0; i < l->replace_triggered_by.list.count; i++)
            write_reference_expression(x, NULL, &l->replace_triggered_by.list.items[i]);
        lc_json_end_array(x->w);
    }
    lc_json_str(x->w, "type", r->type);
    lc_json_end_object(x->w);
}

static void write_resources(const writer *x, const char *key, lc_resource_mode mode)
{
    bool any = false;
    for (size_t i = 0; i < x->m->resources.count; i++) {
        if (x->m->resources.items[i]->mode != mode)
            continue;
        if (!any)
            lc_json_array(x->w, key);
        any = true;
        write_resource(x, x->m->resources.items[i]);
    }
    if (any)
        lc_json_end_array(x->w);
}

/* ---- Addresses. */

static void write_address(const writer *x, const char *key, const lc_config_ref *ref)
{
    write_reference(x, key, ref->reference);
}

/* The address without the keys of instances. */
static void write_block_address(const writer *x, const char *key, const lc_config_ref *ref)
{
    if (!ref->reference)
        return;
    lc_reference *bare = LC_NEW(x->arena, lc_reference);
    lc_ref_step *steps = LC_NEW_ARRAY(x->arena, lc_ref_step, ref->reference->path_count);
    *bare = *ref->reference;
    bare->path_count = 0;
    bare->path = steps;
    for (size_t i = 0; i < ref->reference->path_count; i++)
        if (ref->reference->path[i].kind == LC_REF_ATTR)
            steps[bare->path_count++] = ref->reference->path[i];
    lc_json_str(x->w, key, spell(x->arena, bare, false));
}

static void write_import(const writer *x, const lc_config_import *i)
{
    lc_json_object(x->w, NULL);
    write_expression(x, "for_each", i->for_each);
    write_expression(x, "i_d", i->id);
    write_expression(x, "identity", i->identity);
    write_provider(x, "provider_config_ref", i->provider);
    if (x->tofu)
        write_address(x, "resolved_to", &i->to);
    write_block_address(x, x->tofu ? "static_to" : "to_resource", &i->to);
    write_reference_expression(x, "to", &i->to);
    lc_json_end_object(x->w);
}

static void write_removed(const writer *x, const lc_config_removed *r)
{
    bool given = r->destroy.place.source != NULL;
    lc_json_object(x->w, NULL);
    write_true(x, "destroy", x->tofu ? given && r->destroy.value : !given || r->destroy.value);
    write_true(x, "destroy_set", x->tofu && given);
    if (x->tofu && r->from.reference) {
        lc_json_object(x->w, "from");
        write_address(x, "rel_subject", &r->from);
        lc_json_end_object(x->w);
    } else {
        write_address(x, "from", &r->from);
    }
    lc_json_end_object(x->w);
}

static void write_check(const writer *x, const lc_config_check *c)
{
    lc_json_object(x->w, NULL);
    write_conditions(x, "asserts", &c->asserts);
    lc_json_str(x->w, "name", c->name);
    lc_json_end_object(x->w);
}

/* ---- The file. */

/* Writes the member `key`: the list, unless it is empty, by `one`. */
#define WRITE_LIST(x, key, vec, one)                                                               \
    do {                                                                                           \
        if ((vec).count)                                                                           \
            lc_json_array((x)->w, key);                                                            \
        for (size_t i_ = 0; i_ < (vec).count; i_++)                                                \
            one;                                                                                   \
        if ((vec).count)                                                                           \
            lc_json_end_array((x)->w);                                                             \
    } while (0)

static void write_configuration(const writer *x)
{
    const lc_module *m = x->m;
    lc_json_object(x->w, "config");
    write_terraform(x);
    WRITE_LIST(x, "checks", m->checks, write_check(x, &m->checks.items[i_]));
    write_resources(x, "data_resources", LC_MODE_DATA);
    write_resources(x, "ephemeral_resources", LC_MODE_EPHEMERAL);
    WRITE_LIST(x, "import", m->imports, write_import(x, &m->imports.items[i_]));
    WRITE_LIST(x, "locals", m->locals, write_local(x, m->locals.items[i_]));
    write_resources(x, "managed_resources", LC_MODE_MANAGED);
    WRITE_LIST(x, "module_calls", m->calls, write_call(x, m->calls.items[i_]));
    for (size_t i = 0; i < m->moved.count; i++) {
        if (i == 0)
            lc_json_array(x->w, "moved");
        lc_json_object(x->w, NULL);
        write_address(x, "from", &m->moved.items[i].from);
        write_address(x, "to", &m->moved.items[i].to);
        lc_json_end_object(x->w);
        if (i + 1 == m->moved.count)
            lc_json_end_array(x->w);
    }
    WRITE_LIST(x, "outputs", m->outputs, write_output(x, m->outputs.items[i_]));
    write_providers(x);
    WRITE_LIST(x, "removed", m->removed, write_removed(x, &m->removed.items[i_]));
    write_required(x);
    WRITE_LIST(x, "variables", m->variables, write_variable(x, m->variables.items[i_]));
    lc_json_end_object(x->w);
}

void vectors_json_file_answer(lc_buf *out, lc_arena *arena, const lc_node *line)
{
    for (size_t i = 0; i < 2; i++) {
        lc_configuration config;
        vectors_scope scope;
        lc_json w = {.out = out};
        lc_profile profile = vectors_clients[i].profile;
        vectors_scope_make(&scope, arena, profile, line);
        vectors_file_read(&config, arena, profile, "x.tf.json", lc_node_text(line, "text"));
        writer x = {&w, arena, &scope, &config, config.root, profile == LC_PROFILE_OPENTOFU};
        lc_buf_printf(out, ",\"%s\":", vectors_clients[i].name);
        lc_json_object(&w, NULL);
        vectors_file_errors(&w, arena, &config, true);
        if (x.m)
            write_configuration(&x);
        lc_json_end_object(&w);
    }
}
