import { Effect } from "effect"
import { pages } from "#interfaces/dashboard/registry.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { busyWebhook, fillDashboard } from "./fillDashboard.ts"
import { atMost, type Judged, met } from "../goal.ts"
import { type Place, twoPlaces } from "../places.ts"
import { median } from "../statistics.ts"
import { type Row, table } from "../table.ts"
import { temporaryFolder } from "#test/support/folder.ts"

/** How long a page takes, in milliseconds, and how large it is. */
export interface PageFigures {
  readonly path: string
  readonly median: number
  readonly slowest: Judged
  readonly bytes: number
}

/** Every page over so many swaps. */
export interface DashboardFigures {
  readonly database: string
  readonly swaps: number
  readonly pages: ReadonlyArray<PageFigures>
}

/** The most that the slowest of the requests may take. */
const mostMillis = 300

const requests = 12

/** A webhook of the first account, and a delivery of it. */
interface Made {
  readonly webhook: string
  readonly delivery: string
}

const makeWebhook = async ({ apiKey, url }: Pick<RunningService, "apiKey" | "url">): Promise<Made> => {
  const ask = async (path: string, body?: unknown): Promise<string> => {
    const answer = await fetch(new URL(`/operator/accounts/default/webhooks${path}`, url), {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const [, id] = /"id":\s*"?([a-z0-9_]+)/.exec(text) ?? []
    if (id === undefined) throw new Error(`No webhook was made: ${answer.status} ${text}`)
    return id
  }
  const webhook = await ask("", { url: "http://127.0.0.1:9999/hook" })
  return { webhook, delivery: await ask(`/${webhook}/test`) }
}

/** The values of parameters of paths, where a page of the first swap, account, provider or withdrawal is meant. */
const withValues = (path: string, { delivery, webhook }: Made): string =>
  path.replace("providers/:name", "providers/chainflip").replace(":name", "default")
    .replace("webhooks/:id", `webhooks/${webhook}`).replace(":delivery", delivery)
    .replaceAll(/:[a-z]+/g, "1")

/** These pages need what a service without a real upstream does not have: a balance, a disputed result, a key of its own. */
const unmeasured = [
  "/dashboard/money/withdraw",
  "/dashboard/swaps/:id/accept",
  "/dashboard/accounts/:name/keys/:id",
]

/** Further ways to ask for lists. */
const lists = (swaps: number): ReadonlyArray<string> =>
  [
    "state=failed",
    "state=receiving",
    "view=stalled",
    "view=unknown",
    "platform=near-intents&asset=btc.btc",
    `offset=${Math.floor(swaps / 2)}`,
    `find=${Math.floor(swaps / 3)}`,
    "find=0x1111111111111111111111111111111111111111",
  ].map((query) => `/dashboard/swaps?${query}`).concat(
    "/dashboard/audit?account=another&actor=cli&from=2026-01-01",
    "/dashboard/money?from=2026-01-01&to=2026-12-31&by=day&platform=near-intents",
    "/dashboard/commission?from=2026-01-01&to=2026-12-31&platform=chainflip",
    "/dashboard/failed?period=30d",
    "/dashboard/failed?period=30d&account=integrator-7",
    "/dashboard/errors?period=30d",
    `/dashboard/accounts/default/webhooks/${busyWebhook}`,
    `/dashboard/accounts/default/webhooks/${busyWebhook}?state=pending`,
    ...["24h", "7d", "30d", "last-month"].map((period) => `/dashboard?period=${period}`),
  )

export const signIn = async (url: URL, key: string): Promise<string> => {
  const answer = await fetch(new URL("/dashboard/login", url), {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ key }),
  })
  await answer.body?.cancel()
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
}

const measurePage = async (url: URL, path: string, cookie: string): Promise<PageFigures> => {
  const took: Array<number> = []
  let bytes = 0
  for (let index = 0; index < requests; index++) {
    const begun = performance.now()
    const answer = await fetch(new URL(path, url), { redirect: "manual", headers: { cookie } })
    bytes = (await answer.text()).length
    // The first request compiles what the page needs.
    if (index > 0) took.push(performance.now() - begun)
    // An exact match of the search leads to its page; without a session every page leads to the sign-in.
    if (answer.status >= 400 || answer.headers.get("location")?.includes("/login") === true) {
      throw new Error(`${path} answered ${answer.status}`)
    }
  }
  return { path, median: median(took), slowest: atMost(mostMillis, Math.max(...took)), bytes }
}

const serviceOver = Effect.fnUntraced(function* ({ environment, location }: Place, swaps: number) {
  yield* Effect.scoped(Effect.gen(function* () {
    const service = yield* startService({ ...environment })
    yield* service.kill("SIGTERM")
    yield* service.ended
  }))
  yield* Effect.provide(fillDashboard(swaps), sqlLayer(location))
  return yield* startService({ ...environment })
})

/** Asks for every page of the dashboard, one after the other, over as many swaps. */
export const measureDashboard = Effect.fnUntraced(function* (swaps: number) {
  const { kind, places: [place] } = yield* twoPlaces(swaps, yield* temporaryFolder)
  const service = yield* serviceOver(place, kind.swaps)
  const measured = yield* Effect.promise(async () => {
    const made = await makeWebhook(service)
    const paths = [
      ...pages.filter(({ path }) => !unmeasured.includes(path)).map(({ path }) => withValues(path, made)),
      ...lists(kind.swaps),
    ]
    const cookie = await signIn(service.url, service.apiKey)
    const all: Array<PageFigures> = []
    for (const path of paths) all.push(await measurePage(service.url, path, cookie))
    return all
  })
  const figures: DashboardFigures = { database: kind.name, swaps: kind.swaps, pages: measured }
  return figures
}, Effect.scoped)

/** The figures as a table. */
export const renderDashboard = ({ database, pages, swaps }: DashboardFigures): string =>
  table([
    [
      `ms of a page on ${database} with ${swaps.toLocaleString("en")} swaps`,
      "median",
      "slowest",
      "goal",
      "met",
      "bytes",
    ],
    ...pages.map(({ bytes, median, path, slowest }): Row => [
      path,
      median.toFixed(1),
      slowest.value.toFixed(1),
      `<=${slowest.atMost}`,
      met(slowest),
      `${bytes}`,
    ]),
  ])
