/* Messages of the provider protocol: bytes to nodes and back. */
#include "unit.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/codec/codec.h"
#include "wire/tables.h"

#include <stdio.h>
#include <string.h>

/* ---- Helpers. */

/* The bytes that hexadecimal digits stand for; spaces are for the reader. */
static lc_str bytes_of(lc_arena *arena, const char *hex)
{
    char *bytes = lc_arena_alloc(arena, strlen(hex));
    size_t digits = 0;
    for (const char *c = hex; *c; c++) {
        if (*c == ' ')
            continue;
        int digit = lc_hex_digit(*c);
        ck_assert_msg(digit >= 0, "%s", hex);
        bytes[digits / 2] = (char)(digits % 2 ? bytes[digits / 2] << 4 | digit : digit);
        digits++;
    }
    ck_assert_msg(digits % 2 == 0, "%s", hex);
    return (lc_str){bytes, digits / 2};
}

static lc_str hex_of(lc_arena *arena, lc_str bytes)
{
    lc_buf out = {0};
    for (size_t i = 0; i < bytes.len; i++)
        lc_buf_printf(&out, "%02x", (unsigned char)bytes.ptr[i]);
    return lc_buf_take(arena, &out);
}

static lc_str without_blanks(lc_arena *arena, const char *hex)
{
    return hex_of(arena, bytes_of(arena, hex));
}

static const lc_node *parse(lc_arena *arena, lc_str json)
{
    lc_source *source = LC_NEW(arena, lc_source);
    lc_limits limits = LC_LIMITS_DEFAULT;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    ck_assert_msg(lc_json_parse(source, arena, LC_STR("row"), json, &limits, &diags) == LC_OK,
                  "%.*s", LC_FMT(json));
    return source->documents;
}

static const lc_wire_message *message_of(int protocol, const char *name)
{
    const lc_wire_message *message = lc_wire_message_named(protocol, lc_str_from_c(name));
    ck_assert_msg(message != NULL, "%d %s", protocol, name);
    return message;
}

static lc_wire_reader reader_in(lc_arena *arena)
{
    return (lc_wire_reader){.arena = arena, .limits = LC_LIMITS_DEFAULT};
}

/* The JSON of a message, or "OFFSET: reason". */
static lc_str read_json(lc_arena *arena, const lc_wire_message *message, lc_str bytes)
{
    lc_wire_reader reader = reader_in(arena);
    lc_node node;
    if (!lc_wire_read(&node, &reader, message, bytes))
        return lc_str_printf(arena, "%zu: %.*s", reader.at, LC_FMT(reader.why));
    return lc_node_json(arena, &node);
}

/* The bytes of a message in hexadecimal digits, or the reason. */
static lc_str write_hex(lc_arena *arena, const lc_wire_message *message, const lc_node *node)
{
    lc_buf out = {0};
    lc_str why;
    lc_buf_add_c(&out, "before");
    bool ok = lc_wire_write(&out, arena, message, node, &why);
    lc_str text = lc_buf_take(arena, &out);
    ck_assert(lc_str_starts_with(text, LC_STR("before")));
    ck_assert(ok || lc_str_is(text, "before"));
    return ok ? hex_of(arena, lc_str_sub(text, 6, text.len)) : why;
}

/* ---- Both directions. */

typedef struct row {
    const char *name;
    int protocol;
    const char *message;
    const char *hex;
    const char *json; /* ' stands for " */
} row;

