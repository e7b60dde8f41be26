import { Effect, Layer, Option } from "effect"
import { HttpClient } from "effect/http"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { PublicContact } from "../Contacts.ts"
import type { Provider } from "../Provider.ts"
import { Registry } from "../Registry.ts"
import { type Client, makeClient } from "./client.ts"
import { assetSupport, capabilities, type Conditions, makeConditions } from "./conditions.ts"
import { failAs, name } from "./errors.ts"
import { makeOpen } from "./openings.ts"
import { makeQuotes } from "./quotes.ts"
import { makeReindex } from "./reindex.ts"
import { makeStatus } from "./status.ts"
import { makeTreasury } from "./treasury.ts"
import type { Options } from "./settings.ts"

export { name }
export { lackOf, limits, relaySettings as settings } from "./settings.ts"

export const contact: PublicContact = { title: "Relay", support: "https://support.relay.link" }

export const make = (options: Options, client: Client, conditions: Conditions): Provider => ({
  name,
  capabilities,
  assets: assetSupport(conditions).pipe(failAs("assets"), Effect.withSpan("Relay.assets")),
  quotes: makeQuotes(client, conditions, options),
  channels: {
    open: makeOpen(client, conditions, options),
    status: makeStatus(client, conditions),
    reindex: makeReindex(client, conditions),
  },
  ...optionalMembers(
    Option.getOrUndefined(makeTreasury(client, conditions, options)),
    (treasury) => ({ treasury }),
  ),
})

/** Registers Relay while the layer lives. Chains are kept fresh in the background; the start does not wait. */
export const layer = (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registry = yield* Registry
    const client = makeClient(yield* HttpClient.HttpClient, options)
    const conditions = yield* makeConditions(client, options.chainsMaxAge, options.lookupTimeout)
    yield* registry.register(make(options, client, conditions))
    yield* Effect.forkScoped(conditions.keepFresh)
  }))
