/* CloudFormation resource types: names, types, flags, what is refused; and schemas that are changed
 * at random, which must keep the laws. In the rows ' stands for ". */
#include "unit.h"

#include "../fuzz/cloudformation_laws.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_C_TEXT(name, got, want) CHECK_TEXT(name, got, lc_str_from_c(want))

/* ---- Names. */

static const char *const attribute_rows[][2] = {
    {"Arn", "arn"},
    {"S3Bucket", "s3_bucket"},
    {"s3BackupMode", "s_3_backup_mode"},
    {"GlobalReplicationGroupDescription", "global_replication_group_description"},
    {"VPCId", "vpc_id"},
    {"VpcID", "vpc_id"},
    {"KMSKeyID", "kms_key_id"},
    {"ID", "id"},
    {"IPv6Address", "i_pv_6_address"},
    {"Ipv6Addresses", "ipv_6_addresses"},
    {"DestinationIpv6CidrBlock", "destination_ipv_6_cidr_block"},
    {"CidrIpv6", "cidr_ipv_6"},
    {"EC2InstanceID", "ec2_instance_id"},
    {"DesiredEC2Instances", "desired_ec2_instances"},
    {"Ec2Config", "ec_2_config"},
    {"Http2Enabled", "http_2_enabled"},
    {"HTTP2", "http2"},
    {"H264", "h264"},
    {"Route53Zone", "route_53_zone"},
    {"ACLs", "ac_ls"},
    {"IPs", "i_ps"},
    {"VpcIPs", "vpc_i_ps"},
    {"EndpointIPs", "endpoint_i_ps"},
    {"DBInstanceARNs", "db_instance_ar_ns"},
    {"MD5OfBody", "md5_of_body"},
    {"Sha256", "sha_256"},
    {"CodeSha256", "code_sha_256"},
    {"OAuth2Config", "o_auth_2_config"},
    {"AtlassianOauth2ProviderConfig", "atlassian_oauth_2_provider_config"},
    {"As2Id", "as_2_id"},
    {"AS2Config", "as2_config"},
    {"AWS99Thing", "aws99_thing"},
    {"AB12cd", "ab12_cd"},
    {"CloudWatchLogsLogGroupArn", "cloudwatch_logs_log_group_arn"},
    {"CNAMEs", "cnames"},
    {"OTelEnrichment", "otel_enrichment"},
    {"FSxConfig", "fsx_config"},
    {"CloudFormationStackARN", "cloudformation_stack_arn"},
    {"NotCloudWatchable", "not_cloudwatchable"},
    {"DkimDNSTokenName1", "dkim_dns_token_name_1"},
    {"EnableDNS64", "enable_dns64"},
    {"AddressLine2", "address_line_2"},
    {"X12Details", "x12_details"},
    {"AbpV11", "abp_v11"},
    {"mp4", "mp_4"},
    {"DynamoDBv2", "dynamo_d_bv_2"},
    {"ELBv2", "el_bv_2"},
    {"NFSv4", "nf_sv_4"},
    {"TLSv1_2", "tl_sv_1_2"},
    {"IoTCoreURI", "io_t_core_uri"},
    {"mTLS", "m_tls"},
    {"WebACLId", "web_acl_id"},
    {"99Red", "99_red"},
    {"Key.Name", "key_name"},
    {"Foo__Bar", "foo__bar"},
    {"aBC", "a_bc"},
    {"AbC", "ab_c"},
    {"  Arn\n", "arn"},
    {"", ""},
    {"\xC3\xA9", "__"},
};

static const char *const identity_rows[][2] = {
    {"As2Id", "as2_id"},      {"CloudWatchX", "cloud_watch_x"},
    {"CNAMEs", "cnam_es"},    {"AccountId", "account_id"},
    {"VPCId", "vpc_id"},      {"ARN", "arn"},
    {"IPSetId", "ip_set_id"},
};

START_TEST(names)
{
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof attribute_rows / sizeof *attribute_rows; i++)
        CHECK_C_TEXT(attribute_rows[i][0],
                     lc_cfn_attribute_name(arena, lc_str_from_c(attribute_rows[i][0])),
                     attribute_rows[i][1]);
    for (size_t i = 0; i < sizeof identity_rows / sizeof *identity_rows; i++)
        CHECK_C_TEXT(identity_rows[i][0],
                     lc_cfn_identity_name(arena, lc_str_from_c(identity_rows[i][0])),
                     identity_rows[i][1]);
    lc_arena_free(arena);
}
END_TEST

