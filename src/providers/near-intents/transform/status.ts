import { Result, Struct } from "effect"
import { type AssetId, chainOf } from "../../../domain/Asset.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
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

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

/** Whether the id is this asset's, or one that nobody knows any more: ids have changed their form before. */
const mayBe = (tokens: Tokens, id: string, asset: AssetId): boolean =>
  [...tokens.values()].every((token) => token.id !== id || token.asset === asset)

/** An answer about another order than ours would tell of somebody else's money. */
const checkOrder = (
  { quoteResponse: { quote, quoteRequest } }: WireStatus,
  { known, depositChannel }: StatusContext,
  tokens: Tokens,
): Result.Result<void, MalformedBody> => {
  const source = chainOf(known.sourceAsset)
  if (!isSameAddress(source, quote.depositAddress, depositChannel.depositAddress)) {
    return malformed("quoteResponse.quote.depositAddress: expected the one that was handed out, got another")
  }
  if (!mayBe(tokens, quoteRequest.originAsset, known.sourceAsset)) {
    return malformed(
      `quoteResponse.quoteRequest.originAsset: expected ${known.sourceAsset}, got another asset`,
    )
  }
  if (!mayBe(tokens, quoteRequest.destinationAsset, known.destinationAsset)) {
    return malformed(
      `quoteResponse.quoteRequest.destinationAsset: expected ${known.destinationAsset}, got another asset`,
    )
  }
  return isSameAddress(chainOf(known.destinationAsset), quoteRequest.recipient, known.destinationAddress)
    ? Result.void
    : malformed("quoteResponse.quoteRequest.recipient: expected the destination address, got another")
}

/** What stays as it was, whatever the answer says, and what follows from the time alone. */
const toBase = ({ known, depositChannel, now }: StatusContext) => ({
  ...known,
  depositChannel: { ...depositChannel, isExpired: now >= depositChannel.estimatedExpiryTime },
})

/** An address is for one swap, so the channel's number is the swap's, from when there is one. */
const swapIdOf = ({ course }: Stage, { known, depositChannel }: StatusContext): { swapId?: string } => {
  if (known.swapId !== undefined) return { swapId: known.swapId }
  return course === "payout" ? { swapId: `${depositChannel.id.channelId}` } : {}
}

const toStatus = (order: OrderFacts, stage: Stage, context: StatusContext): SwapStatus => ({
  ...Struct.omit(toBase(context), ["deposit", "swap", "swapEgress", "refundEgress"]),
  ...swapIdOf(stage, context),
  ...toParts(order, stage, context),
  state: stage.state,
  lastStateChainUpdateAt: order.updatedAt,
})

/** Reads the answer of `GET /v0/status` about the channel of a record (providers.md 1.1). */
export const readStatus = (
  body: unknown,
  { tokens, ...context }: StatusContext & { readonly tokens: Tokens },
): Result.Result<ReadStatus, MalformedBody> =>
  Result.gen(function* () {
    const wire = yield* decode(WireStatus, body)
    yield* checkOrder(wire, context, tokens)
    const order = toOrderFacts(wire, context)
    const stage = readStage(order, context)
    return "unknown" in stage
      ? { status: toBase(context), notices: [stage.unknown] }
      : { status: toStatus(order, stage, context), notices: stage.notices }
  })
