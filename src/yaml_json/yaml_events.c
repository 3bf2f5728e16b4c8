/* Events of YAML, by libyaml. */
#include "lifecheck/yaml_json/yaml_events.h"
#include "lifecheck/base/arena.h"

#include <yaml.h>

struct lc_yaml_events {
    lc_arena *arena;
    yaml_parser_t parser;
    bool ready;
};

lc_yaml_events *lc_yaml_events_new(lc_arena *arena, lc_str text)
{
    lc_yaml_events *events = LC_NEW(arena, lc_yaml_events);
    events->arena = arena;
    events->ready = yaml_parser_initialize(&events->parser);
    if (events->ready) {
        yaml_parser_set_encoding(&events->parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&events->parser, (const yaml_char_t *)text.ptr, text.len);
    }
    return events;
}

void lc_yaml_events_free(lc_yaml_events *events)
{
    if (events->ready)
        yaml_parser_delete(&events->parser);
    events->ready = false;
}

static lc_str copy(lc_arena *arena, const yaml_char_t *text)
{
    return text ? lc_str_copy(arena, lc_str_from_c((const char *)text)) : LC_STR_EMPTY;
}

static void take_scalar(lc_arena *arena, const yaml_event_t *event, lc_yaml_event *out)
{
    yaml_scalar_style_t style = event->data.scalar.style;
    out->kind = LC_YAML_SCALAR;
    out->value = lc_str_copy(
        arena, (lc_str){(const char *)event->data.scalar.value, event->data.scalar.length});
    out->tag = copy(arena, event->data.scalar.tag);
    out->anchor = copy(arena, event->data.scalar.anchor);
    out->plain = event->data.scalar.plain_implicit;
    out->quoted =
        style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

/* False: an event that a parser does not give. */
static bool take(lc_arena *arena, const yaml_event_t *event, lc_yaml_event *out)
{
    static const lc_yaml_kind kinds[] = {
        [YAML_STREAM_START_EVENT] = LC_YAML_STREAM_START,
        [YAML_STREAM_END_EVENT] = LC_YAML_STREAM_END,
        [YAML_DOCUMENT_START_EVENT] = LC_YAML_DOCUMENT_START,
        [YAML_DOCUMENT_END_EVENT] = LC_YAML_DOCUMENT_END,
        [YAML_ALIAS_EVENT] = LC_YAML_ALIAS,
        [YAML_SCALAR_EVENT] = LC_YAML_SCALAR,
        [YAML_SEQUENCE_START_EVENT] = LC_YAML_SEQUENCE_START,
        [YAML_SEQUENCE_END_EVENT] = LC_YAML_SEQUENCE_END,
        [YAML_MAPPING_START_EVENT] = LC_YAML_MAPPING_START,
        [YAML_MAPPING_END_EVENT] = LC_YAML_MAPPING_END,
    };
    *out = (lc_yaml_event){.kind = LC_YAML_STREAM_END};
    if (event->type == YAML_NO_EVENT)
        return false;
    out->kind = kinds[event->type];
    if (event->type == YAML_DOCUMENT_START_EVENT && event->data.document_start.version_directive) {
        out->major = event->data.document_start.version_directive->major;
        out->minor = event->data.document_start.version_directive->minor;
    } else if (event->type == YAML_SCALAR_EVENT) {
        take_scalar(arena, event, out);
    } else if (event->type == YAML_ALIAS_EVENT) {
        out->anchor = copy(arena, event->data.alias.anchor);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        out->tag = copy(arena, event->data.sequence_start.tag);
        out->anchor = copy(arena, event->data.sequence_start.anchor);
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        out->tag = copy(arena, event->data.mapping_start.tag);
        out->anchor = copy(arena, event->data.mapping_start.anchor);
    }
    return true;
}

bool lc_yaml_events_next(lc_yaml_events *events, lc_yaml_event *out)
{
    yaml_event_t event;
    if (!events->ready || !yaml_parser_parse(&events->parser, &event))
        return false;
    bool ok = take(events->arena, &event, out);
    yaml_event_delete(&event);
    return ok;
}
