/* Making tokens. What a token depends on: the folded text (letters small, no white space, no slash
 * or dot at the end), and then, as variants of the same token, how the text differs from that. */
#include "tokens.h"

#include "lifecheck/arena.h"
#include "lifecheck/ascii.h"
#include "lifecheck/bug.h"

#include <string.h>

/* Shorter ones are not looked for inside other texts. */
#define MIN_SECRET 4
#define MIN_NUMBER 6

void lc_tokens_init(lc_tokens *out, lc_arena *arena, uint64_t key, bool all, lc_limits limits)
{
    *out = (lc_tokens){.arena = arena, .key = key, .limits = limits, .all = all};
    lc_table_init(&out->texts, arena);
    lc_table_init(&out->needles, arena);
    lc_table_init(&out->numbers, arena);
}

static uint64_t hash_of(const lc_tokens *t, uint64_t salt, lc_str s)
{
    return lc_hash_mix(lc_hash_mix(t->key, salt), lc_str_hash(s));
}

/* What is looked for in texts of others; those that begin alike are a list. */
typedef struct needle {
    lc_str text, token;
    struct needle *next;
} needle;

static void add_needle(lc_tokens *t, lc_str text, lc_str token)
{
    if (text.len < MIN_SECRET)
        return;
    needle *n = LC_NEW(t->arena, needle);
    lc_str kept = lc_str_copy(t->arena, text), head = lc_str_sub(kept, 0, MIN_SECRET);
    *n = (needle){kept, token, lc_table_get(&t->needles, head)};
    lc_table_put(&t->needles, head, n);
}

/* As a JSON string has it, without the quotes; "" if that is the text itself. */
static lc_str escaped(lc_arena *arena, lc_str text)
{
    lc_buf json = {0};
    lc_buf_add_json(&json, text, false);
    lc_str inner = lc_str_sub(lc_buf_str(&json), 1, json.len - 1);
    inner = lc_str_eq(inner, text) ? LC_STR_EMPTY : lc_str_copy(arena, inner);
    lc_buf_release(&json);
    return inner;
}

/* Without the padding. */
static lc_str encoded(lc_arena *arena, lc_str text)
{
    lc_buf base64 = {0};
    lc_base64_encode(&base64, text);
    lc_str all = lc_buf_take(arena, &base64);
    while (all.len && all.ptr[all.len - 1] == '=')
        all.len--;
    return all;
}

static void seek(lc_tokens *t, lc_str secret, lc_str token)
{
    if (secret.len < MIN_SECRET)
        return;
    lc_arena *scratch = lc_arena_new();
    add_needle(t, secret, token);
    add_needle(t, escaped(scratch, secret), token);
    add_needle(t, encoded(scratch, secret), token);
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

typedef struct folded {
    lc_buf text;
    bool upper, space;
    char end;        /* a slash or dot that was cut off, or 0 */
    char last_break; /* a line break at the very end, or 0 */
} folded;

static folded fold(lc_str s)
{
    folded f = {{0}, false, false, '\0', '\0'};
    if (s.len && s.ptr[s.len - 1] == '\n')
        f.last_break = '\n';
    lc_str body = s;
    while (body.len && lc_is_space(body.ptr[body.len - 1]))
        body.len--;
    if (body.len > 1 && (body.ptr[body.len - 1] == '/' || body.ptr[body.len - 1] == '.'))
        f.end = body.ptr[--body.len];
    for (size_t i = 0; i < body.len; i++) {
        char c = body.ptr[i];
        f.upper |= lc_is_upper(c);
        f.space |= lc_is_space(c);
        if (!lc_is_space(c))
            lc_buf_add_char(&f.text, lc_to_lower(c));
    }
    return f;
}

/* Twelve letters and digits; letters of those at places that the exact text chooses are capitals.
 */
static void add_word(lc_buf *out, uint64_t base, uint64_t variant, const folded *f)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
    lc_buf_add_c(out, f->upper ? "R" : "r");
    for (unsigned i = 0; i < 12; i++) {
        char c = alphabet[base & 31];
        bool capital = f->upper && lc_is_lower(c) && (variant >> i & 1);
        lc_buf_add_char(out, capital ? lc_to_upper(c) : c);
        if (f->space && i == (variant >> 13) % 11)
            lc_buf_add_char(out, ' ');
        base >>= 5;
    }
}

