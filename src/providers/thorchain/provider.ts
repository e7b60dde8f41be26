import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import type { Provider } from "../Provider.ts"
import { Registry } from "../Registry.ts"
import { makeList, makeStatus } from "./status.ts"
import { type Client, failAs, makeClient } from "./client.ts"
import { assetSupport, capabilities, type Conditions, makeConditions } from "./conditions.ts"
import { type Family, maya as mayaNetwork, thorchain as thorchainNetwork } from "./networks.ts"
import { makeVaultSwaps } from "./payloads.ts"
import { makeQuotes } from "./quotes.ts"
import { mayaLimits, mayaSettings, type Options, thorchainLimits, thorchainSettings } from "./settings.ts"

export const make = (
  family: Family,
  options: Options,
  client: Client,
  conditions: Conditions,
  http: HttpClient.HttpClient,
): Provider => ({
  name: family.name,
  capabilities,
  assets: assetSupport(family, conditions).pipe(
    failAs(family)("assets"),
    Effect.withSpan(`${family.span}.assets`),
  ),
  quotes: makeQuotes(client, family, conditions, options),
  vaultSwaps: makeVaultSwaps(client, family, conditions, options, {
    status: makeStatus(client, family, options),
    ...makeList(http, family, options),
  }),
})

/** Registers the network while the layer lives. Pools and vaults are kept fresh; the start does not wait. */
const layerOf =
  (family: Family) => (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
    Layer.effectDiscard(Effect.gen(function* () {
      const registry = yield* Registry
      const http = yield* HttpClient.HttpClient
      const client = makeClient(http, family, options)
      const conditions = yield* makeConditions(client, family, options)
      yield* registry.register(make(family, options, client, conditions, http))
      yield* Effect.forkScoped(conditions.keepFresh)
    }))

export const thorchain = {
  name: thorchainNetwork.name,
  settings: thorchainSettings,
  limits: thorchainLimits,
  contact: { title: "THORChain", support: "https://thorchain.org" },
  layer: layerOf(thorchainNetwork),
}

export const maya = {
  name: mayaNetwork.name,
  settings: mayaSettings,
  limits: mayaLimits,
  contact: { title: "Maya Protocol", support: "https://www.mayaprotocol.com" },
  layer: layerOf(mayaNetwork),
}
