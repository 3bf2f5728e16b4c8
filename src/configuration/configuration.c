/* The tree of modules: which files a module has, which modules it calls, and lookup by address. */
#include "configuration/blocks.h"

#include <stdlib.h>

/* Limits for what a configuration can make us open; the cores have none. */
#define MAX_MODULES 10000
#define MAX_NESTING 50

/* ---- Files. */

static bool is_override(lc_str name)
{
    return lc_str_is(name, "override.tf.json") || lc_str_is(name, "override.tofu.json") ||
           lc_str_ends_with(name, LC_STR("_override.tf.json")) ||
           lc_str_ends_with(name, LC_STR("_override.tofu.json"));
}

/* `name` without the suffix `end`; empty if it does not end so. */
static lc_str stem(lc_str name, lc_str end)
{
    return lc_str_ends_with(name, end) ? lc_str_sub(name, 0, name.len - end.len) : LC_STR_EMPTY;
}

/* OpenTofu ignores x.tf.json if the folder also has x.tofu.json. */
static bool is_shadowed(const lc_config_folder *folder, lc_str name)
{
    lc_str own = stem(name, LC_STR(".tf.json"));
    for (size_t i = 0; own.len > 0 && i < folder->files.count; i++)
        if (lc_str_eq(stem(folder->files.items[i].name, LC_STR(".tofu.json")), own))
            return true;
    return false;
}

/* Terraform does not know the suffix .tofu.json. */
static bool is_read(const lc_config_reader *r, const lc_config_folder *folder, lc_str name)
{
    bool tofu = lc_str_ends_with(name, LC_STR(".tofu.json"));
    if (r->config->profile == LC_PROFILE_TERRAFORM)
        return lc_str_ends_with(name, LC_STR(".tf.json"));
    return tofu || (lc_str_ends_with(name, LC_STR(".tf.json")) && !is_shadowed(folder, name));
}

static int by_name(const void *a, const void *b)
{
    return lc_str_cmp(((const lc_config_file *)a)->name, ((const lc_config_file *)b)->name);
}

/* Both cores read the files of a folder in the order of their names. Override files would have to
 * be merged block by block, so they are rejected instead of giving a wrong result. */
static void read_files(lc_config_reader *r, lc_config_folder *folder)
{
    if (folder->files.count > 0)
        qsort(folder->files.items, folder->files.count, sizeof(lc_config_file), by_name);
    for (size_t i = 0; i < folder->files.count; i++) {
        const lc_config_file *file = &folder->files.items[i];
        if (!is_read(r, folder, file->name))
            continue;
        if (is_override(file->name)) {
            lc_diag_error(r->diags, lc_node_loc(file->source, file->root),
                          "override files are not read; put what they change where it belongs");
            continue;
        }
        if (!r->module->place.source)
            r->module->place = lc_source_pos_of(file->source, file->root);
        lc_config_read_file(r, file);
    }
}

/* ---- Modules. */

lc_module *lc_config_module_new(lc_arena *arena, lc_module *parent, const lc_config_call *call)
{
    lc_module *m = LC_NEW(arena, lc_module);
    m->parent = parent;
    m->call = call;
    if (call)
        m->path = lc_str_printf(arena, "%.*s%smodule.%.*s", LC_FMT(parent->path),
                                parent->path.len > 0 ? "." : "", LC_FMT(call->name));
    m->depth = parent ? parent->depth + 1 : 0;
    lc_table_init(&m->variable, arena);
    lc_table_init(&m->local, arena);
    lc_table_init(&m->call_by_name, arena);
    lc_table_init(&m->output, arena);
    lc_table_init(&m->resource, arena);
    lc_table_init(&m->required_by_name, arena);
    return m;
}

/* Resolves the local module source `source` relative to `folder`, without `.` steps. Leading `..`
 * steps that leave the root module's folder remain. */
static lc_str join_path(lc_arena *arena, lc_str folder, lc_str source)
{
    lc_buf buf = {0};
    lc_buf_add_str(&buf, folder);
    size_t from = 0;
    while (from < source.len) {
        size_t to = lc_str_find(source, from, '/');
        lc_str step = lc_str_sub(source, from, to);
        from = to + 1;
        size_t last = buf.len;
        while (last > 0 && buf.ptr[last - 1] != '/')
            last--;
        bool up = lc_str_is(step, "..");
        /* A `..` step removes the last step of the path, unless that is a `..` step itself. */
        bool climbs =
            up && buf.len > 0 && !lc_str_is((lc_str){buf.ptr + last, buf.len - last}, "..");
        if (step.len == 0 || lc_str_is(step, "."))
            continue;
        if (climbs) {
            buf.len = last > 0 ? last - 1 : 0;
            continue;
        }
        if (buf.len > 0)
            lc_buf_add_char(&buf, '/');
        lc_buf_add_str(&buf, step);
    }
    return lc_buf_take(arena, &buf);
}

