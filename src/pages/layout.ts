import { attributes, type Html, html, nothing } from "./html.ts"
import type { Url } from "./Url.ts"

/** Files that every page loads, by their paths. */
export interface PageFiles {
  readonly style: Url
  readonly icon: Url
  readonly script: Url
}

/** A link of the navigation. */
export interface NavLink {
  readonly label: string
  readonly to: Url
  readonly isCurrent: boolean
}

/** A whole page. */
export interface PageFrame {
  /** The heading of the page, and its title before the name of the site. */
  readonly title: string
  readonly site: string
  readonly home: Url
  readonly files: PageFiles
  readonly nav: ReadonlyArray<NavLink>
  /** Who looks, beside the navigation. */
  readonly viewer?: Html
  /** Links above the heading that lead back. */
  readonly above?: Html
  /** A card in the middle for a page with one purpose, instead of the width of the screen. */
  readonly shape?: "full" | "card"
  /** Whether the page loads itself again at once, as its first request could not show it. */
  readonly again?: boolean
}

const navigation = (links: ReadonlyArray<NavLink>): Html =>
  links.length === 0 ? nothing : html`
    <nav class="main" aria-label="Pages">
      <ul>${links.map(({ label, to, isCurrent }) =>
        html`<li><a href="${to}" ${attributes({ "aria-current": isCurrent && "page" })}>${label}</a></li>`
      )}</ul>
    </nav>
  `

/** The document of a page: head, navigation, heading and body. Search engines do not list it. */
export const document = (
  { title, site, home, files, nav, viewer = nothing, above = nothing, shape = "full", again = false }:
    PageFrame,
  body: Html | ReadonlyArray<Html>,
): Html =>
  html`
    <!doctype html>
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex, nofollow">
    ${again && html`<meta http-equiv="refresh" content="0">`}
    <title>${title} · ${site}</title>
    <link rel="icon" type="image/svg+xml" href="${files.icon}">
    <link rel="stylesheet" href="${files.style}">
    <script type="module" src="${files.script}"></script>
      </head>
      <body class="${shape}">
        <a class="skip" href="#main">Skip to the content</a>
        <header class="site"><a class="brand" href="${home}">${site}</a>${navigation(nav)}${viewer}</header>
        <main id="main" tabindex="-1">
    ${above}
    <h1>${title}</h1>
    ${body}
        </main>
        <p id="said" class="unseen" role="status"></p>
      </body>
    </html>
  `
