import { Duration, Effect, Option } from "effect"
import type { Browser } from "playwright-core"
import { Chromium } from "#test/interfaces/dashboard/support/Chromium.ts"
import { startService } from "#test/support/process.ts"
import { atMost, type Judged, met } from "../goal.ts"
import { type Row, table } from "../table.ts"

/** How long readers of the documentation wait, in milliseconds. */
export interface DocsFigures {
  readonly name: string
  readonly took: Judged
}

/** The first screen is there within a second. */
const mostMillis = 1_000

const askFor = async (url: URL, path: string): Promise<number> => {
  const begun = performance.now()
  const answer = await fetch(new URL(path, url))
  await answer.body?.pipeTo(new WritableStream())
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return performance.now() - begun
}

const judged = (name: string, took: number): DocsFigures => ({ name, took: atMost(mostMillis, took) })

/** Answers to a client alone. */
const ofClient = Effect.gen(function* () {
  const { url } = yield* startService()
  return yield* Effect.promise(async () => {
    const figures: Array<DocsFigures> = []
    for (const path of ["/docs", "/docs/quotes", "/docs?q=refund"]) {
      for (const when of ["first request after a start", "again"]) {
        figures.push(judged(`${path}, ${when}`, await askFor(url, path)))
      }
    }
    return figures
  })
}).pipe(Effect.scoped)

/** A start makes some things ready once it listens; nobody has the browser open by then. */
const settled = Duration.seconds(3)

const paintOf = async (browser: Browser, url: URL): Promise<number> => {
  const page = await browser.newPage()
  await page.goto(url.href, { waitUntil: "load" })
  const painted: unknown = await page.evaluate(`new Promise((done) =>
    new PerformanceObserver((list) =>
      list.getEntriesByName("first-contentful-paint").forEach(({ startTime }) => done(startTime))
    ).observe({ type: "paint", buffered: true }))`)
  await page.close()
  return Number(painted)
}

/** The first paint in a browser; nothing where there is none. */
const inBrowser = Effect.gen(function* () {
  const browser = yield* Chromium
  if (Option.isNone(browser)) return []
  const { url } = yield* startService()
  yield* Effect.sleep(settled)
  const paint = (when: string) =>
    Effect.map(
      Effect.promise(() => paintOf(browser.value, new URL("/docs", url))),
      (took) => judged(`/docs, painted by a browser, ${when}`, took),
    )
  return [yield* paint("first request after a start"), yield* paint("again")]
}).pipe(Effect.scoped, Effect.provide(Chromium.layer))

/** The first answers of a service that has just started. */
export const measureDocs = Effect.map(Effect.all([ofClient, inBrowser]), (figures) => figures.flat())

/** The figures as a table. */
export const renderDocs = (figures: ReadonlyArray<DocsFigures>): string =>
  table([
    ["ms until the documentation is there", "took", "goal", "met"],
    ...figures.map(({ name, took }): Row => [name, took.value.toFixed(0), `<=${took.atMost}`, met(took)]),
  ])
