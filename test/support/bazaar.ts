import { Effect, Layer, Schema } from "effect"
import { anHttpUrl, HttpUrl } from "#infrastructure/config/kinds.ts"
import { requiredSetting, struct } from "#infrastructure/config/Setting.ts"
import { defineProvider } from "#providers/definition.ts"
import { builtIn } from "#providers/mod.ts"
import { Registry } from "#providers/Registry.ts"
import { ScriptedProvider } from "./provider.ts"

/** A provider that the sandbox does not simulate: two required settings, and assets without asking anybody. */
export const bazaar = defineProvider({
  name: "bazaar",
  settings: struct({
    url: requiredSetting({
      name: "BAZAAR_URL",
      schema: HttpUrl,
      expected: anHttpUrl,
      meaning: "Bazaar: its API",
    }),
    key: requiredSetting({
      name: "BAZAAR_KEY",
      schema: Schema.RedactedFromValue(Schema.NonEmptyString),
      expected: "a key",
      meaning: "Bazaar: the operator's key there",
    }),
  }),
  layer: () =>
    Layer.effectDiscard(Effect.gen(function* () {
      yield* (yield* Registry).register(new ScriptedProvider("bazaar"))
    })),
})

/** The providers of a service that was started with that one. */
export const withBazaar = [...builtIn, bazaar]