static const char *const plural_rows[][2] = {
    {"wafv2_web_acl", "wafv2_web_acls"},
    {"kendra_index", "kendra_indices"},
    {"kms_alias", "kms_aliases"},
    {"datasync_location_s3", "datasync_location_s3s"},
    {"event_bus", "event_buses"},
    {"x_dns", "x_dns"},
    {"x_hero", "x_heros"},
    {"x_staff", "x_staffs"},
    {"x_policy", "x_policies"},
    {"x_key", "x_keys"},
    {"x_soliloquy", "x_soliloquies"},
    {"x_analysis", "x_analyses"},
    {"x_batch", "x_batches"},
    {"x_access", "x_accesses"},
    {"x_shelf", "x_shelves"},
    {"x_knife", "x_knives"},
    {"x_giraffe", "x_giraffes"},
    {"x_wharf", "x_wharves"},
    {"x_metadata", "x_metadata"},
    {"x_medium", "x_media"},
    {"x_person", "x_people"},
    {"x_matrix", "x_matrices"},
    {"x_box", "x_boxes"},
    {"x_status", "x_statuses"},
    {"x_virus", "x_viri"},
    {"x_settings", "x_settings_plural"},
    {"x_efs", "x_efs_plural"},
    {"x_permissions", "x_permissions_plural"},
    {"cognito_terms", "cognito_terms"},
};

/* Every name is among those that its attribute may be of. */
START_TEST(back)
{
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof attribute_rows / sizeof *attribute_rows; i++) {
        const lc_str *found;
        size_t count, same = 0;
        lc_str property = lc_str_from_c(attribute_rows[i][0]);
        bool separate = false;
        for (size_t k = 0; k < property.len; k++)
            separate |= property.ptr[k] == '.' || (signed char)property.ptr[k] <= ' ' ||
                        property.ptr[k] == '_';
        ck_assert(lc_cfn_candidates(&found, &count, arena, lc_str_from_c(attribute_rows[i][1])));
        for (size_t k = 0; k < count; k++) {
            lc_str forward = lc_cfn_attribute_name(arena, found[k]);
            ck_assert_msg(lc_str_eq(forward, lc_str_from_c(attribute_rows[i][1])), "%.*s",
                          LC_FMT(found[k]));
            same += lc_str_eq(found[k], property);
        }
        ck_assert_msg(same == 1 || separate || property.len == 0, "%s: %zu", attribute_rows[i][0],
                      same);
    }
    lc_arena_free(arena);
}
END_TEST

/* No property has such an attribute: an underscore comes before and after digits within a word. */
START_TEST(no_way_back)
{
    lc_arena *arena = lc_arena_new();
    const lc_str *found;
    size_t count = 1;
    ck_assert(!lc_cfn_candidates(&found, &count, arena, LC_STR("a_b1c")) || count == 0);
    lc_arena_free(arena);
}
END_TEST

START_TEST(plurals)
{
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof plural_rows / sizeof *plural_rows; i++)
        CHECK_C_TEXT(plural_rows[i][0], lc_cfn_plural_name(arena, lc_str_from_c(plural_rows[i][0])),
                     plural_rows[i][1]);
    lc_arena_free(arena);
}
END_TEST

static const char *const type_rows[][2] = {
    {"AWS::EC2::Instance", "awscc_ec2_instance"},
    {"AWS::ResourceExplorer2::View", "awscc_resourceexplorer2_view"},
    {"Example::NetV2::FlowLog", "awscc_netv2_flow_log"},
    {"AWS::WAFv2::WebACL", "awscc_wafv2_web_acl"},
    {"AWS::EC2", NULL},
    {"AWS::EC2::Instance::MODULE", NULL},
    {"AWS::E::Instance", NULL},
    {"AWS:EC2:Instance", NULL},
    {"", NULL},
    {"AWS::EC2::In-stance", NULL},
};

START_TEST(types)
{
    lc_arena *arena = lc_arena_new();
    for (size_t i = 0; i < sizeof type_rows / sizeof *type_rows; i++) {
        lc_str out;
        bool ok = lc_cfn_type_name(&out, arena, lc_str_from_c(type_rows[i][0]));
        ck_assert_msg(ok == (type_rows[i][1] != NULL), "%s", type_rows[i][0]);
        if (ok)
            CHECK_C_TEXT(type_rows[i][0], out, type_rows[i][1]);
    }
    lc_arena_free(arena);
}
END_TEST

/* ---- Types and flags: the property P of a type. */

typedef struct fixture {
    lc_arena *arena;
    const lc_cfn_type *type;
} fixture;

