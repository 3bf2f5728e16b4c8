/* Addresses in moved, removed and import blocks, which the clients check while they read each
 * block. Source: addrs.ParseMoveEndpoint, ParseRemoveTarget (OpenTofu: ParseRemoveEndpoint) and
 * ParseAbsResourceInstance. */
#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/core_message.h"
#include "predict/internal.h"

/* An error about a block, which precludes planning. */
static void report(lc_predictor *pred, const char *summary, const char *detail, lc_str address,
                   lc_source_pos place)
{
    lc_predict_error(pred, lc_str_from_c(summary), address, place)->detail = lc_str_from_c(detail);
    pred->stop = true;
}

/* ---- Parsing. */

/* The steps of a reference, its first name among them, from step `at`. */
typedef struct parsing {
    const lc_reference *ref;
    size_t at, count;
    bool terraform;
    bool keys; /* instance keys are allowed */
    /* What is wrong, if the address is. */
    const char *summary, *detail;
    lc_source_pos place;
    bool module; /* it is the address of a module */
} parsing;

static lc_source_pos place_of(const parsing *p, size_t i)
{
    return i ? p->ref->path[i - 1].place : p->ref->place;
}

/* The name that a step is; empty: it is an index, such as the old form `.0`. */
static lc_str name_of(const parsing *p, size_t i)
{
    if (i == 0)
        return p->ref->head;
    const lc_ref_step *step = &p->ref->path[i - 1];
    bool index = step->kind == LC_REF_INDEX || (step->name.len && lc_is_digit(step->name.ptr[0]));
    return index ? LC_STR_EMPTY : step->name;
}

static bool next_is(const parsing *p, const char *name)
{
    return p->at < p->count && lc_str_is(name_of(p, p->at), name);
}

static bool fail(parsing *p, const char *summary, const char *detail, size_t at)
{
    p->summary = summary;
    p->detail = detail;
    p->place = place_of(p, at < p->count ? at : p->count - 1);
    return false;
}

/* True if the step is a key: a string or a whole number, or computed. */
static bool is_key(const parsing *p, size_t i)
{
    const lc_ref_step *step = &p->ref->path[i - 1];
    int64_t number;
    if (name_of(p, i).len)
        return false;
    return step->kind != LC_REF_INDEX || !step->key || step->key->type->kind == LC_TYPE_STRING ||
           (step->key->type->kind == LC_TYPE_NUMBER &&
            lc_num_to_int64(step->key->as.number, &number));
}

/* `module.NAME` with or without a key, any number of times. */
static bool parse_modules(parsing *p)
{
    while (next_is(p, "module")) {
        if (++p->at == p->count || !name_of(p, p->at).len)
            return fail(p, LC_SUMMARY_ADDRESS_OPERATOR, "`module.` is followed by a name",
                        p->at < p->count ? p->at : p->at - 1);
        if (++p->at == p->count || name_of(p, p->at).len)
            continue;
        if (!p->keys)
            return fail(p,
                        p->terraform ? LC_SUMMARY_REMOVED_MODULE_KEY_TERRAFORM
                                     : LC_SUMMARY_REMOVED_MODULE_KEY_OPENTOFU,
                        "a module is named here, not one of its instances", p->at);
        if (!is_key(p, p->at++))
            return fail(p, LC_SUMMARY_ADDRESS_OPERATOR, "this is not a key of an instance",
                        p->at - 1);
    }
    return p->at == p->count || name_of(p, p->at).len ||
           fail(p, LC_SUMMARY_ADDRESS_OPERATOR, "`module.NAME` is followed by a name", p->at);
}

/* What precedes the type. */
static bool parse_mode(parsing *p)
{
    static const char *const reserved[] = {"count",    "each", "local",     "module",
                                           "path",     "self", "terraform", "var",
                                           "template", "lazy", "arg",       NULL};
    if (next_is(p, "data") || (next_is(p, "ephemeral") && (p->keys || !p->terraform)))
        p->at++;
    else if (p->terraform && p->keys && next_is(p, "resource"))
        p->at++;
    else if (p->terraform && p->keys && lc_str_is_one_of(name_of(p, p->at), reserved, NULL))
        return fail(p, LC_SUMMARY_INVALID_ADDRESS,
                    "this word is reserved, so it is not a type of a resource", p->at);
    return true;
}

