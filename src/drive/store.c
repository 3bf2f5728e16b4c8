/* State stores: a state of our own is locked, written, read back, and deleted, by two processes as
 * two users are. Only Terraform makes these calls. */
#include "drive/driver.h"

#include "lifecheck/base/arena.h"

/* What Terraform proposes, and the most that it accepts. */
#define USUAL_CHUNK ((int64_t)8 << 20)
#define MOST_CHUNK  ((int64_t)128 << 20)
/* A state of several chunks is written only if they are not larger. */
#define MOST_WRITTEN_CHUNK ((int64_t)16 << 20)

#define STATE_NAME "lifecheck-drive"
/* The ID of no lock. */
#define OTHER_LOCK "00000000-0000-4000-8000-000000000000"

/* Which state is written. */
typedef enum state_kind { NONE, SHORT, LONG } state_kind;

/* One call of one of the two processes. */
typedef struct store_step {
    bool second;
    lc_store_op op;
    state_kind state;
    bool other; /* an unlock by the ID of no lock */
    bool fails; /* an error is the right answer, or is as good */
} store_step;

static const store_step steps[] = {
    {.second = false, LC_STORE_LOCK},
    {.second = true, LC_STORE_LOCK, .fails = true},
    {.second = false, LC_STORE_WRITE, SHORT},
    {.second = true, LC_STORE_READ},
    {.second = true, LC_STORE_STATES},
    {.second = true, LC_STORE_UNLOCK, .other = true, .fails = true},
    {.second = true, LC_STORE_LOCK, .fails = true},
    {.second = false, LC_STORE_UNLOCK},
    {.second = true, LC_STORE_LOCK},
    {.second = true, LC_STORE_WRITE, LONG},
    {.second = false, LC_STORE_READ},
    {.second = true, LC_STORE_WRITE, SHORT}, /* nothing of the long one is left */
    {.second = false, LC_STORE_READ},
    {.second = true, LC_STORE_UNLOCK},
    {.second = false, LC_STORE_DELETE},
    {.second = true, LC_STORE_STATES},
    {.second = true, LC_STORE_READ, .fails = true},
};

typedef struct store {
    lc_turn *first;
    lc_turn second;
    lc_arena *arena;
    int64_t chunk;
    unsigned written; /* how often */
    bool exists;      /* our state, as far as we know */
    lc_str lock;      /* that we hold; "": none */
} store;

static bool is_broken(const store *s)
{
    return s->first->broken || s->second.broken;
}

/* ---- States. */

/* What a store may damage that looks into it: characters of several bytes, also where a chunk
 * ends, escapes, both kinds of line ends, a key twice as large as it must be, and an end without a
 * new line. */
static lc_str state_text(const store *s, size_t length)
{
    lc_buf out = {0};
    lc_buf_printf(
        &out,
        "{\r\n\t\"version\": 4,\n  \"terraform_version\": \"1.16.0\", \"serial\": %u,\n"
        "  \"lineage\": \"6c696665-6368-4563-8b00-000000000000\",\n"
        "  \"outputs\": {\"a\": {\"value\": \"\\u0000\\u00e9\\/\xc3\xa9\\n \xe2\x82\xac\","
        " \"type\": \"string\"},\n    \"b\": {\"value\": 1.50e+00, \"type\": \"number\"},"
        "\n    \"c\": {\"value\": \"",
        s->written);
    while (out.len + 2 < length)
        lc_buf_add_str(&out, LC_STR("\xe2\x82\xac"));
    lc_buf_add_str(&out, LC_STR("\", \"type\": \"string\"}},  \"resources\": []}"));
    return lc_buf_take(s->arena, &out);
}

static lc_str state_of(store *s, state_kind kind)
{
    bool several = kind == LONG && s->chunk <= MOST_WRITTEN_CHUNK;
    s->written++;
    if (kind == LONG && !several)
        lc_turn_report(s->first,
                       "the chunk size is %lld bytes: a state of several chunks is not written",
                       (long long)s->chunk);
    return state_text(s, several ? (size_t)(s->chunk + s->chunk / 2) + 7 : 0);
}

/* ---- Calls. */

static const lc_call *ask(store *s, lc_turn *t, const lc_store_question *question)
{
    lc_call call;
    t->tolerant = true;
    lc_client_store(t->client, &call, s->arena, t->schema, question, lc_turn_loc(t, LC_CALL_STORE));
    return lc_turn_add(t, &call, LC_CALL_STORE);
}

static bool is_answered(const lc_call *call)
{
    return call->failed != LC_YES && call->broke != LC_YES && !call->interrupted;
}

static void report_error(const lc_turn *t, const lc_call *call)
{
    const lc_provider_diag *d = lc_call_first_error(call);
    if (d)
        lc_turn_report(t, "the provider ends %s of a state store with an error: %.*s",
                       lc_store_op_name(call->store->op), LC_FMT(d->summary));
}

/* False: a client would go no further. */
static bool configure(store *s, lc_turn *t, const lc_value *config)
{
    const lc_store_question question = {
        .op = LC_STORE_CONFIGURE, .config = config, .chunk_size = USUAL_CHUNK};
    const lc_call *call = ask(s, t, &question);
    report_error(t, call);
    s->chunk = call->store->chunk_size;
    return is_answered(call) && s->chunk > 0 && s->chunk <= MOST_CHUNK;
}

