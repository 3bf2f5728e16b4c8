/* The style sheet of the HTML report, share/lifecheck/report.css. Nothing is loaded from anywhere.
 */
#include "report/html/internal.h"

static const struct {
    const char *path, *text;
} style[] = {
#include "style.inc"
};

void lc_html_add_style(lc_buf *out)
{
    lc_buf_add_c(out, style[0].text);
}
