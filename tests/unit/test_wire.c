/* Messages of the provider protocol: bytes to nodes and back. */
#include "unit.h"

#include "lifecheck/ascii.h"
#include "lifecheck/codec.h"
#include "wire/tables.h"

#include <string.h>

/* ---- Helpers. */

/* The bytes that hexadecimal digits stand for; blanks are for the reader. */
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
    {"a time that has no text", 5, "RenewEphemeralResource.Response", "1206 108094ebdc03",
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

/* ---- What is no message: the offset and the reason. */

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
    {"null in a map", 5, "RawState", "flatmap: a text is expected", "{'flatmap':{'a':null}}"},
    {"no text", 5, "Diagnostic", "summary: a text is expected", "{'summary':1}"},
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
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
