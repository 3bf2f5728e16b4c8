/* The tables of the provider protocol against the facts in testdata/protocol: every row of these is
 * in the tables with the same number and type, and the tables have no others. */
#include "unit.h"

#include "lifecheck/base/table.h"
#include "lifecheck/yaml_json/node.h"
#include "wire/tables.h"

#include <string.h>

/* kind, in, name, number, type or request, label or response, who has it */
enum { KIND, IN, NAME, NUMBER, TYPE, LABEL, OWNERS, COLUMNS };

typedef struct fact {
    lc_str column[COLUMNS];
} fact;

typedef struct facts {
    lc_arena *arena;
    int protocol;
    LC_VEC(fact) rows;
    lc_table messages, enums; /* their names */
} facts;

static lc_str without(lc_str text, const char *prefix)
{
    lc_str p = lc_str_from_c(prefix);
    return lc_str_starts_with(text, p) ? lc_str_sub(text, p.len, text.len) : text;
}

static void add_fact(facts *f, lc_str line)
{
    fact *row = LC_PUSH(f->arena, &f->rows, fact);
    size_t at = 0;
    for (int i = 0; i < COLUMNS; i++) {
        size_t end = lc_str_find(line, at, '\t');
        row->column[i] = lc_str_sub(line, at < line.len ? at : line.len, end);
        at = end + 1;
    }
    lc_str *c = row->column;
    if (lc_str_is(c[KIND], "field"))
        lc_table_put(&f->messages, c[IN], f);
    if (lc_str_is(c[KIND], "enum"))
        lc_table_put(&f->enums, c[IN], f);
    if (lc_str_is(c[KIND], "call")) {
        lc_table_put(&f->messages, without(c[TYPE], "stream "), f);
        lc_table_put(&f->messages, without(c[LABEL], "stream "), f);
    }
}

static facts read_facts(lc_arena *arena, int protocol)
{
    facts f = {.arena = arena, .protocol = protocol};
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, arena);
    lc_table_init(&f.messages, arena);
    lc_table_init(&f.enums, arena);
    lc_str path = lc_str_printf(arena, "testdata/protocol/tfplugin%d.tsv", protocol);
    ck_assert(lc_file_read(&text, arena, path, 1 << 20, &diags) == LC_OK);
    for (size_t at = lc_str_find(text, 0, '\n') + 1; at < text.len;) {
        size_t end = lc_str_find(text, at, '\n');
        add_fact(&f, lc_str_sub(text, at, end));
        at = end + 1;
    }
    ck_assert_uint_ge(f.rows.count, 300);
    return f;
}

/* A type's full name: it is looked for in the message of the field, then in what is around it. */
static lc_str full_name(const facts *f, lc_str scope, lc_str name)
{
    for (;;) {
        lc_str full =
            scope.len ? lc_str_printf(f->arena, "%.*s.%.*s", LC_FMT(scope), LC_FMT(name)) : name;
        if (scope.len == 0 || lc_table_get(&f->messages, full) || lc_table_get(&f->enums, full))
            return full;
        while (scope.len && scope.ptr[scope.len - 1] != '.')
            scope.len--;
        scope.len -= scope.len > 0;
    }
}

static lc_wire_label label_of(const lc_str *c)
{
    if (lc_str_starts_with(c[TYPE], LC_STR("map<string,")))
        return LC_WIRE_MAP;
    if (lc_str_starts_with(c[LABEL], LC_STR("oneof ")))
        return LC_WIRE_ONEOF;
    if (lc_str_is(c[LABEL], "optional"))
        return LC_WIRE_OPTIONAL;
    if (lc_str_is(c[LABEL], "repeated"))
        return LC_WIRE_REPEATED;
    ck_assert_msg(c[LABEL].len == 0, "%.*s: an unknown label", LC_FMT(c[NAME]));
    return LC_WIRE_SINGLE;
}

static void check_type(const facts *f, const lc_wire_message *message, const lc_wire_field *field,
                       const lc_str *c)
{
    static const char *const scalars[] = {
        "string", "bytes", "bool", "int64", "google.protobuf.Timestamp", NULL};
    lc_str type = without(c[TYPE], "map<string,");
    size_t kind;
    type.len -= type.len && type.ptr[type.len - 1] == '>';
    if (lc_str_is_one_of(type, scalars, &kind)) {
        ck_assert_msg(field->kind == kind, "%.*s.%s: its type", LC_FMT(c[IN]), field->name);
        return;
    }
    lc_str full = full_name(f, c[IN], type);
    if (lc_table_get(&f->enums, full)) {
        ck_assert_msg(field->kind == LC_WIRE_ENUM, "%.*s.%s: no enum", LC_FMT(c[IN]), field->name);
        return;
    }
    ck_assert_msg(field->kind == LC_WIRE_MESSAGE &&
                      lc_wire_type(message, field) == lc_wire_message_named(f->protocol, full),
                  "%.*s.%s: not %.*s", LC_FMT(c[IN]), field->name, LC_FMT(full));
}

