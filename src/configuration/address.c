/* Addresses: parsing, canonical text, order, containment. */
#include "lifecheck/configuration/address.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"
#include "lifecheck/value/value.h"

#include <string.h>

/* ---- Reading. A traversal is read step by step: `.name`, `.0`, `[0]`, `["k"]`. */

typedef struct reader {
    lc_arena *arena;
    lc_str text;
    size_t at;
    lc_str why;
} reader;

LC_ENUM_NAMES(lc_resource_mode, LC_RESOURCE_MODES);

/* Records what is wrong and where. Always false. */
static bool fail(reader *r, size_t at, const char *why)
{
    r->at = at;
    r->why = lc_str_from_c(why);
    return false;
}

static bool at_char(const reader *r, char c)
{
    return r->at < r->text.len && r->text.ptr[r->at] == c;
}

static void skip_space(reader *r)
{
    while (at_char(r, ' ') || at_char(r, '\t'))
        r->at++;
}

static bool read_name(lc_str *out, reader *r)
{
    size_t start = r->at;
    while (r->at < r->text.len && !strchr(".[] \t\"", r->text.ptr[r->at]))
        r->at++;
    *out = lc_str_sub(r->text, start, r->at);
    if (!lc_is_identifier(*out))
        return fail(r, start, "a name is expected here");
    return true;
}

/* Digits as an index; the value must fit into 64 bits. */
static bool read_number(lc_key *out, reader *r)
{
    size_t start = r->at;
    int64_t number = 0;
    for (; r->at < r->text.len && lc_is_digit(r->text.ptr[r->at]); r->at++) {
        int digit = r->text.ptr[r->at] - '0';
        if (number > (INT64_MAX - digit) / 10)
            return fail(r, start, "an index of this size is not possible");
        number = number * 10 + digit;
    }
    if (r->at == start)
        return fail(r, start, "a key is a whole number or a string in quotes");
    *out = lc_key_int(number);
    return true;
}

/* A code point as a fixed number of hexadecimal digits. */
static bool read_rune(uint32_t *out, reader *r, size_t digits)
{
    uint32_t rune = 0;
    size_t start = r->at;
    for (size_t i = 0; i < digits; i++, r->at++) {
        int digit = r->at < r->text.len ? lc_hex_digit(r->text.ptr[r->at]) : -1;
        if (digit < 0)
            return fail(r, start, "hexadecimal digits are expected here");
        rune = rune * 16 + (uint32_t)digit;
    }
    *out = rune;
    return rune <= 0x10FFFF || fail(r, start, "there is no such character");
}

/* The rest of an escape after the backslash; the escapes are those of HCL strings. */
static bool read_escape(lc_buf *out, reader *r)
{
    static const char letters[] = "nrt\"\\", meanings[] = "\n\r\t\"\\";
    char c = r->at < r->text.len ? r->text.ptr[r->at] : 0;
    const char *found = c ? strchr(letters, c) : NULL;
    if (found) {
        r->at++;
        lc_buf_add_char(out, meanings[found - letters]);
        return true;
    }
    if (c != 'u' && c != 'U')
        return fail(r, r->at, "no such escape");
    r->at++;
    uint32_t rune;
    if (!read_rune(&rune, r, c == 'u' ? 4 : 8))
        return false;
    char bytes[4];
    lc_buf_add(out, bytes, lc_utf8_put(bytes, rune));
    return true;
}

/* HCL strings escape the beginning of a template by doubling its sign: `$${` is the text `${`. A
 * real `${` would be a template, which an address cannot contain. */
static bool read_sign(lc_buf *out, reader *r)
{
    char sign = r->text.ptr[r->at];
    lc_str rest = lc_str_sub(r->text, r->at + 1, r->text.len);
    if (rest.len && rest.ptr[0] == '{')
        return fail(r, r->at, "an address has no templates");
    bool doubled = rest.len > 1 && rest.ptr[0] == sign && rest.ptr[1] == '{';
    lc_buf_add_char(out, sign);
    if (doubled)
        lc_buf_add_char(out, '{');
    r->at += doubled ? 3 : 1;
    return true;
}

static bool read_quoted_into(lc_buf *out, reader *r)
{
    size_t start = r->at++;
    while (!at_char(r, '"')) {
        if (r->at >= r->text.len)
            return fail(r, start, "the string is not closed");
        char c = r->text.ptr[r->at];
        bool good = true;
        if (c == '\\') {
            r->at++;
            good = read_escape(out, r);
        } else if (c == '$' || c == '%') {
            good = read_sign(out, r);
        } else {
            lc_buf_add_char(out, c);
            r->at++;
        }
        if (!good)
            return false;
    }
    r->at++;
    return true;
}

/* A key in quotes. It is NFC-normalized, because the cores normalize all strings, and keys of
 * `for_each` are compared with it. */
