import { mark } from "../../pages/icons.tsx"
import { modePill, type ShownMode } from "../../pages/mode.tsx"
import scalarStyles from "./scalar.css" with { type: "text" }
import styles from "./tryPage.css" with { type: "text" }
import html from "./tryPage.html" with { type: "text" }

/** The path of the page on which requests are tried, and those of the files that it needs. */
export const tryPath = "/docs/try"
export const scriptPath = "/docs/try/scalar.js"
export const accessiblePath = "/docs/try/accessible.js"
export const documentPath = "/openapi.json"
/** The document with the samples that the page shows, which programs do not need. */
export const tryDocumentPath = "/docs/try/document.json"

/** The page, made by Scalar, which asks no other host for anything, keeps no key, and shows the document's own samples. */
export const tryPage = (mode: ShownMode): string =>
  html.replace("{mark}", `${mark}`).replace("{mode}", `${modePill(mode)}`)
    .replace("<!--styles-->", `<style>${styles}</style>`).replace("{custom}", JSON.stringify(scalarStyles))

/**
 * The policy of the page: it may run its two scripts, which make styles of their own, and talk to this service.
 * Nothing in a link to the page, or in an answer that it shows, can then take a key elsewhere or run.
 */
export const tryPolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
