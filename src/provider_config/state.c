/* Provider addresses in states: their forms, how the readers interpret them, and what clients
 * write. */
#include "provider_config/internal.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/core_message.h"

/* ---- One resource of a state. */

/* A provider address in a state, as it is stored. */
typedef struct stored {
    bool given, ok;
    lc_str text;
    lc_loc loc;
    lc_eval_error why;
    lc_provider_address address;
} stored;

/* One resource of a state while it is checked. */
typedef struct checking {
    lc_provider_model *m;
    const lc_state_file *state;
    const lc_state_resource *resource;
    stored own;
    /* Number of objects with a provider address of their own. */
    size_t with_own;
    bool keyed; /* one of them has an instance key */
    /* is_missing: an object has no address at all; differs: objects have different
     * configurations */
    bool is_missing, differs;
    const stored *first; /* the first object's address, parsed or not */
} checking;

static stored read_stored(const checking *c, bool given, lc_str text, lc_loc loc)
{
    stored s = {.given = given, .text = text, .loc = loc};
    if (given)
        s.ok =
            lc_provider_address_parse(&s.address, c->m->arena, c->m->config->profile, text, &s.why);
    return s;
}

/* Adds a problem about the resource; in states positions are known as locations. */
static lc_config_problem *report(checking *c, lc_rule rule, lc_loc loc, const char *detail)
{
    lc_config_problem *p =
        lc_provider_problem(c->m, rule, LC_STAGE_GRAPH, (lc_source_pos){0}, "", detail);
    p->address = c->resource->address;
    p->loc = loc;
    return p;
}

/* Adds what OpenTofu reports when it reads the state. `error`: it rejects the state. */
static void quote_opentofu(checking *c, lc_config_problem *p, lc_str summary, lc_str said,
                           bool error)
{
    p->summary = summary;
    p->said = said;
    p->warning = p->warning || !error;
    c->m->state_refused |= error;
    *LC_PUSH(c->m->arena, &c->m->refused, size_t) = c->m->config->problems.count - 1;
}

static bool in_opentofu(const checking *c)
{
    return c->m->config->profile != LC_PROFILE_TERRAFORM;
}

/* ---- Addresses. */

static void check_readable(checking *c, const stored *s)
{
    if (!s->given || s->ok)
        return;
    lc_config_problem *p = report(c, LC_RULE_PROVIDER_STATE_ADDRESS, s->loc,
                                  "the provider address cannot be read; Terraform before 1.16 and "
                                  "OpenTofu before 1.9 drop the object silently");
    if (in_opentofu(c))
        quote_opentofu(c, p, s->why.summary, s->why.detail, true);
}

static void check_own(checking *c)
{
    check_readable(c, &c->own);
    if (!c->own.ok || !c->own.address.keyed)
        return;
    lc_config_problem *p = report(c, LC_RULE_PROVIDER_STATE_RESOURCE_KEY, c->own.loc,
                                  "the resource's own provider address has a key");
    if (in_opentofu(c))
        quote_opentofu(c, p, LC_STR(LC_SUMMARY_STATE_PROVIDER_ADDRESS),
                       LC_STR("A provider address must not include an instance key."), true);
}

/* True if the module path (without keys) contains the resource. */
static bool is_within(lc_str module, const lc_address *resource)
{
    lc_buf buf = {0};
    bool within = module.len == 0;
    for (size_t i = 0; i < resource->module_count && !within; i++) {
        lc_buf_printf(&buf, "%smodule.%.*s", i ? "." : "", LC_FMT(resource->modules[i].name));
        within = lc_str_eq(lc_buf_str(&buf), module);
    }
    lc_buf_release(&buf);
    return within;
}

/* A resource can only use provider configurations of its own module and the modules around. */
static void check_module(checking *c, const stored *s)
{
    if (s->ok && !is_within(s->address.module, &c->resource->parsed))
        report(c, LC_RULE_PROVIDER_STATE_MODULE, s->loc,
               "the provider configuration is in another module")
            ->warning = true;
}

/* ---- Objects. */

/* The address without its key. For one that OpenTofu could not parse, this is what its formatting
 * of a zero value prints. */
static lc_str config_text(const checking *c, const stored *s)
{
    lc_provider_address without = s->address;
    if (!s->ok)
        return LC_STR("provider[%!q(PANIC=String method: called String on zero-value "
                      "addrs.Provider)]");
    without.keyed = false;
    return lc_provider_address_text(c->m->arena, &without);
}

static lc_str quoted(const checking *c, lc_str text)
{
    lc_buf buf = {0};
    lc_buf_add_go_quoted(&buf, text);
    return lc_buf_take(c->m->arena, &buf);
}

