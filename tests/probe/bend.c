/* What faults make of an honest plan. */
#include "peer.h"

#include "lifecheck/codec/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* The plan and what is looked at most. */
typedef struct bending {
    peer_plan *plan;
    peer *p;
    lc_arena *arena;
    const bool *faults;
    bool creates;
} bending;

static const lc_value *config_of(const bending *b, const char *name)
{
    return peer_get(b->plan->config, name);
}

static bool is_unknown(const bending *b, const char *name)
{
    return lc_is_unknown(config_of(b, name));
}

static void put(const bending *b, const char *name, const lc_value *value)
{
    b->plan->planned = peer_with(b->arena, b->plan->planned, name, value);
}

static void put_text(const bending *b, const char *name, lc_str text)
{
    put(b, name, peer_text(b->arena, text));
}

static void put_number(const bending *b, const char *name, lc_num number)
{
    lc_value *v = LC_NEW(b->arena, lc_value);
    lc_value_set_number(v, number);
    put(b, name, v);
}

static lc_str text_of(const lc_value *v)
{
    return lc_is_known(v) && v->type->kind == LC_TYPE_STRING ? v->as.string : LC_STR_EMPTY;
}

static void ask_replacement(const bending *b, const char *name)
{
    *LC_PUSH(b->arena, &b->plan->replace, lc_str) = lc_str_from_c(name);
}

/* ---- Unknown values */

static void promise(const bending *b)
{
    const bool *faults = b->faults;
    bool title = is_unknown(b, "title"), size = is_unknown(b, "size"), name = is_unknown(b, "name");
    const lc_value *prior = peer_get(b->plan->prior, "slug");
    lc_value given;
    lc_value_set_bool(&given, true);
    if (title && (b->creates ? faults[PROMISES_NEW] : faults[PROMISES_UPDATE]))
        put_text(b, "slug", LC_STR("of-"));
    if (name && b->creates && faults[PROMISES_NAMED])
        put_text(b, "url", LC_STR("of-"));
    if (title && !b->creates && faults[KEEPS_PRIOR] && !lc_is_null(prior))
        put(b, "slug", prior);
    if (title && faults[PROMISES_GIVEN])
        put(b, "titled", lc_value_new(b->arena, &given));
    if (size && faults[DEFAULT_EARLY])
        put_number(b, "size", LC_NUM(10));
    if (title && size && faults[PROMISES_PAIR] && !name)
        put_text(b, "summary", LC_STR("/10"));
    if (title && size && name && is_unknown(b, "note") && is_unknown(b, "amount") &&
        faults[PROMISES_ALL])
        put_text(b, "summary", LC_STR("/10"));
    if (lc_value_refinement(config_of(b, "title")) && faults[REFINED])
        put(b, "url", peer_unknown(b->arena, &lc_type_string));
}

static void count_early(const bending *b)
{
    const lc_type *type = b->plan->planned->type;
    lc_value empty;
    if (is_unknown(b, "items") && b->faults[LENGTH])
        put_number(b, "item_count", LC_NUM(1));
    if (is_unknown(b, "disk") && b->faults[BLOCK_COUNT])
        put_number(b, "disk_count", LC_NUM(1));
    long at = lc_type_attr_index(type, LC_STR("disk"));
    if (is_unknown(b, "disk") && b->faults[BLOCK_GUESSED] &&
        lc_value_set_list(&empty, b->arena, type->as.attrs[at].type, NULL, 0))
        put(b, "disk", lc_value_new(b->arena, &empty));
}

/* ---- The same again */

static void remember(const bending *b, lc_str name, lc_str slug)
{
    peer *p = b->p;
    lc_str key = lc_str_copy(p->arena, name), *last = lc_table_get(&p->remembered, key);
    lc_str *now = LC_NEW(p->arena, lc_str);
    *now = lc_str_copy(p->arena, slug);
    if (last && slug.len)
        put_text(b, "slug", *last);
    lc_table_put(&p->remembered, key, now);
}

