/* The calls of a run, in three spellings: short keys (`planned_state`), call groups (`plan: {...}`)
 * and the long form (`calls`, a list of RPCs with request and response).
 *
 * All of them set fields through the one table in call_fields.c. Short keys and call groups have no
 * order: they are collected in drafts, one for each kind of call, and then sorted into the order in
 * which core makes the calls. The long form keeps the order in which it is written. */
#include "scenario/calls.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

/* ---- Groups. */

static void push_call(lc_call_reader *c, const lc_call *call)
{
    lc_call *pushed = LC_PUSH(c->in->arena, &c->run->calls, lc_call);
    *pushed = *call;
    pushed->index = (uint32_t)c->run->calls.count;
}

/* An lc_call is large, so the array gets the exact size instead of growing by doubling. */
static void reserve_calls(lc_call_reader *c, size_t count)
{
    c->run->calls.items = lc_arena_alloc(c->in->arena, lc_mul_size(count, sizeof(lc_call)));
    c->run->calls.capacity = count;
}

/* Core may validate a block several times, with more values known each time, and call a function
 * for each place that uses it. A state store is asked many things. */
static bool may_be_list(lc_case_key key)
{
    return key == LC_KEY_VALIDATE || key == LC_KEY_FUNCTION || key == LC_KEY_LIST ||
           key == LC_KEY_STORE;
}

static size_t count_calls(const lc_call_reader *c)
{
    size_t count = 0;
    for (int i = 0; i < LC_CALL_KIND_COUNT; i++)
        count += c->builders[i].present;
    for (unsigned key = 0; key < LC_KEY_COUNT; key++) {
        const lc_node *list =
            may_be_list((lc_case_key)key) ? lc_layers_value(c->scope, (lc_case_key)key) : NULL;
        if (list)
            count += list->kind == LC_NODE_SEQUENCE ? list->count : 1;
    }
    return count;
}

static bool is_null_in(const lc_member *mapping, const char *key)
{
    const lc_node *node = mapping ? lc_node_get(&mapping->value, key) : NULL;
    return lc_node_is(node, LC_NODE_NULL) && !node->tag;
}

static bool config_is_null(const lc_layers *scope)
{
    const lc_node *config = lc_layers_value(scope, LC_KEY_CONFIG);
    return config && config->kind == LC_NODE_NULL && !config->tag;
}

/* With a null configuration `plan` and `apply` are those of a delete: core sends no other plan or
 * apply for it, so that authors need not write `destroy_plan` and `destroy`. */
static lc_call_kind kind_of_group(const lc_call_reader *c, const lc_member *member,
                                  lc_call_kind kind)
{
    if (kind != LC_CALL_PLAN && kind != LC_CALL_APPLY)
        return kind;
    if (!config_is_null(c->scope) && !is_null_in(member, "config"))
        return kind;
    return kind == LC_CALL_PLAN ? LC_CALL_DESTROY_PLAN : LC_CALL_DESTROY;
}

static void read_group(lc_call_reader *c, lc_case_key key)
{
    const lc_member *member = lc_layers_get(c->scope, key);
    lc_call_kind kind;
    if (!member || may_be_list(key))
        return;
    LC_ASSERT(lc_call_kind_from_name(&kind, lc_str_from_c(lc_key_name(key))));
    kind = kind_of_group(c, member, kind);
    lc_call_builder *builder = &c->builders[kind];
    lc_call_builder_begin(c, builder, kind, lc_in_key_loc(c->in, member));
    lc_call_builder_read(c, builder, &member->value, G);
}

static void read_list(lc_call_reader *c, lc_case_key key, lc_call_kind kind)
{
    const lc_member *member = lc_layers_get(c->scope, key);
    if (!member)
        return;
    const lc_node *node = &member->value;
    bool list = node->kind == LC_NODE_SEQUENCE && !node->tag;
    for (uint32_t i = 0; i < (list ? node->count : 1); i++) {
        lc_call_builder *builder = &c->builders[kind];
        const lc_node *item = list ? &node->as.items[i] : node;
        builder->present = false;
        lc_call_builder_begin(c, builder, kind,
                              list ? lc_in_loc(c->in, item) : lc_in_key_loc(c->in, member));
        lc_call_builder_read(c, builder, item, G);
        push_call(c, &builder->call);
    }
}

/* ---- Short keys. */

