/* What a core writes to its log when it tolerates a violation. The messages are the same as for
 * `explain --error` (error_lookup.h); here each bullet of a list also gets its place. */
#include "lifecheck/recording/capture.h"
#include "recording/log/client_errors.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/diagnose/error_lookup.h"

#include <string.h>

#define MAX_HEAD   4096 /* bytes before the first bullet of a message */
#define MAX_BEFORE 4096 /* calls that are searched backwards for the one of a message */

typedef struct core {
    lc_log *log;
    lc_arena *arena, *scratch;
    lc_diags *diags;
    const lc_core_line *line;
    lc_str head; /* the message up to its first bullet */
    bool proven; /* prove_legacy has run for this message */
    size_t at;   /* the last offset for which `place` was requested; `loc` is its place */
    lc_loc loc;
} core;

bool lc_log_is_core(lc_str text)
{
    bool said = lc_log_contains(text, " produced an ") ||
                (lc_log_contains(text, "vertex ") && lc_log_contains(text, " error: "));
    return said && !lc_log_contains(text, "tf_req_id");
}

/* ---- Places. */

/* Moves *at past the next line break (an escaped one in JSON) and the spaces after it. False: the
 * message ends before. */
static bool next_line(lc_str s, size_t *at, bool json)
{
    for (; *at < s.len; ++*at) {
        char c = s.ptr[*at];
        if (json && c == '"')
            return false;
        bool escape = json && c == '\\' && *at + 1 < s.len;
        if (escape)
            ++*at;
        if (escape ? s.ptr[*at] == 'n' : !json && c == '\n')
            break;
    }
    for (++*at; *at < s.len && s.ptr[*at] == ' ';)
        ++*at;
    return *at < s.len;
}

/* Moves *at past the dash of the next bullet. False: there is no other bullet. */
static bool next_bullet(lc_str s, size_t *at, bool json)
{
    while (next_line(s, at, json)) {
        if (lc_str_starts_with(lc_str_sub(s, *at, s.len), LC_STR("- "))) {
            *at += 2;
            return true;
        }
    }
    return false;
}

/* Line and column of an offset. Offsets must not decrease, so a line with many bullets is scanned
 * once. */
static lc_loc place(core *c, size_t at)
{
    for (; c->at < at; c->at++) {
        char byte = c->line->raw.ptr[c->at];
        if (byte == '\n')
            c->loc = (lc_loc){c->loc.file, c->loc.line + 1, 1};
        else if (((unsigned char)byte & 0xc0) != 0x80)
            c->loc.column++;
    }
    return c->loc;
}

