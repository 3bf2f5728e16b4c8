/* A finding for those who maintain the provider: a configuration that shows it, whether a client
 * really does so (--confirm), and the text of an issue. In the folder FOLDER-issues, where each
 * finding has a folder of its own with its scenario's name: main.tf, issue.md, and
 * terraform.tfstate where an object exists already. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/commands/probe/probe.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/files/output_file.h"
#include "lifecheck/live/alone.h"
#include "lifecheck/yaml_json/document.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIMEOUT_MS  120000
#define MOST_DETAIL 4000

typedef struct issue {
    lc_probe *p;
    lc_arena *arena;
    const lc_probe_type *type;
    lc_probe_finding *finding;
    const lc_probe_repro *repro;
    lc_str folder; /* in which the client runs */
    lc_str said;   /* its errors, as it prints them */
} issue;

/* ---- Names. */

lc_str lc_probe_issue_folder(lc_arena *arena, lc_str folder, lc_str file)
{
    lc_str name = lc_file_name(file);
    if (name.len > 5 && lc_str_is(lc_str_sub(name, name.len - 5, name.len), ".yaml"))
        name.len -= 5;
    return lc_str_printf(arena, "%.*s-issues/%.*s", LC_FMT(folder), LC_FMT(name));
}

static bool is_opentofu(const lc_probe *p)
{
    return p->options.as == LC_OPENTOFU;
}

static const char *client_of(const lc_probe *p)
{
    return is_opentofu(p) ? "tofu" : "terraform";
}

/* ---- Running the client. */

#define TEXT_OF(x, format, value)                                                                  \
    lc_str_to_c((x)->arena, lc_str_printf((x)->arena, format, LC_FMT(value)))

/* Runs the client alone in its folder, with nothing of the user's environment but PATH and what
 * --env names: settings, plugins and credentials must not change the result. */
static bool run(issue *x, lc_buf *out, int *status, const char *const *words, size_t count)
{
    char *argv[16] = {0}, *env[8 + 64] = {0};
    size_t n = 0;
    const lc_words *given = &x->p->cli->options.env;
    for (size_t i = 0; i < count; i++)
        argv[i] = lc_str_to_c(x->arena, lc_str_from_c(words[i]));
    const char *path = getenv("PATH");
    env[n++] = TEXT_OF(x, "PATH=%.*s", lc_str_from_c(path ? path : "/usr/bin:/bin"));
    env[n++] = TEXT_OF(x, "HOME=%.*s", x->folder);
    env[n++] = TEXT_OF(x, "TMPDIR=%.*s", x->folder);
    env[n++] = TEXT_OF(x, "TF_CLI_CONFIG_FILE=%.*s/cli.tfrc", x->folder);
    env[n++] = TEXT_OF(x, "TF_IN_AUTOMATION=%.*s", LC_STR("1"));
    env[n++] = TEXT_OF(x, "CHECKPOINT_DISABLE=%.*s", LC_STR("1"));
    for (size_t i = 0; i < given->count && n < 64; i++) {
        const char *name = lc_str_to_c(x->arena, given->items[i]);
        const char *value = strchr(name, '=') ? "" : getenv(name);
        if (value)
            env[n++] = lc_str_to_c(x->arena, strchr(name, '=')
                                                 ? given->items[i]
                                                 : lc_str_printf(x->arena, "%s=%s", name, value));
    }
    lc_alone alone = {argv, env, TEXT_OF(x, "%.*s/work", x->folder), TIMEOUT_MS};
    return lc_live_run_alone(out, status, &alone);
}

