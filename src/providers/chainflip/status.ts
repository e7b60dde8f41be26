import { Effect, Option, Result, Schema, Struct } from "effect"
import type { BrokerAccount } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { findNetworkAsset } from "#domain/chains/payload/contractNumbers.ts"
import { type ChannelId, formatChannelId } from "#domain/swaps/Channel.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import { isOver, isSameSwap, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Channels, type Observed, type Sought, TransactionTrace, type VaultSwaps } from "../Provider.ts"
import { type Backend, failAs, type JsonRpc, ofNode } from "./client.ts"
import { toFees } from "./quotes.ts"
import * as Records from "./records.ts"
import { decode, logged, malformed, maybe, type Noticed } from "../upstream/values.ts"
import { upstreamText } from "../upstream/failures.ts"
import { type Chain, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Options } from "./settings.ts"
import { isAccount, makeState } from "./lostOpenings.ts"

const assetAt = (member: string, chain: string, ticker: string): Result.Result<AssetId, MalformedBody> => {
  const asset = findNetworkAsset(chain, ticker)
  return asset === undefined
    ? malformed(`${member}: expected a known asset, got "${upstreamText(`${chain}/${ticker}`)}"`)
    : Result.succeed(asset)
}

type Destination = Pick<SwapStatus, "destinationAsset" | "destinationAddress">

/** The destination as the upstream tells it, else as the record has it; nothing where neither does. */
const destinationOf = (
  { destAddress, destAsset, destChain }: Records.WireSwap,
  known: Option.Option<SwapStatus>,
) =>
  Result.gen(function* () {
    const ours = Option.getOrUndefined(known)
    const destinationAddress = destAddress ?? ours?.destinationAddress
    const destinationAsset = destChain === undefined || destAsset === undefined
      ? ours?.destinationAsset
      : yield* assetAt("destAsset", destChain, destAsset)
    return destinationAsset === undefined || destinationAddress === undefined
      ? undefined
      : { destinationAsset, destinationAddress }
  })

type Sides = Destination & Pick<SwapStatus, "sourceAsset" | "fees">

/** The members except the state. Before 2.2 some were the channel's (chainflip/wire.md 3.7). */
const toMembers = (wire: Records.WireSwap, sides: Sides, ourAccount: BrokerAccount) => {
  const { brokers = [], depositChannel: channel } = wire
  const fillOrKill = wire.fillOrKillParams ?? channel?.fillOrKillParams
  return {
    ...Struct.pick(wire, ["swapId"]),
    ...sides,
    ...defined({
      depositChannel: channel && Records.toChannelRecord(
        { ...Struct.pick(wire, ["brokerCommissionBps", "affiliateBrokers"]), ...channel },
        brokers,
        ourAccount,
      ),
      boost: wire.boost && Records.toBoost(wire.boost),
      estimatedDuration: wire.estimatedDurationSeconds,
      sourceChainRequiredBlockConfirmations: wire.srcChainRequiredBlockConfirmations,
      deposit: wire.deposit && Records.toDeposit(wire.deposit),
      swap: wire.swap && Records.toProgress(wire.swap, sides.sourceAsset, sides.fees),
      swapEgress: wire.swapEgress && Records.toEgress(wire.swapEgress),
      refundEgress: wire.refundEgress && Records.toEgress(wire.refundEgress),
      fallbackEgress: wire.fallbackEgress && Records.toEgress(wire.fallbackEgress),
      ccm: wire.ccmParams,
      fillOrKill: fillOrKill && Records.toFillOrKill(fillOrKill),
      dca: wire.dcaParams ?? channel?.dcaParams,
      lastStateChainUpdateAt: wire.lastStatechainUpdateAt,
    }),
    brokers,
  }
}

/** The state of a transaction that the upstream knows, until it tells more. */
const firstState: SwapState = "receiving"