static fixture read_type(const char *text, lc_cfn_profile profile)
{
    fixture f = {.arena = lc_arena_new()};
    lc_diags diags;
    lc_limits limits = LC_LIMITS_DEFAULT;
    char *copy = lc_str_to_c(f.arena, lc_str_from_c(text));
    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    lc_diags_init(&diags, f.arena);
    lc_status status = lc_cfn_read(&f.type, f.arena, LC_STR("t"), lc_str_from_c(copy), LC_STR_EMPTY,
                                   profile, &limits, &diags);
    ck_assert_msg(status == LC_OK, "%s: %.*s", text,
                  diags.count ? (int)diags.items[0].message.len : 0,
                  diags.count ? diags.items[0].message.ptr : "");
    return f;
}

static fixture with_property(const char *property, const char *more, lc_cfn_profile profile)
{
    lc_arena *arena = lc_arena_new();
    lc_str text = lc_str_printf(
        arena,
        "{'typeName':'Ex::Svc::Thing','properties':{'P':%s},'definitions':{"
        "'O':{'type':'object','properties':{'A':{'type':'string'}},'required':['A']},"
        "'S':{'type':'string','maxLength':3,'default':'d'},'T':{'$ref':'#/definitions/S'}}%s}",
        property, more);
    fixture f = read_type(lc_str_to_c(arena, text), profile);
    lc_arena_free(arena);
    return f;
}

static lc_str describe(const fixture *f, const lc_cfn_property *p)
{
    lc_buf text = {0};
    if (!p->shape)
        return p->why_not;
    for (const lc_cfn_shape *s = p->shape; s; s = s->element) {
        lc_buf_add_c(&text, lc_cfn_form_name(s->form));
        if (s->element)
            lc_buf_add_c(&text, " of ");
    }
    lc_str copy = lc_buf_copy(f->arena, &text);
    lc_buf_release(&text);
    return copy;
}

typedef struct shape_row {
    const char *property;
    const char *document;
    const char *provider; /* NULL: the same */
} shape_row;

#define ARRAY(items, more) "{'type':'array'," more "'items':" items "}"
#define UNSUPPORTED        "P is of unsupported type: "

