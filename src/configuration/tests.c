/* Test files, as far as they name modules: `run "name" { module { source = ... } }`. What they
 * override, mock and assert is passed over. Source: the clients' packages configs and initwd. */
#include "configuration/body.h"

#include "lifecheck/base/arena.h"

static const lc_body_name file_names[] = {{"run", LC_NAME_LABELLED, 0}, {NULL, 0, 0}};
static const lc_body_name run_names[] = {{"module", LC_NAME_BLOCK, 0}, {NULL, 0, 0}};
static const lc_body_name module_names[] = {
    {"source", LC_NAME_ARGUMENT, 0}, {"version", LC_NAME_ARGUMENT, 0}, {NULL, 0, 0}};

static const struct {
    const char *suffix;
    bool kept; /* in the names of installed modules */
    bool opentofu;
} suffixes[] = {{".tftest.hcl", false, false},
                {".tftest.json", true, false},
                {".tofutest.hcl", false, true},
                {".tofutest.json", true, true}};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

/* The row; SUFFIXES: no test file. */
static size_t suffix_of(lc_str name)
{
    size_t i = 0;
    while (i < SUFFIXES && !lc_str_ends_with(name, lc_str_from_c(suffixes[i].suffix)))
        i++;
    return i;
}

bool lc_config_is_test(lc_str name, lc_profile profile)
{
    size_t i = suffix_of(name);
    return i < SUFFIXES && (!suffixes[i].opentofu || profile == LC_PROFILE_OPENTOFU);
}

/* tests/a.tftest.hcl -> test.tests.a: what the names of a file's modules begin with. */
static lc_str install_name(lc_arena *arena, lc_str folder, lc_str file)
{
    lc_buf buf = {0};
    size_t suffix = suffix_of(file);
    size_t cut = suffixes[suffix].kept ? 0 : lc_str_from_c(suffixes[suffix].suffix).len;
    lc_buf_add_str(&buf, LC_STR("test."));
    for (size_t i = 0; i < folder.len; i++)
        lc_buf_add_char(&buf, folder.ptr[i] == '/' ? '.' : folder.ptr[i]);
    if (folder.len)
        lc_buf_add_char(&buf, '.');
    lc_buf_add_str(&buf, lc_str_sub(file, 0, file.len - cut));
    return lc_buf_take(arena, &buf);
}

static void read_run(lc_config_reader *r, const lc_config_block *run, lc_str prefix)
{
    lc_body_content content = lc_body_read_some(r, &run->body, run_names);
    for (size_t i = 0; i < content.blocks.count; i++) {
        lc_body_content inner = lc_body_read_some(r, &content.blocks.items[i].body, module_names);
        const lc_config_argument *source = lc_body_argument(&inner, "source");
        if (!source)
            continue;
        lc_config_call *call = LC_NEW(r->arena, lc_config_call);
        *call = (lc_config_call){
            .module = r->module,
            .name = lc_str_printf(r->arena, "%.*s.%.*s", LC_FMT(prefix), LC_FMT(run->labels[0])),
            .run = run->labels[0],
            .source = lc_config_text(r, source->value),
            .source_place = lc_config_value_place(source->value),
            .place = run->place};
        *LC_PUSH(r->arena, &r->module->calls, lc_config_call *) = call;
    }
}

void lc_config_read_tests(lc_config_reader *r, lc_str folder, const lc_config_file *file)
{
    const lc_config_body body = {file->source, file->root, file->native};
    r->source = file->source;
    r->file = file->name;
    r->converted = false;
    r->scratch = lc_arena_new();
    lc_body_content content = lc_body_read_some(r, &body, file_names);
    for (size_t i = 0; i < content.blocks.count; i++)
        read_run(r, &content.blocks.items[i], install_name(r->arena, folder, file->name));
    lc_arena_free(r->scratch);
    r->scratch = NULL;
}
