import { Effect, Option } from "effect"
import type { Browser } from "playwright-core"
import { pages } from "#interfaces/dashboard/registry.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { Chromium } from "../support/Chromium.ts"
import { fillYear, live, type Lively, receivers, swaps } from "./livelyWorld.ts"

/**
 * `deno task pictures FOLDER [WORD…]`: pictures of every page over a year of business, in both themes and on a narrow
 * screen; with words those whose address has one of them. The embedded database is filled before the service starts.
 */

const [folder, ...words] = Deno.args
if (folder === undefined) {
  console.error("Say into which folder: deno task pictures FOLDER")
  Deno.exit(1)
}

const looks = [
  ["light", 1440, "light"],
  ["dark", 1440, "dark"],
  ["narrow", 390, "light"],
] as const

type Service = Pick<RunningService, "apiKey" | "url">

/** The addresses of all pages, each once with what it is about, and some that show other states. */
const addresses = ({ account, delivery, payPage, waiting, webhook }: Lively): ReadonlyArray<string> => [
  ...pages.filter(({ navOfIntegrators }) => navOfIntegrators !== true).map(({ path }) =>
    path.replace("swaps/:id/journal/:entry", `swaps/${swaps - 99}/journal/1`).replace(
      "providers/:name",
      "providers/relay",
    ).replace(":name", account)
      .replace("webhooks/:id", `webhooks/${webhook}`).replace(":delivery", `${delivery}`).replace(
        "swaps/:id",
        `swaps/${swaps - 25}`,
      )
      .replace(/:[a-z]+/g, "1")
  ),
  "/dashboard/money/withdraw?provider=chainflip&asset=usdc.eth",
  `/dashboard/swaps/${swaps - 13}`,
  `/dashboard/swaps/${swaps - 40}`,
  `/dashboard/swaps/${waiting}`,
  "/dashboard/swaps?view=stalled",
  "/dashboard/login",
  "/docs",
  "/docs/quotes",
  payPage,
]

const signIn = async ({ apiKey, url }: Service): Promise<string> => {
  const answer = await fetch(new URL("/dashboard/login", url), {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ key: apiKey }),
  })
  await answer.body?.cancel()
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
}

const nameOf = (path: string): string =>
  path.startsWith("/pay/") ? "pay" : path.slice(1).replaceAll(/[^a-z0-9]+/gi, "-")

const shoot = async (browser: Browser, service: Service, paths: ReadonlyArray<string>, before = "") => {
  const cookie = await signIn(service)
  for (const [name, width, colorScheme] of looks) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    for (const path of paths) {
      await page.setExtraHTTPHeaders(path === "/dashboard/login" ? {} : { cookie })
      await page.goto(new URL(path, service.url).href, { waitUntil: "load" })
      await page.screenshot({ path: `${folder}/${before}${nameOf(path)}-${name}.png`, fullPage: true })
    }
    await context.close()
  }
}

const wanted = (path: string): boolean => words.length === 0 || words.some((word) => path.includes(word))

/** Pages of a service at which nothing has happened yet. */
const unused = [
  "/dashboard",
  "/dashboard/swaps",
  "/dashboard/money",
  "/dashboard/failed",
  "/dashboard/commission",
]

const program = Effect.gen(function* () {
  const browser = Option.getOrUndefined(yield* Chromium)
  if (browser === undefined) return
  const data = yield* temporaryFolder
  const first = yield* startService({ DATA_DIR: data })
  if (words.length === 0) yield* Effect.promise(() => shoot(browser, first, unused, "unused-"))
  yield* first.kill("SIGTERM")
  yield* first.ended
  yield* Effect.provide(fillYear, sqlLayer(DatabaseLocation.Folder({ folder: data })))
  const service = yield* startService({ DATA_DIR: data })
  const hooks = yield* receivers
  yield* Effect.promise(async () => {
    const lively = await live(service, hooks)
    await shoot(browser, service, addresses(lively).filter(wanted))
  })
})

await Effect.runPromise(program.pipe(Effect.provide(Chromium.layer), Effect.scoped))
Deno.exit()