/* A short key is one field of one call. */
static void read_short_keys(lc_call_reader *c)
{
    static const struct {
        lc_case_key key;
        lc_call_kind kind, of_delete; /* the call that it belongs to when the config is null */
        lc_call_target target;
    } shorts[] = {
        {LC_KEY_UPGRADED_STATE, LC_CALL_UPGRADE, LC_CALL_UPGRADE, RESULT},
        {LC_KEY_PROPOSED_NEW_STATE, LC_CALL_PLAN, LC_CALL_DESTROY_PLAN, PROPOSED},
        {LC_KEY_PLANNED_STATE, LC_CALL_PLAN, LC_CALL_DESTROY_PLAN, RESULT},
        {LC_KEY_FINAL_CONFIG, LC_CALL_FINAL_PLAN, LC_CALL_FINAL_PLAN, CONFIG},
        {LC_KEY_FINAL_PLANNED_STATE, LC_CALL_FINAL_PLAN, LC_CALL_FINAL_PLAN, RESULT},
        {LC_KEY_NEW_STATE, LC_CALL_APPLY, LC_CALL_DESTROY, RESULT},
        {LC_KEY_READ_STATE, LC_CALL_REREAD, LC_CALL_REREAD, RESULT},
        {LC_KEY_IMPORT_ID, LC_CALL_IMPORT, LC_CALL_IMPORT, IMPORT_ID},
        {LC_KEY_IMPORT_STUB_STATE, LC_CALL_IMPORT, LC_CALL_IMPORT, STUB},
    };
    bool delete = config_is_null(c->scope);
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        const lc_member *member = lc_layers_get(c->scope, shorts[i].key);
        if (!member)
            continue;
        lc_call_kind kind = delete ? shorts[i].of_delete : shorts[i].kind;
        lc_call_builder *builder = &c->builders[kind];
        lc_call_builder_begin(c, builder, kind, lc_in_key_loc(c->in, member));
        lc_call_builder_set(c, builder, shorts[i].target, member, G);
    }
}

/* ---- The prior state, which is also the answer of a read. */

static bool stored_object_given(const lc_run *run)
{
    const lc_raw_state *stored = &run->previous_run_state;
    return stored->given && !(stored->has_attributes && stored->attributes.value &&
                              lc_is_null(stored->attributes.value));
}

/* Is the run's prior state the response of a ReadResource call? Not the `prior_state: null` of a
 * create, where core has nothing to read, and not the state that a prober chose to send. */
static bool prior_was_read(const lc_call_reader *c)
{
    const lc_field *prior = &c->run->prior_state;
    bool is_null = prior->state == LC_FIELD_GIVEN && lc_is_null(prior->value);
    if (c->run->probed)
        return c->builders[LC_CALL_READ].present;
    return !is_null || c->builders[LC_CALL_READ].present || c->builders[LC_CALL_UPGRADE].present ||
           c->builders[LC_CALL_IMPORT].present || stored_object_given(c->run);
}

/* `prior_state` and the response of the read are the same object, so either one gives the other.
 * Writing both is an error ("says again"). */
static void link_prior_state(lc_call_reader *c)
{
    const lc_member *member = lc_layers_get(c->scope, LC_KEY_PRIOR_STATE);
    lc_call_builder *builder = &c->builders[LC_CALL_READ];
    if (!member) {
        if (builder->present && builder->from[RESULT])
            c->run->prior_state = builder->call.result;
        return;
    }
    if (!prior_was_read(c))
        return;
    lc_call_builder_begin(c, builder, LC_CALL_READ, lc_in_key_loc(c->in, member));
    if (lc_call_builder_claim(c, builder, RESULT, member))
        builder->call.result = c->run->prior_state;
}

/* Core upgrades what it has stored, so an upgrade without a request of its own gets the previous
 * run state. A version that the group does write is kept. */
static void link_stored_state(lc_call_reader *c)
{
    lc_call_builder *upgrade = &c->builders[LC_CALL_UPGRADE];
    lc_call_builder *identity = &c->builders[LC_CALL_UPGRADE_IDENTITY];
    const lc_raw_state *stored = &c->run->previous_run_state;
    if (!stored->given)
        return;
    if (upgrade->present && !upgrade->call.raw.given) {
        int64_t version = upgrade->call.raw.schema_version;
        upgrade->call.raw = *stored;
        if (upgrade->from[RAW_VERSION])
            upgrade->call.raw.schema_version = version;
    }
    if (identity->present && !identity->call.raw.given) {
        int64_t version = identity->call.raw.identity_schema_version;
        identity->call.raw = *stored;
        if (identity->from[RAW_IDENTITY_VERSION])
            identity->call.raw.identity_schema_version = version;
    }
}

static void push_built_calls(lc_call_reader *c, const lc_call_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (c->builders[kinds[i]].present)
            push_call(c, &c->builders[kinds[i]].call);
    }
}

