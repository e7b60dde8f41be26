import { Effect, Option } from "effect"
import type { Browser } from "playwright-core"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { Chromium } from "../support/Chromium.ts"
import { followLink, type Picture, picturesOf, submitForm, unused } from "./addresses.ts"
import { fillWorld, live, receivers } from "./livelyWorld.ts"

/**
 * `deno task pictures FOLDER [NAME…]`: pictures of every page over a year of business, in both themes and on a narrow
 * screen; with names those whose name begins with one of them (`swap-`, `docs`), and `readme` the picture of README.md.
 * The embedded database is filled before the service starts.
 */

const [folder, ...names] = Deno.args
if (folder === undefined) {
  console.error("Say into which folder: deno task pictures FOLDER [NAME…]")
  Deno.exit(1)
}

const looks = [
  ["light", 1440, "light"],
  ["dark", 1440, "dark"],
  ["narrow", 390, "light"],
] as const

type Service = Pick<RunningService, "apiKey" | "url">

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

const needsSession = (path: string): boolean => path.startsWith("/dashboard") && path !== "/dashboard/login"

const shoot = async (browser: Browser, service: Service, pictures: ReadonlyArray<Picture>) => {
  const cookie = await signIn(service)
  for (const [look, width, colorScheme] of looks) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    for (const { follows, language, looks = [look], name, path, submits, wait } of pictures) {
      if (!looks.includes(look)) continue
      await page.setExtraHTTPHeaders({
        ...(needsSession(path) ? { cookie } : {}),
        ...(language === undefined ? {} : { "accept-language": language }),
      })
      const answer = await page.goto(new URL(path, service.url).href, { waitUntil: "load" })
      const status = answer?.status() ?? 0
      if (status >= 400 && name !== "not-found") console.error(`${name}: ${status} at ${path}`)
      if (follows !== undefined) await followLink(page, follows)
      if (submits !== undefined) await submitForm(page, submits)
      if (wait !== undefined) await page.waitForTimeout(wait)
      const shown = Number(await page.evaluate("document.documentElement.scrollWidth"))
      if (shown > width) console.error(`${name}: scrolls sideways, ${shown} px of ${width}`)
      // A page that a script makes is far longer than the browser can draw in time.
      const file = { path: `${folder}/${name}-${look}.png`, fullPage: wait === undefined, timeout: 60_000 }
      await page.screenshot(file).catch((error) => console.error(`${name}: not drawn,`, error))
    }
    await context.close()
  }
}

/** The picture of README.md: the overview down to its providers. */
const shootForReadme = async (browser: Browser, service: Service) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light" })
  const page = await context.newPage()
  await page.setExtraHTTPHeaders({ cookie: await signIn(service) })
  await page.goto(new URL("/dashboard", service.url).href, { waitUntil: "load" })
  const last = await page.locator("#providers").boundingBox()
  const height = last === null ? 860 : Math.ceil(last.y + last.height + 24)
  await page.screenshot({
    path: `${folder}/overview.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width: 1280, height },
  })
  await context.close()
}

const isNamed = ({ name }: Picture): boolean =>
  names.length === 0 || names.some((begin) => name.startsWith(begin))

const program = Effect.gen(function* () {
  const browser = Option.getOrUndefined(yield* Chromium)
  if (browser === undefined) return
  const data = yield* temporaryFolder
  const first = yield* startService({ DATA_DIR: data })
  yield* Effect.promise(() => shoot(browser, first, unused.filter(isNamed)))
  yield* first.kill("SIGTERM")
  yield* first.ended
  const shown = yield* Effect.provide(fillWorld, sqlLayer(DatabaseLocation.Folder({ folder: data })))
  const service = yield* startService({
    DATA_DIR: data,
    OPERATOR_SUPPORT: "support@swaps.example",
    CHAINFLIP_SUPPORT: "https://chainflip.io",
    ALERT_WEBHOOK_FAILING: "2 seconds",
  })
  const hooks = yield* receivers
  yield* Effect.promise(async () => {
    const world = await live(service, hooks, shown)
    if (names.length === 0 || names.includes("readme")) await shootForReadme(browser, service)
    await shoot(browser, service, picturesOf(world).filter(isNamed))
  })
})

await Effect.runPromise(program.pipe(Effect.provide(Chromium.layer), Effect.scoped))
Deno.exit()
