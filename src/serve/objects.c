/* Objects that exist: in memory, or a file for each in a folder, which other processes and people
 * see and may change. An object is known by a key of ours, which the client keeps as private data.
 */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/files/output_file.h"
#include "serve/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STORE_FILE "store.json"

/* Also of what was destroyed, to distinguish it from what never was here. */
typedef struct entry {
    lc_str type;
    char *json; /* on the heap; NULL: it was destroyed */
    size_t len;
} entry;

struct lc_serve_objects {
    lc_arena *arena;
    lc_str folder; /* "": in memory */
    lc_str store;  /* a name of this store, which keys of others do not have */
    uint64_t count;
    lc_table entries;    /* by key */
    LC_VEC(lc_str) keys; /* in the order of creation */
    lc_table by_id;      /* keys by type and `id`: of a folder, of the files that were looked at */
    lc_table looked_at;  /* keys of these files */
};

/* ---- Keys. Other processes make keys in the same folder. */

lc_str lc_serve_new_key(lc_serve_objects *o, lc_arena *arena)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t a = lc_fingerprint_join((uint64_t)now.tv_nsec, (uint64_t)getpid());
    a = lc_fingerprint_join(a, ++o->count);
    return lc_str_printf(arena, "%016llx",
                         (unsigned long long)lc_fingerprint_join(a, (uint64_t)now.tv_sec));
}

lc_str lc_serve_private(lc_serve_objects *o, lc_arena *arena, lc_str key)
{
    return lc_str_printf(arena, "{\"lifecheck\":{\"store\":\"%.*s\",\"object\":\"%.*s\"}}",
                         LC_FMT(o->store), LC_FMT(key));
}

static const lc_node *parse(lc_arena *arena, lc_str text)
{
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    bool ok =
        lc_json_parse(&source, arena, LC_STR("object"), text, &LC_LIMITS_DEFAULT, &diags) == LC_OK;
    return ok ? source.documents : NULL;
}

/* A key is a part of a file name. */
static bool is_key(lc_str key)
{
    for (size_t i = 0; i < key.len; i++) {
        if (!memchr("0123456789abcdef", key.ptr[i], 16))
            return false;
    }
    return key.len == 16;
}

/* Private data come back from a client, perhaps from another provider or edited: they are checked.
 */
lc_str lc_serve_key_of(const lc_serve_objects *o, lc_arena *arena, lc_str private_data,
                       bool *foreign)
{
    const lc_node *ours = lc_node_get(parse(arena, private_data), "lifecheck");
    lc_str key = lc_node_text(ours, "object");
    *foreign = !lc_str_eq(lc_node_text(ours, "store"), o->store);
    return is_key(key) ? key : LC_STR_EMPTY;
}

/* ---- Files. */

static const char *file_of(const lc_serve_objects *o, lc_arena *arena, lc_str type, lc_str key)
{
    return lc_str_to_c(arena, lc_str_printf(arena, "%.*s/%.*s.%.*s.json", LC_FMT(o->folder),
                                            LC_FMT(lc_file_word(arena, type)), LC_FMT(key)));
}

/* A file that is not there is no error. */
static bool read_file(lc_str *out, lc_arena *arena, const char *file)
{
    lc_diags diags;
    lc_diags_init(&diags, arena);
    return access(file, F_OK) == 0 &&
           lc_file_read(out, arena, lc_str_from_c(file), LC_MAX_INPUT_BYTES, &diags) == LC_OK;
}

/* The name stays in the folder: state that a client keeps for months still belongs to it. */
static bool name_store(lc_serve_objects *o, const char *folder, lc_str *why)
{
    const char *file = lc_str_to_c(o->arena, lc_str_printf(o->arena, "%s/" STORE_FILE, folder));
    lc_str text = LC_STR_EMPTY;
    if (read_file(&text, o->arena, file)) {
        o->store = lc_node_text(parse(o->arena, text), "store");
        *why = lc_str_printf(o->arena, "%s is not a file of `lifecheck serve --state-dir`", file);
        return o->store.len != 0;
    }
    text = lc_str_printf(o->arena, "{\"store\":\"%.*s\"}\n", LC_FMT(o->store));
    if (lc_output_file_write(o->arena, file, text))
        return true;
    *why = lc_str_printf(o->arena, "%s: %s", file, strerror(errno));
    return false;
}

