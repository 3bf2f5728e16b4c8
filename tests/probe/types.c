#include "types.h"

#include "lifecheck/codec/codec.h"
#include "lifecheck/schema/schema_build.h"

#include <stdlib.h>
#include <string.h>

typedef struct peer_row {
    lc_schema_kind kind;
    const char *name;
    int64_t version;
} peer_row;

static peer_row rows[] = {
#define TYPE(...) {__VA_ARGS__},
#include "types.def"
};
/* Rows in no type, for what an upgrade adds. */
#define SPARE "-"
static peer_inside insides[] = {
#define INSIDE(...) {__VA_ARGS__},
#include "types.def"
    {5, SPARE, SPARE, LC_NESTING_LIST, 0, 0, 0}};
static peer_attribute attributes[] = {
#define ATTRIBUTE(...) {__VA_ARGS__},
#include "types.def"
    {SPARE, SPARE, "string", 0, NONE, ""}, {SPARE, SPARE, "string", 0, NONE, ""}};
const peer_check peer_checks[] = {
#define CHECK(...) {__VA_ARGS__},
#include "types.def"
};
const size_t peer_check_count = sizeof peer_checks / sizeof *peer_checks;

#define EACH(row, table)                                                                           \
    for (size_t i_ = 0; i_ < sizeof(table) / sizeof *(table); i_++)                                \
        for (__typeof__((table)[0]) *row = &(table)[i_]; row; row = NULL)

const peer_attribute *peer_attribute_of(lc_str in, lc_str name)
{
    EACH(row, attributes)
    if (lc_str_is(in, row->in) && lc_str_is(name, row->name))
        return row;
    return NULL;
}

const peer_inside *peer_inside_of(lc_str in, lc_str name)
{
    EACH(row, insides)
    if (lc_str_is(in, row->in) && lc_str_is(name, row->name))
        return row;
    return NULL;
}

/* ---- What another version has */

static unsigned flags_of(const char **text)
{
    static const struct {
        const char *word;
        unsigned flag;
    } words[] = {{"REQ", REQ},   {"OPT", OPT}, {"COMP", COMP},
                 {"SENS", SENS}, {"WO", WO},   {"REPL", REPL}};
    unsigned flags = 0;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++) {
            size_t len = strlen(words[i].word);
            if (strncmp(*text, words[i].word, len) != 0 || ((*text)[len] && (*text)[len] != ' '))
                continue;
            flags |= words[i].flag;
            *text += len + ((*text)[len] == ' ');
            found = true;
        }
    }
    return flags;
}

static void set_plan(peer_attribute *row, const char *text)
{
    static const char *const words[] = {"NONE",  "DEFAULT", "ONCE",  "REVISED", "PREFIXED",
                                        "GIVEN", "JOINED",  "COUNT", "DIGEST"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = strlen(words[i]);
        if (strncmp(text, words[i], len) != 0)
            continue;
        row->how = (peer_how)i;
        row->more = text[len] ? text + len + 1 : "";
    }
}

/* A row that is sought in vain ends the program: the list is wrong. */
static peer_attribute *attribute_row(const char *in, const char *name)
{
    EACH(row, attributes)
    if (strcmp(row->in, in) == 0 && strcmp(row->name, name) == 0)
        return row;
    abort();
}

static peer_inside *inside_row(const char *in, const char *name)
{
    EACH(row, insides)
    if (strcmp(row->in, in) == 0 && strcmp(row->name, name) == 0)
        return row;
    abort();
}

static void add_attribute(lc_arena *arena, const peer_edit *edit)
{
    const char *text = edit->more;
    peer_attribute *row = attribute_row(SPARE, SPARE);
    *row = (peer_attribute){edit->in, edit->name, "string", flags_of(&text), NONE, ""};
    size_t len = strcspn(text, " ");
    row->type = lc_str_to_c(arena, (lc_str){text, len});
    set_plan(row, text + len + (text[len] == ' '));
}

static void edit_attribute(lc_arena *arena, const peer_edit *edit)
{
    const char *text = edit->more;
    if (edit->what == ADD) {
        add_attribute(arena, edit);
        return;
    }
    peer_attribute *row = attribute_row(edit->in, edit->name);
    if (edit->what == DROP)
        row->in = "gone";
    else if (edit->what == TYPE_OF)
        row->type = edit->more;
    else if (edit->what == FLAGS)
        row->flags = flags_of(&text);
    else if (edit->what == PLANS)
        set_plan(row, edit->more);
}