static const row rows[] = {
    {"nothing", 5, "GetMetadata.Request", "", "{}"},
    {"bytes", 5, "DynamicValue", "0a01c0", "{'msgpack':'wA=='}"},
    {"an empty message is there", 6, "ResourceIdentityData", "0a00", "{'identity_data':{}}"},
    {"text and enum", 6, "Diagnostic", "0801 1202c3a9", "{'severity':'ERROR','summary':'é'}"},
    {"a number without a name", 5, "Diagnostic", "0807", "{'severity':7}"},
    {"a negative one", 5, "Diagnostic", "08ffffffffffffffffff01", "{'severity':-1}"},
    {"integer", 5, "Schema", "0801", "{'version':'1'}"},
    {"largest integer", 5, "Schema", "08ffffffffffffffff7f", "{'version':'9223372036854775807'}"},
    {"smallest integer", 5, "Schema", "0880808080808080808001",
     "{'version':'-9223372036854775808'}"},
    {"bool", 6, "ServerCapabilities", "0801 1801",
     "{'plan_destroy':true,'move_resource_state':true}"},
    {"presence: a default is there", 5, "FunctionError", "1000", "{'function_argument':'0'}"},
    {"presence: no bytes", 5, "CloseEphemeralResource.Request", "1200", "{'private':''}"},
    {"one of several: default text", 6, "AttributePath.Step", "0a00", "{'attribute_name':''}"},
    {"one of several: 0", 6, "AttributePath.Step", "1800", "{'element_key_int':'0'}"},
    {"one of several: message", 6, "InvokeAction.Event", "1200", "{'completed':{}}"},
    {"list of texts", 6, "GetStates.Response", "0a0161 0a00", "{'state_ids':['a','']}"},
    {"list of messages", 5, "AttributePath", "0a00 0a031a0161",
     "{'steps':[{},{'unknown_fields':'GgFh'}]}"},
    {"map of texts", 5, "RawState", "1204 0a00 1200 1206 0a0161 120162",
     "{'flatmap':{'':'','a':'b'}}"},
    {"map of messages", 5, "GetFunctions.Response", "0a05 0a0161 1200", "{'functions':{'a':{}}}"},
    {"number 10 in protocol 5", 5, "Schema.Attribute", "5001", "{'write_only':true}"},
    {"number 10 in protocol 6", 6, "Schema.Attribute", "5200", "{'nested_type':{}}"},
    {"number 11 in protocol 6", 6, "Schema.Attribute", "5801", "{'write_only':true}"},
    {"time", 5, "RenewEphemeralResource.Response", "1200", "{'renew_at':'1970-01-01T00:00:00Z'}"},
    {"time with milliseconds", 5, "RenewEphemeralResource.Response", "120a 0890d4ecab06 10c0843d",
     "{'renew_at':'2023-12-14T16:15:12.001Z'}"},
    {"time with microseconds", 6, "RenewEphemeralResource.Response", "1203 10e807",
     "{'renew_at':'1970-01-01T00:00:00.000001Z'}"},
    {"time with nanoseconds", 6, "RenewEphemeralResource.Response", "1202 1001",
     "{'renew_at':'1970-01-01T00:00:00.000000001Z'}"},
    {"a leap day before 1970", 6, "RenewEphemeralResource.Response", "120b 0880a8e482fcffffffff01",
     "{'renew_at':'1936-02-29T00:00:00Z'}"},
    {"the first second", 6, "RenewEphemeralResource.Response", "120b 088092b8c398feffffff01",
     "{'renew_at':'0001-01-01T00:00:00Z'}"},
    {"unknown: each type", 5, "DynamicValue",
     "0a01c0 9801 01 9901 0102030405060708 9a0100 9d01 01020304",
     "{'msgpack':'wA==','unknown_fields':'mAEBmQEBAgMEBQYHCJoBAJ0BAQIDBA=='}"},
    {"unknown: groups", 5, "DynamicValue", "9b01 a301 0801 a401 9c01",
     "{'unknown_fields':'mwGjAQgBpAGcAQ=='}"},
    {"another type on the wire", 5, "DynamicValue", "0801", "{'unknown_fields':'CAE='}"},
    {"unknown inside", 5, "ResourceIdentityData", "0a02 1801",
     "{'identity_data':{'unknown_fields':'GAE='}}"},
    {"not UTF-8", 5, "Diagnostic", "0801 1201ff", "{'severity':'ERROR','unknown_fields':'EgH/'}"},
    {"not UTF-8 in a key", 5, "RawState", "1206 0a01ff 120162",
     "{'unknown_fields':'EgYKAf8SAWI='}"},
    {"not UTF-8 in a value of a map", 5, "RawState", "1206 0a0161 1201ff",
     "{'unknown_fields':'EgYKAWESAf8='}"},
    {"a time that cannot be shown", 5, "RenewEphemeralResource.Response", "1206 108094ebdc03",
     "{'unknown_fields':'EgYQgJTr3AM='}"},
    {"the last time", 6, "RenewEphemeralResource.Response", "120d 08ff82d1ffaf07 10ff93ebdc03",
     "{'renew_at':'9999-12-31T23:59:59.999999999Z'}"},
};

START_TEST(both_directions)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    const lc_wire_message *message = message_of(r->protocol, r->message);
    lc_str json = quoted(arena, r->json);
    CHECK_TEXT(r->name, read_json(arena, message, bytes_of(arena, r->hex)), json);
    CHECK_TEXT(r->name, write_hex(arena, message, parse(arena, json)),
               without_blanks(arena, r->hex));
    lc_arena_free(arena);
}
END_TEST

/* ---- What is only read. */

static const row read_rows[] = {
    {"a default that was sent", 5, "Diagnostic", "0800 1200", "{}"},
    {"the last scalar counts", 5, "Diagnostic", "120161 0802 120162 0801",
     "{'severity':'ERROR','summary':'b'}"},
    {"also if it is the default", 5, "Diagnostic", "120161 1200", "{}"},
    {"messages are merged", 5, "Diagnostic", "2202 0a00 2205 0a03 0a0161",
     "{'attribute':{'steps':[{},{'attribute_name':'a'}]}}"},
    {"merged at every level", 5, "PlanResourceChange.Request", "4205 0a03 0a0161 4205 0a03 120162",
     "{'prior_identity':{'identity_data':{'msgpack':'YQ==','json':'Yg=='}}}"},
    {"of several the last", 5, "AttributePath.Step", "0a0161 1801", "{'element_key_int':'1'}"},
    {"and again the first", 5, "AttributePath.Step", "0a0161 1801 0a0162",
     "{'attribute_name':'b'}"},
    {"of several messages the last", 5, "InvokeAction.Event", "0a030a0161 1200 0a00",
     "{'progress':{}}"},
    {"the same one is merged", 5, "InvokeAction.Event", "0a030a0161 0a00",
     "{'progress':{'message':'a'}}"},
    {"the last entry of a key counts", 5, "RawState", "1206 0a0161 120162 1206 0a0161 120163",
     "{'flatmap':{'a':'c'}}"},
    {"entries without key or value", 5, "RawState", "1203 120162 1200 1203 0a0161",
     "{'flatmap':{'':'','a':''}}"},
    {"value before key", 5, "RawState", "1206 120162 0a0161", "{'flatmap':{'a':'b'}}"},
    {"the last of two values", 5, "RawState", "1209 120162 120163 0a0161", "{'flatmap':{'a':'c'}}"},
    {"values of an entry are merged", 5, "GetFunctions.Response",
     "0a0d 0a0161 1203 220162 1203 2a0163",
     "{'functions':{'a':{'summary':'b','description':'c'}}}"},
    {"entries are sorted", 5, "RawState", "1203 0a0162 1203 0a0161", "{'flatmap':{'a':'','b':''}}"},
    {"unknown fields of an entry are dropped", 5, "RawState", "1205 0a0161 1801",
     "{'flatmap':{'a':''}}"},
    {"fields in any order", 6, "DynamicValue", "120163 0a0161", "{'msgpack':'YQ==','json':'Yw=='}"},
    {"a long way to write 1", 5, "Schema", "08 81808080808080808000", "{'version':'1'}"},
    {"a long tag", 5, "Schema", "8800 01", "{'version':'1'}"},
    {"bool of any number", 5, "ServerCapabilities", "08ac02", "{'plan_destroy':true}"},
    {"an enum has 32 bits", 5, "Diagnostic", "08 8180808010", "{'severity':'ERROR'}"},
    {"times are merged", 5, "RenewEphemeralResource.Response", "1202 0801 1203 10e807",
     "{'renew_at':'1970-01-01T00:00:01.000001Z'}"},
};

