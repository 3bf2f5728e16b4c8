/* Patterns of addresses. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/table.h"
#include "lifecheck/configuration/address.h"

#include <string.h>

/* ---- Reading. The text is cut at dots outside of brackets; `part` is one piece of it. */

typedef struct part {
    lc_str name, key; /* the key with its brackets, without spaces around it; or empty */
    size_t at;
} part;

typedef struct reader {
    lc_arena *arena;
    lc_str text;
    LC_VEC(part) parts;
    size_t next; /* the part that is read next */
    lc_str why;
    size_t at;
} reader;

static bool fail(reader *r, size_t at, const char *why)
{
    r->why = lc_str_from_c(why);
    r->at = at;
    return false;
}

/* The end of a key: the bracket that closes it, outside of quotes. */
static bool find_bracket(size_t *end, reader *r, size_t from)
{
    bool quoted = false;
    for (size_t i = from + 1; i < r->text.len; i++) {
        char c = r->text.ptr[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (c == ']' && !quoted) {
            *end = i;
            return true;
        }
    }
    return fail(r, from, "this bracket is not closed");
}

/* Keys are compared as canonical strings, so spaces inside the brackets are dropped. */
static lc_str key_between(reader *r, size_t from, size_t end)
{
    while (from < end && strchr(" \t", r->text.ptr[from]))
        from++;
    while (end > from && strchr(" \t", r->text.ptr[end - 1]))
        end--;
    return lc_str_printf(r->arena, "[%.*s]", LC_FMT(lc_str_sub(r->text, from, end)));
}

/* Identifiers may have letters of any script, which are not looked at here. */
static bool is_name_char(char c)
{
    return (unsigned char)c >= 0x80 || lc_is_alnum((unsigned char)c) || strchr("_-*?", c);
}

static bool read_part(reader *r, size_t *at)
{
    size_t start = *at, end, i = start;
    part p = {.at = start};
    while (i < r->text.len && r->text.ptr[i] && is_name_char(r->text.ptr[i]))
        i++;
    p.name = lc_str_sub(r->text, start, i);
    if (!p.name.len)
        return fail(r, start, "a name is expected here");
    if (i < r->text.len && r->text.ptr[i] == '[') {
        if (!find_bracket(&end, r, i))
            return false;
        p.key = key_between(r, i + 1, end);
        if (p.key.len == 2)
            return fail(r, i, "a key is expected in the brackets");
        i = end + 1;
    }
    if (i < r->text.len && r->text.ptr[i] != '.')
        return fail(r, i, "a dot is expected here");
    *LC_PUSH(r->arena, &r->parts, part) = p;
    *at = i;
    return true;
}

static bool read_parts(reader *r)
{
    size_t at = 0;
    do {
        if (!read_part(r, &at))
            return false;
    } while (at++ < r->text.len);
    return true;
}

static const part *part_at(const reader *r, size_t index)
{
    return index < r->parts.count ? &r->parts.items[index] : NULL;
}

static bool part_is(const part *p, const char *name)
{
    return p && !p->key.len && lc_str_is(p->name, name);
}

/* `module.NAME` and `**`, as many as there are. */
static bool read_modules(lc_address_glob *out, reader *r)
{
    lc_address_glob_step *steps = LC_NEW_ARRAY(r->arena, lc_address_glob_step, r->parts.count + 1);
    for (;;) {
        const part *p = part_at(r, r->next), *name = part_at(r, r->next + 1);
        lc_address_glob_step *step = &steps[out->step_count];
        *step = (lc_address_glob_step){.deep = part_is(p, "**")};
        if (!step->deep && !part_is(p, "module"))
            break;
        if (!step->deep && (!name || lc_str_is(name->name, "**")))
            return fail(r, r->text.len, "the name of a module is expected here");
        if (!step->deep) {
            step->name = name->name;
            step->key = name->key;
        }
        out->step_count++;
        r->next += step->deep ? 1 : 2;
    }
    out->steps = steps;
    return true;
}

static bool read_mode(lc_address_glob *out, reader *r)
{
    const part *p = part_at(r, r->next);
    out->mode = part_is(p, "data")        ? LC_MODE_DATA
                : part_is(p, "ephemeral") ? LC_MODE_EPHEMERAL
                                          : LC_MODE_MANAGED;
    r->next += out->mode != LC_MODE_MANAGED;
    return true;
}

/* A type alone is looked for in all modules below: a policy about a type is about all of it. */
static void look_everywhere(lc_address_glob *out, reader *r)
{
    size_t count = out->step_count;
    lc_address_glob_step *steps = LC_NEW_ARRAY(r->arena, lc_address_glob_step, count + 1);
    memcpy(steps, out->steps, count * sizeof *steps);
    steps[count] = (lc_address_glob_step){.deep = true};
    out->steps = steps;
    out->step_count = count + 1;
    out->by_type = true;
    out->name = LC_STR("*");
}

static bool read_resource(lc_address_glob *out, reader *r)
{
    const part *type, *name;
    if (r->next == r->parts.count) {
        out->everything = true;
        return true;
    }
    read_mode(out, r);
    type = part_at(r, r->next);
    name = part_at(r, r->next + 1);
    if (!type)
        return fail(r, r->text.len, "a type is expected here");
    if (type->key.len)
        return fail(r, type->at + type->name.len, "a type has no key");
    if (lc_str_is(type->name, "**") || (name && lc_str_is(name->name, "**")))
        return fail(r, type->at, "** matches modules only, before a type");
    out->type = type->name;
    if (!name) {
        look_everywhere(out, r);
        return true;
    }
    out->name = name->name;
    out->key = name->key;
    r->next += 2;
    return r->next == r->parts.count ||
           fail(r, r->parts.items[r->next].at, "nothing may follow the name and key of a resource");
}

static bool has_wildcard(lc_str text)
{
    return lc_str_find(text, 0, '*') < text.len || lc_str_find(text, 0, '?') < text.len;
}

bool lc_address_glob_parse(lc_address_glob *out, lc_arena *arena, lc_str text, lc_str *why,
                           size_t *at)
{
    lc_address exact;
    reader r = {.arena = arena, .text = text};
    *out = (lc_address_glob){.text = text};
    /* Keys are compared with canonical text, and an address may be written in other ways. */
    if (!has_wildcard(text) && lc_address_parse(&exact, arena, text, why, at))
        r.text = lc_address_text(arena, &exact);
    bool ok = read_parts(&r) && read_modules(out, &r) && read_resource(out, &r);
    *why = r.why;
    *at = r.at;
    return ok;
}

bool lc_address_glob_is_plain(const lc_address_glob *glob)
{
    return !has_wildcard(glob->text) && !glob->by_type && !glob->everything;
}

/* ---- Matching. */

static bool key_matches(lc_str glob, lc_key key, size_t step, lc_open_keys open)
{
    if (!glob.len)
        return true;
    if (step >= open.from)
        return !open.every || lc_str_is(glob, "[*]");
    lc_buf text = {0};
    lc_key_add(&text, key);
    bool same = lc_str_matches_glob(lc_buf_str(&text), glob);
    lc_buf_release(&text);
    return same;
}

typedef struct subject {
    const lc_address *address;
    lc_open_keys open;
} subject;

static bool step_matches(const lc_address_glob_step *step, const subject *s, size_t index)
{
    const lc_module_step *module = &s->address->modules[index];
    return lc_str_matches_glob(module->name, step->name) &&
           key_matches(step->key, module->key, index, s->open);
}

/* Compares module steps with the steps of a pattern, from the front; at a mismatch the last `**`
 * takes one module more, as in a glob of strings. `begins`: the modules need only be the beginning
 * of what the pattern matches. */
static bool modules_match(const lc_address_glob *g, const subject *s, bool begins)
{
    size_t step = 0, module = 0, deep = g->step_count, again = 0;
    while (module < s->address->module_count) {
        if (step < g->step_count && g->steps[step].deep) {
            deep = step++;
            again = module;
        } else if (step < g->step_count && step_matches(&g->steps[step], s, module)) {
            step++;
            module++;
        } else if (deep < g->step_count) {
            step = deep + 1;
            module = ++again;
        } else {
            return false;
        }
    }
    while (step < g->step_count && g->steps[step].deep)
        step++;
    return begins || step == g->step_count;
}

/* Everything in a module includes the modules in it. */
static bool everything_matches(const lc_address_glob *g, const subject *s)
{
    lc_address outer = *s->address;
    for (size_t count = s->address->module_count + 1; count-- > 0;) {
        subject around = {&outer, s->open};
        outer.module_count = count;
        if (modules_match(g, &around, false))
            return true;
    }
    return false;
}

bool lc_address_glob_matches(const lc_address_glob *g, const lc_address *address, lc_open_keys open)
{
    subject s = {address, open};
    if (g->everything)
        return everything_matches(g, &s);
    return !lc_address_is_module(address) && address->mode == g->mode &&
           lc_str_matches_glob(address->type, g->type) &&
           lc_str_matches_glob(address->name, g->name) &&
           key_matches(g->key, address->key, address->module_count, open) &&
           modules_match(g, &s, false);
}

bool lc_address_glob_reaches(const lc_address_glob *g, const lc_address *module, lc_open_keys open)
{
    subject s = {module, open};
    return modules_match(g, &s, true) || (g->everything && everything_matches(g, &s));
}
