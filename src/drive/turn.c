/* What the phases of a run have in common: processes, calls, and whether it goes on. */
#include "drive/driver.h"

#include "lifecheck/base/arena.h"

#include <stdarg.h>
#include <stdio.h>

const lc_value *lc_turn_value(const lc_field *field)
{
    return lc_field_has_value(field) ? field->value : NULL;
}

bool lc_turn_is_null(const lc_value *value)
{
    return !value || lc_is_null(value);
}

void lc_turn_report(const lc_turn *t, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    t->driver->options.on_event(t->driver->options.context, LC_LIVE_WARNING,
                                lc_str_printf(t->arena, "%.*s#%.*s: %s", LC_FMT(t->subject->file),
                                              LC_FMT(t->subject->name), text));
}

/* ---- Processes. */

static lc_client *open_client(lc_turn *t, const lc_peer *peer, lc_client_walk walk)
{
    const lc_driver_options *o = &t->driver->options;
    lc_client_options options = {.as = o->as,
                                 .version = o->version,
                                 .walk = walk,
                                 .limits = o->limits,
                                 .peer = *peer,
                                 .timeout_ms = o->timeout_ms,
                                 .on_call = o->on_call,
                                 .on_call_context = o->context};
    return lc_client_open(t->arena, &options, o->schemas, t->diags);
}

const lc_value *lc_turn_read_config(lc_turn *t, const lc_node *node, const lc_source *source,
                                    const lc_schema *schema)
{
    lc_value_reader reader = {.arena = t->arena,
                              .source = source,
                              .diags = t->diags,
                              .limits = t->driver->options.limits,
                              .config = true};
    lc_field field = {0};
    size_t errors = t->diags->errors;
    bool good = lc_read_object(&field, &reader, node, schema->block) == LC_OK &&
                t->diags->errors == errors && lc_field_has_value(&field);
    return good ? field.value : NULL;
}

/* The configuration that the scenario gives, or else the command, or an empty one. False: reported.
 */
static bool read_settings(lc_turn *t)
{
    const lc_driver_options *o = &t->driver->options;
    bool own = t->driving && t->driving->provider_config;
    const lc_node *node = own ? t->driving->provider_config : o->provider_config;
    const lc_source *source = own ? t->driving->source : o->provider_config_source;
    const lc_schema *schema = lc_client_schema(t->client, LC_KIND_PROVIDER, LC_STR_EMPTY);
    if (!node || !schema) {
        t->settings = schema ? lc_block_empty_value(t->arena, schema->block) : NULL;
        return true;
    }
    t->settings = lc_turn_read_config(t, node, source, schema);
    t->settings_loc = own ? t->driving->loc : (lc_loc){source->file, 1, 1};
    return t->settings != NULL;
}

/* Diagnostics about the provider's configuration are reported without details, which may quote its
 * values. */
static bool configure(lc_turn *t)
{
    lc_call call;
    if (!t->settings && !read_settings(t))
        return false;
    lc_client_configure(t->client, &call, t->arena, t->settings, t->out->loc);
    t->broken |= call.broke == LC_YES;
    if (call.broke == LC_YES)
        lc_turn_report(t, "the provider did not respond when it was configured: %.*s",
                       LC_FMT(call.broke_with));
    else if (call.failed == LC_YES && !call.interrupted)
        lc_turn_report(
            t, "the provider refuses its configuration: %.*s",
            LC_FMT(call.diagnostics.count ? call.diagnostics.items[0].summary : LC_STR_EMPTY));
    t->refused |= call.failed == LC_YES && call.broke != LC_YES && !call.interrupted;
    return call.failed != LC_YES;
}

bool lc_turn_open(lc_turn *t, lc_client_walk walk)
{
    lc_peer peer;
    const lc_driver_options *o = &t->driver->options;
    if (!o->begin(o->context, &peer, t->cleaning)) {
        t->failed = true;
        return false;
    }
    t->client = open_client(t, &peer, walk);
    if (t->client)
        return true;
    t->failed = true;
    t->broken = !lc_turn_is_stopped(t);
    lc_turn_end(t);
    return false;
}

bool lc_turn_begin(lc_turn *t, lc_client_walk walk)
{
    if (!lc_turn_open(t, walk))
        return false;
    bool good = configure(t);
    if (!good)
        lc_turn_end(t);
    t->failed |= !good;
    return good;
}

void lc_turn_end(lc_turn *t)
{
    const lc_driver_options *o = &t->driver->options;
    o->end(o->context);
    t->client = NULL;
}

/* ---- Calls. */

/* The call of the scenario that corresponds to this one: a read after an apply is `reread`
 * there. */
static const lc_call *stated(const lc_turn *t, lc_call_kind kind)
{
    const lc_call *call = t->in ? lc_run_call(t->in, kind) : NULL;
    return call && call->stated ? call : NULL;
}

lc_loc lc_turn_loc(const lc_turn *t, lc_call_kind kind)
{
    const lc_call *call = stated(t, kind);
    return call ? call->loc : t->out->loc;
}

/* An unexpected error violates no requirement, but it ends the run, so it is reported. */
static void report_error(const lc_turn *t, const lc_call *call)
{
    const lc_provider_diag *d = lc_call_first_error(call);
    if (d && !t->foreseen)
        lc_turn_report(t, "the provider ends %s with an error: %.*s", lc_call_rpc(call->kind),
                       LC_FMT(d->summary));
}

const lc_call *lc_turn_add(lc_turn *t, const lc_call *call, lc_call_kind kind)
{
    lc_call *kept = LC_NEW(t->arena, lc_call);
    *kept = *call;
    kept->kind = kind;
    kept->index = (uint32_t)t->out->calls.count + 1;
    kept->deposed = LC_STR_EMPTY;
    kept->expected = kind == LC_CALL_READ && t->reread ? t->reread
                     : kind == LC_CALL_FUNCTION        ? t->function
                                                       : stated(t, kind);
    t->asked = true;
    t->failed |= kept->failed == LC_YES && !t->tolerant;
    if (kept->interrupted)
        return kept;
    t->broken |= kept->broke == LC_YES;
    *LC_PUSH(t->arena, &t->out->calls, lc_call) = *kept;
    if (kept->failed != LC_YES || kept->broke == LC_YES || t->tolerant)
        return kept;
    t->foreseen = kept->expected && kept->expected->stated & LC_STATES_DIAGNOSTICS;
    report_error(t, kept);
    return kept;
}

bool lc_turn_is_stopped(const lc_turn *t)
{
    return t->driver->options.stopped(t->driver->options.context);
}

bool lc_turn_may_call(const lc_turn *t, lc_call_kind kind)
{
    unsigned steps = t->driving ? t->driving->steps : 0;
    return !t->failed && !t->broken && (!steps || (steps & LC_CALL_BIT(kind))) &&
           (t->cleaning || !lc_turn_is_stopped(t));
}
