import { Effect, Layer, Option, Result, Schema } from "effect"
import { HttpClient } from "effect/http"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type PublicContact, Registry } from "../Registry.ts"
import type { Provider } from "../Provider.ts"
import { type Client, failAs, makeClient, name } from "./client.ts"
import { assetSupport, capabilities, type Conditions, type Currencies, makeConditions } from "./conditions.ts"
import { makeOpen, makeReindex } from "./openings.ts"
import { assetOf, makeQuotes } from "./quotes.ts"
import { makeStatus } from "./status.ts"
import type { Options } from "./settings.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Comparison } from "#domain/operations/Treasury.ts"
import { Amount, decode, malformed } from "../upstream/values.ts"

export { name }
export { lackOf, limits, relaySettings as settings } from "./settings.ts"

export const contact: PublicContact = { title: "Relay", support: "https://support.relay.link" }

/** The answer of `GET /app-fees/{wallet}/balances` (relay/wire.md 1, endpoints). */
const WireBalances = Schema.Struct({
  balances: Schema.Array(Schema.Struct({
    currency: Schema.Struct({ chainId: Schema.Int, address: Schema.String }),
    amount: Amount,
  })),
})

/** What is there of each asset that we know, where it is more than nothing. */
const readBalances = (body: unknown, currencies: Currencies) =>
  Result.gen(function* () {
    const { balances } = yield* decode(WireBalances, body)
    const sums = new Map<AssetId, bigint>()
    for (const { amount, currency } of balances) {
      const asset = assetOf(currencies, currency)
      if (asset !== undefined && amount > 0n) sums.set(asset, (sums.get(asset) ?? 0n) + amount)
    }
    return yield* Result.all(
      Array.from(sums, ([asset, sum]) =>
        Option.match(NativeAmount.makeOption(sum), {
          onNone: () => malformed("balances: expected less than there can be"),
          onSome: (amount) => Result.succeed({ asset, amount }),
        })),
    )
  })

/** The operator's account: the wallet that commission is added to. */
const makeTreasury = (client: Client, conditions: Conditions, wallet: string) => ({
  account: Effect.gen(function* () {
    const currencies = yield* conditions.currencies
    const { body } = yield* client.feeBalances(wallet)
    return {
      account: wallet,
      earned: yield* Effect.fromResult(readBalances(body, currencies)),
      affiliates: [],
    }
  }).pipe(failAs("treasury"), Effect.withSpan("Relay.account")),
  comparison: Comparison.Untold({
    reason: "Relay adds commission up in USDC, and tells of each swap's in the currency that was deposited",
  }),
})

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
  ...optionalMembers(Option.getOrUndefined(options.feeRecipient), (wallet) => ({
    treasury: makeTreasury(client, conditions, wallet),
  })),
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
