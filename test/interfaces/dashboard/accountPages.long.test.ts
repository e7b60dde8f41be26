import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { pages } from "#interfaces/dashboard/registry.ts"
import { broker, brokerUrl } from "#test/support/broker.ts"
import { Chromium, withBrowser } from "./support/Chromium.ts"
import { inspect, Tabs, visitMillis } from "./support/inspect.ts"
import { AccountRows, withdraw } from "./support/accountRows.ts"
import { enterAs, signIn } from "./support/signIn.ts"
import { visitsOfIntegrator, visitsOfOperator } from "./support/accountVisits.ts"

/** Every page with who looks at it. */
const looks = pages.flatMap(({ path }) => {
  const [operator, integrator] = [visitsOfOperator[path], visitsOfIntegrator[path]]
  return [
    ...(operator === undefined ? [] : [{ path, as: "operator", visits: operator, session: signIn() }]),
    ...(integrator === undefined ? [] : [{
      path,
      as: "integrator",
      visits: integrator,
      session: Effect.flatMap(AccountRows, ({ account }) => enterAs(account)),
    }]),
  ]
})

/** A service with the rows, and with the first withdrawal. */
const place = Layer.effectDiscard(withdraw).pipe(
  Layer.provideMerge(Layer.merge(AccountRows.layer, Tabs.layer)),
  Layer.provideMerge(Layer.merge(broker(), Chromium.layer)),
)

layer(place, { excludeTestServices: true })(
  "pages about accounts and what is theirs",
  (it) => {
    for (const { as, path, session, visits } of looks) {
      it.effect(
        `${path} is accessible to the ${as}, small, the same without scripts, and runs nothing of others`,
        () =>
          withBrowser(Effect.fnUntraced(function* (browser) {
            const url = yield* brokerUrl
            const page = yield* (yield* Tabs).of(as, browser, session)
            for (const visit of visits(yield* AccountRows)) {
              // An order that cannot be made is a page, too.
              assert.include([200, 409], yield* inspect(page, url, visit, as), visit)
            }
          })),
        visitMillis,
      )
    }
  },
)
