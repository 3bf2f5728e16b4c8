/* Turns libyaml's events into nodes, with our own resolution of scalars (YAML 1.2 core schema).
 *
 * libyaml has no limits, so they are checked here: depth, nodes, and the nodes that aliases refer
 * to. An alias shares the children of its anchor, so expanding it takes no memory, but it is
 * counted, since later walks visit every copy. Anchors, aliases and merge keys are local to a
 * document. */
#include "yaml_json/internal.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/table.h"
#include "lifecheck/base/utf8.h"

#include <string.h>
#include <yaml.h>

/* An anchored node, as aliases need it. */
typedef struct anchor {
    lc_node node;
    size_t size;   /* number of nodes in it */
    size_t height; /* levels of nesting inside it */
    bool open;     /* it is still being read: an alias to it would be a cycle */
    bool used;
    lc_str name;
} anchor;

/* The state of reading one text. `deepest` is the greatest depth since it was last reset, for the
 * height of anchors. */
typedef struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    lc_source *out;
    lc_arena *arena;
    const lc_limits *limits;
    lc_diags *diags;
    lc_table anchors;              /* of this document */
    LC_VEC(anchor *) every_anchor; /* of all documents, in order */
    size_t depth, deepest, nodes, alias_nodes;
    lc_status status;
} reader;

typedef LC_VEC(lc_member) member_list;
typedef LC_VEC(lc_node) node_list;

static bool read_node(reader *r, lc_node *out);

