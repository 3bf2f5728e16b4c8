/* What a client asks, compared with recordings: for each recorded call the values that the client
 * had (from the answers before it) become a request, which must be the recorded one byte by byte.
 * CAPTURES may name a further folder of recordings. */
#include "unit.h"

#include "lifecheck/contract/contract.h"
#include "lifecheck/drive/changing.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- A recording as a provider. */

typedef struct line {
    const lc_node *root;
    uint64_t process;
    bool asked;
} line;

typedef struct player {
    lc_arena *arena;
    lc_str file;
    LC_VEC(line) lines;
    int protocol;
    lc_core as;
    lc_str version;
    const line *now; /* that is asked next; NULL: that of its method */
    bool meta;       /* requests have provider_meta, which the schemas of short recordings lack */
    lc_str request;  /* the last */
    size_t same, layout, other, left;
} player;

static lc_str written(lc_arena *arena, const lc_wire_message *message, const lc_node *node)
{
    static const lc_node nothing = {.kind = LC_NODE_MAPPING};
    lc_buf out = {0};
    lc_str why;
    ck_assert(lc_wire_write(&out, arena, message, node ? node : &nothing, &why));
    return lc_buf_take(arena, &out);
}

static line *line_of(const player *p, lc_str method)
{
    for (size_t i = 0; i < p->lines.count; i++) {
        if (lc_str_eq(lc_pj_text(p->lines.items[i].root, "rpc"), method))
            return &p->lines.items[i];
    }
    return NULL;
}

static bool is_schema(const lc_wire_method *method)
{
    return lc_pj_rpc_of(lc_str_from_c(method->name)) == LC_PJ_SCHEMA;
}

static lc_node with_meta(lc_arena *arena, const lc_node *response)
{
    static const lc_node nothing = {.kind = LC_NODE_MAPPING};
    lc_node out = *response;
    lc_member *members = LC_NEW_ARRAY(arena, lc_member, response->count + 1);
    memcpy(members, response->as.members, response->count * sizeof *members);
    members[out.count++] = (lc_member){.key = LC_STR("provider_meta"), .value = nothing};
    out.as.members = members;
    return out;
}

static void answer(void *context, lc_live_call *out, lc_arena *arena, const lc_question *questions,
                   size_t count)
{
    static const lc_live_provider provider;
    player *p = context;
    for (size_t i = 0; i < count; i++) {
        const lc_wire_method *method = questions[i].method;
        const line *now = p->now ? p->now : line_of(p, lc_str_from_c(method->name));
        lc_str *messages = LC_NEW_ARRAY(arena, lc_str, 2);
        out[i] = (lc_live_call){.provider = &provider, .status_text = LC_STR_EMPTY};
        messages[0] = p->request = questions[i].request;
        out[i].requests = messages;
        out[i].request_count = 1;
        out[i].status = now ? 0 : 12;
        if (!now)
            continue;
        const lc_node *response = lc_pj_get(now->root, "response");
        lc_node more;
        if (is_schema(method) && p->meta && !lc_pj_get(response, "provider_meta")) {
            more = with_meta(arena, response);
            response = &more;
        }
        messages[1] = written(arena, method->response, response);
        out[i].responses = messages + 1;
        out[i].response_count = 1;
    }
}

/* ---- Reading. */

static void read_lines(player *p, lc_str text)
{
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, p->arena);
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        lc_source source;
        end = lc_str_find(text, at, '\n');
        lc_str one = lc_str_sub(text, at, end);
        if (one.len == 0)
            continue;
        ck_assert_int_eq(lc_json_parse(&source, p->arena, p->file, one, &limits, &diags), LC_OK);
        const lc_node *root = source.documents;
        *LC_PUSH(p->arena, &p->lines, line) =
            (line){root, (uint64_t)lc_pj_int(root, "process"), false};
        lc_str version = lc_pj_text(lc_pj_get(root, "request"), "terraform_version");
        if (version.len)
            p->version = version;
        p->meta |= lc_pj_get(lc_pj_get(root, "request"), "provider_meta") != NULL;
        if (lc_pj_int(root, "protocol"))
            p->protocol = (int)lc_pj_int(root, "protocol");
    }
    bool terraform = lc_str_contains(text, LC_STR("\"store_planned_private\"")) ||
                     !line_of(p, LC_STR("GetResourceIdentitySchemas"));
    p->as = terraform ? LC_TERRAFORM : LC_OPENTOFU;
}

/* ---- One call. */

