/* Addresses of providers that clients dial, and the processes that serve them. */
#include "live/recorder.h"

#include "lifecheck/base/arena.h"
#include "lifecheck/yaml_json/node.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define MAX_CONTROL ((size_t)1 << 20) /* bytes of a wrapper's list */

/* ---- Processes. */

lc_live_process *lc_live_begin_process(lc_live_recorder *r, const lc_live_provider *provider,
                                       const lc_live_client *client)
{
    lc_str why;
    const lc_live_surroundings around = {.sockets = r->folder,
                                         .folder = client ? client->folder : LC_STR_EMPTY,
                                         .environment = client ? client->environment : NULL};
    lc_live_process *p = lc_live_process_start(provider, &around, &why, r->arena);
    r->result->failed |= !p;
    if (p)
        *LC_PUSH(r->arena, &r->processes, lc_live_process *) = p;
    else
        lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "%.*s: %.*s", LC_FMT(provider->address),
                       LC_FMT(why));
    return p;
}

void lc_live_processes_work(lc_live_recorder *r)
{
    size_t kept = 0;
    int64_t now = lc_live_now() / 1000;
    for (size_t i = 0; i < r->processes.count; i++) {
        lc_live_process *p = r->processes.items[i];
        lc_live_process_read(p, r->log);
        lc_live_process_wait(p, r->log);
        lc_live_process_check(p, r->options->start_ms, now);
        if (p->dismissed)
            lc_live_process_end(p, now);
        if (p->dismissed && p->ended)
            lc_live_process_free(p);
        else
            r->processes.items[kept++] = p;
    }
    r->processes.count = kept;
}

bool lc_live_process_count(const lc_live_recorder *r)
{
    return r->processes.count > 0;
}

/* ---- Endpoints. */

static lc_live_endpoint *listen_for(lc_live_recorder *r, const lc_live_provider *provider)
{
    lc_live_endpoint *e = LC_NEW(r->arena, lc_live_endpoint);
    e->provider = provider;
    e->protocol = provider->protocol;
    e->path = lc_str_printf(r->arena, "%.*s/%zu", LC_FMT(r->folder), ++r->endpoint_number);
    e->listener = lc_live_listen(e->path);
    if (e->listener < 0) {
        r->result->failed = true;
        lc_live_report(r, LC_LIVE_ERROR, LC_STR_EMPTY, "%.*s: no socket at %.*s: %.*s",
                       LC_FMT(provider->address), LC_FMT(e->path),
                       LC_FMT(lc_live_error_text(r->arena, errno)));
        return NULL;
    }
    *LC_PUSH(r->arena, &r->endpoints, lc_live_endpoint *) = e;
    return e;
}

lc_live_endpoint *lc_live_endpoint_new(lc_live_recorder *r, const lc_live_provider *provider)
{
    lc_live_endpoint *e = listen_for(r, provider);
    if (e && provider->binary.len)
        e->spare = lc_live_begin_process(r, provider, NULL);
    return e;
}

bool lc_live_endpoints_wait(const lc_live_recorder *r)
{
    for (size_t i = 0; i < r->endpoints.count; i++) {
        const lc_live_process *p = r->endpoints.items[i]->spare;
        if (p && !p->ready && !p->failed)
            return true;
    }
    return false;
}

static void close_endpoint(lc_live_recorder *r, lc_live_endpoint *e)
{
    if (e->spare)
        lc_live_process_end(e->spare, lc_live_now() / 1000);
    e->spare = NULL;
    if (e->listener < 0)
        return;
    close(e->listener);
    unlink(lc_str_to_c(r->arena, e->path));
    e->listener = -1;
}

static void report_failure(const lc_live_recorder *r, const lc_live_endpoint *e)
{
    const lc_live_process *p = e->spare;
    const lc_live_provider *provider = e->provider;
    lc_live_report(r, provider->named ? LC_LIVE_ERROR : LC_LIVE_WARNING, lc_buf_str(&p->tail),
                   "%.*s (%.*s, from %.*s) cannot be recorded: %.*s%s", LC_FMT(provider->address),
                   LC_FMT(provider->binary), LC_FMT(provider->from), LC_FMT(p->why),
                   provider->named ? "" : "; the client starts it by itself");
}

bool lc_live_endpoints_settle(lc_live_recorder *r)
{
    size_t kept = 0;
    bool good = true;
    for (size_t i = 0; i < r->endpoints.count; i++) {
        lc_live_endpoint *e = r->endpoints.items[i];
        bool ready = !e->provider->binary.len || (e->spare && e->spare->ready);
        if (ready) {
            e->protocol = e->spare ? e->spare->handshake.protocol : e->protocol;
            r->endpoints.items[kept++] = e;
            continue;
        }
        if (e->spare)
            report_failure(r, e);
        good &= !e->provider->named;
        close_endpoint(r, e);
    }
    r->endpoints.count = kept;
    return good && !r->result->failed;
}

void lc_live_endpoints_close(lc_live_recorder *r)
{
    for (size_t i = 0; i < r->endpoints.count; i++)
        close_endpoint(r, r->endpoints.items[i]);
    r->endpoints.count = 0;
}

/* A client that cannot be identified has pid 0; once one of these was refused, all of them are. */
static bool is_refused(const lc_live_endpoint *e, pid_t pid)
{
    for (size_t i = 0; i < e->refused.count; i++) {
        if (e->refused.items[i] == pid)
            return true;
    }
    return false;
}