/* "Terraform 1.11.4"; "": it cannot be run. Asked once. */
static lc_str client_name(issue *x)
{
    lc_probe *p = x->p;
    const char *words[] = {client_of(p), "version"};
    lc_buf out = {0};
    int status;
    if (p->client.ptr)
        return p->client;
    p->client = LC_STR_EMPTY;
    if (run(x, &out, &status, words, 2) && status == 0) {
        lc_str line = lc_str_sub(lc_buf_str(&out), 0, lc_str_find(lc_buf_str(&out), 0, '\n'));
        size_t v = lc_str_find(line, 0, 'v');
        p->client = lc_str_printf(p->arena, "%.*s%.*s", (int)v, line.ptr,
                                  v < line.len ? (int)(line.len - v - 1) : 0, line.ptr + v + 1);
    }
    lc_buf_release(&out);
    return p->client;
}

/* ---- What it says. */

typedef struct verdict {
    bool any, reported;
    lc_str first; /* summary */
} verdict;

/* Messages name an attribute in many ways, but all of them name its last step. */
static lc_str last_step(lc_str place)
{
    size_t from = 0;
    for (size_t i = 0; i < place.len; i++) {
        if (place.ptr[i] == '.')
            from = i + 1;
    }
    lc_str step = lc_str_sub(place, from, place.len);
    return lc_str_sub(step, 0, lc_str_find(step, 0, '['));
}

/* Reported: the expected summary, and a detail that is about the same place. A provider that ended
 * has no place. */
static void take_diagnostic(issue *x, verdict *v, lc_buf *said, const lc_node *d)
{
    lc_str summary = lc_node_text(d, "summary"), detail = lc_node_text(d, "detail");
    if (!lc_str_is(lc_node_text(d, "severity"), "error"))
        return;
    bool ends = x->finding->rule == LC_RULE_WIRE_RPC_ERROR;
    if (!v->any)
        v->first = summary;
    v->any = true;
    bool about = (x->repro->detail.len && lc_str_contains(detail, x->repro->detail)) ||
                 lc_str_contains(detail, last_step(x->finding->place));
    v->reported |= lc_str_eq(summary, x->repro->summary) && (ends || about);
    if (said->len < MOST_DETAIL)
        lc_buf_printf(said, "Error: %.*s\n\n%.*s\n\n", LC_FMT(summary), LC_FMT(detail));
}

/* -json prints one object per line, and other lines where a provider writes to standard output. */
static void read_output(issue *x, verdict *v, lc_str out)
{
    lc_buf said = {0};
    for (size_t at = 0; at < out.len;) {
        size_t end = lc_str_find(out, at, '\n');
        lc_str line = lc_str_sub(out, at, end);
        lc_source source;
        lc_diags quiet;
        lc_diags_init(&quiet, x->arena);
        at = end + 1;
        if (lc_str_starts_with(line, LC_STR("{")) &&
            lc_json_parse(&source, x->arena, LC_STR("output"), line, &x->p->c.checker.limits,
                          &quiet) == LC_OK) {
            const lc_node *d = lc_node_get(source.documents, "diagnostic");
            if (d && d->kind == LC_NODE_MAPPING)
                take_diagnostic(x, v, &said, d);
        }
    }
    x->said = lc_buf_take(x->arena, &said);
}

/* Without reading the object of the state: it was never created. */
static verdict run_client(issue *x, bool *ended)
{
    verdict v = {.first = LC_STR_EMPTY};
    const char *words[8] = {client_of(x->p), x->repro->plan ? "plan" : "apply", "-input=false",
                            "-json"};
    size_t count = 4;
    lc_buf out = {0};
    int status = 0;
    if (!x->repro->plan)
        words[count++] = "-auto-approve";
    if (x->repro->state.len)
        words[count++] = "-refresh=false";
    *ended = run(x, &out, &status, words, count);
    read_output(x, &v, lc_buf_str(&out));
    lc_buf_release(&out);
    return v;
}

