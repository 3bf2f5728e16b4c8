/* Makes tokens. They are numbered in order of first appearance, so that they reveal nothing about a
 * secret but which other secrets equal it. The number belongs to the folded text: lower case,
 * without white space, without a slash or dot at the end. Rules ask whether strings differ only in
 * these, so the token shows a variant in the same way: by capitals, by spaces, by the same
 * character at the end. */
#include "redact/tokens.h"
#include "redact/secrets.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"

#include <string.h>

/* Shorter secrets are not looked for inside other strings, where they would match by chance. */
#define MIN_SECRET 4
#define MIN_NUMBER 6
/* The same for strings that are not about values, as diagnostics are, but values themselves: a
 * short word in them is replaced only if it is the whole text. A short number may be a port or a
 * year, which is a number elsewhere. */
#define MIN_PART 8
/* Tokens of numbers have nine digits, so they are long enough to be looked for themselves. */
#define FIRST_NUMBER ((size_t)100000000)

void lc_tokens_init(lc_tokens *out, lc_arena *arena, bool all, lc_limits limits)
{
    *out = (lc_tokens){.arena = arena, .limits = limits, .all = all};
    lc_table_init(&out->texts, arena);
    lc_table_init(&out->bases, arena);
    lc_table_init(&out->needles, arena);
    lc_table_init(&out->lengths, arena);
    lc_table_init(&out->numbers, arena);
    lc_table_init(&out->forms, arena);
    lc_seen_init(&out->seen, arena);
}

/* ---- What is looked for in strings of others. */

typedef struct needle {
    lc_str token;
    size_t before; /* needles that were known before */
} needle;

/* Most places of a string do not begin a needle. A bit per hash shows that faster than a table. */
#define HEAD_BITS 16

static size_t head_of(const char *first)
{
    uint32_t head;
    _Static_assert(sizeof head == MIN_SECRET, "a head is what all needles have");
    memcpy(&head, first, sizeof head);
    return (head * 2654435761u) >> (32 - HEAD_BITS);
}

static void add_head(lc_tokens *t, lc_str text)
{
    size_t head = head_of(text.ptr);
    if (!t->heads)
        t->heads = lc_arena_zalloc(t->arena, ((size_t)1 << HEAD_BITS) / 8);
    t->heads[head / 8] |= (uint8_t)(1 << head % 8);
}

static bool may_begin(const lc_tokens *t, lc_str rest)
{
    size_t head = t->heads && rest.len >= MIN_SECRET ? head_of(rest.ptr) : 0;
    return t->heads && rest.len >= MIN_SECRET && (t->heads[head / 8] >> head % 8 & 1);
}

/* The lengths of all secrets that begin with the same bytes, the longest first, so that a search
 * compares one hash per length. The bytes are 4, 8, 16, ..., as many as a secret has; all shorter
 * beginnings of it have a list too. So a search ends early where only the first bytes are equal. */
typedef struct lengths {
    LC_VEC(size_t) list;
} lengths;

static lengths *lengths_of(lc_tokens *t, lc_str head)
{
    lengths *l = lc_table_get(&t->lengths, head);
    if (!l) {
        l = LC_NEW(t->arena, lengths);
        lc_table_put(&t->lengths, head, l);
    }
    return l;
}

static void add_length(lc_tokens *t, lc_str text)
{
    size_t head = MIN_SECRET, at = 0;
    for (; head <= text.len / 2; head *= 2)
        lengths_of(t, lc_str_sub(text, 0, head));
    lengths *l = lengths_of(t, lc_str_sub(text, 0, head));
    while (at < l->list.count && l->list.items[at] > text.len)
        at++;
    if (at < l->list.count && l->list.items[at] == text.len)
        return;
    *LC_PUSH(t->arena, &l->list, size_t) = text.len;
    memmove(&l->list.items[at + 1], &l->list.items[at],
            (l->list.count - 1 - at) * sizeof *l->list.items);
    l->list.items[at] = text.len;
}

static void add_needle(lc_tokens *t, lc_str text, lc_str token)
{
    if (text.len < MIN_SECRET || lc_table_get(&t->needles, text))
        return;
    needle *slot = LC_NEW(t->arena, needle);
    lc_str kept = lc_str_copy(t->arena, text);
    *slot = (needle){token, t->needles.count};
    lc_table_put(&t->needles, kept, slot);
    add_length(t, kept);
    add_head(t, kept);
}

static bool is_short_word(lc_str text)
{
    bool word = text.len < MIN_PART;
    for (size_t i = 0; i < text.len && word; i++)
        word = (lc_is_alnum(text.ptr[i]) && !lc_is_digit(text.ptr[i])) || text.ptr[i] == '-' ||
               text.ptr[i] == '_';
    return word;
}