typedef struct asker {
    player *p;
    lc_arena *arena;
    lc_client *clients[3]; /* by walk */
    const lc_run *run;
    size_t at; /* of the call in the run */
    lc_client_walk walk;
    lc_str planned_private; /* that the client sent with a final plan */
} asker;

static const lc_value *value_of(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

/* The last call of a kind before this one. */
static const lc_call *before(const asker *a, lc_call_kind kind)
{
    for (size_t i = a->at; i-- > 0;) {
        if (a->run->calls.items[i].kind == kind)
            return &a->run->calls.items[i];
    }
    return NULL;
}

/* The state that the client hands on from the answers before; else what the recorded request has,
 * which the recording must then say. */
static const lc_value *prior_of(const asker *a, const lc_call *call, const lc_schema *schema)
{
    static const lc_call_kind from[] = {LC_CALL_READ, LC_CALL_UPGRADE};
    const lc_value *own = value_of(&call->prior_state);
    bool fresh = call->kind == LC_CALL_PLAN_CREATE || !own || lc_is_null(own);
    for (size_t i = 0; i < 2 && !fresh; i++) {
        const lc_call *source = before(a, from[i]);
        if (source && source->kind == from[i] && value_of(&source->result) &&
            (call->kind == LC_CALL_PLAN || call->kind == LC_CALL_READ))
            return lc_state_handed_on(a->arena, schema->block, source->result.value);
    }
    return own;
}

static lc_str private_of(const asker *a, const lc_call *call)
{
    const lc_call *read = before(a, LC_CALL_READ), *plan = before(a, LC_CALL_PLAN);
    const lc_call *final = before(a, LC_CALL_FINAL_PLAN);
    if (call->kind == LC_CALL_PLAN && read)
        return read->private_data;
    if (call->kind == LC_CALL_PLAN_CREATE && plan)
        return plan->private_data;
    if (call->kind == LC_CALL_APPLY && final)
        return final->private_data;
    return call->request_private;
}

static const lc_value *planned_of(const asker *a, const lc_call *call)
{
    const lc_call *final = before(a, LC_CALL_FINAL_PLAN);
    return call->kind == LC_CALL_APPLY && final ? value_of(&final->result)
                                                : value_of(&call->planned);
}

/* What was planned as the identity: of a destroy by its own plan. */
static const lc_value *identity_of(const asker *a, const lc_call *call)
{
    const lc_call *plan =
        before(a, call->kind == LC_CALL_APPLY ? LC_CALL_FINAL_PLAN : LC_CALL_DESTROY_PLAN);
    return plan ? value_of(&plan->identity) : NULL;
}

/* False: there is no function for the call. */
static bool ask(asker *a, const lc_call *call, const lc_schema *schema)
{
    lc_client *client = a->clients[a->walk];
    lc_call out;
    lc_loc loc = {LC_STR("peer"), 1, 1};
    lc_plan_question plan = {.kind = call->kind,
                             .prior = prior_of(a, call, schema),
                             .config = value_of(&call->config),
                             .identity = value_of(&call->prior_identity),
                             .private_data = private_of(a, call),
                             .planned_private = a->planned_private};
    lc_apply_question apply = {.prior = value_of(&call->prior_state),
                               .planned = planned_of(a, call),
                               .config = value_of(&call->config),
                               .identity = identity_of(a, call),
                               .private_data = private_of(a, call)};
    lc_stored_object stored = {plan.prior, plan.identity, plan.private_data};
    switch ((int)call->kind) {
    case LC_CALL_VALIDATE:
        lc_client_validate(client, &out, a->arena, schema, plan.config, loc);
        break;
    case LC_CALL_UPGRADE:
        lc_client_upgrade(client, &out, a->arena, schema, &call->raw, loc);
        break;
    case LC_CALL_READ:
    case LC_CALL_REREAD:
        lc_client_read(client, &out, a->arena, schema, &stored, loc);
        break;
    case LC_CALL_PLAN:
    case LC_CALL_PLAN_CREATE:
    case LC_CALL_FINAL_PLAN:
    case LC_CALL_DESTROY_PLAN:
        lc_client_plan(client, &out, a->arena, schema, &plan, loc);
        break;
    case LC_CALL_APPLY:
    case LC_CALL_DESTROY:
        lc_client_apply(client, &out, a->arena, schema, &apply, loc);
        break;
    case LC_CALL_IMPORT:
        lc_client_import(client, &out, a->arena, schema, call->import_id, NULL, loc);
        break;
    case LC_CALL_DATA:
        lc_client_read_data(client, &out, a->arena, schema, plan.config, loc);
        break;
    case LC_CALL_FUNCTION:
        lc_client_call_function(client, &out, a->arena, schema, call->function, loc);
        break;
    default:
        return false;
    }
    ck_assert_int_eq(out.kind, call->kind == LC_CALL_REREAD ? LC_CALL_READ : call->kind);
    ck_assert_int_eq(out.failed, call->failed);
    ck_assert_int_eq(out.result.state, call->result.state);
    if (value_of(&out.result))
        ck_assert(lc_value_raw_equal(out.result.value, call->result.value));
    return true;
}

/* ---- Which walk. */

static lc_client_walk walk_of_kind(lc_call_kind kind)
{
    if (kind == LC_CALL_FINAL_PLAN || kind == LC_CALL_APPLY || kind == LC_CALL_DESTROY)
        return LC_WALK_APPLY;
    return kind == LC_CALL_DESTROY_PLAN ? LC_WALK_PLAN_DESTROY : LC_WALK_PLAN;
}

typedef struct cases {
    player *p;
    asker a;
    lc_client_walk *walks; /* by line */
    bool judging;          /* second round */
} cases;

static void note_walks(cases *c, const lc_run *run)
{
    for (size_t i = 0; i < run->calls.count; i++) {
        const lc_call *call = &run->calls.items[i];
        uint64_t process = c->p->lines.items[call->loc.line - 1].process;
        lc_client_walk walk = walk_of_kind(call->kind);
        for (size_t k = 0; walk != LC_WALK_PLAN && k < c->p->lines.count; k++) {
            if (c->p->lines.items[k].process == process)
                c->walks[k] = walk;
        }
    }
}

/* The members that differ, without their values. */
static void tell_difference(const player *p, const lc_call *call, const lc_wire_method *method,
                            const lc_node *want)
{
    lc_wire_reader reader = {.arena = p->arena, .limits = LC_LIMITS_DEFAULT};
    lc_node got;
    ck_assert(lc_wire_read(&got, &reader, method->request, p->request));
    printf("%.*s:%u: %s differs in", LC_FMT(p->file), call->loc.line, method->name);
    for (uint32_t i = 0; i < want->count; i++) {
        const lc_node *other = lc_node_value(&got, want->as.members[i].key);
        if (!other || !lc_node_same(p->arena, &want->as.members[i].value, other))
            printf(" %.*s", LC_FMT(want->as.members[i].key));
    }
    for (uint32_t i = 0; i < got.count; i++) {
        if (!lc_node_value(want, got.as.members[i].key))
            printf(" +%.*s", LC_FMT(got.as.members[i].key));
    }
    printf("\n");
}

/* A client that applies without a file of the plan has the object itself and no text of a state
 * file, so that the stored object has another layout. */
static bool is_laid_out_otherwise(const player *p, const lc_wire_method *method,
                                  const lc_node *want)
{
    lc_wire_reader reader = {.arena = p->arena, .limits = LC_LIMITS_DEFAULT};
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_node got;
    lc_str texts[2];
    lc_source sources[2];
    const lc_node *nodes[2] = {want, &got};
    lc_diags_init(&diags, p->arena);
    ck_assert(lc_wire_read(&got, &reader, method->request, p->request));
    for (int i = 0; i < 2; i++) {
        const lc_node *raw = lc_pj_get(nodes[i], "raw_state");
        if (!raw || !lc_pj_bytes(&texts[i], p->arena, raw, "json") ||
            lc_json_parse(&sources[i], p->arena, p->file, texts[i], &limits, &diags) != LC_OK)
            return false;
        texts[i] = lc_node_json(p->arena, sources[i].documents);
    }
    return lc_str_eq(texts[0], texts[1]);
}

/* No client sends JSON: someone has written the line. */
static bool is_by_hand(const lc_call *call)
{
    return call->config.wire_json || call->prior_state.wire_json;
}

static void compare(cases *c, const lc_call *call)
{
    line *now = &c->p->lines.items[call->loc.line - 1];
    const lc_schema *schema =
        lc_client_schema(c->a.clients[0], c->a.run->schema->kind, c->a.run->schema->type_name);
    ck_assert(schema != NULL);
    now->asked = true;
    if (is_by_hand(call))
        return;
    if (!lc_pj_bytes(&c->a.planned_private, c->p->arena, lc_pj_get(now->root, "request"),
                     "planned_private"))
        c->a.planned_private = LC_STR_EMPTY;
    c->p->now = now;
    c->a.walk = c->walks[call->loc.line - 1];
    ck_assert(ask(&c->a, call, schema));
    c->p->now = NULL;
    lc_str rpc = lc_pj_text(now->root, "rpc");
    const lc_wire_method *method = lc_wire_method_named(c->p->protocol, rpc);
    lc_str want = written(c->p->arena, method->request, lc_pj_get(now->root, "request"));
    bool same = lc_str_eq(want, c->p->request);
    bool layout = !same && c->p->as == LC_TERRAFORM && c->a.walk == LC_WALK_APPLY &&
                  is_laid_out_otherwise(c->p, method, lc_pj_get(now->root, "request"));
    c->p->same += same;
    c->p->layout += layout;
    c->p->other += !same && !layout;
    if (same || layout)
        return;
    tell_difference(c->p, call, method, lc_pj_get(now->root, "request"));
}

static void take(void *context, lc_scenario *scenario)
{
    cases *c = context;
    for (size_t i = 0; i < scenario->subject.runs.count; i++) {
        const lc_run *run = &scenario->subject.runs.items[i];
        c->a.run = run;
        if (!c->judging)
            note_walks(c, run);
        for (size_t k = 0; c->judging && k < run->calls.count; k++) {
            c->a.at = k;
            compare(c, &run->calls.items[k]);
        }
    }
}

/* Objects that were upgraded but not read are those of a destroy, which not every provider plans.
 */
static void find_destroys(cases *c)
{
    for (size_t i = 0; i < c->p->lines.count; i++) {
        bool upgraded = false, read = false;
        for (size_t k = 0; k < c->p->lines.count; k++) {
            lc_str rpc = lc_pj_text(c->p->lines.items[k].root, "rpc");
            bool same = c->p->lines.items[k].process == c->p->lines.items[i].process;
            upgraded |= same && lc_str_is(rpc, "UpgradeResourceState");
            read |= same && lc_str_is(rpc, "ReadResource");
        }
        if (upgraded && !read && c->walks[i] == LC_WALK_PLAN)
            c->walks[i] = LC_WALK_PLAN_DESTROY;
    }
}

static void stream(cases *c, lc_str text)
{
    lc_schema_store store;
    lc_diags diags;
    lc_diags_init(&diags, c->p->arena);
    lc_schema_store_init(&store, c->p->arena, LC_LIMITS_DEFAULT);
    lc_stream *s = lc_stream_open(c->p->arena, &store, c->p->file, &diags, take, c);
    lc_stream_bytes(s, text);
    lc_stream_end(s);
}

/* ---- The provider's configuration, and what was left out. */

static bool is_named(const line *l, const char *v5, const char *v6)
{
    lc_str rpc = lc_pj_text(l->root, "rpc");
    return lc_str_is(rpc, v5) || lc_str_is(rpc, v6);
}

/* A configuration comes in two calls, of which only the last is seen here; the first is the same
 * with less. */
static void check_configure(cases *c, size_t at)
{
    line *now = &c->p->lines.items[at];
    const lc_schema *schema = lc_client_schema(c->a.clients[0], LC_KIND_PROVIDER, LC_STR_EMPTY);
    lc_str msgpack;
    const lc_value *config;
    lc_wire_result result;
    lc_call out;
    const lc_node *request = lc_pj_get(now->root, "request");
    bool deferring = lc_pj_bool(lc_pj_get(request, "client_capabilities"), "deferral_allowed");
    ck_assert(lc_pj_bytes(&msgpack, c->p->arena, lc_pj_get(request, "config"), "msgpack"));
    ck_assert(lc_msgpack_decode(&config, c->p->arena, msgpack, schema->block->implied, &result));
    /* a process that plans or applies no object shows by this alone which of both it does */
    bool silent = at + 1 == c->p->lines.count || c->p->lines.items[at + 1].process != now->process;
    lc_client_walk walk = silent && deferring ? LC_WALK_APPLY : c->walks[at];
    lc_client_configure(c->a.clients[walk], &out, c->p->arena, config, (lc_loc){0});
    now->asked = true;
    const lc_wire_method *method =
        lc_wire_method_named(c->p->protocol, lc_pj_text(now->root, "rpc"));
    bool same = lc_str_eq(written(c->p->arena, method->request, request), c->p->request);
    c->p->same += same;
    c->p->other += !same;
    if (!same)
        tell_difference(c->p, &(lc_call){.loc = {c->p->file, (uint32_t)at + 1, 1}}, method,
                        request);
}

static void check_rest(cases *c)
{
    for (size_t i = 0; i < c->p->lines.count; i++) {
        line *l = &c->p->lines.items[i];
        if (is_named(l, "Configure", "ConfigureProvider"))
            check_configure(c, i);
        bool ours = is_named(l, "PrepareProviderConfig", "ValidateProviderConfig") ||
                    is_named(l, "GetSchema", "GetProviderSchema") ||
                    is_named(l, "GetResourceIdentitySchemas", "") ||
                    is_named(l, "CallFunction", ""); /* cases have equal ones once */
        c->p->left += !ours && !l->asked;
        if (!ours && !l->asked)
            printf("%.*s:%zu: %.*s is not asked\n", LC_FMT(c->p->file), i + 1,
                   LC_FMT(lc_pj_text(l->root, "rpc")));
    }
}

/* ---- A recording. */

static void open_clients(cases *c)
{
    lc_rpc_schemas *schemas = LC_NEW(c->p->arena, lc_rpc_schemas);
    lc_diags diags;
    lc_diags_init(&diags, c->p->arena);
    lc_rpc_schemas_init(schemas, c->p->arena, c->p->file, LC_LIMITS_DEFAULT);
    for (int walk = 0; walk < 3; walk++) {
        lc_client_options options = {.as = c->p->as,
                                     .version = c->p->version,
                                     .walk = (lc_client_walk)walk,
                                     .limits = LC_LIMITS_DEFAULT,
                                     .peer = {c->p, c->p->protocol, answer}};
        c->a.clients[walk] = lc_client_open(c->p->arena, &options, schemas, &diags);
        ck_assert_msg(c->a.clients[walk] != NULL, "%.*s: %.*s", LC_FMT(c->p->file),
                      LC_FMT(diags.count ? diags.items[0].message : LC_STR_EMPTY));
    }
}

typedef struct counts {
    size_t files, same, layout, other, left;
} counts;

static void check_file(lc_str path, counts *sum)
{
    lc_arena *arena = lc_arena_new();
    player p = {.arena = arena, .file = path, .protocol = 5, .version = LC_STR_EMPTY};
    cases c = {.p = &p, .a = {.p = &p, .arena = arena}};
    lc_str text;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    ck_assert_int_eq(lc_file_read(&text, arena, path, LC_MAX_INPUT_BYTES, &diags), LC_OK);
    read_lines(&p, text);
    if (line_of(&p, LC_STR("GetSchema")) || line_of(&p, LC_STR("GetProviderSchema"))) {
        c.walks = lc_arena_zalloc(arena, (p.lines.count + 1) * sizeof *c.walks);
        open_clients(&c);
        stream(&c, text);
        find_destroys(&c);
        c.judging = true;
        stream(&c, text);
        check_rest(&c);
        sum->files++;
    }
    sum->same += p.same;
    sum->layout += p.layout;
    sum->other += p.other;
    sum->left += p.left;
    lc_arena_free(arena);
}

static void check_folder(lc_str path, int depth, counts *sum)
{
    lc_arena *arena = lc_arena_new();
    lc_str *names;
    size_t count;
    if (lc_folder_list(&names, &count, arena, path)) {
        for (size_t i = 0; i < count; i++) {
            lc_str inner = lc_str_printf(arena, "%.*s/%.*s", LC_FMT(path), LC_FMT(names[i]));
            if (lc_str_ends_with(names[i], LC_STR(".jsonl")))
                check_file(inner, sum);
            else if (depth < 2)
                check_folder(inner, depth + 1, sum);
        }
    }
    lc_arena_free(arena);
}

START_TEST(requests_are_those_of_clients)
{
    const char *more = getenv("CAPTURES");
    counts ours = {0}, others = {0};
    check_folder(LC_STR("testdata/captures"), 0, &ours);
    ck_assert_uint_ge(ours.files, 8);
    ck_assert_uint_ge(ours.same, 150);
    ck_assert_uint_eq(ours.layout, 0);
    ck_assert_uint_eq(ours.other, 0);
    ck_assert_uint_eq(ours.left, 0);
    if (more) {
        check_folder(lc_str_from_c(more), 0, &others);
        printf(
            "%s: %zu requests of %zu recordings are the same, %zu but for the layout of a stored "
            "object, %zu are not, %zu are skipped\n",
            more, others.same, others.files, others.layout, others.other, others.left);
        ck_assert_uint_eq(others.other, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("drive");
    TCase *tc = tcase_create("drive");
    tcase_add_test(tc, requests_are_those_of_clients);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
