/* Lines of a recording that are not calls: what it states about itself, and addresses of its
 * instances. */
#include "recording/about.h"
#include "lifecheck/recording/protojson.h"

#include "lifecheck/base/arena.h"

/* A number from 0; anything else counts as 0. */
static uint64_t counted(const lc_node *node)
{
    int64_t number = lc_pj_number(node);
    return number > 0 ? (uint64_t)number : 0;
}

static uint64_t number_in(const lc_node *mapping, const char *key)
{
    return counted(lc_node_get(mapping, key));
}

static void set_text(lc_str *out, lc_arena *arena, const lc_node *mapping, const char *key)
{
    lc_str text = lc_node_text(mapping, key);
    if (text.len && !lc_str_eq(*out, text))
        *out = lc_str_copy(arena, text);
}

static lc_recorded_provider *provider_of(lc_recording *out, lc_arena *arena, lc_str address)
{
    for (size_t i = 0; i < out->providers.count; i++) {
        if (lc_str_eq(out->providers.items[i].address, address))
            return &out->providers.items[i];
    }
    if (out->providers.count == LC_MAX_RECORDING_PROVIDERS)
        return NULL;
    lc_recorded_provider *p = LC_PUSH(arena, &out->providers, lc_recorded_provider);
    *p = (lc_recorded_provider){lc_str_copy(arena, address), LC_STR_EMPTY, 0};
    return p;
}

static void take_provider(lc_recording *out, lc_arena *arena, const lc_node *node)
{
    lc_str address = lc_node_text(node, "address");
    lc_recorded_provider *p = address.len ? provider_of(out, arena, address) : NULL;
    if (!p)
        return;
    set_text(&p->version, arena, node, "version");
    if (lc_node_given(node, "protocol"))
        p->protocol = number_in(node, "protocol");
}

void lc_recording_take_client(lc_recording *out, lc_arena *arena, const lc_node *recording)
{
    const lc_node *client = lc_node_get(recording, "client");
    set_text(&out->client, arena, client, "name");
    set_text(&out->client_version, arena, client, "version");
}

bool lc_recording_take(lc_recording *out, lc_arena *arena, const lc_node *recording, lc_loc at,
                       lc_diags *diags)
{
    uint64_t format = number_in(recording, "format");
    const lc_node *providers = lc_node_get(recording, "providers");
    if (format > LC_RECORDING_FORMAT) {
        lc_diag_error(
            diags, at,
            "this recording has format %llu, and this lifecheck reads format %d only: use "
            "a newer lifecheck, or record again",
            (unsigned long long)format, LC_RECORDING_FORMAT);
        return false;
    }
    out->stated = true;
    set_text(&out->by, arena, recording, "by");
    lc_recording_take_client(out, arena, recording);
    if (lc_node_given(recording, "redacted"))
        out->redacted = lc_node_is_true(lc_node_get(recording, "redacted"));
    if (lc_node_given(recording, "calls")) {
        out->has_calls = true;
        out->calls = number_in(recording, "calls");
    }
    if (lc_node_given(recording, "lost"))
        out->lost = number_in(recording, "lost");
    for (uint32_t i = 0; i < lc_node_item_count(providers); i++)
        take_provider(out, arena, &providers->as.items[i]);
    return true;
}

/* ---- Addresses. */

void lc_recording_take_addresses(lc_instances *instances, lc_arena *arena, const lc_node *addresses)
{
    for (uint32_t i = 0; i < lc_node_item_count(addresses); i++) {
        const lc_node *entry = &addresses->as.items[i], *calls = lc_node_get(entry, "calls");
        lc_str address = lc_str_copy(arena, lc_node_text(entry, "address"));
        for (uint32_t k = 0; address.len && k < lc_node_item_count(calls); k++) {
            const lc_node *pair = &calls->as.items[k];
            if (lc_node_item_count(pair) == 2)
                lc_instances_addressed(instances, counted(lc_node_item(pair, 0)),
                                       counted(lc_node_item(pair, 1)), address);
        }
    }
}
