/* JSON documents for output, as trees of cJSON.
 *
 * cJSON's strings end at a NUL and its numbers are doubles, so strings and numbers are added as raw
 * text that is escaped here. With the checked allocator no call can fail for lack of memory, so a
 * failure is a bug. */
#include "lifecheck/yaml_json/document.h"
#include "lifecheck/base/arena.h"
#include "lifecheck/base/bug.h"

#include "lifecheck/base/utf8.h"

#include <cJSON.h>
#include <string.h>

void lc_doc_install(void)
{
    cJSON_Hooks hooks = {lc_heap_alloc, lc_heap_free};
    cJSON_InitHooks(&hooks);
}

static lc_doc *as_doc(cJSON *item)
{
    LC_ASSERT(item != NULL);
    return (lc_doc *)item;
}

static cJSON *as_item(lc_doc *doc)
{
    return (cJSON *)doc;
}

lc_doc *lc_doc_object(void)
{
    return as_doc(cJSON_CreateObject());
}

lc_doc *lc_doc_array(void)
{
    return as_doc(cJSON_CreateArray());
}

static lc_doc *add(lc_doc *parent, const char *key, lc_doc *child)
{
    cJSON_bool added = key ? cJSON_AddItemToObjectCS(as_item(parent), key, as_item(child))
                           : cJSON_AddItemToArray(as_item(parent), as_item(child));
    LC_ASSERT(added);
    return child;
}

lc_doc *lc_doc_add_object(lc_doc *parent, const char *key)
{
    return add(parent, key, lc_doc_object());
}

lc_doc *lc_doc_add_array(lc_doc *parent, const char *key)
{
    return add(parent, key, lc_doc_array());
}

/* Adds raw JSON text and releases the buffer. */
static void add_text(lc_doc *parent, const char *key, lc_buf *json)
{
    lc_buf_add_char(json, '\0');
    add(parent, key, as_doc(cJSON_CreateRaw(json->ptr)));
    lc_buf_release(json);
}

void lc_doc_add_raw(lc_doc *parent, const char *key, lc_str json)
{
    lc_buf text = {0};
    lc_buf_add_str(&text, json);
    add_text(parent, key, &text);
}

void lc_doc_add_str(lc_doc *parent, const char *key, lc_str text)
{
    lc_buf json = {0};
    lc_buf_add_json(&json, text, false);
    add_text(parent, key, &json);
}

void lc_doc_add_c(lc_doc *parent, const char *key, const char *text)
{
    if (text)
        lc_doc_add_str(parent, key, lc_str_from_c(text));
    else
        lc_doc_add_null(parent, key);
}

void lc_doc_add_strs(lc_doc *parent, const char *key, const lc_str *texts, size_t count)
{
    lc_doc *list = lc_doc_add_array(parent, key);
    for (size_t i = 0; i < count; i++)
        lc_doc_add_str(list, NULL, texts[i]);
}

void lc_doc_add_uint(lc_doc *parent, const char *key, uint64_t n)
{
    lc_buf json = {0};
    lc_buf_add_uint(&json, n);
    add_text(parent, key, &json);
}

void lc_doc_add_bool(lc_doc *parent, const char *key, bool b)
{
    add(parent, key, as_doc(cJSON_CreateBool(b)));
}

void lc_doc_add_null(lc_doc *parent, const char *key)
{
    add(parent, key, as_doc(cJSON_CreateNull()));
}

/* Control characters that cJSON leaves as they are are escaped, so that reports cannot control a
 * terminal. */
void lc_doc_print(lc_buf *out, lc_doc *doc)
{
    char *text = cJSON_PrintUnformatted(as_item(doc));
    LC_ASSERT(text != NULL);
    lc_buf_add_inert_json(out, lc_str_from_c(text));
    cJSON_free(text);
    cJSON_Delete(as_item(doc));
}