/* OpenTofu requires that the addresses of all objects of a resource differ in the key only. */
static void check_differs(checking *c, const stored *s)
{
    if (!c->first) {
        stored *first = LC_NEW(c->m->arena, stored);
        *first = *s;
        c->first = first;
        return;
    }
    lc_str a = config_text(c, c->first), b = config_text(c, s);
    if (lc_str_eq(a, b))
        return;
    bool types = s->ok && c->first->ok && !lc_str_eq(s->address.fqn, c->first->address.fqn);
    if (types)
        report(c, LC_RULE_PROVIDER_MIXED_TYPE, s->loc,
               "objects of one resource are stored with different providers");
    c->differs = true;
    if (c->m->config->profile != LC_PROFILE_OPENTOFU)
        return;
    lc_config_problem *p = report(c, LC_RULE_PROVIDER_STATE_DIFFER, s->loc,
                                  "objects of one resource differ in more than the provider's key");
    lc_str said = lc_str_printf(
        c->m->arena, "Resource %.*s has instances with different provider addresses: %.*s != %.*s.",
        LC_FMT(c->resource->address), LC_FMT(quoted(c, a)), LC_FMT(quoted(c, b)));
    quote_opentofu(c, p, LC_STR(LC_SUMMARY_STATE_INSTANCE_CONFLICT), said, true);
}

static lc_str key_text(const checking *c, const lc_state_object *o)
{
    lc_buf buf = {0};
    lc_key_add(&buf, o->parsed.key);
    return lc_buf_take(c->m->arena, &buf);
}

/* OpenTofu writes no address on a resource whose objects have their own. */
static void check_both(checking *c, const lc_state_object *o)
{
    if (c->m->config->profile != LC_PROFILE_OPENTOFU || !c->own.given)
        return;
    lc_str said = lc_str_printf(
        c->m->arena,
        "Resource %.*s has a provider address %.*s, as well as instance %.*s with provider "
        "address %.*s.",
        LC_FMT(c->resource->address), LC_FMT(c->resource->provider), LC_FMT(key_text(c, o)),
        LC_FMT(o->provider));
    lc_config_problem *p = report(c, LC_RULE_PROVIDER_STATE_BOTH, o->provider_loc,
                                  "the resource has an address as well as its object");
    p->echo = c->with_own > 1;
    quote_opentofu(c, p, LC_STR(LC_SUMMARY_STATE_PROVIDER_CONFLICT), said, false);
}

static void check_object(checking *c, const lc_state_object *o)
{
    stored s = read_stored(c, o->has_provider, o->provider, o->provider_loc);
    check_readable(c, &s);
    check_module(c, &s);
    if (!s.given) {
        bool other_own = c->own.given;
        c->is_missing |= !other_own;
        return;
    }
    c->with_own++;
    c->keyed |= s.ok && s.address.keyed;
    check_both(c, o);
    check_differs(c, &s);
}

/* ---- The resource as a whole. */

/* OpenTofu rejects a resource without any address; the document also requires that either all
 * objects have one or none. */
static void check_missing(checking *c)
{
    bool partial = c->with_own > 0 && c->with_own < c->resource->count;
    bool document = c->m->config->profile == LC_PROFILE_DOCUMENT;
    if (!c->is_missing && !(partial && document))
        return;
    lc_config_problem *p =
        report(c, partial ? LC_RULE_PROVIDER_STATE_PARTIAL : LC_RULE_PROVIDER_STATE_MISSING,
               c->resource->loc,
               partial ? "some objects have a provider address of their own, others have none"
                       : "neither the resource nor its objects have a provider address");
    if (c->is_missing && in_opentofu(c))
        quote_opentofu(
            c, p, LC_STR(LC_SUMMARY_STATE_PROVIDER_MISSING),
            lc_str_printf(c->m->arena,
                          "Resource %.*s is missing a provider address, both on the resource and "
                          "the resource instances.",
                          LC_FMT(c->resource->address)),
            true);
}

/* Addresses on objects are only written if one on the resource does not suffice. */
static void check_form(checking *c)
{
    if (c->with_own == 0)
        return;
    lc_profile profile = c->m->config->profile;
    bool alias = c->own.ok && c->own.address.alias.len > 0;
    if (profile == LC_PROFILE_DOCUMENT && alias)
        report(c, LC_RULE_PROVIDER_STATE_BOTH, c->own.loc,
               "the resource's address has an alias although its objects have addresses");
    bool needless = profile == LC_PROFILE_DOCUMENT
                        ? !c->differs && c->with_own > 1
                        : profile == LC_PROFILE_OPENTOFU && !c->keyed && !c->differs;
    if (needless)
        report(c, LC_RULE_PROVIDER_STATE_REDUNDANT, c->resource->loc,
               "one address on the resource would be enough for all objects")
            ->warning = true;
    if (!c->differs || profile != LC_PROFILE_OPENTOFU)
        return;
    const lc_config_resource *block = lc_config_resource_at(c->m->config, &c->resource->parsed);
    if (block)
        report(c, LC_RULE_PROVIDER_MIXED_CONFIG, c->resource->loc,
               "objects of a declared resource are stored with different provider blocks");
}

