/* Predictions without files: a configuration, objects of the previous state, and a provider that is
 * a function; the parts of the prediction that do not need one. */
#include "one_file.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/predict/predict.h"
#include "predict/internal.h"

/* ---- A provider: `keep` may change in place, a change of `force` requires a replace, `id` is
 * Computed. */

#define SCHEMA                                                                                     \
    "{'version':0,'block':{'attributes':{"                                                         \
    "'keep':{'type':'string','optional':true},'force':{'type':'string','optional':true},"          \
    "'id':{'type':'string','computed':true}}}}"
#define STORED "{'force':'f','id':'i','keep':'k'}"

typedef struct world {
    lc_arena *text; /* of the configuration */
    one_file file;
    lc_source source; /* of the schema */
    const lc_schema *schema;
    const char *refuses; /* the summary of an error that answers every plan; or NULL */
    bool silent;         /* plans are not answered */
    size_t plans;        /* that were asked for */
} world;

static const lc_schema *find_schema(void *context, lc_schema_kind kind, lc_str provider,
                                    lc_str type)
{
    (void)kind, (void)provider;
    return lc_str_is(type, "a_t") ? ((world *)context)->schema : NULL;
}

static bool decode_stored(void *context, lc_arena *arena, const lc_run_prior *prior,
                          const lc_schema *schema, const lc_run_settings *settings,
                          const lc_value **out, lc_path_list *sensitive, lc_str *error)
{
    (void)context, (void)prior, (void)settings, (void)sensitive, (void)error;
    lc_wire_result result;
    return lc_ctyjson_decode(out, arena, quoted(arena, STORED), schema->block->implied, &result);
}

static const lc_value *attribute(const lc_value *object, const char *name)
{
    return &object->as.many.elems[lc_type_attr_index(object->type, lc_str_from_c(name))];
}

static void answer_plan(void *context, lc_run_question *q)
{
    world *w = context;
    lc_path path;
    lc_str why;
    size_t at;
    w->plans++;
    q->known = !w->silent;
    q->out = lc_run_as_proposed(q);
    q->error = w->refuses ? lc_str_from_c(w->refuses) : LC_STR_EMPTY;
    if (lc_is_null(q->prior) || lc_is_null(q->out) ||
        lc_value_raw_equal(attribute(q->prior, "force"), attribute(q->out, "force")))
        return;
    ck_assert(lc_path_parse(&path, q->arena, LC_STR(".force"), false, &why, &at));
    *LC_PUSH(q->arena, &q->requires_replace, lc_located_path) = (lc_located_path){.path = path};
}

static void world_open(world *w, lc_profile profile, const char *config)
{
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    w->text = lc_arena_new();
    one_file_read(&w->file, profile, quoted(w->text, config).ptr);
    lc_arena *a = w->file.arena;
    lc_diags_init(&diags, a);
    ck_assert(lc_source_parse(&w->source, a, LC_STR("s"), quoted(a, SCHEMA), &limits, &diags) ==
              LC_OK);
    ck_assert(lc_schema_from_node(&w->schema, a, &w->source, &w->source.documents[0],
                                  LC_KIND_RESOURCE, LC_STR("a_t"), &diags) == LC_OK);
}

static void world_close(world *w)
{
    lc_arena_free(w->file.arena);
    lc_arena_free(w->text);
}

static lc_address address_of(lc_arena *arena, lc_str text)
{
    lc_address out;
    lc_str why;
    size_t at;
    ck_assert_msg(lc_address_parse(&out, arena, text, &why, &at), "%.*s", LC_FMT(text));
    return out;
}

/* The addresses of a list that is separated by spaces. */
static lc_address_list addresses_of(lc_arena *arena, const char *text)
{
    lc_address_list out = {0};
    lc_str all = lc_str_from_c(text);
    for (size_t at = 0; at < all.len;) {
        size_t end = lc_str_find(all, at, ' ');
        *LC_PUSH(arena, &out.list, lc_address) = address_of(arena, lc_str_sub(all, at, end));
        at = end + 1;
    }
    return out;
}