static const shape_row shape_rows[] = {
    {"{'type':'boolean'}", "boolean", NULL},
    {"{'type':'integer'}", "integer", NULL},
    {"{'type':'number'}", "number", NULL},
    {"{'type':'string'}", "string", NULL},
    {"{'type':'string','format':'date-time'}", "date-time", NULL},
    {"{'type':'string','format':'uri'}", "string", NULL},
    {"{'type':'object'}", "JSON", NULL},
    {"{}", "JSON", NULL},
    {"{'type':'object','properties':{}}", "JSON", NULL},
    {"{'type':['object','string']}", "string", NULL},
    {"{'type':['integer','string']}", "integer", NULL},
    {"{'type':['boolean','null']}", "boolean", NULL},
    {"{'type':['null','boolean']}", UNSUPPORTED "null", NULL},
    {"{'type':['string']}", "\"type\" takes the name of a type, or two of them in an array", NULL},
    {"{'$ref':'#/definitions/O'}", "object", NULL},
    {"{'$ref':'#/definitions/T'}", "string", NULL},
    {"{'$ref':'#/definitions/Q'}", "$ref \"#/definitions/Q\" names nothing", NULL},
    {"{'$ref':'other.json#/definitions/Q'}",
     "$ref \"other.json#/definitions/Q\" is not #/definitions/NAME or #/properties/NAME", NULL},
    {"{'$ref':'#/definitions/O/properties/A'}",
     "$ref \"#/definitions/O/properties/A\" is not #/definitions/NAME or #/properties/NAME", NULL},
    {"{'$ref':'#/properties/P'}",
     "definition /properties/P is recursive: /properties/P -> /properties/P", NULL},
    {"{'properties':{'A':{'type':'string'}}}", "object", NULL},
    {ARRAY("{'type':'string'}", ""), "list of string", NULL},
    {ARRAY("{'type':'string'}", "'insertionOrder':false,"), "unordered list of string", NULL},
    {ARRAY("{'type':'string'}", "'uniqueItems':true,"), "ordered set of string", NULL},
    {ARRAY("{'type':'string'}", "'uniqueItems':true,'insertionOrder':false,"), "set of string",
     NULL},
    {ARRAY("{'$ref':'#/definitions/O'}", ""), "list of object", NULL},
    {ARRAY("{'type':'object'}", ""), UNSUPPORTED "list of undefined schema", NULL},
    {ARRAY("{'type':'object'}", "'uniqueItems':true,'insertionOrder':false,"),
     UNSUPPORTED "set of undefined schema", NULL},
    {ARRAY("{}", ""), UNSUPPORTED "list of ", NULL},
    {"{'type':'array'}", "an array has no \"items\"", NULL},
    {ARRAY(ARRAY("{'type':'string'}", ""), ""), UNSUPPORTED "list of list", NULL},
    {ARRAY(ARRAY("{'type':'string'}", "'uniqueItems':true,'insertionOrder':false,"), ""),
     "list of set of string", "list of list of string"},
    {ARRAY(ARRAY("{'type':'string'}", ""), "'uniqueItems':true,'insertionOrder':false,"),
     UNSUPPORTED "set of array", NULL},
    {ARRAY("{'type':'object','patternProperties':{'.*':{'type':'integer'}}}", ""),
     "list of map of integer", NULL},
    {ARRAY("{'type':'object','patternProperties':{'.*':{'$ref':'#/definitions/O'}}}", ""),
     UNSUPPORTED "list of key-value map of object", NULL},
    {ARRAY("{'type':'object','patternProperties':{'.*':{'type':'string'}}}",
           "'uniqueItems':true,'insertionOrder':false,"),
     UNSUPPORTED "set of key-value map", NULL},
    {"{'type':'object','patternProperties':{'.*':{'type':'string'}}}", "map of string", NULL},
    {"{'patternProperties':{'.*':{'$ref':'#/definitions/O'}}}", "map of object", NULL},
    {"{'patternProperties':{'z':{'type':'string'},'a':{'type':'integer'}}}", "map of string", NULL},
    {"{'patternProperties':{'.*':" ARRAY("{'type':'string'}", "") "}}", "map of list of string",
     NULL},
    {"{'patternProperties':{'.*':" ARRAY("{'type':'string'}",
                                         "'uniqueItems':true,'insertionOrder':false,") "}}",
     "map of set of string", NULL},
    {"{'patternProperties':{'.*':" ARRAY("{'$ref':'#/definitions/O'}", "") "}}",
     UNSUPPORTED "key-value map of list of object", NULL},
    {"{'patternProperties':{'.*':" ARRAY("{'$ref':'#/definitions/O'}",
                                         "'uniqueItems':true,'insertionOrder':false,") "}}",
     UNSUPPORTED "key-value map of set of object", "map of object"},
    {"{'patternProperties':{'.*':{'patternProperties':{'.*':{'type':'string'}}}}}",
     UNSUPPORTED "key-value map of ", NULL},
    {"{'patternProperties':{'.*':{'type':'object','patternProperties':{'.*':{'type':'string'}}}}}",
     "map of map of string", NULL},
    {"{'patternProperties':{'.*':{'type':'object','patternProperties':{'.*':" ARRAY(
         "{'type':'number'}", "") "}}}}",
     "map of map of list of number", NULL},
    {"{'patternProperties':{'.*':{'type':'object'}}}",
     UNSUPPORTED "key-value map of undefined schema", NULL},
    {"{'properties':{'A':{'type':'string'}},'patternProperties':{'.*':{'type':'string'}}}",
     "P has both properties and patternProperties", NULL},
    {"{'type':'object','additionalProperties':{'type':'string'}}", "map of string", "JSON"},
    {"{'oneOf':[{'properties':{'A':{'type':'string'}}},{'properties':{'B':{'type':'string'}}}]}",
     "object", NULL},
    {"{'type':'object','oneOf':[{'$ref':'#/definitions/O'}]}", "JSON", NULL},
    {"{'anyOf':[{'properties':{'A':{'type':'string'}}}]}", "JSON", NULL},
    {"{'allOf':[{'$ref':'#/definitions/S'}]}", "string", "JSON"},
    {"{'allOf':[{'$ref':'#/definitions/O'},{'$ref':'#/definitions/O'}]}", "object", "JSON"},
    {"{'allOf':[{'$ref':'#/definitions/S'},{'default':'x'}]}", "string", NULL},
    {"{'allOf':[{'properties':{'A':{'type':'string'}}}]}", "object", NULL},
    {"7", "a schema is an object, not a number", NULL},
    {"{'type':'object','properties':[]}", "\"properties\" takes an object, not a sequence", NULL},
};

START_TEST(shapes)
{
    for (size_t i = 0; i < sizeof shape_rows / sizeof *shape_rows; i++) {
        const shape_row *row = &shape_rows[i];
        fixture d = with_property(row->property, "", LC_CFN_DOCUMENT);
        CHECK_C_TEXT(row->property, describe(&d, &d.type->root->members[0]), row->document);
        lc_arena_free(d.arena);
        fixture p = with_property(row->property, "", LC_CFN_AWSCC);
        CHECK_C_TEXT(row->property, describe(&p, &p.type->root->members[0]),
                     row->provider ? row->provider : row->document);
        lc_arena_free(p.arena);
    }
}
END_TEST

