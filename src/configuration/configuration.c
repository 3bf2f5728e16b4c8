/* The tree of modules: which files a module has, which modules it calls, and lookup by address. */
#include "configuration/blocks.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/sort.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/scope.h"

#include <stdlib.h>
#include <string.h>

/* Limits for what a configuration can make us open; the cores have none. */
#define MAX_MODULES 10000
#define MAX_NESTING 50

/* ---- Files. */

/* The suffixes of configuration files. Only OpenTofu knows the second half; there `x.tofu` takes
 * the place of `x.tf`, and `x.tofu.json` that of `x.tf.json`. */
static const char *const suffixes[] = {".tf", ".tf.json", ".tofu", ".tofu.json"};
enum { TERRAFORM_SUFFIXES = 2, ALL_SUFFIXES = 4 };

/* The index of the suffix; ALL_SUFFIXES: the file is not part of a configuration. */
static size_t suffix_of(lc_str name)
{
    size_t i = 0;
    while (i < ALL_SUFFIXES && !lc_str_ends_with(name, lc_str_from_c(suffixes[i])))
        i++;
    return i;
}

bool lc_config_is_file(lc_str name)
{
    return suffix_of(name) < ALL_SUFFIXES;
}

static lc_str stem(lc_str name)
{
    return lc_str_sub(name, 0, name.len - strlen(suffixes[suffix_of(name)]));
}

static bool is_override(lc_str name)
{
    lc_str own = stem(name);
    return lc_str_is(own, "override") || lc_str_ends_with(own, LC_STR("_override"));
}

LC_ORDER_BY_STR(by_name, lc_config_file, name)

/* True if the folder, which is sorted, has the file that takes the place of this one. */
static bool is_shadowed(lc_arena *arena, const lc_config_folder *folder, lc_str name)
{
    size_t by = suffix_of(name) + TERRAFORM_SUFFIXES;
    if (by >= ALL_SUFFIXES)
        return false;
    lc_config_file key = {.name = lc_str_printf(arena, "%.*s%s", LC_FMT(stem(name)), suffixes[by])};
    return bsearch(&key, folder->files.items, folder->files.count, sizeof key, by_name);
}

static bool is_read(const lc_config_reader *r, const lc_config_folder *folder, lc_str name)
{
    size_t suffix = suffix_of(name);
    if (r->config->profile == LC_PROFILE_TERRAFORM)
        return suffix < TERRAFORM_SUFFIXES;
    return suffix < ALL_SUFFIXES && !is_shadowed(r->arena, folder, name);
}

/* The first byte of a file. */
static lc_source_pos beginning(const lc_config_file *file)
{
    return file->root ? lc_source_pos_of(file->source, file->root)
                      : (lc_source_pos){file->source, 0, 0};
}

/* Errors of syntax are the file's first problems. What could be read in spite of them counts. */
static void read_file(lc_config_reader *r, const lc_config_file *file)
{
    if (!r->module->place.source)
        r->module->place = beginning(file);
    for (const lc_eval_error *e = file->errors; e; e = e->next) {
        lc_config_problem *p = lc_config_problem_add(r->config, e->place, "");
        p->summary = e->summary;
        p->detail = e->detail;
        p->syntax = true;
        r->module->incomplete = true;
    }
    lc_config_read_file(r, file);
}

/* The root module has files of the other core only: nothing would be judged in it. */
static void report_other_files(lc_config_reader *r, const lc_config_file *file)
{
    lc_config_problem *p = lc_config_problem_add(r->config, beginning(file), "");
    p->detail = LC_STR("Terraform reads *.tf and *.tf.json, and the folder has none; OpenTofu "
                       "reads this file, too");
    p->syntax = true;
    r->module->incomplete = true;
}

/* Both cores read the files of a folder in the order of their names, and then the override files,
 * whose blocks are merged into those of the same address. */
