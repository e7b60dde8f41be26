import { Effect, Option, Result, Schema } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Comparison } from "#domain/operations/Treasury.ts"
import type { Treasury } from "../Treasury.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { Amount } from "../upstream/values.ts"
import type { Client } from "./client.ts"
import type { Conditions, Currencies } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { assetOf } from "./quotes.ts"
import type { Options } from "./settings.ts"

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

/** Makes the operator's account, where it has one: the wallet that commission is added to. */
export const makeTreasury = (
  client: Client,
  conditions: Conditions,
  { feeRecipient }: Options,
): Option.Option<Treasury> =>
  Option.map(feeRecipient, (wallet) => ({
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
  }))
