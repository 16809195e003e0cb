#include "neardup/report/page.h"

namespace neardup::report {

// Colours are named once, for light and for dark; all text has a contrast of at least 4.5 on what it stands on.
std::string_view page_style() {
  return R"css(:root {
  color-scheme: light dark;
  --ground: #f6f7f8; --paper: #ffffff; --ink: #1a1e24; --soft: #57606a; --line: #dfe3e8; --tint: #eef1f4;
  --kept: #3f7fb5; --near: #e08a1e; --contained: #2f8f6b; --exact: #b8447c; --rejected: #8a929b; --link: #1f5f99;
  --ins: #d9f2df; --ins-ink: #0b5122; --del: #fde0dc; --del-ink: #8c1d13;
  --warn: #fff6dc; --warn-line: #d9a514; --warn-ink: #4d3a00;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101418; --paper: #181d23; --ink: #e4e8ec; --soft: #a0aab4; --line: #2c343d; --tint: #222930;
    --kept: #5a9bd0; --near: #f0a24a; --contained: #57c29a; --exact: #dc74a6; --rejected: #7f8993; --link: #8cc0ee;
    --ins: #143d24; --ins-ink: #a9ecbd; --del: #512019; --del-ink: #ffc9c0;
    --warn: #2e270f; --warn-line: #b98d17; --warn-ink: #f4e2ab;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 var(--sans); }
main { max-width: 1120px; margin: 0 auto; padding: 28px 24px 48px; }
h1 { font-size: clamp(1.7rem, 4.4vw, 2.6rem); line-height: 1.15; letter-spacing: -.02em; margin: .2em 0 .3em; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .6em; }
h3 { font-size: 1rem; margin: 1.4em 0 .5em; }
p { margin: 0 0 .8em; max-width: 75ch; }
h1, h2, h3, p, li, figcaption, summary { overflow-wrap: anywhere; }
code, pre { font-family: var(--mono); font-size: .86em; overflow-wrap: anywhere; }
code { unicode-bidi: isolate; }
a { color: var(--link); }
b.hidden { font: 600 .72em/1 var(--mono); color: var(--soft); border: 1px dashed var(--soft); border-radius: 3px; padding: 0 .25em; unicode-bidi: isolate; }
section, header, .warnings { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 24px 28px; margin: 0 0 20px; }
.brand { color: var(--soft); font-size: .9rem; margin: 0; max-width: none; display: flex; flex-wrap: wrap; gap: 0 .5em; }
.brand b { color: var(--ink); }
.brand time { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.lead { font-size: 1.1rem; color: var(--soft); max-width: 78ch; margin-bottom: 1.2em; text-wrap: pretty; }

svg.split { display: block; border-radius: 4px; background: var(--tint); }
header > svg.split { height: 18px; border-radius: 6px; }
header > svg.split rect { height: 18px; }
rect.kept { fill: var(--kept); } rect.near { fill: var(--near); } rect.contained { fill: var(--contained); } rect.exact { fill: var(--exact); } rect.rejected { fill: var(--rejected); }
rect.time { fill: var(--kept); }

.tiles { display: grid; grid-template-columns: repeat(6, 1fr); gap: 10px; margin: 18px 0 0; }
.tile { display: flex; flex-direction: column; padding: 4px 0 4px 12px; border-inline-start: 4px solid var(--line); }
.tile.kept { border-color: var(--kept); } .tile.near { border-color: var(--near); } .tile.contained { border-color: var(--contained); } .tile.exact { border-color: var(--exact); } .tile.rejected { border-color: var(--rejected); }
.tile dt { color: var(--soft); font-size: .85rem; }
.tile dd { margin: 0; font-size: 1.45rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; letter-spacing: -.01em; overflow-wrap: anywhere; }
.tile small { display: block; color: var(--soft); font-size: .8rem; font-weight: 400; letter-spacing: 0; }
.facts { list-style: none; display: flex; flex-wrap: wrap; gap: .2em 1.4em; margin: 20px 0 0; padding: 14px 0 0; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
.facts b { color: var(--ink); font-variant-numeric: tabular-nums; }

nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 20px; }
nav a { font-size: .88rem; text-decoration: none; padding: .3em .8em; border: 1px solid var(--line); border-radius: 999px; background: var(--paper); }
nav a:hover { border-color: var(--link); }
section { scroll-margin-top: 12px; }

.warnings { background: var(--warn); border-color: var(--warn-line); border-inline-start-width: 5px; color: var(--warn-ink); padding-block: 18px; }
.warnings h2 { font-size: 1.05rem; margin-bottom: .4em; }
.warnings ul { margin: 0; padding-inline-start: 1.2em; }
.warnings li { margin: .3em 0; overflow-wrap: anywhere; max-width: 85ch; }

.charts { display: grid; grid-template-columns: minmax(0, 1.2fr) minmax(0, 1.2fr) minmax(0, .8fr); gap: 30px 44px; }
figure { margin: 0; min-width: 0; }
figcaption { font-weight: 600; margin-bottom: .3em; }
svg.bars { display: block; overflow: visible; font: 12px var(--sans); }
svg.bars text { text-anchor: middle; font-variant-numeric: tabular-nums; }
svg.bars .value { fill: var(--ink); font-size: 11.5px; }
svg.bars.wide .value, svg.bars.wide .tick { font-size: 10px; letter-spacing: -.03em; }
svg.bars .tick { fill: var(--soft); }
svg.bars .slot { fill: transparent; }
svg.bars .bar { fill: var(--near); }
svg.bars g:hover .slot { fill: var(--tint); }
figure:nth-child(3) .bar { fill: var(--kept); }
svg.bars line.mark { stroke: var(--ink); stroke-opacity: .75; stroke-width: 1.5; stroke-dasharray: 5 4; }
svg.bars line:not(.mark) { stroke: var(--soft); stroke-opacity: .6; }
.axis, .nothing { color: var(--soft); font-size: .85rem; text-align: center; margin: .2em auto 0; }
.nothing { padding: 40px 10px; background: var(--tint); border-radius: 8px; max-width: none; }

table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: end; padding: .5em 0 .5em 1em; border-bottom: 1px solid var(--line); vertical-align: middle; white-space: nowrap; font-weight: 400; }
th:first-child { text-align: start; padding-inline-start: 0; white-space: normal; overflow-wrap: anywhere; }
tbody th:first-child, tfoot th:first-child { width: 52%; }
th > div { display: grid; grid-template-columns: minmax(0, 1.6fr) minmax(0, 1fr); gap: 2px 16px; align-items: center; }
thead th { color: var(--soft); font-size: .82rem; font-weight: 600; border-bottom-color: var(--soft); vertical-align: bottom; }
thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
thead button::after { content: "\2009\2195"; opacity: .45; }
thead [aria-sort=ascending] button::after { content: "\2009\2191"; opacity: 1; }
thead [aria-sort=descending] button::after { content: "\2009\2193"; opacity: 1; }
tfoot th span { color: var(--soft); }
table.tallies td:nth-child(2) { font-weight: 650; }
.legend { display: flex; flex-wrap: wrap; gap: .2em 1.2em; font-size: .88rem; color: var(--soft); }
.legend span::before { content: ""; display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-inline-end: .4em; vertical-align: -.05em; }
.legend .kept::before { background: var(--kept); } .legend .near::before { background: var(--near); } .legend .contained::before { background: var(--contained); } .legend .exact::before { background: var(--exact); } .legend .rejected::before { background: var(--rejected); }

.clusters { list-style: none; margin: 0; padding: 0; }
.clusters li { display: grid; grid-template-columns: 8.5em minmax(0, 1fr); gap: 4px 20px; padding: 16px 0; border-top: 1px solid var(--line); break-inside: avoid; }
.clusters .size { font-size: .85rem; color: var(--soft); margin: 0; line-height: 1.35; }
.clusters .size b { display: block; font-size: 1.45rem; color: var(--ink); line-height: 1.15; font-variant-numeric: tabular-nums; }
.clusters .size span { display: block; }
.clusters p { max-width: none; margin: 0 0 .4em; }
blockquote { margin: 0 0 .6em; padding: .1em 0 .1em 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--line); color: var(--soft); font-size: .93rem; line-height: 1.45; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
details { border-top: 1px solid var(--line); padding-top: 14px; }
summary { cursor: pointer; color: var(--link); }
details.more { margin: 0 0 18px; } details.more > summary { margin-bottom: 12px; }
details > ol { margin-top: 14px !important; }
.kept-id > span, .members > span:first-child, .ids span { color: var(--soft); font-size: .78rem; margin-inline-end: .4em; }
.members { line-height: 1.4; }
.members code { display: inline-block; font-size: .76em; background: var(--tint); border-radius: 4px; padding: 0 .4em; margin: 0 .1em .25em 0; max-width: 100%; }
.members > span:last-child { color: var(--soft); font-size: .88rem; }

ins, del { border-radius: 3px; padding: .05em .15em; margin: 0 -.05em; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
ins { background: var(--ins); color: var(--ins-ink); text-decoration: underline; text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentColor 50%, transparent); text-underline-offset: .2em; }
del { background: var(--del); color: var(--del-ink); text-decoration: underline dashed; text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentColor 60%, transparent); text-underline-offset: .2em; }
.filter { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 0 0 16px; color: var(--soft); font-size: .9rem; }
.filter[hidden], .pair[hidden], .clusters li[hidden] { display: none; }
.pair h3 .link { margin-inline-start: auto; text-decoration: none; }
.why { max-width: none; margin: 0; padding: 8px 16px; border-top: 1px solid var(--line); font-size: .85rem; color: var(--soft); display: flex; gap: .8em; align-items: baseline; }
.why code { flex: 1; min-width: 0; }
.copy { font: inherit; font-size: .82rem; color: var(--link); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .15em .7em; cursor: pointer; }
.pair:target, .clusters li:target { outline: 2px solid var(--link); outline-offset: 2px; }
.filter input, .filter select { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: .4em .7em; }
.filter input { flex: 0 1 20em; min-width: 0; }
.pair { border: 1px solid var(--line); border-radius: 10px; margin: 0 0 18px; overflow: hidden; }
.pair h3 { display: flex; flex-wrap: wrap; gap: .2em 1em; align-items: center; margin: 0; padding: 10px 16px; background: var(--tint); font-weight: 400; font-size: .9rem; }
.badge { font-size: .82rem; padding: .05em .6em; border-radius: 999px; border: 1.5px solid; }
.badge.near { border-color: var(--near); } .badge.contained { border-color: var(--contained); } .badge.exact { border-color: var(--exact); }
.ids, .hunk { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
.ids { border-bottom: 1px solid var(--line); }
.ids p { margin: 0; padding: 8px 16px; max-width: none; line-height: 1.35; }
.ids p + p, .side + .side { border-left: 1px solid var(--line); }
.hunk.one { grid-template-columns: 1fr; }
.side { padding: 10px 16px; font-size: .92rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; text-align: start; }
.side:empty::after { content: "\2014"; color: var(--soft); }
.cut { color: var(--soft); font-size: .85em; background: var(--paper); border-radius: 3px; padding: 0 .4em; margin: 0 .3em; display: inline-block; }
.fold { max-width: none; margin: 0; padding: 2px 16px; text-align: center; font-size: .8rem; color: var(--soft); background: var(--ground); border-block: 1px dashed var(--line); }
.fold::before, .fold::after { content: "\2003\22EF\2003"; }
.ids + .fold { border-top: 0; } .fold:last-child { border-bottom: 0; }
.same { margin: 0; padding: 8px 16px 0; color: var(--soft); font-size: .9rem; }

.settings, .help { margin: 0; }
.settings > div { display: grid; grid-template-columns: 8.5em minmax(0, 1fr); gap: 20px; padding: .4em 0; border-bottom: 1px solid var(--line); }
.settings dt, .settings dd span { color: var(--soft); }
.settings dd { margin: 0; } .settings dd code { margin-inline-end: .5em; font-size: .93em; }
pre { margin: 0; padding: 12px 16px; background: var(--tint); border-radius: 8px; white-space: pre-wrap; }
pre.recipe { columns: 26em; column-gap: 2em; }
.help { display: grid; grid-template-columns: 1fr 1fr; gap: 18px 44px; }
.help dt { font-weight: 600; } .help dd { margin: .15em 0 0; color: var(--soft); font-size: .95rem; }
footer { color: var(--soft); font-size: .85rem; text-align: center; padding-top: 8px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }

@media (max-width: 860px) {
  .charts { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .help { grid-template-columns: 1fr; }
  th > div { grid-template-columns: 1fr; }
  .tiles { grid-template-columns: repeat(3, 1fr); gap: 16px 10px; }
}
@media (max-width: 680px) {
  main { padding: 12px 10px 32px; }
  section, header, .warnings { padding: 18px 16px; border-radius: 10px; margin-bottom: 14px; }
  .charts { grid-template-columns: minmax(0, 1fr); }
  .brand time { margin-inline-start: 0; width: 100%; }
  .lead { font-size: 1.02rem; }
  .tiles { grid-template-columns: repeat(2, 1fr); }
  .clusters li { grid-template-columns: 1fr; }
  .clusters .size b, .clusters .size span { display: inline; font-size: 1.1rem; } .clusters .size span { font-size: inherit; }
  .ids, .hunk { grid-template-columns: 1fr; }
  .ids p + p, .side + .side { border-left: 0; border-top: 1px dotted var(--line); }
  .ids p + p { padding-top: 0; border-top: 0; }
  .hunk:not(.one) .side::before { content: attr(data-label); display: block; font-size: .74rem; color: var(--soft); }
  .hunk + .hunk { border-top: 1px solid var(--line); }
  .settings > div { grid-template-columns: 1fr; gap: 0; }
  table.tallies, table.tallies tbody, table.tallies tfoot, table.stages, table.stages tbody { display: block; }
  table.tallies thead, table.stages thead { display: none; }
  table.tallies tr, table.stages tr { display: flex; flex-wrap: wrap; gap: 0 1.1em; padding: .6em 0; border-bottom: 1px solid var(--line); }
  table.tallies th, table.tallies td, table.stages th, table.stages td { border: 0; padding: 0; }
  table.tallies tr th, table.stages tr th { width: 100%; margin-bottom: .25em; }
  table.tallies td::before, table.stages td::before { content: attr(data-label) " "; color: var(--soft); font-size: .82rem; font-weight: 400; }
}
@media print {
  :root {
    --ground: #fff; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #f1f1f1; --link: #000;
    --kept: #3f7fb5; --near: #e08a1e; --contained: #2f8f6b; --exact: #b8447c; --rejected: #8a929b;
    --ins: #d9f2df; --ins-ink: #063; --del: #fde0dc; --del-ink: #711; --warn: #fff6dc; --warn-line: #d9a514; --warn-ink: #000;
  }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  section, header { border: 0; padding: 8px 0; }
  nav, .filter { display: none; }
  h2, h3, .pair h3, .ids { break-after: avoid; }
  figure, tr, pre, .hunk, .tile, .help > div { break-inside: avoid; }
  .charts { grid-template-columns: minmax(0, 1.2fr) minmax(0, 1.2fr) minmax(0, .8fr); gap: 16px; }
  svg.bars .value, svg.bars .tick { font-size: 9px; }
  .tiles { grid-template-columns: repeat(6, 1fr); }
  thead button::after { content: ""; }
  svg, ins, del, .warnings, .badge, .legend span::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace neardup::report
