import { Effect, Option, Result } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import { isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import type { Channels } from "../Provider.ts"
import { isSameAddress } from "../upstream/channelNumbers.ts"
import type { Client } from "./client.ts"
import { type Conditions, isIdOf, type Tokens } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { toFees } from "./fees.ts"
import type { Options } from "./settings.ts"
import { type IntentsOrder, readStage, toOrderFacts, WireStatus } from "./stages.ts"
import { decode, logged, type Noticed } from "../upstream/decode.ts"
import { keptOfSurplus, type Stage, type StatusContext, toStatus } from "../upstream/orderRecord.ts"

/** The fee of a refund: the difference between deposit and refund where there is one, else the announced fee. */
const refundFee = ({ depositedAmount, refundedAmount, refundFee }: IntentsOrder): NativeAmount | undefined =>
  depositedAmount !== undefined && refundedAmount !== undefined && refundedAmount < depositedAmount
    ? NativeAmount.make(depositedAmount - refundedAmount)
    : refundFee

const feesOf = (order: IntentsOrder, stage: Stage, context: StatusContext): ReadonlyArray<Fee> => {
  const { course } = stage
  const { sourceAsset, destinationAsset } = context.known
  if (course === "payout") {
    const fees = toFees({
      sourceAsset,
      destinationAsset,
      amountIn: order.amountIn,
      charged: order.charged,
      withdrawFee: order.withdrawFee,
    })
    return [...fees, ...keptOfSurplus(order, stage, context)]
  }
  const refund = course === "refund" ? refundFee(order) : undefined
  return refund === undefined ? [] : [{ type: "refund", asset: sourceAsset, amount: refund }]
}

type House = Pick<Options, "feeAccount" | "commissionBasis">

interface ReadStatus extends Noticed {
  readonly status: SwapStatus
}

/** The asset of an id, or the record's where the id is not known any more: ids have changed their form before. */
const assetOf = (tokens: Tokens, id: string, known: AssetId): AssetId =>
  [...tokens.values()].find((token) => isIdOf(token, id))?.asset ?? known

/** The recorded address, unless the answer names another. */
const addressOf = (asset: AssetId, said: Address, known: Address): Address =>
  isSameAddress(chainOf(asset), said, known) ? known : said

/** The order's terms in the answer; `swapping` compares them with the record, alike for every provider. */
const termsAsSaid = (
  { quoteResponse: { quote, quoteRequest } }: WireStatus,
  { depositChannel, known, now }: StatusContext,
  tokens: Tokens,
) => {
  const { destinationAddress, destinationAsset, fillOrKill, sourceAsset } = known
  return {
    sourceAsset: assetOf(tokens, quoteRequest.originAsset, sourceAsset),
    destinationAsset: assetOf(tokens, quoteRequest.destinationAsset, destinationAsset),
    destinationAddress: addressOf(destinationAsset, quoteRequest.recipient, destinationAddress),
    depositChannel: {
      ...depositChannel,
      depositAddress: addressOf(sourceAsset, quote.depositAddress, depositChannel.depositAddress),
      isExpired: now >= depositChannel.estimatedExpiryTime,
    },
    ...(fillOrKill === undefined ? {} : {
      fillOrKill: {
        ...fillOrKill,
        refundAddress: addressOf(sourceAsset, quoteRequest.refundTo, fillOrKill.refundAddress),
      },
    }),
  }
}

/** Reads the answer of `GET /v0/status` about a recorded channel, as it is. */
const readStatus = (
  body: unknown,
  { house, tokens, ...context }: StatusContext & { readonly house: House; readonly tokens: Tokens },
): Result.Result<ReadStatus, MalformedBody> =>
  Result.map(decode(WireStatus, body), (wire) => {
    // Members that the answer does not have stay as they were.
    const base: SwapStatus = { ...context.known, ...termsAsSaid(wire, context, tokens) }
    const order = toOrderFacts(wire, context, house)
    const stage = readStage(order, context)
    return "unknown" in stage ? { status: base, notices: [stage.unknown] } : {
      status: toStatus(base, order, stage, context, feesOf(order, stage, context)),
      // A record that has ended says nothing new, however often it is looked at.
      notices: isSettled(context.known) ? [] : stage.notices,
    }
  })

/** Makes the operation. The upstream finds an order by its deposit address. */
export const makeStatus = (
  client: Client,
  conditions: Conditions,
  house: House,
): Channels["status"] =>
  Effect.fnUntraced(
    function* (_channel, known) {
      const { depositChannel } = known
      if (depositChannel === undefined) return Option.none()
      const tokens = yield* conditions.tokens
      const heard = yield* client.status(depositChannel.reference ?? depositChannel.depositAddress)
      if (Option.isNone(heard)) return Option.none()
      const { body, text, answeredAt } = heard.value
      const { status } = yield* logged(
        readStatus(body, { known, depositChannel, tokens, house, now: answeredAt }),
      )
      return Option.some({ status, body: text })
    },
    failAs("status"),
    lightSpan("NearIntents.status"),
  )
