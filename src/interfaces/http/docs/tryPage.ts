/** The path of the page on which requests are tried, and those of the files that it needs. */
export const tryPath = "/docs/try"
export const scriptPath = "/docs/try/scalar.js"
export const accessiblePath = "/docs/try/accessible.js"
export const documentPath = "/openapi.json"

/** The colours of the other pages, in Scalar's variables; texts have 4.5:1 on their ground or more (WCAG 2.1, 1.4.3). */
const styles = `
.light-mode { --scalar-background-1: #fff; --scalar-background-2: #f6f7f9; --scalar-background-3: #e9ecf2;
  --scalar-border-color: #e3e6ec; --scalar-color-1: #12161d; --scalar-color-2: #3d4450; --scalar-color-3: #535c6b;
  --scalar-color-accent: #2447c6; --scalar-color-green: #14663a; --scalar-color-red: #a8201a;
  --scalar-color-yellow: #7a4700; --scalar-color-blue: #1f4a9c; --scalar-color-orange: #944000;
  --scalar-color-purple: #5b3aa8; }
.dark-mode { --scalar-background-1: #101318; --scalar-background-2: #0b0d11; --scalar-background-3: #1f2530;
  --scalar-border-color: #272d37; --scalar-color-1: #eaedf2; --scalar-color-2: #d0d4db; --scalar-color-3: #a2abba;
  --scalar-color-accent: #9db4ff; --scalar-color-green: #74d6a0; --scalar-color-red: #ff9d96;
  --scalar-color-yellow: #f2bd6b; --scalar-color-blue: #9ec1ff; }
`

/** The frame around Scalar, which is there before its script has come. */
const frameStyles = `
:root { color-scheme: light dark; --scalar-custom-header-height: 49px; }
body { margin: 0; background: light-dark(#fff, #101318); color: light-dark(#12161d, #eaedf2); font: 14px/1.5 system-ui, sans-serif; }
.frame { position: sticky; top: 0; z-index: 10; display: flex; gap: 20px; align-items: center; height: 48px; padding: 0 20px;
  background: light-dark(#f6f7f9, #0b0d11); border-bottom: 1px solid light-dark(#e3e6ec, #272d37); }
a { color: light-dark(#2447c6, #9db4ff); }
.wait { padding: 20px; }
.loading { position: fixed; top: 60px; right: 0; }
body:has(.scalar-app h1) .loading { display: none; }
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
    <style>${frameStyles}</style>
  </head>
  <body>
    <nav class="frame" aria-label="Site"><b>Swap Broker</b> <a href="/docs">Back to the documentation</a></nav>
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
