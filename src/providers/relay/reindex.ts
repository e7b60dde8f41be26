import { Effect, Result, Schema } from "effect"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Channels, Reindexed } from "../Provider.ts"
import { decode } from "../upstream/decode.ts"
import { upstreamText } from "../upstream/failures.ts"
import { Amount, maybe } from "../upstream/values.ts"
import { servedChainNames, servedChains } from "./chains.ts"
import type { Client } from "./client.ts"
import type { Conditions, Currencies } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { assetOf } from "./quotes.ts"

/** The answer of `POST /transactions/deposit-address/reindex` (relay/wire.md 1, endpoints). */
const WireReindex = Schema.Struct({
  triggeredCurrencies: maybe(Schema.Array(Schema.Struct({
    currency: Schema.String,
    symbol: Schema.String,
    balance: Amount,
  }))),
})

const readFound = (body: unknown, chainId: number, currencies: Currencies) =>
  Result.map(
    decode(WireReindex, body),
    ({ triggeredCurrencies = [] }) =>
      triggeredCurrencies.map(({ balance, currency, symbol }) => ({
        ...optionalMembers(assetOf(currencies, { chainId, address: currency }), (asset) => ({ asset })),
        symbol: upstreamText(symbol),
        amount: balance,
      })),
  )

/** The operation: the service looks at the chain that the address was opened on, for every currency that it takes. */
export const makeReindex = (client: Client, conditions: Conditions): NonNullable<Channels["reindex"]> =>
  Effect.fn("Relay.reindex")(function* ({ network }, { depositChannel }) {
    const chain = servedChainNames.find((name) => name === network)
    if (depositChannel === undefined || chain === undefined) return Reindexed.NotKnown()
    const { chainId } = servedChains[chain]
    const currencies = yield* conditions.currencies
    const answer = yield* client.reindex({ chainId, depositAddress: depositChannel.depositAddress })
    if (answer._tag === "Looked") {
      return Reindexed.Looked({
        found: yield* Effect.fromResult(readFound(answer.heard.body, chainId, currencies)),
      })
    }
    return answer._tag === "TooSoon" ? Reindexed.TooSoon() : Reindexed.NotKnown()
  }, failAs("status"))
