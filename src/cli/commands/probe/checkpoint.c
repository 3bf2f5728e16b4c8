/* --checkpoint: what came of every type, a line each, so that a run that ended early goes on.
 *
 * The first line says which run it is: by the provider's binary and everything else on which
 * answers depend. Then come lines about types of earlier runs, for the order in which types are
 * asked; then the parts of this run; and a last line if it is complete. Lines are only appended,
 * each by one write, and one that was cut short is dropped. So the program may be killed at any
 * time.
 *
 * Scenarios of a type are written after its line: until then the type begins with the same
 * scenarios as before, and so its report is that of a run that nothing interrupted. */
#include "cli/commands/probe/probe.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/system.h"
#include "lifecheck/yaml_json/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What an earlier run knows of a type. */
typedef struct memory {
    int64_t at; /* when it was asked */
    bool failing;
} memory;

typedef struct reader {
    lc_probe *p;
    lc_arena *arena;
    lc_table memories; /* by name */
    LC_VEC(lc_str) names;
    lc_table parts; /* lines by name */
    lc_str run;
    bool complete;
    size_t good; /* bytes of complete lines */
} reader;

/* ---- Which run it is. */

/* A file with settings or state holds secrets, and the checkpoint must not be computed from one: it
 * is known by when it was written. */
static uint64_t join_file(uint64_t hash, const lc_probe *p, lc_str path)
{
    struct stat info;
    hash = lc_fingerprint_join(hash, lc_str_fingerprint(path));
    if (!path.len || stat(lc_str_to_c(p->arena, path), &info) != 0)
        return hash;
    hash = lc_fingerprint_join(hash, (uint64_t)info.st_ino);
    hash = lc_fingerprint_join(hash, (uint64_t)LC_CHANGED_AT(info).tv_sec);
    return lc_fingerprint_join(hash, (uint64_t)LC_CHANGED_AT(info).tv_nsec);
}

static uint64_t join_words(uint64_t hash, const lc_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        hash = lc_fingerprint_join(hash, lc_str_fingerprint(words->items[i]));
    return lc_fingerprint_join(hash, words->count);
}

static uint64_t join_laws(uint64_t hash, const bool laws[LC_LAW_COUNT])
{
    for (unsigned law = 0; law < LC_LAW_COUNT; law++)
        hash = lc_fingerprint_join(hash, laws[law]);
    return hash;
}

/* The command names the variables of --env, without their values. */
static uint64_t fingerprint(lc_probe *p, lc_str binary)
{
    const lc_options *o = &p->cli->options;
    uint64_t numbers[] = {o->seed,    o->budget,        o->calls,      o->timeout,
                          o->strict,  o->offline,       o->fail_on,    p->options.as,
                          o->all,     p->c.shard.index, p->c.shard.of, o->policy.as,
                          o->confirm, o->claim.len > 0};
    uint64_t hash = lc_str_fingerprint(LC_STR("lifecheck " LC_VERSION " rules " LC_RULES_VERSION));
    hash = lc_fingerprint_join(hash, lc_str_fingerprint(binary));
    hash = lc_fingerprint_join(hash, lc_str_fingerprint(p->options.command));
    hash = lc_fingerprint_join(hash, lc_str_fingerprint(p->folder));
    hash = join_words(hash, &o->type);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = lc_fingerprint_join(hash, numbers[i]);
    hash = join_laws(hash, p->options.laws);
    hash = join_words(hash, &o->select);
    hash = join_words(hash, &o->ignore);
    hash = join_file(hash, p, o->provider_config);
    hash = join_file(hash, p, o->config);
    hash = join_file(hash, p, o->since);
    for (size_t i = 0; i < o->state.count; i++)
        hash = join_file(hash, p, o->state.items[i]);
    return hash;
}

/* A provider that runs already has no file: its address stands for it. */
static lc_str name_of_run(lc_probe *p)
{
    const lc_live_provider *provider = &p->provider_options.provider;
    char binary[65] = "";
    if (provider->dial.len == 0)
        lc_live_hash_file(binary, lc_str_to_c(p->arena, provider->binary));
    lc_str word = provider->dial.len ? provider->dial : lc_str_from_c(binary);
    return lc_str_printf(p->arena, "%016llx", (unsigned long long)fingerprint(p, word));
}

/* ---- Reading. */