START_TEST(read_only)
{
    const row *r = &read_rows[_i];
    lc_arena *arena = lc_arena_new();
    CHECK_TEXT(r->name,
               read_json(arena, message_of(r->protocol, r->message), bytes_of(arena, r->hex)),
               quoted(arena, r->json));
    lc_arena_free(arena);
}
END_TEST

/* ---- What is not a message: the offset and the reason. */

static const row bad_rows[] = {
    {"a tag that is cut off", 5, "Schema", "0801 88", "2: the message ends inside a number"},
    {"no value", 5, "Schema", "08", "1: the message ends inside a number"},
    {"a number of 65 bits", 5, "Schema", "08 ffffffffffffffffff02",
     "1: a number has more than 64 bits"},
    {"a number of 11 bytes", 5, "Schema", "08 8080808080808080808000",
     "1: a number has more than 64 bits"},
    {"field 0", 5, "Schema", "0801 0001", "2: no field can have this number"},
    {"a field beyond 29 bits", 5, "Schema", "80 80 80 80 10 01",
     "0: no field can have this number"},
    {"type 6", 5, "Schema", "0e", "1: fields have no such type on the wire"},
    {"type 7", 5, "Schema", "0f", "1: fields have no such type on the wire"},
    {"too long", 5, "DynamicValue", "0a02 c0",
     "2: a field is longer than what is left of its message"},
    {"as long as can be said", 5, "DynamicValue", "0a ffffffffffffffffff01",
     "11: a field is longer than what is left of its message"},
    {"longer than what is around it", 5, "ResourceIdentityData", "0a03 0a02c0 0801",
     "4: a field is longer than what is left of its message"},
    {"64 bits cut off", 5, "Schema",
     "99010102030405060708"
     "9901010203",
     "12: a field is longer than what is left of its message"},
    {"32 bits cut off", 5, "Schema", "9d01010203",
     "2: a field is longer than what is left of its message"},
    {"a group without end", 5, "Schema", "9b01 a301 0801 a401",
     "8: the message ends inside a group"},
    {"a group with another end", 5, "Schema", "9b01 a301 0801 9c01 a401",
     "6: a group ends that has not begun"},
    {"an end alone", 5, "Schema", "9c01", "2: a group ends that has not begun"},
    {"an entry that is cut off", 5, "RawState", "1203 0a0261",
     "4: a field is longer than what is left of its message"},
    {"a time that is cut off", 5, "RenewEphemeralResource.Response", "1201 08",
     "3: the message ends inside a number"},
    {"in what was merged", 5, "Diagnostic", "2202 0a00 2203 0a01 08",
     "0: the message ends inside a number"},
};

START_TEST(no_message)
{
    const row *r = &bad_rows[_i];
    lc_arena *arena = lc_arena_new();
    CHECK_TEXT(r->name,
               read_json(arena, message_of(r->protocol, r->message), bytes_of(arena, r->hex)),
               lc_str_from_c(r->json));
    lc_arena_free(arena);
}
END_TEST

/* Whatever is cut off a message, its reader notices or has all that it needs, and never reads on:
 * the bytes lie at the end of a block, for the sanitizers. */
START_TEST(cut_anywhere)
{
    const row *r = &rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_str all = bytes_of(arena, r->hex);
    for (size_t len = 0; len <= all.len; len++) {
        char *block = lc_heap_alloc(len ? len : 1);
        memcpy(block, all.ptr, len);
        lc_wire_reader reader = reader_in(arena);
        lc_node node;
        if (!lc_wire_read(&node, &reader, message_of(r->protocol, r->message),
                          (lc_str){block, len}))
            ck_assert(reader.why.len > 0 && reader.at <= len);
        lc_heap_free(block);
    }
    lc_arena_free(arena);
}
END_TEST

/* ---- What is only written. */

static const row write_rows[] = {
    {"lowerCamelCase", 5, "ServerCapabilities", "0801 1001",
     "{'planDestroy':true,'getProviderSchemaOptional':true}"},
    {"fields by number", 5, "DynamicValue", "0a0161 120162", "{'json':'Yg==','msgpack':'YQ=='}"},
    {"defaults are left out", 5, "Diagnostic", "",
     "{'severity':'INVALID','summary':'','detail':'','attribute':null}"},
    {"zero", 5, "Schema", "", "{'version':'0'}"},
    {"enum as a number", 5, "Diagnostic", "0802", "{'severity':2}"},
    {"integer as a number", 5, "Schema", "080a", "{'version':10}"},
    {"integer with an exponent", 5, "Schema", "08e807", "{'version':1e3}"},
    {"integer with a point", 5, "Schema", "0801", "{'version':1.0}"},
    {"the other base64", 5, "DynamicValue", "0a02fbff", "{'msgpack':'-_8'}"},
    {"no items, no entries", 5, "RawState", "", "{'flatmap':{}}"},
    {"no steps", 5, "AttributePath", "", "{'steps':[]}"},
    {"entries by key", 5, "RawState", "1205 0a00 120161 1207 0a0161 12026262",
     "{'flatmap':{'a':'bb','':'a'}}"},
    {"a time elsewhere", 5, "RenewEphemeralResource.Response", "1202 0801",
     "{'renew_at':'1970-01-01T01:30:01+01:30'}"},
    {"a time further west", 5, "RenewEphemeralResource.Response", "1200",
     "{'renew_at':'1969-12-31T20:00:00.000-04:00'}"},
    {"a time with all decimals", 5, "RenewEphemeralResource.Response", "1205 10959aef3a",
     "{'renew_at':'1970-01-01T00:00:00.123456789Z'}"},
    {"nothing unknown", 5, "DynamicValue", "", "{'unknown_fields':null}"},
};