/* Required, read-only, default; R required, O optional, C computed, N required by a validator. */
typedef struct flag_row {
    bool required, read_only, with_default;
    const char *document, *top, *below_optional, *in_map;
} flag_row;

static const flag_row flag_rows[] = {
    {false, false, false, "OC", "OC", "OC", "OC"}, {false, false, true, "OC", "OC", "OC", "OC"},
    {false, true, false, "C", "C", "C", "C"},      {false, true, true, "C", "C", "C", "C"},
    {true, false, false, "R", "R", "OCN", "OC"},   {true, false, true, "OC", "OC", "OC", "OC"},
    {true, true, false, "R", "R", "OCN", "C"},     {true, true, true, "OC", "OC", "OC", "C"},
};

typedef enum around { TOP, OPTIONAL, MAP, COMPUTED, REQUIRED, AROUND } around;

static const char *flags_of(const lc_cfn_property *p)
{
    if (p->required)
        return "R";
    if (!p->optional)
        return "C";
    return p->not_null ? "OCN" : "OC";
}

static const char *wanted_flags(const flag_row *row, around in, lc_cfn_profile profile)
{
    if (in == COMPUTED)
        return "C";
    if (profile == LC_CFN_DOCUMENT)
        return row->document;
    return in == OPTIONAL ? row->below_optional : in == MAP ? row->in_map : row->top;
}

static void check_flags(const flag_row *row, around in, lc_cfn_profile profile)
{
    lc_arena *arena = lc_arena_new();
    const char *member =
        row->with_default ? "{'type':'string','default':'d'}" : "{'type':'string'}";
    const char *required = row->required ? "'required':['A']," : "";
    lc_str object =
        lc_str_printf(arena, "{'type':'object',%s'properties':{'A':%s}}", required, member);
    const char *pointer = "/properties/P/A";
    lc_str properties;
    if (in == TOP) {
        properties = lc_str_printf(arena, "{'A':%s}", member);
        pointer = "/properties/A";
    } else if (in == MAP) {
        properties = lc_str_printf(arena, "{'P':{'type':'object','patternProperties':{'.*':%.*s}}}",
                                   LC_FMT(object));
        if (profile == LC_CFN_DOCUMENT)
            pointer = "/properties/P/*/A";
    } else {
        properties = lc_str_printf(arena, "{'P':%.*s}", LC_FMT(object));
    }
    if (in == COMPUTED)
        pointer = "/properties/P";
    bool listed = in == COMPUTED || row->read_only;
    lc_str text = lc_str_printf(
        arena, "{'typeName':'Ex::Svc::Thing',%s'properties':%.*s,'readOnlyProperties':[%s%s%s]}",
        in == TOP        ? required
        : in == REQUIRED ? "'required':['P'],"
                         : "",
        LC_FMT(properties), listed ? "'" : "", listed ? pointer : "", listed ? "'" : "");
    fixture f = read_type(lc_str_to_c(arena, text), profile);
    const lc_cfn_shape *object_shape = f.type->root;
    if (in != TOP)
        object_shape = f.type->root->members[0].shape;
    if (in == MAP)
        object_shape = object_shape->element;
    const lc_cfn_property *p = lc_cfn_member(object_shape, LC_STR("A"));
    ck_assert_msg(strcmp(flags_of(p), wanted_flags(row, in, profile)) == 0, "%.*s: got %s, want %s",
                  LC_FMT(text), flags_of(p), wanted_flags(row, in, profile));
    lc_arena_free(f.arena);
    lc_arena_free(arena);
}

START_TEST(flags)
{
    for (size_t i = 0; i < sizeof flag_rows / sizeof *flag_rows; i++) {
        for (int in = 0; in < AROUND; in++) {
            check_flags(&flag_rows[i], (around)in, LC_CFN_DOCUMENT);
            check_flags(&flag_rows[i], (around)in, LC_CFN_AWSCC);
        }
    }
}
END_TEST

/* ---- What is wrong, and where. */

typedef struct problem_row {
    const char *property, *more;
    lc_cfn_fault fault;
    bool error;
    const char *pointer;
} problem_row;

