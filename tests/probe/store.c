/* The world of the provider: what exists, in memory and, if PEER_STATE names a folder, in a file
 * for each object, so that another process knows it too. As with a real service, an object is only
 * there for who has the settings that it was created with; others get an error. */
#include "peer.h"

#include "lifecheck/codec/codec.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *file_of(peer_call *call, lc_str type, lc_str id, const char *what)
{
    const char *folder = plugin_setting("PEER_STATE", NULL);
    if (!folder || memchr(id.ptr, '/', id.len) || memchr(id.ptr, 0, id.len) || id.len > 100)
        return NULL;
    return lc_str_to_c(call->arena, lc_str_printf(call->arena, "%s/%.*s.%.*s.%s", folder,
                                                  LC_FMT(type), LC_FMT(id), what));
}

static peer_object *object_of(peer *p, lc_str type, lc_str id)
{
    for (size_t i = 0; i < p->objects.count; i++)
        if (lc_str_eq(p->objects.items[i].type, type) && lc_str_eq(p->objects.items[i].id, id))
            return &p->objects.items[i];
    return NULL;
}

/* An empty text removes the file. */
static void write_file(const char *file, lc_str text)
{
    FILE *out = file && text.len ? fopen(file, "w") : NULL;
    if (file && !text.len)
        unlink(file);
    if (out) {
        fwrite(text.ptr, 1, text.len, out);
        fclose(out);
    }
}

static lc_str read_file(peer_call *call, const char *file)
{
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, call->arena);
    return access(file, R_OK) == 0 && lc_file_read(&text, call->arena, lc_str_from_c(file),
                                                   LC_MAX_INPUT_BYTES, &diags) == LC_OK
               ? text
               : LC_STR_EMPTY;
}

static const char *named(peer_call *call, const char *name)
{
    const char *folder = plugin_setting("PEER_STATE", NULL);
    return folder ? lc_str_to_c(call->arena, lc_str_printf(call->arena, "%s/%s", folder, name))
                  : NULL;
}

lc_str peer_file_read(peer_call *call, const char *name)
{
    const char *file = named(call, name);
    return file ? read_file(call, file) : LC_STR_EMPTY;
}

void peer_file_write(peer_call *call, const char *name, lc_str text)
{
    write_file(named(call, name), text);
}

/* What is in the folder, else what is remembered. */
size_t peer_ids(peer_call *call, lc_str type, const lc_str **out)
{
    LC_VEC(lc_str) ids = {0};
    const char *folder = plugin_setting("PEER_STATE", NULL);
    DIR *entries = folder ? opendir(folder) : NULL;
    lc_str prefix = lc_str_printf(call->arena, "%.*s.", LC_FMT(type));
    for (struct dirent *e; entries && (e = readdir(entries));) {
        lc_str name = lc_str_copy(call->arena, lc_str_from_c(e->d_name));
        if (lc_str_starts_with(name, prefix) && lc_str_ends_with(name, LC_STR(".json")))
            *LC_PUSH(call->arena, &ids, lc_str) = lc_str_sub(name, prefix.len, name.len - 5);
    }
    if (entries)
        closedir(entries);
    for (size_t i = 0; !folder && i < call->p->objects.count; i++) {
        const peer_object *o = &call->p->objects.items[i];
        if (lc_str_eq(o->type, type) && o->json.len)
            *LC_PUSH(call->arena, &ids, lc_str) = o->id;
    }
    lc_str_sort(ids.items, ids.count);
    *out = ids.items;
    return ids.count;
}

static void keep(peer_call *call, lc_str id, lc_str json)
{
    peer *p = call->p;
    lc_str type = call->schema->type_name;
    peer_object *object = object_of(p, type, id);
    if (!object) {
        object = LC_PUSH(p->arena, &p->objects, peer_object);
        object->type = type;
        object->id = lc_str_copy(p->arena, id);
    }
    object->json = lc_str_copy(p->arena, json);
    object->settings = p->settings;
    write_file(file_of(call, type, id, "json"), json);
    write_file(file_of(call, type, id, "settings"), json.len ? p->settings : LC_STR_EMPTY);
}

static lc_str kept(peer_call *call, lc_str id)
{
    lc_str type = call->schema->type_name;
    const char *file = file_of(call, type, id, "json");
    if (file)
        return read_file(call, file);
    peer_object *object = object_of(call->p, type, id);
    return object ? object->json : LC_STR_EMPTY;
}

/* Does the object belong to other settings? Then the call fails. */
static bool is_foreign(peer_call *call, const lc_value *id)
{
    lc_str type = call->schema->type_name, settings;
    if (!lc_is_known(id) || kept(call, id->as.string).len == 0)
        return false;
    const char *file = file_of(call, type, id->as.string, "settings");
    settings = file ? read_file(call, file) : object_of(call->p, type, id->as.string)->settings;
    if (lc_str_eq(settings, call->p->settings))
        return false;
    peer_error(call, LC_STR_EMPTY, "Object of another account",
               LC_STR("The provider is configured otherwise than when it created the object."));
    return true;
}

