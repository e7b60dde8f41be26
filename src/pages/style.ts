const seriesNames = ["1", "2", "3", "4", "5", "6", "7", "good", "warn", "bad", "info", "plain"]

/** The colour of each series of a chart: of a bar, of a line, of its sign in the legend. */
const seriesColours = seriesNames.map((name) =>
  `path.series-${name} { fill: var(--series-${name}); } polyline.series-${name} { stroke: var(--series-${name}); } ` +
  `i.series-${name} { background: var(--series-${name}); }`
).join("\n")

/**
 * The look of all pages: one type scale (12, 13, 15, 18, 24 px), a space of multiples of 4 px, colours by meaning, each
 * in a light and a dark form. Every pair of text and ground has a contrast of 4.5 or more (WCAG 2.2, 1.4.3).
 */
export const style = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0e1116);
  --surface: light-dark(#ffffff, #161b22);
  --sunken: light-dark(#eff1f5, #1d232c);
  --line: light-dark(#dde1e8, #2b323d);
  --edge: light-dark(#80899a, #6b7688);
  --text: light-dark(#161a22, #e8ebf0);
  --muted: light-dark(#545d6c, #a0a9b8);
  --accent: light-dark(#2447c6, #9db4ff);
  --accent-ground: light-dark(#2447c6, #3457d5);
  --good: light-dark(#14663a, #74d6a0);
  --good-ground: light-dark(#e2f4e9, #12291d);
  --warn: light-dark(#7d4a00, #f2bd6b);
  --warn-ground: light-dark(#fdf0d8, #2e230f);
  --bad: light-dark(#a8201a, #ff9d96);
  --bad-ground: light-dark(#fdeae8, #351716);
  --info: light-dark(#1f4a9c, #9ec1ff);
  --info-ground: light-dark(#e6eefc, #152440);
  --series-1: light-dark(#2f6fde, #6d9dff);
  --series-2: light-dark(#0f8f7d, #4cc9b5);
  --series-3: light-dark(#c27a0a, #e5ac4f);
  --series-4: light-dark(#8a55d3, #b593ee);
  --series-5: light-dark(#c4417f, #ee85b3);
  --series-6: light-dark(#56758f, #93b4cf);
  --series-7: light-dark(#7a7d16, #c3c55a);
  --series-good: light-dark(#1f8a52, #4fbf86);
  --series-warn: light-dark(#c27a0a, #e5ac4f);
  --series-bad: light-dark(#cf3a32, #f0766d);
  --series-info: light-dark(#2f6fde, #6d9dff);
  --series-plain: light-dark(#80899a, #7c8799);
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 16px; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
h1, h2, h3, p, dl, dd, figure, ul, ol, pre { margin: 0; }
h1 { font-size: 24px; line-height: 1.25; font-weight: 650; letter-spacing: -0.015em; }
h2 { font-size: 18px; line-height: 1.3; font-weight: 620; letter-spacing: -0.01em; }
h3 { font-size: 15px; font-weight: 620; }
small, .exact { font-size: 12px; color: var(--muted); font-weight: 400; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font: 13px/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
abbr { text-decoration: none; color: var(--muted); font-size: 13px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
.skip { position: absolute; left: 8px; top: -60px; background: var(--surface); padding: 8px 16px; border-radius: 8px; z-index: 2; }
.skip:focus { top: 8px; }

header.site { display: flex; align-items: center; gap: 4px 20px; flex-wrap: wrap; padding: 10px 24px; background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { color: var(--text); font-weight: 650; text-decoration: none; letter-spacing: -0.01em; padding: 6px 0; }
nav.main { flex: 1 1 0; min-width: 0; }
nav.main ul { display: flex; flex-wrap: wrap; gap: 2px; list-style: none; padding: 0; }
nav.main a { display: block; padding: 6px 10px; border-radius: 7px; color: var(--muted); text-decoration: none; font-size: 13px; font-weight: 550; }
nav.main a:hover { background: var(--sunken); color: var(--text); }
nav.main a[aria-current] { background: var(--info-ground); color: var(--info); }
.viewer { display: flex; align-items: center; gap: 12px; font-size: 13px; color: var(--muted); }
.viewer form { margin: 0; }
main { max-width: 1240px; margin: 0 auto; padding: 28px 24px 72px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; }
main > .above { margin-bottom: -20px; font-size: 13px; }
.lead { color: var(--muted); max-width: 68ch; margin-top: -16px; }
.card main { max-width: 460px; padding-top: 9vh; }
.card header.site { justify-content: center; }
.columns { display: grid; gap: 24px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); align-items: start; }
.columns > div { display: grid; gap: 24px; grid-template-columns: minmax(0, 1fr); }
.advice { padding-left: 20px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; max-width: 76ch; overflow-wrap: anywhere; }
.pair { white-space: nowrap; }
.pair abbr { color: inherit; font-size: inherit; }

section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 20px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
.heading { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; flex-wrap: wrap; }
.heading > a { font-size: 13px; }
.empty { color: var(--muted); max-width: 68ch; }
.notice { border-radius: 12px; padding: 12px 16px; border: 1px solid; display: grid; gap: 4px; overflow-wrap: anywhere; }
.notice.good, .badge.good { background: var(--good-ground); color: var(--good); }
.notice.warn, .badge.warn { background: var(--warn-ground); color: var(--warn); }
.notice.bad, .badge.bad { background: var(--bad-ground); color: var(--bad); }
.notice.info, .badge.info { background: var(--info-ground); color: var(--info); }
.notice.plain, .badge.plain { background: var(--sunken); color: var(--muted); }
.notice a { color: inherit; font-weight: 600; }
.badge { display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: 12px; font-weight: 600; line-height: 20px; white-space: nowrap; }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.figures > div { background: var(--surface); padding: 14px 20px 16px; }
.figures dt { color: var(--muted); font-size: 13px; }
.figures dd { font-size: 24px; line-height: 1.3; font-weight: 620; letter-spacing: -0.015em; }
.figures small { display: block; letter-spacing: 0; line-height: 1.4; }
.facts { display: grid; gap: 0; }
.facts > div { display: grid; grid-template-columns: minmax(104px, 140px) minmax(0, 1fr); gap: 16px; padding: 8px 0; border-top: 1px solid var(--line); }
.facts > div:first-child { border-top: 0; padding-top: 0; }
.facts > div:last-child { padding-bottom: 0; }
.facts dt { color: var(--muted); }
.amount { white-space: nowrap; }
.facts .amount { white-space: normal; overflow-wrap: anywhere; }

.scroll { position: relative; overflow-x: auto; margin: 0 -20px; padding: 0 20px; }
td code { display: inline-block; min-width: 17ch; }
td .row { flex-wrap: nowrap; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: 12px; font-weight: 600; color: var(--muted); padding: 0 12px 8px; white-space: nowrap; vertical-align: bottom; }
td { padding: 10px 12px; border-top: 1px solid var(--line); vertical-align: top; }
tr > :first-child { padding-left: 0; }
tr > :last-child { padding-right: 0; }
tbody tr:hover td { background: color-mix(in srgb, var(--sunken) 55%, transparent); }
td:first-child > a { white-space: nowrap; }
.number, .numbers tr > * + * { text-align: right; white-space: nowrap; }
time > span { white-space: nowrap; }
td time .exact { display: block; }

button, .button, input, select, textarea { font: inherit; color: inherit; }
button, .button { display: inline-block; border: 1px solid var(--edge); background: var(--surface); border-radius: 8px; padding: 7px 14px; font-size: 13px; font-weight: 600; line-height: 20px; text-decoration: none; color: var(--text); cursor: pointer; }
button:hover, .button:hover { background: var(--sunken); }
button.info { background: var(--accent-ground); border-color: var(--accent-ground); color: #fff; }
button.info:hover { background: color-mix(in srgb, var(--accent-ground) 86%, #000); }
button.bad { color: var(--bad); border-color: currentColor; }
button.quiet { border-color: transparent; background: var(--sunken); color: var(--muted); padding: 2px 9px; font-size: 12px; }
button.quiet:hover { color: var(--text); }
[hidden] { display: none !important; }
input, select, textarea { width: 100%; min-width: 0; background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; padding: 7px 10px; line-height: 20px; height: 36px; }
.field { display: grid; gap: 4px; align-content: start; grid-template-columns: minmax(0, 1fr); }
.field > span { font-size: 13px; font-weight: 600; }
.fault { color: var(--bad); font-weight: 600; }
[aria-invalid] { border-color: var(--bad); }
.check { display: flex; align-items: start; gap: 8px; }
td .check { margin: 4px 0; }
.check input, .checks input { width: 16px; height: 16px; margin: 3px 0 0; flex: none; accent-color: var(--accent-ground); }
.checks { border: 0; padding: 0; margin: 0; display: grid; gap: 4px; min-width: 0; }
.checks legend { font-size: 13px; font-weight: 600; padding: 0; margin-bottom: 4px; }
.stack { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.row .act, td .act { display: inline-block; }
.secret { display: grid; gap: 8px; }
.secret code { font-size: 15px; }
.act { display: grid; gap: 12px; justify-items: start; }
.act .field { width: 100%; max-width: 420px; }
.card .act, .card .act .field, .card .act button { max-width: none; width: 100%; }
.filter { display: grid; grid-template-columns: repeat(auto-fill, minmax(168px, 1fr)); gap: 12px; align-items: end; }
.filter .buttons, .buttons { display: flex; align-items: center; gap: 14px; font-size: 13px; min-height: 36px; flex-wrap: wrap; }
.find { grid-column: span 2; }
.pager { display: flex; gap: 12px; }
.copyable { display: inline-flex; flex-wrap: wrap; align-items: baseline; gap: 4px 10px; }

details > summary { cursor: pointer; color: var(--muted); font-size: 13px; padding: 2px 0; width: fit-content; }
details > summary:hover { color: var(--text); }
details[open] > summary { margin-bottom: 8px; }
pre { background: var(--sunken); border-radius: 8px; padding: 12px; overflow: auto; max-height: 340px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; }
.timeline { list-style: none; padding: 0; display: grid; }
.timeline > li { position: relative; padding: 0 0 20px 26px; display: grid; gap: 4px; grid-template-columns: minmax(0, 1fr); }
.timeline > li::before { content: ""; position: absolute; left: 4px; top: 7px; width: 9px; height: 9px; border-radius: 50%; background: var(--edge); }
.timeline > li::after { content: ""; position: absolute; left: 8px; top: 20px; bottom: -3px; width: 1px; background: var(--line); }
.timeline > li:last-child { padding-bottom: 0; }
.timeline > li:last-child::after { display: none; }
.timeline > li.good::before { background: var(--good); }
.timeline > li.warn::before { background: var(--warn); }
.timeline > li.bad::before { background: var(--bad); }
.timeline > li.info::before { background: var(--info); }
.timeline .at { font-size: 13px; color: var(--muted); }

.stack > div:empty { display: none; }
.qr { display: block; width: min(100%, 240px); border-radius: 8px; }
.payment { display: grid; gap: 24px; grid-template-columns: minmax(0, 1fr) auto; align-items: start; }
.payment > div { display: grid; gap: 12px; justify-items: center; }

.chart { display: grid; gap: 10px; }
.chart svg { width: 100%; height: 130px; display: block; }
.chart .axis { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; color: var(--muted); }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
.ends { display: flex; justify-content: space-between; font-size: 12px; color: var(--muted); margin-top: -4px; }
${seriesColours}
.chart polyline { fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.chart polyline.dot { stroke-width: 6; }
.legend .scale { margin-left: auto; }
.sparkline { width: 110px; height: 24px; display: block; }
.sparkline polyline { fill: none; stroke: var(--series-1); stroke-width: 1.5; vector-effect: non-scaling-stroke; }

@media (max-width: 640px) {
  header.site { padding: 8px 16px; }
  nav.main { order: 3; flex-basis: 100%; margin: 0 -6px; }
  .viewer { margin-left: auto; }
  main { padding: 20px 16px 56px; gap: 20px; }
  section { padding: 16px; }
  .lead { margin-top: -12px; }
  .scroll { margin: 0 -16px; padding: 0 16px; }
  .payment { grid-template-columns: minmax(0, 1fr); }
  .payment > div { order: -1; }
  td, th { padding-left: 8px; padding-right: 8px; }
  th { white-space: normal; }
  .many, .many tbody { display: block; }
  .many thead { display: none; }
  .many tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); grid-auto-flow: dense; gap: 8px 16px; padding: 14px 0; border-top: 1px solid var(--line); }
  .many tr:first-child { border-top: 0; padding-top: 0; }
  .many tr:last-child { padding-bottom: 0; }
  .many td { display: block; padding: 0; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .many td::before { content: attr(data-label); display: block; font-size: 12px; font-weight: 600; color: var(--muted); }
  .many td:has(> code, > .amount, time, details, .row) { grid-column: 1 / -1; }
  .many td time .exact { display: inline; }
  .many td > a { white-space: normal; }
  .many td:empty { display: none; }
  .many tbody tr:hover td { background: none; }
  .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts code { font-size: 12px; }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .figures > div { padding: 12px 16px; }
  .figures dd { font-size: 18px; }
  .filter { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (prefers-reduced-motion: no-preference) { button, .button, nav.main a { transition: background-color 0.12s; } }
@media (forced-colors: active) { .badge, .notice { border: 1px solid; } }
`