static int to_int(lc_str digits)
{
    int n = 0;
    for (size_t i = 0; i < digits.len; i++)
        n = n * 10 + (digits.ptr[i] - '0');
    return n;
}

static void check_field(const facts *f, const lc_str *c)
{
    const lc_wire_message *message = lc_wire_message_named(f->protocol, c[IN]);
    ck_assert_msg(message != NULL, "%d: no message %.*s", f->protocol, LC_FMT(c[IN]));
    const lc_wire_field *field = lc_wire_field_of(message, (uint64_t)to_int(c[NUMBER]));
    ck_assert_msg(field && lc_str_eq(lc_wire_field_name(field), c[NAME]) &&
                      field->number == to_int(c[NUMBER]),
                  "%d: %.*s has no %.*s at %.*s", f->protocol, LC_FMT(c[IN]), LC_FMT(c[NAME]),
                  LC_FMT(c[NUMBER]));
    ck_assert_msg(field->label == label_of(c), "%d: %.*s.%s: its label", f->protocol, LC_FMT(c[IN]),
                  field->name);
    ck_assert(lc_wire_field_named(message, c[NAME], (unsigned)field->number - 1) == field);
    check_type(f, message, field, c);
}

static void check_call(const facts *f, const lc_str *c)
{
    lc_str path = lc_str_printf(f->arena, "/tfplugin%d.%.*s/%.*s", f->protocol, LC_FMT(c[IN]),
                                LC_FMT(c[NAME]));
    const lc_wire_method *m = lc_wire_method_of(path);
    ck_assert_msg(m && lc_str_is(c[NAME], m->name) && m->protocol == f->protocol, "%.*s",
                  LC_FMT(path));
    lc_str request = without(c[TYPE], "stream "), response = without(c[LABEL], "stream ");
    ck_assert(m->request && m->request == lc_wire_message_named(f->protocol, request));
    ck_assert(m->response && m->response == lc_wire_message_named(f->protocol, response));
    ck_assert_int_eq(m->request_stream, request.len != c[TYPE].len);
    ck_assert_int_eq(m->response_stream, response.len != c[LABEL].len);
    if (lc_str_is(c[IN], "Provider"))
        ck_assert(lc_wire_method_named(f->protocol, c[NAME]) == m);
}

