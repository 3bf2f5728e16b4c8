/* Reads and writes TF_REATTACH_PROVIDERS. Clients read it by Go's decoder of JSON: null changes
 * nothing, unknown members are ignored. */
#include "live/reattach.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/live/live.h"
#include "lifecheck/yaml_json/node.h"
#include "live/handshake.h"

typedef struct reader {
    lc_arena *arena;
    lc_str provider;
    lc_str protocol, network, address;
    uint64_t version, pid;
    lc_str *why;
} reader;

static bool is_member(const lc_member *member, const char *name)
{
    lc_str key = member->key;
    size_t i = 0;
    while (i < key.len && name[i] && lc_to_lower(key.ptr[i]) == lc_to_lower(name[i]))
        i++;
    return i == key.len && !name[i];
}

static bool refuse(const reader *r, const char *what, lc_str quoted)
{
    lc_str provider = lc_quote_foreign(r->arena, r->provider);
    *r->why = lc_str_printf(r->arena, "%.*s: %s%s%.*s", LC_FMT(provider), what,
                            quoted.len ? " " : "", LC_FMT(quoted));
    return false;
}

static bool is_not(const reader *r, const char *member, const char *kind)
{
    return refuse(r, lc_str_to_c(r->arena, lc_str_printf(r->arena, "%s is not %s", member, kind)),
                  LC_STR_EMPTY);
}

static bool read_text(const reader *r, lc_str *out, const lc_member *member, const char *name)
{
    if (lc_node_is_null(&member->value))
        return true;
    if (!lc_node_is(&member->value, LC_NODE_STRING))
        return is_not(r, name, "a string");
    *out = lc_node_as_text(&member->value);
    return true;
}