/* A lock on the folder itself needs no file of its own, and ends with the process. */
int lc_serve_lock_folder(const lc_serve_objects *o)
{
    lc_arena *scratch = lc_arena_new_small();
    int fd = o->folder.len ? open(lc_str_to_c(scratch, o->folder), O_RDONLY | O_CLOEXEC) : -1;
    lc_arena_free(scratch);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    return fd;
}

/* The name of the store of a folder, which is made once, also if several processes begin with it at
 * the same time. */
static bool open_folder(lc_serve_objects *o, lc_str *why)
{
    const char *folder = lc_str_to_c(o->arena, o->folder);
    bool made = mkdir(folder, 0700) == 0 || errno == EEXIST;
    int fd = made && access(folder, W_OK | X_OK) == 0 ? lc_serve_lock_folder(o) : -1;
    *why = lc_str_printf(o->arena, "%s: %s", folder, strerror(errno));
    if (fd < 0)
        return false;
    bool named = name_store(o, folder, why);
    close(fd);
    return named;
}

lc_serve_objects *lc_serve_objects_new(lc_arena *arena, lc_str folder)
{
    lc_serve_objects *o = LC_NEW(arena, lc_serve_objects);
    *o = (lc_serve_objects){.arena = arena, .folder = folder};
    lc_table_init(&o->entries, arena);
    lc_table_init(&o->by_id, arena);
    lc_table_init(&o->looked_at, arena);
    o->store = lc_serve_new_key(o, arena);
    return o;
}

bool lc_serve_objects_open(lc_serve_objects *o, lc_str *why)
{
    return !o->folder.len || open_folder(o, why);
}

/* ---- What exists. */

static lc_str type_and_id(lc_arena *arena, lc_str type, lc_str id)
{
    return lc_str_printf(arena, "%.*s %.*s", LC_FMT(type), LC_FMT(id));
}

/* Imports ask by `id`; reading every object for each of them would take quadratic time. Of several
 * objects with one id the last one is found. */
static void index_id(lc_serve_objects *o, lc_str type, lc_str key, lc_str json)
{
    lc_arena *scratch = lc_arena_new_small();
    lc_str id = lc_node_text(parse(scratch, json), "id");
    lc_str *found = id.len ? lc_table_get(&o->by_id, type_and_id(scratch, type, id)) : NULL;
    if (id.len && !found) {
        found = LC_NEW(o->arena, lc_str);
        lc_table_put(&o->by_id, type_and_id(o->arena, type, id), found);
    }
    if (found)
        *found = lc_str_copy(o->arena, key);
    lc_arena_free(scratch);
}

static void look_at(lc_serve_objects *o, lc_str type, lc_str key, lc_str json)
{
    if (!lc_table_get(&o->looked_at, key))
        lc_table_put(&o->looked_at, lc_str_copy(o->arena, key), o);
    index_id(o, type, key, json);
}

static void remember(lc_serve_objects *o, lc_str type, lc_str key, lc_str json)
{
    entry *e = lc_table_get(&o->entries, key);
    if (!e) {
        e = LC_NEW(o->arena, entry);
        key = lc_str_copy(o->arena, key);
        e->type = type;
        lc_table_put(&o->entries, key, e);
        *LC_PUSH(o->arena, &o->keys, lc_str) = key;
    }
    index_id(o, type, key, json);
    e->json = lc_heap_resize(e->json, json.len + 1);
    memcpy(e->json, json.ptr, json.len);
    e->len = json.len;
}

bool lc_serve_keep(lc_serve_objects *o, lc_arena *arena, lc_str type, lc_str key, lc_str json,
                   lc_str *why)
{
    if (!o->folder.len) {
        remember(o, type, key, json);
        return true;
    }
    const char *file = file_of(o, arena, type, key);
    if (lc_output_file_write(arena, file, json)) {
        look_at(o, type, key, json);
        return true;
    }
    *why = lc_str_printf(arena, "%s cannot be written: %s", file, strerror(errno));
    return false;
}

