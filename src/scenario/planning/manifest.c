/* Which modules a client has installed: .terraform/modules/modules.json next to the root module.
 * Source: the clients' package modsdir. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "scenario/planning/internal.h"

#include "lifecheck/base/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct lc_manifest {
    lc_arena *arena;
    const lc_source *source; /* NULL: no manifest */
    lc_diags *diags;
    const lc_roots *roots;
    lc_table entries; /* key -> const lc_node ** */
};

/* False: the file does not exist, or cannot be used, which is reported. Reading a pipe would block
 * until its writer is done. */
static bool is_there(lc_manifest *m, lc_str path)
{
    struct stat info;
    if (stat(lc_str_to_c(m->arena, path), &info) != 0)
        return false;
    char full[PATH_MAX];
    const char *why = !S_ISREG(info.st_mode) ? "this is not a regular file"
                      : !realpath(lc_str_to_c(m->arena, path), full) ||
                              !lc_roots_hold(m->roots, lc_str_from_c(full))
                          ? lc_roots_outside(m->roots)
                          : NULL;
    if (why)
        lc_diag_error(m->diags, (lc_loc){path, 1, 1}, "%s", why);
    return !why;
}

lc_manifest *lc_manifest_open(lc_arena *arena, lc_str root, const lc_roots *roots,
                              const lc_limits *limits, lc_diags *diags)
{
    static const char name[] = ".terraform/modules/modules.json";
    lc_manifest *m = LC_NEW(arena, lc_manifest);
    *m = (lc_manifest){.arena = arena, .diags = diags, .roots = roots};
    lc_table_init(&m->entries, arena);
    lc_str path =
        root.len ? lc_str_printf(arena, "%.*s/%s", LC_FMT(root), name) : lc_str_from_c(name);
    if (!is_there(m, path))
        return m;
    m->source = lc_json_open(arena, path, "`terraform init` writes it", limits, diags);
    const lc_node *list =
        m->source ? lc_node_get_kind(m->source->documents, "Modules", LC_NODE_SEQUENCE) : NULL;
    for (uint32_t i = 0; i < lc_node_item_count(list); i++) {
        const lc_node **entry = LC_NEW(arena, const lc_node *);
        *entry = &list->as.items[i];
        lc_table_put(&m->entries, lc_node_text(*entry, "Key"), entry);
    }
    return m;
}

/* The folder of an entry, relative to the root module's. What leaves the roots is refused when it
 * is opened. */
static bool read_dir(lc_manifest *m, const lc_node *entry, lc_str *path)
{
    const lc_node *dir = lc_node_get(entry, "Dir");
    lc_str clean = lc_path_clean(m->arena, lc_node_as_text(dir));
    if (clean.len && clean.ptr[0] != '/') {
        *path = lc_str_is(clean, ".") ? LC_STR_EMPTY : clean;
        return true;
    }
    lc_diag_error(
        m->diags, lc_node_loc(m->source, dir ? dir : entry),
        "the folder of the module %.*s is not relative to the root module's; it is not read",
        LC_FMT(lc_node_text(entry, "Key")));
    return false;
}

/* The same source may be written shorter than the client notes it. */
static bool same_source(lc_str noted, lc_str written)
{
    static const char *const registries[] = {"registry.terraform.io/", "registry.opentofu.org/"};
    if (lc_str_eq(noted, written))
        return true;
    for (size_t i = 0; i < 2; i++) {
        lc_str registry = lc_str_from_c(registries[i]);
        if (lc_str_starts_with(noted, registry) &&
            lc_str_eq(lc_str_sub(noted, registry.len, noted.len), written))
            return true;
    }
    return false;
}

lc_config_installed lc_manifest_find(lc_manifest *m, lc_str key, lc_str source, lc_str *path)
{
    const lc_node *const *entry = lc_table_get(&m->entries, key);
    if (!m->source)
        return LC_NOTHING_INSTALLED;
    if (!entry || !same_source(lc_node_text(*entry, "Source"), source))
        return LC_NOT_INSTALLED;
    return read_dir(m, *entry, path) ? LC_INSTALLED : LC_NOTHING_INSTALLED;
}
