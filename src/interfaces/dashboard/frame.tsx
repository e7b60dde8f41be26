import { Effect, Option } from "effect"
import { Alerts } from "#application/alerts/Alerts.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { Viewer } from "#domain/accounts/Viewer.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Html, path, pathBelow } from "../pages/jsx-runtime.ts"
import { document, type NavGroup } from "../pages/layout.tsx"
import { CurrentMode, modePill, type ShownMode } from "../pages/mode.tsx"
import { untrusted } from "../pages/parts.tsx"
import { clockTime } from "../pages/values.tsx"
import { navPlaces } from "./navigation.ts"
import { root, type Shown } from "./Page.ts"
import { pages } from "./registry.ts"

/** The files that pages load. */
export const files = {
  style: path`/dashboard/style.css`,
  icon: path`/dashboard/icon.svg`,
  script: path`/dashboard/script.js`,
}

const site = { site: "Swap Broker", home: path`/dashboard`, files } as const

/** The place of the navigation that a page belongs to: its own, or that of the page which it is below. */
const placeOf = (current: string): string | undefined => {
  const page = pages.find(({ path }) => path === current)
  const above = pages.findLast(({ nav, path }) =>
    nav !== undefined && path !== root && `${current}/`.startsWith(`${path}/`)
  )
  return page?.nav ?? page?.within ?? above?.nav
}

/** The navigation of a viewer: its places that have a page for the viewer, and of operators those of other sites. */
const groupsFor = (
  viewer: Viewer,
  current: string,
  activeAlerts: Option.Option<number>,
): ReadonlyArray<NavGroup> => {
  const isOperator = viewer._tag === "Operator"
  const here = placeOf(current)
  const links = navPlaces.flatMap(([name, { group, icon, label, to }]) => {
    const page = pages.find(({ integrator, nav, navOfIntegrators = false }) =>
      nav === name && (isOperator ? !navOfIntegrators : integrator !== undefined)
    )
    const place = page === undefined ? isOperator ? to : undefined : pathBelow(root, page.path)
    if (place === undefined) return []
    const count = name === "alerts" ? Option.getOrUndefined(activeAlerts) : undefined
    return [{
      // An integrator has few places, which need no headings.
      group: isOperator ? group : "",
      link: {
        icon,
        isCurrent: name === here,
        label,
        to: place,
        ...optionalMembers(count, (count) => ({ count })),
      },
    }]
  })
  return [...Map.groupBy(links, ({ group }) => group)].map(([title, found]) => ({
    links: found.map(({ link }) => link),
    ...(title === "" ? {} : { title }),
  }))
}

const who = Viewer.$match({
  Operator: ({ caller }) => (
    <>
      {caller.name} <small>operator</small>
    </>
  ),
  Integrator: ({ account }) => <>{account.name}</>,
})

/** Who looks, and how they leave. */
const viewerLine = (viewer: Viewer): Html => (
  <div class="who">
    <span>{who(viewer)}</span>
    <form method="post" action={path`/dashboard/logout`}>
      <button type="submit" class="quiet">Sign out</button>
    </form>
  </div>
)

/** The time of the page, which is real also in the sandbox. It is brought up to date along with live parts. */
const clock = (mode: ShownMode, now: EpochMillis): Html =>
  <span
    id="clock"
    class="soft"
    data-along=""
    title={mode !== "live" && "The clocks of the simulated networks differ."}
  >
    <time datetime={toIsoDate(now)}>{clockTime(now)}</time>
    {mode !== "live" && " · real time"}
  </span>

/** A page for somebody who is signed in, with how many alerts are active where that is known. */
export const framedWith = Effect.fnUntraced(
  function* (viewer: Viewer, current: string, { body, ...head }: Shown, activeAlerts: Option.Option<number>) {
    const mode = yield* CurrentMode
    const now = yield* currentMillis
    return document({
      ...site,
      ...head,
      side: {
        groups: groupsFor(viewer, current, activeAlerts),
        viewer: viewerLine(viewer),
        search: {
          to: path`/dashboard/swaps`,
          name: "find",
          hint: viewer._tag === "Operator"
            ? "Swap, address, transaction, account"
            : "Swap id, address, transaction, channel",
          label: "Search",
        },
        marks: <>{modePill(mode)}{clock(mode, now)}</>,
      },
    }, body)
  },
)

/** A page for somebody who is signed in. Operators are told how many alerts are active, where that can be read. */
export const framed = Effect.fnUntraced(function* (viewer: Viewer, current: string, shown: Shown) {
  const active = viewer._tag === "Operator"
    ? yield* Effect.option(Effect.map((yield* Alerts).active, ({ length }) => length))
    : Option.none()
  return yield* framedWith(viewer, current, shown, active)
})

/**
 * A page for somebody who is not: a card with one purpose. Under its heading stand the host, where a key is to be typed
 * in, and the mode. `again` has it load itself once more.
 */
export const framedForAll = Effect.fnUntraced(
  function* (
    { body, host, again = false, ...head }: Shown & {
      readonly host?: string | undefined
      readonly again?: boolean
    },
  ) {
    const mode = modePill(yield* CurrentMode)
    return host === undefined
      ? document(
        { ...site, ...head, shape: "card", again },
        <>
          {body}
          <p>{mode}</p>
        </>,
      )
      : document({ ...site, ...head, line: <>{untrusted(host, 100)} · {mode}</>, shape: "card", again }, body)
  },
)