void lc_serve_forget(lc_serve_objects *o, lc_arena *arena, lc_str type, lc_str key)
{
    entry *e = lc_table_get(&o->entries, key);
    if (o->folder.len)
        unlink(file_of(o, arena, type, key));
    if (e) {
        lc_heap_free(e->json);
        e->json = NULL;
    }
}

lc_serve_found lc_serve_find(lc_serve_objects *o, lc_arena *arena, lc_str type, lc_str key,
                             lc_str *json)
{
    const entry *e = lc_table_get(&o->entries, key);
    if (o->folder.len)
        return read_file(json, arena, file_of(o, arena, type, key)) ? LC_SERVE_HERE : LC_SERVE_GONE;
    if (!e)
        return LC_SERVE_UNKNOWN;
    *json = (lc_str){e->json, e->len};
    return e->json ? LC_SERVE_HERE : LC_SERVE_GONE;
}

static bool has_id(lc_arena *arena, lc_str json, lc_str id)
{
    const lc_node *node = parse(arena, json);
    return node && lc_str_eq(lc_node_text(node, "id"), id);
}

/* TYPE.KEY.json; of 16 digits, and 5 letters. "": another file. */
static lc_str key_of_file(lc_arena *arena, lc_str type, lc_str name)
{
    lc_str prefix = lc_str_printf(arena, "%.*s.", LC_FMT(lc_file_word(arena, type)));
    if (!lc_str_starts_with(name, prefix) || name.len != prefix.len + 16 + 5)
        return LC_STR_EMPTY;
    return lc_str_sub(name, prefix.len, prefix.len + 16);
}

static void each_in_folder(lc_serve_objects *o, lc_arena *arena, lc_str type, const lc_table *but,
                           bool (*each)(void *context, lc_str key, lc_str json), void *context)
{
    lc_str *names, json;
    size_t count = 0;
    bool on = lc_folder_list(&names, &count, arena, o->folder);
    for (size_t i = 0; on && i < count; i++) {
        lc_str key = key_of_file(arena, type, names[i]);
        if (key.len && !(but && lc_table_get(but, key)) &&
            lc_serve_find(o, arena, type, key, &json) == LC_SERVE_HERE)
            on = each(context, key, json);
    }
}

typedef struct search {
    lc_serve_objects *o;
    lc_str type;
} search;

static bool look_at_one(void *context, lc_str key, lc_str json)
{
    const search *s = context;
    look_at(s->o, s->type, key, json);
    return true;
}

/* The object may have got another id, or be gone. */
static lc_str indexed(lc_serve_objects *o, lc_arena *arena, lc_str type, lc_str id)
{
    const lc_str *key = lc_table_get(&o->by_id, type_and_id(arena, type, id));
    lc_str json;
    bool is = key && lc_serve_find(o, arena, type, *key, &json) == LC_SERVE_HERE &&
              has_id(arena, json, id);
    return is ? *key : LC_STR_EMPTY;
}

/* Of a folder each file of the type is read once, however often this is asked. */
lc_str lc_serve_key_by_id(lc_serve_objects *o, lc_arena *arena, lc_str type, lc_str id)
{
    search s = {o, type};
    lc_str key = indexed(o, arena, type, id);
    if (key.len || !o->folder.len)
        return key;
    each_in_folder(o, arena, type, &o->looked_at, look_at_one, &s);
    return indexed(o, arena, type, id);
}

void lc_serve_each(lc_serve_objects *o, lc_arena *arena, lc_str type,
                   bool (*each)(void *context, lc_str key, lc_str json), void *context)
{
    if (o->folder.len) {
        each_in_folder(o, arena, type, NULL, each, context);
        return;
    }
    bool on = true;
    for (size_t i = 0; on && i < o->keys.count; i++) {
        const entry *e = lc_table_get(&o->entries, o->keys.items[i]);
        if (e->json && lc_str_eq(e->type, type))
            on = each(context, o->keys.items[i], (lc_str){e->json, e->len});
    }
}