/** Reads a swap; nothing without a destination. `swapping` decides whether it can be true of the swap asked about. */
const readStatus = (
  wire: Records.WireSwap,
  { known, ourAccount }: {
    /** The record of the swap, whose state is kept where the upstream names one that we do not know (decision 23). */
    readonly known: Option.Option<SwapStatus>
    readonly ourAccount: BrokerAccount
  },
): Result.Result<Option.Option<Noticed & { readonly status: SwapStatus }>, MalformedBody> =>
  Result.gen(function* () {
    const sourceAsset = yield* assetAt("srcAsset", wire.srcChain, wire.srcAsset)
    const destination = yield* destinationOf(wire, known)
    if (destination === undefined) return Option.none()
    const lastKnown = Option.match(known, { onNone: () => firstState, onSome: ({ state }) => state })
    const state = SwapState.literals.find((known) => known === wire.state.toLowerCase())
    const { fees, notices } = toFees("swap", wire.fees ?? [])
    return Option.some({
      status: {
        ...toMembers(wire, { ...destination, sourceAsset, fees }, ourAccount),
        state: state ?? lastKnown,
      },
      notices: [
        ...(state === undefined
          ? [`Kept the state ${lastKnown}: ${upstreamText(wire.state)} is unknown`]
          : []),
        ...notices,
      ],
    })
  })

/** Whether a swap is through our broker. A record without brokers counts as ours. */
const isOurs = (account: BrokerAccount, { brokers = [] }: Records.WireSwap): boolean =>
  brokers.length === 0 || brokers.some((broker) => broker.account === account)

/** The operations that look swaps up. The backend finds the latest swap of a channel, and of a transaction (3.6). */
export interface Lookups {
  readonly status: Channels["status"]
  readonly findTransaction: NonNullable<Channels["findTransaction"]>
  readonly vaultSwapStatus: VaultSwaps["status"]
}

interface ReportedSwap {
  readonly wire: Records.WireSwap
  readonly text: string
}

export const makeLookups = (backend: Pick<Backend, "swap">, ourAccount: BrokerAccount): Lookups => {
  const look = Effect.fnUntraced(function* (id: string) {
    const heard = yield* backend.swap(id)
    if (Option.isNone(heard)) return Option.none<ReportedSwap>()
    const { body, text } = heard.value
    return Option.some({ wire: yield* Effect.fromResult(decode(Records.WireSwap, body)), text })
  })

  const read = Effect.fnUntraced(function* ({ text, wire }: ReportedSwap, known: Option.Option<SwapStatus>) {
    const read = yield* Effect.fromResult(readStatus(wire, { known, ourAccount }))
    if (Option.isNone(read)) return Option.none<Observed>()
    const { status } = yield* logged(Result.succeed(read.value))
    return Option.some<Observed>({ status, body: text })
  })

  const trace = Effect.fnUntraced(function* (transaction: string, known: Option.Option<SwapStatus>) {
    const told = yield* look(encodeURIComponent(transaction))
    if (Option.isNone(told)) return Option.none<TransactionTrace>()
    const { depositChannel } = told.value.wire
    if (depositChannel !== undefined) {
      // Another broker's may be in an asset that nobody here knows: what cannot be read is asked for by its channel.
      const said = Option.flatten(yield* Effect.option(read(told.value, known)))
      return Option.some(TransactionTrace.Deposit({
        channel: depositChannel.id,
        ...optionalMembers(Option.getOrUndefined(said), (said) => ({ said })),
      }))
    }
    return isOurs(ourAccount, told.value.wire)
      ? Option.map(yield* read(told.value, known), (said) => TransactionTrace.VaultSwap({ said }))
      : Option.none()
  })

  /** The swap of a record that its channel does not show any more; its deposit may have paid other channels, too. */
  const lookBehind = Effect.fnUntraced(function* (channel: ChannelId, known: SwapStatus) {
    const name = known.swapId ?? known.deposit?.transactionReference
    const told = name === undefined ? Option.none<ReportedSwap>() : yield* look(encodeURIComponent(name))
    const { depositChannel } = Option.getOrUndefined(told)?.wire ?? {}
    return Option.isNone(told) || depositChannel === undefined ||
        formatChannelId(depositChannel.id) !== formatChannelId(channel)
      ? Option.none<Observed>()
      : yield* read(told.value, Option.some(known))
  })

  return {
    status: Effect.fnUntraced(
      function* (channel, known) {
        const told = yield* look(formatChannelId(channel))
        if (Option.isNone(told)) return Option.none()
        const shown = yield* read(told.value, Option.some(known))
        if (Option.exists(shown, ({ status }) => isSameSwap(known, status))) return shown
        const other = yield* read(told.value, Option.some({ ...known, state: firstState }))
        const own = known.state === "completed" && isOver(known)
          ? Option.none<Observed>()
          : yield* lookBehind(channel, known)
        return Option.isNone(own) ? other : Option.some({ ...own.value, others: Option.toArray(other) })
      },
      failAs("status"),
      lightSpan("Chainflip.status"),
    ),
    findTransaction: Effect.fn("Chainflip.findTransaction")(
      (transaction) => trace(transaction, Option.none()),
      failAs("status"),
    ),
    vaultSwapStatus: Effect.fn("Chainflip.vaultSwapStatus")(
      ({ transaction }, known) =>
        Effect.map(
          trace(transaction, known),
          Option.flatMap(TransactionTrace.$match({
            Deposit: () => Option.none(),
            VaultSwap: ({ said }) => Option.some(said),
          })),
        ),
      failAs("status"),
    ),
  }
}