START_TEST(write_only)
{
    const row *r = &write_rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_str json = quoted(arena, r->json);
    CHECK_TEXT(r->name, write_hex(arena, message_of(r->protocol, r->message), parse(arena, json)),
               without_blanks(arena, r->hex));
    lc_arena_free(arena);
}
END_TEST

static const row refused_rows[] = {
    {"no such field", 5, "ReadResource.Request", "ReadResource.Request has no field typename",
     "{'typename':'a'}"},
    {"no such field inside", 5, "ResourceIdentityData", "DynamicValue has no field yaml",
     "{'identity_data':{'yaml':''}}"},
    {"a field of protocol 6", 5, "Schema.Attribute", "Schema.Attribute has no field nested_type",
     "{'nested_type':{}}"},
    {"both spellings", 5, "ReadResource.Request", "type_name: it is given twice, in both spellings",
     "{'type_name':'a','typeName':'b'}"},
    {"two of one", 5, "AttributePath.Step",
     "element_key_int: another field that excludes it is given too",
     "{'attribute_name':'a','element_key_int':'1'}"},
    {"no message", 5, "ResourceIdentityData", "DynamicValue: a mapping is expected",
     "{'identity_data':[]}"},
    {"no list", 5, "AttributePath", "steps: a list is expected", "{'steps':{}}"},
    {"null in a list", 5, "AttributePath", "AttributePath.Step: a mapping is expected",
     "{'steps':[null]}"},
    {"no map", 5, "RawState", "flatmap: a mapping is expected", "{'flatmap':[]}"},
    {"null in a map", 5, "RawState", "flatmap: a string is expected", "{'flatmap':{'a':null}}"},
    {"no text", 5, "Diagnostic", "summary: a string is expected", "{'summary':1}"},
    {"no base64", 5, "DynamicValue", "json: base64 is expected", "{'json':'*'}"},
    {"no bool", 5, "ServerCapabilities", "plan_destroy: true or false is expected",
     "{'plan_destroy':'true'}"},
    {"no integer", 5, "Schema", "version: a 64-bit integer is expected", "{'version':'x'}"},
    {"an empty integer", 5, "Schema", "version: a 64-bit integer is expected", "{'version':''}"},
    {"infinity", 5, "Schema", "version: a 64-bit integer is expected", "{'version':'Inf'}"},
    {"a fraction", 5, "Schema", "version: a 64-bit integer is expected", "{'version':1.5}"},
    {"65 bits", 5, "Schema", "version: a 64-bit integer is expected",
     "{'version':'9223372036854775808'}"},
    {"a large exponent", 5, "Schema", "version: a 64-bit integer is expected", "{'version':1e400}"},
    {"a bool for an integer", 5, "Schema", "version: a 64-bit integer is expected",
     "{'version':true}"},
    {"no such value", 5, "Diagnostic", "severity: the enum has no such value",
     "{'severity':'FATAL'}"},
    {"an enum beyond 32 bits", 5, "Diagnostic", "severity: the enum has no such value",
     "{'severity':2147483648}"},
    {"no time", 5, "RenewEphemeralResource.Response", "renew_at: a time of RFC 3339 is expected",
     "{'renew_at':'1970-01-01'}"},
    {"no such day", 5, "RenewEphemeralResource.Response",
     "renew_at: a time of RFC 3339 is expected", "{'renew_at':'1900-02-29T00:00:00Z'}"},
    {"before year 1 in UTC", 5, "RenewEphemeralResource.Response",
     "renew_at: a time of RFC 3339 is expected", "{'renew_at':'0001-01-01T00:00:00+00:01'}"},
    {"ten decimals", 5, "RenewEphemeralResource.Response",
     "renew_at: a time of RFC 3339 is expected", "{'renew_at':'1970-01-01T00:00:00.1234567890Z'}"},
    {"a point without decimals", 5, "RenewEphemeralResource.Response",
     "renew_at: a time of RFC 3339 is expected", "{'renew_at':'1970-01-01T00:00:00.Z'}"},
    {"no offset", 5, "RenewEphemeralResource.Response", "renew_at: a time of RFC 3339 is expected",
     "{'renew_at':'1970-01-01T00:00:00'}"},
    {"unknown, but no fields", 5, "DynamicValue", "unknown_fields: base64 of fields is expected",
     "{'unknown_fields':'CA=='}"},
    {"unknown, but no base64", 5, "DynamicValue", "unknown_fields: base64 of fields is expected",
     "{'unknown_fields':'*'}"},
    {"unknown, but a list", 5, "DynamicValue", "unknown_fields: base64 of fields is expected",
     "{'unknown_fields':[]}"},
};

START_TEST(refused)
{
    const row *r = &refused_rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_str json = quoted(arena, r->json);
    CHECK_TEXT(r->name, write_hex(arena, message_of(r->protocol, r->message), parse(arena, json)),
               lc_str_from_c(r->hex));
    lc_arena_free(arena);
}
END_TEST

/* ---- Every row of the tables. */

static void add_value(lc_json *w, const lc_wire_message *message, const lc_wire_field *field,
                      const char *key, unsigned depth);