static void confirm_with(issue *x, lc_str client)
{
    lc_probe_finding *f = x->finding;
    lc_arena *arena = x->p->arena;
    bool ended;
    verdict v = run_client(x, &ended);
    if (v.reported)
        f->confirmed = lc_str_copy(arena, client);
    else if (!ended)
        f->unconfirmed = lc_str_printf(arena, "%.*s did not end in time", LC_FMT(client));
    else
        f->unconfirmed = lc_str_printf(arena, "%.*s reports %.*s", LC_FMT(client),
                                       LC_FMT(v.any ? v.first : LC_STR("no error")));
}

/* The folder with the configuration, the provider, and settings that name it. */
static bool fill_folder(issue *x)
{
    lc_probe *p = x->p;
    char path[PATH_MAX];
    char *binary = realpath(lc_str_to_c(x->arena, p->provider_options.provider.binary), path);
    char *link = lc_str_to_c(x->arena, lc_str_printf(x->arena, "%.*s/bin/terraform-provider-%.*s",
                                                     LC_FMT(x->folder), LC_FMT(p->options.name)));
    lc_str settings = lc_str_printf(
        x->arena,
        "provider_installation {\n  dev_overrides {\n    \"%.*s\" = \"%.*s/bin\"\n  }\n  direct "
        "{}\n}\n",
        LC_FMT(p->options.source), LC_FMT(x->folder));
    bool ok =
        binary && mkdir(TEXT_OF(x, "%.*s/bin", x->folder), 0700) == 0 &&
        mkdir(TEXT_OF(x, "%.*s/work", x->folder), 0700) == 0 && symlink(binary, link) == 0 &&
        lc_output_file_write(x->arena, TEXT_OF(x, "%.*s/cli.tfrc", x->folder), settings) &&
        lc_output_file_write(x->arena, TEXT_OF(x, "%.*s/work/main.tf", x->folder), x->repro->text);
    if (ok && x->repro->state.len)
        ok = lc_output_file_write(x->arena, TEXT_OF(x, "%.*s/work/terraform.tfstate", x->folder),
                                  x->repro->state);
    /* What the provider reads next to itself. */
    if (ok && access(TEXT_OF(x, "%.*s.env", lc_str_from_c(binary)), R_OK) == 0)
        ok = symlink(TEXT_OF(x, "%.*s.env", lc_str_from_c(binary)),
                     TEXT_OF(x, "%.*s.env", lc_str_from_c(link))) == 0;
    return ok;
}

static void confirm(issue *x)
{
    int lock = -1;
    lc_str why = LC_STR_EMPTY, *out = &x->finding->unconfirmed;
    if (x->p->provider_options.provider.dial.len) {
        *out = LC_STR("the provider runs already");
        return;
    }
    if (!x->repro->text.len) {
        *out = lc_str_copy(x->p->arena, x->repro->why);
        return;
    }
    x->folder = lc_alone_folder(x->arena, &lock, &why);
    if (!x->folder.len || !fill_folder(x)) {
        *out = LC_STR("no folder for the client could be made");
    } else {
        lc_str client = client_name(x);
        if (client.len)
            confirm_with(x, client);
        else
            *out = lc_str_printf(x->p->arena, "%s cannot be run without a network here",
                                 client_of(x->p));
    }
    if (x->folder.len)
        lc_alone_folder_remove(x->arena, x->folder, lock);
}

/* ---- Files. */

static void add_steps(const issue *x, lc_buf *out, const char *before)
{
    const char *client = client_of(x->p), *last = x->repro->plan ? "plan" : "apply";
    lc_buf_printf(out, "%s%s init\n%s%s %s%s\n", before, client, before, client, last,
                  x->repro->state.len ? " -refresh=false" : "");
}