static void check_resource(checking *c)
{
    const lc_state_resource *r = c->resource;
    c->own = read_stored(c, r->has_provider, r->provider, r->provider_loc);
    check_own(c);
    check_module(c, &c->own);
    for (size_t i = 0; i < r->count; i++)
        check_object(c, &c->state->objects.items[r->first + i]);
    if (r->count == 0 && !c->own.given)
        c->is_missing = true;
    check_missing(c);
    check_form(c);
}

void lc_provider_check_state(lc_provider_model *model, const lc_state_file *state)
{
    for (size_t i = 0; i < state->resources.count; i++) {
        checking c = {.m = model, .state = state, .resource = &state->resources.items[i]};
        check_resource(&c);
    }
}

/* All problems in one text, as OpenTofu prints multiple errors. */
lc_str lc_provider_state_error(const lc_provider_model *model)
{
    lc_buf buf = {0};
    size_t count = model->refused.count;
    if (!model->state_refused)
        return LC_STR_EMPTY;
    lc_buf_add_c(&buf, LC_SUMMARY_LOADING_STATE_OPENTOFU);
    if (count > 1)
        lc_buf_printf(&buf, "%zu problems:\n\n", count);
    for (size_t i = 0; i < count; i++) {
        const lc_config_problem *p = &model->config->problems.items[model->refused.items[i]];
        lc_buf_printf(&buf, "%s%s%.*s: %.*s", i ? "\n" : "", count > 1 ? "- " : "",
                      LC_FMT(p->summary), LC_FMT(p->said));
    }
    return lc_buf_take(model->arena, &buf);
}

/* ---- Older clients. */

/* CLIENT@MAJOR.MINOR; Terraform may be without a version, because no version knows instances. */
bool lc_provider_reader_parse(lc_provider_reader *out, lc_str text)
{
    *out = (lc_provider_reader){.given = true};
    lc_str terraform = LC_STR("terraform"), tofu = LC_STR("opentofu");
    out->terraform = lc_str_starts_with(text, terraform);
    if (!out->terraform && !lc_str_starts_with(text, tofu))
        return false;
    lc_str rest = lc_str_sub(text, out->terraform ? terraform.len : tofu.len, text.len);
    unsigned *numbers[2] = {&out->major, &out->minor};
    size_t at = 1;
    if (rest.len == 0 && out->terraform)
        return true;
    if (rest.len < 2 || rest.ptr[0] != '@')
        return false;
    /* Four digits at most, so numbers cannot overflow. */
    for (int n = 0; n < 2; n++, at++) {
        size_t from = at;
        for (; at < rest.len && lc_is_digit(rest.ptr[at]) && at < from + 4; at++)
            *numbers[n] = *numbers[n] * 10 + (unsigned)(rest.ptr[at] - '0');
        if (at == from || (n == 0 && (at >= rest.len || rest.ptr[at] != '.')))
            return false;
    }
    return at == rest.len + 1;
}

bool lc_provider_reader_knows_instances(const lc_provider_reader *reader)
{
    if (!reader->given)
        return true;
    return !reader->terraform && (reader->major > 1 || (reader->major == 1 && reader->minor >= 9));
}

void lc_provider_check_reader(lc_provider_model *model, const lc_state_file *state,
                              const lc_provider_reader *reader)
{
    if (lc_provider_reader_knows_instances(reader))
        return;
    for (size_t i = 0; i < state->resources.count; i++) {
        const lc_state_resource *r = &state->resources.items[i];
        bool own = false;
        for (size_t k = 0; k < r->count; k++)
            own |= state->objects.items[r->first + k].has_provider;
        if (!own && r->has_provider)
            continue;
        checking c = {.m = model, .state = state, .resource = r};
        report(&c, LC_RULE_PROVIDER_DOWNGRADE, r->loc,
               r->has_provider ? "the client does not see the objects' own provider addresses"
                               : "the client does not see the resource, and would create it again");
    }
}

/* ---- What the clients write. */

/* OpenTofu writes addresses on the objects if one has a key, otherwise one on the resource. The
 * document does so if they differ, and keeps the provider on the resource. */
