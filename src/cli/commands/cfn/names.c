/* lifecheck cfn name: the Terraform names of properties and types. lifecheck cfn property: the
 * reverse; exact with the type's schema, without it all properties that are possible. */
#include "cli/internal.h"
#include "lifecheck/base/arena.h"

typedef struct namer {
    lc_arena *arena;
    bool json, back;
    const lc_cfn_type *type; /* NULL: not known */
    lc_buf out;
    lc_json writer; /* into it */
    lc_words names;
    bool missing;
} namer;

/* ---- Parts of JSON. */

/* Each object of the list begins a line. */
static void begin_row(namer *n)
{
    if (n->writer.more)
        lc_json_break(&n->writer, 0);
    lc_json_object(&n->writer, NULL);
}

/* ---- Forward. */

/* `nested` is only given where it differs from the second name. */
static void add_row(namer *n, const char *const keys[3], const lc_str names[3], lc_str nested)
{
    if (!n->json) {
        lc_buf_printf(&n->out, "%.*s\t%.*s\t%.*s", LC_FMT(names[0]), LC_FMT(names[1]),
                      LC_FMT(names[2]));
        if (nested.len)
            lc_buf_printf(&n->out, "\tnested: %.*s", LC_FMT(nested));
        lc_buf_add_char(&n->out, '\n');
        return;
    }
    begin_row(n);
    for (size_t i = 0; i < 3; i++)
        lc_json_str(&n->writer, keys[i], names[i]);
    if (nested.len)
        lc_json_str(&n->writer, "nested", nested);
    lc_json_end_object(&n->writer);
}

static void add_forward(namer *n, lc_str name)
{
    static const char *const of_type[] = {"type", "resource", "plural"};
    static const char *const of_property[] = {"property", "attribute", "identity"};
    lc_str type;
    if (lc_cfn_type_name(&type, n->arena, name)) {
        const lc_str names[3] = {name, type, lc_cfn_plural_name(n->arena, type)};
        add_row(n, of_type, names, LC_STR_EMPTY);
        return;
    }
    lc_str nested = lc_cfn_attribute_name(n->arena, name);
    lc_str root = lc_str_is(nested, "id") ? nested /* the type gives the name */
                                          : lc_cfn_root_name(n->arena, nested, LC_STR_EMPTY);
    const lc_str names[3] = {name, root, lc_cfn_identity_name(n->arena, name)};
    add_row(n, of_property, names, lc_str_eq(root, nested) ? LC_STR_EMPTY : nested);
}

/* ---- Back. */

static void begin_back(namer *n, lc_str name)
{
    if (!n->json) {
        lc_buf_printf(&n->out, "%.*s\t", LC_FMT(name));
        return;
    }
    begin_row(n);
    lc_json_str(&n->writer, "attribute", name);
    lc_json_array(&n->writer, "properties");
}

/* `added`: the provider adds this attribute; it has no property. */
static void end_back(namer *n, size_t names, bool all, bool added)
{
    const char *const words[] = {added ? "added: it identifies the resource" : "none", "one",
                                 "ambiguous"};
    n->missing |= names == 0 && !added;
    if (!n->json) {
        lc_buf_printf(&n->out, "\t%s%s\n", words[names < 2 ? names : 2], all ? "" : ", and more");
        return;
    }
    lc_json_end_array(&n->writer);
    lc_json_bool(&n->writer, "complete", all);
    lc_json_bool(&n->writer, "ambiguous", names > 1);
    lc_json_bool(&n->writer, "added", added);
    lc_json_end_object(&n->writer);
}

/* Adds to *count. False: there are more. */
static bool add_spellings(namer *n, lc_str name, size_t *count)
{
    const lc_str *names;
    size_t found;
    bool all = lc_cfn_candidates(&names, &found, n->arena, name);
    for (size_t i = 0; i < found; i++) {
        if (!n->json) {
            lc_buf_printf(&n->out, "%s%.*s", *count + i ? " " : "", LC_FMT(names[i]));
            continue;
        }
        lc_json_object(&n->writer, NULL);
        lc_json_str(&n->writer, "name", names[i]);
        lc_json_end_object(&n->writer);
    }
    *count += found;
    return all;
}

static void add_candidates(namer *n, lc_str name)
{
    size_t count = 0;
    lc_str reserved = LC_STR("provider");
    bool all = add_spellings(n, name, &count);
    if (lc_str_eq(name, lc_cfn_root_name(n->arena, reserved, LC_STR_EMPTY)))
        all = add_spellings(n, reserved, &count) && all;
    end_back(n, count, all, false);
}

static lc_str path_of(namer *n, const lc_cfn_property *p)
{
    lc_buf path = {0};
    lc_cfn_add_path(&path, p);
    return lc_buf_take(n->arena, &path);
}

