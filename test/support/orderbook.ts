import { Effect, Layer, Schema } from "effect"
import { anHttpUrl, HttpUrl } from "../../src/config/kinds.ts"
import { requiredSetting, struct } from "../../src/config/Setting.ts"
import { defineProvider } from "../../src/providers/definition.ts"
import { builtIn } from "../../src/providers/mod.ts"
import { Registry } from "../../src/providers/Registry.ts"
import { ScriptedProvider } from "./provider.ts"

/** A provider that the sandbox does not simulate: two required settings, and assets without asking anybody. */
export const orderbook = defineProvider({
  name: "orderbook",
  settings: struct({
    url: requiredSetting({
      name: "ORDERBOOK_URL",
      schema: HttpUrl,
      expected: anHttpUrl,
      meaning: "Orderbook: its API",
    }),
    key: requiredSetting({
      name: "ORDERBOOK_KEY",
      schema: Schema.RedactedFromValue(Schema.NonEmptyString),
      expected: "a key",
      meaning: "Orderbook: the operator's key there",
    }),
  }),
  layer: () =>
    Layer.effectDiscard(Effect.gen(function* () {
      yield* (yield* Registry).register(new ScriptedProvider("orderbook"))
    })),
})

/** The providers of a service that was started with that one. */
export const withOrderbook = [...builtIn, orderbook]
