/* Values that a provider computes, unknown in plans and known afterwards. The tables of module
 * probe say what fits a name; what names an object contains its key, so that no two objects have
 * the same. */
#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/limits.h"
#include "lifecheck/codec/codec.h"
#include "lifecheck/probe/values.h"
#include "serve/internal.h"

#define DATA_ELEMENTS 3 /* of lists that a data source reads: modules take one for each zone */
#define ACCOUNT       "123456789012"

/* ---- Strings. */

static lc_str lower(lc_arena *arena, lc_str text)
{
    char *copy = lc_str_to_c(arena, text);
    for (size_t i = 0; i < text.len; i++)
        copy[i] = lc_to_lower(copy[i]);
    return (lc_str){copy, text.len};
}

/* Of aws_vpc the name vpc. */
static lc_str short_type(lc_str type)
{
    size_t at = lc_str_find(type, 0, '_');
    return at < type.len ? lc_str_sub(type, at + 1, type.len) : type;
}

static bool is_hex(char c)
{
    return lc_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Digits of the key, again and again. */
static void add_digits(lc_buf *out, lc_str key, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lc_buf_add_char(out, key.ptr[i % key.len]);
}

/* The text with the object's key instead of hexadecimal digits of at least eight places, but of
 * account numbers. */
static lc_str with_key(const lc_serve_maker *m, lc_str text)
{
    lc_buf out = {0};
    bool changed = false;
    for (size_t at = 0, end; at < text.len; at = end) {
        end = at;
        while (end < text.len && is_hex(text.ptr[end]))
            end++;
        lc_str run = lc_str_sub(text, at, end);
        bool word = at && (lc_is_letter(text.ptr[at - 1]) || text.ptr[at - 1] == '_');
        if (run.len >= 8 && !word && !lc_str_is(run, ACCOUNT)) {
            add_digits(&out, m->key, run.len);
            changed = true;
        } else if (run.len) {
            lc_buf_add_str(&out, run);
        } else {
            lc_buf_add_char(&out, text.ptr[end++]);
        }
    }
    if (!changed && lc_str_starts_with(text, LC_STR("arn:")) &&
        lc_str_ends_with(text, LC_STR("example")))
        lc_buf_printf(&out, "-%.*s", LC_FMT(m->key));
    return lc_buf_take(m->arena, &out);
}

static bool names_object(lc_str name)
{
    static const char *const words[] = {"id", "arn", "name", "names", "ids", "arns", NULL};
    return lc_str_is_one_of(name, words, NULL);
}

static bool is_unique(lc_str name)
{
    return names_object(name) || lc_str_ends_with(name, LC_STR("_id")) ||
           lc_str_ends_with(name, LC_STR("_arn")) || lc_str_ends_with(name, LC_STR("uuid"));
}

/* Of aws_cloudwatch_log_group the ARN of a log_group of cloudwatch; of aws_vpc, which names no
 * service, that of a vpc of ec2. The tables know ARNs of types whose name says what they are. */
static lc_str arn_of_type(const lc_serve_maker *m)
{
    lc_str type = lower(m->arena, short_type(m->type)), kind = short_type(type);
    bool named = kind.len < type.len;
    return lc_str_printf(
        m->arena, "arn:aws:%.*s:us-east-1:" ACCOUNT ":%.*s/example",
        LC_FMT(named ? lc_str_sub(type, 0, type.len - kind.len - 1) : LC_STR("ec2")), LC_FMT(kind));
}

static bool is_any_arn(const lc_serve_maker *m, lc_str name, lc_str text)
{
    return lc_str_is(name, "arn") && lc_str_starts_with(m->type, LC_STR("aws_")) &&
           lc_str_eq(text, lc_named_text(name, LC_TYPE_STRING)) &&
           !lc_str_contains(m->type, LC_STR("role"));
}

/* The row of the tables for a string; of `id`, `arn` and `name` that for the type's. */
static lc_str row_of(const lc_serve_maker *m, lc_str name)
{
    lc_str full = lc_str_printf(m->arena, "%.*s_%.*s", LC_FMT(short_type(m->type)), LC_FMT(name));
    lc_str text = names_object(name) ? lc_computed_text(lower(m->arena, full)) : LC_STR_EMPTY;
    if (!text.len)
        text = lc_computed_text(name);
    if (!text.len && lc_str_starts_with(name, LC_STR("arn")))
        text = lc_named_text(lower(m->arena, full), LC_TYPE_STRING);
    text = text.len ? text : lc_named_text(name, LC_TYPE_STRING);
    return is_any_arn(m, name, text) ? arn_of_type(m) : text;
}

/* Zones of a region have letters; other elements get a number. */
static lc_str with_turn(lc_arena *arena, lc_str text, unsigned turn)
{
    if (turn == 0 || text.len == 0)
        return text;
    char last = text.ptr[text.len - 1];
    if (last >= 'a' && last + turn <= 'f' && text.len > 2 && lc_is_digit(text.ptr[text.len - 2]))
        return lc_str_printf(arena, "%.*s%c", (int)text.len - 1, text.ptr,
                             (char)(last + (int)turn));
    if (lc_is_digit(last) && last + turn <= '9')
        return lc_str_printf(arena, "%.*s%c", (int)text.len - 1, text.ptr,
                             (char)(last + (int)turn));
    return lc_str_printf(arena, "%.*s-%u", LC_FMT(text), turn + 1);
}

/* What names the region itself, as data source, is the region. */
static lc_str setting_of(const lc_serve_maker *m, lc_str name)
{
    bool itself = m->data && lc_str_is(short_type(m->type), "region") && names_object(name);
    return lc_serve_setting(m->settings, itself ? LC_STR("region") : name);
}

static lc_str text_of(const lc_serve_maker *m, lc_str name, unsigned turn)
{
    lc_str text = setting_of(m, name);
    if (text.len)
        return with_turn(m->arena, text, turn);
    text = lc_serve_in_region(m->arena, m->settings, row_of(m, name));
    if (!text.len)
        text =
            lc_str_printf(m->arena, "%.*s-%.*s",
                          LC_FMT(names_object(name) ? short_type(m->type) : name), LC_FMT(m->key));
    else if (is_unique(name))
        text = with_key(m, text);
    return with_turn(m->arena, text, turn);
}

/* ---- Any type. Types are nested less deep than LC_MAX_DEPTH: reading them saw to that. */

static void make(lc_value *out, const lc_serve_maker *m, const lc_type *type, lc_str name,
                 bool settable, unsigned turn);

static void make_number(lc_value *out, const lc_serve_maker *m, lc_str name)
{
    lc_num n = LC_NUM(0);
    lc_str text = lc_named_text(name, LC_TYPE_NUMBER);
    if (text.len && lc_num_from_text(&n, m->arena, text, LC_MAX_DIGITS) != LC_NUM_OK)
        n = LC_NUM(0);
    lc_value_set_number(out, n);
}

/* What a configuration may set too is empty where it does not, if it is a map or has objects. */
static uint32_t count_of(const lc_serve_maker *m, const lc_type *type, bool settable)
{
    bool plain = lc_type_is_primitive(type->as.elem);
    if (type->kind == LC_TYPE_MAP || (settable && !plain))
        return 0;
    return m->data && plain ? DATA_ELEMENTS : 1;
}

/* Names go down with the type: elements are named after the attribute, members by themselves.
 * `turn` numbers the elements, so that those of a set differ. */
static void make_collection(lc_value *out, const lc_serve_maker *m, const lc_type *type,
                            lc_str name, bool settable, unsigned turn)
{
    uint32_t count = count_of(m, type, settable);
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, count + 1);
    bool ok;
    for (uint32_t i = 0; i < count; i++)
        make(&elems[i], m, type->as.elem, name, settable, turn + i);
    ok = type->kind == LC_TYPE_LIST  ? lc_value_set_list(out, m->arena, type, elems, count)
         : type->kind == LC_TYPE_SET ? lc_value_set_set(out, m->arena, type, elems, count)
                                     : lc_value_set_map(out, m->arena, type, NULL, NULL, 0);
    if (!ok)
        lc_value_set_null(out, type);
}