static bool read_quoted(lc_key *out, reader *r)
{
    lc_buf text = {0};
    bool good = read_quoted_into(&text, r);
    if (good)
        *out = lc_key_string(lc_nfc(r->arena, lc_buf_copy(r->arena, &text)));
    lc_buf_release(&text);
    return good;
}

/* An instance key `[...]`, or its legacy form `.0`; *out is LC_NO_KEY if neither follows. */
static bool read_key(lc_key *out, reader *r)
{
    *out = LC_NO_KEY;
    if (at_char(r, '.') && r->at + 1 < r->text.len && lc_is_digit(r->text.ptr[r->at + 1])) {
        r->at++;
        return read_number(out, r);
    }
    if (!at_char(r, '['))
        return true;
    r->at++;
    skip_space(r);
    if (at_char(r, '"') ? !read_quoted(out, r) : !read_number(out, r))
        return false;
    skip_space(r);
    if (!at_char(r, ']'))
        return fail(r, r->at, "a closing bracket is expected here");
    r->at++;
    return true;
}

static bool read_dot(reader *r, const char *otherwise)
{
    if (!at_char(r, '.'))
        return fail(r, r->at, otherwise);
    r->at++;
    return true;
}

/* The name and key that follow `module`. */
static bool read_module_step(lc_module_step *out, reader *r)
{
    return read_dot(r, "the name of a module is expected here") && read_name(&out->name, r) &&
           read_key(&out->key, r);
}

/* Words with which other references begin. The cores accept a resource type of such a name only
 * after the prefix `resource.`. */
static bool is_reserved(lc_str word)
{
    static const char *const words[] = {"var",       "local",    "each", "count", "path", "self",
                                        "terraform", "template", "lazy", "arg",   NULL};
    return lc_str_is_one_of(word, words, NULL);
}

/* The rest of a resource address; `word` is the first name of it, already read. */
static bool read_resource(lc_address *out, reader *r, lc_str word)
{
    out->mode = LC_MODE_MANAGED;
    out->type = word;
    if (is_reserved(word))
        return fail(r, r->at, "this word is reserved: it is not a type of a resource");
    if (lc_str_is(word, "data") || lc_str_is(word, "ephemeral") || lc_str_is(word, "resource")) {
        if (!lc_str_is(word, "resource"))
            out->mode = lc_str_is(word, "data") ? LC_MODE_DATA : LC_MODE_EPHEMERAL;
        if (!read_dot(r, "the type of a resource is expected here") || !read_name(&out->type, r))
            return false;
    }
    if (!read_dot(r, "the name of a resource is expected here") || !read_name(&out->name, r) ||
        !read_key(&out->key, r))
        return false;
    return r->at == r->text.len || fail(r, r->at, "nothing may follow here");
}

/* Module steps are read until another first name than `module` begins the resource. */
static bool read_address(lc_address *out, reader *r)
{
    LC_VEC(lc_module_step) steps = {0};
    *out = (lc_address){0};
    out->type = out->name = LC_STR_EMPTY;
    out->mode = LC_MODE_MANAGED;
    for (;;) {
        lc_str word;
        if (!read_name(&word, r))
            return false;
        if (!lc_str_is(word, "module"))
            return read_resource(out, r, word);
        if (!read_module_step(LC_PUSH(r->arena, &steps, lc_module_step), r))
            return false;
        out->modules = steps.items;
        out->module_count = steps.count;
        if (r->at == r->text.len)
            return true;
        if (!read_dot(r, "a dot is expected here"))
            return false;
    }
}

bool lc_address_parse(lc_address *out, lc_arena *arena, lc_str text, lc_str *why, size_t *at)
{
    reader r = {arena, text, 0, LC_STR_EMPTY};
    if (read_address(out, &r))
        return true;
    *why = r.why;
    *at = r.at;
    return false;
}

/* ---- Writing. */

void lc_key_add(lc_buf *buf, lc_key key)
{
    switch (key.kind) {
    case LC_KEY_NONE:
        break;
    case LC_KEY_INT:
        lc_buf_printf(buf, "[%lld]", (long long)key.number);
        break;
    case LC_KEY_STRING:
        lc_buf_add_char(buf, '[');
        lc_buf_add_hcl_quoted(buf, key.text);
        lc_buf_add_char(buf, ']');
        break;
    }
}

void lc_address_add(lc_buf *buf, const lc_address *address)
{
    for (size_t i = 0; i < address->module_count; i++) {
        lc_buf_add_c(buf, i ? ".module." : "module.");
        lc_buf_add_str(buf, address->modules[i].name);
        lc_key_add(buf, address->modules[i].key);
    }
    if (lc_address_is_module(address))
        return;
    if (address->module_count)
        lc_buf_add_char(buf, '.');
    if (address->mode != LC_MODE_MANAGED)
        lc_buf_add_c(buf, address->mode == LC_MODE_DATA ? "data." : "ephemeral.");
    lc_buf_add_str(buf, address->type);
    lc_buf_add_char(buf, '.');
    lc_buf_add_str(buf, address->name);
    lc_key_add(buf, address->key);
}