/* The order of core: state is moved, imported, upgraded and read, then the configuration validated
 * and planned, then applied. create_before_destroy decides what is applied first in a replace. */
static void read_short_and_groups(lc_call_reader *c)
{
    static const lc_call_kind before[] = {LC_CALL_MOVE, LC_CALL_IMPORT, LC_CALL_UPGRADE,
                                          LC_CALL_UPGRADE_IDENTITY, LC_CALL_READ};
    static const lc_call_kind after[] = {LC_CALL_PLAN,  LC_CALL_PLAN_CREATE, LC_CALL_DESTROY_PLAN,
                                         LC_CALL_OPEN,  LC_CALL_DATA,        LC_CALL_FINAL_PLAN,
                                         LC_CALL_ACTION};
    static const lc_call_kind destroy_first[] = {LC_CALL_DESTROY, LC_CALL_APPLY, LC_CALL_REREAD};
    static const lc_call_kind create_first[] = {LC_CALL_APPLY, LC_CALL_DESTROY, LC_CALL_REREAD};
    for (unsigned i = 0; i < LC_KEY_COUNT; i++) {
        if (lc_key_flags((lc_case_key)i) & LC_IS_GROUP)
            read_group(c, (lc_case_key)i);
    }
    read_short_keys(c);
    link_prior_state(c);
    link_stored_state(c);
    reserve_calls(c, count_calls(c));
    push_built_calls(c, before, sizeof before / sizeof *before);
    read_list(c, LC_KEY_VALIDATE, LC_CALL_VALIDATE);
    read_list(c, LC_KEY_FUNCTION, LC_CALL_FUNCTION);
    push_built_calls(c, after, sizeof after / sizeof *after);
    bool create = c->run->create_before_destroy == LC_YES;
    push_built_calls(c, create ? create_first : destroy_first, 3);
    read_list(c, LC_KEY_LIST, LC_CALL_LIST);
    read_list(c, LC_KEY_STORE, LC_CALL_STORE);
}

/* ---- The long form. */

enum { RPC, PHASE, LEG, DEPOSED, REQUEST, RESPONSE, EXPECTED_RESPONSE, CALL_KEYS };
static const lc_key_row call_rows[] = {
    {"rpc", LC_SHAPE_RPC, true, ""},
    {"phase", LC_SHAPE_PHASE, false, "of the run"},
    {"leg", LC_SHAPE_LEG, false, "of a replace"},
    {"deposed", LC_SHAPE_TEXT, false, ""},
    {"request", LC_SHAPE_MESSAGE, false, ""},
    {"response", LC_SHAPE_MESSAGE, false, ""},
    {"expected", LC_SHAPE_MESSAGE, false, "the response that is expected of the provider"},
};
const lc_keyset lc_call_keys = LC_KEYSET(call_rows);

const char *const lc_phase_names[] = {"", "import", "refresh", "plan", "apply", NULL};
const char *const lc_leg_names[] = {"main", "create", "destroy", NULL};

/* An RPC name alone does not determine the kind of call: the phase and the leg of a replace decide
 * whether a PlanResourceChange is the plan, the final plan, or the plan of one leg (kind_in). */
static const struct {
    const char *name;
    lc_call_kind kind; /* in its usual phase and leg */
} rpcs[] = {
    {"ImportResourceState", LC_CALL_IMPORT},
    {"MoveResourceState", LC_CALL_MOVE},
    {"UpgradeResourceState", LC_CALL_UPGRADE},
    {"UpgradeResourceIdentity", LC_CALL_UPGRADE_IDENTITY},
    {"ReadResource", LC_CALL_READ},
    {"ValidateResourceConfig", LC_CALL_VALIDATE},
    {"ValidateDataResourceConfig", LC_CALL_VALIDATE},
    {"ValidateEphemeralResourceConfig", LC_CALL_VALIDATE},
    {"PlanResourceChange", LC_CALL_PLAN},
    {"ApplyResourceChange", LC_CALL_APPLY},
    {"ReadDataSource", LC_CALL_DATA},
    {"OpenEphemeralResource", LC_CALL_OPEN},
    {"PlanAction", LC_CALL_ACTION},
    {"InvokeAction", LC_CALL_ACTION},
    {"CallFunction", LC_CALL_FUNCTION},
};
#define RPC_COUNT (sizeof rpcs / sizeof *rpcs)

const char *lc_word_rpc(size_t i, lc_call_kind *kind)
{
    if (i >= RPC_COUNT)
        return NULL;
    *kind = rpcs[i].kind;
    return rpcs[i].name;
}

