/** The path of the page on which requests are tried, and those of the files that it needs. */
export const tryPath = "/docs/try"
export const scriptPath = "/docs/try/scalar.js"
export const accessiblePath = "/docs/try/accessible.js"
export const documentPath = "/openapi.json"

/** Colours that people with weak sight can read on white and on black (WCAG 2.1, 1.4.3). */
const styles = `
.light-mode { --scalar-color-2: #3d3d3d; --scalar-color-3: #595959; --scalar-color-accent: #0050b3;
  --scalar-color-green: #086b3c; --scalar-color-red: #b3261e; --scalar-color-yellow: #7a5200;
  --scalar-color-blue: #0050b3; --scalar-color-orange: #944000; --scalar-color-purple: #5b3aa8; }
.dark-mode { --scalar-color-2: #d0d0d0; --scalar-color-3: #b0b0b0; --scalar-color-red: #ff8a80; }
`

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
  customCss: styles,
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
  </head>
  <body>
    <noscript><p>To try requests needs JavaScript. To read about them does not: <a href="/docs">the documentation</a>.</p></noscript>
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