/* What follows type and name. */
static bool parse_key(parsing *p)
{
    size_t left = p->count - p->at;
    if (left == 0)
        return true;
    if (!p->keys && p->terraform)
        return fail(p, LC_SUMMARY_REMOVED_RESOURCE_KEY_TERRAFORM,
                    "a resource is named here, not one of its instances", p->at);
    if (left > 1)
        return fail(p, LC_SUMMARY_INVALID_ADDRESS, "nothing follows the address of a resource",
                    p->at + 1);
    if (!p->keys)
        return fail(p, LC_SUMMARY_REMOVED_RESOURCE_KEY_OPENTOFU,
                    "a resource is named here, not one of its instances", p->at);
    return is_key(p, p->at) || fail(p, LC_SUMMARY_INVALID_ADDRESS,
                                    "a key is a string or a whole number in brackets", p->at);
}

/* False: the reference is not an address, see `summary`. */
static bool parse(parsing *p, const lc_predictor *pred, const lc_reference *ref, bool keys)
{
    *p = (parsing){.ref = ref, .count = ref->path_count + 1, .keys = keys};
    p->terraform = !is_opentofu(pred);
    if (!parse_modules(p))
        return false;
    p->module = p->at == p->count;
    if (p->module)
        return true;
    size_t start = p->at;
    if (!parse_mode(p))
        return false;
    if (p->count - p->at < 2)
        return fail(p, LC_SUMMARY_INVALID_ADDRESS, "a resource is written as TYPE.NAME",
                    p->at < p->count ? p->at : start);
    for (size_t i = 0; i < 2; i++)
        if (!name_of(p, p->at + i).len)
            return fail(p, LC_SUMMARY_INVALID_ADDRESS, "a resource is written as TYPE.NAME",
                        p->at + i);
    p->at += 2;
    return parse_key(p);
}

/* True if the argument is missing, which is reported already. */
static bool is_missing(const lc_config_ref *ref)
{
    return !ref->is_text && !ref->trouble.summary.len;
}

/* Both clients take no quoted text of native syntax for an address. False: an error. */
static bool check_address(lc_predictor *pred, const lc_config_ref *ref, bool keys)
{
    parsing p;
    if (!ref->reference || ref->native_string)
        report(pred, LC_SUMMARY_INVALID_EXPRESSION, "an address is required here", ref->text,
               ref->place);
    else if (!parse(&p, pred, ref->reference, keys))
        report(pred, p.summary, p.detail, ref->text, p.place);
    else
        return true;
    return false;
}

/* ---- removed. */

/* `removed` blocks must address managed resources or modules, without instance keys. */
static void check_removed(lc_predictor *pred, const lc_config_removed *removed)
{
    bool ot = is_opentofu(pred);
    lc_address from;
    const lc_config_ref *ref = &removed->from;
    if (is_missing(ref) || !check_address(pred, ref, false) ||
        !lc_config_address(&from, pred->arena, ref) || lc_address_is_module(&from))
        return;
    if (from.mode == LC_MODE_DATA)
        report(pred, ot ? LC_SUMMARY_REMOVED_DATA_OPENTOFU : LC_SUMMARY_REMOVED_DATA_TERRAFORM,
               "data sources are never destroyed", ref->text, ref->place);
    else if (from.mode == LC_MODE_EPHEMERAL && ot)
        report(pred, LC_SUMMARY_REMOVED_EPHEMERAL, "ephemeral resources are never destroyed",
               ref->text, ref->place);
}

/* A `removed` block whose resource or module still exists. Both clients check it when they plan
 * normally, or in the refresh before a destroy plan. */
