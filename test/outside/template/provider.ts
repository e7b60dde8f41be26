import { type Provider, Registry } from "@swap-broker/core/provider"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { makeClient } from "./client.ts"
import { name } from "./errors.ts"
import { capabilities, makeOpen } from "./openings.ts"
import { makeVaultSwaps } from "./payloads.ts"
import { makeAssets, makeQuotes } from "./quotes.ts"
import type { Options } from "./settings.ts"
import { makeStatus } from "./status.ts"

export { name }
export { limits, templateSettings as settings } from "./settings.ts"

/** Makes the provider: the port's operations over the upstream's endpoints. */
export const make = Effect.fnUntraced(
  function* (options: Options): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
    const client = makeClient(yield* HttpClient.HttpClient, options)
    return {
      name,
      capabilities,
      assets: makeAssets(client),
      quotes: makeQuotes(client),
      channels: { open: makeOpen(client, options.explorerUrl), status: makeStatus(client) },
      vaultSwaps: makeVaultSwaps(client),
    }
  },
)

/** Registers the provider for as long as the layer lives. The layer does not call the upstream. */
export const layer = (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registry = yield* Registry
    yield* registry.register(yield* make(options))
  }))
