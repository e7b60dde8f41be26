import script from "./script.js" with { type: "text" }
import css from "./style.css" with { type: "text" }

/**
 * What pages do where scripts run: they copy, bring parts of themselves up to date and take the code of a link over
 * into its form. All of them work without it. The script makes no HTML: it moves nodes of a page that the service
 * wrote, and so runs under a policy that allows nothing else.
 */
export { script }

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
export const style = css.replace("/* colours of series */", seriesColours)
