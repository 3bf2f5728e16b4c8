/* Lists of the objects that exist, as a stream of events. Attributes of the configuration select
 * those objects that have the same value. */
#include "lifecheck/base/arena.h"
#include "lifecheck/codec/codec.h"
#include "serve/internal.h"

typedef struct list {
    lc_serve_call *call;
    const lc_schema *managed; /* of the objects */
    const lc_value *config;
    uint64_t count;
} list;

/* What the configuration leaves open, or what the managed type does not have, selects nothing. */
static bool selects(const lc_value *config, const lc_value *object)
{
    const lc_type *type = config->type;
    for (uint32_t i = 0; lc_is_known(config) && i < config->count; i++) {
        const lc_value *wanted = &config->as.many.elems[i];
        const lc_value *has = lc_value_attr(object, type->as.attrs[i].name);
        if (lc_is_known(wanted) && has && lc_type_equal(has->type, wanted->type) &&
            !lc_value_same(has, wanted))
            return false;
    }
    return true;
}

static lc_str display_name(const lc_value *object, lc_str key)
{
    static const char *const names[] = {"name", "id"};
    for (size_t i = 0; i < 2; i++) {
        const lc_value *v = lc_value_attr(object, lc_str_from_c(names[i]));
        if (v && lc_is_known(v) && v->type->kind == LC_TYPE_STRING)
            return v->as.string;
    }
    return key;
}

static void send_event(const list *l, lc_str name)
{
    lc_serve_call *call = l->call;
    const lc_serve_reply *reply = &call->reply;
    lc_buf json = {0};
    lc_json w = {.out = &json};
    if (reply->error_before)
        lc_serve_send_text(call, LC_STR("{\"diagnostic\":[{\"severity\":\"ERROR\",\"summary\":"
                                        "\"Object cannot be read\"}]}"));
    lc_json_object(&w, NULL);
    if (reply->identity) {
        lc_json_object(&w, "identity");
        lc_serve_add_value(&w, "identity_data", reply->identity, l->managed->identity_type);
        lc_json_end_object(&w);
    }
    lc_json_str(&w, "display_name", name);
    if (reply->value && lc_pj_bool(call->request, "include_resource_object"))
        lc_serve_add_value(&w, "resource_object", reply->value, reply->type);
    lc_json_end_object(&w);
    for (int i = 0; i < 1 + reply->twice; i++)
        lc_serve_send(call, &json);
    lc_buf_release(&json);
}

/* An event is a reply of its own, which may violate a requirement on purpose. For that the call is,
 * for a moment, one about the managed type. */
static void send_object(const list *l, lc_str key, const lc_value *object)
{
    lc_serve_call *call = l->call;
    const lc_schema *schema = call->schema;
    const lc_serve_maker m = {
        .arena = call->arena, .type = l->managed->type_name, .key = key, .data = false};
    call->schema = l->managed;
    call->reply = (lc_serve_reply){.value = object,
                                   .type = l->managed->block->implied,
                                   .identity = lc_serve_make_identity(&m, l->managed, object)};
    lc_serve_bend(call);
    send_event(l, display_name(object, key));
    call->schema = schema;
    call->reply = (lc_serve_reply){0};
}

/* False ends the list. A stored object that cannot be read is left out: reading it as a resource
 * reports what is wrong. */
static bool list_one(void *context, lc_str key, lc_str json)
{
    list *l = context;
    const lc_value *object;
    lc_wire_result result;
    int64_t limit = lc_pj_int(l->call->request, "limit");
    if (limit > 0 && l->count >= (uint64_t)limit)
        return false;
    if (!lc_ctyjson_decode(&object, l->call->arena, json, l->managed->block->implied, &result) ||
        !selects(l->config, object))
        return true;
    send_object(l, key, object);
    l->count++;
    return true;
}

void lc_serve_list(lc_serve_call *call)
{
    list l = {.call = call,
              .managed = lc_serve_schema(call->served, LC_KIND_RESOURCE, call->schema->type_name),
              .config =
                  lc_serve_value(call, call->request, "config", call->schema->block->implied)};
    if (!l.config || !lc_serve_conforms(call, l.config))
        return;
    if (!l.managed || !l.managed->identity_type) {
        lc_serve_error(call, "Objects cannot be listed",
                       lc_str_printf(call->arena, "The schema of %.*s has no identity.",
                                     LC_FMT(call->schema->type_name)));
        return;
    }
    /* From here on the answer is a stream of events: an error would be one of them. */
    call->streamed = true;
    lc_serve_each(call->served->options.objects, call->arena, l.managed->type_name, list_one, &l);
}
