/* Cases that were judged in another process: of other shards, or by workers. */
#include "cli/checking.h"

#define MOST_SHOWN 12 /* cases that fail, in text: each has a line at the end too */

void lc_take_record(lc_checking *c, lc_outcome *outcome, lc_judged *judged, bool folds)
{
    bool quiet = folds && !c->cli->options.verbose;
    bool full = quiet && !judged->passes && c->shown++ >= MOST_SHOWN;
    judged->repeats = folds ? NULL : outcome->repeats;
    lc_verdict_apply_baseline(judged, &c->policy);
    for (size_t r = 0; r < c->count; r++) {
        lc_report_options *options = &c->options[r];
        bool usual = options->quiet;
        options->quiet |= quiet && options->format == LC_FORMAT_TEXT;
        if (full && options->format == LC_FORMAT_TEXT) {
            if (c->shown == MOST_SHOWN + 1)
                lc_buf_add_c(&outcome->cases[r], "Further findings have a line each below; -v "
                                                 "shows them as well.\n\n");
            options->quiet = usual;
            continue;
        }
        lc_report_case(&outcome->cases[r], options, judged);
        options->quiet = usual;
    }
    lc_lens_case(&outcome->lens, judged);
    lc_summary_add_case(&outcome->summary, judged);
}
