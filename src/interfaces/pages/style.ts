import script from "./script.js" with { type: "text" }
import css from "./style.css" with { type: "text" }

/**
 * What pages do where scripts run: they copy, bring parts of themselves up to date and take the code of a link over
 * into its form. All of them work without it. The script makes no HTML: it moves nodes of a page that the service
 * wrote, and so runs under a policy that allows nothing else.
 */
export { script }

/**
 * The look of all pages: one type scale (12, 13, 14, 15, 20, 24, 30 px), a space of multiples of 4 px, colours by
 * meaning, each in a light and a dark form. Every pair of text and ground has a contrast of 4.5 or more (WCAG 2.2,
 * 1.4.3).
 */
export { css as style }
