/* Errors with which a client stopped because of a violation. */
#include "recording/log/client_errors.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/diagnose/error_lookup.h"

#define MAX_DEPTH 64 /* of the JSON that is searched for diagnostics */

/* ---- What an error proves. */

/* Core tolerates these with legacy_type_system. It stopped, so the flag was not set. */
static bool proves_strict(lc_rule rule)
{
    lc_str slug = lc_rule_get(rule)->slug;
    return lc_str_starts_with(slug, LC_STR("plan/")) || lc_str_starts_with(slug, LC_STR("apply/"));
}

static void prove_strict(lc_log *log, lc_arena *arena, const lc_logged *logged)
{
    lc_str key = lc_str_printf(arena, "%s %.*s", lc_call_rpc(logged->call), LC_FMT(logged->type));
    if (proves_strict(logged->rule))
        lc_table_put(&log->strict, key, log);
}

bool lc_log_strict(const lc_log *log, lc_arena *arena, lc_str rpc, lc_str type)
{
    return lc_table_get(&log->strict,
                        lc_str_printf(arena, "%.*s %.*s", LC_FMT(rpc), LC_FMT(type))) != NULL;
}

/* ---- One message. */

/* The call of a finding. If the message does not name it, the first call that the rule is about. */
static lc_call_kind call_of(const lc_error_match *r)
{
    unsigned calls = lc_rule_get(r->rule)->calls & ~LC_CALL_BIT(LC_CALL_SCHEMA);
    if (r->call != LC_CALL_SCHEMA || calls == 0)
        return r->call;
    return (lc_call_kind)__builtin_ctz(calls);
}

static lc_str note_of(lc_arena *arena, const lc_error_match *r)
{
    lc_str words = lc_str_from_c(r->words);
    for (size_t i = 0; i < words.len; i++) {
        if (words.ptr[i] == '%')
            words.len = i; /* a value or a name follows, which must not be shown */
    }
    while (words.len && (words.ptr[words.len - 1] == ' ' || words.ptr[words.len - 1] == '('))
        words.len--;
    if (words.len && words.ptr[0] == '^')
        words = lc_str_sub(words, 1, words.len);
    lc_str note = lc_str_printf(arena, "the client stopped with an error: \"%.*s\"", LC_FMT(words));
    if (!r->family)
        return note;
    return lc_str_printf(arena, "%.*s; the message does not name the rule of %.*s/*", LC_FMT(note),
                         LC_FMT(lc_rule_family(r->rule)));
}

static bool set_path(lc_logged *logged, lc_arena *arena, lc_str path)
{
    lc_str why;
    size_t at;
    logged->path = LC_PATH_ROOT;
    logged->core_path = lc_str_copy(arena, path);
    logged->has_path = path.len > 0;
    return path.len == 0 ||
           lc_path_parse(&logged->path, arena, logged->core_path, false, &why, &at);
}

static bool is_broken_promise(const lc_error_match *r)
{
    return r->topic == LC_TOPIC_NONE && r->effect == LC_EFFECT_ERROR &&
           (r->cores & LC_BOTH_CORES) && lc_rule_domain(r->rule) == LC_DOMAIN_LIFECYCLE;
}

/* Where a message comes from. */
typedef struct said {
    lc_log *log;
    lc_arena *arena;
    const lc_source *source; /* of a JSON document */
    uint32_t line;           /* of a document that is a line of a file; 0: it is the file */
    bool beside;             /* not in the log of the calls, but in a file next to it */
} said;

/* `others`: further rules that the same words may be about. */
static void add(const said *s, const lc_error_match *r, lc_str address, lc_loc loc,
                const lc_error_match *others, size_t count)
{
    lc_arena *arena = s->arena;
    lc_logged logged = {.beside = s->beside,
                        .rule = r->rule,
                        .hidden = r->hidden,
                        .family = r->family,
                        .call = call_of(r),
                        .cores = r->cores,
                        .effect = LC_EFFECT_ERROR,
                        .loc = loc};
    logged.address = lc_str_copy(arena, r->address.len ? r->address : address);
    logged.type = lc_address_type(logged.address);
    logged.provider = lc_str_copy(arena, r->provider);
    logged.note = note_of(arena, r);
    for (size_t i = 0; i < count && logged.other_count < LC_LOGGED_OTHERS; i++)
        logged.others[logged.other_count++] = others[i].rule;
    if (logged.address.len == 0 || logged.type.len == 0 || !set_path(&logged, arena, r->path))
        return;
    prove_strict(s->log, arena, &logged);
    lc_log_findings_add(&s->log->logged, &logged);
}

