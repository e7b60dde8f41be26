import { assert, describe, it } from "#test/support/it.ts"
import { Effect, identity, Layer, Option } from "effect"
import { Guard } from "#providers/guard/Guard.ts"
import { Registry } from "#providers/Registry.ts"
import { fakeChainflip, options, ordinaryDay } from "./fakeChainflip.ts"
import * as Chainflip from "#providers/chainflip/provider.ts"

const unguarded = Layer.mock(Guard, { wrap: identity })

describe("The Chainflip provider", () => {
  it.effect("is registered while its layer lives, without asking the upstream anything", () => {
    const { asked, layer: http } = fakeChainflip(ordinaryDay)
    const builtIn = Chainflip.layer(options).pipe(Layer.provide(http))
    return Effect.gen(function* () {
      const registry = yield* Registry
      const during = yield* registry.find("chainflip").pipe(Effect.provide(builtIn))
      const after = yield* registry.find("chainflip")
      assert.isTrue(Option.isSome(during))
      assert.isTrue(Option.isNone(after))
      assert.strictEqual(asked.length, 0)
    }).pipe(Effect.provide(Registry.layer([Chainflip.name]).pipe(Layer.provide(unguarded))))
  })
})
