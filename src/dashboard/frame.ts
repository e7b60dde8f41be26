import { Effect } from "effect"
import type { Mode } from "../config/Setting.ts"
import { Viewer } from "../domain/Viewer.ts"
import { type Html, html } from "../pages/html.ts"
import { document, type NavLink } from "../pages/layout.ts"
import { actForm } from "../pages/forms.ts"
import { badge } from "../pages/parts.ts"
import { path, pathBelow } from "../pages/Url.ts"
import { ShownMode } from "./ShownMode.ts"
import { root, type Shown } from "./Page.ts"
import { pages } from "./registry.ts"

/** The files that pages load. */
export const files = {
  style: path`/dashboard/style.css`,
  icon: path`/dashboard/icon.svg`,
  script: path`/dashboard/script.js`,
}

/** The links of the navigation: pages that this viewer may see. The current one is the one that the page is below. */
const linksFor = (viewer: Viewer, current: string): ReadonlyArray<NavLink> =>
  pages.flatMap(({ path, nav, navOfIntegrators = false, integrator }) => {
    const isSeen = nav !== undefined && !path.includes(":") &&
      (viewer._tag === "Operator" ? !navOfIntegrators : integrator !== undefined)
    if (!isSeen) return []
    const isCurrent = path === root ? current === root : `${current}/`.startsWith(`${path}/`)
    const to = pathBelow(root, path)
    return to === undefined ? [] : [{ label: nav, to, isCurrent }]
  })

const signOut = actForm({ to: path`/dashboard/logout`, button: "Sign out" }, [])

const viewerLine = Viewer.$match({
  Operator: ({ caller }) =>
    html`<div class="viewer"><span>${caller.name} <small>operator</small></span>${signOut}</div>`,
  Integrator: ({ account }) => html`<div class="viewer"><span>${account.name}</span>${signOut}</div>`,
})

const siteFor = (mode: Mode): Html => mode === "live" ? html`` : badge("Sandbox: no money moves", "warn")

/** A page for somebody who is signed in. */
export const framed = Effect.fnUntraced(function* (viewer: Viewer, current: string, shown: Shown) {
  const mode = yield* ShownMode
  return document({
    title: shown.title,
    site: "Swap Broker",
    home: path`/dashboard`,
    files,
    nav: linksFor(viewer, current),
    viewer: html`${siteFor(mode)}${viewerLine(viewer)}`,
    ...(shown.above === undefined ? {} : { above: html`<p class="above">${shown.above}</p>` }),
  }, shown.body)
})

/** A page for somebody who is not. `again` has it load itself once more. */
export const framedForAll = Effect.fnUntraced(
  function* (title: string, body: Html | ReadonlyArray<Html>, again = false) {
    const mode = yield* ShownMode
    return document({
      title,
      site: "Swap Broker",
      home: path`/dashboard`,
      files,
      nav: [],
      viewer: siteFor(mode),
      shape: "card",
      again,
    }, body)
  },
)
