/* A configuration of one file, main.tf.json of the root module, and what surrounds it. */
#ifndef LC_S_UNIT_ONE_FILE_H
#define LC_S_UNIT_ONE_FILE_H

#include "lifecheck/base/diag.h"
#include "lifecheck/configuration/configuration.h"
#include "lifecheck/configuration/expression.h"
#include "lifecheck/configuration/scope.h"
#include "lifecheck/yaml_json/node.h"
#include "unit.h"

typedef struct one_file {
    lc_arena *arena; /* of all this; the test frees it */
    lc_source source;
    lc_configuration config;
    lc_eval_context around; /* no variables are given */
} one_file;

static inline bool open_root(void *context, lc_arena *arena, lc_str path, lc_config_folder *out)
{
    one_file *f = context;
    if (path.len > 0)
        return false;
    *LC_PUSH(arena, &out->files, lc_config_file) = (lc_config_file){
        .name = LC_STR("main.tf.json"), .source = &f->source, .root = &f->source.documents[0]};
    return true;
}

static inline void one_file_read(one_file *f, lc_profile profile, const char *text)
{
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    f->arena = lc_arena_new();
    lc_diags_init(&diags, f->arena);
    ck_assert(lc_json_parse(&f->source, f->arena, LC_STR("main.tf.json"), lc_str_from_c(text),
                            &limits, &diags) == LC_OK);
    lc_config_loader loader = {.context = f, .open = open_root};
    ck_assert(lc_configuration_read(&f->config, f->arena, profile, &loader, &diags) == LC_OK);
    f->around = (lc_eval_context){.config = &f->config};
    lc_table_init(&f->around.variables, f->arena);
}

#endif