static bool is_dropped(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

/* The part of `whole` that is `dense` when white space is left out; the lookup drops it. */
static lc_str as_written(lc_str whole, lc_str dense)
{
    for (size_t from = 0; dense.len && from < whole.len; from++) {
        size_t i = from, k = 0;
        while (i < whole.len && k < dense.len &&
               (is_dropped(whole.ptr[i]) || whole.ptr[i] == dense.ptr[k]))
            k += !is_dropped(whole.ptr[i++]);
        if (k == dense.len && !is_dropped(whole.ptr[from]))
            return lc_str_sub(whole, from, i);
    }
    return dense;
}

/* ---- What a message proves. */

static const char *rpc_of(lc_call_kind call)
{
    return call == LC_CALL_PLAN ? "PlanResourceChange" : "ApplyResourceChange";
}

/* Core tolerates a violation only with legacy_type_system. So the last such call before the message
 * had the flag, and so has the type, unless other evidence proves the opposite. */
static void prove_legacy(core *c, const lc_logged *logged)
{
    if (c->proven)
        return;
    c->proven = true;
    lc_log *log = c->log;
    lc_str type = logged->type;
    const char *rpc = rpc_of(logged->call);
    lc_str key = lc_str_printf(c->arena, "%s %.*s", rpc, LC_FMT(type));
    lc_table_put(&log->legacy, key, log);
    for (size_t i = log->calls.count; i > 0 && log->calls.count - i < MAX_BEFORE; i--) {
        lc_log_call *call = log->calls.items[i - 1];
        if (!call->answered || !lc_str_is(call->rpc, rpc) || !lc_str_eq(call->type, type))
            continue;
        call->legacy = true;
        return;
    }
}

bool lc_log_legacy(const lc_log *log, lc_arena *arena, lc_str rpc, lc_str type)
{
    return lc_table_get(&log->legacy,
                        lc_str_printf(arena, "%.*s %.*s", LC_FMT(rpc), LC_FMT(type))) != NULL;
}

/* ---- Findings. */

/* Core prints null and unknown elements of sets in ways that our paths do not have. */
static lc_str plain_path(lc_arena *arena, lc_str text)
{
    static const char *const names[] = {"[(not yet known)]", "[null]"};
    lc_buf out = {0};
    for (size_t at = 0; at < text.len;) {
        size_t was = at;
        for (size_t i = 0; i < 2; i++) {
            lc_str name = lc_str_from_c(names[i]);
            if (lc_str_starts_with(lc_str_sub(text, at, text.len), name)) {
                lc_buf_add_c(&out, "[...]");
                at += name.len;
            }
        }
        if (at == was)
            lc_buf_add_char(&out, text.ptr[at++]);
    }
    return lc_buf_take(arena, &out);
}

static bool set_path(const core *c, lc_logged *logged, lc_str bullet, lc_str dense)
{
    lc_str why;
    size_t at;
    logged->core_path = lc_str_copy(c->arena, as_written(bullet, dense));
    logged->path = LC_PATH_ROOT;
    logged->has_path = true;
    return dense.len == 0 ||
           lc_path_parse(&logged->path, c->arena, plain_path(c->arena, logged->core_path), false,
                         &why, &at);
}

/* The text of a message without its values, for people. */
static lc_str note_of(lc_arena *arena, const char *words)
{
    lc_buf out = {0};
    lc_buf_add_c(&out, "a core's log says: ");
    for (; *words; words++) {
        if (words[0] == '%' && words[1]) {
            lc_buf_add_c(&out, "(...)");
            words++;
        } else {
            lc_buf_add_char(&out, *words);
        }
    }
    return lc_buf_take(arena, &out);
}

static void not_understood(core *c, lc_loc loc)
{
    c->log->unclear = true;
    lc_diag_warning(c->diags, loc,
                    "this message of the core is not understood, and gives no finding");
}

static void add_client_error(core *c, const lc_error_match *found, lc_str bullet, lc_loc loc)
{
    lc_logged logged = {.rule = found->rule,
                        .hidden = found->hidden,
                        .call = found->call,
                        .cores = found->cores,
                        .effect = found->effect,
                        .loc = loc,
                        .core_path = LC_STR_EMPTY};
    bool whole = bullet.len == 0;
    logged.address = lc_str_copy(c->arena, as_written(c->head, found->address));
    logged.type = lc_address_type(logged.address);
    logged.provider = lc_str_copy(c->arena, found->provider);
    logged.note = note_of(c->arena, found->words);
    if (logged.address.len == 0 || (!whole && !set_path(c, &logged, bullet, found->path))) {
        not_understood(c, loc);
        return;
    }
    if (logged.effect == LC_EFFECT_TOLERATED)
        prove_legacy(c, &logged);
    lc_log_findings_add(&c->log->logged, &logged);
}

/* Each bullet is looked up together with the head of its message, so that each gets its own place.
 */
static void take_bullet(core *c, lc_str bullet, lc_loc loc)
{
    lc_error_matches found;
    lc_str text = lc_str_printf(c->scratch, "%.*s\n- %.*s\n", LC_FMT(c->head), LC_FMT(bullet));
    lc_error_lookup(&found, c->scratch, text);
    if (found.count == 1 && found.items[0].effect != LC_EFFECT_ERROR)
        add_client_error(c, &found.items[0], bullet, loc);
    else
        not_understood(c, loc);
}

/* A message without bullets. Messages that only mention something, such as drift, match no rule. */
static void take_whole(core *c, size_t at)
{
    lc_error_matches found;
    c->head = lc_error_text_unescape(c->scratch, c->line->message);
    lc_error_lookup(&found, c->scratch, c->head);
    for (size_t i = 0; i < found.count; i++) {
        if (found.items[i].effect != LC_EFFECT_ERROR)
            add_client_error(c, &found.items[i], LC_STR_EMPTY, place(c, at));
    }
}

void lc_log_core(lc_log *log, lc_arena *arena, lc_arena *scratch, const lc_core_line *line,
                 lc_diags *diags)
{
    core c = {.log = log,
              .arena = arena,
              .scratch = scratch,
              .diags = diags,
              .line = line,
              .loc = {line->file, line->number, 1}};
    lc_str message = line->message;
    if (lc_log_contains(message, "vertex ") && lc_log_contains(message, " error: ")) {
        lc_client_error(log, arena, message, LC_STR_EMPTY, place(&c, line->message_at));
        return;
    }
    size_t at = 0, raw = line->message_at, first = raw;
    bool tolerated = false;
    while (next_bullet(message, &at, false) && next_bullet(line->raw, &raw, line->json)) {
        if (!tolerated)
            c.head = lc_str_sub(message, 0, at - 2);
        tolerated = true;
        if (c.head.len > MAX_HEAD || !lc_log_contains(c.head, "tolerating"))
            return;
        size_t end = lc_str_find(message, at, '\n');
        take_bullet(&c, lc_str_sub(message, at, end), place(&c, raw));
    }
    if (!tolerated && lc_log_contains(message, "tolerating"))
        not_understood(&c, place(&c, first));
    else if (!tolerated && message.len <= MAX_HEAD)
        take_whole(&c, first);
}