/* A message may match several rules; adjacent unsure matches are alternatives of one finding. */
static void take_message(const said *s, lc_str message, lc_str address, lc_loc loc)
{
    lc_arena *scratch = lc_arena_new();
    lc_error_matches found;
    lc_error_lookup(&found, scratch, message);
    for (size_t i = 0; i < found.count; i++) {
        const lc_error_match *r = &found.items[i];
        size_t others = 0;
        while (r->unsure && i + others + 1 < found.count && found.items[i + others + 1].unsure)
            others++;
        if (is_broken_promise(r))
            add(s, r, address, loc, r + 1, others);
        i += others;
    }
    lc_arena_free(scratch);
}

void lc_client_error(lc_log *log, lc_arena *arena, lc_str message, lc_str address, lc_loc loc)
{
    said s = {.log = log, .arena = arena};
    take_message(&s, message, address, loc);
}

/* ---- Diagnostics. */

static lc_loc place(const said *s, const lc_node *node)
{
    lc_loc loc = lc_node_loc(s->source, node);
    loc.line = s->line ? s->line : loc.line;
    return loc;
}

static void take_diagnostic(const said *s, const lc_node *node)
{
    if (!lc_str_is(lc_node_text(node, "severity"), "error") || !lc_node_text(node, "summary").len)
        return;
    lc_buf text = {0};
    lc_buf_printf(&text, "Error: %.*s\n\n%.*s\n", LC_FMT(lc_node_text(node, "summary")),
                  LC_FMT(lc_node_text(node, "detail")));
    take_message(s, lc_buf_str(&text), lc_node_text(node, "address"), place(s, node));
    lc_buf_release(&text);
}

static void walk(const said *s, const lc_node *node, unsigned depth)
{
    if (depth == MAX_DEPTH)
        return;
    for (uint32_t i = 0; i < lc_node_item_count(node); i++)
        walk(s, &node->as.items[i], depth + 1);
    if (node->kind != LC_NODE_MAPPING)
        return;
    take_diagnostic(s, node);
    for (uint32_t i = 0; i < node->count; i++)
        walk(s, &node->as.members[i].value, depth + 1);
}

static bool take_json(said *s, lc_str file, lc_str text, const lc_limits *limits)
{
    lc_source *source = LC_NEW(s->arena, lc_source);
    lc_diags quiet;
    lc_diags_init(&quiet, s->arena);
    if (lc_json_parse(source, s->arena, file, text, limits, &quiet) != LC_OK || source->count == 0)
        return false;
    s->source = source;
    walk(s, &source->documents[0], 0);
    return true;
}

void lc_client_error_line(lc_log *log, lc_arena *arena, lc_str file, lc_str text, uint32_t line,
                          const lc_limits *limits)
{
    said s = {.log = log, .arena = arena, .line = line};
    take_json(&s, file, text, limits);
}

void lc_client_error_file(lc_log *log, lc_arena *arena, lc_str file, lc_str text,
                          const lc_limits *limits)
{
    said s = {.log = log, .arena = arena, .beside = true};
    if (!lc_str_contains(text, LC_STR("\"summary\"")) ||
        !lc_str_contains(text, LC_STR("\"severity\"")) || take_json(&s, file, text, limits))
        return;
    for (size_t at = 0; at < text.len;) {
        size_t end = lc_str_find(text, at, '\n');
        lc_str one = lc_str_sub(text, at, end);
        s.line++;
        if (lc_str_contains(one, LC_STR("\"diagnostic\"")))
            take_json(&s, file, one, limits);
        at = end + 1;
    }
}
