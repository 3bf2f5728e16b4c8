/* Hashes for tables, and fingerprints for output.
 *
 * A hash is the folded 128-bit product of two words, each combined with a key that is random in
 * each process: an attacker cannot make an input whose strings all hash to one slot. */
#include "lifecheck/base/str.h"

static uint64_t keys[2] = {0x243F6A8885A308D3u, 0x13198A2E03707344u};

void lc_hash_seed(uint64_t first, uint64_t second)
{
    keys[0] ^= first;
    keys[1] ^= second;
}

/* The 128 bits of a * b, low and high half combined. Not all compilers have a type of 128 bits. */
static uint64_t fold_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t lowest = a0 * b0;
    uint64_t middle = a1 * b0 + (lowest >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    return high ^ (other << 32 | (uint32_t)lowest);
#endif
}

uint64_t lc_hash_mix(uint64_t hash, uint64_t more)
{
    return fold_product(hash ^ keys[0], more ^ keys[1]);
}

/* The same on machines of either byte order. */
static uint64_t word_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Mixes eight bytes at a time; the length is part of the initial value, so that padding does not
 * matter. */
static uint64_t hash_of(lc_str s, uint64_t hash, uint64_t (*mix)(uint64_t, uint64_t))
{
    size_t i = 0;
    for (; i + 8 <= s.len; i += 8)
        hash = mix(hash, word_at(s.ptr + i));
    uint64_t rest = 0;
    for (; i < s.len; i++)
        rest = rest << 8 | (unsigned char)s.ptr[i];
    return mix(hash, rest);
}

uint64_t lc_str_hash(lc_str s)
{
    return hash_of(s, s.len, lc_hash_mix);
}

/* ---- Fingerprints. They are stored in files such as baselines, so the function must never change.
 */

uint64_t lc_fingerprint_join(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    return hash ^ (hash >> 29);
}

uint64_t lc_str_fingerprint(lc_str s)
{
    return hash_of(s, 0x243F6A8885A308D3u + s.len, lc_fingerprint_join);
}
