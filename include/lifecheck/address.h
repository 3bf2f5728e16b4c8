/* Addresses of resource instances, resources, modules and targets. Module configuration. Source of the
 * rules: runs-and-providers 2.3, 2.8, 2.15 with its findings 6, 7 and 11.
 *
 *   module.m["k"].data.aws_ami.a[0]
 *
 * One shape serves all: a resource instance has a key or none; a resource is the same without a
 * key; a module address has no type; a configuration address has no key anywhere. What a missing
 * key means (the instance without a key, or all of them) is for whoever asks. Texts are borrowed
 * from what was parsed, or live in the arena given. */
#ifndef LIFECHECK_ADDRESS_H
#define LIFECHECK_ADDRESS_H

#include "lifecheck/buf.h"
#include "lifecheck/enum.h"
#include "lifecheck/str.h"

typedef enum lc_key_kind { LC_KEY_NONE, LC_KEY_INT, LC_KEY_STRING } lc_key_kind;

typedef struct lc_key {
    lc_key_kind kind;
    int64_t number; /* LC_KEY_INT */
    lc_str text;    /* LC_KEY_STRING: without quotes and escapes */
} lc_key;

#define LC_NO_KEY ((lc_key){LC_KEY_NONE, 0, {"", 0}})

static inline lc_key lc_key_int(int64_t number)
{
    return (lc_key){LC_KEY_INT, number, {"", 0}};
}
static inline lc_key lc_key_string(lc_str text)
{
    return (lc_key){LC_KEY_STRING, 0, text};
}

typedef struct lc_module_step {
    lc_str name;
    lc_key key;
} lc_module_step;

/* In the order of 2.15. */
#define LC_RESOURCE_MODES(X)                                                                       \
    X(LC_MODE_EPHEMERAL, "ephemeral")                                                              \
    X(LC_MODE_DATA, "data")                                                                        \
    X(LC_MODE_MANAGED, "managed")
LC_ENUM(lc_resource_mode, LC_RESOURCE_MODES);

typedef struct lc_address {
    const lc_module_step *modules; /* outermost first */
    size_t module_count;
    lc_resource_mode mode;
    lc_str type; /* empty: the address of a module (the root if there are no steps) */
    lc_str name;
    lc_key key;
} lc_address;

static inline bool lc_address_is_module(const lc_address *address)
{
    return address->type.len == 0;
}

/* A resource, a resource instance or a module (not the root). White space inside brackets and the
 * old form `a.0` are read, as the cores do; the canonical text is what lc_address_add writes.
 * False: *why says what is wrong at byte *at. */
bool lc_address_parse(lc_address *out, lc_arena *arena, lc_str text, lc_str *why, size_t *at);

/* Canonical text; nothing for the root module. */
void lc_address_add(lc_buf *buf, const lc_address *address);
lc_str lc_address_text(lc_arena *arena, const lc_address *address);
/* `module.NAME`, as an address below that module; `module` "": it is the root, and `address` itself
 * comes back. */
lc_str lc_address_below(lc_arena *arena, lc_str module, lc_str address);
/* `[0]`, `["k"]` or nothing. */
void lc_key_add(lc_buf *buf, lc_key key);

/* Negative, zero or positive. Keys: none, then numbers, then strings. */
int lc_key_cmp(lc_key a, lc_key b);
bool lc_key_eq(lc_key a, lc_key b);
/* The order of 2.15: module path (fewer steps first, then names and keys), mode, type, name, key.
 * The address of a module stands before what is in it. */
int lc_address_cmp(const lc_address *a, const lc_address *b);
bool lc_address_eq(const lc_address *a, const lc_address *b);
/* Same steps with the same keys. */
bool lc_module_path_eq(const lc_module_step *a, size_t a_count, const lc_module_step *b,
                       size_t b_count);

/* The module that holds it (itself, for a module). Borrows. */
lc_address lc_address_module(const lc_address *address);
/* Without the last key. Borrows. */
lc_address lc_address_resource(const lc_address *address);
/* Without any key: the configuration address. */
lc_address lc_address_config(lc_arena *arena, const lc_address *address);
/* `inner`, which is relative to a module, seen from the root. */
lc_address lc_address_within(lc_arena *arena, const lc_address *module, const lc_address *inner);

/* Does a target address the object? A module target covers what is in it, and all instances if its
 * last step has no key; steps before the last without a key mean the instance without a key. A
 * resource target covers its instances; one without a key all of them. */
bool lc_address_covers(const lc_address *target, const lc_address *object);

#endif