static const problem_row problem_rows[] = {
    {"{'$ref':'#/definitions/Q'}", "", LC_CFN_FAULT_INPUT, true, "/properties/P"},
    {"{'type':'object','properties':{'A':{'$ref':'#/properties/P'}}}", "", LC_CFN_FAULT_RECURSIVE,
     true, "/properties/P/properties/A"},
    {"{'type':'string'}", ",'readOnlyProperties':['/properties/Q']", LC_CFN_FAULT_POINTER, false,
     "/readOnlyProperties/0"},
    {"{'type':'string'}", ",'writeOnlyProperties':['P',7]", LC_CFN_FAULT_POINTER, false,
     "/writeOnlyProperties/1"},
    {"{'type':'string'}", ",'readOnlyProperties':['/properties/P'],'required':['P']",
     LC_CFN_FAULT_CONFLICT, false, "/properties/P"},
    {"{'type':'integer','default':'x'}", "", LC_CFN_FAULT_DEFAULT, true, "/properties/P"},
    {"{'type':'object','properties':{'AB':{'type':'string'},'Ab':{'type':'string'}}}", "",
     LC_CFN_FAULT_FLAT_MAP, true, "/properties/P/properties/Ab"},
    {"{'properties':{'A':{'type':'string'}},'oneOf':[{'properties':{'B':{'type':'string'}}}]}", "",
     LC_CFN_FAULT_LEFT_OUT, false, "/properties/P/oneOf/0/properties/B"},
    {"{'properties':{'A':{'type':'string'},'B':{'type':'string'},'C':{'type':'string'}},"
     "'oneOf':[{'properties':{'C':{'type':'string'},'D':{'type':'string'}}}]}",
     "", LC_CFN_FAULT_LEFT_OUT, false, "/properties/P/oneOf/0/properties/D"},
    {"{'anyOf':[{'allOf':[{'properties':{'B':{'type':'string'}}}]}]}", "", LC_CFN_FAULT_LEFT_OUT,
     false, "/properties/P/anyOf/0/allOf/0/properties/B"},
    {"{'patternProperties':{'a':{'type':'string'},'b/c':{'type':'string'}}}", "",
     LC_CFN_FAULT_LEFT_OUT, false, "/properties/P/patternProperties/b~1c"},
    {"{'type':'string','minLength':'x'}", "", LC_CFN_FAULT_INPUT, false, "/properties/P"},
};

static const lc_cfn_problem *find_problem(const lc_cfn_type *type, lc_cfn_fault fault)
{
    for (size_t i = 0; i < type->problems.count; i++) {
        if (type->problems.items[i].fault == fault)
            return &type->problems.items[i];
    }
    return NULL;
}

START_TEST(problems)
{
    for (size_t i = 0; i < sizeof problem_rows / sizeof *problem_rows; i++) {
        const problem_row *row = &problem_rows[i];
        fixture f = with_property(row->property, row->more, LC_CFN_DOCUMENT);
        const lc_cfn_problem *p = find_problem(f.type, row->fault);
        ck_assert_msg(p != NULL, "%s: not told", row->property);
        ck_assert_msg(p->error == row->error, "%s: error", row->property);
        CHECK_C_TEXT(row->property, p->pointer, row->pointer);
        ck_assert_msg(p->loc.line == 1 && p->loc.column > 1, "%s: place", row->property);
        lc_arena_free(f.arena);
    }
}
END_TEST

/* ---- What keywords demand. */

#define MANY "'A','B','C','D','E','F','G','H','I'"

START_TEST(whole_numbers)
{
    static const struct {
        const char *property;
        bool document, provider; /* whether it counts */
    } rows[] = {
        {"{'type':'integer','minimum':-5}", true, true},
        {"{'type':'integer','minimum':-5.0}", true, false},
        {"{'type':'integer','minimum':1e1}", true, false},
        {"{'type':'string','minLength':2}", true, true},
        {"{'type':'string','minLength':2.0}", true, false},
        {"{'type':'string','minLength':-1}", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int profile = LC_CFN_DOCUMENT; profile <= LC_CFN_AWSCC; profile++) {
            fixture f = with_property(rows[i].property, "", (lc_cfn_profile)profile);
            const lc_cfn_checks *checks = f.type->root->members[0].shape->checks;
            bool counts = checks && (checks->minimum.is || checks->min_length.is);
            ck_assert_msg(counts == (profile == LC_CFN_AWSCC ? rows[i].provider : rows[i].document),
                          "%s: %d in profile %d", rows[i].property, counts, profile);
            lc_arena_free(f.arena);
        }
    }
}
END_TEST