static void remember(reader *r, lc_str name, int64_t at, bool failing)
{
    memory *m = lc_table_get(&r->memories, name);
    if (!m) {
        m = LC_NEW(r->p->arena, memory);
        name = lc_str_copy(r->p->arena, name);
        *LC_PUSH(r->p->arena, &r->names, lc_str) = name;
        lc_table_put(&r->memories, name, m);
    }
    *m = (memory){at, failing};
}

static void take_part(reader *r, const lc_node *root, lc_str line)
{
    lc_str name = lc_node_text(lc_node_get(root, "type"), "type");
    lc_str *part = LC_NEW(r->p->arena, lc_str);
    *part = line;
    lc_table_put(&r->parts, lc_str_copy(r->p->arena, name), part);
    remember(r, name, (int64_t)lc_record_number(root, "at"), lc_record_number(root, "failing") > 0);
}

static bool take_line(reader *r, lc_str line, size_t number, lc_arena *scratch)
{
    lc_source source;
    lc_diags diags;
    lc_diags_init(&diags, scratch);
    lc_status status =
        lc_json_parse(&source, scratch, LC_STR_EMPTY, line, &r->p->cli->options.limits, &diags);
    const lc_node *root = status == LC_OK ? source.documents : NULL;
    if (!root || root->kind != LC_NODE_MAPPING)
        return false;
    if (number == 1 && lc_record_number(root, "lifecheck_probe") != 1)
        return false;
    if (number == 1)
        r->run = lc_str_copy(r->p->arena, lc_node_text(root, "run"));
    else if (lc_node_get(root, "before"))
        remember(r, lc_node_text(root, "before"), (int64_t)lc_record_number(root, "at"),
                 lc_record_number(root, "failing") > 0);
    else if (lc_node_get_kind(root, "type", LC_NODE_MAPPING))
        take_part(r, root, line);
    else
        r->complete = lc_node_is_true(lc_node_get(root, "complete"));
    return true;
}

static bool take_lines(reader *r, lc_str text)
{
    lc_arena *scratch = lc_arena_new();
    size_t number = 1;
    bool good = true;
    for (size_t at = 0, end; good && (end = lc_str_find(text, at, '\n')) < text.len; at = end + 1) {
        good = take_line(r, lc_str_sub(text, at, end), number++, scratch);
        r->good = end + 1;
        lc_arena_reset(scratch);
    }
    lc_arena_free(scratch);
    if (good)
        return true;
    lc_message(
        "%.*s:%zu: this is not a line of a checkpoint of probe; name another file, or remove "
        "this one to begin anew",
        LC_FMT(r->p->checkpoint), number - 1);
    return false;
}

static bool read_checkpoint(reader *r)
{
    lc_str text;
    lc_diags diags;
    lc_diags_init(&diags, r->p->arena);
    lc_table_init(&r->memories, r->p->arena);
    lc_table_init(&r->parts, r->p->arena);
    r->run = LC_STR_EMPTY;
    if (access(lc_str_to_c(r->p->arena, r->p->checkpoint), F_OK) != 0 && errno == ENOENT)
        return true;
    if (lc_file_read(&text, r->p->arena, r->p->checkpoint, r->p->cli->options.limits.input_bytes,
                     &diags) != LC_OK)
        return lc_report_diags(&diags);
    return take_lines(r, text);
}

/* ---- Writing. */

static bool report_unwritten(lc_probe *p)
{
    lc_message("%.*s cannot be written: %s", LC_FMT(p->checkpoint), strerror(errno));
    return false;
}

static void add_line(lc_buf *out, lc_doc *doc)
{
    lc_doc_print(out, doc);
    lc_buf_add_char(out, '\n');
}

/* What a new run begins with. */
static bool write_head(reader *r, lc_str run)
{
    lc_buf out = {0};
    lc_doc *doc = lc_doc_object();
    lc_doc_add_uint(doc, "lifecheck_probe", 1);
    lc_doc_add_str(doc, "run", run);
    add_line(&out, doc);
    for (size_t i = 0; i < r->names.count; i++) {
        const memory *m = lc_table_get(&r->memories, r->names.items[i]);
        doc = lc_doc_object();
        lc_doc_add_str(doc, "before", r->names.items[i]);
        lc_doc_add_uint(doc, "at", (uint64_t)m->at);
        lc_doc_add_uint(doc, "failing", m->failing);
        add_line(&out, doc);
    }
    bool ok = lc_output_file_write(r->p->arena, lc_str_to_c(r->p->arena, r->p->checkpoint),
                                   lc_buf_str(&out));
    lc_buf_release(&out);
    return ok || report_unwritten(r->p);
}

