/* YAML text as the events of its grammar, for readers that have rules of their own about tags,
 * scalars and anchors. Module yaml_json. Nodes by lifecheck's own rules: lc_yaml_parse. */
#ifndef LIFECHECK_YAML_JSON_YAML_EVENTS_H
#define LIFECHECK_YAML_JSON_YAML_EVENTS_H

#include "lifecheck/base/str.h"

/* The events of YAML 1.1, as libyaml has them. */
typedef enum lc_yaml_kind {
    LC_YAML_STREAM_START,
    LC_YAML_STREAM_END,
    LC_YAML_DOCUMENT_START,
    LC_YAML_DOCUMENT_END,
    LC_YAML_SCALAR,
    LC_YAML_ALIAS,
    LC_YAML_SEQUENCE_START,
    LC_YAML_SEQUENCE_END,
    LC_YAML_MAPPING_START,
    LC_YAML_MAPPING_END,
} lc_yaml_kind;

/* Strings live in the arena of the reader. */
typedef struct lc_yaml_event {
    lc_yaml_kind kind;
    lc_str value;  /* of a scalar */
    lc_str tag;    /* in full; empty: none */
    lc_str anchor; /* of a node, or what an alias refers to; empty: none */
    bool plain;    /* a scalar without tag, quotation marks and block indicator */
    bool quoted;   /* a scalar in quotation marks */
    /* Of LC_YAML_DOCUMENT_START: the version that %YAML states, or 0. */
    int major, minor;
} lc_yaml_event;

/* The reader borrows the text; strings of events live in the arena. Free it in any case. */
typedef struct lc_yaml_events lc_yaml_events;
lc_yaml_events *lc_yaml_events_new(lc_arena *arena, lc_str text);
void lc_yaml_events_free(lc_yaml_events *events);
/* The next event. False: the text is not YAML. Not to be called again after that, nor after
 * LC_YAML_STREAM_END. */
bool lc_yaml_events_next(lc_yaml_events *events, lc_yaml_event *out);

#endif