static lc_str main_tf(issue *x)
{
    lc_buf out = {0};
    lc_buf_printf(&out, "# %.*s: %.*s\n#\n", LC_FMT(x->type->name), LC_FMT(x->finding->message));
    add_steps(x, &out, "#   ");
    if (x->repro->state.len)
        lc_buf_add_c(&out, "#\n# The object that it changes is in terraform.tfstate. It was never "
                           "created: its values are\n# generated, so no account is needed.\n");
    lc_buf_printf(&out, "#\n# The last command reports \"%.*s\"%s%.*s.\n\n",
                  LC_FMT(x->repro->summary), x->finding->place.len > 1 ? ", about " : "",
                  LC_FMT(x->finding->place.len > 1 ? x->finding->path : LC_STR_EMPTY));
    lc_buf_add_str(&out, x->repro->text);
    return lc_buf_take(x->arena, &out);
}

static void add_versions(const issue *x, lc_buf *out)
{
    const lc_probe_options *o = &x->p->options;
    lc_buf_printf(out, "### Versions\n\n* Provider: %.*s %.*s\n", LC_FMT(o->source),
                  LC_FMT(o->release.len ? o->release : LC_STR("(version not known)")));
    if (x->finding->confirmed.len)
        lc_buf_printf(out, "* %.*s\n", LC_FMT(x->finding->confirmed));
    lc_buf_printf(out, "* Found by lifecheck " LC_VERSION ", law %u (%.*s)\n\n",
                  lc_law_get(x->finding->law)->number, LC_FMT(lc_law_get(x->finding->law)->id));
}

static lc_str issue_md(issue *x)
{
    const lc_probe_finding *f = x->finding;
    lc_buf out = {0};
    lc_buf_printf(&out, "## %.*s: %.*s: %.*s\n\n", LC_FMT(x->type->name),
                  LC_FMT(x->repro->summary.len ? x->repro->summary : lc_rule_get(f->rule)->title),
                  LC_FMT(f->path.len > 1 ? f->path : f->message));
    add_versions(x, &out);
    lc_buf_add_c(&out, "### Steps to reproduce\n\n```hcl\n");
    lc_buf_add_str(&out, x->repro->text);
    lc_buf_add_c(&out, "```\n\n");
    if (x->repro->state.len)
        lc_buf_printf(&out,
                      "`terraform.tfstate`, with an object of generated values, so that no account "
                      "is needed:\n\n```json\n%.*s```\n\n",
                      LC_FMT(x->repro->state));
    lc_buf_add_c(&out, "```sh\n");
    add_steps(x, &out, "");
    lc_buf_printf(&out, "```\n\n### Expected\n\n%.*s\n\n### Actual\n\n%.*s.\n",
                  LC_FMT(lc_rule_get(f->rule)->requirement), LC_FMT(f->message));
    if (x->said.len)
        lc_buf_printf(&out, "\n```\n%.*s```\n", LC_FMT(x->said));
    if (x->repro->last_words.len)
        lc_buf_printf(&out, "\n```\n%.*s\n```\n", LC_FMT(x->repro->last_words));
    return lc_buf_take(x->arena, &out);
}

/* In a worker: the files are written by the process that joins the parts. */
void lc_probe_make_issue(lc_probe *p, const lc_probe_type *type, lc_probe_finding *finding,
                         const lc_probe_repro *repro)
{
    issue x = {.p = p,
               .arena = lc_arena_new(),
               .type = type,
               .finding = finding,
               .repro = repro,
               .said = LC_STR_EMPTY};
    if (p->cli->options.confirm)
        confirm(&x);
    if (repro->text.len) {
        lc_str folder = lc_probe_issue_folder(p->arena, p->folder, finding->file);
        lc_doc *doc = lc_doc_object();
        finding->terraform = lc_str_printf(p->arena, "%.*s/main.tf", LC_FMT(folder));
        lc_doc_add_str(doc, "file", finding->file);
        lc_doc_add_str(doc, "main_tf", main_tf(&x));
        lc_doc_add_str(doc, "issue_md", issue_md(&x));
        lc_doc_add_str(doc, "state", repro->state);
        if (p->part.issues.len)
            lc_buf_add_char(&p->part.issues, ',');
        lc_doc_print(&p->part.issues, doc);
    }
    lc_arena_free(x.arena);
}