/* The members of a message; `oneof` counts which field of a oneof is given. */
static void add_members(lc_json *w, const lc_wire_message *message, unsigned depth, unsigned oneof)
{
    for (unsigned i = 1; i < LC_WIRE_NUMBERS; i++) {
        const lc_wire_field *field = lc_wire_field_of(message, i);
        if (!field || (field->label == LC_WIRE_ONEOF && oneof-- != 0))
            continue;
        const char *key = field->name;
        if (lc_wire_field_named(message, lc_str_from_c(key), 0) != field)
            continue; /* a second number of the same name, which JSON cannot distinguish */
        if (field->label == LC_WIRE_REPEATED) {
            lc_json_array(w, key);
            add_value(w, message, field, NULL, depth);
            add_value(w, message, field, NULL, depth);
            lc_json_end_array(w);
        } else if (field->label == LC_WIRE_MAP) {
            lc_json_object(w, key);
            add_value(w, message, field, "", depth);
            add_value(w, message, field, "key", depth);
            lc_json_end_object(w);
        } else {
            add_value(w, message, field, key, depth);
        }
    }
}

/* Not a default. Messages inside have all of their fields down to a depth of two. */
static void add_value(lc_json *w, const lc_wire_message *message, const lc_wire_field *field,
                      const char *key, unsigned depth)
{
    switch ((lc_wire_kind)field->kind) {
    case LC_WIRE_STRING:
        lc_json_c(w, key, "text");
        return;
    case LC_WIRE_BYTES:
        lc_json_c(w, key, "AP8=");
        return;
    case LC_WIRE_BOOL:
        lc_json_bool(w, key, true);
        return;
    case LC_WIRE_INT64:
        lc_json_c(w, key, "-1");
        return;
    case LC_WIRE_TIMESTAMP:
        lc_json_c(w, key, "2001-02-03T04:05:06.070Z");
        return;
    case LC_WIRE_ENUM:
        lc_json_c(w, key, lc_wire_enum_name(field, 1));
        return;
    case LC_WIRE_MESSAGE:
        lc_json_object(w, key);
        if (depth < 2)
            add_members(w, lc_wire_type(message, field), depth + 1, 0);
        lc_json_end_object(w);
        return;
    }
}

static const char *const identifiers[] = {
#define MESSAGE(protocols, id) #id,
#include "wire/messages.def"
};

static void check_full(lc_arena *arena, const lc_wire_message *message, unsigned oneof)
{
    lc_buf buf = {0}, bytes = {0};
    lc_json w = {.out = &buf};
    lc_str why;
    lc_json_object(&w, NULL);
    add_members(&w, message, 0, oneof);
    lc_json_end_object(&w);
    lc_str json = lc_buf_take(arena, &buf);
    ck_assert_msg(lc_wire_write(&bytes, arena, message, parse(arena, json), &why), "%.*s",
                  LC_FMT(why));
    CHECK_TEXT(message->identifier, read_json(arena, message, lc_buf_take(arena, &bytes)), json);
}

START_TEST(every_field_comes_back)
{
    for (int protocol = 5; protocol <= 6; protocol++) {
        lc_arena *arena = lc_arena_new();
        char *name = lc_str_to_c(arena, lc_str_from_c(identifiers[_i]));
        for (char *c = name; *c; c++)
            *c = *c == '_' ? '.' : *c;
        const lc_wire_message *message = lc_wire_message_named(protocol, lc_str_from_c(name));
        for (unsigned oneof = 0; message && oneof < 3; oneof++)
            check_full(arena, message, oneof);
        lc_arena_free(arena);
    }
}
END_TEST

/* The actions of protocol 5 have number 8 for the clients and 9 for the SDK. */
START_TEST(two_numbers_of_one_name)
{
    lc_arena *arena = lc_arena_new();
    const lc_wire_message *message = lc_wire_message_named(5, LC_STR("GetMetadata.Response"));
    CHECK_TEXT("8", read_json(arena, message, LC_STR("\x42\x03\x0a\x01x")),
               LC_STR("{\"actions\":[{\"type_name\":\"x\"}]}"));
    CHECK_TEXT("9", read_json(arena, message, LC_STR("\x4a\x03\x0a\x01x")),
               LC_STR("{\"actions\":[{\"type_name\":\"x\"}]}"));
    lc_arena_free(arena);
}
END_TEST

static const struct {
    const char *id, *name;
    int number;
} values[] = {
#define ENUM_VALUE(protocols, id, number, name) {#id, #name, number},
#include "wire/messages.def"
};

/* The first field that has the enum. */
static const lc_wire_field *field_with(const char *id, lc_str *member)
{
    static const struct {
        const char *id, *message, *member;
    } users[] = {
        {"Diagnostic_Severity", "Diagnostic", "severity"},
        {"StringKind", "Schema.Block", "description_kind"},
        {"Schema_NestedBlock_NestingMode", "Schema.NestedBlock", "nesting"},
        {"Schema_Object_NestingMode", "Schema.Object", "nesting"},
        {"Deferred_Reason", "Deferred", "reason"},
    };
    for (int i = 0; i < ROWS(users); i++) {
        *member = lc_str_from_c(users[i].member);
        if (strcmp(users[i].id, id) == 0)
            return lc_wire_field_named(message_of(6, users[i].message), *member, 0);
    }
    ck_abort_msg("%s is used nowhere", id);
}

START_TEST(every_enum_value_has_its_name)
{
    lc_str member;
    const lc_wire_field *field = field_with(values[_i].id, &member);
    int64_t number;
    ck_assert_str_eq(lc_wire_enum_name(field, values[_i].number), values[_i].name);
    ck_assert(lc_wire_enum_value(field, lc_str_from_c(values[_i].name), &number));
    ck_assert_int_eq(number, values[_i].number);
}
END_TEST