static void differ(const bending *b)
{
    const bool *faults = b->faults;
    lc_str slug = text_of(peer_get(b->plan->planned, "slug"));
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (slug.len && faults[RANDOM])
        put_text(b, "slug", lc_str_printf(b->arena, "%.*s-%lx", LC_FMT(slug), now.tv_nsec));
    if (slug.len && faults[PER_PROCESS])
        put_text(b, "slug", lc_str_printf(b->arena, "%.*s-%ld", LC_FMT(slug), (long)getpid()));
    if (slug.len && faults[RACE] && b->p->waiting > 1)
        put_text(
            b, "slug",
            lc_str_printf(b->arena, "%.*s-%llu", LC_FMT(slug), (unsigned long long)b->p->count));
    if (faults[UNSTABLE_PRIVATE])
        b->plan->planned_private =
            lc_str_printf(b->arena, "{\"peer\":%llu}", (unsigned long long)b->p->count);
    if (!b->creates && faults[REMEMBERS])
        remember(b, text_of(config_of(b, "name")), slug);
    if (faults[SPELLING])
        put_text(b, "digest",
                 lc_str_printf(b->arena, "%016llx",
                               (unsigned long long)lc_str_fingerprint(b->plan->raw_config)));
}

/* ---- Changes of what exists */

static void settle(const bending *b)
{
    const bool *faults = b->faults;
    lc_str before = text_of(peer_get(b->plan->prior, "level"));
    bool free = lc_is_null(config_of(b, "level"));
    if (b->creates)
        return;
    if (faults[PERMANENT])
        put(b, "revision", peer_unknown(b->arena, &lc_type_string));
    if (faults[NORMALISES] && free)
        put_text(b, "level", LC_STR("INFO"));
    if (faults[OSCILLATES] && free)
        put_text(b, "level", lc_str_is(before, "info") ? LC_STR("INFO") : LC_STR("info"));
}

static void replace(const bending *b)
{
    const bool *faults = b->faults;
    const lc_value *before = peer_get(b->plan->prior, "title"), *after = config_of(b, "title");
    lc_str url = text_of(peer_get(b->plan->planned, "url"));
    if (b->creates ? faults[REPLACE_NEW] : faults[REPLACE_SAME])
        ask_replacement(b, "name");
    if (!b->creates && faults[LATE_REPLACE] && !lc_is_unknown(after) &&
        !lc_value_same(before, after))
        ask_replacement(b, "title");
    if (b->creates && b->p->replaced && faults[SECOND_LEG])
        peer_error(b->plan->call, LC_STR("name"), "Name is taken",
                   LC_STR("An object with this name exists."));
    if (b->creates && b->p->replaced && url.len && faults[SECOND_DIFFERS])
        put_text(b, "url", lc_str_printf(b->arena, "%.*s-new", LC_FMT(url)));
    b->p->replaced = b->plan->replace.count != 0;
}

/* ---- Values that do not survive */

static void change_numbers(const bending *b)
{
    const lc_value *amount = config_of(b, "amount");
    if (!lc_is_known(amount))
        return;
    double d = lc_num_nearest_double(amount->as.number);
    lc_num number;
    if (b->faults[FLOAT32] && lc_num_from_double(&number, b->arena, (double)(float)d))
        put_number(b, "amount", number);
    if (b->faults[INT32] && fabs(d) < 9e18)
        put_number(b, "amount", LC_NUM((int32_t)(uint32_t)(uint64_t)(int64_t)d));
}

static lc_str without(lc_arena *arena, lc_str text, const char *these)
{
    lc_buf out = {0};
    for (size_t i = 0; i < text.len; i++)
        if (!strchr(these, text.ptr[i]) || !text.ptr[i])
            lc_buf_add_char(&out, text.ptr[i]);
    return lc_buf_take(arena, &out);
}

static lc_str trimmed(lc_str text)
{
    size_t from = 0, to = text.len;
    while (from < to && strchr(" \t\r\n", text.ptr[from]))
        from++;
    while (to > from && strchr(" \t\r\n", text.ptr[to - 1]))
        to--;
    return lc_str_sub(text, from, to);
}