/* What messages.def says, counted. */
static const struct {
    int protocols; /* bits: 1 for protocol 5, 2 for 6 */
    const char *kind, *in, *name;
    int number;
} rows[] = {
#define BOTH                                            3
#define ONLY5                                           1
#define ONLY6                                           2
#define ENUM_VALUE(protocols, id, number, name)         {protocols, "enum", #id, #name, number},
#define FIELD(protocols, id, number, name, type, label) {protocols, "field", #id, #name, number},
#define CALL(protocols, service, name, request, response, streams)                                 \
    {protocols, "call", #service, #name, 0},
#include "wire/messages.def"
};

/* The enums have no look-up by name, so their values are looked for in the rows. */
static void check_enum(const facts *f, const lc_str *c)
{
    for (int i = 0; i < ROWS(rows); i++) {
        char *in = lc_str_to_c(f->arena, lc_str_from_c(rows[i].in));
        for (char *at = in; *at; at++)
            *at = *at == '_' ? '.' : *at;
        if (rows[i].protocols & (f->protocol == 5 ? 1 : 2) && lc_str_is(c[IN], in) &&
            lc_str_is(c[NAME], rows[i].name) && rows[i].number == to_int(c[NUMBER]))
            return;
    }
    ck_abort_msg("%d: no value %.*s of %.*s", f->protocol, LC_FMT(c[NAME]), LC_FMT(c[IN]));
}

START_TEST(every_fact_is_in_the_tables)
{
    lc_arena *arena = lc_arena_new();
    facts f = read_facts(arena, _i);
    for (size_t i = 0; i < f.rows.count; i++) {
        const lc_str *c = f.rows.items[i].column;
        if (lc_str_is(c[KIND], "field"))
            check_field(&f, c);
        else if (lc_str_is(c[KIND], "call"))
            check_call(&f, c);
        else
            check_enum(&f, c);
    }
    lc_arena_free(arena);
}
END_TEST

/* Every fact has a row of its own, so equal numbers mean that there are no other rows. */
START_TEST(the_tables_have_nothing_else)
{
    lc_arena *arena = lc_arena_new();
    facts f = read_facts(arena, _i);
    size_t count = 0;
    for (int i = 0; i < ROWS(rows); i++)
        count += (rows[i].protocols & (_i == 5 ? 1 : 2)) != 0;
    ck_assert_uint_eq(count, f.rows.count);
    lc_arena_free(arena);
}
END_TEST

/* What the two walks rely on: repeated numbers could be packed, which neither of them knows; maps
 * have strings or messages; bytes of a number are looked up by index. */
START_TEST(kinds_that_the_walks_know)
{
    static const struct {
        const char *name;
        lc_wire_kind kind;
        lc_wire_label label;
    } fields[] = {
#define TYPE_STRING      LC_WIRE_STRING
#define TYPE_BYTES       LC_WIRE_BYTES
#define TYPE_BOOL        LC_WIRE_BOOL
#define TYPE_INT64       LC_WIRE_INT64
#define TYPE_TIMESTAMP   LC_WIRE_TIMESTAMP
#define TYPE_ENUM(id)    LC_WIRE_ENUM
#define TYPE_MESSAGE(id) LC_WIRE_MESSAGE
#define FIELD(protocols, id, number, name, type, label)                                            \
    {#id "." #name, TYPE_##type, LC_WIRE_##label},
#include "wire/messages.def"
    };
    for (int i = 0; i < ROWS(fields); i++) {
        if (fields[i].label == LC_WIRE_REPEATED || fields[i].label == LC_WIRE_MAP)
            ck_assert_msg(fields[i].kind == LC_WIRE_STRING || fields[i].kind == LC_WIRE_MESSAGE,
                          "%s", fields[i].name);
    }
}
END_TEST

/* Is `id` followed by its own rows, in order of their numbers? */
START_TEST(rows_are_in_order)
{
    const char *in = "";
    int last = -1;
    for (int i = 0; i < ROWS(rows) && strcmp(rows[i].kind, "call") != 0; i++) {
        if (strcmp(in, rows[i].in) != 0)
            last = -1;
        ck_assert_msg(rows[i].number >= last, "%s.%s", rows[i].in, rows[i].name);
        in = rows[i].in;
        last = rows[i].number;
    }
}
END_TEST

static const char *const no_calls[] = {
    "",
    "/",
    "/tfplugin5",
    "/tfplugin5.",
    "/tfplugin5.Provider",
    "/tfplugin5.Provider/",
    "/tfplugin5.Provider/GetProviderSchema", /* of protocol 6 */
    "/tfplugin6.Provider/GetSchema",
    "/tfplugin5Provider/GetSchema",
    "/tfplugin7.Provider/GetProviderSchema",
    "/tfplugin5.Provider/GetSchema/",
    "/tfplugin5.Provider/getSchema",
    "tfplugin5.Provider/GetSchema",
    "/plugin.GRPCBroker/StartStream",
    "/grpc.health.v1.Health/Check",
    "/tfplugin6.Provisioner/GetSchema",
};

START_TEST(no_call)
{
    ck_assert_msg(!lc_wire_method_of(lc_str_from_c(no_calls[_i])), "%s", no_calls[_i]);
}
END_TEST

START_TEST(names)
{
    ck_assert(lc_wire_method_named(5, LC_STR("GetSchema")) ==
              lc_wire_method_of(LC_STR("/tfplugin5.Provider/GetSchema")));
    ck_assert(lc_wire_method_named(5, LC_STR("GetSchema")) !=
              lc_wire_method_of(LC_STR("/tfplugin5.Provisioner/GetSchema")));
    ck_assert(!lc_wire_method_named(4, LC_STR("GetSchema")));
    ck_assert(!lc_wire_method_named(6, LC_STR("GetSchema")));
    ck_assert(!lc_wire_message_named(7, LC_STR("DynamicValue")));
    ck_assert(!lc_wire_message_named(4, LC_STR("DynamicValue")));
    ck_assert(!lc_wire_message_named(5, LC_STR("Schema.Object")));
    ck_assert(!lc_wire_message_named(6, LC_STR("Schema_Object")));
    ck_assert(!lc_wire_message_named(6, LC_STR("Schema.")));
    ck_assert(!lc_wire_message_named(6, LC_STR("Schema.ObjectX")));
    ck_assert(lc_wire_message_named(6, LC_STR("Schema.Object")) != NULL);
    ck_assert(lc_wire_message_named(5, LC_STR("Schema")) !=
              lc_wire_message_named(6, LC_STR("Schema")));
    const lc_wire_message *block = lc_wire_message_named(6, LC_STR("Schema.NestedBlock"));
    const lc_wire_field *nesting = lc_wire_field_of(block, 3);
    ck_assert(lc_wire_field_named(block, LC_STR("typeName"), 5) == lc_wire_field_of(block, 1));
    ck_assert(!lc_wire_field_named(block, LC_STR("type-name"), 0));
    ck_assert(!lc_wire_field_named(block, LC_STR(""), 0));
    ck_assert(!lc_wire_field_of(block, 0) && !lc_wire_field_of(block, 6));
    ck_assert(!lc_wire_field_of(block, 16) && !lc_wire_field_of(block, UINT64_MAX));
    ck_assert_str_eq(lc_wire_enum_name(nesting, 5), "GROUP");
    ck_assert(!lc_wire_enum_name(nesting, 6) && !lc_wire_enum_name(nesting, 8));
    ck_assert(!lc_wire_enum_name(nesting, -1));
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("wire tables");
    TCase *tc = tcase_create("wire tables");
    tcase_add_loop_test(tc, every_fact_is_in_the_tables, 5, 7);
    tcase_add_loop_test(tc, the_tables_have_nothing_else, 5, 7);
    tcase_add_test(tc, kinds_that_the_walks_know);
    tcase_add_test(tc, rows_are_in_order);
    ADD_ROWS(tc, no_call, no_calls);
    tcase_add_test(tc, names);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