/* Two runs must not append to one file. */
static bool open_to_append(lc_probe *p)
{
    const char *path = lc_str_to_c(p->arena, p->checkpoint);
    p->checkpoint_fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (p->checkpoint_fd < 0)
        return report_unwritten(p);
    if (flock(p->checkpoint_fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    lc_message("%.*s is in use by another run", LC_FMT(p->checkpoint));
    return false;
}

static void take_parts(lc_probe *p, reader *r)
{
    for (size_t i = 0; i < p->target_count; i++) {
        const lc_str *line = lc_table_get(&r->parts, p->targets[i].name);
        if (!line)
            continue;
        p->parts[i] = *line;
        p->resumed++;
    }
}

static bool resume(lc_probe *p, reader *r)
{
    if (!open_to_append(p))
        return false;
    if (ftruncate(p->checkpoint_fd, (off_t)r->good) != 0)
        return report_unwritten(p);
    take_parts(p, r);
    return true;
}

static bool begin_anew(lc_probe *p, reader *r, lc_str run)
{
    bool exists = r->run.len > 0;
    if (exists && !open_to_append(p)) /* in use? */
        return false;
    if (exists)
        close(p->checkpoint_fd);
    p->checkpoint_fd = -1;
    return write_head(r, run) && open_to_append(p);
}

static void take_memories(lc_probe *p, const reader *r)
{
    for (size_t i = 0; i < p->target_count; i++) {
        const memory *m = lc_table_get(&r->memories, p->targets[i].name);
        p->ranks[i].failing |= m && m->failing;
        p->ranks[i].at = m ? m->at : 0;
    }
}

bool lc_probe_open_checkpoint(lc_probe *p)
{
    const lc_options *o = &p->cli->options;
    reader r = {.p = p, .arena = p->arena};
    if (!p->checkpoint.len)
        return true;
    if (!read_checkpoint(&r))
        return false;
    lc_str run = name_of_run(p);
    bool same = lc_str_eq(r.run, run);
    take_memories(p, &r);
    if (o->resume && r.run.len && !r.complete && !same && !o->quiet)
        lc_message("%.*s belongs to another run (the provider, the version of lifecheck or the "
                   "options differ): a new run begins",
                   LC_FMT(p->checkpoint));
    return o->resume && same && !r.complete ? resume(p, &r) : begin_anew(p, &r, run);
}

static bool append(lc_probe *p, lc_str line)
{
    lc_buf out = {0};
    if (p->checkpoint_fd < 0)
        return true;
    lc_buf_add_str(&out, line);
    lc_buf_add_char(&out, '\n');
    bool ok = lc_write_all(p->checkpoint_fd, lc_buf_str(&out)) && lc_file_sync(p->checkpoint_fd);
    lc_buf_release(&out);
    return ok || report_unwritten(p);
}

bool lc_probe_add_to_checkpoint(lc_probe *p, lc_str part)
{
    return append(p, part);
}

bool lc_probe_close_checkpoint(lc_probe *p, bool complete)
{
    lc_buf out = {0};
    lc_doc *doc = lc_doc_object();
    lc_doc_add_bool(doc, "complete", true);
    lc_doc_print(&out, doc);
    bool ok = !complete || append(p, lc_buf_str(&out));
    lc_buf_release(&out);
    if (p->checkpoint_fd >= 0)
        close(p->checkpoint_fd);
    p->checkpoint_fd = -1;
    return ok;
}

/* ---- The order of asking. */

static int by_rank(const void *a, const void *b)
{
    const lc_probe_rank *x = a, *y = b;
    if (x->function != y->function)
        return x->function ? -1 : 1;
    if (x->own != y->own)
        return x->own ? 1 : -1;
    if (x->failing != y->failing)
        return x->failing ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

/* Functions are called before the provider is configured; its own configuration comes last. Between
 * them is first what failed, then what was never asked, then what was asked longest ago. */
void lc_probe_find_order(lc_probe *p)
{
    lc_probe_rank *ranks = LC_NEW_ARRAY(p->arena, lc_probe_rank, p->target_count + 1);
    if (p->target_count)
        memcpy(ranks, p->ranks, p->target_count * sizeof *ranks);
    qsort(ranks, p->target_count, sizeof *ranks, by_rank);
    p->order = LC_NEW_ARRAY(p->arena, size_t, p->target_count + 1);
    p->to_ask = 0;
    for (size_t i = 0; i < p->target_count; i++) {
        if (!p->parts[ranks[i].target].ptr)
            p->order[p->to_ask++] = ranks[i].target;
    }
}
