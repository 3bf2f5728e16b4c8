/* Only the first bytes of secrets that may be part of a longer string are kept. A table maps the
 * first eight bytes to the lengths of all kept beginnings that start with them; a beginning of each
 * length is looked up. */
#include "contract/known_secrets.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/json.h"
#include "lifecheck/base/table.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/value/number.h"

#define MIN_SECRET 4
#define MIN_NUMBER 8  /* a shorter one may be a port or a year, which is a number elsewhere */
#define MOST_BYTES 64 /* of a beginning; their lengths are the bits of a number */

struct lc_known_secrets {
    lc_arena *arena;
    lc_table whole;      /* equal strings */
    lc_table beginnings; /* of parts */
    lc_table lengths;    /* first bytes of a part -> uint64_t, bit n: a beginning has n more */
};

lc_known_secrets *lc_known_secrets_new(lc_arena *arena)
{
    lc_known_secrets *known = LC_NEW(arena, lc_known_secrets);
    known->arena = arena;
    lc_table_init(&known->whole, arena);
    lc_table_init(&known->beginnings, arena);
    lc_table_init(&known->lengths, arena);
    return known;
}

static bool is_ordinary(lc_arena *arena, lc_str text)
{
    lc_num n;
    return text.len < MIN_SECRET || lc_str_is(text, "true") || lc_str_is(text, "false") ||
           (text.len < MIN_NUMBER && lc_num_from_text(&n, arena, text, MIN_NUMBER) == LC_NUM_OK);
}

static void add_part(lc_known_secrets *known, lc_str part)
{
    if (part.len < LC_SECRET_PART)
        return;
    lc_str beginning = lc_str_sub(part, 0, part.len < MOST_BYTES ? part.len : MOST_BYTES);
    lc_str first = lc_str_sub(part, 0, LC_SECRET_PART);
    if (lc_table_get(&known->beginnings, beginning))
        return;
    beginning = lc_str_copy(known->arena, beginning);
    lc_table_put(&known->beginnings, beginning, known);
    uint64_t *lengths = lc_table_get(&known->lengths, first);
    if (!lengths) {
        lengths = LC_NEW(known->arena, uint64_t);
        lc_table_put(&known->lengths, lc_str_sub(beginning, 0, LC_SECRET_PART), lengths);
    }
    *lengths |= UINT64_C(1) << (beginning.len - LC_SECRET_PART);
}

/* Its form in the base64 of a longer string in which `before` bytes, of any value, precede it:
 * without the characters that also depend on these bytes or on the bytes that follow. */
static void add_base64(lc_known_secrets *known, lc_str secret, size_t before)
{
    lc_buf bytes = {0}, text = {0};
    lc_buf_add(&bytes, "\0\0", before);
    lc_buf_add_str(&bytes,
                   lc_str_sub(secret, 0, secret.len < MOST_BYTES ? secret.len : MOST_BYTES));
    lc_base64_encode(&text, lc_buf_str(&bytes));
    lc_str part = lc_str_sub(lc_buf_str(&text), before ? before + 1 : 0, bytes.len * 8 / 6);
    add_part(known, part);
    for (size_t i = 0; i < text.len; i++) /* as URLs have it */
        text.ptr[i] = text.ptr[i] == '+' ? '-' : text.ptr[i] == '/' ? '_' : text.ptr[i];
    add_part(known, part);
    lc_buf_release(&bytes);
    lc_buf_release(&text);
}

static void add_json(lc_known_secrets *known, lc_str secret)
{
    lc_buf text = {0};
    lc_json w = {.out = &text};
    lc_json_str(&w, NULL, secret);
    add_part(known, lc_str_sub(lc_buf_str(&text), 1, text.len - 1));
    lc_buf_release(&text);
}

void lc_known_secrets_add(lc_known_secrets *known, lc_str secret)
{
    if (is_ordinary(known->arena, secret) || lc_table_get(&known->whole, secret))
        return;
    lc_table_put(&known->whole, lc_str_copy(known->arena, secret), known);
    add_part(known, secret);
    if (secret.len >= LC_SECRET_PART)
        add_json(known, secret);
    for (size_t before = 0; before < 3; before++)
        add_base64(known, secret, before);
}

bool lc_known_secrets_any(const lc_known_secrets *known)
{
    return known->whole.count > 0;
}

static bool begins_with_one(const lc_known_secrets *known, lc_str text)
{
    const uint64_t *lengths = lc_table_get(&known->lengths, lc_str_sub(text, 0, LC_SECRET_PART));
    for (size_t n = 0; lengths && *lengths >> n && LC_SECRET_PART + n <= text.len; n++) {
        if (*lengths >> n & 1 &&
            lc_table_get(&known->beginnings, lc_str_sub(text, 0, LC_SECRET_PART + n)))
            return true;
    }
    return false;
}

bool lc_known_secrets_in(const lc_known_secrets *known, lc_str text)
{
    if (lc_table_get(&known->whole, text))
        return true;
    for (size_t at = 0; known->lengths.count && at + LC_SECRET_PART <= text.len; at++) {
        if (begins_with_one(known, lc_str_sub(text, at, text.len)))
            return true;
    }
    return false;
}
