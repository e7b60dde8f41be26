import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { type PublicContact, Registry } from "../Registry.ts"
import type { Provider } from "../Provider.ts"
import { type Client, failAs, makeClient, name } from "./client.ts"
import { assetSupport, capabilitiesOf, type Conditions, makeConditions } from "./conditions.ts"
import { makeOpen, makeQuotes } from "./quotes.ts"
import { makeStatus } from "./status.ts"
import type { Options } from "./settings.ts"

export { name }
export { nearIntentsSettings as settings } from "./settings.ts"

export const contact: PublicContact = { title: "NEAR Intents", support: "https://docs.near-intents.org" }

export const make = (options: Options, client: Client, conditions: Conditions): Provider => ({
  name,
  capabilities: capabilitiesOf(options),
  assets: assetSupport(conditions).pipe(failAs("assets"), Effect.withSpan("NearIntents.assets")),
  quotes: makeQuotes(client, conditions, options),
  channels: { open: makeOpen(client, conditions, options), status: makeStatus(client, conditions, options) },
})

/** Registers NEAR Intents while the layer lives. Tokens are kept fresh in the background; the start does not wait. */
export const layer = (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registry = yield* Registry
    const client = makeClient(yield* HttpClient.HttpClient, options)
    const conditions = yield* makeConditions(client, options.catalogueMaxAge, options.lookupTimeout)
    yield* registry.register(make(options, client, conditions))
    yield* Effect.forkScoped(conditions.keepFresh)
  }))