static void write_record(lc_provider_record *record, lc_arena *arena, lc_profile profile,
                         const lc_provider_use *uses)
{
    bool keyed = false, alike = true;
    for (size_t i = 0; i < record->count; i++) {
        lc_provider_address a;
        lc_provider_use_address(&a, &uses[i]);
        record->objects[i].address = uses[i].text;
        record->objects[i].own = lc_provider_address_text(arena, &a);
        keyed |= a.keyed;
        alike = alike && lc_str_eq(record->objects[i].own, record->objects[0].own);
        record->own = lc_provider_address_text(
            arena, &(lc_provider_address){.module = a.module, .fqn = a.fqn});
    }
    bool each = profile == LC_PROFILE_DOCUMENT ? !alike : keyed;
    record->has_own = !each || profile == LC_PROFILE_DOCUMENT;
    if (each)
        return;
    record->own = record->objects[0].own;
    for (size_t i = 0; i < record->count; i++)
        record->objects[i].own = LC_STR_EMPTY;
}

static lc_str resource_text(lc_arena *arena, const lc_provider_use *use)
{
    lc_address resource = lc_address_resource(&use->address);
    return lc_address_text(arena, &resource);
}

/* Ephemeral resources are not stored. */
static bool is_kept(const lc_provider_use *use)
{
    return use->resource->mode != LC_MODE_EPHEMERAL;
}

/* A resource with an undecided instance is not predicted. */
static void add_record(lc_provider_records *out, const lc_provider_model *m, size_t from, size_t to)
{
    const lc_provider_use *uses = &m->uses.items[from];
    lc_str resource = resource_text(m->arena, uses);
    if (!is_kept(uses))
        return;
    for (size_t i = from; i < to; i++)
        if (m->uses.items[i].state != LC_USE_RESOLVED) {
            *LC_PUSH(m->arena, &out->doubts, lc_str) = resource;
            return;
        }
    lc_provider_record *record = LC_PUSH(m->arena, &out->list, lc_provider_record);
    *record = (lc_provider_record){.resource = resource, .count = to - from, .first = from};
    record->objects = LC_NEW_ARRAY(m->arena, lc_provider_object, record->count);
    write_record(record, m->arena, m->config->profile, uses);
    lc_table_put_index(&out->at, resource, out->list.count - 1);
}

void lc_provider_records_make(lc_provider_records *out, const lc_provider_model *model)
{
    *out = (lc_provider_records){0};
    lc_table_init(&out->at, model->arena);
    /* Uses of one resource in one module instance are consecutive. */
    for (size_t from = 0, to; from < model->uses.count; from = to) {
        const lc_provider_use *first = &model->uses.items[from];
        for (to = from + 1; to < model->uses.count; to++) {
            const lc_provider_use *use = &model->uses.items[to];
            if (use->resource != first->resource || use->address.modules != first->address.modules)
                break;
        }
        add_record(out, model, from, to);
    }
}

/* ---- A state that was written. */

/* Compares one stored address with the expected one (empty: none). */
static void report_expected(checking *c, lc_str address, lc_loc loc, bool has, lc_str is,
                            lc_str want)
{
    bool same = want.len > 0 ? has && lc_str_eq(is, want) : !has;
    if (same)
        return;
    lc_config_problem *p = report(c, LC_RULE_PROVIDER_STATE_EXPECTED, loc, "");
    p->address = address;
    p->detail = lc_str_printf(c->m->arena, "the state says %.*s, and should say %.*s",
                              LC_FMT(has ? is : LC_STR("nothing")),
                              LC_FMT(want.len > 0 ? want : LC_STR("nothing")));
}

static void check_written(checking *c, const lc_provider_record *record)
{
    const lc_state_resource *r = c->resource;
    report_expected(c, r->address, r->provider_loc.line ? r->provider_loc : r->loc, r->has_provider,
                    r->provider, record->has_own ? record->own : LC_STR_EMPTY);
    for (size_t i = 0; i < r->count; i++) {
        const lc_state_object *o = &c->state->objects.items[r->first + i];
        const lc_provider_use *use = lc_provider_use_at(c->m, o->address);
        size_t k = use ? (size_t)(use - c->m->uses.items) - record->first : record->count;
        if (k < record->count)
            report_expected(c, o->address, o->provider_loc.line ? o->provider_loc : o->loc,
                            o->has_provider, o->provider, record->objects[k].own);
    }
}

void lc_provider_check_next(lc_provider_model *model, const lc_state_file *next)
{
    lc_provider_records records;
    lc_provider_records_make(&records, model);
    for (size_t i = 0; i < next->resources.count; i++) {
        checking c = {.m = model, .state = next, .resource = &next->resources.items[i]};
        size_t index = lc_table_get_index(&records.at, c.resource->address);
        if (index != LC_NO_INDEX)
            check_written(&c, &records.list.items[index]);
    }
}