/* "+ a_t.x, ~ a_t.y": every change that is not a no-op, as the clients show it; then the summary of
 * each error after an exclamation mark. */
static lc_str shown_changes(lc_arena *arena, const lc_prediction *p)
{
    lc_buf out = {0};
    for (size_t i = 0; i < p->changes.count; i++) {
        const lc_run_change *c = &p->changes.items[i];
        if (c->action != LC_PLAN_NOOP || !lc_run_is_firm(c))
            lc_buf_printf(&out, "%s%s %.*s", out.len ? ", " : "", lc_run_sign(c), LC_FMT(c->text));
    }
    for (size_t i = 0; i < p->errors.count; i++)
        lc_buf_printf(&out, "%s!%.*s", out.len ? ", " : "", LC_FMT(p->errors.items[i].summary));
    return lc_buf_take(arena, &out);
}

typedef struct prediction_row {
    const char *name, *config, *priors, *want;
    const char *replace, *targets; /* addresses of options, or NULL */
    lc_run_mode mode;
    bool tainted, silent;
    const char *refuses;
    const char *opentofu; /* where it differs from `want`; or NULL */
} prediction_row;

#define RESOURCE(name, body) "{'resource':{'a_t':{'" name "':{" body "}}}}"
#define TWO_RESOURCES(x, y)  "{'resource':{'a_t':{'x':{" x "},'y':{" y "}}}}"
#define SAME                 "'keep':'k','force':'f'"

