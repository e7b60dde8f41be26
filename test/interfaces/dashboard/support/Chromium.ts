import { Context, Effect, Layer, Option } from "effect"
import { type Browser, chromium } from "playwright-core"
import { temporaryFolder } from "#test/support/folder.ts"

/** Where Debian's package has it. */
const executablePath = "/usr/bin/chromium"

const args = [
  "--headless",
  "--no-sandbox",
  // Pages are drawn by the processor, without a process for that.
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--in-process-gpu",
  "--no-zygote",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

const isInstalled = Effect.promise(() => Deno.stat(executablePath).then(() => true, () => false))

const launch = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const context = yield* Effect.acquireRelease(
    Effect.promise(() =>
      chromium.launch({
        executablePath,
        args,
        artifactsDir: folder,
        handleSIGINT: false,
        handleSIGTERM: false,
      })
    ),
    (browser) => Effect.promise(() => browser.close()),
  )
  return Option.some(context)
})

const sayNone = Effect.as(
  Effect.sync(() =>
    console.log(`Not tested, as there is no ${executablePath}: what a browser makes of the pages.`)
  ),
  Option.none<Browser>(),
)

/** One browser for the tests of a file; none where Chromium is not installed. */
export class Chromium extends Context.Service<Chromium, Option.Option<Browser>>()("test/Chromium") {
  static readonly layer = Layer.effect(
    Chromium,
    Effect.flatMap(isInstalled, (has): typeof sayNone | typeof launch => has ? launch : sayNone),
  )
}

/** Runs a test with the browser; without one it passes, and the layer has said so. */
export const withBrowser = <A, E, R>(test: (browser: Browser) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Chromium,
    Option.match({ onNone: () => Effect.void, onSome: (browser) => Effect.asVoid(test(browser)) }),
  )