/* ---- Limits and counts. */

typedef struct limit_row {
    const char *name;
    lc_limits limits;
    const char *message;
    const char *hex;
    const char *want;
} limit_row;

static const limit_row limit_rows[] = {
    {"deep enough",
     {.depth = 3, .nodes = 9},
     "Diagnostic",
     "2202 0a00",
     "{'attribute':{'steps':[{}]}}"},
    {"too deep",
     {.depth = 2, .nodes = 9},
     "Diagnostic",
     "2202 0a00",
     "4: this is nested too deeply"},
    {"groups count too",
     {.depth = 2, .nodes = 9},
     "Schema",
     "9b01 a301 a401 9c01",
     "4: this is nested too deeply"},
    {"groups side by side do not",
     {.depth = 2, .nodes = 9},
     "Schema",
     "9b01 9c01 9b01 9c01 9b01 9c01",
     "{'unknown_fields':'mwGcAZsBnAGbAZwB'}"},
    {"enough fields",
     {.depth = 9, .nodes = 3},
     "Diagnostic",
     "120161 120161 120161",
     "{'summary':'a'}"},
    {"too many fields",
     {.depth = 9, .nodes = 2},
     "Diagnostic",
     "120161 120161 120161",
     "6: the message has too many fields"},
    {"unknown neighbours are one",
     {.depth = 9, .nodes = 1},
     "Schema",
     "180118011801",
     "{'unknown_fields':'GAEYARgB'}"},
    {"as much as may be merged",
     {.depth = 9, .nodes = 9, .input_bytes = 7},
     "Diagnostic",
     "2202 0a00 2205 0a03 0a0161",
     "{'attribute':{'steps':[{},{'attribute_name':'a'}]}}"},
    {"more than may be merged",
     {.depth = 9, .nodes = 9, .input_bytes = 6},
     "Diagnostic",
     "2202 0a00 2205 0a03 0a0161",
     "6: too much of this has to be merged"},
};

START_TEST(limits)
{
    const limit_row *r = &limit_rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_wire_reader reader = {.arena = arena, .limits = r->limits};
    lc_node node;
    bool ok = lc_wire_read(&node, &reader, message_of(6, r->message), bytes_of(arena, r->hex));
    lc_str got = ok ? lc_node_json(arena, &node)
                    : lc_str_printf(arena, "%zu: %.*s", reader.at, LC_FMT(reader.why));
    CHECK_TEXT(r->name, got, quoted(arena, r->want));
    lc_arena_free(arena);
}
END_TEST

/* A block in a block in a block ... */
static lc_str nested_blocks(lc_arena *arena, unsigned levels)
{
    lc_buf json = {0};
    for (unsigned i = 0; i < levels; i++)
        lc_buf_add_str(&json, quoted(arena, "{'block_types':[{'block':"));
    lc_buf_add_c(&json, "{}");
    for (unsigned i = 0; i < levels; i++)
        lc_buf_add_c(&json, "}]}");
    return lc_buf_take(arena, &json);
}

START_TEST(writing_is_bounded_too)
{
    lc_arena *arena = lc_arena_new();
    const lc_wire_message *block = message_of(6, "Schema.Block");
    const lc_node *allowed = parse(arena, nested_blocks(arena, LC_MAX_DEPTH / 2 - 1));
    const lc_node *too_deep = parse(arena, nested_blocks(arena, LC_MAX_DEPTH / 2));
    lc_str hex = write_hex(arena, block, allowed);
    CHECK_TEXT("allowed", read_json(arena, block, bytes_of(arena, lc_str_to_c(arena, hex))),
               lc_node_json(arena, allowed));
    CHECK_TEXT("too deep", write_hex(arena, block, too_deep),
               LC_STR("Schema.Block: this is nested too deeply"));
    lc_arena_free(arena);
}
END_TEST

typedef struct count_row {
    const char *message, *hex;
    unsigned unknown;
} count_row;

static const count_row count_rows[] = {
    {"Schema", "0801", 0},
    {"Schema", "1801 1801 9b01 1801 9c01", 3},
    {"Diagnostic", "0807 1201ff", 2},
    {"Diagnostic", "2202 1801 2202 1801", 2},
    {"RawState", "1205 0a0161 1801", 1},
    {"RenewEphemeralResource.Response", "1206 108094ebdc03", 1},
    {"RenewEphemeralResource.Response", "1202 1801", 1},
};

START_TEST(unknown_is_counted)
{
    const count_row *r = &count_rows[_i];
    lc_arena *arena = lc_arena_new();
    lc_wire_reader reader = reader_in(arena);
    lc_node node;
    reader.unknown = 99;
    ck_assert(lc_wire_read(&node, &reader, message_of(6, r->message), bytes_of(arena, r->hex)));
    ck_assert_msg(reader.unknown == r->unknown, "%s %s: %u", r->message, r->hex,
                  (unsigned)reader.unknown);
    lc_arena_free(arena);
}
END_TEST

