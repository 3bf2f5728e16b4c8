/* rsadecrypt: what was encrypted by PKCS #1 v1.5 for a private key in PEM. */
#include "configuration/functions/texts/texts.h"

#include "lifecheck/base/ascii.h"

#include <nettle/asn1.h>
#include <nettle/bignum.h>
#include <nettle/rsa.h>
#include <string.h>

/* ---- PEM. */

typedef struct pem {
    lc_str type;  /* the label after BEGIN */
    lc_str bytes; /* decoded */
    bool encrypted;
} pem;

static lc_str next_line(lc_str text, size_t *at)
{
    size_t from = *at, end = lc_str_find(text, from, '\n');
    *at = end + 1;
    while (end > from &&
           (text.ptr[end - 1] == '\r' || text.ptr[end - 1] == ' ' || text.ptr[end - 1] == '\t'))
        end--;
    return lc_str_sub(text, from, end);
}

/* The label between `head` and five hyphens; false: it is another line. */
static bool framed(lc_str line, lc_str head, lc_str *out)
{
    lc_str dashes = LC_STR("-----");
    if (line.len < head.len + dashes.len || !lc_str_starts_with(line, head) ||
        !lc_str_ends_with(line, dashes))
        return false;
    *out = lc_str_sub(line, head.len, line.len - dashes.len);
    return true;
}

/* Reads up to the line that ends a block of the type. */
static bool read_body(lc_fn_call *c, lc_str text, size_t *at, pem *out)
{
    lc_buf body = {0};
    lc_str type;
    bool ended = false, ok = true;
    while (*at < text.len && !ended) {
        lc_str line = next_line(text, at);
        ended = framed(line, LC_STR("-----END "), &type);
        if (ended)
            ok = lc_str_eq(type, out->type);
        else if (lc_str_find(line, 0, ':') < line.len)
            out->encrypted |= lc_str_starts_with(line, LC_STR("DEK-Info"));
        else
            lc_buf_add_str(&body, line);
    }
    ok = ok && ended && lc_fn_from_base64(c, lc_buf_copy(c->e->arena, &body), &out->bytes);
    lc_buf_release(&body);
    return ok;
}

/* The first block that can be read. */
static bool read_pem(lc_fn_call *c, lc_str text, pem *out)
{
    for (size_t at = 0; at < text.len;) {
        *out = (pem){.encrypted = false};
        if (framed(next_line(text, &at), LC_STR("-----BEGIN "), &out->type) &&
            read_body(c, text, &at, out))
            return true;
    }
    return false;
}

/* ---- Keys. */

typedef struct pair {
    struct rsa_public_key shared;
    struct rsa_private_key secret;
} pair;

/* PKCS #8: a version, the algorithm, and the key itself in a string of bytes. */
static bool read_pkcs8(pair *key, lc_str bytes)
{
    static const uint8_t rsa[] = {0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01};
    struct asn1_der_iterator i, algorithm;
    return asn1_der_iterator_first(&i, bytes.len, (const uint8_t *)bytes.ptr) ==
               ASN1_ITERATOR_CONSTRUCTED &&
           i.type == ASN1_SEQUENCE &&
           asn1_der_decode_constructed_last(&i) == ASN1_ITERATOR_PRIMITIVE &&
           i.type == ASN1_INTEGER && asn1_der_iterator_next(&i) == ASN1_ITERATOR_CONSTRUCTED &&
           i.type == ASN1_SEQUENCE &&
           asn1_der_decode_constructed(&i, &algorithm) == ASN1_ITERATOR_PRIMITIVE &&
           algorithm.type == ASN1_IDENTIFIER && algorithm.length == sizeof rsa &&
           memcmp(algorithm.data, rsa, sizeof rsa) == 0 &&
           asn1_der_iterator_next(&i) == ASN1_ITERATOR_PRIMITIVE && i.type == ASN1_OCTETSTRING &&
           rsa_keypair_from_der(&key->shared, &key->secret, 0, i.length, i.data);
}

static bool read_key(pair *key, const pem *block)
{
    if (block->encrypted)
        return false;
    if (lc_str_is(block->type, "RSA PRIVATE KEY"))
        return rsa_keypair_from_der(&key->shared, &key->secret, 0, block->bytes.len,
                                    (const uint8_t *)block->bytes.ptr);
    return lc_str_is(block->type, "PRIVATE KEY") && read_pkcs8(key, block->bytes);
}

/* Go refuses keys that are shorter than this. */
#define LEAST_BITS 1024
#define MOST_BITS  16384

static bool decrypt(lc_fn_call *c, const struct rsa_private_key *key, lc_str bytes)
{
    mpz_t number;
    size_t length = key->size;
    if (key->size * 8 < LEAST_BITS || bytes.len > key->size)
        return lc_fn_fail(c, "the string was not encrypted for this key");
    uint8_t *message = lc_arena_alloc(c->e->arena, key->size);
    nettle_mpz_init_set_str_256_u(number, bytes.len, (const uint8_t *)bytes.ptr);
    bool ok = rsa_decrypt(key, &length, message, number);
    mpz_clear(number);
    return ok ? lc_fn_give_text(c, (lc_str){(const char *)message, length})
              : lc_fn_fail(c, "the string was not encrypted for this key");
}

bool lc_fn_rsadecrypt(lc_fn_call *c)
{
    lc_str bytes;
    pem block;
    pair key;
    if (!lc_fn_from_base64(c, lc_fn_text(c, 0), &bytes))
        return lc_fn_bad_argument(c, 0, "the string is not Base64");
    if (!read_pem(c, lc_fn_text(c, 1), &block))
        return lc_fn_bad_argument(c, 1, "the string is not a private key in PEM");
    if (lc_str_is(block.type, "OPENSSH PRIVATE KEY"))
        return lc_fn_give_undecided(c, "keys in the format of OpenSSH are not read");
    rsa_public_key_init(&key.shared);
    rsa_private_key_init(&key.secret);
    bool ok = read_key(&key, &block) && rsa_private_key_prepare(&key.secret) &&
              key.secret.size * 8 <= MOST_BITS;
    ok = ok ? decrypt(c, &key.secret, bytes)
            : lc_fn_bad_argument(c, 1, "the string is not a private RSA key that is not encrypted");
    rsa_public_key_clear(&key.shared);
    rsa_private_key_clear(&key.secret);
    return ok;
}
