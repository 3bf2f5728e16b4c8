/* Objects that a command created and could not destroy. */
#include "cli/commands/drive/undestroyed.h"
#include "cli/internal.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MAX_OBJECT_FILES 1000

static void write_undestroyed(lc_buf *out, lc_str provider, const lc_undestroyed_object *object)
{
    lc_json w = {.out = out, .indent = 2, .spaced = true};
    lc_buf private_data = {0};
    lc_base64_encode(&private_data, object->private_data);
    lc_json_object(&w, NULL);
    lc_json_str(&w, "provider", provider);
    lc_json_str(&w, "resource", object->resource);
    lc_json_str(&w, "type", object->type);
    lc_json_int(&w, "schema_version", object->schema->version);
    lc_json_bool(&w, "exists", object->certain);
    if (object->state)
        lc_value_add_scenario_json(lc_json_value(&w, "state"), object->state,
                                   object->schema->block->implied);
    lc_json_str(&w, "private", lc_buf_str(&private_data));
    lc_json_end_object(&w);
    lc_buf_add_char(out, '\n');
    lc_buf_release(&private_data);
}

/* A new file that only its owner reads, since all of the object is in it. */
static lc_str keep_undestroyed(lc_arena *arena, lc_str provider,
                               const lc_undestroyed_object *object)
{
    lc_buf json = {0};
    lc_str name = LC_STR_EMPTY;
    int fd = -1, number = 0;
    for (errno = EEXIST; fd < 0 && errno == EEXIST && number < MAX_OBJECT_FILES;) {
        name = lc_str_printf(arena, "lifecheck-left-%.*s-%d.json",
                             LC_FMT(lc_file_word(arena, object->type)), ++number);
        fd = open(lc_str_to_c(arena, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    write_undestroyed(&json, provider, object);
    bool good = fd >= 0 && lc_write_all(fd, lc_buf_str(&json));
    if (fd >= 0)
        good = close(fd) == 0 && good;
    lc_buf_release(&json);
    return good ? name : LC_STR_EMPTY;
}

/* Its id, unless that is a secret. */
static lc_str id_of(const lc_undestroyed_object *object)
{
    const lc_attribute *a = lc_block_attribute(object->schema->block, LC_STR("id"));
    const lc_value *id = object->state ? lc_value_attr(object->state, LC_STR("id")) : NULL;
    bool shown = a && !a->sensitive && id && lc_is_known(id) && id->type->kind == LC_TYPE_STRING;
    return shown ? id->as.string : LC_STR_EMPTY;
}

void lc_report_undestroyed(lc_arena *arena, lc_str provider, const lc_undestroyed_object *object)
{
    lc_str id = id_of(object), file = keep_undestroyed(arena, provider, object);
    lc_buf how = {0};
    if (object->settings_loc.file.len)
        lc_buf_printf(&how, ", with the configuration of the provider in %.*s, line %u",
                      LC_FMT(object->settings_loc.file), object->settings_loc.line);
    lc_message("NOT DESTROYED: %.*s%s%.*s%s%s: destroy it manually%.*s; %s%.*s",
               LC_FMT(object->resource), id.len ? " (id " : "", LC_FMT(id), id.len ? ")" : "",
               object->certain ? " exists" : " may exist, the provider did not report it",
               LC_FMT(lc_buf_str(&how)),
               file.len ? "its last known values are in "
                        : "its last known values could not be written to a file",
               LC_FMT(file));
    lc_buf_release(&how);
}