/* Where nodes stood in the bytes; in what was merged, where the first part stood. */
START_TEST(places)
{
    lc_arena *arena = lc_arena_new();
    lc_wire_reader reader = reader_in(arena);
    lc_node node;
    lc_str bytes = bytes_of(arena, "0801 22040a020a00 120161 2204 0a020a00");
    ck_assert(lc_wire_read(&node, &reader, message_of(5, "Diagnostic"), bytes));
    const lc_node *attribute = lc_node_get(&node, "attribute");
    const lc_node *steps = lc_node_get(attribute, "steps");
    ck_assert_uint_eq(node.where, 0);
    ck_assert_uint_eq(lc_node_get(&node, "severity")->where, 0);
    ck_assert_uint_eq(lc_node_get(&node, "summary")->where, 8);
    ck_assert_uint_eq(attribute->where, 2);
    ck_assert_uint_eq(lc_node_item_count(steps), 2);
    ck_assert_uint_eq(steps->where, 2);
    ck_assert_uint_eq(lc_node_item(steps, 1)->where, 2);
    ck_assert(lc_wire_read(&node, &reader, message_of(5, "Diagnostic"), lc_str_sub(bytes, 0, 8)));
    steps = lc_node_get(lc_node_get(&node, "attribute"), "steps");
    ck_assert_uint_eq(lc_node_item(steps, 0)->where, 4);
    ck_assert_uint_eq(lc_node_get(lc_node_item(steps, 0), "attribute_name")->where, 6);
    lc_arena_free(arena);
}
END_TEST

/* ---- Entries of maps. */

static const char schemas_hex[] = "0a02 0801"                  /* provider */
                                  "1209 0a0161 1204 0802 1200" /* resource_schemas: a */
                                  "1207 0a0162 1202 0803"      /* b */
                                  "1a07 0a0161 1202 0804"      /* data_source_schemas: a */
                                  "1206 0a01ff 1201 80"        /* a name that is not UTF-8 */
                                  "22020802";                  /* diagnostics */

static bool only_a(void *context, lc_str field, lc_str key)
{
    lc_buf_printf(context, "%.*s.%.*s ", LC_FMT(field), LC_FMT(key));
    return lc_str_is(key, "a");
}

START_TEST(wanted_entries)
{
    lc_arena *arena = lc_arena_new();
    lc_buf asked = {0};
    lc_wire_reader reader = reader_in(arena);
    lc_node node;
    reader.wanted = only_a;
    reader.context = &asked;
    const lc_wire_message *message = message_of(6, "GetProviderSchema.Response");
    ck_assert(lc_wire_read(&node, &reader, message, bytes_of(arena, schemas_hex)));
    CHECK_TEXT(
        "nodes", lc_node_json(arena, &node),
        quoted(arena,
               "{'provider':{'version':'1'},'resource_schemas':{'a':{'version':'2','block':{}}},"
               "'data_source_schemas':{'a':{'version':'4'}},'diagnostics':["
               "{'severity':'WARNING'}],'unknown_fields':'EgYKAf8SAYA='}"));
    CHECK_TEXT("asked", lc_buf_str(&asked),
               LC_STR("resource_schemas.a resource_schemas.b data_source_schemas.a "));
    lc_buf_release(&asked);
    lc_arena_free(arena);
}
END_TEST

/* Strings are always read: they are the state of an object. */
START_TEST(texts_are_always_wanted)
{
    lc_arena *arena = lc_arena_new();
    lc_wire_reader reader = reader_in(arena);
    lc_node node;
    reader.wanted = only_a;
    ck_assert(lc_wire_read(&node, &reader, message_of(6, "RawState"),
                           bytes_of(arena, "1206 0a0162 120163")));
    CHECK_TEXT("nodes", lc_node_json(arena, &node), LC_STR("{\"flatmap\":{\"b\":\"c\"}}"));
    lc_arena_free(arena);
}
END_TEST

typedef struct entries {
    lc_arena *arena;
    lc_buf text;
    const char *stop;
} entries;

static bool add_entry(void *context, lc_str field, lc_str key, const lc_wire_message *type,
                      lc_str value)
{
    entries *e = context;
    lc_buf_printf(&e->text, "%.*s.%.*s=%.*s ", LC_FMT(field), LC_FMT(key),
                  LC_FMT(read_json(e->arena, type, value)));
    return !e->stop || !lc_str_is(key, e->stop);
}

static void check_entries(const char *name, const char *hex, const char *stop, bool ok,
                          const char *want)
{
    entries e = {.arena = lc_arena_new(), .stop = stop};
    lc_wire_reader reader = reader_in(e.arena);
    const lc_wire_message *message = message_of(6, "GetProviderSchema.Response");
    bool got = lc_wire_each_entry(&reader, message, bytes_of(e.arena, hex), add_entry, &e);
    ck_assert_msg(got == ok, "%s", name);
    CHECK_TEXT(name, lc_buf_str(&e.text), quoted(e.arena, want));
    if (!ok)
        ck_assert(reader.why.len > 0);
    lc_buf_release(&e.text);
    lc_arena_free(e.arena);
}

START_TEST(each_entry)
{
    check_entries(
        "all", schemas_hex, NULL, true,
        "resource_schemas.a={'version':'2','block':{}} resource_schemas.b={'version':'3'} "
        "data_source_schemas.a={'version':'4'} ");
    check_entries(
        "stopped", schemas_hex, "b", true,
        "resource_schemas.a={'version':'2','block':{}} resource_schemas.b={'version':'3'} ");
    check_entries("merged", "120b 0a0161 1202 0802 1202 1200", NULL, true,
                  "resource_schemas.a={'version':'2','block':{}} ");
    check_entries("no value", "1203 0a0161", NULL, true, "resource_schemas.a={} ");
    check_entries("none", "", NULL, true, "");
    check_entries("cut off", "1203 0a0161 1203 0a0262", NULL, false, "resource_schemas.a={} ");
    check_entries("cut off further out", "1203 0a0161 1204", NULL, false, "resource_schemas.a={} ");
}
END_TEST

/* ---- Recordings. */

typedef struct counts {
    size_t files, messages;
} counts;

/* The whole message may be longer than Check can print. */
static void show_difference(lc_str want, lc_str got)
{
    size_t at = 0;
    while (at < want.len && at < got.len && want.ptr[at] == got.ptr[at])
        at++;
    at = at < 100 ? 0 : at - 100;
    ck_abort_msg("...%.300s\nis not\n...%.300s", want.ptr + at, got.ptr + at);
}