START_TEST(choices)
{
    fixture f = with_property("{'type':'string','enum':['a',7,'b']}", "", LC_CFN_DOCUMENT);
    const lc_cfn_checks *checks = f.type->root->members[0].shape->checks;
    ck_assert_uint_eq(checks ? checks->one_of_count : 0, 2);
    lc_arena_free(f.arena);
}
END_TEST

/* Long lists of what is required, also of a branch; a branch adds to what stands next to it. */
START_TEST(all_of)
{
    static const char *const rows[] = {
        "{'type':'object','properties':{'A':{'type':'string'},'Z':{'type':'string'}},"
        "'required':[" MANY "]}",
        "{'allOf':[{'type':'object','properties':{'A':{'type':'string'},'Z':{'type':'string'}},"
        "'required':[" MANY "]}]}",
        "{'allOf':[{'type':'object','required':[" MANY "]},"
        "{'properties':{'A':{'type':'string'},'Z':{'type':'string'}}}]}",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f = with_property(rows[i], "", LC_CFN_DOCUMENT);
        const lc_cfn_shape *shape = f.type->root->members[0].shape;
        ck_assert_msg(shape && lc_cfn_member(shape, LC_STR("A"))->listed_required, "%s", rows[i]);
        ck_assert_msg(!lc_cfn_member(shape, LC_STR("Z"))->listed_required, "%s", rows[i]);
        lc_arena_free(f.arena);
    }
    fixture f = with_property("{'allOf':[{'type':'string','maxLength':9,'minLength':2},"
                              "{'pattern':'^a'},{'maxLength':5}]}",
                              "", LC_CFN_DOCUMENT);
    const lc_cfn_checks *checks = f.type->root->members[0].shape->checks;
    ck_assert(checks && checks->max_length.is && checks->min_length.is);
    ck_assert(checks->pattern.len > 0);
    lc_arena_free(f.arena);
}
END_TEST

START_TEST(root_names)
{
    fixture f = read_type("{'typeName':'Ex::Net::FlowLog','properties':{'Id':{'type':'string'},"
                          "'Provider':{'type':'string'},'Name':{'type':'string'}}}",
                          LC_CFN_DOCUMENT);
    CHECK_C_TEXT("Id", lc_cfn_member(f.type->root, LC_STR("Id"))->attribute, "flow_log_id");
    CHECK_C_TEXT("Provider", lc_cfn_member(f.type->root, LC_STR("Provider"))->attribute,
                 "provider_name");
    ck_assert(f.type->resource && f.type->errors == 0);
    lc_arena_free(f.arena);
    f = read_type("{'typeName':'Ex::Net::FlowLog','properties':{'FlowLogId':{'type':'string'},"
                  "'Id':{'type':'string'}}}",
                  LC_CFN_DOCUMENT);
    CHECK_C_TEXT("Id", lc_cfn_member(f.type->root, LC_STR("Id"))->why_not,
                 "top-level property flow_log_id conflicts with id");
    lc_arena_free(f.arena);
    f = read_type("{'typeName':'Ex::Net::FlowLog','properties':{'ForEach':{'type':'string'}}}",
                  LC_CFN_DOCUMENT);
    CHECK_C_TEXT("ForEach", f.type->suppressed,
                 "top-level property ForEach conflicts with Terraform meta-argument: for_each");
    ck_assert(!f.type->resource);
    lc_arena_free(f.arena);
}
END_TEST

/* ---- Pointers. */

static void check_read_only(const char *pointer, bool document, bool provider)
{
    static const char *const property =
        "{'type':'array','items':{'type':'object','properties':{'A':{'type':'string'}}}}";
    lc_arena *arena = lc_arena_new();
    char *more = lc_str_to_c(arena, lc_str_printf(arena, ",'readOnlyProperties':['%s']", pointer));
    for (int profile = LC_CFN_DOCUMENT; profile <= LC_CFN_AWSCC; profile++) {
        fixture f = with_property(property, more, (lc_cfn_profile)profile);
        const lc_cfn_property *p =
            lc_cfn_member(f.type->root->members[0].shape->element, LC_STR("A"));
        ck_assert_msg(p->read_only == (profile == LC_CFN_DOCUMENT ? document : provider), "%s",
                      pointer);
        lc_arena_free(f.arena);
    }
    lc_arena_free(arena);
}

START_TEST(pointers)
{
    check_read_only("/properties/P/*/A", true, false);
    check_read_only("/properties/P/A", true, true);
    check_read_only("/properties/P/items/properties/A", true, false);
    check_read_only("/properties/P", false, false);
    check_read_only("/properties/P/*/B", false, false);
    check_read_only("/P/A", true, true);
    check_read_only("", false, false);
}
END_TEST

