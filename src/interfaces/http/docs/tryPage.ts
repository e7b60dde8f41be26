import { mark } from "../../pages/icons.tsx"
import scalarStyles from "./scalar.css" with { type: "text" }
import styles from "./tryPage.css" with { type: "text" }

/** The path of the page on which requests are tried, and those of the files that it needs. */
export const tryPath = "/docs/try"
export const scriptPath = "/docs/try/scalar.js"
export const accessiblePath = "/docs/try/accessible.js"
export const documentPath = "/openapi.json"

/** The configuration of Scalar, which asks no other host for anything and keeps no key. */
const configuration = {
  url: documentPath,
  metaData: { title: "Swap Broker: try requests" },
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "json",
  orderSchemaPropertiesBy: "preserve",
  authentication: { preferredSecurityScheme: "apiKeyHeader" },
  // The page shows only the samples of the document: Scalar's own have every parameter set.
  hiddenClients: true,
  customCss: scalarStyles,
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** The page, which a script makes from the document. Without scripts it leads to the pages that need none. */
export const tryPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="Quotes, deposit channels, status and history of cross-chain swaps.">
    <title>Swap Broker: try requests</title>
    <link rel="icon" href="data:,">
    <style>${styles}</style>
  </head>
  <body>
    <nav class="frame" aria-label="Site"><a class="brand" href="/docs">${mark}Swap Broker</a>
      <a href="/docs">Docs</a> <a href="/docs/reference">API reference</a></nav>
    <noscript><style>.loading { display: none; }</style><p class="wait">Trying requests needs JavaScript. The <a href="/docs">reference</a> works without.</p></noscript>
    <p class="wait loading">Loading…</p>
    <script id="api-reference" type="application/json" data-configuration="${
  escaped(JSON.stringify(configuration))
}"></script>
    <script src="${accessiblePath}"></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`

/**
 * The policy of the page: it may run its two scripts, which make styles of their own, and talk to this service.
 * Nothing in a link to the page, or in an answer that it shows, can then take a key elsewhere or run.
 */
export const tryPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")