/* A state of this name is not ours. */
static bool is_free(store *s)
{
    const lc_store_question question = {.op = LC_STORE_STATES};
    const lc_call *call = ask(s, s->first, &question);
    bool taken = false;
    report_error(s->first, call);
    for (size_t i = 0; i < call->store->states.count; i++)
        taken |= lc_str_is(call->store->states.items[i], STATE_NAME);
    if (taken)
        lc_turn_report(s->first,
                       "nothing is written: the store has a state %s already; if it is "
                       "of an earlier run, delete it",
                       STATE_NAME);
    return is_answered(call) && !taken;
}

/* ---- The steps. */

static void note(store *s, const store_step *step, const lc_call *call)
{
    bool good = is_answered(call);
    if (step->op == LC_STORE_WRITE)
        s->exists = true; /* also after an error it may be */
    else if (step->op == LC_STORE_DELETE && good)
        s->exists = false;
    else if (step->op == LC_STORE_LOCK && good)
        s->lock = call->store->lock_id;
    else if (step->op == LC_STORE_UNLOCK && good)
        s->lock = LC_STR_EMPTY;
}

/* False: what follows has no meaning. */
static bool make_step(store *s, const store_step *step)
{
    lc_turn *t = step->second ? &s->second : s->first;
    lc_store_question question = {.op = step->op,
                                  .state_id = LC_STR(STATE_NAME),
                                  .lock_id = step->other ? LC_STR(OTHER_LOCK) : s->lock,
                                  .chunk_size = s->chunk};
    if (step->op == LC_STORE_UNLOCK && s->lock.len == 0)
        return true; /* a store without locks, which is a finding */
    if (step->op == LC_STORE_WRITE)
        question.bytes = state_of(s, step->state);
    const lc_call *call = ask(s, t, &question);
    if (!step->fails)
        report_error(t, call);
    note(s, step, call);
    return !is_broken(s) && (is_answered(call) || step->op != LC_STORE_WRITE);
}

/* ---- What is left. */

static void report_left(const lc_turn *t)
{
    lc_undestroyed_object left = {.resource =
                                      lc_str_printf(t->arena, "the state %s of %.*s", STATE_NAME,
                                                    LC_FMT(t->subject->resource)),
                                  .type = t->schema->type_name,
                                  .schema = t->schema,
                                  .private_data = LC_STR_EMPTY,
                                  .settings_loc = t->settings_loc};
    t->driver->options.on_not_destroyed(t->driver->options.context, &left);
}

static void remove_state(store *s, lc_turn *t)
{
    static const store_step last[] = {{.second = false, LC_STORE_UNLOCK},
                                      {.second = false, LC_STORE_DELETE}};
    s->first = t;
    if (s->lock.len)
        make_step(s, &last[0]);
    if (s->exists && !t->broken)
        make_step(s, &last[1]);
}

/* By a process that answers; a new one if it must be. */
static void clean(store *s, const lc_value *config)
{
    lc_turn *t = s->first;
    bool wanted = s->exists || s->lock.len;
    if (wanted && !t->broken)
        remove_state(s, t);
    lc_turn_end(t);
    if ((!s->exists && !s->lock.len) || !t->broken)
        return;
    lc_turn again = *t;
    again.broken = again.failed = false;
    again.cleaning = true;
    if (!lc_turn_begin(&again, LC_WALK_APPLY))
        return;
    if (configure(s, &again, config))
        remove_state(s, &again);
    lc_turn_end(&again);
}

/* ---- The whole. */

static void use(store *s, const lc_value *config)
{
    lc_turn *t = s->first;
    s->second = *t;
    if (!lc_turn_begin(&s->second, LC_WALK_APPLY)) {
        t->failed = true;
        return;
    }
    bool goes_on = configure(s, &s->second, config);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && goes_on; i++)
        goes_on = !lc_turn_is_stopped(t) && make_step(s, &steps[i]);
    lc_turn_end(&s->second);
    t->broken |= s->second.broken;
    t->asked = true;
}

/* Why it is not asked; NULL: it can be. */
static const char *hindrance(const lc_turn *t)
{
    const lc_value *config = lc_turn_value(&t->out->config);
    if (t->driver->options.as == LC_OPENTOFU)
        return "OpenTofu has no calls for state stores; the store is only validated";
    if (!config || !lc_is_wholly_known(config))
        return "the store is not configured: its configuration has unknown values, or is not given";
    return NULL;
}

void lc_turn_store(lc_turn *t, bool applies)
{
    store s = {.first = t, .arena = t->arena, .lock = LC_STR_EMPTY};
    const lc_value *config = lc_turn_value(&t->out->config);
    const char *why = hindrance(t);
    if (!lc_turn_may_call(t, LC_CALL_STORE))
        return;
    if (why)
        lc_turn_report(t, "%s", why);
    if (why || !lc_turn_begin(t, LC_WALK_PLAN))
        return;
    bool ready = configure(&s, t, config) && is_free(&s);
    if (ready && !applies)
        lc_turn_report(t,
                       "nothing is written to the store: --apply writes a state of its own, %s, "
                       "and deletes it",
                       STATE_NAME);
    if (ready && applies)
        use(&s, config);
    clean(&s, config);
    if (s.exists)
        report_left(t);
}