/* ---- Changed at random. */

static char *read_bytes(lc_arena *arena, const char *folder, const char *name, size_t *size)
{
    lc_str text;
    lc_diags diags;
    lc_diags_init(&diags, arena);
    lc_str path = lc_str_printf(arena, "%s/%s", folder, name);
    ck_assert(lc_file_read(&text, arena, path, LC_MAX_INPUT_BYTES, &diags) == LC_OK);
    *size = text.len;
    return lc_str_to_c(arena, text);
}

typedef struct batch {
    size_t from, to;
} batch;

/* What is in quotes, quotes included. */
static batch *find_quoted(lc_arena *arena, lc_str text, size_t *count)
{
    LC_VEC(batch) found = {0};
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '"')
            continue;
        size_t to = i + 1;
        while (to < text.len && text.ptr[to] != '"')
            to += text.ptr[to] == '\\' ? 2 : 1;
        to = to < text.len ? to + 1 : text.len;
        *LC_PUSH(arena, &found, batch) = (batch){i, to};
        i = to - 1;
    }
    *count = found.count;
    return found.items;
}

/* Something in quotes takes the place of another, which mostly is JSON still; or is cut, or other
 * things stand there. */
static lc_str change(lc_arena *arena, lc_str text, uint64_t *seed)
{
    static const char *const others[] = {"7",
                                         "[7,{\"$ref\":\"#/definitions/Tag\"}]",
                                         "null",
                                         "{}",
                                         "\"object\"",
                                         "\"array\"",
                                         "\"$ref\"",
                                         "}",
                                         ""};
    size_t count;
    batch *batches = find_quoted(arena, text, &count);
    if (count == 0)
        return text;
    batch a = batches[next_random(seed) % count], b = batches[next_random(seed) % count];
    lc_buf out = {0};
    lc_buf_add(&out, text.ptr, a.from);
    if (next_random(seed) % 3)
        lc_buf_add(&out, text.ptr + b.from, b.to - b.from);
    else
        lc_buf_add_c(&out, others[next_random(seed) % (sizeof others / sizeof *others)]);
    lc_buf_add(&out, text.ptr + a.to, text.len - a.to);
    lc_str copy = lc_buf_copy(arena, &out);
    lc_buf_release(&out);
    return copy;
}

static void change_file(const char *folder, const char *name, unsigned rounds)
{
    uint64_t seed = 88172645463325252u; /* whatever the order of the folder */
    lc_arena *arena = lc_arena_new();
    size_t size;
    char *text = read_bytes(arena, folder, name, &size);
    check_laws((lc_str){text, size});
    lc_arena *scratch = lc_arena_new();
    for (unsigned i = 0; size && i < rounds; i++) {
        lc_str changed = change(scratch, (lc_str){text, size}, &seed);
        for (unsigned more = i % 3; more; more--)
            changed = change(scratch, changed, &seed);
        check_laws(changed);
        lc_arena_reset(scratch);
    }
    lc_arena_free(scratch);
    lc_arena_free(arena);
}

static unsigned change_folder(const char *folder, unsigned rounds)
{
    unsigned files = 0;
    DIR *open = opendir(folder);
    ck_assert_msg(open != NULL, "%s", folder);
    for (struct dirent *entry; (entry = readdir(open));) {
        if (entry->d_name[0] == '.' || !strstr(entry->d_name, ".json"))
            continue;
        change_file(folder, entry->d_name, rounds);
        files++;
    }
    closedir(open);
    return files;
}

START_TEST(changed)
{
    ck_assert(change_folder("testdata/schemas/cloudformation", 500) >= 3);
    const char *more = getenv("CLOUDFORMATION");
    if (!more)
        return;
    char folder[4096];
    ck_assert(snprintf(folder, sizeof folder, "%s/schemas", more) < (int)sizeof folder);
    ck_assert(change_folder(folder, 20) > 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_begin("cloudformation");
    const struct {
        const char *name;
        const TTest *test;
    } all[] = {{"names", names},           {"back", back},
               {"plurals", plurals},       {"no way back", no_way_back},
               {"types", types},           {"shapes", shapes},
               {"flags", flags},           {"problems", problems},
               {"root names", root_names}, {"whole numbers", whole_numbers},
               {"choices", choices},       {"all of", all_of},
               {"pointers", pointers},     {"changed", changed}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        TCase *one = tcase_create(all[i].name);
        tcase_set_timeout(one, 600);
        tcase_add_test(one, all[i].test);
        suite_add_tcase(suite, one);
    }
    return suite_run(suite);
}