static lc_str lowered(lc_arena *arena, lc_str text)
{
    char *out = lc_str_to_c(arena, text);
    for (size_t i = 0; i < text.len; i++)
        out[i] = (char)(out[i] >= 'A' && out[i] <= 'Z' ? out[i] + 32 : out[i]);
    return (lc_str){out, text.len};
}

static void change_texts(const bending *b)
{
    const bool *faults = b->faults;
    const lc_value *note = config_of(b, "note");
    lc_str text = text_of(note), decoded;
    size_t at;
    if (!lc_is_known(note))
        return;
    if (faults[TRIMS])
        put_text(b, "note", trimmed(text));
    if (faults[LOWERS])
        put_text(b, "note", lowered(b->arena, text));
    if (faults[NEWLINES])
        put_text(b, "note", without(b->arena, text, "\r"));
    if (faults[TRUNCATES] && text.len > 4096)
        put_text(b, "note", lc_str_sub(text, 0, 4096));
    if (faults[COMPACTS] && text.len && strchr("{[", text.ptr[0]))
        put_text(b, "note", without(b->arena, text, " \n\t"));
    if (faults[BASE64] && text.len && lc_base64_decode(&decoded, b->arena, text, &at))
        put_text(b, "note", decoded);
}

static const lc_value *thinned(const bending *b, const lc_value *list)
{
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, list->count), out;
    size_t n = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const lc_value *v = &list->as.many.elems[i];
        bool twin = false;
        for (size_t j = 0; j < n; j++)
            twin |= lc_value_same(v, &elems[j]);
        if ((b->faults[NO_TWINS] && twin) || (b->faults[NO_NULLS] && lc_is_null(v)))
            continue;
        elems[n++] = *v;
    }
    return lc_value_set_list(&out, b->arena, list->type, elems, n) ? lc_value_new(b->arena, &out)
                                                                   : list;
}

static void change_lists(const bending *b)
{
    const lc_value *items = config_of(b, "items"), *tags = config_of(b, "tags");
    lc_value empty;
    if (items->type->kind != LC_TYPE_LIST)
        return;
    if (lc_is_known(items) && items->count && (b->faults[NO_TWINS] || b->faults[NO_NULLS]))
        put(b, "items", thinned(b, items));
    if (lc_is_null(items) && b->faults[NULL_TO_EMPTY] &&
        lc_value_set_list(&empty, b->arena, items->type, NULL, 0))
        put(b, "items", lc_value_new(b->arena, &empty));
    if (b->faults[EMPTY_TO_NULL] && lc_is_known(items) && items->count == 0)
        put(b, "items", peer_null(b->arena, items->type));
    if (b->faults[EMPTY_TO_NULL] && lc_is_known(tags) && tags->count == 0)
        put(b, "tags", peer_null(b->arena, tags->type));
}

/* ---- The rest */

static void leak(const bending *b)
{
    lc_str pin = text_of(config_of(b, "pin")), slug = text_of(peer_get(b->plan->planned, "slug"));
    if (b->faults[WRITE_ONLY_BACK] && pin.len)
        put_text(b, "pin", pin);
    if (b->faults[WRITE_ONLY_SEEN] && slug.len && pin.len)
        put_text(b, "slug",
                 lc_str_printf(b->arena, "%.*s-%zu", LC_FMT(slug),
                               (size_t)(lc_str_fingerprint(pin) % 1000)));
    b->plan->deferred = b->faults[DEFERS] && !lc_is_wholly_known(b->plan->config);
}

static void die(const bending *b)
{
    const bool *faults = b->faults;
    peer_plan *plan = b->plan;
    bool title = is_unknown(b, "title"), note = is_unknown(b, "note");
    if ((faults[NULL_DIES] && lc_is_null(config_of(b, "title"))) || (faults[UNKNOWN_DIES] && title))
        plugin_panic("plan");
    if (!b->creates &&
        (plan->private_data.len == 0
             ? faults[PRIVATE_NEEDED]
             : faults[PRIVATE_DIES] && !lc_str_eq(plan->private_data, plan->planned_private)))
        plugin_panic("private");
    if (faults[EXITS] && note)
        plugin_leave(&b->p->plugin, 0);
    plan->call->never = faults[HANGS] && note;
    if (faults[PLAN_REJECTS] && note)
        peer_error(plan->call, LC_STR("note"), "Value Conversion Error",
                   LC_STR("Received unknown value, however the target type cannot handle unknown "
                          "values."));
}