/* Forms of strings that are secret as a whole, which were not secret before the needle `before`. */
static void add_form(lc_tokens *t, lc_str secret, size_t before)
{
    if (secret.len < MIN_SECRET || (t->words_stay && is_short_word(secret)))
        return;
    lc_form form = lc_form_of(secret);
    if (lc_table_get_index(&t->forms, lc_form_key(&form)) == LC_NO_INDEX)
        lc_table_put_index(&t->forms, lc_str_copy(t->arena, lc_form_key(&form)), before);
}

/* As inside a JSON string, without quotes; "" if that is the text itself. */
static lc_str escaped(lc_arena *arena, lc_str text)
{
    lc_buf json = {0};
    lc_buf_add_json(&json, text, false);
    lc_str inner = lc_str_sub(lc_buf_str(&json), 1, json.len - 1);
    inner = lc_str_eq(inner, text) ? LC_STR_EMPTY : lc_str_copy(arena, inner);
    lc_buf_release(&json);
    return inner;
}

/* Base64 without padding: inside longer base64 the padding is missing. */
static lc_str encoded(lc_arena *arena, lc_str text)
{
    lc_buf base64 = {0};
    lc_base64_encode(&base64, text);
    lc_str all = lc_buf_take(arena, &base64);
    while (all.len && all.ptr[all.len - 1] == '=')
        all.len--;
    return all;
}

/* Registers the three forms in which a secret can appear inside another text. The token gets the
 * same form: a JSON string does not end in it, and a string is not equal to its base64. */
static void seek(lc_tokens *t, lc_str secret, lc_str token)
{
    if (secret.len < MIN_SECRET)
        return;
    lc_arena *scratch = lc_arena_new();
    lc_str inner = escaped(t->arena, token);
    add_form(t, secret, t->needles.count);
    add_needle(t, secret, token);
    add_needle(t, escaped(scratch, secret), inner.len ? inner : token);
    add_needle(t, encoded(scratch, secret), encoded(t->arena, token));
    lc_arena_free(scratch);
}

static void remember(lc_tokens *t, lc_str secret, lc_str token)
{
    lc_str *slot = LC_NEW(t->arena, lc_str);
    *slot = token;
    lc_table_put(&t->texts, lc_str_copy(t->arena, secret), slot);
    seek(t, secret, token);
}

/* ---- Words. */

/* Letters of a token. A variant is a bit mask over them: capitals, or spaces after letters. */
#define LETTERS  16
#define VARIANTS ((size_t)1 << (LETTERS - 1))

typedef struct folded {
    lc_buf small;  /* without white space, letters small */
    lc_buf cased;  /* without white space */
    lc_buf spaced; /* letters small */
    char end;      /* a slash or dot that was cut off, or 0 */
    bool upper, space, last_break;
} folded;

static folded fold(lc_str s)
{
    folded f = {0};
    lc_str body = s;
    f.last_break = s.len && s.ptr[s.len - 1] == '\n';
    while (body.len && lc_is_space(body.ptr[body.len - 1]))
        body.len--;
    f.space = body.len + f.last_break != s.len;
    if (body.len > 1 && (body.ptr[body.len - 1] == '/' || body.ptr[body.len - 1] == '.'))
        f.end = body.ptr[--body.len];
    for (size_t i = 0; i < body.len; i++) {
        char c = body.ptr[i];
        f.upper |= lc_is_upper(c);
        f.space |= lc_is_space(c);
        lc_buf_add_char(&f.spaced, lc_to_lower(c));
        if (lc_is_space(c))
            continue;
        lc_buf_add_char(&f.small, lc_to_lower(c));
        lc_buf_add_char(&f.cased, c);
    }
    lc_buf_add_str(&f.spaced, lc_str_sub(s, body.len, s.len)); /* white space at the end is some */
    return f;
}

static void release(folded *f)
{
    lc_buf_release(&f->small);
    lc_buf_release(&f->cased);
    lc_buf_release(&f->spaced);
}

/* All secrets with the same folded text. */
typedef struct base {
    size_t number;
    lc_table cases, spaces; /* variants that were seen -> their number */
    size_t case_count, space_count;
} base;

static base *new_base(lc_tokens *t)
{
    base *b = LC_NEW(t->arena, base);
    b->number = ++t->count;
    lc_table_init(&b->cases, t->arena);
    lc_table_init(&b->spaces, t->arena);
    return b;
}