/* A recording that was written manually has an empty map, which protojson leaves out. */
static const lc_node *without_empty_map(lc_arena *arena, const lc_node *node)
{
    lc_str json = lc_node_json(arena, node), part = LC_STR("\"data_source_schemas\":{},");
    for (size_t at = 0; at + part.len <= json.len; at++) {
        lc_str rest = lc_str_sub(json, at + part.len, json.len);
        if (lc_str_eq(lc_str_sub(json, at, at + part.len), part))
            return parse(arena, lc_str_printf(arena, "%.*s%.*s", (int)at, json.ptr, LC_FMT(rest)));
    }
    return node;
}

/* Nodes to bytes to nodes is the same JSON, bytes to nodes to bytes the same bytes. */
static void check_message(lc_arena *arena, const lc_wire_message *message, const lc_node *node,
                          counts *sum)
{
    lc_buf first = {0}, second = {0};
    lc_wire_reader reader = reader_in(arena);
    lc_node back;
    lc_str why;
    if (!node || lc_str_contains(lc_node_json(arena, node), LC_STR("\"bytes\":{\"bytes\":")))
        return; /* a copy has the number of the bytes of a state only */
    ck_assert_msg(lc_wire_write(&first, arena, message, node, &why), "%.*s", LC_FMT(why));
    lc_str bytes = lc_buf_take(arena, &first);
    ck_assert_msg(lc_wire_read(&back, &reader, message, bytes), "%.*s", LC_FMT(reader.why));
    ck_assert_uint_eq(reader.unknown, 0);
    if (!lc_node_same(arena, without_empty_map(arena, node), &back))
        show_difference(lc_node_json(arena, node), lc_node_json(arena, &back));
    ck_assert(lc_wire_write(&second, arena, message, &back, &why));
    ck_assert(lc_str_eq(lc_buf_take(arena, &second), bytes));
    sum->messages++;
}

static void check_messages(lc_arena *arena, const lc_wire_message *message, const lc_node *list,
                           counts *sum)
{
    for (uint32_t i = 0; i < lc_node_item_count(list); i++)
        check_message(arena, message, lc_node_item(list, i), sum);
}

static void check_line(lc_str line, counts *sum)
{
    lc_arena *arena = lc_arena_new();
    const lc_node *call = parse(arena, line);
    const lc_node *protocol = lc_node_get(call, "protocol");
    lc_str name = lc_node_text(call, "rpc");
    if (name.len && protocol) {
        const lc_wire_method *m =
            lc_wire_method_named(lc_str_is(protocol->as.text, "5") ? 5 : 6, name);
        ck_assert_msg(m != NULL, "%.*s", LC_FMT(name));
        check_message(arena, m->request, lc_node_get(call, "request"), sum);
        check_message(arena, m->response, lc_node_get(call, "response"), sum);
        check_messages(arena, m->request, lc_node_get(call, "requests"), sum);
        check_messages(arena, m->response, lc_node_get(call, "responses"), sum);
    }
    lc_arena_free(arena);
}

static void check_recording(lc_str path, counts *sum)
{
    lc_arena *arena = lc_arena_new();
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, arena);
    ck_assert(lc_file_read(&text, arena, path, LC_MAX_INPUT_BYTES, &diags) == LC_OK);
    for (size_t at = 0; at < text.len;) {
        size_t end = lc_str_find(text, at, '\n');
        if (end > at)
            check_line(lc_str_sub(text, at, end), sum);
        at = end + 1;
    }
    sum->files++;
    lc_arena_free(arena);
}

static void check_folder(lc_str folder, unsigned depth, counts *sum)
{
    lc_arena *arena = lc_arena_new();
    lc_str *found;
    size_t count;
    if (depth < 4 && lc_folder_list(&found, &count, arena, folder)) {
        for (size_t i = 0; i < count; i++) {
            lc_str path = lc_str_printf(arena, "%.*s/%.*s", LC_FMT(folder), LC_FMT(found[i]));
            if (lc_str_ends_with(path, LC_STR(".jsonl")))
                check_recording(path, sum);
            else
                check_folder(path, depth + 1, sum);
        }
    }
    lc_arena_free(arena);
}

/* CAPTURES may name a further folder of recordings. */
START_TEST(recordings_come_back)
{
    const char *more = getenv("CAPTURES");
    counts ours = {0}, others = {0};
    check_folder(LC_STR("testdata/captures"), 0, &ours);
    ck_assert_uint_ge(ours.messages, 400);
    if (more) {
        check_folder(lc_str_from_c(more), 0, &others);
        printf("%s: %zu messages of %zu recordings\n", more, others.messages, others.files);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("wire");
    TCase *tc = tcase_create("wire");
    ADD_ROWS(tc, both_directions, rows);
    ADD_ROWS(tc, read_only, read_rows);
    ADD_ROWS(tc, no_message, bad_rows);
    ADD_ROWS(tc, cut_anywhere, rows);
    ADD_ROWS(tc, write_only, write_rows);
    ADD_ROWS(tc, refused, refused_rows);
    ADD_ROWS(tc, every_field_comes_back, identifiers);
    tcase_add_test(tc, two_numbers_of_one_name);
    ADD_ROWS(tc, every_enum_value_has_its_name, values);
    ADD_ROWS(tc, limits, limit_rows);
    tcase_add_test(tc, writing_is_bounded_too);
    ADD_ROWS(tc, unknown_is_counted, count_rows);
    tcase_add_test(tc, places);
    tcase_add_test(tc, wanted_entries);
    tcase_add_test(tc, texts_are_always_wanted);
    tcase_add_test(tc, each_entry);
    tcase_add_test(tc, recordings_come_back);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