void lc_predict_check_gone(lc_predictor *pred, const lc_config_removed *removed)
{
    bool ot = is_opentofu(pred);
    lc_address from, declaring = {0};
    lc_str why, text = removed->from.text;
    size_t at;
    if (pred->in->options.mode != LC_RUN_NORMAL ||
        !lc_config_address(&from, pred->arena, &removed->from))
        return;
    if (removed->module->path.len)
        lc_address_parse(&declaring, pred->arena, removed->module->path, &why, &at);
    lc_address full = lc_address_within(pred->arena, &declaring, &from);
    if (lc_address_is_module(&from) && lc_config_module_at(pred->config, &full))
        report(pred, ot ? LC_SUMMARY_REMOVED_MODULE_BLOCK_EXISTS : LC_SUMMARY_REMOVED_MODULE_EXISTS,
               "a module call of this name is there", text, removed->place);
    if (!lc_address_is_module(&from) && lc_config_resource_at(pred->config, &full))
        report(pred,
               ot ? LC_SUMMARY_REMOVED_RESOURCE_BLOCK_EXISTS : LC_SUMMARY_REMOVED_RESOURCE_EXISTS,
               "a resource of this address is there", text,
               ot ? removed->place : lc_config_resource_at(pred->config, &full)->place);
}

/* ---- moved. */

/* True for an address that may be moved. OpenTofu reports a second error for others, also if the
 * argument is missing. */
static bool check_end(lc_predictor *pred, const lc_config_moved *moved, const lc_config_ref *ref)
{
    lc_address address;
    bool good = !is_missing(ref) && check_address(pred, ref, true);
    bool ephemeral = good && lc_config_address(&address, pred->arena, ref) &&
                     !lc_address_is_module(&address) && address.mode == LC_MODE_EPHEMERAL;
    if (is_opentofu(pred) && (!good || ephemeral))
        report(pred, LC_SUMMARY_MOVED_ADDRESS, "only resources and modules are moved", ref->text,
               moved->place);
    return good;
}

/* Both addresses must be of the same kind: resource or module. */
static void check_moved(lc_predictor *pred, const lc_config_moved *moved)
{
    lc_address from, to;
    bool good = check_end(pred, moved, &moved->from);
    if (!check_end(pred, moved, &moved->to) || !good)
        return;
    if (lc_config_address(&from, pred->arena, &moved->from) &&
        lc_config_address(&to, pred->arena, &moved->to) &&
        lc_address_is_module(&from) != lc_address_is_module(&to))
        report(pred, LC_SUMMARY_MOVE_KINDS, "a resource moves to a resource, a module to a module",
               moved->from.text, moved->place);
}

/* ---- import. */

/* The second import of one address is an error. */
static void note_target(lc_predictor *pred, const lc_config_import *import, const lc_address *to,
                        lc_table *seen)
{
    lc_str full = lc_address_text(pred->arena, to);
    if (!lc_table_put(seen, full, pred))
        return;
    lc_str summary =
        lc_str_printf(pred->arena, LC_SUMMARY_IMPORT_DUPLICATE "\"%.*s\"", LC_FMT(full));
    report(pred, lc_str_to_c(pred->arena, summary), "an address can be imported only once",
           import->to.text, import->place);
}

/* True if all indices are literals. */
static bool is_static(const lc_reference *ref)
{
    for (size_t i = 0; i < ref->path_count; i++) {
        if (ref->path[i].kind == LC_REF_INDEX && !ref->path[i].key)
            return false;
    }
    return true;
}

/* Text of JSON syntax is parsed as an expression. False: it is none. */
static bool check_text(lc_predictor *pred, const lc_config_ref *to)
{
    const lc_expr *e;
    lc_eval_error trouble;
    if (!to->is_text) {
        report(pred,
               is_opentofu(pred) ? LC_SUMMARY_EXPECTED_STRING : LC_SUMMARY_REFERENCE_EXPRESSION,
               "an address is written as a string", LC_STR_EMPTY, to->place);
        return false;
    }
    if (to->native || to->expr || lc_expr_parse(&e, pred->arena, to->text, to->place, &trouble))
        return true;
    for (const lc_eval_error *error = &trouble; error; error = error->next)
        report(pred, lc_str_to_c(pred->arena, error->summary),
               lc_str_to_c(pred->arena, error->detail), to->text, error->place);
    return false;
}