/** `cf_ingress_egress_events` (chainflip/wire.md 2.10), as far as it tells transactions to vaults. */
export const WireWitnessed = Schema.Struct({
  vault_deposits: Schema.Array(Schema.Struct({
    tx_id: Schema.String,
    broker_fee: maybe(Schema.Struct({ account: Schema.String })),
    /** Bitcoin's have the hash as everybody writes it. */
    deposit_details: maybe(Schema.Struct({ tx_id: maybe(Schema.String) })),
  })),
})

/** The chains whose deposits to vaults a node tells; it does not of Solana's (chainflip/wire.md 2.10). */
const witnessedChains: ReadonlyArray<Chain> = ["Bitcoin", "Ethereum", "Arbitrum", "Tron"]

/** A node tells what was witnessed of a chain for 48 seconds at least (chainflip/wire.md 2.10), so looks are closer. */
const stepMillis = 30_000

/** How far back is looked after a break: a usual node keeps the state of 256 blocks, 25 minutes. */
const mostSteps = 50

/** The transactions in an answer that were made through our account, written as their chain does. */
export const transactionsIn = (
  chain: Chain,
  isOwn: (account: string) => boolean,
  { vault_deposits }: typeof WireWitnessed.Type,
): ReadonlyArray<string> =>
  vault_deposits.flatMap(({ broker_fee, deposit_details, tx_id }) => {
    const hash = chain === "Bitcoin" ? deposit_details?.tx_id : tx_id
    const reference = hash === undefined ? undefined : referenceOn(chain, hash)
    return reference !== undefined && broker_fee !== undefined && isOwn(broker_fee.account) ? [reference] : []
  })

/** The operation: deposits to vaults that the network has witnessed, and that name the operator's broker. */
export const makeListVaultDeposits = (
  node: JsonRpc,
  { brokerAccount }: Options,
): NonNullable<VaultSwaps["list"]> => {
  const state = makeState(node)
  const isOwn = isAccount(brokerAccount)

  const at = (chain: Chain) => (...hash: ReadonlyArray<string>) =>
    Effect.map(
      node.read(WireWitnessed, "cf_ingress_egress_events", chain, ...hash),
      (witnessed) => transactionsIn(chain, isOwn, witnessed),
    )

  /** What was witnessed while nobody looked, as far as the node can tell. */
  const before = Effect.fnUntraced(function* (chains: ReadonlyArray<Chain>, missed: number) {
    const found: Array<string> = []
    const steps = Math.min(Math.floor(missed / stepMillis), mostSteps)
    if (steps === 0) return found
    const head = yield* state.height()
    for (let step = 1; step <= steps; step++) {
      const height = head - Math.floor(step * stepMillis / stateChainBlockMillis)
      if (height < 0) break
      const told = yield* Effect.forEach(chains, (chain) => state.atHeight(height, at(chain)))
      if (told.every(Option.isNone)) break
      found.push(...told.flatMap(Option.toArray).flat())
    }
    return found
  })

  return Effect.fn("Chainflip.listTransactions")(
    function* ({ chains, since }: Sought) {
      const told = witnessedChains.filter((chain) => chains.includes(chain))
      const now = yield* currentMillis
      const latest = yield* Effect.forEach(told, (chain) => at(chain)())
      return [...latest.flat(), ...(yield* before(told, now - since))]
    },
    ofNode,
    failAs("treasury"),
  )
}