/* A whole number of an int64_t that is not negative. */
static bool read_number(const reader *r, uint64_t *out, const lc_member *member, const char *name)
{
    if (lc_node_is_null(&member->value))
        return true;
    lc_str digits = member->value.as.text;
    uint64_t n = 0;
    bool ok = lc_node_is(&member->value, LC_NODE_NUMBER);
    for (size_t i = 0; ok && i < digits.len; i++) {
        unsigned digit = (unsigned)(unsigned char)digits.ptr[i] - '0';
        ok = digit <= 9 && n <= ((uint64_t)INT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (!ok)
        return is_not(r, name, "a whole number");
    *out = n;
    return true;
}

static bool read_addr(reader *r, const lc_node *node)
{
    if (!lc_node_is(node, LC_NODE_MAPPING) && !lc_node_is_null(node))
        return is_not(r, "Addr", "an object");
    for (uint32_t i = 0; i < lc_node_member_count(node); i++) {
        const lc_member *member = &node->as.members[i];
        if (is_member(member, "Network") && !read_text(r, &r->network, member, "Network"))
            return false;
        if (is_member(member, "String") && !read_text(r, &r->address, member, "String"))
            return false;
    }
    return true;
}

static bool read_member(reader *r, const lc_member *member)
{
    if (is_member(member, "Protocol"))
        return read_text(r, &r->protocol, member, "Protocol");
    if (is_member(member, "ProtocolVersion"))
        return read_number(r, &r->version, member, "ProtocolVersion");
    if (is_member(member, "Pid"))
        return read_number(r, &r->pid, member, "Pid");
    if (is_member(member, "Test") && !lc_node_is(&member->value, LC_NODE_BOOL) &&
        !lc_node_is_null(&member->value))
        return is_not(r, "Test", "true or false");
    return is_member(member, "Addr") ? read_addr(r, &member->value) : true;
}

/* All members are read; is it a provider that can be dialled? */
static bool check(const reader *r)
{
    bool tcp = lc_str_is(r->network, "tcp");
    if (!lc_str_is(r->protocol, "grpc"))
        return refuse(r, "Protocol is not grpc, but", lc_quote_foreign(r->arena, r->protocol));
    if (r->version != 0 && r->version != 5 && r->version != 6)
        return refuse(r, "ProtocolVersion is neither 5 nor 6", LC_STR_EMPTY);
    if (!tcp && !lc_str_is(r->network, "unix"))
        return refuse(r, "Network is neither unix nor tcp, but",
                      lc_quote_foreign(r->arena, r->network));
    if (r->address.len == 0 || lc_str_find(r->address, 0, '\0') < r->address.len ||
        (tcp && !lc_is_tcp_address(r->address)))
        return refuse(r, "String is not an address:", lc_quote_foreign(r->arena, r->address));
    if (tcp && !lc_is_own_address(r->address))
        return refuse(
            r, "String is an address of another machine:", lc_quote_foreign(r->arena, r->address));
    return true;
}

static bool read_provider(lc_reattaches *out, lc_arena *arena, const lc_member *member, lc_str *why)
{
    reader r = {.arena = arena, .provider = member->key, .why = why};
    if (!lc_node_is(&member->value, LC_NODE_MAPPING) && !lc_node_is_null(&member->value))
        return refuse(&r, "an object is expected here", LC_STR_EMPTY);
    for (uint32_t i = 0; i < lc_node_member_count(&member->value); i++) {
        if (!read_member(&r, &member->value.as.members[i]))
            return false;
    }
    if (!check(&r))
        return false;
    *LC_PUSH(arena, &out->list, lc_reattach) =
        (lc_reattach){.provider = r.provider,
                      .protocol = r.version ? (int)r.version : 5,
                      .pid = r.pid,
                      .tcp = lc_str_is(r.network, "tcp"),
                      .address = r.address};
    return true;
}

static bool is_blank(lc_str text)
{
    size_t i = 0;
    while (i < text.len && lc_is_space(text.ptr[i]))
        i++;
    return i == text.len;
}

static bool parse(lc_source *out, lc_arena *arena, lc_str json, lc_str *why)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    if (lc_json_parse_last(out, arena, LC_STR("TF_REATTACH_PROVIDERS"), json, &limits, &diags) ==
        LC_OK)
        return true;
    for (size_t i = 0; i < diags.count; i++) {
        if (diags.items[i].severity == LC_DIAG_ERROR)
            *why = lc_str_printf(arena, "no JSON: %.*s (line %u, column %u)",
                                 LC_FMT(diags.items[i].message), (unsigned)diags.items[i].loc.line,
                                 (unsigned)diags.items[i].loc.column);
    }
    return false;
}

bool lc_reattach_read(lc_reattaches *out, lc_arena *arena, lc_str json, lc_str *why)
{
    lc_source source;
    *out = (lc_reattaches){{0}};
    *why = LC_STR("no JSON");
    if (is_blank(json))
        return true;
    if (!parse(&source, arena, json, why))
        return false;
    const lc_node *root = &source.documents[0];
    if (!lc_node_is(root, LC_NODE_MAPPING) && !lc_node_is_null(root)) {
        *why = LC_STR("no object from addresses of providers to where they listen");
        return false;
    }
    for (uint32_t i = 0; i < lc_node_member_count(root); i++) {
        if (!read_provider(out, arena, &root->as.members[i], why))
            return false;
    }
    return true;
}

void lc_reattach_write(lc_buf *out, const lc_reattaches *list)
{
    lc_json w = {.out = out};
    lc_json_object(&w, NULL);
    for (size_t i = 0; i < list->list.count; i++) {
        const lc_reattach *provider = &list->list.items[i];
        lc_json_key(&w, provider->provider);
        lc_json_object(&w, NULL);
        lc_json_c(&w, "Protocol", "grpc");
        lc_json_int(&w, "ProtocolVersion", provider->protocol);
        lc_json_uint(&w, "Pid", provider->pid);
        lc_json_bool(&w, "Test", true);
        lc_json_object(&w, "Addr");
        lc_json_c(&w, "Network", provider->tcp ? "tcp" : "unix");
        lc_json_str(&w, "String", provider->address);
        lc_json_end_object(&w);
        lc_json_end_object(&w);
    }
    lc_json_end_object(&w);
}