static void read_files(lc_config_reader *r, lc_config_folder *folder)
{
    bool any = false;
    if (folder->files.count > 0)
        qsort(folder->files.items, folder->files.count, sizeof(lc_config_file), by_name);
    for (int overrides = 0; overrides < 2; overrides++) {
        for (size_t i = 0; i < folder->files.count; i++) {
            const lc_config_file *file = &folder->files.items[i];
            if (!is_read(r, folder, file->name))
                continue;
            any = true;
            if (is_override(file->name) != overrides)
                continue;
            if (overrides)
                lc_config_override(r, file, read_file);
            else
                read_file(r, file);
        }
    }
    if (!any && folder->files.count > 0 && !r->module->parent)
        report_other_files(r, &folder->files.items[0]);
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
 * steps out of the root module's folder remain. */
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

/* A module whose source leads back to one of its callers would be opened forever. What calls the
 * modules of tests has no files. */
static bool calls_itself(const lc_module *m, lc_str folder)
{
    for (; m; m = m->parent)
        if (m->place.source && lc_str_eq(m->folder, folder))
            return true;
    return false;
}

/* Opens and reads one module; NULL: the folder does not exist, or *refused has the reason why it is
 * not opened. Modules are only appended here, so the list stays in the order callers before called
 * modules. */
static lc_module *open_module(lc_config_reader *r, lc_module *parent, const lc_config_call *call,
                              lc_str path, lc_str *refused)
{
    lc_config_folder folder = {0};
    *refused = LC_STR_EMPTY;
    if (!r->loader->open(r->loader->context, r->arena, path, &folder)) {
        *refused = folder.refused;
        return NULL;
    }
    lc_module *m = lc_config_module_new(r->arena, parent, call);
    m->folder = path;
    m->incomplete = folder.incomplete;
    r->module = m;
    r->config->at = m;
    read_files(r, &folder);
    r->config->incomplete |= m->incomplete;
    *LC_PUSH(r->arena, &r->config->modules, lc_module *) = m;
    return m;
}

/* The names of the calls that lead to a module, as clients list installed modules. */
static lc_str install_key(lc_arena *arena, const lc_config_call *call)
{
    lc_str name = call->name;
    for (const lc_module *m = call->module; m->call; m = m->parent)
        name = lc_str_printf(arena, "%.*s.%.*s", LC_FMT(m->call->name), LC_FMT(name));
    return name;
}

static lc_config_problem *report_call(lc_config_reader *r, const lc_config_call *call,
                                      const char *summary, const char *detail)
{
    r->source = call->place.source;
    r->config->at = call->module;
    return lc_config_report(r, call->place, summary, detail);
}

/* The folder of a module that is not local. False: it is not installed. That is an error if others
 * are; if none is, what depends on the module is undecided. */
static bool find_installed(lc_config_reader *r, const lc_config_call *call, lc_str *path)
{
    if (!r->loader->installed || !call->source.len)
        return false;
    lc_config_installed is = r->loader->installed(r->loader->context, r->arena,
                                                  install_key(r->arena, call), call->source, path);
    if (is == LC_NOT_INSTALLED)
        report_call(r, call, LC_SUMMARY_MODULE_NOT_INSTALLED,
                    "`init` installs it; other modules are installed already");
    return is == LC_INSTALLED;
}

/* A module in an installed package, which may not be left by `..`. */
static bool leaves_package(const lc_module *m, lc_str path)
{
    while (m && m->call && is_local(m->call->source))
        m = m->parent;
    return m && m->call && !lc_str_starts_with(path, m->folder);
}

/* Opens the module of a call. For what is not there call->child stays NULL, and what depends on it
 * is undecided. */
static void open_called(lc_config_reader *r, lc_config_call *call)
{
    lc_str path;
    if (is_local(call->source))
        path = join_path(r->arena, call->module->folder, call->source);
    else if (!find_installed(r, call, &path))
        return;
    if (is_local(call->source) && leaves_package(call->module, path)) {
        report_call(r, call, LC_SUMMARY_PACKAGE_ESCAPE,
                    "a path does not leave the package that was installed");
        return;
    }
    bool endless = calls_itself(call->module, path);
    if (endless || call->module->depth >= MAX_NESTING || r->config->modules.count >= MAX_MODULES) {
        lc_diag_error(r->diags, lc_source_pos_loc(call->place),
                      endless ? "the module calls itself" : "there are too many modules");
        return;
    }
    call->child = open_module(r, call->module, call, path, &call->refused);
    if (call->refused.len)
        lc_diag_warning(r->diags, lc_source_pos_loc(call->place),
                        "the module %.*s is not opened, because %.*s", LC_FMT(call->source),
                        LC_FMT(call->refused));
    else if (!call->child)
        report_call(r, call, LC_SUMMARY_MODULE_FOLDER, "")->detail =
            lc_str_printf(r->arena, "the source \"%.*s\" of module \"%.*s\" is not a folder",
                          LC_FMT(call->source), LC_FMT(call->name));
}

/* Opens what the modules of the list call, from `first`. The list grows during the loop, which
 * makes the order breadth first. */
static void open_all_called(lc_config_reader *r, size_t first)
{
    for (size_t i = first; i < r->config->modules.count; i++)
        for (size_t k = 0; k < r->config->modules.items[i]->calls.count; k++)
            open_called(r, r->config->modules.items[i]->calls.items[k]);
}

lc_status lc_configuration_read(lc_configuration *out, lc_arena *arena, lc_profile profile,
                                const lc_config_loader *loader, lc_diags *diags)
{
    size_t errors = diags->errors;
    *out = (lc_configuration){.arena = arena, .profile = profile, .files = loader->files};
    out->budget = LC_NEW(arena, lc_eval_budget);
    out->budget->memory = LC_MAX_MEMORY;
    lc_config_reader r = {.config = out, .arena = arena, .loader = loader, .diags = diags};
    lc_str refused;
    out->root = open_module(&r, NULL, NULL, LC_STR_EMPTY, &refused);
    if (!out->root)
        return LC_EINPUT;
    open_all_called(&r, 0);
    return diags->errors > errors ? LC_EINPUT : LC_OK;
}

/* The caller of the modules of tests is in the folder of the root module, but not in the list. */
lc_status lc_configuration_open_tests(lc_configuration *config, const lc_config_loader *loader,
                                      lc_str folder, const lc_config_folder *files, lc_diags *diags)
{
    size_t errors = diags->errors, first = config->modules.count;
    lc_config_reader r = {.config = config,
                          .arena = config->arena,
                          .loader = loader,
                          .diags = diags,
                          .module = lc_config_module_new(config->arena, NULL, NULL)};
    const lc_module *caller = config->at = r.module;
    for (size_t i = 0; i < files->files.count; i++)
        lc_config_read_tests(&r, folder, &files->files.items[i]);
    for (size_t i = 0; i < caller->calls.count; i++)
        open_called(&r, caller->calls.items[i]);
    open_all_called(&r, first);
    return diags->errors > errors ? LC_EINPUT : LC_OK;
}

/* ---- Sources that clients evaluate before they plan anything: OpenTofu with all variables,
 * Terraform with those that say `const = true`. */

typedef struct sources {
    lc_config_reader reader;
    lc_eval_context around; /* static */
    lc_troubles passed;
    lc_table scopes; /* path of a module -> lc_module_scope * */
} sources;

/* Static evaluation does not know module instances; see lc_provider_expand_blocks. */
static lc_module_scope *static_scope(sources *s, const lc_module *m)
{
    lc_module_scope *scope = lc_table_get(&s->scopes, m->path);
    if (scope)
        return scope;
    lc_module_scope *up = m->parent ? lc_table_get(&s->scopes, m->parent->path) : NULL;
    scope = lc_module_scope_new(s->reader.arena, &s->around, m, up, NULL);
    lc_table_put(&s->scopes, m->path, scope);
    return scope;
}

static void report_source(sources *s, const lc_config_call *call, lc_str summary, lc_str detail,
                          lc_source_pos place)
{
    s->reader.config->at = call->module;
    lc_config_problem *p = lc_config_problem_add(s->reader.config, place, "");
    p->summary = summary;
    p->detail = detail;
    p->address =
        lc_address_below(s->reader.arena, call->module->path,
                         lc_str_printf(s->reader.arena, "module.%.*s", LC_FMT(call->name)));
}

/* A variable of the root module without a value is reported, or left open, with the variables. */
static void report_failure(sources *s, const lc_config_call *call, const lc_eval_error *e)
{
    if (!e->summary.len || lc_str_starts_with(e->summary, LC_STR(LC_SUMMARY_STATIC_INPUT)))
        return;
    report_source(s, call, e->summary, e->detail, e->place);
    for (size_t i = 0; i < s->passed.list.count; i++) {
        const lc_eval_error *passed = &s->passed.list.items[i];
        report_source(s, call, passed->summary, passed->detail, passed->place);
    }
}

/* Values from files are not shown, so they cannot name a folder that messages show. */
static bool is_open(lc_marked v)
{
    return (lc_marks_all(v) & (LC_MARK_UNDECIDED | LC_MARK_HIDDEN)) || lc_is_unknown(v.value);
}

/* Leaves call->source empty if it is not known. */
static void take_source(sources *s, lc_config_call *call, lc_marked v)
{
    lc_str why = LC_STR("the source of a module is not null");
    bool terraform = s->reader.config->profile == LC_PROFILE_TERRAFORM;
    unsigned secret = lc_marks_all(v) & (LC_MARK_SENSITIVE | LC_MARK_EPHEMERAL);
    lc_source_pos place = lc_expr_pos(call->source_value);
    if (secret)
        report_source(s, call,
                      terraform ? LC_STR(LC_SUMMARY_SOURCE_UNKNOWN)
                                : LC_STR(LC_SUMMARY_STATIC_SENSITIVE),
                      LC_STR("the source of a module is shown, so it is not sensitive"), place);
    else if (terraform && lc_is_unknown(v.value) && !(lc_marks_all(v) & LC_MARK_UNDECIDED))
        report_source(s, call, LC_STR(LC_SUMMARY_SOURCE_UNKNOWN),
                      LC_STR("only variables with `const = true` have a value here"), place);
    else if (is_open(v))
        return;
    else if (lc_is_null(v.value) ||
             !lc_marked_convert(&v, s->reader.arena, v, &lc_type_string, &why))
        report_source(s, call,
                      terraform && lc_is_null(v.value) ? LC_STR(LC_SUMMARY_SOURCE_NULL)
                                                       : LC_STR(LC_SUMMARY_UNSUITABLE_TYPE),
                      why, place);
    else
        call->source = v.value->as.string;
}

static void evaluate_source(sources *s, lc_config_call *call)
{
    lc_marked v;
    lc_eval_error trouble;
    s->passed.list.count = 0;
    if (lc_scope_evaluate(&v, static_scope(s, call->module), call->source_value, NULL, &trouble))
        take_source(s, call, v);
    else
        report_failure(s, call, &trouble);
}

lc_status lc_configuration_open_computed(lc_configuration *config, const lc_config_loader *loader,
                                         const lc_eval_context *around, lc_diags *diags)
{
    size_t errors = diags->errors, literal = config->modules.count;
    sources s = {{.config = config, .arena = config->arena, .loader = loader, .diags = diags},
                 *around,
                 {config->arena, {0}},
                 {0}};
    if (config->profile == LC_PROFILE_DOCUMENT)
        return LC_OK;
    s.around.is_static = true;
    s.around.outer = NULL;
    s.around.passed = &s.passed;
    lc_table_init(&s.scopes, config->arena);
    for (size_t i = 0; i < config->modules.count; i++) {
        lc_module *m = config->modules.items[i];
        static_scope(&s, m);
        for (size_t k = 0; k < m->calls.count; k++) {
            lc_config_call *call = m->calls.items[k];
            bool computed = !call->source.len && call->source_value;
            if (computed)
                evaluate_source(&s, call);
            if (call->source.len && (computed || i >= literal))
                open_called(&s.reader, call);
        }
    }
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
