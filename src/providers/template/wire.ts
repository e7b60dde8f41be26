import { Effect, Schema, SchemaGetter, SchemaIssue, Struct } from "effect"
import { Address, BrokerAccount } from "../../domain/Address.ts"
import { AssetId, factsOf, findAsset } from "../../domain/Asset.ts"
import { Bps } from "../../domain/Bps.ts"
import { HexBytes, PayloadMark } from "../../domain/VaultSwapPayload.ts"
import { Amount, Count, maybe, Millis, Seconds } from "../upstream/values.ts"

/** `Bitcoin/BTC`. */
export const writeAsset = (asset: AssetId): string => `${factsOf(asset).chain}/${factsOf(asset).ticker}`

/** The asset that is written so, if it is one of ours. */
export const readAsset = (text: string): AssetId | undefined => {
  const [chain = "", ticker = ""] = text.split("/")
  return findAsset(chain, ticker)
}

const Asset = Schema.String.pipe(
  Schema.decodeTo(AssetId, {
    decode: SchemaGetter.transformEffect((text, options) => {
      const asset = readAsset(text)
      return asset === undefined
        ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "a known asset" }, text, options))
        : Effect.succeed(asset)
    }),
    encode: SchemaGetter.forbiddenEncoding,
  }),
)

/** `GET /v1/assets`; the asset is any text, for new ones may come. */
export const WireAssets = Schema.Array(Schema.Struct({
  asset: Schema.String,
  deposits: Schema.Boolean,
  payouts: Schema.Boolean,
  minimum: Amount,
}))
export type WireAssets = typeof WireAssets.Type

/** Read as milliseconds. */
const WireDurations = Schema.Struct({ deposit: Seconds, swap: Seconds, payout: Seconds })
export type WireDurations = typeof WireDurations.Type

/** `GET /v1/quote`. */
export const WireQuote = Schema.Struct({
  amountIn: Amount,
  /** Net of everything. */
  amountOut: Amount,
  /** Of the amount in. */
  commission: Amount,
  /** Of the asset out. */
  payoutFee: Amount,
  seconds: WireDurations,
})
export type WireQuote = typeof WireQuote.Type

const Transfer = Schema.Struct({ amount: Amount, hash: maybe(Schema.String) })
export type WireTransfer = typeof Transfer.Type

/** `POST /v1/orders` and `GET /v1/orders/{number}`; the status is any text, for new ones may come. */
export const WireOrder = Schema.Struct({
  number: Count,
  block: Count,
  status: Schema.String,
  from: Asset,
  to: Asset,
  recipient: Address,
  depositAddress: Address,
  createdAt: Millis,
  expiresAt: Millis,
  expiryBlock: Count,
  seconds: WireDurations,
  deposit: maybe(Transfer),
  payout: maybe(Transfer),
  refund: maybe(Transfer),
  failure: maybe(Schema.Struct({ reason: Schema.String, at: Millis })),
})
export type WireOrder = typeof WireOrder.Type

/** `POST /v1/payloads`. */
export const WirePayload = Schema.Struct({
  to: Address,
  data: HexBytes,
  value: Amount,
  /** What the exchange knows the swap by that is made of it. */
  memo: PayloadMark,
  expiresAt: Millis,
  minimum: Amount,
  seconds: WireDurations,
})
export type WirePayload = typeof WirePayload.Type

/** `GET /v1/transactions/{hash}`: an order that a transaction brought. */
export const WireVaultSwap = Schema.Struct({
  ...Struct.pick(WireOrder.fields, [
    "status",
    "from",
    "to",
    "recipient",
    "deposit",
    "payout",
    "refund",
    "failure",
  ]),
  /** That of the payload, where the exchange made it. */
  memo: maybe(PayloadMark),
  refundTo: Address,
  retryBlocks: Count,
  /** What the minimum is for. */
  amount: Amount,
  minimumOut: Amount,
  commission: Schema.Struct({ account: BrokerAccount, bps: Bps }),
})
export type WireVaultSwap = typeof WireVaultSwap.Type

/** The body of a failure. */
export const WireFailure = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  /** The figure that was not met, in native units of the asset in. */
  limit: maybe(Amount),
})
export type WireFailure = typeof WireFailure.Type