static void edit_block(const peer_edit *edit)
{
    bool add = edit->what == ADD_BLOCK;
    peer_inside *row = add ? inside_row(SPARE, SPARE) : inside_row(edit->in, edit->name);
    char *rest;
    if (add || edit->what == MODE)
        row->nesting = (lc_nesting)strtol(edit->more, NULL, 10);
    if (add)
        row->in = edit->in, row->name = edit->name;
    if (edit->what == DROP_BLOCK)
        row->in = "gone";
    if (edit->what == ITEMS) {
        row->min = strtol(edit->more, &rest, 10);
        row->max = strtol(rest, NULL, 10);
    }
}

static void edit_type(const peer_edit *edit)
{
    EACH(row, rows)
    if (strcmp(row->name, edit->in) == 0) {
        row->name = edit->what == DROP_TYPE ? "gone" : row->name;
        row->version = strtol(edit->more, NULL, 10);
    }
}

void peer_types_edit(lc_arena *arena, const peer_edit *edit)
{
    peer_change what = edit->what;
    if (what == DROP_BLOCK || what == ADD_BLOCK || what == MODE || what == ITEMS)
        edit_block(edit);
    else if (what != DROP_TYPE && what != VERSION)
        edit_attribute(arena, edit);
    else
        edit_type(edit);
}

/* ---- Schemas */

typedef struct inner {
    LC_VEC(lc_attribute) attributes;
    LC_VEC(lc_block_type) blocks;
} inner;

static void gather(inner *out, const peer_types *types, const char *in);

static void set_flags(lc_attribute *a, unsigned flags)
{
    a->required = flags & REQ;
    a->optional = (flags & OPT) != 0;
    a->computed = (flags & COMP) != 0;
    a->sensitive = (flags & SENS) != 0;
    a->write_only = (flags & WO) != 0;
}

static const lc_type *type_of(lc_arena *arena, const char *text)
{
    const lc_type *type;
    lc_str why;
    size_t at;
    if (lc_str_is(lc_str_from_c(text), "dynamic"))
        return &lc_type_dynamic;
    if (!lc_typetext_parse(&type, arena, lc_str_from_c(text), &why, &at))
        abort();
    return type;
}

static void add_plain(inner *out, lc_arena *arena, const peer_attribute *row)
{
    lc_attribute *a = LC_PUSH(arena, &out->attributes, lc_attribute);
    a->name = lc_str_from_c(row->name);
    a->type = type_of(arena, row->type);
    set_flags(a, row->flags);
    lc_schema_finish_attribute(a);
}

static lc_block *block_of(lc_arena *arena, inner *from)
{
    lc_block *block = LC_NEW(arena, lc_block);
    block->attribute_count = from->attributes.count;
    block->block_count = from->blocks.count;
    lc_schema_finish_block(arena, block, from->attributes.items, from->blocks.items);
    return block;
}

static void add_inside(inner *out, const peer_types *types, const peer_inside *row)
{
    lc_arena *arena = types->arena;
    inner in = {0};
    gather(&in, types, lc_str_to_c(arena, lc_str_printf(arena, "%s.%s", row->in, row->name)));
    if (!row->flags) {
        lc_block_type *type = LC_PUSH(arena, &out->blocks, lc_block_type);
        type->name = lc_str_from_c(row->name);
        type->nesting = row->nesting;
        type->min_items = row->min;
        type->max_items = row->max;
        type->block = block_of(arena, &in);
        lc_schema_finish_block_type(arena, type);
        return;
    }
    lc_nested_type *nested = LC_NEW(arena, lc_nested_type);
    nested->nesting = row->nesting;
    nested->attribute_count = in.attributes.count;
    lc_schema_finish_nested(arena, nested, in.attributes.items);
    lc_attribute *a = LC_PUSH(arena, &out->attributes, lc_attribute);
    a->name = lc_str_from_c(row->name);
    a->nested = nested;
    set_flags(a, row->flags);
    lc_schema_finish_attribute(a);
}

static int by_name(const void *left, const void *right)
{
    return lc_str_cmp(*(const lc_str *)left, *(const lc_str *)right);
}

static void gather(inner *out, const peer_types *types, const char *in)
{
    lc_str path = lc_str_from_c(in);
    EACH(row, attributes)
    if (lc_str_is(path, row->in))
        add_plain(out, types->arena, row);
    if (types->extra && lc_str_is(path, "peer_thing"))
        add_plain(out, types->arena, &(peer_attribute){in, types->extra, "string", OPT, NONE, ""});
    EACH(row, insides)
    if (lc_str_is(path, row->in) && row->protocol <= types->protocol)
        add_inside(out, types, row);
    _Static_assert(offsetof(lc_attribute, name) == 0 && offsetof(lc_block_type, name) == 0,
                   "by_name reads the name first");
    if (out->attributes.count)
        qsort(out->attributes.items, out->attributes.count, sizeof(lc_attribute), by_name);
    if (out->blocks.count)
        qsort(out->blocks.items, out->blocks.count, sizeof(lc_block_type), by_name);
}

