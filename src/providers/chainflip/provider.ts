import { Effect, Layer, Redacted } from "effect"
import { HttpClient } from "effect/http"
import type { Capabilities } from "../Capabilities.ts"
import { type PublicContact, Registry } from "../Registry.ts"
import type { Provider } from "../Provider.ts"
import { failAs, makeBackend, makeForward, makeJsonRpc, name } from "./client.ts"
import { assetSupport, makeConditions } from "./conditions.ts"
import { makeLostOpenings } from "./lostOpenings.ts"
import { makeOpen } from "./openings.ts"
import { makeVaultSwaps } from "./payloads.ts"
import { makeQuotes } from "./quotes.ts"
import { makeListVaultDeposits, makeLookups } from "./status.ts"
import { makeTreasury } from "./treasury.ts"
import type { Options } from "./settings.ts"

export { name }
export { chainflipSettings as settings, limits } from "./settings.ts"

export const contact: PublicContact = { title: "Chainflip", support: "https://chainflip.io" }

/** The network can do everything that the contract offers, which was shaped by it. */
export const capabilities: Capabilities = {
  maximumCommissionBps: 1_000,
  affiliates: true,
  boost: true,
  dca: true,
  ccm: true,
  needsAmount: false,
  retry: true,
  lateDeposit: "lost",
  ends: { limit: "before sending", deposit: "told", paysByDeposit: false, pays: "batches" },
}

export const make = Effect.fnUntraced(
  function* (options: Options): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
    const client = yield* HttpClient.HttpClient
    const backend = makeBackend(client, options.backendUrl)
    const node = makeJsonRpc(client, options.nodeUrl)
    const broker = makeJsonRpc(client, Redacted.value(options.brokerUrl))
    const conditions = yield* makeConditions(
      backend,
      node,
      options.environmentMaxAge ?? "60 seconds",
      options.lookupTimeout,
    )
    const { findTransaction, status, vaultSwapStatus } = makeLookups(backend, options.brokerAccount)

    return {
      name,
      capabilities,
      assets: Effect.map(conditions, assetSupport).pipe(
        failAs("assets"),
        Effect.withSpan("Chainflip.assets"),
      ),
      quotes: makeQuotes(backend, conditions, options.brokerAccount),
      channels: {
        open: makeOpen(broker, conditions, options),
        ...makeLostOpenings(node, conditions, options),
        status,
        findTransaction,
      },
      vaultSwaps: makeVaultSwaps({
        broker,
        conditions,
        lookUps: { status: vaultSwapStatus, list: makeListVaultDeposits(node, options) },
      }, options),
      treasury: makeTreasury({ broker, node }, options),
      node: Effect.fn("Chainflip.node")(makeForward(client, options.nodeUrl), failAs("node")),
    }
  },
)

/** Registers the Chainflip provider for as long as the layer lives. The layer does not call the upstream. */
export const layer = (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registry = yield* Registry
    yield* registry.register(yield* make(options))
  }))
