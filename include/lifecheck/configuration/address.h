/* Addresses of resource instances, resources, modules and targets. Module configuration. Source of
 * the rules: runs-and-providers 2.3, 2.8, 2.15 with its findings 6, 7 and 11.
 *
 *   module.m["k"].data.aws_ami.a[0]
 *
 * One struct serves all of them: a resource instance has an instance key or none; a resource is the
 * same without a key; a module address has no type; a configuration address has no key in any step.
 * Whether a missing key means "the instance without a key" or "all instances" is up to the caller.
 * Strings are borrowed from the parsed text, or allocated in the arena that the caller passes. */
#ifndef LIFECHECK_CONFIGURATION_ADDRESS_H
#define LIFECHECK_CONFIGURATION_ADDRESS_H

#include "lifecheck/base/buf.h"
#include "lifecheck/base/enum.h"
#include "lifecheck/base/str.h"

/* An instance key: none, the index of `count`, or the key of `for_each`. */
typedef enum lc_key_kind { LC_KEY_NONE, LC_KEY_INT, LC_KEY_STRING } lc_key_kind;

/* The key of an instance: `["a"]`, `[0]`, or none. */
typedef struct lc_key {
    lc_key_kind kind;
    int64_t number; /* LC_KEY_INT */
    lc_str text;    /* LC_KEY_STRING: without quotes and escapes */
} lc_key;

/* The missing key, and the two kinds of keys; `text` is borrowed. */
#define LC_NO_KEY ((lc_key){LC_KEY_NONE, 0, {"", 0}})

/* A key of `count`. */
static inline lc_key lc_key_int(int64_t number)
{
    return (lc_key){LC_KEY_INT, number, {"", 0}};
}
/* A key of `for_each`. */
static inline lc_key lc_key_string(lc_str text)
{
    return (lc_key){LC_KEY_STRING, 0, text};
}

/* One `module.NAME[KEY]` of a module path. */
typedef struct lc_module_step {
    lc_str name;
    lc_key key;
} lc_module_step;

/* The values are in the order in which the cores sort addresses (2.15), so they can be compared. */
#define LC_RESOURCE_MODES(X)                                                                       \
    X(LC_MODE_EPHEMERAL, "ephemeral")                                                              \
    X(LC_MODE_DATA, "data")                                                                        \
    X(LC_MODE_MANAGED, "managed")
LC_ENUM(lc_resource_mode, LC_RESOURCE_MODES);

/* An instance, a resource (without a key) or a module. Everything is borrowed. */
typedef struct lc_address {
    const lc_module_step *modules; /* outermost first */
    size_t module_count;
    lc_resource_mode mode;
    /* empty: the address of a module (the root module if there are no steps) */
    lc_str type;
    lc_str name;
    lc_key key;
} lc_address;

/* True for the root module, too. */
static inline bool lc_address_is_module(const lc_address *address)
{
    return address->type.len == 0;
}

/* Parses the address of a resource, a resource instance or a module (the root has no text). White
 * space inside brackets and the legacy form `a.0` are accepted, as in the cores. False: *why
 * describes what is wrong at byte *at, and *out is unusable. */
bool lc_address_parse(lc_address *out, lc_arena *arena, lc_str text, lc_str *why, size_t *at);

/* Appends the canonical text; appends nothing for the root module. */
void lc_address_add(lc_buf *buf, const lc_address *address);
lc_str lc_address_text(lc_arena *arena, const lc_address *address);
/* `address`, which is relative to the module `module`, as seen from the root: both strings joined
 * by a dot. An empty `module` is the root; `address` is then returned as it is. */
lc_str lc_address_below(lc_arena *arena, lc_str module, lc_str address);
/* Appends `[0]`, `["k"]` or nothing. */
void lc_key_add(lc_buf *buf, lc_key key);

/* Negative, zero or positive. No key sorts first, then numbers, then strings. */
int lc_key_cmp(lc_key a, lc_key b);
bool lc_key_eq(lc_key a, lc_key b);
/* The order of 2.15: module path (fewer steps first, then names and keys), mode, type, name, key.
 * The address of a module sorts before everything inside it. */
int lc_address_cmp(const lc_address *a, const lc_address *b);
bool lc_address_eq(const lc_address *a, const lc_address *b);
/* True if both paths have the same steps with the same keys. */
bool lc_module_path_eq(const lc_module_step *a, size_t a_count, const lc_module_step *b,
                       size_t b_count);

/* The module that contains the object; a module address returns itself. Borrows the steps. */
lc_address lc_address_module(const lc_address *address);
/* The resource of an instance: the address without its last key. Borrows. */
lc_address lc_address_resource(const lc_address *address);
/* The configuration address: without the instance key and without the keys of all modules. */
lc_address lc_address_config(lc_arena *arena, const lc_address *address);
/* `inner`, which is relative to `module`, as seen from the root. The steps are in the arena. */
lc_address lc_address_within(lc_arena *arena, const lc_address *module, const lc_address *inner);

/* True if the target `target` selects `object`. A module target covers everything inside the
 * module, and all its instances if its last step has no key; an earlier step without a key means
 * the instance without a key. A resource target covers its instances; without a key, all of
 * them. */
bool lc_address_covers(const lc_address *target, const lc_address *object);

/* ---- Patterns of addresses: policies and expectations name objects by them.
 *
 * A pattern is written as an address. In a name, a type or a key `*` matches any characters and `?`
 * one. A step without a key matches all its instances: `a.b` also a.b[0], `module.m` also
 * module.m["k"]. The step `**` matches any number of modules.
 *
 *   aws_db_*.main          in the root module
 *   module.x.aws_db_*.*    in the module x;  **.aws_db_*.*  in any module, the root among them
 *   aws_db_*               a type alone: in any module, the same as **.aws_db_*.*
 *   module.x  module.x.**  everything in the module x, and in its modules; **  everything
 *   data.aws_ami.*         data sources; a pattern without `data.` matches managed resources */

/* One module of a pattern. */
typedef struct lc_address_glob_step {
    bool deep;        /* `**`: any number of modules */
    lc_str name, key; /* globs; an empty key: any, or none */
} lc_address_glob_step;

/* A pattern that addresses are compared with, as options and policies have it. */
typedef struct lc_address_glob {
    lc_str text; /* as written */
    const lc_address_glob_step *steps;
    size_t step_count;
    bool everything; /* any resource in these modules; the next members are empty then */
    bool by_type;    /* written as a type alone */
    lc_resource_mode mode;
    lc_str type, name, key;
} lc_address_glob;

/* Everything borrows from `text` or is in the arena. False: *why describes what is wrong at *at. */
bool lc_address_glob_parse(lc_address_glob *out, lc_arena *arena, lc_str text, lc_str *why,
                           size_t *at);
/* True if the pattern has no wildcard, so that it may be one object's address. */
bool lc_address_glob_is_plain(const lc_address_glob *glob);

/* Keys of an address that are not known: those of the steps from number `from` on, where the
 * resource comes after its modules. `every`: does the pattern match with every key? Otherwise: does
 * it match with some key? */
typedef struct lc_open_keys {
    size_t from;
    bool every;
} lc_open_keys;
#define LC_KEYS_KNOWN ((lc_open_keys){(size_t)-1, false})

/* True if the pattern matches a resource instance, or a module as a whole. */
bool lc_address_glob_matches(const lc_address_glob *glob, const lc_address *address,
                             lc_open_keys open);
/* True if the pattern could match something in the module `module`, of which nothing is known. */
bool lc_address_glob_reaches(const lc_address_glob *glob, const lc_address *module,
                             lc_open_keys open);

#endif