/* The number of a variant of a string; 0: there are more than a token can show. */
static size_t variant_of(lc_tokens *t, lc_table *seen, size_t *count, lc_str form)
{
    size_t known = (size_t)(uintptr_t)lc_table_get(seen, form);
    if (known || *count + 1 == VARIANTS)
        return known;
    lc_table_put(seen, lc_str_copy(t->arena, form), (void *)(uintptr_t)(++*count));
    return *count;
}

/* The number in letters, least significant first, with the variants as capitals and gaps. */
static void add_word(lc_buf *out, size_t number, size_t capitals, size_t gaps)
{
    for (unsigned i = 0; i < LETTERS; i++) {
        char c = (char)('a' + number % 26);
        lc_buf_add_char(out, capitals >> i & 1 ? lc_to_upper(c) : c);
        if (gaps >> i & 1)
            lc_buf_add_char(out, ' ');
        number /= 26;
    }
}

static bool is_zero(lc_str literal)
{
    for (size_t i = 0; i < literal.len && literal.ptr[i] != 'e' && literal.ptr[i] != 'E'; i++) {
        if (literal.ptr[i] >= '1' && literal.ptr[i] <= '9')
            return false;
    }
    return true;
}

static bool is_number(const lc_tokens *t, lc_str s)
{
    lc_num n;
    return !is_zero(s) && lc_num_from_text(&n, t->arena, s, t->limits.digits) == LC_NUM_OK &&
           !lc_num_is_inf(n);
}

/* A number with a slash or spaces around it differs from the number in these alone. */
static bool add_number(lc_buf *out, lc_tokens *t, const folded *f, size_t gaps)
{
    lc_str number = lc_buf_str(&f->small);
    if (f->upper || !is_number(t, number))
        return false;
    number = lc_token_number(t, number);
    if (gaps >> number.len)
        return false;
    for (size_t i = 0; i < number.len; i++) {
        lc_buf_add_char(out, number.ptr[i]);
        if (gaps >> i & 1)
            lc_buf_add_char(out, ' ');
    }
    return true;
}

static lc_str make_word(lc_tokens *t, lc_str s)
{
    folded f = fold(s);
    lc_buf out = {0};
    base *b = lc_table_get(&t->bases, lc_buf_str(&f.small));
    if (!b) {
        b = new_base(t);
        lc_table_put(&t->bases, lc_str_copy(t->arena, lc_buf_str(&f.small)), b);
    }
    size_t capitals = f.upper ? variant_of(t, &b->cases, &b->case_count, lc_buf_str(&f.cased)) : 0;
    size_t gaps = f.space ? variant_of(t, &b->spaces, &b->space_count, lc_buf_str(&f.spaced)) : 0;
    if ((f.upper && !capitals) || (f.space && !gaps)) /* too many variants: as another secret */
        add_word(&out, new_base(t)->number, f.upper, f.space);
    else if (!add_number(&out, t, &f, gaps))
        add_word(&out, b->number, capitals, gaps);
    if (f.end)
        lc_buf_add_char(&out, f.end);
    if (f.last_break)
        lc_buf_add_char(&out, '\n');
    release(&f);
    return lc_buf_take(t->arena, &out);
}

/* ---- Numbers. */

/* Numbers are compared by value: `1`, `1.0` and `1e0` get the same token. Zero stays, because rules
 * treat it as the legacy SDK's empty value. */
lc_str lc_token_number(lc_tokens *t, lc_str literal)
{
    lc_num n;
    lc_buf text = {0};
    if (is_zero(literal))
        return LC_STR("0");
    if (lc_num_from_text(&n, t->arena, literal, t->limits.digits) == LC_NUM_OK)
        lc_num_add_text(&text, n);
    else
        lc_buf_add_str(&text, literal);
    lc_str *known = lc_table_get(&t->numbers, lc_buf_str(&text));
    if (!known) {
        known = LC_NEW(t->arena, lc_str);
        *known = lc_str_printf(t->arena, "%zu", FIRST_NUMBER + ++t->number_count);
        lc_table_put(&t->numbers, lc_str_copy(t->arena, lc_buf_str(&text)), known);
        if (text.len >= MIN_NUMBER) {
            add_form(t, lc_buf_str(&text), t->needles.count);
            add_needle(t, lc_buf_str(&text), *known);
        }
    }
    lc_buf_release(&text);
    return *known;
}

/* A string that is a number stays one. Other spellings of the same number get more zeros (`N.0`).
 */
static lc_str make_number(lc_tokens *t, lc_str s)
{
    lc_buf out = {0};
    lc_str number = lc_token_number(t, s);
    lc_str key =
        lc_str_printf(t->arena, "=%.*s", LC_FMT(number)); /* no folded text but this one's */
    size_t *forms = lc_table_get(&t->numbers, key);
    if (!forms) {
        forms = LC_NEW(t->arena, size_t);
        lc_table_put(&t->numbers, key, forms);
    }
    lc_buf_add_str(&out, number);
    for (size_t i = 0; i < *forms; i++)
        lc_buf_add_c(&out, i ? "0" : ".0");
    ++*forms;
    return lc_buf_take(t->arena, &out);
}

