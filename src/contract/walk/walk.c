/* Issues, and the small functions that all walks over values use: parts, elements, trails. */
#include "contract/walk/walk.h"

#include "contract/walk/rebuild.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include <string.h>

static lc_path core_path(lc_path path, size_t from)
{
    if (from > path.count)
        from = path.count;
    return (lc_path){path.steps + from, path.count - from};
}

lc_issue *lc_raise(lc_walk *walk, lc_rule rule, const lc_trail *at, lc_core_progress progress,
                   const char *note)
{
    if (walk->quiet) {
        walk->raised++;
        return NULL;
    }
    lc_issue *issue = LC_PUSH(walk->arena, &walk->issues, lc_issue);
    issue->rule = rule;
    issue->path = lc_path_from_trail(walk->arena, at);
    issue->cores = progress.live;
    issue->masked = progress.masked;
    issue->follows = progress.follows;
    issue->note = lc_str_from_c(note);
    issue->core_path[LC_OPENTOFU] = issue->path;
    issue->core_path[LC_TERRAFORM] = core_path(issue->path, progress.tf_from);
    return issue;
}

/* Cores print whole values even if a secret is inside. Such an argument is replaced as a whole,
 * because a core's text does not show which part of it is secret. A count or word is hidden only at
 * a secret. */
static bool hides(const lc_walk *walk, const lc_issue *issue, const lc_text_arg *arg)
{
    if (!walk->sensitivity)
        return false;
    lc_sensitivity_mark place = lc_sensitivity_at(walk->sensitivity, issue->path);
    if (arg->value && lc_mark_knows_any(place, arg->value))
        return true;
    return place.secret || (arg->value && lc_sensitivity_touched(place));
}

/* Values are printed as Go's %#v prints cty values: findings quote the cores literally. */
static void add_arg(lc_buf *buf, char kind, const lc_text_arg *arg)
{
    switch (kind) {
    case 'v':
        if (arg->value)
            lc_value_add_go(buf, arg->value);
        else
            lc_length_add_go(buf, *arg->length);
        break;
    case 'q':
        lc_buf_add_go_quoted(buf, arg->word);
        break;
    case 'd':
        lc_buf_printf(buf, "%llu", (unsigned long long)arg->count);
        break;
    case 's':
        lc_buf_add_str(buf, arg->word);
        break;
    default:
        LC_UNREACHABLE();
    }
}

void lc_issue_quote(lc_walk *walk, lc_issue *issue, lc_cores cores, lc_core_text message,
                    const lc_text_arg *args, size_t count)
{
    if (!issue)
        return;
    const char *template = lc_core_text_template(message);
    lc_buf *buf = &walk->text;
    lc_buf_clear(buf);
    size_t next = 0;
    for (const char *c = template; *c; c++) {
        size_t plain = strcspn(c, "%");
        lc_buf_add(buf, c, plain);
        c += plain;
        if (!*c)
            break;
        LC_ASSERT(next < count);
        const lc_text_arg *arg = &args[next++];
        c++;
        if (hides(walk, issue, arg)) {
            lc_buf_add_c(buf, "(sensitive value)");
            issue->inexact |= cores;
        } else {
            add_arg(buf, *c, arg);
        }
    }
    lc_str text = lc_buf_copy(walk->arena, buf);
    for (int core = 0; core < LC_CORE_COUNT; core++) {
        if (cores & 1u << core) {
            issue->template[core] = lc_str_from_c(template);
            issue->text[core] = text;
        }
    }
}

void lc_walk_release(lc_walk *walk)
{
    lc_buf_release(&walk->text);
}

lc_core_progress lc_core_progress_after(const lc_walk *walk, lc_core_progress progress,
                                        const lc_issue *issue)
{
    progress.masked |= progress.live;
    progress.live = LC_NO_CORE;
    if (issue && progress.follows < 0)
        progress.follows = (long)(issue - walk->issues.items);
    return progress;
}

/* The type of a part. Below a dynamic attribute the object's own type is more precise than the
 * schema. */
static const lc_type *part_type(const lc_value *whole, uint32_t slot, const lc_type *type)
{
    if (whole->type->kind == LC_TYPE_OBJECT && slot < whole->type->count)
        return whole->type->as.attrs[slot].type;
    return lc_is_unknown(whole) ? whole->type : type;
}

const lc_value *lc_part(lc_walk *walk, const lc_value *whole, uint32_t slot, const lc_type *type)
{
    if (lc_is_known(whole))
        return &whole->as.many.elems[slot];
    lc_value *part = LC_NEW(walk->arena, lc_value);
    if (lc_is_null(whole))
        lc_value_set_null(part, part_type(whole, slot, type));
    else
        lc_value_set_unknown(part, part_type(whole, slot, type));
    return part;
}

const lc_value *lc_item(const lc_value *collection, size_t index)
{
    if (!collection || !lc_is_known(collection) || index >= collection->count)
        return NULL;
    if (collection->type->kind != LC_TYPE_LIST && collection->type->kind != LC_TYPE_TUPLE)
        return NULL;
    return &collection->as.many.elems[index];
}

const lc_value *lc_entry(const lc_value *v, lc_str key)
{
    if (!v || !lc_is_known(v))
        return NULL;
    if (v->type->kind == LC_TYPE_MAP)
        return lc_value_key(v, key);
    return v->type->kind == LC_TYPE_OBJECT ? lc_value_attr(v, key) : NULL;
}