static lc_str make_word(lc_tokens *t, lc_str s)
{
    folded f = fold(s);
    lc_buf out = {0};
    add_word(&out, hash_of(t, 1, lc_buf_str(&f.text)), hash_of(t, 2, s), &f);
    if (f.end)
        lc_buf_add_char(&out, f.end);
    if (f.last_break)
        lc_buf_add_char(&out, f.last_break);
    lc_str word = lc_buf_take(t->arena, &out);
    lc_buf_release(&f.text);
    return word;
}

/* ---- Numbers. */

static bool is_zero(lc_str literal)
{
    for (size_t i = 0; i < literal.len && literal.ptr[i] != 'e' && literal.ptr[i] != 'E'; i++) {
        if (literal.ptr[i] >= '1' && literal.ptr[i] <= '9')
            return false;
    }
    return true;
}

/* Once a number; those that are small are in every text. */
static void seek_number(lc_tokens *t, lc_str text, lc_str token)
{
    if (text.len < MIN_NUMBER || lc_table_get(&t->numbers, text))
        return;
    lc_table_put(&t->numbers, lc_str_copy(t->arena, text), t);
    add_needle(t, text, token);
}

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
    uint64_t hash = hash_of(t, 3, lc_buf_str(&text));
    lc_str token =
        lc_str_printf(t->arena, "%llu", (unsigned long long)(100000000 + hash % 899999999));
    seek_number(t, lc_buf_str(&text), token);
    lc_buf_release(&text);
    return token;
}

/* ---- JSON texts: every string and number in place, all else as it is written. */

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

lc_str lc_token_text(lc_tokens *t, lc_str text)
{
    const lc_str *known = lc_table_get(&t->texts, text);
    if (known)
        return *known;
    if (text.len == 0)
        return text;
    lc_str token = is_json(t, text) ? make_json(t, text) : make_word(t, text);
    remember(t, text, token);
    return token;
}

/* ---- Texts of others. */

static const needle *longest_at(const lc_tokens *t, lc_str rest)
{
    const needle *longest = NULL;
    if (rest.len < MIN_SECRET)
        return NULL;
    for (const needle *n = lc_table_get(&t->needles, lc_str_sub(rest, 0, MIN_SECRET)); n;
         n = n->next) {
        if ((!longest || n->text.len > longest->text.len) && lc_str_starts_with(rest, n->text))
            longest = n;
    }
    return longest;
}

lc_str lc_tokens_clean(lc_tokens *t, lc_arena *arena, lc_str text)
{
    lc_buf out = {0};
    for (size_t at = 0; at < text.len;) {
        const needle *n = longest_at(t, lc_str_sub(text, at, text.len));
        if (n)
            lc_buf_add_str(&out, n->token);
        else
            lc_buf_add_char(&out, text.ptr[at]);
        at += n ? n->text.len : 1;
    }
    return lc_buf_take(arena, &out);
}

/* ---- Values. */

typedef struct hider {
    lc_tokens *tokens;
    lc_arena *arena;
} hider;

/* `declared`: the schema's type, or NULL if it has none. Where that is dynamic, names of attributes
 * are data too. */
static void hide(const hider *h, lc_value *out, const lc_value *v, const lc_type *declared);

static void hide_primitive(const hider *h, lc_value *out, const lc_value *v)
{
    lc_num n;
    if (v->type->kind == LC_TYPE_STRING) {
        lc_value_set_string(out, h->arena, lc_token_text(h->tokens, v->as.string));
    } else if (v->type->kind == LC_TYPE_NUMBER && !lc_num_is_inf(v->as.number)) {
        lc_buf text = {0};
        lc_num_add_text(&text, v->as.number);
        lc_str token = lc_token_number(h->tokens, lc_buf_str(&text));
        lc_buf_release(&text);
        if (lc_num_from_text(&n, h->arena, token, 40) == LC_NUM_OK)
            lc_value_set_number(out, n);
    }
}