static const prediction_row predictions[] = {
    {.name = "a create", .config = RESOURCE("x", "'keep':'a'"), .priors = "", .want = "+ a_t.x"},
    {.name = "a no-op", .config = RESOURCE("x", SAME), .priors = "a_t.x", .want = ""},
    {.name = "an update",
     .config = RESOURCE("x", "'keep':'b','force':'f'"),
     .priors = "a_t.x",
     .want = "~ a_t.x"},
    {.name = "a replace",
     .config = RESOURCE("x", "'keep':'k','force':'g'"),
     .priors = "a_t.x",
     .want = "-/+ a_t.x"},
    {.name = "the order of a replace",
     .priors = "a_t.x",
     .want = "+/- a_t.x",
     .config = RESOURCE("x", "'keep':'k','force':'g','lifecycle':{'create_before_destroy':true}")},
    {.name = "an ignored change",
     .priors = "a_t.x",
     .want = "",
     .config = RESOURCE("x", "'keep':'k','force':'g','lifecycle':{'ignore_changes':['force']}")},
    {.name = "prevent_destroy",
     .priors = "a_t.x",
     .want = "-/+ a_t.x, !Instance cannot be destroyed",
     .opentofu = "-/+ a_t.x, !Resource instance cannot be destroyed",
     .config = RESOURCE("x", "'keep':'k','force':'g','lifecycle':{'prevent_destroy':true}")},
    {.name = "an object without a block", .config = "{}", .priors = "a_t.x", .want = "- a_t.x"},
    {.name = "a tainted object",
     .config = RESOURCE("x", SAME),
     .priors = "a_t.x",
     .tainted = true,
     .want = "-/+ a_t.x"},
    {.name = "-replace",
     .config = RESOURCE("x", SAME),
     .priors = "a_t.x",
     .replace = "a_t.x",
     .want = "-/+ a_t.x"},
    {.name = "-target",
     .config = TWO_RESOURCES("", ""),
     .priors = "",
     .targets = "a_t.y",
     .want = "+ a_t.y"},
    {.name = "-target and what it needs",
     .priors = "",
     .targets = "a_t.y",
     .config = TWO_RESOURCES("", "'keep':'${a_t.x.id}'"),
     .want = "+ a_t.x, + a_t.y"},
    {.name = "-destroy",
     .config = TWO_RESOURCES(SAME, SAME),
     .priors = "a_t.x a_t.y",
     .mode = LC_RUN_DESTROY,
     .want = "- a_t.x, - a_t.y"},
    {.name = "-refresh-only",
     .config = RESOURCE("x", "'keep':'b'"),
     .priors = "a_t.x",
     .mode = LC_RUN_REFRESH_ONLY,
     .want = ""},
    {.name = "count that grows",
     .config = RESOURCE("x", "'count':2," SAME),
     .priors = "a_t.x[0]",
     .want = "+ a_t.x[1]"},
    {.name = "count that shrinks",
     .config = RESOURCE("x", "'count':1," SAME),
     .priors = "a_t.x[0] a_t.x[1]",
     .want = "- a_t.x[1]"},
    {.name = "an implied move",
     .config = RESOURCE("x", "'count':1," SAME),
     .priors = "a_t.x",
     .want = ""},
    {.name = "a moved block",
     .priors = "a_t.x",
     .want = "",
     .config = "{'resource':{'a_t':{'y':{" SAME "}}},'moved':[{'from':'a_t.x','to':'a_t.y'}]}"},
    {.name = "a removed block",
     .priors = "a_t.x",
     .want = ". a_t.x",
     .config = "{'removed':[{'from':'a_t.x','lifecycle':{'destroy':false}}]}"},
    {.name = "a value that is known after apply",
     .priors = "a_t.y",
     .want = "+ a_t.x, ~ a_t.y",
     .config = TWO_RESOURCES("", "'keep':'${a_t.x.id}','force':'f'")},
    {.name = "a forced value that is known after apply",
     .priors = "a_t.y",
     .config = TWO_RESOURCES("", "'keep':'k','force':'${a_t.x.id}'"),
     .want = "+ a_t.x, -/+ a_t.y"},
    {.name = "a trigger",
     .priors = "a_t.x a_t.y",
     .want = "~ a_t.x, -/+ a_t.y",
     .config = TWO_RESOURCES("'keep':'b','force':'f'",
                             SAME ",'lifecycle':{'replace_triggered_by':['a_t.x']}")},
    {.name = "a cycle",
     .priors = "",
     .want = "!Cycle: a_t.x, a_t.y",
     .config = TWO_RESOURCES("'keep':'${a_t.y.id}'", "'keep':'${a_t.x.id}'")},
    {.name = "a provider that refuses",
     .config = RESOURCE("x", ""),
     .priors = "",
     .refuses = "Not today",
     .want = "!Not today"},
    {.name = "a provider that does not answer",
     .config = RESOURCE("x", "'keep':'b','force':'f'"),
     .priors = "a_t.x",
     .silent = true,
     .want = "? a_t.x"},
};

static void predict_row(lc_prediction *out, world *w, const prediction_row *r)
{
    lc_arena *a = w->file.arena;
    lc_run_priors *priors = LC_NEW(a, lc_run_priors);
    lc_run_input *in = LC_NEW(a, lc_run_input);
    lc_address_list stored = addresses_of(a, r->priors);
    *priors = (lc_run_priors){0};
    for (size_t i = 0; i < stored.list.count; i++)
        lc_run_add_prior(priors, a, &stored.list.items[i], LC_STR_EMPTY, NULL)->tainted =
            r->tainted;
    w->silent = r->silent;
    w->refuses = r->refuses;
    *in = (lc_run_input){
        .config = &w->file.config,
        .priors = priors,
        .options = {.mode = r->mode},
        .workspace = LC_STR("default"),
        .provider = {
            .context = w, .schema = find_schema, .stored = decode_stored, .plan = answer_plan}};
    in->options.replace = addresses_of(a, r->replace ? r->replace : "");
    in->options.targets = addresses_of(a, r->targets ? r->targets : "");
    lc_run_predict(out, a, in);
}