/* False: it is not an address of a resource instance. */
static bool check_instance(lc_predictor *pred, const lc_config_ref *to)
{
    parsing p;
    bool keyword = to->native && to->expr && lc_expr_constant(to->expr);
    bool bare = to->reference && !to->native_string && !(keyword && is_opentofu(pred)) &&
                (!to->native || lc_expr_unwrapped(to->expr) == to->expr);
    if (!bare)
        report(pred,
               is_opentofu(pred) ? LC_SUMMARY_IMPORT_EXPRESSION : LC_SUMMARY_INVALID_EXPRESSION,
               "an address is required here", to->text, to->place);
    else if (!parse(&p, pred, to->reference, true))
        report(pred, p.summary, p.detail, to->text, p.place);
    else if (p.module)
        report(pred, LC_SUMMARY_INVALID_ADDRESS, "a resource of the module is required here",
               to->text, to->place);
    else
        return true;
    return false;
}

/* The target of an import block as Terraform checks it. */
static void check_target(lc_predictor *pred, const lc_config_import *import, lc_table *seen)
{
    const lc_reference *ref = import->to.reference;
    lc_str text = import->to.text;
    lc_address address;
    bool is = check_instance(pred, &import->to);
    if (!is || ref->root == LC_ROOT_DATA || ref->root == LC_ROOT_EPHEMERAL)
        report(pred, LC_SUMMARY_IMPORT_ADDRESS, "only managed resources are imported", text,
               import->to_place);
    if (pred->stop)
        return;
    if (!is_static(ref)) {
        if (import->for_each)
            return;
        report(pred, LC_SUMMARY_INVALID_EXPRESSION, "a key without for_each is a literal", text,
               import->to.place);
        report(pred, LC_SUMMARY_INVALID_ADDRESS, "a key without for_each is a literal", text,
               import->to.place);
        return;
    }
    if (!lc_config_address(&address, pred->arena, &import->to))
        return;
    const lc_config_resource *to = lc_config_resource_at(pred->config, &address);
    bool one_of_several = address.key.kind != LC_KEY_NONE || import->for_each;
    if (!to && (address.module_count || one_of_several) && !pred->config->incomplete)
        report(pred, LC_SUMMARY_IMPORT_NO_CONFIG,
               "the resource has no configuration, and this address none that can be generated",
               text, import->to.place);
    if (!to || import->for_each)
        return;
    const lc_config_repetition *n = &to->repetition;
    lc_key_kind want = n->count ? LC_KEY_INT : n->for_each ? LC_KEY_STRING : LC_KEY_NONE;
    if (address.key.kind != want)
        report(pred, LC_SUMMARY_IMPORT_TO, "the key is not one that the resource can have", text,
               import->to.place);
    note_target(pred, import, &address, seen);
}

/* OpenTofu looks for duplicates only among addresses without computed indices. */
static void check_target_opentofu(lc_predictor *pred, const lc_config_import *import,
                                  lc_table *seen)
{
    lc_address to;
    if (check_instance(pred, &import->to) && is_static(import->to.reference) &&
        lc_config_address(&to, pred->arena, &import->to))
        note_target(pred, import, &to, seen);
}

/* Import blocks are only allowed in the root module. */
static void check_import(lc_predictor *pred, const lc_config_import *import, lc_table *seen)
{
    lc_str text = import->to.text;
    if (import->module->parent) {
        report(pred, LC_SUMMARY_IMPORT_CONFIGURATION, "only the root module imports", text,
               import->place);
        return;
    }
    if (!import->id && !import->identity)
        report(pred, is_opentofu(pred) ? LC_SUMMARY_IMPORT_ARGUMENT : LC_SUMMARY_MISSING_ARGUMENT,
               "the argument id is required", text, import->place);
    if (is_opentofu(pred) && import->id && import->identity)
        report(pred, LC_SUMMARY_IMPORT_CONFLICT, "an object is named by id or by identity", text,
               import->place);
    if (is_missing(&import->to) || !check_text(pred, &import->to))
        return;
    if (is_opentofu(pred))
        check_target_opentofu(pred, import, seen);
    else
        check_target(pred, import, seen);
}

/* ---- */

void lc_predict_check_addresses(lc_predictor *pred, const lc_module *m, lc_table *seen)
{
    for (size_t i = 0; i < m->moved.count; i++)
        check_moved(pred, &m->moved.items[i]);
    for (size_t i = 0; i < m->removed.count; i++)
        check_removed(pred, &m->removed.items[i]);
    for (size_t i = 0; i < m->imports.count; i++)
        check_import(pred, &m->imports.items[i], seen);
}