static void build(const hider *h, lc_value *out, const lc_value *v, lc_value *elems,
                  const lc_str *keys)
{
    bool ok = true;
    switch (v->type->kind) {
    case LC_TYPE_LIST:
        ok = lc_value_set_list(out, h->arena, v->type, elems, v->count);
        break;
    case LC_TYPE_SET:
        ok = lc_value_set_set(out, h->arena, v->type, elems, v->count);
        break;
    case LC_TYPE_MAP: {
        lc_str *own = LC_NEW_ARRAY(h->arena, lc_str, v->count);
        if (v->count)
            memcpy(own, keys, v->count * sizeof *own);
        ok = lc_value_set_map(out, h->arena, v->type, own, elems, v->count);
        break;
    }
    case LC_TYPE_TUPLE:
        lc_value_set_tuple(out, h->arena, v->type, elems, v->count);
        break;
    case LC_TYPE_OBJECT:
        lc_value_set_object(out, h->arena, v->type, elems);
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

static const lc_type *with_tokens(const hider *h, const lc_type *type, const lc_type *declared);

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

static const lc_type *object_with_tokens(const hider *h, const lc_type *type,
                                         const lc_type *declared)
{
    lc_type_attr *attrs = LC_NEW_ARRAY(h->arena, lc_type_attr, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        attrs[i] = type->as.attrs[i];
        attrs[i].type = with_tokens(h, attrs[i].type, declared_below(declared, i));
        if (declared->kind == LC_TYPE_DYNAMIC)
            attrs[i].name = lc_token_text(h->tokens, attrs[i].name);
    }
    return lc_type_object(h->arena, attrs, type->count);
}

static const lc_type *with_tokens(const hider *h, const lc_type *type, const lc_type *declared)
{
    if (!declared || !declared->has_dynamic)
        return type;
    if (type->kind == LC_TYPE_OBJECT)
        return object_with_tokens(h, type, declared);
    if (lc_type_is_collection(type))
        return lc_type_collection(h->arena, type->kind,
                                  with_tokens(h, type->as.elem, declared_below(declared, 0)));
    if (type->kind != LC_TYPE_TUPLE)
        return type;
    const lc_type **items = LC_NEW_ARRAY(h->arena, const lc_type *, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        items[i] = with_tokens(h, type->as.items[i], declared_below(declared, i));
    return lc_type_tuple(h->arena, items, type->count);
}

/* Elements of an object stand in the order of its names. */
static lc_value *in_order(const hider *h, lc_value *elems, const lc_type *before,
                          const lc_type *after)
{
    lc_value *moved = LC_NEW_ARRAY(h->arena, lc_value, before->count);
    for (uint32_t i = 0; i < before->count; i++) {
        long at = lc_type_attr_index(after, lc_token_text(h->tokens, before->as.attrs[i].name));
        LC_ASSERT(at >= 0);
        moved[at] = elems[i];
    }
    return moved;
}

static void hide_members(const hider *h, lc_value *out, const lc_value *v, const lc_type *declared)
{
    lc_value *elems = LC_NEW_ARRAY(h->arena, lc_value, v->count);
    lc_str *keys = LC_NEW_ARRAY(h->arena, lc_str, v->count);
    for (size_t i = 0; i < v->count; i++) {
        hide(h, &elems[i], &v->as.many.elems[i], declared_below(declared, i));
        if (v->type->kind == LC_TYPE_MAP)
            keys[i] = lc_token_text(h->tokens, v->as.many.keys[i]);
    }
    lc_value shape = *v;
    shape.type = with_tokens(h, v->type, declared);
    if (v->type->kind == LC_TYPE_OBJECT && declared && declared->kind == LC_TYPE_DYNAMIC)
        elems = in_order(h, elems, v->type, shape.type);
    build(h, out, &shape, elems, keys);
}

/* That it is not null, and how long it will be, is no secret; how it begins is. */
static void hide_unknown(const hider *h, lc_value *out, const lc_value *v, const lc_type *type)
{
    const lc_refinement *r = lc_value_refinement(v);
    lc_refinement kept = {0};
    lc_value_set_unknown(out, type);
    if (!r)
        return;
    kept.not_null = r->not_null;
    kept.has_min_len = r->has_min_len;
    kept.has_max_len = r->has_max_len;
    kept.min_len = r->min_len;
    kept.max_len = r->max_len;
    if (!lc_value_set_refined(out, h->arena, type, &kept))
        lc_value_set_unknown(out, type);
}

static void hide(const hider *h, lc_value *out, const lc_value *v, const lc_type *declared)
{
    *out = *v;
    if (lc_is_null(v))
        lc_value_set_null(out, with_tokens(h, v->type, declared));
    else if (lc_is_unknown(v))
        hide_unknown(h, out, v, with_tokens(h, v->type, declared));
    else if (lc_type_is_primitive(v->type))
        hide_primitive(h, out, v);
    else
        hide_members(h, out, v, declared);
}

const lc_value *lc_tokens_value(lc_tokens *tokens, lc_arena *arena, const lc_value *value)
{
    hider h = {tokens, arena};
    lc_value *out = LC_NEW(arena, lc_value);
    hide(&h, out, value, NULL);
    return out;
}

/* ---- Objects of a schema. */

static void clean_attributes(const hider *h, lc_value *elems, const lc_attribute *attributes,
                             size_t count);

static void clean_nested(const hider *h, lc_value *slot, const lc_nested_type *t)
{
    lc_value v = *slot;
    if (!lc_is_known(&v))
        return;
    lc_value *elems = LC_NEW_ARRAY(h->arena, lc_value, v.count);
    for (size_t i = 0; i < v.count; i++)
        elems[i] = v.as.many.elems[i];
    if (t->nesting == LC_NESTING_SINGLE || t->nesting == LC_NESTING_GROUP) {
        clean_attributes(h, elems, t->attributes, t->attribute_count);
        build(h, slot, &v, elems, NULL);
        return;
    }
    for (size_t i = 0; i < v.count; i++) {
        lc_value element = elems[i];
        if (!lc_is_known(&element))
            continue;
        lc_value *parts = LC_NEW_ARRAY(h->arena, lc_value, element.count);
        for (size_t k = 0; k < element.count; k++)
            parts[k] = element.as.many.elems[k];
        clean_attributes(h, parts, t->attributes, t->attribute_count);
        build(h, &elems[i], &element, parts, NULL);
    }
    build(h, slot, &v, elems, v.type->kind == LC_TYPE_MAP ? v.as.many.keys : NULL);
}

static void clean_attributes(const hider *h, lc_value *elems, const lc_attribute *attributes,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &attributes[i];
        lc_value before = elems[a->slot];
        if (a->sensitive || a->write_only || a->secret)
            hide(h, &elems[a->slot], &before, a->implied);
        else if (a->nested &&
                 (a->nested->any_sensitive || a->nested->any_write_only || a->nested->any_secret))
            clean_nested(h, &elems[a->slot], a->nested);
    }
}

static void clean_block(const hider *h, lc_value *out, const lc_block *s, const lc_value *v);

static void clean_blocks(const hider *h, lc_value *slot, const lc_block_type *b)
{
    lc_value v = *slot;
    bool one = b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP;
    if (!lc_is_known(&v) || !(b->block->any_sensitive || b->block->any_write_only))
        return;
    if (one) {
        clean_block(h, slot, b->block, &v);
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(h->arena, lc_value, v.count);
    for (size_t i = 0; i < v.count; i++)
        clean_block(h, &elems[i], b->block, &v.as.many.elems[i]);
    build(h, slot, &v, elems, v.type->kind == LC_TYPE_MAP ? v.as.many.keys : NULL);
}

/* What does not have the form of the block is hidden wholly. */
static void clean_block(const hider *h, lc_value *out, const lc_block *s, const lc_value *v)
{
    *out = *v;
    if (!lc_is_known(v))
        return;
    if (v->type->kind != LC_TYPE_OBJECT || v->count != s->implied->count) {
        hide(h, out, v, NULL);
        return;
    }
    lc_value *elems = LC_NEW_ARRAY(h->arena, lc_value, v->count);
    for (size_t i = 0; i < v->count; i++)
        elems[i] = v->as.many.elems[i];
    clean_attributes(h, elems, s->attributes, s->attribute_count);
    for (size_t i = 0; i < s->block_count; i++)
        clean_blocks(h, &elems[s->blocks[i].slot], &s->blocks[i]);
    build(h, out, v, elems, NULL);
}

const lc_value *lc_tokens_object(lc_tokens *tokens, lc_arena *arena, const lc_block *block,
                                 const lc_value *object)
{
    hider h = {tokens, arena};
    lc_value *out = LC_NEW(arena, lc_value);
    if (tokens->all)
        hide(&h, out, object, block->implied);
    else
        clean_block(&h, out, block, object);
    return out;
}

lc_str lc_tokens_bytes(lc_tokens *tokens, lc_arena *arena, const lc_block *block,
                       const lc_type *type, lc_str bytes, bool json)
{
    lc_wire_result result;
    const lc_value *v;
    lc_str why;
    lc_buf out = {0};
    if (!type)
        return json ? LC_STR("null") : LC_STR("\xc0");
    if (json ? !lc_ctyjson_decode(&v, arena, bytes, type, &result)
             : !lc_msgpack_decode(&v, arena, bytes, type, &result))
        return json ? LC_STR("(undecodable)") : LC_STR("\xc1");
    v = block         ? lc_tokens_object(tokens, arena, block, v)
        : tokens->all ? lc_tokens_value(tokens, arena, v)
                      : v;
    if (json)
        lc_ctyjson_encode(&out, v, type, &why);
    else
        lc_msgpack_encode(&out, v, type);
    return lc_buf_take(arena, &out);
}
