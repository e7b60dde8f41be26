import { assert, describe, it } from "@effect/vitest"
import { anyAsset, routeAllowed, type RouteAsset, routeTable } from "#domain/accounts/Route.ts"

const allowed = (...rules: ReadonlyArray<readonly [RouteAsset, RouteAsset, boolean]>) =>
  routeAllowed(
    routeTable(
      rules.map(([sourceAsset, destinationAsset, allowed]) => ({ sourceAsset, destinationAsset, allowed })),
    ),
    "btc.btc",
    "eth.eth",
  )

const any = anyAsset

describe("whether a route is allowed", () => {
  it("is yes without a rule, and without one that is about it", () => {
    assert.isTrue(allowed())
    assert.isTrue(
      allowed(["eth.eth", "btc.btc", false], ["btc.btc", "usdc.eth", false], ["eth.eth", any, false]),
    )
  })

  for (const yes of [true, false]) {
    it(`is what the rule of the very pair says, ${yes}, whatever the others say`, () => {
      assert.strictEqual(
        allowed(["btc.btc", "eth.eth", yes], ["btc.btc", any, !yes], [any, "eth.eth", !yes], [
          any,
          any,
          !yes,
        ]),
        yes,
      )
    })

    it(`is what the rule of the source or of the destination says, ${yes}, before that of all pairs`, () => {
      assert.strictEqual(allowed(["btc.btc", any, yes], [any, any, !yes]), yes)
      assert.strictEqual(allowed([any, "eth.eth", yes], [any, any, !yes]), yes)
      assert.strictEqual(allowed(["btc.btc", any, yes], [any, "eth.eth", yes], [any, any, !yes]), yes)
    })

    it(`is what the rule of all pairs says, ${yes}, where there is no other`, () => {
      assert.strictEqual(allowed([any, any, yes]), yes)
    })
  }

  it("is no where source and destination disagree", () => {
    assert.isFalse(allowed(["btc.btc", any, true], [any, "eth.eth", false]))
    assert.isFalse(allowed(["btc.btc", any, false], [any, "eth.eth", true]))
  })
})
