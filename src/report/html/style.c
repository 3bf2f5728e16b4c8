/* The style sheet of the HTML report. Nothing is loaded from anywhere. */
#include "report/html/internal.h"

static const char *const style[] = {
    ":root{--bg:#fbfbfa;--fg:#1d2125;--dim:#68707a;--line:#d9dde1;--card:#fff;"
    "--code:#f3f4f5;--bad:#b3261e;--badbg:#fdecea;--warn:#8a5a00;--warnbg:#fff4d9;"
    "--good:#1b6e3c;--goodbg:#e6f5ea;--info:#1f5fa8;--infobg:#e8f1fb}\n",
    "@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e3e6e9;--dim:#98a1ab;"
    "--line:#343a41;--card:#1b1f23;--code:#23282d;--bad:#ff8a80;--badbg:#3c1a18;"
    "--warn:#f0c060;--warnbg:#382c10;--good:#7fd39b;--goodbg:#15301f;--info:#8ec1ff;"
    "--infobg:#152a42}}\n",
    ":root{color-scheme:light dark}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0 auto;max-width:80rem;padding:1.5rem;background:var(--bg);"
    "color:var(--fg);font:15px/1.5 system-ui,sans-serif}\n",
    "code,.v,.path{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;"
    "overflow-wrap:anywhere}\n",
    "h1{font-size:1.5rem;margin:0 0 .3rem}h2{font-size:1.15rem;margin:2rem 0 .6rem}"
    "h3{font-size:.95rem;margin:1.2rem 0 .4rem}h4{font-size:.95rem;margin:0}\n",
    "a{color:inherit}p{margin:.3rem 0}.dim{color:var(--dim)}\n",
    ".tallies{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0;padding:0;"
    "list-style:none}\n",
    ".tallies li{border:1px solid var(--line);background:var(--card);border-radius:.5rem;"
    "padding:.35rem .8rem}.tallies b{font-size:1.15rem;margin-right:.35rem}\n",
    ".badge{display:inline-block;border-radius:.35rem;padding:0 .45rem;font-size:.8rem;"
    "font-weight:600;white-space:nowrap}\n",
    ".error{--c:var(--bad);--b:var(--badbg)}.warning{--c:var(--warn);--b:var(--warnbg)}"
    ".info{--c:var(--info);--b:var(--infobg)}.good{--c:var(--good);--b:var(--goodbg)}"
    ".none{--c:var(--dim);--b:var(--code)}\n",
    ".badge,.tallies .error,.tallies .warning,.tallies .good{color:var(--c,var(--fg));"
    "background:var(--b,var(--code))}\n",
    ".scroll{overflow-x:auto}\n",
    "table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;"
    "padding:.25rem .6rem;border-bottom:1px solid var(--line)}th{font-weight:600}\n",
    "thead th{color:var(--dim);font-size:.85rem;border-bottom:2px solid var(--line)}\n",
    ".matrix thead th{vertical-align:bottom}.matrix thead th+th{padding:0 "
    ".2rem;vertical-align:bottom;"
    "text-align:center;white-space:nowrap}.matrix thead span{writing-mode:vertical-rl;"
    "transform:rotate(180deg);font:12px/1.2 ui-monospace,Menlo,Consolas,monospace}\n",
    ".tall{max-height:85vh;overflow-y:auto}.matrix{border-collapse:separate;border-spacing:0}"
    ".matrix thead th{position:sticky;top:0;background:var(--bg);z-index:1}"
    ".matrix th:first-child{position:sticky;left:0;background:var(--bg)}"
    ".matrix thead th:first-child{z-index:2}\n",
    ".matrix th code{white-space:nowrap}.matrix td{text-align:center;padding:.15rem "
    ".35rem;min-width:2rem}.matrix td.error,"
    ".matrix td.warning,.matrix td.info{color:var(--c);background:var(--b);"
    "font-weight:600}.matrix td.good{color:var(--good)}.matrix td.none{color:var(--dim)}\n",
    ".case{border:1px solid var(--line);border-left:.3rem solid var(--c,var(--line));"
    "border-radius:.5rem;background:var(--card);margin:.7rem 0}\n",
    ".case>summary{padding:.55rem .8rem;cursor:pointer}.case>summary b{margin:0 .4rem}\n",
    ".body{padding:0 1rem 1rem}\n",
    ".calls{display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;margin:.4rem 0;padding:0;"
    "list-style:none;counter-reset:call}\n",
    ".calls li{position:relative;border:1px solid var(--line);"
    "border-top:.2rem solid var(--c,var(--line));border-radius:.4rem;"
    "background:var(--bg);padding:.25rem .6rem;font-size:.85rem}\n",
    ".calls li:not(:last-child)::after{content:'\\2192';position:absolute;right:-1.2rem;top:.55rem;"
    "color:var(--dim)}.calls b{display:block}\n",
    ".tree{width:100%;font-size:.85rem}.tree td{max-width:22rem}"
    ".tree td:first-child{white-space:nowrap}.tree .d{color:var(--dim)}\n",
    ".tree td.diff{background:var(--infobg)}"
    ".tree tr.broken>td:first-child{color:var(--bad);font-weight:600;"
    "box-shadow:inset .2rem 0 var(--bad)}\n",
    ".tree td.broken{background:var(--badbg)}.all{margin:.3rem .4rem 0 0}"
    ".all:not(:checked)~.scroll tr.same{display:none}\n",
    ".told{font-size:.85rem;width:100%}.told td{min-width:11rem}"
    ".told td:last-child{min-width:16rem}\n",
    "i{color:var(--dim)}summary{cursor:pointer}\n",
    ".finding{border-left:.25rem solid var(--c);padding:.1rem 0 .1rem .9rem;"
    "margin:1rem 0}.finding.follows{margin-left:1.5rem}.finding:target,"
    ".case:target{outline:2px solid var(--info);outline-offset:4px}\n",
    ".evidence{margin:.5rem 0}.evidence thead th{font-weight:400;border-bottom-width:1px;"
    "white-space:nowrap}.evidence small{display:block}\n",
    ".evidence th.path{font-weight:400;max-width:18rem}.evidence td{max-width:26rem;"
    "min-width:4rem}.evidence td.promised{background:var(--goodbg)}"
    ".evidence td.broken{background:var(--badbg)}\n",
    "mark{background:none;color:inherit;font-weight:700;text-decoration:underline;"
    "text-underline-offset:.2em}\n",
    "dl{margin:.4rem 0;display:grid;grid-template-columns:max-content 1fr;"
    "gap:.15rem .8rem}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}\n",
    "ul.gaps{margin:.3rem 0;padding-left:1.2rem;color:var(--dim);font-size:.88rem}\n",
    "@media(max-width:40rem){body{padding:.8rem}.body{padding:0 .6rem .6rem}"
    ".evidence thead{display:none}.evidence,.evidence tbody,.evidence tr,.evidence th,"
    ".evidence td{display:block;max-width:none}.evidence tr{margin-bottom:.6rem}"
    ".evidence td::before{content:attr(data-c);display:block;color:var(--dim);"
    "font:.8rem/1.4 system-ui,sans-serif}dl{display:block}dt{margin-top:.3rem}"
    ".told thead{display:none}.told,.told tbody,.told tr,.told td{display:block}"
    ".told td{border:0;padding:.1rem 0}.told tr{border-bottom:1px solid var(--line);padding:.4rem "
    "0}"
    ".told td:empty,.told td:has(code:empty){display:none}"
    ".tree td{min-width:7rem}.tree{width:max-content;max-width:none}"
    ".calls{flex-direction:column}.calls li:not(:last-child)::after{content:none}}\n",
    "@media print{.tall{max-height:none}.case{break-inside:avoid}body{max-width:none}}\n",
};

void lc_html_add_style(lc_buf *out)
{
    for (size_t i = 0; i < sizeof style / sizeof style[0]; i++)
        lc_buf_add_c(out, style[i]);
}
