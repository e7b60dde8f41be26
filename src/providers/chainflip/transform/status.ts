import { Result, Struct } from "effect"
import type { BrokerAccount } from "../../../domain/Address.ts"
import { type AssetId, findAsset } from "../../../domain/Asset.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import { SwapState, type SwapStatus } from "../../../domain/Swap.ts"
import { upstreamText } from "../../upstream/upstreamText.ts"
import { decode } from "../../upstream/decode.ts"
import { WireSwap } from "../wire/swap.ts"
import { toChannelRecord } from "./channel.ts"
import type { Noticed } from "../../upstream/notices.ts"
import { toFees } from "./fees.ts"
import { spread } from "../../../platform/spread.ts"
import { toBoost, toDeposit, toEgress, toFillOrKill, toProgress } from "./swapParts.ts"

/** What the reading of a record depends on besides its body. */
export interface StatusContext {
  /** Stands in for a state that we do not know (decision 23). */
  readonly lastKnown: SwapState
  readonly ourAccount: BrokerAccount
}

/** The record, and a line for the log about each thing that was not understood. */
export interface ReadStatus extends Noticed {
  readonly status: SwapStatus
}

const findState = (state: string): SwapState | undefined =>
  SwapState.literals.find((known) => known === state.toLowerCase())

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

const assetAt = (member: string, chain: string, ticker: string): Result.Result<AssetId, MalformedBody> => {
  const asset = findAsset(chain, ticker)
  return asset === undefined
    ? malformed(`${member}: expected a known asset, got "${upstreamText(`${chain}/${ticker}`)}"`)
    : Result.succeed(asset)
}

/** Everything but state, assets and fees. Before 2.2 some members were the channel's (chainflip/wire.md 3.7). */
const toMembers = (wire: WireSwap, ourAccount: BrokerAccount) => {
  const brokers = wire.brokers ?? []
  return {
    ...Struct.pick(wire, ["swapId"]),
    destinationAddress: wire.destAddress,
    ...spread(wire.depositChannel, (channel) => ({
      depositChannel: toChannelRecord(channel, brokers, ourAccount),
    })),
    ...spread(wire.boost, (boost) => ({ boost: toBoost(boost) })),
    ...spread(wire.estimatedDurationSeconds, (estimatedDuration) => ({ estimatedDuration })),
    ...spread(wire.srcChainRequiredBlockConfirmations, (sourceChainRequiredBlockConfirmations) => ({
      sourceChainRequiredBlockConfirmations,
    })),
    brokers,
    ...spread(wire.deposit, (deposit) => ({ deposit: toDeposit(deposit) })),
    ...spread(wire.swap, (swap) => ({ swap: toProgress(swap) })),
    ...spread(wire.swapEgress, (egress) => ({ swapEgress: toEgress(egress) })),
    ...spread(wire.refundEgress, (egress) => ({ refundEgress: toEgress(egress) })),
    ...spread(wire.fallbackEgress, (egress) => ({ fallbackEgress: toEgress(egress) })),
    ...spread(wire.ccmParams, (ccm) => ({ ccm })),
    ...spread(wire.fillOrKillParams ?? wire.depositChannel?.fillOrKillParams, (fillOrKill) => ({
      fillOrKill: toFillOrKill(fillOrKill),
    })),
    ...spread(wire.dcaParams ?? wire.depositChannel?.dcaParams, (dca) => ({ dca })),
    ...spread(wire.lastStatechainUpdateAt, (lastStateChainUpdateAt) => ({ lastStateChainUpdateAt })),
  }
}

/**
 * Reads the answer of `GET /v2/swaps/:id` as it is. Whether that can be true of the
 * swap that was asked about is for whoever knows the swap to say, of every provider alike.
 */
export const readStatus = (body: unknown, context: StatusContext): Result.Result<ReadStatus, MalformedBody> =>
  Result.gen(function* () {
    const wire = yield* decode(WireSwap, body)
    const sourceAsset = yield* assetAt("srcAsset", wire.srcChain, wire.srcAsset)
    const destinationAsset = yield* assetAt("destAsset", wire.destChain, wire.destAsset)
    const state = findState(wire.state)
    const { fees, unknownTypes } = toFees(wire.fees ?? [])
    return {
      status: {
        ...toMembers(wire, context.ourAccount),
        state: state ?? context.lastKnown,
        sourceAsset,
        destinationAsset,
        fees,
      },
      notices: [
        ...(state === undefined
          ? [`Kept the state ${context.lastKnown}: ${upstreamText(wire.state)} is unknown`]
          : []),
        ...unknownTypes.map((type) => `Left out a swap's fee of the unknown type ${upstreamText(type)}`),
      ],
    }
  })