/* Reads one of a list of words; *out is its index, 0 if the key is missing. */
static bool read_word(lc_in *in, size_t *out, const lc_member *member, const char *const *words)
{
    lc_str text;
    *out = 0;
    if (!member)
        return true;
    if (!lc_in_text(in, &text, &member->value, "a word of a call"))
        return false;
    if (lc_str_is_one_of(text, words, out))
        return true;
    lc_str near = lc_str_nearest_word(text, words);
    lc_diag_error(in->diags, lc_in_loc(in, &member->value),
                  "\"%.*s\" has no value \"%.*s\"%s%.*s%s", LC_FMT(member->key), LC_FMT(text),
                  LC_FMT_NEAR(near));
    return false;
}

/* The kind of a call, from its kind in the usual phase and leg. */
static lc_call_kind kind_in(lc_call_kind usual, bool applying, bool create, bool destroy)
{
    if (usual == LC_CALL_PLAN && destroy)
        return LC_CALL_DESTROY_PLAN;
    if (usual == LC_CALL_PLAN && applying)
        return LC_CALL_FINAL_PLAN;
    if (usual == LC_CALL_PLAN && create)
        return LC_CALL_PLAN_CREATE;
    if (usual == LC_CALL_APPLY && destroy)
        return LC_CALL_DESTROY;
    return usual == LC_CALL_READ && applying ? LC_CALL_REREAD : usual;
}

/* A null configuration means a delete, so that the leg need not be written. */
static bool is_delete(const lc_call_reader *c, const lc_member *const *found)
{
    return config_is_null(c->scope) || is_null_in(found[REQUEST], "config");
}

static bool read_call_kind(lc_call_reader *c, lc_call_kind *out, const lc_member *const *found)
{
    lc_in *in = c->in;
    const char *names[RPC_COUNT + 1] = {NULL};
    size_t rpc, phase, leg;
    for (size_t i = 0; i < RPC_COUNT; i++)
        names[i] = rpcs[i].name;
    bool ok = read_word(in, &rpc, found[RPC], names);
    ok = read_word(in, &phase, found[PHASE], lc_phase_names) && ok;
    ok = read_word(in, &leg, found[LEG], lc_leg_names) && ok;
    if (!ok)
        return false;
    /* A ReadResource after the apply is the refresh of the next run. */
    bool again = rpcs[rpc].kind == LC_CALL_READ && lc_run_call(c->run, LC_CALL_APPLY);
    bool applying = found[PHASE] ? phase == 4 : again;
    *out =
        kind_in(rpcs[rpc].kind, applying, leg == 1, leg == 2 || (leg == 0 && is_delete(c, found)));
    return true;
}

static const lc_key_row generated_rows[] = {
    {"config", LC_SHAPE_OBJECT, false, ""},
    {"diagnostics", LC_SHAPE_DIAGNOSTICS, false, ""},
};
const lc_keyset lc_generated_keys = LC_KEYSET(generated_rows);

/* Core calls GenerateResourceConfig for an object that it imported just before, so the response is
 * kept as a field of that import. */
static void read_generated(lc_call_reader *c, const lc_member *const *found)
{
    const lc_member *answer[2];
    lc_call *import = NULL;
    for (size_t i = 0; i < c->run->calls.count; i++) {
        if (c->run->calls.items[i].kind == LC_CALL_IMPORT)
            import = &c->run->calls.items[i];
    }
    if (!import) {
        lc_diag_error(c->in->diags, lc_in_loc(c->in, &found[RPC]->value),
                      "GenerateResourceConfig comes after an ImportResourceState");
        return;
    }
    if (!found[RESPONSE] ||
        !lc_in_keys(c->in, answer, &found[RESPONSE]->value, &lc_generated_keys, "the response"))
        return;
    if (answer[0])
        lc_call_set_response(c, import, GENERATED, &answer[0]->value);
}