lc_str lc_entry_key(const lc_value *v, size_t index)
{
    return v->type->kind == LC_TYPE_MAP ? v->as.many.keys[index] : v->type->as.attrs[index].name;
}

lc_trail lc_element_trail(const lc_trail *up, const lc_value *collection, size_t index,
                          bool nested_map)
{
    lc_type_kind kind = collection->type->kind;
    if (kind == LC_TYPE_SET)
        return lc_trail_element(up, &collection->as.many.elems[index]);
    if (kind != LC_TYPE_MAP && kind != LC_TYPE_OBJECT)
        return lc_trail_index(up, index);
    lc_trail trail = lc_trail_key(up, lc_entry_key(collection, index));
    trail.step.index = kind == LC_TYPE_OBJECT || nested_map;
    return trail;
}

/* Most maps lose no key, so the pairs are only computed for the first issue. */
static bool are_paired(lc_walk *w, lc_key_issues *keys, const lc_value *promised,
                       const lc_value *broken)
{
    if (keys->asked)
        return keys->any;
    keys->asked = true;
    keys->any = lc_pair_keys(&keys->forms, w->arena, promised, broken);
    keys->issue = LC_NEW_ARRAY(w->arena, long, keys->any ? promised->count : 0);
    for (size_t i = 0; keys->any && i < promised->count; i++)
        keys->issue[i] = -1;
    return keys->any;
}

void lc_issue_of_key(lc_walk *w, lc_key_issues *keys, const lc_value *promised,
                     const lc_value *broken, bool lost, size_t index)
{
    if (w->quiet || (promised->type->kind != LC_TYPE_MAP && promised->type->kind != LC_TYPE_OBJECT))
        return;
    long last = (long)w->issues.count - 1;
    w->issues.items[last].of_key = true;
    if (!are_paired(w, keys, promised, broken))
        return;
    size_t was = lost ? index : keys->forms.was[index];
    if (was == LC_NO_INDEX || keys->forms.now[was] == LC_NO_INDEX)
        return;
    lc_buf_clear(&w->text);
    lc_key_form_add(&w->text, &keys->forms, was);
    w->issues.items[last].key_form = lc_buf_copy(w->arena, &w->text);
    long first = keys->issue[was];
    keys->issue[was] = last;
    lc_issue *follower = first < 0 ? NULL : &w->issues.items[lost ? first : last];
    if (follower && follower->follows < 0)
        follower->follows = lost ? last : first;
}

/* Only blocks are followed: the path may end in an attribute, at which the loop stops. */
lc_path lc_path_by_schema(lc_arena *arena, const lc_block *block, lc_path path)
{
    lc_path out = path;
    lc_step *steps = NULL;
    for (size_t i = 0; i + 1 < path.count && path.steps[i].kind == LC_STEP_ATTR; i++) {
        const lc_block_type *b = lc_block_block(block, path.steps[i].name);
        if (!b)
            break;
        block = b->block;
        if (b->nesting == LC_NESTING_SINGLE || b->nesting == LC_NESTING_GROUP)
            continue;
        i++;
        if (b->nesting != LC_NESTING_MAP || path.steps[i].kind != LC_STEP_ATTR)
            continue;
        if (!steps) {
            steps = LC_NEW_ARRAY(arena, lc_step, path.count);
            memcpy(steps, path.steps, path.count * sizeof *steps);
            out.steps = steps;
        }
        steps[i].kind = LC_STEP_KEY;
        steps[i].index = 1;
    }
    return out;
}

bool lc_fits_block(const lc_value *element, const lc_block *block)
{
    return !lc_is_known(element) || element->type == block->implied ||
           lc_type_conforms(element->type, block->implied);
}

/* The rule response/type reports the shape of the response as a whole. This issue is not reported
 * as a finding: it only marks that the cores crash, and lc_emit_issues adds that to the finding. */
void lc_walk_panic(lc_walk *walk, const lc_trail *at, lc_core_progress progress)
{
    walk->crashed |= progress.live;
    if (walk->quiet)
        return;
    lc_issue *issue =
        lc_raise(walk, LC_RULE_RESPONSE_TYPE, at,
                 (lc_core_progress){LC_NO_CORE, LC_NO_CORE, progress.follows, progress.tf_from},
                 "not the shape that the schema gives these blocks");
    issue->crash = progress.live;
}

const lc_value *lc_walk_as_block(lc_walk *walk, const lc_value *v, const lc_block *block,
                                 const lc_trail *at, lc_core_progress progress)
{
    const lc_value *shaped = lc_as_block(walk->arena, v, block);
    if (!shaped)
        lc_walk_panic(walk, at, progress);
    return shaped;
}

const lc_value *lc_walk_as_nested(lc_walk *walk, const lc_value *v, const lc_nested_type *type,
                                  const lc_trail *at, lc_core_progress progress)
{
    const lc_value *shaped = lc_as_nested(walk->arena, v, type);
    if (!shaped)
        lc_walk_panic(walk, at, progress);
    return shaped;
}

bool lc_holds_blocks(const lc_block_type *type, const lc_value *value)
{
    return !lc_is_known(value) || lc_is_collection_for(type->nesting, value);
}
