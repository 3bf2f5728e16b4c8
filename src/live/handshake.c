/* Reads the handshake as go-plugin's client does, without its net/rpc and TLS. */
#include "live/handshake.h"
#include "lifecheck/base/ascii.h"
#include "lifecheck/base/utf8.h"

#include <arpa/inet.h>
#include <string.h>

/* CORE, PROTOCOL, NETWORK, ADDRESS, TYPE, CERT and what may be added. */
enum { CORE, PROTOCOL, NETWORK, ADDRESS, TYPE, CERT, FIELDS };
/* Go-plugin takes a shorter text for no certificate. */
#define SHORTEST_CERT 51
#define QUOTED        100

lc_str lc_quote_foreign(lc_arena *arena, lc_str text)
{
    bool cut = text.len > QUOTED;
    lc_str copy = lc_str_copy(arena, lc_str_sub(text, 0, cut ? QUOTED : text.len));
    /* Do not cut within a character. */
    for (int i = 0; cut && i < 3 && ((unsigned char)text.ptr[copy.len] & 0xC0) == 0x80; i++)
        copy.len--;
    copy.len = lc_utf8_replace_controls((char *)(uintptr_t)copy.ptr, copy.len, "");
    return lc_str_printf(arena, "\"%.*s%s\"", LC_FMT(copy), cut ? "..." : "");
}

static lc_str trimmed(lc_str line)
{
    while (line.len > 0 && lc_is_space(line.ptr[line.len - 1]))
        line.len--;
    while (line.len > 0 && lc_is_space(line.ptr[0]))
        line = lc_str_sub(line, 1, line.len);
    return line;
}

/* Splits at vertical bars; further fields are not looked at. Returns how many there are. */
static size_t split(lc_str fields[FIELDS], lc_str line)
{
    size_t count = 0, from = 0;
    while (count < FIELDS && from <= line.len) {
        size_t bar = lc_str_find(line, from, '|');
        fields[count++] = lc_str_sub(line, from, bar);
        from = bar + 1;
    }
    return count;
}

static bool all_digits(lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!lc_is_digit(text.ptr[i]))
            return false;
    }
    return text.len > 0;
}

bool lc_is_tcp_address(lc_str text)
{
    size_t colon = text.len;
    while (colon > 0 && text.ptr[colon - 1] != ':')
        colon--;
    lc_str port = lc_str_sub(text, colon, text.len);
    return colon > 1 && port.len <= 5 && all_digits(port);
}

/* 0.0.0.0 and :: mean all addresses of this machine. */
static bool is_own_ip(const char *host)
{
    struct in6_addr six;
    struct in_addr four;
    if (inet_pton(AF_INET, host, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127 || four.s_addr == 0;
    if (inet_pton(AF_INET6, host, &six) != 1)
        return false;
    return IN6_IS_ADDR_LOOPBACK(&six) || IN6_IS_ADDR_UNSPECIFIED(&six) ||
           (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

bool lc_is_own_address(lc_str text)
{
    char host[INET6_ADDRSTRLEN] = {0};
    size_t to = text.len;
    while (to > 0 && text.ptr[to - 1] != ':')
        to--;
    lc_str name = lc_str_sub(text, 0, to ? to - 1 : 0);
    if (name.len > 2 && name.ptr[0] == '[' && name.ptr[name.len - 1] == ']')
        name = lc_str_sub(name, 1, name.len - 1);
    if (lc_str_is(name, "localhost"))
        return true;
    if (name.len >= sizeof host)
        return false;
    memcpy(host, name.ptr, name.len);
    return is_own_ip(host);
}

static bool is_address(lc_str text, bool tcp)
{
    return text.len > 0 && lc_str_find(text, 0, '\0') == text.len &&
           (!tcp || lc_is_tcp_address(text));
}

/* What is wrong with the fields; NULL: nothing. *at is the field to quote. */
static const char *mistake(const lc_str fields[FIELDS], size_t *at)
{
    bool tcp = lc_str_is(fields[NETWORK], "tcp");
    *at = CORE;
    if (!lc_str_is(fields[CORE], "1"))
        return "the core version of the handshake is %s and not 1";
    *at = PROTOCOL;
    if (!lc_str_is(fields[PROTOCOL], "5") && !lc_str_is(fields[PROTOCOL], "6"))
        return "the provider speaks protocol %s, and not 5 or 6";
    *at = NETWORK;
    if (!tcp && !lc_str_is(fields[NETWORK], "unix"))
        return "the provider listens on a network %s, and not on unix or tcp";
    *at = ADDRESS;
    if (!is_address(fields[ADDRESS], tcp))
        return "the provider listens at %s, which is not an address";
    if (tcp && !lc_is_own_address(fields[ADDRESS]))
        return "the provider listens at %s, which is not on this machine: nothing is sent there";
    *at = TYPE;
    if (!lc_str_is(fields[TYPE], "grpc"))
        return "the provider speaks %s, and not gRPC";
    return NULL;
}

static bool refuse(lc_arena *arena, const char *what, lc_str field, lc_str *why)
{
    lc_str quoted = lc_quote_foreign(arena, field);
    const char *at = strstr(what, "%s");
    lc_str before = {what, (size_t)(at - what)};
    *why = lc_str_printf(arena, "%.*s%.*s%s", LC_FMT(before), LC_FMT(quoted), at + 2);
    return false;
}

bool lc_handshake_read(lc_handshake *out, lc_arena *arena, lc_str line, lc_str *why)
{
    lc_str fields[FIELDS] = {{NULL, 0}}, text = trimmed(line);
    size_t count = split(fields, text), at;
    if (line.len > LC_HANDSHAKE_MAX || count <= ADDRESS || !all_digits(fields[CORE]))
        return refuse(arena, "the program printed %s, which is not a handshake of a provider", text,
                      why);
    if (count <= TYPE)
        fields[TYPE] = LC_STR("netrpc"); /* what go-plugin takes it for */
    const char *what = mistake(fields, &at);
    if (what)
        return refuse(arena, what, fields[at], why);
    if (fields[CERT].len >= SHORTEST_CERT) {
        *why = LC_STR("the provider requires TLS, which was not requested");
        return false;
    }
    *out = (lc_handshake){.protocol = fields[PROTOCOL].ptr[0] - '0',
                          .tcp = lc_str_is(fields[NETWORK], "tcp"),
                          .address = fields[ADDRESS]};
    return true;
}