void lc_live_endpoint_accept(lc_live_recorder *r, lc_live_endpoint *e)
{
    int fd = lc_live_accept(e->listener);
    if (fd < 0 && lc_live_is_lack(errno)) {
        r->crowded = true;
        if (!r->crowding_reported)
            lc_live_report(r, LC_LIVE_WARNING, LC_STR_EMPTY, "clients have to wait: %.*s",
                           LC_FMT(lc_live_error_text(r->arena, errno)));
        r->crowding_reported = true;
    }
    if (fd >= 0 && is_refused(e, lc_live_client_pid(fd)))
        close(fd);
    else if (fd >= 0)
        lc_live_connection_new(r, e, fd);
}

/* ---- What clients receive. */

static lc_reattach entry_of(const lc_live_endpoint *e)
{
    return (lc_reattach){.provider = e->provider->address,
                         .protocol = e->protocol,
                         .pid =
                             (uint64_t)getpid(), /* clients give up once this process has ended */
                         .address = e->path};
}

static bool is_among(const lc_live_providers *list, const lc_live_provider *provider)
{
    for (size_t i = 0; i < list->list.count; i++) {
        const lc_live_provider *p = &list->list.items[i];
        if (lc_str_eq(p->address, provider->address) && lc_str_eq(p->dial, provider->dial))
            return true;
    }
    return false;
}

/* Does the wrapper's list have another provider for this address? */
static bool is_replaced(const lc_live_providers *list, const lc_live_provider *provider)
{
    for (size_t i = 0; i < list->list.count; i++) {
        if (lc_str_eq(list->list.items[i].address, provider->address))
            return true;
    }
    return false;
}

lc_str lc_live_reattach(const lc_live_recorder *r, lc_arena *arena, const lc_live_providers *only)
{
    lc_reattaches list = {0};
    lc_buf out = {0};
    for (size_t i = 0; i < r->endpoints.count; i++) {
        const lc_live_endpoint *e = r->endpoints.items[i];
        bool own = is_among(r->options->providers, e->provider);
        if (!only ? own : is_among(only, e->provider) || (own && !is_replaced(only, e->provider)))
            *LC_PUSH(arena, &list.list, lc_reattach) = entry_of(e);
    }
    lc_reattach_write(&out, &list);
    return lc_buf_take(arena, &out);
}

/* ---- Wrappers: they send the TF_REATTACH_PROVIDERS of a test, and get the one to use. */

static lc_live_endpoint *endpoint_of(const lc_live_recorder *r, const lc_live_provider *p)
{
    for (size_t i = 0; i < r->endpoints.count; i++) {
        lc_live_endpoint *e = r->endpoints.items[i];
        if (lc_str_eq(e->provider->address, p->address) && lc_str_eq(e->provider->dial, p->dial))
            return e;
    }
    return NULL;
}

static void add_running(lc_live_recorder *r, lc_live_providers *list, const lc_reattach *one,
                        pid_t client)
{
    lc_live_provider *p = LC_NEW(r->arena, lc_live_provider);
    *p = (lc_live_provider){.address = one->provider,
                            .version = LC_STR_EMPTY,
                            .binary = LC_STR_EMPTY,
                            .from = LC_STR("a test"),
                            .of_test = true,
                            .protocol = one->protocol,
                            .tcp = one->tcp,
                            .dial = one->address};
    *LC_PUSH(r->arena, &list->list, lc_live_provider) = *p;
    lc_live_endpoint *e = endpoint_of(r, p);
    if (!e && r->endpoints.count < LC_LIVE_MAX_ENDPOINTS)
        e = listen_for(r, p);
    else if (e && e->clients.count == 0)
        return; /* not that of a test */
    if (e && client)
        *LC_PUSH(r->arena, &e->clients, pid_t) = client;
}

static void add_all_running(lc_live_recorder *r, lc_live_providers *list, lc_str text, pid_t client)
{
    lc_reattaches found = {0};
    lc_str why;
    if (!lc_reattach_read(&found, r->arena, lc_str_copy(r->arena, text), &why))
        lc_live_report(r, LC_LIVE_WARNING, LC_STR_EMPTY, "TF_REATTACH_PROVIDERS of a test: %.*s",
                       LC_FMT(why));
    for (size_t i = 0; i < found.list.count; i++)
        add_running(r, list, &found.list.items[i], client);
}

/* The wrapper becomes the client, so that both have one process id. */
static bool has_clients(lc_live_endpoint *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->clients.count; i++) {
        pid_t client = e->clients.items[i];
        if (kill(client, 0) == 0 || errno != ESRCH)
            e->clients.items[kept++] = client;
    }
    e->clients.count = kept;
    return kept > 0;
}

/* A suite of tests has thousands of providers, one after the other. */
static void close_unused(lc_live_recorder *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->endpoints.count; i++) {
        lc_live_endpoint *e = r->endpoints.items[i];
        if (e->clients.count && !has_clients(e))
            close_endpoint(r, e);
        else
            r->endpoints.items[kept++] = e;
    }
    r->endpoints.count = kept;
}

static void answer_wrapper(lc_live_recorder *r, lc_arena *arena, int fd)
{
    lc_live_providers list = {0};
    lc_diags quiet;
    lc_str text;
    lc_diags_init(&quiet, arena);
    if (!lc_live_hurry(fd) ||
        lc_fd_read(&text, arena, fd, LC_STR("control"), MAX_CONTROL, &quiet) != LC_OK)
        return;
    add_all_running(r, &list, text, lc_live_client_pid(fd));
    lc_live_send_all(fd, lc_live_reattach(r, arena, &list));
}

/* Wrappers are ours and quick: one is answered at a time. */
void lc_live_control_accept(lc_live_recorder *r)
{
    lc_arena *arena = lc_arena_new();
    int fd = lc_live_accept(r->control);
    if (fd >= 0) {
        close_unused(r);
        answer_wrapper(r, arena, fd);
        close(fd);
    }
    lc_arena_free(arena);
}
