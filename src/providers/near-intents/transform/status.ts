import { Result, Struct } from "effect"
import type { Address } from "../../../domain/Address.ts"
import { type AssetId, chainOf } from "../../../domain/Asset.ts"
import type { MalformedBody } from "../../../domain/ProviderError.ts"
import type { SwapStatus } from "../../../domain/Swap.ts"
import { decode } from "../../upstream/decode.ts"
import type { Noticed } from "../../upstream/notices.ts"
import { isSameAddress } from "../chains.ts"
import { WireStatus } from "../wire/status.ts"
import { type OrderFacts, type StatusContext, toOrderFacts } from "./orderFacts.ts"
import { readStage, type Stage } from "./stage.ts"
import { toParts } from "./statusParts.ts"
import type { Tokens } from "./tokens.ts"

/** The record, and a line for the log about each thing that somebody should know. */
export interface ReadStatus extends Noticed {
  readonly status: SwapStatus
}

/** The asset of an id, or ours where nobody knows the id any more: ids have changed their form before. */
const assetOf = (tokens: Tokens, id: string, known: AssetId): AssetId =>
  [...tokens.values()].find((token) => token.id === id)?.asset ?? known

/** An address as it is on record, unless the answer says another one. */
const addressOf = (asset: AssetId, said: Address, known: Address): Address =>
  isSameAddress(chainOf(asset), said, known) ? known : said

/**
 * The terms that the answer gives the order. An answer about another order than ours would tell of somebody else's
 * money: whoever knows the swap compares them, of every provider alike.
 */
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

/** An address is for one swap, so the channel's number is the swap's, from when there is one. */
const swapIdOf = ({ course }: Stage, { known, depositChannel }: StatusContext): { swapId?: string } => {
  if (known.swapId !== undefined) return { swapId: known.swapId }
  return course === "payout" ? { swapId: `${depositChannel.id.channelId}` } : {}
}

const toStatus = (base: SwapStatus, order: OrderFacts, stage: Stage, context: StatusContext): SwapStatus => ({
  ...Struct.omit(base, ["deposit", "swap", "swapEgress", "refundEgress"]),
  ...swapIdOf(stage, context),
  ...toParts(order, stage, context),
  state: stage.state,
  lastStateChainUpdateAt: order.updatedAt,
})

/** Reads the answer of `GET /v0/status` about the channel of a record, as it is. */
export const readStatus = (
  body: unknown,
  { tokens, ...context }: StatusContext & { readonly tokens: Tokens },
): Result.Result<ReadStatus, MalformedBody> =>
  Result.map(decode(WireStatus, body), (wire) => {
    // What the answer says nothing of stays as it was.
    const base: SwapStatus = { ...context.known, ...termsAsSaid(wire, context, tokens) }
    const order = toOrderFacts(wire, context)
    const stage = readStage(order, context)
    return "unknown" in stage
      ? { status: base, notices: [stage.unknown] }
      : { status: toStatus(base, order, stage, context), notices: stage.notices }
  })