/* The cores take a source as a local path only with one of these prefixes. */
static bool is_local(lc_str source)
{
    return lc_str_starts_with(source, LC_STR("./")) || lc_str_starts_with(source, LC_STR("../"));
}

/* A module whose source leads back to one of its callers would be opened forever. */
static bool calls_itself(const lc_module *m, lc_str folder)
{
    for (; m; m = m->parent)
        if (lc_str_eq(m->folder, folder))
            return true;
    return false;
}

/* Opens and reads one module; NULL: the folder does not exist. Modules are only appended here, so
 * the list stays in the order callers before called modules. */
static lc_module *open_module(lc_config_reader *r, lc_module *parent, const lc_config_call *call,
                              lc_str path)
{
    lc_config_folder folder = {0};
    if (!r->loader->open(r->loader->context, r->arena, path, &folder))
        return NULL;
    lc_module *m = lc_config_module_new(r->arena, parent, call);
    m->folder = path;
    m->native = folder.native;
    r->config->native |= folder.native;
    r->module = m;
    r->config->at = m;
    read_files(r, &folder);
    *LC_PUSH(r->arena, &r->config->modules, lc_module *) = m;
    return m;
}

/* Opens the module of a call. Modules that are not local are left out: call->child stays NULL, and
 * what depends on them is undecided. */
static void open_called(lc_config_reader *r, lc_config_call *call)
{
    if (!is_local(call->source))
        return;
    lc_str path = join_path(r->arena, call->module->folder, call->source);
    bool endless = calls_itself(call->module, path);
    if (endless || call->module->depth >= MAX_NESTING || r->config->modules.count >= MAX_MODULES) {
        lc_diag_error(r->diags, lc_source_pos_loc(call->place),
                      endless ? "the module calls itself" : "there are too many modules");
        return;
    }
    call->child = open_module(r, call->module, call, path);
    if (call->child)
        return;
    r->source = call->place.source;
    r->config->at = call->module;
    lc_config_report(r, call->place, "Unreadable module directory",
                     "there is no folder of this name");
}

lc_status lc_configuration_read(lc_configuration *out, lc_arena *arena, lc_profile profile,
                                const lc_config_loader *loader, lc_diags *diags)
{
    size_t errors = diags->errors;
    *out = (lc_configuration){.arena = arena, .profile = profile, .files = loader->files};
    lc_config_reader r = {.config = out, .arena = arena, .loader = loader, .diags = diags};
    out->root = open_module(&r, NULL, NULL, LC_STR_EMPTY);
    if (!out->root)
        return LC_EINPUT;
    /* The list grows during the loop, which makes the order breadth first. */
    for (size_t i = 0; i < out->modules.count; i++)
        for (size_t k = 0; k < out->modules.items[i]->calls.count; k++)
            open_called(&r, out->modules.items[i]->calls.items[k]);
    return diags->errors > errors ? LC_EINPUT : LC_OK;
}

/* ---- Lookup. */

lc_module *lc_config_module_at(const lc_configuration *config, const lc_address *address)
{
    lc_module *m = config->root;
    for (size_t i = 0; m && i < address->module_count; i++) {
        const lc_config_call *call = lc_table_get(&m->call_by_name, address->modules[i].name);
        m = call ? call->child : NULL;
    }
    return m;
}

lc_config_resource *lc_config_resource_at(const lc_configuration *config, const lc_address *address)
{
    const lc_module *m = lc_config_module_at(config, address);
    lc_buf buf = {0};
    lc_address within = {.mode = address->mode, .type = address->type, .name = address->name};
    lc_address_add(&buf, &within);
    lc_config_resource *found = m ? lc_table_get(&m->resource, lc_buf_str(&buf)) : NULL;
    lc_buf_release(&buf);
    return found;
}

bool lc_config_address(lc_address *out, lc_arena *arena, const lc_config_ref *ref)
{
    lc_str why;
    size_t at;
    return ref->is_text && lc_address_parse(out, arena, ref->text, &why, &at);
}

const lc_config_required *lc_config_required_at(const lc_module *module, lc_str local_name)
{
    size_t index = lc_table_get_index(&module->required_by_name, local_name);
    return index != LC_NO_INDEX ? &module->required.items[index] : NULL;
}

bool lc_config_repeats(const lc_config_repetition *repetition)
{
    return repetition->count || repetition->for_each || repetition->enabled;
}