lc_str lc_address_text(lc_arena *arena, const lc_address *address)
{
    lc_buf buf = {0};
    lc_address_add(&buf, address);
    return lc_buf_take(arena, &buf);
}

lc_str lc_address_below(lc_arena *arena, lc_str module, lc_str address)
{
    return module.len ? lc_str_printf(arena, "%.*s.%.*s", LC_FMT(module), LC_FMT(address))
                      : address;
}

/* ---- Order. */

int lc_key_cmp(lc_key a, lc_key b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.kind == LC_KEY_INT && a.number != b.number)
        return a.number < b.number ? -1 : 1;
    return a.kind == LC_KEY_STRING ? lc_str_cmp(a.text, b.text) : 0;
}

bool lc_key_eq(lc_key a, lc_key b)
{
    return lc_key_cmp(a, b) == 0;
}

/* Shorter paths first: this sorts a module before the modules that it calls. */
static int path_cmp(const lc_address *a, const lc_address *b)
{
    if (a->module_count != b->module_count)
        return a->module_count < b->module_count ? -1 : 1;
    for (size_t i = 0; i < a->module_count; i++) {
        int order = lc_str_cmp(a->modules[i].name, b->modules[i].name);
        if (order == 0)
            order = lc_key_cmp(a->modules[i].key, b->modules[i].key);
        if (order)
            return order;
    }
    return 0;
}

int lc_address_cmp(const lc_address *a, const lc_address *b)
{
    int order = path_cmp(a, b);
    if (order)
        return order;
    if (lc_address_is_module(a) != lc_address_is_module(b))
        return lc_address_is_module(a) ? -1 : 1;
    if (a->mode != b->mode)
        return a->mode < b->mode ? -1 : 1;
    if ((order = lc_str_cmp(a->type, b->type)) != 0)
        return order;
    if ((order = lc_str_cmp(a->name, b->name)) != 0)
        return order;
    return lc_key_cmp(a->key, b->key);
}

bool lc_address_eq(const lc_address *a, const lc_address *b)
{
    return lc_address_cmp(a, b) == 0;
}

/* ---- Parts. */

bool lc_module_path_eq(const lc_module_step *a, size_t a_count, const lc_module_step *b,
                       size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++) {
        if (!lc_str_eq(a[i].name, b[i].name) || !lc_key_eq(a[i].key, b[i].key))
            return false;
    }
    return true;
}

lc_address lc_address_module(const lc_address *address)
{
    lc_address module = *address;
    module.mode = LC_MODE_MANAGED;
    module.type = module.name = LC_STR_EMPTY;
    module.key = LC_NO_KEY;
    return module;
}

lc_address lc_address_resource(const lc_address *address)
{
    lc_address resource = *address;
    resource.key = LC_NO_KEY;
    return resource;
}

lc_address lc_address_config(lc_arena *arena, const lc_address *address)
{
    lc_address config = lc_address_resource(address);
    lc_module_step *steps = LC_NEW_ARRAY(arena, lc_module_step, config.module_count);
    for (size_t i = 0; i < config.module_count; i++)
        steps[i] = (lc_module_step){address->modules[i].name, LC_NO_KEY};
    config.modules = steps;
    return config;
}

lc_address lc_address_within(lc_arena *arena, const lc_address *module, const lc_address *inner)
{
    lc_address joined = *inner;
    size_t count = module->module_count + inner->module_count;
    lc_module_step *steps = LC_NEW_ARRAY(arena, lc_module_step, count);
    if (module->module_count)
        memcpy(steps, module->modules, module->module_count * sizeof *steps);
    if (inner->module_count)
        memcpy(steps + module->module_count, inner->modules, inner->module_count * sizeof *steps);
    joined.modules = steps;
    joined.module_count = count;
    return joined;
}

/* ---- Containment. */

/* All steps but the last must be equal; the last step without a key selects all instances. */
static bool module_covers(const lc_address *target, const lc_address *object)
{
    size_t last = target->module_count - 1;
    if (target->module_count == 0)
        return true;
    if (object->module_count <= last ||
        !lc_module_path_eq(target->modules, last, object->modules, last) ||
        !lc_str_eq(target->modules[last].name, object->modules[last].name))
        return false;
    return target->modules[last].key.kind == LC_KEY_NONE ||
           lc_key_eq(target->modules[last].key, object->modules[last].key);
}

bool lc_address_covers(const lc_address *target, const lc_address *object)
{
    if (lc_address_is_module(target))
        return module_covers(target, object);
    return lc_module_path_eq(target->modules, target->module_count, object->modules,
                             object->module_count) &&
           target->mode == object->mode && lc_str_eq(target->type, object->type) &&
           lc_str_eq(target->name, object->name) &&
           (target->key.kind == LC_KEY_NONE || lc_key_eq(target->key, object->key));
}