/* Types with nested attributes are of protocol 6. */
static bool has_type(const peer_row *row, int protocol)
{
    EACH(inside, insides)
    if (lc_str_is(lc_str_from_c(inside->in), row->name) && inside->protocol > protocol)
        return false;
    return true;
}

void peer_types_make(peer_types *out)
{
    EACH(row, rows)
    {
        if (!has_type(row, out->protocol) || strcmp(row->name, "gone") == 0)
            continue;
        inner in = {0};
        gather(&in, out, row->name);
        lc_schema *schema = LC_NEW(out->arena, lc_schema);
        schema->kind = row->kind;
        schema->type_name = lc_str_from_c(row->name);
        schema->version = row->version;
        schema->block = block_of(out->arena, &in);
        *LC_PUSH(out->arena, &out->schemas, const lc_schema *) = schema;
    }
}

void peer_types_add(peer_types *out, lc_str name, unsigned count)
{
    inner in = {0};
    for (unsigned i = 0; i < count; i++)
        add_plain(&in, out->arena,
                  &(peer_attribute){"",
                                    lc_str_to_c(out->arena, lc_str_printf(out->arena, "a%06u", i)),
                                    "string", OPT, NONE, ""});
    lc_schema *schema = LC_NEW(out->arena, lc_schema);
    schema->kind = LC_KIND_RESOURCE;
    schema->type_name = lc_str_copy(out->arena, name);
    schema->block = block_of(out->arena, &in);
    *LC_PUSH(out->arena, &out->schemas, const lc_schema *) = schema;
}

const lc_schema *peer_type(const peer_types *types, lc_schema_kind kind, lc_str name)
{
    for (size_t i = 0; i < types->schemas.count; i++) {
        const lc_schema *schema = types->schemas.items[i];
        if (schema->kind == kind && lc_str_eq(schema->type_name, name))
            return schema;
    }
    return NULL;
}

/* ---- Messages */

static void write_mode(lc_json *w, lc_nesting nesting)
{
    static const char *const modes[] = {"INVALID", "SINGLE", "GROUP", "LIST", "SET", "MAP"};
    lc_json_c(w, "nesting", modes[nesting]);
}

static void write_attributes(lc_json *w, const lc_attribute *all, size_t count)
{
    lc_json_array(w, "attributes");
    for (size_t i = 0; i < count; i++) {
        const lc_attribute *a = &all[i];
        lc_buf type = {0}, text = {0};
        lc_json_object(w, NULL);
        lc_json_str(w, "name", a->name);
        lc_json_bool(w, "required", a->required);
        lc_json_bool(w, "optional", a->optional);
        lc_json_bool(w, "computed", a->computed);
        lc_json_bool(w, "sensitive", a->sensitive);
        lc_json_bool(w, "write_only", a->write_only);
        if (a->nested) {
            lc_json_object(w, "nested_type");
            write_attributes(w, a->nested->attributes, a->nested->attribute_count);
            write_mode(w, a->nested->nesting);
            lc_json_end_object(w);
        } else {
            lc_typejson_encode(&type, a->type);
            lc_base64_encode(&text, lc_buf_str(&type));
            lc_json_str(w, "type", lc_buf_str(&text));
        }
        lc_json_end_object(w);
        lc_buf_release(&type);
        lc_buf_release(&text);
    }
    lc_json_end_array(w);
}

static void write_block(lc_json *w, const lc_block *block)
{
    lc_json_object(w, "block");
    write_attributes(w, block->attributes, block->attribute_count);
    lc_json_array(w, "block_types");
    for (size_t i = 0; i < block->block_count; i++) {
        const lc_block_type *type = &block->blocks[i];
        lc_json_object(w, NULL);
        lc_json_str(w, "type_name", type->name);
        write_block(w, type->block);
        write_mode(w, type->nesting);
        lc_json_int(w, "min_items", type->min_items);
        lc_json_int(w, "max_items", type->max_items);
        lc_json_end_object(w);
    }
    lc_json_end_array(w);
    lc_json_end_object(w);
}

void peer_type_write(lc_json *w, const char *key, const lc_schema *schema)
{
    lc_json_object(w, key);
    lc_json_int(w, "version", schema->version);
    write_block(w, schema->block);
    lc_json_end_object(w);
}
