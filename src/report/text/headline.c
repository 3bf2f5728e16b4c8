/* What is wrong with a finding, in one sentence, and its values as people read them. */
#include "lifecheck/base/arena.h"
#include "report/internal.h"

/* ---- The sentence. */

static bool is_root(const lc_finding *f)
{
    return f->path_text.len == 0 || lc_str_is(f->path_text, ".");
}

/* Messages about whole plans often begin with the address, or hold it. */
static bool names_object(const lc_finding *f)
{
    return f->address.len == 0 || lc_str_contains(f->message, f->address);
}

void lc_headline_add(lc_buf *out, const lc_finding *f)
{
    lc_str message = f->message.len ? f->message : lc_rule_get(f->rule)->title;
    bool lifecycle = lc_finding_domain(f) == LC_DOMAIN_LIFECYCLE;
    lc_str subject = lifecycle ? f->path_text : f->address;
    if (lifecycle ? !is_root(f) : !names_object(f)) {
        lc_text_words(out, subject);
        lc_buf_add_c(out, ": ");
    }
    lc_text_words(out, message);
}

/* ---- Values. */

static size_t end_of_string(lc_str json, size_t at)
{
    for (at++; at < json.len && json.ptr[at] != '"'; at++)
        at += json.ptr[at] == '\\';
    return at < json.len ? at + 1 : json.len;
}

static size_t end_of_object(lc_str json, size_t at)
{
    size_t depth = 0;
    while (at < json.len) {
        char c = json.ptr[at];
        if (c == '"') {
            at = end_of_string(json, at);
            continue;
        }
        depth += c == '{';
        at++;
        if (c == '}' && --depth == 0)
            break;
    }
    return at;
}

/* {"$unknown":X}: X is true, or what is known of the unknown. Returns the end of it. */
static size_t add_unknown(lc_buf *out, lc_str json, size_t at, size_t inside)
{
    size_t end = end_of_object(json, at);
    lc_str known = lc_str_sub(json, inside, end > inside ? end - 1 : inside);
    lc_buf_add_c(out, "!unknown");
    if (!lc_str_is(known, "true"))
        lc_buf_printf(out, " %.*s", LC_FMT(known));
    return end;
}

static lc_str value_text(lc_arena *arena, lc_str json)
{
    static const lc_str key = {"{\"$unknown\":", 12};
    lc_buf out = {0};
    if (!lc_str_contains(json, key))
        return json;
    for (size_t at = 0; at < json.len;) {
        size_t next = json.ptr[at] == '"' ? end_of_string(json, at) : at + 1;
        if (lc_str_starts_with(lc_str_sub(json, at, json.len), key))
            next = add_unknown(&out, json, at, at + key.len);
        else
            lc_buf_add_str(&out, lc_str_sub(json, at, next));
        at = next;
    }
    return lc_buf_take(arena, &out);
}

static void make_texts(lc_arena *arena, lc_redacted_text values[LC_COLUMN_COUNT])
{
    for (int column = 0; column < LC_COLUMN_COUNT; column++)
        values[column].json = value_text(arena, values[column].json);
}

const lc_finding *lc_finding_as_text(lc_arena *arena, const lc_finding *f)
{
    lc_finding *copy = LC_NEW(arena, lc_finding);
    *copy = *f;
    make_texts(arena, copy->values);
    if (!f->evidence)
        return copy;
    lc_evidence *evidence = LC_NEW(arena, lc_evidence);
    lc_evidence_row *rows = LC_NEW_ARRAY(arena, lc_evidence_row, f->evidence->count);
    *evidence = *f->evidence;
    for (size_t i = 0; i < evidence->count; i++) {
        rows[i] = f->evidence->rows[i];
        make_texts(arena, rows[i].values);
    }
    evidence->rows = rows;
    copy->evidence = evidence;
    return copy;
}