static lc_loc loc_of(const reader *r, yaml_mark_t mark)
{
    return (lc_loc){r->out->file, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

/* YAML positions are a line in the upper and a column in the lower 32 bits, both from 1. */
static uint64_t where_of(yaml_mark_t mark)
{
    return (uint64_t)(mark.line + 1) << 32 | (uint64_t)(uint32_t)(mark.column + 1);
}

static bool refuse(reader *r, const char *message)
{
    r->status = LC_EINPUT;
    lc_diag_error(r->diags, loc_of(r, r->event.start_mark), "%s", message);
    return false;
}

static bool over_limit(reader *r, const char *message)
{
    refuse(r, message);
    r->status = LC_ELIMIT;
    return false;
}

/* ---- Syntax errors. */

/* libyaml reports a failed allocation like a syntax error. */
static const char *problem_of(const reader *r)
{
    if (r->parser.error == YAML_MEMORY_ERROR)
        lc_out_of_memory();
    return r->parser.problem ? r->parser.problem : "this is not YAML";
}

static bool report_syntax(reader *r)
{
    const yaml_parser_t *p = &r->parser;
    r->status = LC_EINPUT;
    if (p->error == YAML_READER_ERROR) {
        lc_loc loc = lc_loc_at(r->out->file, r->out->text, p->problem_offset);
        bool control = strstr(problem_of(r), "control characters") != NULL;
        lc_diag_error(r->diags, loc, "%s%s", problem_of(r),
                      control ? ": write an escape in double quotes, as in \"\\u0001\"" : "");
        return false;
    }
    lc_yaml_fault fault = {.context = p->context ? p->context : "", .problem = problem_of(r)};
    fault.at = (lc_yaml_place){p->problem_mark.line, p->problem_mark.column};
    fault.begin =
        p->context ? (lc_yaml_place){p->context_mark.line, p->context_mark.column} : fault.at;
    lc_yaml_place place = fault.at;
    lc_str message = lc_yaml_explain(r->arena, r->out->text, &fault, &place);
    lc_loc loc = {r->out->file, (uint32_t)place.line + 1, (uint32_t)place.column + 1};
    lc_diag_error(r->diags, loc, "%.*s", LC_FMT(message));
    return false;
}

static bool next_event(reader *r)
{
    yaml_event_delete(&r->event);
    return yaml_parser_parse(&r->parser, &r->event) ? true : report_syntax(r);
}

/* ---- Scalars. */

static size_t digits_at(lc_str text, size_t at)
{
    size_t from = at;
    while (at < text.len && lc_is_digit(text.ptr[at]))
        at++;
    return at - from;
}

/* The numbers of the YAML 1.2 core schema without hexadecimal, octal, .inf and .nan, which JSON
 * does not have either. */
static bool is_number(lc_str text)
{
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    size_t whole = digits_at(text, at), fraction = 0;
    at += whole;
    if (at < text.len && text.ptr[at] == '.') {
        fraction = digits_at(text, ++at);
        at += fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (at < text.len && (text.ptr[at] == 'e' || text.ptr[at] == 'E')) {
        at++;
        if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+'))
            at++;
        size_t exponent = digits_at(text, at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == text.len;
}

/* The kind of a plain scalar. "yes" and "no" are strings, unlike in YAML 1.1. */
static lc_node_kind resolve(lc_str text, bool *boolean)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const yes[] = {"true", "True", "TRUE", NULL};
    static const char *const no[] = {"false", "False", "FALSE", NULL};
    *boolean = lc_str_is_one_of(text, yes, NULL);
    if (*boolean || lc_str_is_one_of(text, no, NULL))
        return LC_NODE_BOOL;
    if (lc_str_is_one_of(text, nulls, NULL))
        return LC_NODE_NULL;
    return is_number(text) ? LC_NODE_NUMBER : LC_NODE_STRING;
}

/* Handles a tag: `!name` is one of ours and is kept for the caller, a standard one is returned in
 * *standard, all others are errors. */
static bool take_tag(reader *r, const yaml_char_t *tag, lc_node *node, const char **standard)
{
    static const char prefix[] = "tag:yaml.org,2002:";
    const char *text = (const char *)tag;
    *standard = NULL;
    if (!text)
        return true;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) {
        *standard = text + sizeof prefix - 1;
        return true;
    }
    if (text[0] == '!' && text[1] == '\0') {
        *standard = "str";
        return true;
    }
    if (text[0] != '!')
        return refuse(r, "this tag is not one that scenarios know");
    node->tag = lc_str_to_c(r->arena, lc_str_from_c(text));
    return true;
}

/* A standard tag may not contradict the text: !!int "a" is an error. */
static bool apply_scalar_tag(reader *r, lc_node *node, const char *standard)
{
    bool boolean;
    lc_node_kind plain = resolve(node->as.text, &boolean);
    if (strcmp(standard, "str") == 0) {
        node->kind = LC_NODE_STRING;
        node->style = LC_STYLE_QUOTED;
        return true;
    }
    lc_node_kind want = strcmp(standard, "null") == 0   ? LC_NODE_NULL
                        : strcmp(standard, "bool") == 0 ? LC_NODE_BOOL
                                                        : LC_NODE_NUMBER;
    if (want == LC_NODE_NUMBER && strcmp(standard, "int") != 0 && strcmp(standard, "float") != 0)
        return refuse(r, "this tag is not one that scenarios know");
    if (plain != want)
        return refuse(r, "the string does not fit its tag");
    node->kind = (uint8_t)plain;
    node->boolean = boolean;
    node->style = LC_STYLE_PLAIN;
    return true;
}

static bool read_scalar(reader *r, lc_node *out)
{
    const char *standard;
    bool plain = r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (!take_tag(r, r->event.data.scalar.tag, out, &standard))
        return false;
    lc_str text = {(const char *)r->event.data.scalar.value, r->event.data.scalar.length};
    out->as.text = lc_str_copy(r->arena, text);
    out->style = plain ? LC_STYLE_PLAIN : LC_STYLE_QUOTED;
    out->kind = LC_NODE_STRING;
    if (plain)
        out->kind = (uint8_t)resolve(out->as.text, &out->boolean);
    if (out->kind == LC_NODE_NUMBER && text.len > r->limits->digits)
        return over_limit(r, "this number has too many digits");
    return !standard || apply_scalar_tag(r, out, standard);
}

/* ---- Aliases. */

/* Checks the depth. The contents of an alias count as nested at the alias, otherwise a chain of
 * aliases could be arbitrarily deep. */
static bool check_depth(reader *r, size_t depth)
{
    if (depth > r->limits->depth)
        return over_limit(r, r->limits->by_user
                                 ? "this is nested too deeply; --max-depth raises the limit"
                                 : "this is nested too deeply");
    if (depth > r->deepest)
        r->deepest = depth;
    return true;
}

/* Copies the anchored node; its children are shared. */
static bool read_alias(reader *r, lc_node *out)
{
    lc_str name = lc_str_from_c((const char *)r->event.data.alias.anchor);
    anchor *a = lc_table_get(&r->anchors, name);
    if (!a)
        return refuse(
            r, "this alias has no anchor before it; a string that begins with '*' needs quotes");
    if (a->open)
        return refuse(r, "this alias is inside its own anchor");
    a->used = true;
    r->alias_nodes += a->size;
    r->nodes += a->size;
    if (r->alias_nodes > r->limits->alias_nodes)
        return over_limit(r, "the aliases expand to too many values: write fewer of them");
    *out = a->node;
    return check_depth(r, r->depth + a->height);
}

/* ---- Collections. */

static bool enter(reader *r)
{
    return check_depth(r, ++r->depth);
}

static bool collection_tag(reader *r, const yaml_char_t *tag, lc_node *out, const char *expected)
{
    const char *standard;
    if (!take_tag(r, tag, out, &standard))
        return false;
    if (standard && strcmp(standard, expected) != 0 && strcmp(standard, "str") != 0)
        return refuse(r, "this tag does not fit a collection of this kind");
    return true;
}

static bool read_sequence(reader *r, lc_node *out)
{
    node_list items = {0};
    if (!collection_tag(r, r->event.data.sequence_start.tag, out, "seq") || !enter(r))
        return false;
    out->kind = LC_NODE_SEQUENCE;
    out->style = LC_STYLE_PLAIN;
    for (;;) {
        if (!next_event(r))
            return false;
        if (r->event.type == YAML_SEQUENCE_END_EVENT)
            break;
        lc_node *item = LC_PUSH(r->arena, &items, lc_node);
        if (!read_node(r, item))
            return false;
    }
    r->depth--;
    out->count = (uint32_t)items.count;
    out->as.items = items.items;
    return true;
}

/* Adds the members of a merged mapping (`<<`) whose keys are not given already. */
static void merge_members(reader *r, member_list *into, lc_table *seen, const lc_node *from)
{
    for (size_t i = 0; i < from->count; i++) {
        if (lc_table_get(seen, from->as.members[i].key))
            continue;
        lc_member *added = LC_PUSH(r->arena, into, lc_member);
        *added = from->as.members[i];
        lc_table_put(seen, added->key, r);
    }
}

/* Of several merged mappings the first one with a key wins, as the YAML merge type specifies. */
static bool merge(reader *r, member_list *into, lc_table *seen, const lc_node *from)
{
    if (from->kind == LC_NODE_MAPPING) {
        merge_members(r, into, seen, from);
        return true;
    }
    bool ok = from->kind == LC_NODE_SEQUENCE;
    for (size_t i = 0; ok && i < from->count; i++) {
        ok = from->as.items[i].kind == LC_NODE_MAPPING;
        if (ok)
            merge_members(r, into, seen, &from->as.items[i]);
    }
    return ok || refuse(r, "'<<' merges a mapping or a list of mappings");
}

/* Keys are scalars and always count as strings, regardless of what they resolve to. */
static bool read_key(reader *r, lc_member *member, bool *merging)
{
    lc_node key;
    member->where = where_of(r->event.start_mark);
    if (r->event.type == YAML_ALIAS_EVENT) {
        if (!read_alias(r, &key))
            return false;
        if (key.kind == LC_NODE_SEQUENCE || key.kind == LC_NODE_MAPPING)
            return refuse(r, "a key must be a word, not a collection");
    } else if (r->event.type != YAML_SCALAR_EVENT) {
        return refuse(r, "a key must be a word, not a collection");
    } else {
        key = (lc_node){0};
        if (!read_scalar(r, &key))
            return false;
    }
    member->key = key.as.text;
    *merging = key.style == LC_STYLE_PLAIN && lc_str_is(key.as.text, "<<");
    return true;
}

/* Reports a duplicate key, and lets reading continue so that all of them are reported. */
static bool check_distinct(reader *r, lc_table *seen, lc_member *member, yaml_mark_t mark)
{
    uint64_t *first = lc_table_get(seen, member->key);
    if (first) {
        r->status = LC_EINPUT;
        lc_diag_error(r->diags, loc_of(r, mark), "duplicate key \"%.*s\", first given in line %u",
                      LC_FMT(member->key), (unsigned)(*first >> 32));
        return false;
    }
    uint64_t *where = LC_NEW(r->arena, uint64_t);
    *where = member->where;
    lc_table_put(seen, member->key, where);
    return true;
}

/* Merged mappings are added at the end, because explicit keys win even if they come later. */
static bool read_mapping(reader *r, lc_node *out)
{
    member_list members = {0};
    node_list merged = {0};
    lc_table seen;
    lc_table_init(&seen, r->arena);
    if (!collection_tag(r, r->event.data.mapping_start.tag, out, "map") || !enter(r))
        return false;
    out->kind = LC_NODE_MAPPING;
    out->style = LC_STYLE_PLAIN;
    for (;;) {
        lc_member member = {0};
        bool merging = false;
        if (!next_event(r))
            return false;
        if (r->event.type == YAML_MAPPING_END_EVENT)
            break;
        yaml_mark_t mark = r->event.start_mark;
        if (!read_key(r, &member, &merging))
            return false;
        bool distinct = merging || check_distinct(r, &seen, &member, mark);
        if (!next_event(r) || !read_node(r, &member.value))
            return false;
        if (merging)
            *LC_PUSH(r->arena, &merged, lc_node) = member.value;
        else if (distinct)
            *LC_PUSH(r->arena, &members, lc_member) = member;
    }
    for (size_t i = 0; i < merged.count; i++) {
        if (!merge(r, &members, &seen, &merged.items[i]))
            return false;
    }
    r->depth--;
    out->count = (uint32_t)members.count;
    out->as.members = members.items;
    return true;
}

/* ---- Nodes and documents. */

static const yaml_char_t *anchor_of(const yaml_event_t *event)
{
    return event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
           : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
           : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
                                                      : NULL;
}

static bool read_content(reader *r, lc_node *out)
{
    switch ((int)r->event.type) {
    case YAML_SCALAR_EVENT:
        return read_scalar(r, out);
    case YAML_SEQUENCE_START_EVENT:
        return read_sequence(r, out);
    case YAML_MAPPING_START_EVENT:
        return read_mapping(r, out);
    default:
        return refuse(r, "a value is expected here");
    }
}

/* Reads the node that the current event begins. For an anchor, `deepest` is measured from here to
 * learn its height. */
static bool read_node(reader *r, lc_node *out)
{
    *out = (lc_node){.where = where_of(r->event.start_mark)};
    if (r->event.type == YAML_ALIAS_EVENT)
        return read_alias(r, out);
    if (++r->nodes > r->limits->nodes)
        return over_limit(r, r->limits->by_user
                                 ? "the document has too many values; --max-nodes raises the limit"
                                 : "the document has too many values: make it smaller");
    const yaml_char_t *name = anchor_of(&r->event);
    if (!name)
        return read_content(r, out);
    anchor *a = LC_NEW(r->arena, anchor);
    a->open = true;
    size_t before = r->nodes, deepest = r->deepest;
    r->deepest = r->depth;
    a->name = lc_str_copy(r->arena, lc_str_from_c((const char *)name));
    lc_table_put(&r->anchors, a->name, a);
    *LC_PUSH(r->arena, &r->every_anchor, anchor *) = a;
    if (!read_content(r, out))
        return false;
    a->node = *out;
    a->size = r->nodes - before + 1;
    a->height = r->deepest - r->depth;
    a->open = false;
    if (deepest > r->deepest)
        r->deepest = deepest;
    return true;
}

static bool read_document(reader *r, node_list *documents)
{
    lc_node root;
    size_t errors = r->diags->errors;
    r->depth = 0;
    lc_table_init(&r->anchors, r->arena);
    if (!next_event(r) || !read_node(r, &root) || !next_event(r))
        return false;
    if (r->diags->errors == errors) /* a document with a duplicate key is ambiguous */
        *LC_PUSH(r->arena, documents, lc_node) = root;
    return true;
}

/* Documents that were read before an error are kept. */
static void read_stream(reader *r, node_list *documents)
{
    do {
        if (!next_event(r))
            return;
        if (r->event.type == YAML_DOCUMENT_START_EVENT && !read_document(r, documents))
            return;
    } while (r->event.type != YAML_STREAM_END_EVENT);
    if (documents->count == 0 && r->status == LC_OK) {
        r->status = LC_EINPUT;
        lc_diag_error(r->diags, (lc_loc){r->out->file, 1, 1}, "the file is empty");
    }
}

static void collect_unused(reader *r)
{
    lc_unused_anchor *unused = LC_NEW_ARRAY(r->arena, lc_unused_anchor, r->every_anchor.count);
    size_t count = 0;
    for (size_t i = 0; i < r->every_anchor.count; i++) {
        const anchor *a = r->every_anchor.items[i];
        if (!a->used && !a->open)
            unused[count++] = (lc_unused_anchor){a->name, a->node.where};
    }
    r->out->unused_anchors = unused;
    r->out->unused_anchor_count = count;
}

lc_status lc_yaml_parse(lc_source *out, lc_arena *arena, lc_str file, lc_str text,
                        const lc_limits *limits, lc_diags *diags)
{
    text = lc_without_bom(text); /* libyaml counts it as a column, and ends the document there */
    *out = (lc_source){.file = file, .text = text};
    size_t bad = lc_utf8_first_bad(text);
    if (bad < text.len) {
        lc_diag_error(diags, lc_loc_at(file, text, bad),
                      "this byte is not UTF-8: save the file as UTF-8");
        return LC_EINPUT;
    }
    reader r = {.out = out, .arena = arena, .limits = limits, .diags = diags};
    if (!yaml_parser_initialize(&r.parser))
        lc_out_of_memory();
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.ptr, text.len);
    node_list documents = {0};
    read_stream(&r, &documents);
    collect_unused(&r);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    out->documents = documents.items;
    out->count = documents.count;
    return r.status;
}
