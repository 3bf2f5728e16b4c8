/* The steps that the readers of MessagePack and of cty JSON share: regardless of the encoding,
 * go-cty makes values by the same rules, and our limits are the same. */
#include "codec/internal.h"
#include "lifecheck/base/bug.h"
#include "lifecheck/base/limits.h"

void lc_codec_builder_init(lc_codec_builder *b, lc_decoder *decoder, lc_wire_result *result)
{
    *b = (lc_codec_builder){.arena = decoder->arena, .decoder = decoder};
    lc_codec_trouble_init(&b->trouble, b->arena, &result->problem);
    result->notes = 0;
}

bool lc_codec_refuse_count(lc_codec_trouble *trouble, size_t at, const char *what)
{
    return lc_codec_refuse(trouble, LC_WIRE_ACCEPTS, at, "more than %d %s", LC_MAX_NODES, what);
}

bool lc_codec_refuse_depth(lc_codec_trouble *trouble, size_t at)
{
    return lc_codec_refuse(trouble, LC_WIRE_ACCEPTS, at, "nested deeper than %d levels",
                           LC_MAX_DEPTH);
}

/* ---- Numbers. */

bool lc_codec_number_from_text(lc_codec_builder *b, lc_num *out, lc_str text, size_t at)
{
    switch (lc_num_from_text(out, b->arena, text, LC_MAX_DIGITS)) {
    case LC_NUM_OK:
        return true;
    case LC_NUM_BAD:
        return lc_codec_refuse(&b->trouble, LC_WIRE_REFUSED, at,
                               "a number is required, found a string that is not a number");
    case LC_NUM_OVERFLOW:
        return lc_codec_refuse(&b->trouble, LC_WIRE_REFUSED, at,
                               "the exponent of the number is too large");
    case LC_NUM_TOO_LONG:
        return lc_codec_refuse(&b->trouble, LC_WIRE_ACCEPTS, at,
                               "the number has more than %d digits", LC_MAX_DIGITS);
    }
    LC_UNREACHABLE();
}

/* ---- Containers. */

/* Only where an element type is dynamic can elements differ in type; go-cty panics then. */
static bool refuse_mixed(lc_codec_builder *b, const lc_codec_container *c)
{
    return lc_codec_refuse(&b->trouble, LC_WIRE_CRASHES, c->at,
                           "the elements of %s are of different types",
                           lc_codec_type_word(c->want));
}

bool lc_codec_set_sequence(lc_codec_builder *b, lc_value *slot, const lc_codec_container *c,
                           lc_value *elems, size_t count)
{
    const lc_type *want = c->want;
    if (want->kind == LC_TYPE_TUPLE) {
        /* A known tuple has the type of its elements, also where the target type was written as
         * null. */
        lc_value_set_tuple(slot, b->arena, count ? want : &lc_type_empty_tuple, elems, count);
        return true;
    }
    if (want->kind == LC_TYPE_LIST)
        return lc_value_set_list(slot, b->arena, want, elems, count) || refuse_mixed(b, c);
    if (!lc_value_set_set(slot, b->arena, want, elems, count))
        return refuse_mixed(b, c);
    if (slot->count < count)
        b->notes |= LC_WIRE_NOTE_DUPLICATES | (b->zeros > c->zeros ? LC_WIRE_NOTE_ZEROS : 0);
    return true;
}

bool lc_codec_set_map(lc_codec_builder *b, lc_value *slot, const lc_codec_container *c,
                      lc_str *keys, lc_value *elems, size_t count)
{
    if (!lc_value_set_map(slot, b->arena, c->want, keys, elems, count))
        return refuse_mixed(b, c);
    if (slot->count < count)
        b->notes |= LC_WIRE_NOTE_DUPLICATES;
    return true;
}

lc_value *lc_codec_new_attrs(lc_codec_builder *b, const lc_type *object)
{
    lc_value *elems = LC_NEW_ARRAY(b->arena, lc_value, object->count);
    for (uint32_t i = 0; i < object->count; i++)
        elems[i].type = NULL;
    return elems;
}

bool lc_codec_look_up_attr(lc_codec_builder *b, const lc_type *object, uint32_t *index, lc_str name,
                           size_t at)
{
    long found = lc_type_attr_index(object, name);
    if (found < 0)
        return lc_codec_refuse_name(&b->trouble, LC_WIRE_REFUSED, at, "unsupported attribute ",
                                    name, "");
    *index = (uint32_t)found;
    return true;
}