/* ---- JSON strings: every string and number gets a token, all else stays as written. */

static bool is_json(lc_tokens *t, lc_str s)
{
    lc_source source;
    lc_diags quiet;
    size_t at = 0;
    while (at < s.len && lc_is_space(s.ptr[at]))
        at++;
    if (at == s.len || (s.ptr[at] != '{' && s.ptr[at] != '['))
        return false;
    lc_arena *scratch = lc_arena_new();
    lc_diags_init(&quiet, scratch);
    bool ok = lc_json_parse(&source, scratch, LC_STR_EMPTY, s, &t->limits, &quiet) == LC_OK;
    lc_arena_free(scratch);
    return ok;
}

static size_t string_end(lc_str s, size_t at)
{
    for (at++; at < s.len && s.ptr[at] != '"'; at++)
        at += s.ptr[at] == '\\';
    return at < s.len ? at + 1 : s.len;
}

static size_t number_end(lc_str s, size_t at)
{
    while (at < s.len && (lc_is_digit(s.ptr[at]) || s.ptr[at] == '.' || s.ptr[at] == '-' ||
                          s.ptr[at] == '+' || s.ptr[at] == 'e' || s.ptr[at] == 'E'))
        at++;
    return at;
}

static lc_str string_in(lc_arena *arena, lc_tokens *t, lc_str literal)
{
    lc_source source;
    lc_diags quiet;
    lc_diags_init(&quiet, arena);
    if (lc_json_parse(&source, arena, LC_STR_EMPTY, literal, &t->limits, &quiet) != LC_OK ||
        source.documents[0].kind != LC_NODE_STRING)
        return literal;
    return source.documents[0].as.text;
}

static lc_str make_json(lc_tokens *t, lc_str s)
{
    lc_buf out = {0};
    lc_arena *scratch = lc_arena_new();
    for (size_t at = 0; at < s.len;) {
        char c = s.ptr[at];
        size_t end = at + 1;
        if (c == '"') {
            end = string_end(s, at);
            lc_str text = string_in(scratch, t, lc_str_sub(s, at, end));
            lc_buf_add_json(&out, lc_token_text(t, text), false);
        } else if (c == '-' || lc_is_digit(c)) {
            end = number_end(s, at);
            lc_buf_add_str(&out, lc_token_number(t, lc_str_sub(s, at, end)));
        } else {
            lc_buf_add_char(&out, c);
        }
        at = end;
    }
    lc_str text = lc_buf_take(t->arena, &out);
    lc_arena_free(scratch);
    return text;
}

/* The token of a string decides by its form which kind it gets, so that conversions keep working.
 */
lc_str lc_token_text(lc_tokens *t, lc_str text)
{
    const lc_str *known = lc_table_get(&t->texts, text);
    if (known) {
        if (is_short_word(text)) /* so far it may have been a word of a provider's settings */
            add_form(t, text, t->needles.count - 1);
        return *known;
    }
    if (text.len == 0)
        return text;
    lc_str token = is_json(t, text)     ? make_json(t, text)
                   : is_number(t, text) ? make_number(t, text)
                                        : make_word(t, text);
    remember(t, text, token);
    return token;
}

/* ---- Strings of others. */

/* Which needles count: of this length at least, and known at a time. */
typedef struct sought {
    size_t min, known;
} sought;

static const lc_str *longest_in(const lc_tokens *t, const sought *s, const lengths *l, lc_str rest,
                                size_t *len)
{
    for (size_t i = 0; i < l->list.count && l->list.items[i] >= s->min; i++) {
        *len = l->list.items[i];
        const needle *n =
            *len > rest.len ? NULL : lc_table_get(&t->needles, lc_str_sub(rest, 0, *len));
        if (n && n->before < s->known)
            return &n->token;
    }
    return NULL;
}

/* The token of the longest secret at the beginning of `rest`; *len is the secret's length. */
static const lc_str *longest_at(const lc_tokens *t, const sought *s, lc_str rest, size_t *len)
{
    const lengths *lists[sizeof(size_t) * 8];
    const lc_str *token = NULL;
    size_t count = 0;
    if (!may_begin(t, rest))
        return NULL;
    for (size_t head = MIN_SECRET; head <= rest.len; head *= 2) {
        const lengths *l = lc_table_get(&t->lengths, lc_str_sub(rest, 0, head));
        if (!l)
            break;
        lists[count++] = l;
    }
    while (!token && count)
        token = longest_in(t, s, lists[--count], rest, len);
    return token;
}

