/* Source addresses of providers. Source: ParseProviderSource of terraform-registry-address, which
 * both clients use; host names: svchost.ForComparison. Letters beyond ASCII are all accepted. */
#include "lifecheck/base/ascii.h"
#include "lifecheck/catalog/core_message.h"
#include "lifecheck/configuration/configuration.h"

/* Letters and digits, with dashes only between them. */
static bool is_label(lc_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool dash = c == '-' && i > 0 && i + 1 < text.len;
        if (!lc_is_alnum(c) && c < 0x80 && !dash)
            return false;
    }
    return text.len > 0;
}

/* A namespace or type. */
static bool is_part(lc_str text)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] == '-' && text.ptr[i + 1] == '-')
            return false;
    return is_label(text);
}

/* The digits after the colon of a host. */
static bool is_port(lc_str text)
{
    unsigned long number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!lc_is_digit(text.ptr[i]) || number > UINT16_MAX)
            return false;
        number = number * 10 + (unsigned long)(text.ptr[i] - '0');
    }
    return text.len > 0 && number <= UINT16_MAX;
}

static bool is_host(lc_str text)
{
    size_t colon = lc_str_find(text, 0, ':');
    lc_str name = lc_str_sub(text, 0, colon);
    if (colon < text.len && !is_port(lc_str_sub(text, colon + 1, text.len)))
        return false;
    for (size_t at = 0; at <= name.len;) {
        size_t end = lc_str_find(name, at, '.');
        lc_str label = lc_str_sub(name, at, end);
        if (!is_label(label) || lc_str_starts_with(label, LC_STR("xn--")))
            return false;
        at = end + 1;
    }
    return true;
}

/* The old namespace `-` belongs to the clients' own registries. */
static bool is_registry(lc_str host)
{
    return lc_str_is(host, "registry.terraform.io") || lc_str_is(host, "registry.opentofu.org");
}

const char *lc_provider_source_error(lc_str source)
{
    lc_str parts[3];
    size_t count = 0;
    for (size_t at = 0; at <= source.len;) {
        size_t end = lc_str_find(source, at, '/');
        if (count == 3 || end == at)
            return LC_SUMMARY_PROVIDER_SOURCE;
        parts[count++] = lc_str_sub(source, at, end);
        at = end + 1;
    }
    if (!is_part(parts[count - 1]))
        return LC_SUMMARY_PROVIDER_SOURCE_TYPE;
    if (count == 1)
        return NULL;
    bool old = lc_str_is(parts[count - 2], "-");
    if (!old && !is_part(parts[count - 2]))
        return LC_SUMMARY_PROVIDER_SOURCE_NAMESPACE;
    if (count == 3 && !is_host(parts[0]))
        return LC_SUMMARY_PROVIDER_SOURCE_HOST;
    if (count == 3 && old && !is_registry(parts[0]))
        return LC_SUMMARY_PROVIDER_SOURCE_NAMESPACE;
    return lc_str_starts_with(parts[count - 1], LC_STR("terraform-"))
               ? LC_SUMMARY_PROVIDER_SOURCE_TYPE
               : NULL;
}
