/* What a configuration is made of: the schema as a tree in which each attribute and block type is
 * set or not, and knows which values to try. */
#ifndef LC_PROBE_FORM_H
#define LC_PROBE_FORM_H

#include "lifecheck/schema/schema.h"

/* Constraints on the values of one attribute, learned from errors. */
typedef struct lc_wish {
    LC_VEC(lc_str) words; /* to choose from, best first */
    lc_str pattern;       /* a regular expression, or "" */
    bool has_min, has_max, has_shortest, has_longest;
    double min, max;
    uint64_t shortest, longest; /* of strings */
    uint32_t elements;          /* of collections; 0: one */
    bool secret; /* a string that is not another attribute's, since reports hide it */
} lc_wish;

typedef struct lc_slot lc_slot;
struct lc_slot {
    lc_slot *up; /* NULL: the object itself */
    lc_str name;
    const lc_attribute *attribute; /* one of the two is set, but in the root */
    const lc_block_type *block;
    lc_slot *below; /* of blocks and nested types, attributes before blocks */
    size_t count;
    bool set;
    bool left_out;                  /* a diagnostic needs it so: stays left out */
    uint32_t elements, least, most; /* of blocks and collections; most 0: no limit */
    unsigned turn;                  /* which of its values is used */
    lc_wish wish;
};

/* The tree of a block, nothing set but what is required. */
lc_slot *lc_form_new(lc_arena *arena, const lc_block *block);
/* Sets what is required, and with `all` everything that can be; what is left out stays. */
void lc_form_set(lc_slot *root, bool all);
/* Can it be left out? */
bool lc_slot_is_optional(const lc_slot *slot);
/* Sets a slot, and what is required below it. */
void lc_slot_set(lc_slot *slot, bool set);
/* A value of an attribute as it would be if it were set. */
const lc_value *lc_slot_value(lc_arena *arena, lc_slot *slot);
/* The configuration that the tree describes. */
const lc_value *lc_form_value(lc_arena *arena, const lc_slot *root, const lc_block *block);

/* ---- Single values. */

/* A value of a type, chosen by the name of its attribute and the learned constraints; `turn`
 * selects one of several. Never null. */
const lc_value *lc_make_value(lc_arena *arena, const lc_type *type, lc_str name,
                              const lc_wish *wish, unsigned turn);
/* A string that a regular expression accepts; "" if it is too difficult. */
lc_str lc_text_of_pattern(lc_arena *arena, lc_str pattern);
/* A string for the format that a message in lower case names: "not valid RFC3339"; "" if it names
 * none. */
lc_str lc_text_of_words(lc_str message);

/* ---- Learning. */

/* Changes the tree according to an error of validate or plan. False: nothing could be learned from
 * it. */
struct lc_call;
bool lc_form_learn(lc_arena *arena, lc_slot *root, const struct lc_call *call);

#endif