static void make_members(lc_value *out, const lc_serve_maker *m, const lc_type *type, lc_str name,
                         bool settable, unsigned turn)
{
    bool object = type->kind == LC_TYPE_OBJECT;
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, type->count + 1);
    for (uint32_t i = 0; i < type->count; i++) {
        const lc_type *inner = object ? type->as.attrs[i].type : type->as.items[i];
        make(&elems[i], m, inner, object ? lower(m->arena, type->as.attrs[i].name) : name, settable,
             turn);
    }
    if (object)
        lc_value_set_object(out, m->arena, type, elems);
    else
        lc_value_set_tuple(out, m->arena, type, elems, type->count);
}

static void make(lc_value *out, const lc_serve_maker *m, const lc_type *type, lc_str name,
                 bool settable, unsigned turn)
{
    switch (type->kind) {
    case LC_TYPE_STRING:
    case LC_TYPE_DYNAMIC: /* any type will do */
        lc_value_set_string(out, m->arena, text_of(m, name, turn));
        return;
    case LC_TYPE_NUMBER:
        make_number(out, m, name);
        return;
    case LC_TYPE_BOOL:
        lc_value_set_bool(out, lc_str_is(lc_named_text(name, LC_TYPE_BOOL), "true"));
        return;
    case LC_TYPE_LIST:
    case LC_TYPE_SET:
    case LC_TYPE_MAP:
        make_collection(out, m, type, name, settable, turn);
        return;
    case LC_TYPE_TUPLE:
    case LC_TYPE_OBJECT:
        make_members(out, m, type, name, settable, turn);
        return;
    }
}

