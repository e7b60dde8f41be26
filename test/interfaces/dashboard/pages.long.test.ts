import { assert, layer } from "#test/support/it.ts"
import axe from "axe-core"
import { Effect, Layer } from "effect"
import { pages } from "#interfaces/dashboard/registry.ts"
import { broker, brokerUrl } from "#test/support/broker.ts"
import { Chromium, withBrowser } from "./support/Chromium.ts"
import { inspect, Tabs, visitMillis } from "./support/inspect.ts"
import { seed, seededDatabases } from "./support/seed.ts"
import { signIn } from "./support/signIn.ts"
import { visitsOfIntegrator, visitsOfOperator } from "./support/accountVisits.ts"
import { visits } from "./support/visits.ts"

const looked = pages.flatMap(({ path }) => visits[path]?.(seed) ?? [])

/** Pages for who is not signed in. */
const open = ["/dashboard/login", "/dashboard/enter", "/dashboard/login?why=kept", "/dashboard/nothing"]

/** Pages of the documentation, and the bytes that the longest may have with its style, script and icon. */
const documentation = [
  "/docs",
  "/docs/reference",
  "/docs/quotes",
  "/docs/quotes/get-quotes",
  "/docs/swap",
  "/docs/schemas/Quote",
  "/docs/quickstart",
  "/docs/webhooks-and-events",
  "/docs/errors",
  "/docs/operator-api",
  "/docs/settings",
  "/docs?q=swap",
]
const mostOfReference = 110_000

layer(Layer.provideMerge(Tabs.layer, Layer.merge(broker({}, seededDatabases), Chromium.layer)), {
  excludeTestServices: true,
})(
  "the pages of the dashboard",
  (it) => {
    it("are all looked at", () => {
      assert.deepStrictEqual(
        pages.filter(({ path }) => visits[path] === undefined && visitsOfOperator[path] === undefined)
          .map(({ path }) => path),
        [],
      )
      assert.deepStrictEqual(
        pages.filter(({ path, integrator }) =>
          integrator !== undefined && visitsOfIntegrator[path] === undefined && visits[path] === undefined
        )
          .map(({ path }) => path),
        [],
      )
    })

    for (const path of looked) {
      it.effect(
        `${path} is accessible, small, the same without scripts, and runs nothing of others`,
        () =>
          withBrowser(Effect.fnUntraced(function* (browser) {
            const page = yield* (yield* Tabs).of("operator", browser, signIn())
            assert.strictEqual(yield* inspect(page, yield* brokerUrl, path, "operator"), 200)
          })),
        visitMillis,
      )
    }

    for (const path of open) {
      it.effect(
        `${path} is accessible and small for who is not signed in`,
        () =>
          withBrowser(Effect.fnUntraced(function* (browser) {
            const page = yield* (yield* Tabs).of("stranger", browser, Effect.undefined)
            yield* inspect(page, yield* brokerUrl, path, "stranger")
          })),
        visitMillis,
      )
    }

    it.effect(
      "/docs/try is accessible, which a script makes",
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const page = yield* (yield* Tabs).of("stranger", browser, Effect.undefined)
          const url = yield* brokerUrl
          const { found, title } = yield* Effect.promise(async () => {
            await page.emulateMedia({ colorScheme: "dark" })
            await page.goto(new URL("/docs/try", url).href, { waitUntil: "load" })
            await page.waitForSelector(".scalar-app h1")
            await page.evaluate(axe.source)
            const found: unknown = await page.evaluate(
              `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id }) => id))`,
            )
            return { found, title: await page.textContent(".scalar-app h1") }
          })
          assert.deepStrictEqual(found, [])
          assert.strictEqual(title?.trim(), "Swap Broker")
        })),
      visitMillis,
    )

    for (const path of documentation) {
      it.effect(
        `${path} is accessible, and the same without scripts`,
        () =>
          withBrowser(Effect.fnUntraced(function* (browser) {
            const page = yield* (yield* Tabs).of("stranger", browser, Effect.undefined)
            assert.strictEqual(yield* inspect(page, yield* brokerUrl, path, "reader", mostOfReference), 200)
          })),
        visitMillis,
      )
    }
  },
)