static lc_str new_id(peer_call *call)
{
    lc_str id;
    size_t n = 1;
    do
        id = lc_str_printf(call->arena, "%.*s-%zu", LC_FMT(call->schema->type_name), n++);
    while (kept(call, id).len);
    return id;
}

static void store(peer_call *call, const lc_value *state)
{
    lc_buf json = {0};
    lc_str why;
    const lc_value *id = peer_get(state, "id");
    if (lc_is_known(id) && lc_ctyjson_encode(&json, state, call->schema->block->implied, &why))
        keep(call, id->as.string, lc_buf_str(&json));
    lc_buf_release(&json);
}

/* ---- Applying */

static const lc_value *decided(peer_call *call, const lc_value *v, lc_str id);

static void decide_many(lc_value *out, peer_call *call, const lc_value *v, lc_str id)
{
    lc_value *elems = LC_NEW_ARRAY(call->arena, lc_value, v->count);
    lc_str *keys = LC_NEW_ARRAY(call->arena, lc_str, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        elems[i] = *decided(call, &v->as.many.elems[i], id);
        if (v->type->kind == LC_TYPE_MAP)
            keys[i] = v->as.many.keys[i];
    }
    if (v->type->kind == LC_TYPE_LIST)
        lc_value_set_list(out, call->arena, v->type, elems, v->count);
    else if (v->type->kind == LC_TYPE_SET)
        lc_value_set_set(out, call->arena, v->type, elems, v->count);
    else if (v->type->kind == LC_TYPE_MAP)
        lc_value_set_map(out, call->arena, v->type, keys, elems, v->count);
    else if (v->type->kind == LC_TYPE_TUPLE)
        lc_value_set_tuple(out, call->arena, v->type, elems, v->count);
    else
        lc_value_set_object(out, call->arena, v->type, elems);
}

/* The value with a known one for each unknown; configurations are known when they are applied. */
static const lc_value *decided(peer_call *call, const lc_value *v, lc_str id)
{
    if (lc_is_wholly_known(v))
        return v;
    if (lc_is_unknown(v))
        return v->type->kind == LC_TYPE_STRING ? peer_text(call->arena, id)
                                               : peer_null(call->arena, v->type);
    lc_value *out = LC_NEW(call->arena, lc_value);
    decide_many(out, call, v, id);
    return out;
}

static lc_str next_revision(peer_call *call, const lc_value *prior)
{
    const lc_value *before = peer_get(prior, "revision");
    unsigned n = 0;
    if (lc_is_known(before) && before->as.string.len < 20)
        sscanf(lc_str_to_c(call->arena, before->as.string), "r%u", &n);
    return lc_str_printf(call->arena, "r%u", n + 1);
}

const lc_value *peer_apply(peer_call *call, const lc_value *prior, const lc_value *planned)
{
    const bool *faults = call->p->faults;
    lc_arena *arena = call->arena;
    if (faults[APPLY_DIES])
        plugin_panic("apply");
    call->never = faults[APPLY_HANGS];
    if (is_foreign(call, peer_get(prior, "id")))
        return prior;
    if (lc_is_null(planned)) {
        const lc_value *id = peer_get(prior, "id");
        if (lc_is_known(id) && !faults[DESTROY_FORGETS])
            keep(call, id->as.string, LC_STR_EMPTY);
        return faults[DESTROY_FORGETS] ? prior : planned;
    }
    const lc_value *id = peer_get(planned, "id");
    lc_str name = lc_is_known(id) ? id->as.string : new_id(call);
    const lc_value *state = planned;
    if (lc_is_unknown(peer_get(planned, "revision")))
        state = peer_with(arena, state, "revision", peer_text(arena, next_revision(call, prior)));
    state = decided(call, state, name);
    if (faults[APPLY_CHANGES])
        state = peer_with(arena, state, "url", peer_text(arena, LC_STR("of-another")));
    store(call, state);
    if (faults[APPLY_UNKNOWN])
        state = peer_with(arena, state, "revision", peer_unknown(arena, &lc_type_string));
    if (faults[APPLY_FAILS])
        peer_error(call, LC_STR_EMPTY, "Error creating the object",
                   LC_STR("The service answered 503 after it had begun."));
    return state;
}

const lc_value *peer_import(peer_call *call, lc_str id)
{
    const lc_value *state;
    const lc_type *type = call->schema->block->implied;
    lc_wire_result result;
    lc_str json = kept(call, id);
    if (call->p->faults[IMPORT_NULL] || is_foreign(call, peer_text(call->arena, id)))
        return peer_null(call->arena, type);
    if (json.len && lc_ctyjson_decode(&state, call->arena, json, type, &result))
        return state;
    if (call->p->local && id.len)
        return peer_with(call->arena, lc_block_empty_value(call->arena, call->schema->block), "id",
                         peer_text(call->arena, id));
    peer_error(call, LC_STR_EMPTY, "Cannot import non-existent remote object",
               lc_str_printf(call->arena, "There is no %.*s with the id \"%.*s\".",
                             LC_FMT(call->schema->type_name), LC_FMT(id)));
    return peer_null(call->arena, type);
}

