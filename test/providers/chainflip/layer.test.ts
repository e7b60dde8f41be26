import { assert, describe, it } from "@effect/vitest"
import { Effect, identity, Layer, Option } from "effect"
import { Guard } from "../../../src/providers/Guard.ts"
import { providers } from "../../../src/providers/mod.ts"
import { Registry } from "../../../src/providers/Registry.ts"
import { fakeUpstream, options, ordinaryDay } from "./fakeUpstream.ts"
import { name } from "../../../src/providers/chainflip/provider.ts"

const unguarded = Layer.mock(Guard, { wrap: identity })

describe("The built-in providers", () => {
  it.effect("are registered while their layer lives, without asking the upstream anything", () => {
    const { asked, layer: http } = fakeUpstream(ordinaryDay)
    const builtIn = providers({ chainflip: options }).pipe(Layer.provide(http))
    return Effect.gen(function* () {
      const registry = yield* Registry
      const during = yield* registry.find("chainflip").pipe(Effect.provide(builtIn))
      const after = yield* registry.find("chainflip")
      assert.isTrue(Option.isSome(during))
      assert.isTrue(Option.isNone(after))
      assert.strictEqual(asked.length, 0)
    }).pipe(Effect.provide(Registry.layer([name]).pipe(Layer.provide(unguarded))))
  })
})