/* ---- What a provider should not do while it is only asked */

static int connect_to(uint32_t address, uint16_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    at.sin_addr.s_addr = htonl(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
        return fd;
    close(fd);
    return -1;
}

/* CONNECT, as a library for HTTP does it. The answer is waited for and not looked at. */
static void reach(const bending *b)
{
    static const char request[] = "CONNECT api.example.test:443 HTTP/1.1\r\nHost: "
                                  "api.example.test:443\r\nProxy-Authorization: hunter2\r\n\r\n";
    const char *proxy = getenv("HTTPS_PROXY"), *port = proxy ? strrchr(proxy, ':') : NULL;
    char answer[64];
    int fd = port ? connect_to(INADDR_LOOPBACK, (uint16_t)atoi(port + 1)) : -1;
    ssize_t n = fd < 0 ? -1 : write(fd, request, sizeof request - 1);
    n = n < 0 ? n : read(fd, answer, sizeof answer);
    if (n < 12 || strncmp(answer, "HTTP/1.1 403", 12) != 0)
        peer_error(b->plan->call, LC_STR_EMPTY, "no proxy answered", LC_STR_EMPTY);
    if (fd >= 0)
        close(fd);
}

/* 192.0.2.1 is an address for documentation (RFC 5737). */
static void reach_directly(const bending *b)
{
    int fd = connect_to(0xC0000201u, 443);
    lc_str detail = lc_str_printf(b->arena, "dial tcp 192.0.2.1:443: %s",
                                  fd < 0 ? strerror(errno) : "connected");
    if (fd >= 0)
        close(fd);
    peer_error(b->plan->call, LC_STR_EMPTY, "request failed", detail);
}

static bool writes(const char *path)
{
    int fd = path ? open(path, O_WRONLY | O_CREAT, 0600) : -1;
    bool good = fd >= 0 && write(fd, "x", 1) == 1;
    if (fd >= 0)
        close(fd);
    return good;
}

static void escape(const bending *b)
{
    const char *what = writes(getenv("OUTSIDE")) ? "wrote outside"
                       : writes("escaped.txt")   ? "wrote into its folder only"
                                                 : "wrote nowhere";
    peer_error(b->plan->call, LC_STR_EMPTY, what, LC_STR_EMPTY);
}

extern char **environ;

static void list_environment(const bending *b)
{
    lc_buf names = {0};
    lc_buf_add_c(&names, "environment:");
    for (size_t i = 0; environ[i]; i++)
        lc_buf_printf(&names, " %.*s", (int)strcspn(environ[i], "="), environ[i]);
    lc_str text = lc_buf_take(b->arena, &names);
    peer_error(b->plan->call, LC_STR_EMPTY, lc_str_to_c(b->arena, text), LC_STR_EMPTY);
}

static void misbehave(const bending *b)
{
    if (b->faults[REACHES])
        reach(b);
    if (b->faults[REACHES_DIRECTLY])
        reach_directly(b);
    if (b->faults[ESCAPES])
        escape(b);
    if (b->faults[LISTS_ENVIRONMENT])
        list_environment(b);
}

void peer_plan_bend(peer_plan *plan)
{
    bending b = {.plan = plan,
                 .p = plan->call->p,
                 .arena = plan->call->arena,
                 .faults = plan->call->p->faults,
                 .creates = lc_is_null(plan->prior)};
    if (lc_is_null(plan->config)) {
        if (b.faults[DESTROY_KEEPS])
            plan->planned = plan->prior;
        return;
    }
    promise(&b);
    count_early(&b);
    differ(&b);
    settle(&b);
    replace(&b);
    change_numbers(&b);
    change_texts(&b);
    change_lists(&b);
    leak(&b);
    misbehave(&b);
    die(&b);
    if (b.faults[BAD_UTF8])
        put_text(&b, "slug", LC_STR("of-\xff\xfe"));
}
