/* Functions that give hashes of strings and files, and what is made of them. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"
#include "lifecheck/configuration/files.h"

#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <string.h>

#define LARGEST SHA512_DIGEST_SIZE

/* The digest of the bytes; its length is that of the hash. */
static void digest(const struct nettle_hash *hash, lc_str bytes, uint8_t out[LARGEST])
{
    void *state = lc_heap_alloc(hash->context_size);
    hash->init(state);
    hash->update(state, bytes.len, (const uint8_t *)bytes.ptr);
    hash->digest(state, hash->digest_size, out);
    lc_heap_free(state);
}

static bool give_digest(lc_fn_call *c, const struct nettle_hash *hash, bool base64, lc_str bytes)
{
    uint8_t out[LARGEST];
    lc_buf hex = {0};
    digest(hash, bytes, out);
    if (base64)
        return lc_fn_give_base64(c, (lc_str){(const char *)out, hash->digest_size});
    for (size_t i = 0; i < hash->digest_size; i++)
        lc_buf_printf(&hex, "%02x", out[i]);
    return lc_fn_give_made(c, &hex);
}

bool lc_fn_md5(lc_fn_call *c)
{
    return give_digest(c, &nettle_md5, false, lc_fn_text(c, 0));
}

bool lc_fn_sha1(lc_fn_call *c)
{
    return give_digest(c, &nettle_sha1, false, lc_fn_text(c, 0));
}

bool lc_fn_sha256(lc_fn_call *c)
{
    return give_digest(c, &nettle_sha256, false, lc_fn_text(c, 0));
}

bool lc_fn_sha512(lc_fn_call *c)
{
    return give_digest(c, &nettle_sha512, false, lc_fn_text(c, 0));
}

bool lc_fn_base64sha256(lc_fn_call *c)
{
    return give_digest(c, &nettle_sha256, true, lc_fn_text(c, 0));
}

bool lc_fn_base64sha512(lc_fn_call *c)
{
    return give_digest(c, &nettle_sha512, true, lc_fn_text(c, 0));
}

/* ---- Files. */

static bool hash_file(lc_fn_call *c, const struct nettle_hash *hash, bool base64)
{
    lc_file_answer file = lc_fn_open(c, lc_fn_text(c, 0), LC_FILE_READ);
    if (file.kind == LC_FILE_REFUSED || file.kind == LC_FILE_SPECIAL)
        return lc_fn_give_unread(c, &file);
    if (file.kind != LC_FILE_REGULAR)
        return lc_fn_fail(c, file.kind == LC_FILE_FOLDER ? "the path is that of a folder"
                                                         : "there is no file at the path");
    bool ok = give_digest(c, hash, base64, file.bytes);
    if (ok)
        lc_fn_hide(c);
    return ok;
}

bool lc_fn_filemd5(lc_fn_call *c)
{
    return hash_file(c, &nettle_md5, false);
}

bool lc_fn_filesha1(lc_fn_call *c)
{
    return hash_file(c, &nettle_sha1, false);
}

bool lc_fn_filesha256(lc_fn_call *c)
{
    return hash_file(c, &nettle_sha256, false);
}

bool lc_fn_filesha512(lc_fn_call *c)
{
    return hash_file(c, &nettle_sha512, false);
}

bool lc_fn_filebase64sha256(lc_fn_call *c)
{
    return hash_file(c, &nettle_sha256, true);
}

bool lc_fn_filebase64sha512(lc_fn_call *c)
{
    return hash_file(c, &nettle_sha512, true);
}

/* ---- UUIDs of names (RFC 4122, version 5). */

#define UUID_BYTES 16

/* 32 hexadecimal digits, with hyphens at the usual places or without. */
static bool read_digits(lc_str text, bool hyphens, uint8_t out[UUID_BYTES])
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (hyphens && (i == 8 || i == 13 || i == 18 || i == 23)) {
            if (text.ptr[i] != '-')
                return false;
            continue;
        }
        int digit = lc_hex_digit(text.ptr[i]);
        if (digit < 0 || digits == 2 * UUID_BYTES)
            return false;
        out[digits / 2] = (uint8_t)(digits % 2 ? out[digits / 2] | digit : digit << 4);
        digits++;
    }
    return digits == 2 * UUID_BYTES;
}

/* As google/uuid reads it: the plain form, after urn:uuid:, in any pair of characters (braces are
 * meant), or digits alone. */
static bool read_uuid(lc_str text, uint8_t out[UUID_BYTES])
{
    static const char urn[] = "urn:uuid:";
    if (text.len == 32)
        return read_digits(text, false, out);
    if (text.len == 38)
        text = lc_str_sub(text, 1, 37);
    else if (text.len == 36 + sizeof urn - 1) {
        for (size_t i = 0; urn[i]; i++)
            if (lc_to_lower(text.ptr[i]) != urn[i])
                return false;
        text = lc_str_sub(text, sizeof urn - 1, text.len);
    }
    return text.len == 36 && read_digits(text, true, out);
}

/* The namespaces that have names differ in one byte. */
static bool read_namespace(lc_str text, uint8_t out[UUID_BYTES])
{
    static const char *const names[] = {"dns", "url", "oid", "", "x500", NULL};
    static const uint8_t dns[UUID_BYTES] = {0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
                                            0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};
    size_t which;
    if (text.len == 0 || !lc_str_is_one_of(text, names, &which))
        return read_uuid(text, out);
    memcpy(out, dns, UUID_BYTES);
    out[3] = (uint8_t)(out[3] + which);
    return true;
}

bool lc_fn_uuidv5(lc_fn_call *c)
{
    uint8_t id[UUID_BYTES], hash[LARGEST];
    lc_buf name = {0}, text = {0};
    if (!read_namespace(lc_fn_text(c, 0), id))
        return lc_fn_fail(c, "the namespace is not a UUID, nor dns, url, oid or x500");
    lc_buf_add(&name, id, UUID_BYTES);
    lc_buf_add_str(&name, lc_fn_text(c, 1));
    digest(&nettle_sha1, lc_buf_str(&name), hash);
    lc_buf_release(&name);
    hash[6] = (uint8_t)((hash[6] & 0x0F) | 0x50);
    hash[8] = (uint8_t)((hash[8] & 0x3F) | 0x80);
    for (size_t i = 0; i < UUID_BYTES; i++)
        lc_buf_printf(&text, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", hash[i]);
    return lc_fn_give_made(c, &text);
}