START_TEST(test_actions)
{
    const prediction_row *r = &predictions[_i];
    static const lc_profile clients[] = {LC_PROFILE_TERRAFORM, LC_PROFILE_OPENTOFU};
    for (int i = 0; i < ROWS(clients); i++) {
        world w = {0};
        lc_prediction p;
        world_open(&w, clients[i], r->config);
        predict_row(&p, &w, r);
        bool differs = clients[i] == LC_PROFILE_OPENTOFU && r->opentofu;
        CHECK_TEXT(r->name, shown_changes(w.file.arena, &p),
                   lc_str_from_c(differs ? r->opentofu : r->want));
        world_close(&w);
    }
}
END_TEST

/* A replace is planned twice, as the clients do it; a no-op and a create once. */
START_TEST(test_second_plan)
{
    static const struct {
        const char *force;
        size_t plans;
    } rows[] = {{RESOURCE("x", SAME), 1}, {RESOURCE("x", "'keep':'k','force':'g'"), 2}};
    for (int i = 0; i < ROWS(rows); i++) {
        world w = {0};
        lc_prediction p;
        world_open(&w, LC_PROFILE_TERRAFORM, rows[i].force);
        predict_row(&p, &w, &(prediction_row){.priors = "a_t.x"});
        ck_assert_msg(w.plans == rows[i].plans, "%s: %zu", rows[i].force, w.plans);
        world_close(&w);
    }
}
END_TEST

/* ---- Sets of actions. */

static const struct {
    const char *names;
    bool ok;
    unsigned actions;
    const char *wrong;
} sets[] = {
    {"create", true, LC_PLAN_BIT(LC_PLAN_CREATE), ""},
    {"replace", true, LC_PLAN_REPLACES, ""},
    {"create, replace", true, LC_PLAN_BIT(LC_PLAN_CREATE) | LC_PLAN_REPLACES, ""},
    {"configured", true, LC_PLAN_CONFIGURED, ""},
    {"create,made", false, 0, "made"},
    {"create,", false, 0, ""},
    {"", false, 0, ""},
};

START_TEST(test_action_sets)
{
    unsigned actions = 0;
    lc_str wrong = LC_STR_EMPTY;
    bool ok = lc_plan_action_sets(&actions, lc_str_from_c(sets[_i].names), &wrong);
    ck_assert_msg(ok == sets[_i].ok, "%s", sets[_i].names);
    if (ok)
        ck_assert_msg(actions == sets[_i].actions, "%s: %x", sets[_i].names, actions);
    else
        CHECK_TEXT(sets[_i].names, wrong, lc_str_from_c(sets[_i].wrong));
}
END_TEST

/* ---- Paths of marks. */

START_TEST(test_sorted_paths)
{
    static const char *const texts[] = {".b", ".a[1]", ".a", ".a[0].x"};
    lc_arena *arena = lc_arena_new();
    lc_path_list paths = {0};
    lc_path path;
    lc_str why;
    size_t at;
    for (int i = 0; i < ROWS(texts); i++) {
        ck_assert(lc_path_parse(&path, arena, lc_str_from_c(texts[i]), false, &why, &at));
        *LC_PUSH(arena, &paths, lc_located_path) = (lc_located_path){.path = path};
    }
    lc_predict_sort_paths(&paths);
    for (int i = 0; i < ROWS(texts); i++) {
        ck_assert(lc_path_parse(&path, arena, lc_str_from_c(texts[i]), false, &why, &at));
        ck_assert_msg(lc_predict_has_path(&paths, path), "%s", texts[i]);
    }
    ck_assert(lc_path_parse(&path, arena, LC_STR(".a[2]"), false, &why, &at));
    ck_assert(!lc_predict_has_path(&paths, path));
    ck_assert(!lc_predict_has_path(&(lc_path_list){0}, path));
    lc_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("predict");
    TCase *tc = tcase_create("predict");
    ADD_ROWS(tc, test_actions, predictions);
    tcase_add_test(tc, test_second_plan);
    ADD_ROWS(tc, test_action_sets, sets);
    tcase_add_test(tc, test_sorted_paths);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