/* What the description of a Computed string says of its form. */
static bool is_base64(const lc_attribute *a, const lc_value *v)
{
    static const char *const words[] = {"base64 encoded", "base64-encoded", "base 64 encoded"};
    lc_arena *scratch = lc_arena_new_small();
    lc_str text = lower(scratch, a->description);
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is = is || lc_str_contains(text, lc_str_from_c(words[i]));
    lc_arena_free(scratch);
    return is && a->computed && a->implied->kind == LC_TYPE_STRING && lc_is_known(v);
}

const lc_value *lc_serve_make(const lc_serve_maker *m, const lc_attribute *a)
{
    lc_value slot;
    make(&slot, m, a->implied, lower(m->arena, a->name), a->optional, 0);
    if (is_base64(a, &slot)) {
        lc_buf text = {0};
        lc_base64_encode(&text, slot.as.string);
        lc_value_set_string(&slot, m->arena, lc_buf_take(m->arena, &text));
    }
    return lc_value_new(m->arena, &slot);
}

/* ---- Objects. */

/* tags_all is tags with those of the provider. */
static const lc_value *copied(const lc_serve_maker *m, const lc_value *object,
                              const lc_attribute *a)
{
    static const lc_str all = {"_all", 4};
    if (!lc_str_ends_with(a->name, all))
        return NULL;
    const lc_value *v = lc_value_attr(object, lc_str_sub(a->name, 0, a->name.len - all.len));
    if (!v || !lc_type_equal(v->type, a->implied) || !lc_is_wholly_known(v))
        return NULL;
    v = a->implied->kind == LC_TYPE_MAP ? lc_serve_all_tags(m->arena, m->settings, v) : v;
    return lc_is_known(v) ? v : NULL;
}

/* NULL for what is known outside and unknown inside: the walk goes on into it. */
static const lc_value *fill(void *context, const lc_value *object, const lc_attribute *a,
                            const lc_value *v)
{
    const lc_serve_maker *m = context;
    const lc_value *same = lc_is_unknown(v) ? copied(m, object, a) : NULL;
    if (same)
        return same;
    if (lc_is_unknown(v))
        return lc_serve_make(m, a);
    return lc_is_wholly_known(v) ? v : NULL;
}

const lc_value *lc_serve_fill(lc_serve_maker *m, const lc_block *block, const lc_value *object)
{
    return lc_serve_changed(m->arena, block, object, fill, m);
}

/* A write-only value must not be in any answer, whatever the configuration has. */
static const lc_value *mark(void *context, const lc_value *object, const lc_attribute *a,
                            const lc_value *v)
{
    lc_value slot;
    (void)object;
    if (!a->write_only && (!a->computed || !lc_is_null(v)))
        return NULL;
    if (a->write_only)
        lc_value_set_null(&slot, a->implied);
    else
        lc_value_set_unknown(&slot, a->implied);
    return lc_value_new(context, &slot);
}

const lc_value *lc_serve_with_unknowns(lc_arena *arena, const lc_block *block,
                                       const lc_value *object)
{
    return lc_serve_changed(arena, block, object, mark, arena);
}

/* What identity and state have in common by name and type is the same value. */
const lc_value *lc_serve_make_identity(const lc_serve_maker *m, const lc_schema *schema,
                                       const lc_value *state)
{
    lc_value *elems = LC_NEW_ARRAY(m->arena, lc_value, schema->identity_count + 1);
    lc_value slot;
    for (size_t i = 0; i < schema->identity_count; i++) {
        const lc_attribute *a = &schema->identity[i];
        const lc_value *v = lc_value_attr(state, a->name);
        bool same = v && lc_is_known(v) && lc_type_equal(v->type, a->implied);
        elems[a->slot] = same ? *v : *lc_serve_make(m, a);
    }
    lc_value_set_object(&slot, m->arena, schema->identity_type, elems);
    return lc_value_new(m->arena, &slot);
}
