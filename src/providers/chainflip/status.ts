import { Effect, Option, Result, Struct } from "effect"
import type { BrokerAccount } from "../../domain/Address.ts"
import { type AssetId, findAsset } from "../../domain/Asset.ts"
import { formatChannelId } from "../../domain/Channel.ts"
import { MalformedBody } from "../../domain/ProviderError.ts"
import { SwapState, type SwapStatus } from "../../domain/Swap.ts"
import { lightSpan } from "../../platform/lightSpan.ts"
import { spread } from "../../platform/spread.ts"
import { type Channels, type Observed, TransactionTrace, type VaultSwaps } from "../Provider.ts"
import type { Backend } from "./client.ts"
import { failAs } from "./errors.ts"
import { toFees } from "./fees.ts"
import {
  toBoost,
  toChannelRecord,
  toDeposit,
  toEgress,
  toFillOrKill,
  toProgress,
  WireSwap,
} from "./records.ts"
import { decode, logged, type Noticed } from "../upstream/decode.ts"
import { upstreamText } from "../upstream/failures.ts"

/** The context in which a record is read. */
interface StatusContext {
  /** The state that a record keeps where the upstream names one that we do not know (decision 23). */
  readonly lastKnown: SwapState
  readonly ourAccount: BrokerAccount
}

/** The record, and a log line about each part that was not understood. */
interface ReadStatus extends Noticed {
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

/** The members except state, assets and fees. Before 2.2 some were the channel's (chainflip/wire.md 3.7). */
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
 * Reads the answer of `GET /v2/swaps/:id` as it is. `swapping` decides, alike for every provider, whether the answer
 * can be true of the swap that was asked about.
 */
const readStatus = (body: unknown, context: StatusContext): Result.Result<ReadStatus, MalformedBody> =>
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

/** The state of a transaction that the upstream knows, until it tells more. */
const firstState: SwapState = "receiving"

/** Whether a swap is through our broker. A record without brokers counts as ours. */
const isOurs = (account: BrokerAccount, { brokers }: SwapStatus): boolean =>
  brokers.length === 0 || brokers.some((broker) => broker.account === account)

/** The operations that look swaps up. The backend finds the latest swap of a channel, and of a transaction. */
export interface Lookups {
  readonly status: Channels["status"]
  readonly findTransaction: NonNullable<Channels["findTransaction"]>
  readonly vaultSwapStatus: VaultSwaps["status"]
}

export const makeLookups = (backend: Backend, ourAccount: BrokerAccount): Lookups => {
  const read = Effect.fnUntraced(function* (id: string, lastKnown: SwapState) {
    const heard = yield* backend.swap(id)
    if (Option.isNone(heard)) return Option.none()
    const { body, text } = heard.value
    const { status } = yield* logged(readStatus(body, { lastKnown, ourAccount }))
    return Option.some<Observed>({ status, body: text })
  })

  const traceOf = (said: Observed): Option.Option<TransactionTrace> => {
    const { depositChannel } = said.status
    if (depositChannel !== undefined) {
      return Option.some(TransactionTrace.Deposit({ channel: depositChannel.id }))
    }
    return isOurs(ourAccount, said.status) ? Option.some(TransactionTrace.VaultSwap({ said })) : Option.none()
  }

  const trace = (transaction: string, lastKnown: SwapState) =>
    Effect.map(read(encodeURIComponent(transaction), lastKnown), Option.flatMap(traceOf))

  return {
    status: Effect.fnUntraced(
      function* (channel, known) {
        return yield* read(formatChannelId(channel), known.state)
      },
      failAs("status"),
      lightSpan("Chainflip.status"),
    ),
    findTransaction: Effect.fn("Chainflip.findTransaction")(
      (transaction) => trace(transaction, firstState),
      failAs("status"),
    ),
    vaultSwapStatus: Effect.fn("Chainflip.vaultSwapStatus")(function* ({ transaction }, known) {
      const lastKnown = Option.match(known, { onNone: () => firstState, onSome: ({ state }) => state })
      return Option.flatMap(
        yield* trace(transaction, lastKnown),
        TransactionTrace.$match({
          Deposit: () => Option.none(),
          VaultSwap: ({ said }) => Option.some(said),
        }),
      )
    }, failAs("status")),
  }
}
