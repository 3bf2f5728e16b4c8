/* The schemas that plans, states and calls are fuzzed with, as a string, and as a document that is
 * opened like any other though it stands in no folder. */
#ifndef LC_S_FUZZ_SMALL_SCHEMAS_H
#define LC_S_FUZZ_SMALL_SCHEMAS_H

#include "lifecheck/base/arena.h"

#include <stdio.h>
#include <stdlib.h>

static const char small_schemas[] =
    "{\"format_version\":\"1.0\",\"provider_schemas\":{"
    "\"terraform.io/builtin/"
    "terraform\":{\"provider\":{\"version\":0,\"block\":{}},\"resource_schemas\":{\"terraform_"
    "data\":{\"version\":0,"
    "\"block\":{\"attributes\":{\"id\":{\"type\":\"string\",\"computed\":true},"
    "\"input\":{\"type\":\"dynamic\",\"optional\":true},"
    "\"output\":{\"type\":\"dynamic\",\"computed\":true},"
    "\"triggers_replace\":{\"type\":\"dynamic\",\"optional\":true}}}}}},"
    "\"x/y/"
    "z\":{\"provider\":{\"version\":0,\"block\":{}},\"resource_schemas\":{\"z_a\":{\"version\":1,"
    "\"block\":{\"attributes\":{"
    "\"id\":{\"type\":\"string\",\"computed\":true},"
    "\"name\":{\"type\":\"string\",\"required\":true},"
    "\"size\":{\"type\":\"number\",\"optional\":true,\"computed\":true},"
    "\"secret\":{\"type\":\"string\",\"optional\":true,\"sensitive\":true},"
    "\"wo\":{\"type\":\"string\",\"optional\":true,\"write_only\":true},"
    "\"tags\":{\"type\":[\"map\",\"string\"],\"optional\":true,\"sensitive\":true},"
    "\"rules\":{\"nested_type\":{\"nesting_mode\":\"set\",\"attributes\":{"
    "\"p\":{\"type\":\"number\",\"optional\":true},"
    "\"q\":{\"type\":\"string\",\"computed\":true,\"sensitive\":true}}},\"optional\":true}},"
    "\"block_types\":{\"b\":{\"nesting_mode\":\"list\",\"block\":{\"attributes\":{"
    "\"u\":{\"type\":\"bool\",\"optional\":true},"
    "\"v\":{\"type\":[\"set\",\"string\"],\"optional\":true,\"computed\":true}}}}}}}},"
    "\"data_source_schemas\":{\"z_d\":{\"version\":0,\"block\":{\"attributes\":{"
    "\"q\":{\"type\":\"string\",\"optional\":true},"
    "\"r\":{\"type\":[\"list\",\"number\"],\"computed\":true}}}}}}}}";

/* A file without a name, which is there as long as the program runs. */
static inline lc_str small_schemas_path(lc_arena *arena)
{
    static FILE *file;
    if (!file) {
        file = tmpfile();
        if (!file || fputs(small_schemas, file) < 0 || fflush(file) != 0)
            abort();
    }
    return lc_str_printf(arena, "/dev/fd/%d", fileno(file));
}

#endif