/* The draft is only scratch space here: the same kind of call may occur several times. */
static void read_long_call(lc_call_reader *c, const lc_node *node)
{
    const lc_member *found[CALL_KEYS];
    lc_call_kind kind;
    if (!lc_in_keys(c->in, found, node, &lc_call_keys, "a call"))
        return;
    if (!found[RPC]) {
        lc_diag_error(c->in->diags, lc_in_loc(c->in, node), "a call needs the key \"rpc\"");
        return;
    }
    const lc_node *rpc = &found[RPC]->value;
    if (rpc->kind == LC_NODE_STRING && lc_str_is(rpc->as.text, "GenerateResourceConfig")) {
        read_generated(c, (const lc_member *const *)found);
        return;
    }
    if (!read_call_kind(c, &kind, (const lc_member *const *)found))
        return;
    lc_call_builder *builder = &c->builders[kind];
    builder->present = false;
    lc_call_builder_begin(c, builder, kind, lc_in_loc(c->in, node));
    if (kind == LC_CALL_DATA && found[PHASE])
        builder->call.applying = lc_str_is(found[PHASE]->value.as.text, "apply") ? LC_YES : LC_NO;
    if (found[DEPOSED])
        lc_in_text(c->in, &builder->call.deposed, &found[DEPOSED]->value, "deposed");
    if (found[REQUEST])
        lc_call_builder_read(c, builder, &found[REQUEST]->value, Q);
    if (found[RESPONSE])
        lc_call_builder_read(c, builder, &found[RESPONSE]->value, R);
    if (found[EXPECTED_RESPONSE])
        lc_call_set_expected(c, &builder->call, &found[EXPECTED_RESPONSE]->value);
    push_call(c, &builder->call);
}

static void refuse_other_spellings(lc_call_reader *c, const lc_member *calls)
{
    lc_loc loc = lc_in_key_loc(c->in, calls);
    for (unsigned i = 0; i < LC_KEY_COUNT; i++) {
        const lc_member *member = lc_layers_get(c->scope, (lc_case_key)i);
        if (member && (lc_key_flags((lc_case_key)i) & (LC_IS_GROUP | LC_IS_SHORT)))
            lc_diag_error(
                c->in->diags, lc_in_key_loc(c->in, member),
                "\"%.*s\" is given together with \"calls\" at line %u, column %u: write it there",
                LC_FMT(member->key), loc.line, loc.column);
    }
}

/* The prior state is the result of the last ReadResource that precedes the last plan, unless the
 * run has the key `prior_state`. A later read is not what the plan was made from. Without a plan
 * every read counts. */
static void prior_from_reads(lc_call_reader *c)
{
    size_t end = c->run->calls.count;
    for (size_t i = end; i > 0; i--) {
        lc_call_kind kind = c->run->calls.items[i - 1].kind;
        if (kind == LC_CALL_PLAN || kind == LC_CALL_DESTROY_PLAN) {
            end = i;
            break;
        }
    }
    for (size_t i = 0; i < end; i++) {
        const lc_call *call = &c->run->calls.items[i];
        if (call->kind == LC_CALL_READ && call->result.state != LC_FIELD_ABSENT)
            c->run->prior_state = call->result;
    }
}

static void read_long_form(lc_call_reader *c, const lc_member *calls)
{
    const lc_node *node = &calls->value;
    const lc_node *final_config = lc_layers_value(c->scope, LC_KEY_FINAL_CONFIG);
    c->run->order_known = true;
    refuse_other_spellings(c, calls);
    c->in->values.root = lc_str_from_c(lc_key_name(LC_KEY_FINAL_CONFIG));
    if (final_config)
        lc_in_object(c->in, &c->run->final_config, final_config, c->run->schema, true);
    c->in->values.root = LC_STR_EMPTY;
    if (!lc_in_sequence(c->in, node, "calls"))
        return;
    reserve_calls(c, node->count);
    for (uint32_t i = 0; i < node->count; i++)
        read_long_call(c, &node->as.items[i]);
    if (!lc_layers_get(c->scope, LC_KEY_PRIOR_STATE))
        prior_from_reads(c);
}

void lc_in_calls(lc_in *in, lc_run *run, const lc_layers *scope)
{
    lc_call_reader c = {.in = in, .run = run, .scope = scope};
    const lc_node *prior = lc_layers_value(scope, LC_KEY_PRIOR_STATE);
    const lc_node *config = lc_layers_value(scope, LC_KEY_CONFIG);
    const lc_member *calls = lc_layers_get(scope, LC_KEY_CALLS);
    in->values.root = lc_str_from_c(lc_key_name(LC_KEY_PRIOR_STATE));
    if (prior && !run->probed) /* a prober's object may well be without values */
        lc_note_empty_prior(in, prior, run->schema);
    if (prior)
        lc_in_object(in, &run->prior_state, prior, run->schema, false);
    in->values.root = lc_str_from_c(lc_key_name(LC_KEY_CONFIG));
    if (config)
        lc_in_object(in, &run->config, config, run->schema, true);
    in->values.root = LC_STR_EMPTY;
    if (calls)
        read_long_form(&c, calls);
    else
        read_short_and_groups(&c);
    lc_in_configured(in, run, scope);
}