/* The text itself if there is no secret in it. */
static lc_str replaced(const lc_tokens *t, lc_arena *arena, const sought *s, lc_str text)
{
    lc_buf out = {0};
    size_t done = 0;
    for (size_t at = 0; at < text.len;) {
        size_t len = 1;
        const lc_str *token = longest_at(t, s, lc_str_sub(text, at, text.len), &len);
        at += token ? len : 1;
        if (!token)
            continue;
        lc_buf_add_str(&out, lc_str_sub(text, done, at - len));
        lc_buf_add_str(&out, *token);
        done = at;
    }
    if (done == 0)
        return text;
    lc_buf_add_str(&out, lc_str_sub(text, done, text.len));
    return lc_buf_take(arena, &out);
}

lc_str lc_tokens_redact(lc_tokens *t, lc_arena *arena, lc_str text)
{
    const sought all = {MIN_SECRET, SIZE_MAX};
    return lc_str_copy(arena, replaced(t, arena, &all, text));
}

/* Strings that a conversion makes a bool, or a number, may be one in another place. */
static bool may_be_converted(const lc_tokens *t, lc_str text)
{
    static const char *const words[] = {"true", "false", NULL};
    return lc_str_is_one_of(text, words, NULL) || (text.len < MIN_PART && is_number(t, text));
}

/* Secrets in a part of a string, such as the prefix of an unknown value. */
static lc_str mask_part(lc_tokens *t, lc_arena *arena, lc_str text)
{
    lc_form form = lc_form_of(text);
    sought s = {MIN_PART, lc_seen_first(&t->seen, &form, t->needles.count)};
    return s.known ? replaced(t, arena, &s, text) : text;
}

lc_str lc_tokens_mask(lc_tokens *t, lc_arena *arena, lc_str text)
{
    if (text.len < MIN_SECRET)
        return text;
    lc_form form = lc_form_of(text);
    sought s = {MIN_PART, lc_seen_first(&t->seen, &form, t->needles.count)};
    if (s.known == 0)
        return text;
    size_t before = lc_table_get_index(&t->forms, lc_form_key(&form));
    if (before != LC_NO_INDEX && before < s.known)
        return may_be_converted(t, text) ? text : lc_token_text(t, text);
    return replaced(t, arena, &s, text);
}

/* ---- Values. */

/* A value whose parts are being replaced; it is rebuilt from `elems` when all of them are done. */
typedef struct opened opened;
struct opened {
    lc_value *value;
    lc_value *elems;
    opened *outer;
};

typedef struct value_redactor {
    lc_tokens *tokens;
    lc_arena *arena;
    opened *top;
    bool masks; /* secrets are looked for in what is not secret */
} value_redactor;

/* `declared` is the schema's type, or NULL without one. Where it is dynamic, attribute names are
 * data, and get tokens too. */
static void redact_value(const value_redactor *r, lc_value *out, const lc_value *v,
                         const lc_type *declared);

static void redact_primitive(const value_redactor *r, lc_value *out, const lc_value *v)
{
    lc_num n;
    if (v->type->kind == LC_TYPE_STRING) {
        lc_value_set_string(out, r->arena, lc_token_text(r->tokens, v->as.string));
    } else if (v->type->kind == LC_TYPE_NUMBER && !lc_num_is_inf(v->as.number)) {
        lc_buf text = {0};
        lc_num_add_text(&text, v->as.number);
        lc_str token = lc_token_number(r->tokens, lc_buf_str(&text));
        lc_buf_release(&text);
        if (lc_num_from_text(&n, r->arena, token, 40) == LC_NUM_OK)
            lc_value_set_number(out, n);
    }
}

static void build(const value_redactor *r, lc_value *out, const lc_value *v, lc_value *elems,
                  const lc_str *keys)
{
    bool ok = true;
    switch (v->type->kind) {
    case LC_TYPE_LIST:
        ok = lc_value_set_list(out, r->arena, v->type, elems, v->count);
        break;
    case LC_TYPE_SET:
        ok = lc_value_set_set(out, r->arena, v->type, elems, v->count);
        break;
    case LC_TYPE_MAP: {
        lc_str *own = lc_arena_copy(r->arena, keys, v->count, sizeof *own);
        ok = lc_value_set_map(out, r->arena, v->type, own, elems, v->count);
        break;
    }
    case LC_TYPE_TUPLE:
        lc_value_set_tuple(out, r->arena, v->type, elems, v->count);
        break;
    case LC_TYPE_OBJECT:
        lc_value_set_object(out, r->arena, v->type, elems);
        break;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC:
        break;
    }
    if (!ok)
        lc_value_set_null(out, v->type);
}