/* Properties with one name are adjacent. */
static void add_group(namer *n, const lc_cfn_property *const *group, size_t count, bool first)
{
    if (!n->json) {
        lc_buf_printf(&n->out, "%s%.*s (", first ? "" : " ", LC_FMT(group[0]->name));
        for (size_t i = 0; i < count; i++)
            lc_buf_printf(&n->out, "%s%.*s", i ? " " : "", LC_FMT(path_of(n, group[i])));
        lc_buf_add_char(&n->out, ')');
        return;
    }
    lc_json_object(&n->writer, NULL);
    lc_json_str(&n->writer, "name", group[0]->name);
    lc_json_array(&n->writer, "paths");
    for (size_t i = 0; i < count; i++)
        lc_json_str(&n->writer, NULL, path_of(n, group[i]));
    lc_json_end_array(&n->writer);
    lc_json_end_object(&n->writer);
}

static void add_properties(namer *n, lc_str name)
{
    lc_cfn_properties found;
    size_t names = 0;
    lc_cfn_properties_of(&found, n->arena, n->type, name);
    for (size_t i = 0, next; i < found.count; i = next) {
        for (next = i;
             next < found.count && lc_str_eq(found.items[next]->name, found.items[i]->name);)
            next++;
        add_group(n, found.items + i, next - i, names++ == 0);
    }
    end_back(n, names, true, names == 0 && lc_str_is(name, "id"));
}

/* ---- The commands. */

static void add_name(namer *n, lc_str name)
{
    if (!n->back) {
        add_forward(n, name);
        return;
    }
    begin_back(n, name);
    if (n->type)
        add_properties(n, name);
    else
        add_candidates(n, name);
}

/* Names from standard input, one a line. */
static bool read_lines(namer *n, const lc_limits *limits)
{
    lc_diags diags;
    lc_str text;
    lc_diags_init(&diags, n->arena);
    if (lc_file_read(&text, n->arena, LC_STR("-"), limits->input_bytes, &diags) != LC_OK)
        return lc_report_diags(&diags);
    for (size_t at = 0; at < text.len; at++) {
        size_t from = at;
        at = lc_str_find(text, at, '\n');
        if (at > from)
            *LC_PUSH(n->arena, &n->names, lc_str) = lc_str_sub(text, from, at);
    }
    return true;
}

static bool read_names(namer *n, const lc_cli *cli)
{
    bool ok = true;
    for (size_t i = 1; i < cli->words.count; i++) {
        if (lc_str_is(cli->words.items[i], "-"))
            ok = read_lines(n, &cli->options.limits) && ok;
        else
            *LC_PUSH(n->arena, &n->names, lc_str) = cli->words.items[i];
    }
    return ok;
}

/* All names, in one of the formats. */
static void add_names(namer *n, bool json)
{
    n->json = json;
    n->writer = (lc_json){.out = &n->out};
    if (json)
        lc_json_array(&n->writer, NULL);
    for (size_t i = 0; i < n->names.count; i++)
        add_name(n, n->names.items[i]);
    if (json) {
        lc_json_end_array(&n->writer);
        lc_buf_add_char(&n->out, '\n');
    }
}

/* A resource type schema, also as the key `schema` and --schema of other commands name it. */
static bool read_type(namer *n, lc_str file, lc_cfn_profile profile, const lc_limits *limits)
{
    static const char *const prefixes[] = {"cloudformation:", "awscc:"};
    lc_diags diags;
    lc_str text;
    for (size_t i = 0; i < 2; i++) {
        lc_str prefix = lc_str_from_c(prefixes[i]);
        if (lc_str_starts_with(file, prefix))
            file = lc_str_sub(file, prefix.len, file.len);
    }
    lc_diags_init(&diags, n->arena);
    if (lc_file_read(&text, n->arena, file, limits->input_bytes, &diags) != LC_OK ||
        lc_cfn_read(&n->type, n->arena, file, text, LC_STR_EMPTY, profile, limits, &diags) != LC_OK)
        return lc_report_diags(&diags);
    if (n->type->suppressed.len) {
        lc_message("%.*s: nothing is derived: %.*s", LC_FMT(file), LC_FMT(n->type->suppressed));
        return false;
    }
    return true;
}

lc_exit lc_cfn_names(const lc_cli *cli, bool back)
{
    const lc_options *o = &cli->options;
    namer n = {.back = back};
    lc_buf text;
    bool given = back && cli->origins[LC_OPTION_SCHEMA] == LC_FROM_FLAG;
    if (given && o->schema.count > 1) {
        lc_message("cfn property takes one --schema");
        return LC_EXIT_USAGE;
    }
    n.arena = lc_arena_new();
    bool ok = !given || read_type(&n, o->schema.items[0], (lc_cfn_profile)o->derive_as, &o->limits);
    ok = ok && read_names(&n, cli);
    add_names(&n, false);
    text = n.out;
    n.out = (lc_buf){0};
    add_names(&n, true);
    lc_exit status = lc_print_both(cli, &text, &n.out);
    lc_arena_free(n.arena);
    if (status != LC_EXIT_OK)
        return status;
    return !ok ? LC_EXIT_INPUT : n.missing ? LC_EXIT_FAILED : LC_EXIT_OK;
}
