/* For tests of what is read from MessagePack and JSON: rows of inputs that are refused, and types.
 */
#ifndef LC_S_UNIT_CODEC_ROWS_H
#define LC_S_UNIT_CODEC_ROWS_H

#include "unit.h"

#include "lifecheck/codec/codec.h"

typedef struct bad_row {
    const char *name; /* a type expression, where values are read */
    const char *in;
    lc_wire_core core;
    size_t offset;
    const char *path;
    const char *message;
} bad_row;

static inline void check_refused(const bad_row *r, bool ok, const lc_wire_problem *p)
{
    ck_assert_msg(!ok, "%s %s: accepted", r->name, r->in);
    ck_assert_msg(lc_str_is(p->message, r->message), "%s %s: %.*s", r->name, r->in,
                  LC_FMT(p->message));
    ck_assert_msg(p->core == r->core, "%s %s: core %d", r->name, r->in, (int)p->core);
    ck_assert_msg(p->offset == r->offset, "%s %s: offset %zu", r->name, r->in, p->offset);
    ck_assert_msg(lc_str_is(p->path, r->path), "%s %s: path %.*s", r->name, r->in, LC_FMT(p->path));
}

/* The type that an expression such as list(string) names. */
static inline const lc_type *type_of(lc_arena *arena, const char *text)
{
    const lc_type *type;
    lc_str why = LC_STR_EMPTY;
    size_t at = 0;
    ck_assert_msg(lc_typetext_parse(&type, arena, lc_str_from_c(text), &why, &at), "%s: %.*s", text,
                  LC_FMT(why));
    return type;
}

#endif