/* ---- Types with tokens for names. */

static const lc_type *with_tokens(const value_redactor *r, const lc_type *type,
                                  const lc_type *declared);

static const lc_type *declared_below(const lc_type *declared, size_t i)
{
    if (!declared)
        return NULL;
    switch (declared->kind) {
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        return declared->as.elem;
    case LC_TYPE_TUPLE:
        return i < declared->count ? declared->as.items[i] : NULL;
    case LC_TYPE_OBJECT:
        return i < declared->count ? declared->as.attrs[i].type : NULL;
    case LC_TYPE_DYNAMIC:
        return declared;
    case LC_TYPE_BOOL:
    case LC_TYPE_NUMBER:
    case LC_TYPE_STRING:
        break;
    }
    return NULL;
}

static const lc_type *object_with_tokens(const value_redactor *r, const lc_type *type,
                                         const lc_type *declared)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(r->arena, lc_type_attr, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        attrs[i] = type->as.attrs[i];
        attrs[i].type = with_tokens(r, attrs[i].type, declared_below(declared, i));
        if (declared->kind == LC_TYPE_DYNAMIC)
            attrs[i].name = lc_token_text(r->tokens, attrs[i].name);
    }
    return lc_type_object(r->arena, attrs, type->count);
}

static const lc_type *with_tokens(const value_redactor *r, const lc_type *type,
                                  const lc_type *declared)
{
    if (!declared || !declared->has_dynamic)
        return type;
    if (type->kind == LC_TYPE_OBJECT)
        return object_with_tokens(r, type, declared);
    if (lc_type_is_collection(type))
        return lc_type_collection(r->arena, type->kind,
                                  with_tokens(r, type->as.elem, declared_below(declared, 0)));
    if (type->kind != LC_TYPE_TUPLE)
        return type;
    const lc_type **items = LC_NEW_ARRAY(r->arena, const lc_type *, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        items[i] = with_tokens(r, type->as.items[i], declared_below(declared, i));
    return lc_type_tuple(r->arena, items, type->count);
}

const lc_type *lc_tokens_redact_type(lc_tokens *tokens, lc_arena *arena, const lc_type *type)
{
    const value_redactor r = {.tokens = tokens, .arena = arena};
    return with_tokens(&r, type, &lc_type_dynamic);
}

/* The elements of an object are in the order of its attribute names, which the tokens changed. */
static lc_value *in_order(const value_redactor *r, lc_value *elems, const lc_type *before,
                          const lc_type *after)
{
    lc_value *moved = LC_NEW_ARRAY(r->arena, lc_value, before->count);
    for (uint32_t i = 0; i < before->count; i++) {
        long at = lc_type_attr_index(after, lc_token_text(r->tokens, before->as.attrs[i].name));
        LC_ASSERT(at >= 0);
        moved[at] = elems[i];
    }
    return moved;
}

static void redact_members(const value_redactor *r, lc_value *out, const lc_value *v,
                           const lc_type *declared)
{
    lc_value *elems = LC_NEW_ARRAY(r->arena, lc_value, v->count);
    lc_str *keys = LC_NEW_ARRAY(r->arena, lc_str, v->count);
    for (size_t i = 0; i < v->count; i++) {
        redact_value(r, &elems[i], &v->as.many.elems[i], declared_below(declared, i));
        if (v->type->kind == LC_TYPE_MAP)
            keys[i] = lc_token_text(r->tokens, v->as.many.keys[i]);
    }
    lc_value shape = *v;
    shape.type = with_tokens(r, v->type, declared);
    if (v->type->kind == LC_TYPE_OBJECT && declared && declared->kind == LC_TYPE_DYNAMIC)
        elems = in_order(r, elems, v->type, shape.type);
    build(r, out, &shape, elems, keys);
}

/* Of an unknown's refinements not_null and lengths stay; a prefix or a bound is part of the secret.
 */
static void redact_unknown(const value_redactor *r, lc_value *out, const lc_value *v,
                           const lc_type *type)
{
    const lc_refinement *promised = lc_value_refinement(v);
    lc_refinement kept = {0};
    lc_value_set_unknown(out, type);
    if (!promised)
        return;
    kept.not_null = promised->not_null;
    kept.has_min_len = promised->has_min_len;
    kept.has_max_len = promised->has_max_len;
    kept.min_len = promised->min_len;
    kept.max_len = promised->max_len;
    if (!lc_value_set_refined(out, r->arena, type, &kept))
        lc_value_set_unknown(out, type);
}

static void redact_value(const value_redactor *r, lc_value *out, const lc_value *v,
                         const lc_type *declared)
{
    *out = *v;
    if (lc_is_null(v))
        lc_value_set_null(out, with_tokens(r, v->type, declared));
    else if (lc_is_unknown(v))
        redact_unknown(r, out, v, with_tokens(r, v->type, declared));
    else if (lc_type_is_primitive(v->type))
        redact_primitive(r, out, v);
    else
        redact_members(r, out, v, declared);
}

/* ---- Values that are not secret themselves. */

static bool mask_value(const value_redactor *r, lc_value *v);

/* The keys themselves, if there is no secret in them. */
static const lc_str *masked_keys(const value_redactor *r, const lc_value *map)
{
    lc_str *keys = NULL;
    for (size_t i = 0; i < map->count; i++) {
        lc_str was = map->as.many.keys[i], is = lc_tokens_mask(r->tokens, r->arena, was);
        if (is.ptr == was.ptr)
            continue;
        if (!keys)
            keys = lc_arena_copy(r->arena, map->as.many.keys, map->count, sizeof *keys);
        keys[i] = is;
    }
    return keys ? keys : map->as.many.keys;
}

static lc_value *elements_copied(const value_redactor *r, const lc_value *v)
{
    return lc_arena_copy(r->arena, v->as.many.elems, v->count, sizeof(lc_value));
}

static bool mask_members(const value_redactor *r, lc_value *v)
{
    lc_value before = *v, *elems = NULL;
    const lc_str *keys = v->type->kind == LC_TYPE_MAP ? masked_keys(r, v) : NULL;
    if (keys && keys != v->as.many.keys)
        elems = elements_copied(r, v);
    for (size_t i = 0; i < v->count; i++) {
        lc_value elem = v->as.many.elems[i];
        if (!mask_value(r, &elem))
            continue;
        elems = elems ? elems : elements_copied(r, v);
        elems[i] = elem;
    }
    if (elems)
        build(r, v, &before, elems, keys);
    return elems;
}

static bool mask_prefix(const value_redactor *r, lc_value *v)
{
    const lc_refinement *promised = lc_value_refinement(v);
    if (!promised || !promised->has_prefix)
        return false;
    lc_refinement kept = *promised;
    kept.prefix = mask_part(r->tokens, r->arena, promised->prefix);
    return kept.prefix.ptr != promised->prefix.ptr &&
           lc_value_set_refined(v, r->arena, v->type, &kept);
}

/* False: nothing was changed. */
static bool mask_value(const value_redactor *r, lc_value *v)
{
    if (!lc_is_known(v))
        return lc_is_unknown(v) && mask_prefix(r, v);
    if (!lc_type_is_primitive(v->type))
        return mask_members(r, v);
    if (v->type->kind != LC_TYPE_STRING)
        return false;
    lc_str text = lc_tokens_mask(r->tokens, r->arena, v->as.string);
    if (text.ptr == v->as.string.ptr)
        return false;
    lc_value_set_string(v, r->arena, text);
    return true;
}

/* ---- Objects of a schema. */

static value_redactor *redactor_of(const lc_secret_walk *w)
{
    return w->context;
}

static void push(value_redactor *r, lc_value *value)
{
    opened *o = LC_NEW(r->arena, opened);
    *o = (opened){value, elements_copied(r, value), r->top};
    r->top = o;
}

/* A value that does not have the form of the block is redacted as a whole. */
static bool enter_value(const lc_secret_walk *w, lc_secret_place *object, const lc_type *type)
{
    lc_value v = *object->value;
    if (!lc_is_known(&v))
        return false;
    bool fits = v.type->kind == LC_TYPE_OBJECT && v.count == type->count;
    if (fits)
        push(redactor_of(w), object->value);
    else
        redact_value(redactor_of(w), object->value, &v, NULL);
    return fits;
}

static lc_secret_place part_of_value(const lc_secret_walk *w, lc_secret_place object,
                                     lc_secret_part kind, lc_str name, uint32_t slot)
{
    (void)object;
    (void)kind;
    (void)name;
    return (lc_secret_place){.value = &redactor_of(w)->top->elems[slot]};
}

static uint32_t elements_of_value(const lc_secret_walk *w, lc_secret_place *part,
                                  lc_nesting nesting)
{
    if (lc_nests_one(nesting))
        return 1;
    if (!lc_is_known(part->value) || lc_type_is_primitive(part->value->type))
        return 0;
    if (part->value->count)
        push(redactor_of(w), part->value);
    return part->value->count;
}

static lc_secret_place element_of_value(const lc_secret_walk *w, lc_secret_place part,
                                        lc_nesting nesting, uint32_t i)
{
    return lc_nests_one(nesting) ? part
                                 : (lc_secret_place){.value = &redactor_of(w)->top->elems[i]};
}

static void leave_value(const lc_secret_walk *w, lc_secret_place place)
{
    value_redactor *r = redactor_of(w);
    opened *o = r->top;
    if (!o || o->value != place.value) /* not opened: the single object of a part */
        return;
    lc_value before = *o->value;
    const lc_str *keys = before.as.many.keys;
    if (r->masks && before.type->kind == LC_TYPE_MAP)
        keys = masked_keys(r, &before);
    build(r, o->value, &before, o->elems, keys);
    r->top = o->outer;
}

/* Attributes with a nested type are visited by the walk. */
static void mask_others(const lc_secret_walk *w, lc_secret_place object, const lc_block *block,
                        const lc_nested_type *nested)
{
    value_redactor *r = redactor_of(w);
    const lc_attribute *attributes = block ? block->attributes : nested->attributes;
    size_t count = block ? block->attribute_count : nested->attribute_count;
    (void)object;
    for (size_t i = 0; i < count; i++) {
        if (!lc_is_secret(&attributes[i]) && !attributes[i].nested)
            mask_value(r, &r->top->elems[attributes[i].slot]);
    }
}

static void redact_part(const lc_secret_walk *w, lc_secret_place part, const lc_type *type)
{
    lc_value before = *part.value;
    redact_value(redactor_of(w), part.value, &before, type);
}

static void redact_by_block(value_redactor *r, lc_value *object, const lc_block *block)
{
    const lc_secret_walk walk = {.context = r,
                                 .enter = enter_value,
                                 .part = part_of_value,
                                 .elements = elements_of_value,
                                 .element = element_of_value,
                                 .others = r->masks ? mask_others : NULL,
                                 .leave = leave_value,
                                 .redact = redact_part};
    lc_walk_secrets(&walk, (lc_secret_place){.value = object}, block);
}

/* A copy of an object with everything under sensitive and write-only attributes replaced; with
 * `all` everything. Without a block nothing or everything is replaced. */
static const lc_value *redact_object(value_redactor *r, const lc_encoded *in,
                                     const lc_value *object)
{
    lc_value *out = LC_NEW(r->arena, lc_value);
    *out = *object;
    if (r->tokens->all)
        redact_value(r, out, object, in->block ? in->block->implied : NULL);
    else if (in->block && lc_has_secrets(in->block))
        redact_by_block(r, out, in->block);
    else if (r->masks)
        mask_value(r, out);
    return out;
}

static const lc_value *decoded(lc_arena *arena, const lc_encoded *in)
{
    lc_wire_result result;
    const lc_value *v;
    bool good = in->json ? lc_ctyjson_decode(&v, arena, in->bytes, in->type, &result)
                         : lc_msgpack_decode(&v, arena, in->bytes, in->type, &result);
    return good ? v : NULL;
}

static lc_str encoded_as(lc_arena *arena, const lc_encoded *in, const lc_value *v)
{
    lc_buf out = {0};
    lc_str why;
    if (in->json)
        lc_ctyjson_encode(&out, v, in->type, &why);
    else
        lc_msgpack_encode(&out, v, in->type);
    return lc_buf_take(arena, &out);
}

const lc_value *lc_tokens_learn(lc_tokens *tokens, lc_arena *arena, const lc_encoded *in)
{
    value_redactor r = {.tokens = tokens, .arena = arena};
    const lc_value *v = decoded(arena, in);
    if (v)
        redact_object(&r, in, v);
    return v;
}

lc_str lc_tokens_write(lc_tokens *tokens, lc_arena *arena, const lc_encoded *in, const lc_value *v)
{
    value_redactor r = {.tokens = tokens, .arena = arena, .masks = true};
    return encoded_as(arena, in, redact_object(&r, in, v));
}

/* Undecodable bytes are evidence, so others take their place that cannot be decoded either: 0xc1 is
 * never used in MessagePack. */
lc_str lc_tokens_redact_bytes(lc_tokens *tokens, lc_arena *arena, const lc_block *block,
                              const lc_type *type, lc_str bytes, bool json)
{
    value_redactor r = {.tokens = tokens, .arena = arena};
    const lc_encoded in = {block, type, bytes, json};
    if (!type)
        return json ? LC_STR("null") : LC_STR("\xc0");
    const lc_value *v = decoded(arena, &in);
    if (!v)
        return json ? LC_STR("(undecodable)") : LC_STR("\xc1");
    return encoded_as(arena, &in, redact_object(&r, &in, v));
}