const lc_value *peer_read(peer_call *call, const lc_value *state)
{
    const bool *faults = call->p->faults;
    const lc_value *id = peer_get(state, "id"), *now = peer_null(call->arena, state->type);
    lc_str json = lc_is_known(id) ? kept(call, id->as.string) : LC_STR_EMPTY;
    lc_wire_result result;
    if (is_foreign(call, id) || (call->p->local && !json.len))
        return state;
    if (json.len && !faults[READ_FORGETS] &&
        !lc_ctyjson_decode(&now, call->arena, json, call->schema->block->implied, &result))
        peer_error(call, LC_STR_EMPTY, "Stored object cannot be read", result.problem.message);
    if (faults[READ_DRIFTS] && lc_is_known(now))
        now = peer_with(call->arena, now, "slug",
                        peer_text(call->arena, lc_str_printf(call->arena, "drift-%llu",
                                                             (unsigned long long)call->p->count)));
    if (faults[READ_UNKNOWN] && lc_is_known(now))
        now = peer_with(call->arena, now, "slug", peer_unknown(call->arena, &lc_type_string));
    return now;
}

/* ---- Upgrades */

/* The JSON of an older object in the names of today: version 0 said `label` for title, version 1
 * had sizes as strings. */
static void write_today(lc_buf *out, peer_call *call, const lc_node *old, int64_t version)
{
    const lc_type *type = call->schema->block->implied;
    lc_json w = {.out = out};
    lc_json_object(&w, NULL);
    for (uint32_t i = 0; i < type->count; i++) {
        lc_str name = type->as.attrs[i].name;
        bool title = lc_str_is(name, "title");
        const lc_node *v = lc_node_value(old, title && version == 0 ? LC_STR("label") : name);
        lc_json_key(&w, name);
        if (!v)
            lc_json_null(&w, NULL);
        else if (lc_str_is(name, "size") && v->kind == LC_NODE_STRING)
            lc_json_raw(&w, NULL, v->as.text);
        else if (v->kind == LC_NODE_NUMBER && type->as.attrs[i].type->kind == LC_TYPE_STRING)
            lc_json_str(&w, NULL, v->as.text);
        else
            lc_json_raw(&w, NULL, lc_node_json(call->arena, v));
    }
    lc_json_end_object(&w);
}

static const lc_value *bent_upgrade(peer_call *call, int64_t version, const lc_value *state)
{
    peer *p = call->p;
    lc_arena *arena = call->arena;
    bool current = version == call->schema->version;
    if (p->faults[UPGRADE_LOST])
        return peer_null(arena, state->type);
    if (p->faults[UPGRADE_UNKNOWN])
        state = peer_with(arena, state, "slug", peer_unknown(arena, &lc_type_string));
    if (p->faults[UPGRADE_PIN])
        state = peer_with(arena, state, "pin", peer_text(arena, LC_STR("1234")));
    const lc_value *rules = peer_get(state, "rule");
    if (p->faults[UPGRADE_NO_BLOCKS] && lc_is_known(rules) && rules->count == 0)
        state = peer_with(arena, state, "rule", peer_null(arena, rules->type));
    if (p->faults[UPGRADE_CHANGES] && current)
        state = peer_with(arena, state, "note", peer_text(arena, LC_STR("upgraded")));
    if (p->faults[UPGRADE_AGAIN] && current) {
        const lc_value *note = peer_get(state, "note");
        lc_str text = lc_is_known(note) ? note->as.string : LC_STR_EMPTY;
        text = lc_str_printf(arena, "%.*s+", LC_FMT(text));
        state = peer_with(arena, state, "note", peer_text(arena, text));
    }
    return state;
}

const lc_value *peer_upgrade(peer_call *call, lc_str json, int64_t version)
{
    const bool *faults = call->p->faults;
    const lc_type *type = call->schema->block->implied;
    const lc_value *state = peer_null(call->arena, type);
    lc_diags diags;
    lc_source source;
    lc_wire_result result = {.problem.message = LC_STR("not JSON")};
    lc_buf today = {0};
    lc_diags_init(&diags, call->arena);
    if (faults[UPGRADE_DIES] || (version > call->schema->version && faults[NEWER_DIES]))
        plugin_panic("upgrade");
    if (version > call->schema->version && !faults[NEWER_TAKEN]) {
        peer_error(call, LC_STR_EMPTY, "Unable to Upgrade Resource State",
                   lc_str_printf(call->arena,
                                 "This resource was implemented without an UpgradeState() method "
                                 "for version %lld.",
                                 (long long)version));
        return state;
    }
    if (lc_json_parse(&source, call->arena, LC_STR("state"), json, &LC_LIMITS_DEFAULT, &diags) ==
        LC_OK) {
        if (lc_node_is_null(source.documents))
            return state;
        write_today(&today, call, source.documents, version);
        if (lc_ctyjson_decode(&state, call->arena, lc_buf_take(call->arena, &today), type, &result))
            return bent_upgrade(call, version, state);
    }
    peer_error(call, LC_STR_EMPTY, "Unable to Read Previously Saved State", result.problem.message);
    return peer_null(call->arena, type);
}
