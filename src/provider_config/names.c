/* Names of providers: local names, references to configurations, and addresses in states. */
#include "lifecheck/catalog/core_message.h"
#include "provider_config/internal.h"

#include <string.h>

/* ---- Local names and sources. */

static size_t count_parts(lc_str source)
{
    size_t parts = 1;
    for (size_t i = 0; i < source.len; i++)
        parts += source.ptr[i] == '/';
    return parts;
}

static const char *registry(lc_profile profile)
{
    return profile == LC_PROFILE_TERRAFORM ? "registry.terraform.io" : "registry.opentofu.org";
}

/* Source addresses are not case-sensitive. */
static lc_str lower(lc_arena *arena, lc_str source)
{
    char *text = LC_NEW_ARRAY(arena, char, source.len + 1);
    for (size_t i = 0; i < source.len; i++) {
        char c = source.ptr[i];
        text[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return (lc_str){text, source.len};
}

/* A source with less than three parts gets the profile's registry and the namespace hashicorp. */
static lc_str full_source(lc_arena *arena, lc_profile profile, lc_str given)
{
    lc_str source = lower(arena, given);
    size_t parts = count_parts(source);
    if (parts >= 3)
        return source;
    return lc_str_printf(arena, "%s/%s%.*s", registry(profile), parts == 1 ? "hashicorp/" : "",
                         LC_FMT(source));
}

lc_str lc_provider_of(lc_arena *arena, lc_profile profile, const lc_module *module,
                      lc_str local_name)
{
    const lc_config_required *req = lc_config_required_at(module, local_name);
    if (req && req->source.len > 0)
        return full_source(arena, profile, req->source);
    if (lc_str_is(local_name, "terraform"))
        return LC_STR("terraform.io/builtin/terraform");
    return full_source(arena, profile, local_name);
}

lc_str lc_provider_other_name(const lc_provider_model *m, lc_str fqn)
{
    lc_profile profile = m->config->profile;
    lc_profile other = profile == LC_PROFILE_TERRAFORM ? LC_PROFILE_OPENTOFU : LC_PROFILE_TERRAFORM;
    lc_str own = lc_str_from_c(registry(profile));
    if (!lc_str_starts_with(fqn, own))
        return fqn;
    return lc_str_printf(m->arena, "%s%.*s", registry(other),
                         LC_FMT(lc_str_sub(fqn, own.len, fqn.len)));
}

lc_str lc_provider_name_of_type(lc_str type)
{
    const char *end = type.len > 0 ? memchr(type.ptr, '_', type.len) : NULL;
    return end ? lc_str_sub(type, 0, (size_t)(end - type.ptr)) : type;
}

/* ---- References. */

static bool is_attr(const lc_reference *ref, size_t at)
{
    return at < ref->path_count && ref->path[at].kind == LC_REF_ATTR;
}

static bool is_index(const lc_reference *ref, size_t at)
{
    return at < ref->path_count && ref->path[at].kind == LC_REF_INDEX;
}

static bool has_parenthesis_first(lc_str text)
{
    size_t i = 0;
    while (i < text.len && (text.ptr[i] == ' ' || text.ptr[i] == '\t' || text.ptr[i] == '\n'))
        i++;
    return i < text.len && text.ptr[i] == '(';
}

/* A reference is a traversal, so the expression parser has done most of the work; here its steps
 * are checked against the profile. */
lc_provider_ref lc_provider_ref_parse(const lc_config_ref *written, lc_profile profile)
{
    const lc_reference *ref = written->reference;
    lc_provider_ref out = {0};
    if (!ref)
        return out;
    out.name = ref->head;
    size_t at = 0;
    if (is_attr(ref, 0))
        out.alias = ref->path[at++].name;
    if (is_index(ref, at))
        out.key = ref->path[at++].index;
    out.key_is_dynamic = out.key && at < ref->path_count;
    /* OpenTofu requires an alias before a key; the document allows a key only directly after the
     * name. */
    bool key_fits = !out.key || (profile == LC_PROFILE_OPENTOFU   ? out.alias.len > 0
                                 : profile == LC_PROFILE_DOCUMENT ? out.alias.len == 0
                                                                  : false);
    bool alias_fits = out.alias.len == 0 || lc_is_identifier(out.alias);
    /* In parentheses it would be an expression. */
    out.ok =
        !has_parenthesis_first(written->text) && at == ref->path_count && key_fits && alias_fits;
    return out;
}

/* ---- Addresses. The errors are those of addrs.ParseAbsProviderConfig of OpenTofu. */

/* The state of parsing an address. */
typedef struct reader {
    lc_str text;
    size_t at;
    lc_arena *arena;
    lc_profile profile;
    const char *why;
} reader;

/* The first error is kept. Always false. */
static bool refuse(reader *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return false;
}

static bool take(reader *r, const char *what)
{
    lc_str want = lc_str_from_c(what);
    if (!lc_str_starts_with(lc_str_sub(r->text, r->at, r->text.len), want))
        return false;
    r->at += want.len;
    return true;
}

static lc_str take_name(reader *r)
{
    size_t from = r->at;
    while (r->at < r->text.len && r->text.ptr[r->at] != '.' && r->text.ptr[r->at] != '[')
        r->at++;
    return lc_str_sub(r->text, from, r->at);
}

/* The contents of brackets, parsed as an expression: a string or number. */
static bool take_index(reader *r, lc_str *out)
{
    size_t from = r->at + 1, to = from;
    bool quoted = false;
    for (; to < r->text.len && (quoted || r->text.ptr[to] != ']'); to++) {
        if (r->text.ptr[to] == '\\' && quoted)
            to++;
        else if (r->text.ptr[to] == '"')
            quoted = !quoted;
    }
    if (to >= r->text.len)
        return false;
    const lc_expr *e;
    lc_eval_error trouble;
    const lc_value *v = NULL, *text;
    lc_str why;
    if (lc_expr_parse(&e, r->arena, lc_str_sub(r->text, from, to), (lc_source_pos){0}, &trouble))
        v = lc_expr_constant(e);
    if (!v || !lc_is_known(v) || v->type->kind == LC_TYPE_BOOL ||
        !lc_value_convert(&text, r->arena, v, &lc_type_string, &why))
        return false;
    *out = text->as.string;
    r->at = to + 1;
    return true;
}

/* The module path. Instance keys are not allowed in it. */
static bool read_modules(reader *r, lc_provider_address *out)
{
    size_t from = r->at;
    size_t end = from;
    while (take(r, "module.")) {
        if (take_name(r).len == 0)
            return refuse(r, LC_SUMMARY_INVALID_ADDRESS);
        if (r->at < r->text.len && r->text.ptr[r->at] == '[')
            return refuse(r, "A provider configuration must not appear in a module instance that "
                             "uses count or for_each.");
        end = r->at;
        if (!take(r, "."))
            return refuse(r, "Provider address must begin with \"provider.\", followed by a "
                             "provider type name.");
    }
    out->module = lc_str_sub(r->text, from, end);
    return true;
}

/* The form of Terraform before 0.13; its namespace is "-". */
static bool read_legacy(reader *r, lc_provider_address *out)
{
    lc_str name = take_name(r);
    bool builtin = lc_str_is(name, "terraform");
    out->legacy = true;
    out->fqn = builtin ? LC_STR("terraform.io/builtin/terraform")
                       : lc_str_printf(r->arena, "registry.terraform.io/-/%.*s", LC_FMT(name));
    return name.len > 0 ||
           refuse(r, "Provider address must begin with \"provider.\", followed by a provider type "
                     "name.");
}

/* The quoted source after `provider`. */
static bool read_source(reader *r, lc_provider_address *out)
{
    if (take(r, "provider."))
        return read_legacy(r, out);
    bool bracket = take(r, "provider") && r->at < r->text.len && r->text.ptr[r->at] == '[';
    if (!bracket)
        return refuse(r, "Provider address must begin with \"provider.\", followed by a provider "
                         "type name.");
    lc_str source;
    bool text = r->at + 1 < r->text.len && r->text.ptr[r->at + 1] == '"';
    if (!text || !take_index(r, &source) || source.len == 0 || count_parts(source) > 3)
        return refuse(r, "The prefix \"provider.\" must be followed by a provider type name.");
    out->fqn = full_source(r->arena, r->profile, source);
    return true;
}

/* Alias and instance key, up to the end of the text. */
static bool read_alias(reader *r, lc_provider_address *out)
{
    if (take(r, ".")) {
        out->alias = take_name(r);
        if (!lc_is_identifier(out->alias))
            return refuse(r, "Provider type name must be followed by a configuration alias name.");
    }
    if (r->at < r->text.len && r->text.ptr[r->at] == '[') {
        if (out->alias.len == 0 && r->profile != LC_PROFILE_DOCUMENT)
            return refuse(r, "Provider type name must be followed by a configuration alias name.");
        if (!take_index(r, &out->key))
            return refuse(r, "A provider instance key must be a string or a number.");
        out->keyed = true;
    }
    if (r->at < r->text.len)
        return refuse(r, "A provider configuration alias can be followed only by an instance key "
                         "in brackets.");
    return true;
}

static lc_str trimmed(lc_str text)
{
    while (text.len > 0 && text.ptr[text.len - 1] == ' ')
        text.len--;
    while (text.len > 0 && text.ptr[0] == ' ')
        text = lc_str_sub(text, 1, text.len);
    return text;
}

bool lc_provider_address_parse(lc_provider_address *out, lc_arena *arena, lc_profile profile,
                               lc_str text, lc_eval_error *why)
{
    reader r = {.text = trimmed(text), .arena = arena, .profile = profile};
    *out = (lc_provider_address){0};
    if (read_modules(&r, out) && read_source(&r, out) && read_alias(&r, out))
        return true;
    /* OpenTofu parses a reference first. */
    const lc_expr *e;
    if (lc_traversal_parse(&e, arena, r.text, (lc_source_pos){0}, why))
        *why = (lc_eval_error){.summary = LC_STR(LC_SUMMARY_STATE_PROVIDER_ADDRESS),
                               .detail = lc_str_from_c(r.why)};
    return false;
}

static void add_address(lc_buf *buf, const lc_provider_address *a)
{
    lc_buf_add_str(buf, a->module);
    lc_buf_add_c(buf, a->module.len > 0 ? "." : "");
    lc_buf_printf(buf, "provider[\"%.*s\"]", LC_FMT(a->fqn));
    if (a->alias.len > 0) {
        lc_buf_add_char(buf, '.');
        lc_buf_add_str(buf, a->alias);
    }
    if (a->keyed)
        lc_key_add(buf, lc_key_string(a->key));
}

lc_str lc_provider_address_text(lc_arena *arena, const lc_provider_address *address)
{
    lc_buf buf = {0};
    add_address(&buf, address);
    return lc_buf_take(arena, &buf);
}

bool lc_provider_address_same_config(const lc_provider_address *a, const lc_provider_address *b)
{
    return lc_str_eq(a->module, b->module) && lc_str_eq(a->fqn, b->fqn) &&
           lc_str_eq(a->alias, b->alias);
}
