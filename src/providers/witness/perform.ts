import { BigDecimal, Effect, Option } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Bps } from "#domain/money/Bps.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import type { ProviderError, ProviderErrorReason } from "#domain/ProviderError.ts"
import type { Quote } from "#domain/quotes/Quote.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { PayloadMark } from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type AssetSupport, nothingListed, type Observed } from "../Provider.ts"
import { NextVersion, RecordIsMadeUp } from "../upstream/witness.ts"
import { type Asker, wordsOf } from "./apiChecks.ts"
import { listedPairs, nameOf, type Pair } from "./pairs.ts"
import type { Reads } from "./Reads.ts"
import {
  channelIn,
  nodeCalls,
  type Parties,
  payloadRequest,
  quoteRequest,
  recordOf,
  type SentRequest,
  swapRequest,
  unknownChannel,
  unknownReference,
  unknownTransactions,
  unknownWithdrawal,
  withdrawalOrder,
} from "./requests.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"

export interface Plan {
  /** The pairs to ask for, of all that the provider lists. */
  readonly choose: (listed: ReadonlyArray<Pair>) => ReadonlyArray<Pair>
  readonly concurrency: number
  /** Whether openings and withdrawals are looked for, which may go through hundreds of blocks. */
  readonly searches: boolean
  readonly commissionBps: Bps
  readonly parties: Parties
  /** A channel that the upstream knows: its coordinates, its address or the upstream's name of it. */
  readonly channel: Option.Option<string>
  /** The assets of that channel's swap. */
  readonly assets: { readonly sourceAsset?: AssetId; readonly destinationAsset?: AssetId }
  /** A swap of our records, of which the upstream may know nothing any more. */
  readonly recorded: Option.Option<SwapStatus>
  readonly transaction: Option.Option<string>
  /** Takes each response about the swap of `channel` or `transaction`. */
  readonly onFound?: (found: Observed) => void
}

const mostAmounts = 4

interface Quoted {
  readonly request: SentRequest
  readonly quote: Quote
}

/** US dollars for a whole unit, as far as any provider states it. */
export type UsdPrices = ReadonlyMap<AssetId, BigDecimal.BigDecimal>

export const usdPricesOf = (all: ReadonlyArray<AssetSupport>): UsdPrices =>
  new Map(
    all.toReversed().flatMap(({ asset, usdPrice }) =>
      usdPrice === undefined || !BigDecimal.isPositive(usdPrice) ? [] : [[asset, usdPrice] as const]
    ),
  )

/** US dollars: above every upstream's least amount, and below what moves a price. */
const worth = 500n

const wholeUnit = (asset: AssetId): bigint => 10n ** BigInt(factsOf(asset).decimals)

/** The amount with its first two digits, so that an upstream with coarser numbers does not refuse it. */
const rounded = (amount: bigint): bigint => {
  const unit = 10n ** BigInt(Math.max(0, `${amount}`.length - 2))
  return (amount / unit) * unit
}

/** Prices and minimums are what upstreams say: no amount of theirs is too large or too small to be asked for. */
const native = (amount: bigint): NativeAmount => {
  if (amount < 1n) return NativeAmount.make(1n)
  return NativeAmount.make(rounded(amount < maximumNativeAmount ? amount : maximumNativeAmount))
}

/** An amount to ask for: so many dollars' worth, a whole unit where nobody knows the price, and above the minimum. */
const firstAmount = ({ asset, minimumDeposit }: AssetSupport, prices: UsdPrices): NativeAmount => {
  const price = prices.get(asset)
  const wished = price === undefined
    ? wholeUnit(asset)
    : BigDecimal.scale(BigDecimal.divideUnsafe(BigDecimal.make(worth * wholeUnit(asset), 0), price), 0).value
  const least = 3n * (minimumDeposit ?? 0n)
  return native(wished < least ? least : wished)
}

/** The amount to ask for next where an upstream finds one too small or too large; nothing where that is not why. */
const nextAmount = (asked: NativeAmount, reason: ProviderErrorReason): NativeAmount | undefined => {
  if (reason._tag === "DepositBelowMinimum") return native(3n * reason.minimum)
  if (reason._tag === "DepositAboveMaximum") return native(reason.maximum / 2n)
  const { needs } = reasonFactsOf(reason)
  return needs === undefined ? undefined : native(needs === "more" ? 10n * asked : asked / 10n)
}

/** The quotes for a pair: of another amount where the first is too little or too much. */
const quoteOf = (reads: Reads, asker: Asker, plan: Plan, prices: UsdPrices, pair: Pair) => {
  const { destination: destinationAsset, source } = pair
  const askFor = (
    amount: NativeAmount,
    left: number,
  ): Effect.Effect<ReadonlyArray<Quoted>, Effect.Error<ReturnType<Asker["attempt"]>>> => {
    const assets = { sourceAsset: source.asset, destinationAsset }
    const request = quoteRequest(reads.capabilities, plan.parties, assets, amount, plan.commissionBps)
    return asker.attempt("quote", reads.quotes(request)).pipe(
      Effect.map((quotes) => quotes.map((quote) => ({ request, quote }))),
      Effect.catch((reason) => {
        const next = left === 0 ? undefined : nextAmount(amount, reason)
        return next === undefined || next === amount ? Effect.fail(reason) : askFor(next, left - 1)
      }),
    )
  }
  const about = nameOf(pair)
  return Effect.map(
    asker.askInTurn("quote", about, askFor(firstAmount(source, prices), mostAmounts - 1)),
    Option.match({
      onNone: () => [],
      onSome: (quoted) => {
        if (quoted.length === 0) asker.disappointed("quote", about, "refused", "no offer")
        return quoted.slice(0, 1)
      },
    }),
  )
}

/** Each asset's first quote; to Ethereum where there is one, as its addresses are short enough for every payload. */
const oneOfEachSource = (quoted: ReadonlyArray<Quoted>): ReadonlyArray<Quoted> => {
  const isToEthereum = ({ request }: Quoted) => Number(chainOf(request.destinationAsset) === "Ethereum")
  const found = new Map<AssetId, Quoted>()
  for (const one of quoted.toSorted((one, other) => isToEthereum(other) - isToEthereum(one))) {
    if (!found.has(one.request.sourceAsset)) found.set(one.request.sourceAsset, one)
  }
  return [...found.values()]
}

/** The first swap that was quoted, by what arrives: an answer of that kind has members of its own. */
const quoteExactly = Effect.fnUntraced(function* (reads: Reads, asker: Asker, quoted: ReadonlyArray<Quoted>) {
  const [first] = quoted
  if (reads.capabilities.exactOutput !== true) return
  if (first === undefined) return asker.passedOver("quote", "no output is asked for: nothing was quoted")
  const { quote: { egress }, request } = first
  const about = `${request.sourceAsset} to just ${egress.amount} units of ${request.destinationAsset}`
  const amount = ReceiveExactly.make({ amount: egress.amount })
  const found = yield* asker.ask("quote", about, reads.quotes({ ...request, amount }))
  if (Option.exists(found, (quotes) => quotes.length === 0)) {
    asker.disappointed("quote", about, "refused", "no offer")
  }
})

/** Notices say whether the next version of a call works already; one quote of it is enough. */
const makeNextVersion = (asker: Asker) => {
  let isTold = false
  const tell = (call: string, failure: ProviderErrorReason | undefined): void => {
    isTold = true
    const found = failure === undefined ? "responds as expected" : `cannot be used yet. ${wordsOf(failure)}`
    asker.passedOver("quote", `${call}, the next version, ${found}`)
  }
  return () => isTold ? undefined : tell
}

/** A payload from every asset that was quoted, on the chains whose transactions the provider encodes. */
const encodeEach = Effect.fnUntraced(
  function* ({ capabilities, vaultSwaps }: Reads, asker: Asker, plan: Plan, quoted: ReadonlyArray<Quoted>) {
    if (vaultSwaps === undefined) return
    const asked = oneOfEachSource(quoted).flatMap(({ quote, request }) => {
      if (!vaultSwaps.chains.includes(chainOf(request.sourceAsset))) return []
      const payload = payloadRequest(capabilities, plan.parties, request, quote)
      return payload === undefined ? [] : [payload]
    })
    for (const chain of vaultSwaps.chains) {
      if (asked.some(({ sourceAsset }) => chainOf(sourceAsset) === chain)) continue
      asker.passedOver("encode", `no payload on ${chain}: none of the quotes is from there`)
    }
    yield* Effect.forEach(asked, (request) => {
      const about = `${request.sourceAsset} to ${request.destinationAsset}`
      return asker.ask("encode", about, vaultSwaps.encode(request))
    }, { concurrency: plan.concurrency, discard: true })
  },
)

const known = (asker: Asker, about: string, found: Option.Option<Option.Option<unknown>>): void => {
  if (Option.isSome(found) && Option.isNone(found.value)) {
    asker.disappointed("status", about, "contradiction", "nothing: the upstream does not know it")
  }
}

const statusOf = ({ channels }: Reads, asker: Asker, about: string, record: SwapStatus) => {
  const { depositChannel } = record
  return channels === undefined || depositChannel === undefined
    ? Effect.succeedNone
    : asker.ask("status", about, channels.status(depositChannel.id, record))
}

/** The same by a name alone. */
const statusByName = (...looking: Parameters<typeof statusOf>) =>
  Effect.provideService(statusOf(...looking), RecordIsMadeUp, true)

const noMark = PayloadMark.make(unknownReference)

/** A look at a transaction in each of the ways of the port; what they found. */
const lookForTransaction = Effect.fnUntraced(
  function* ({ channels, vaultSwaps }: Reads, asker: Asker, about: string, transaction: string) {
    const marks = vaultSwaps?.needsMarks === true ? [noMark] : []
    const vaultSwap = vaultSwaps?.status({ transaction, marks }, Option.none())
      .pipe(Effect.map(Option.map((said) => ({ said }))))
    const found = yield* Effect.forEach(
      [channels?.findTransaction?.(transaction), vaultSwap],
      (question: Effect.Effect<Option.Option<{ readonly said?: Observed }>, ProviderError> | undefined) =>
        question === undefined ? Effect.succeedNone : asker.ask("status", about, question),
    )
    return found.flatMap((one) => Option.toArray(Option.flatten(one)))
  },
)

const lookAgain = (reads: Reads, asker: Asker, record: SwapStatus) => {
  const about = "a swap that is on record"
  const transaction = record.deposit?.transactionReference
  return record.depositChannel === undefined && reads.vaultSwaps !== undefined && transaction !== undefined
    ? asker.ask("status", about, reads.vaultSwaps.status({ transaction, marks: [] }, Option.some(record)))
    : statusOf(reads, asker, about, record)
}

/** The status of channels and transactions that do not exist, and of those that the operator names. */
const lookUp = Effect.fnUntraced(function* (reads: Reads, asker: Asker, plan: Plan) {
  const unknown = `the unknown channel ${formatChannelId(unknownChannel)}`
  yield* statusByName(reads, asker, unknown, recordOf(unknownChannel, {}, unknownReference))
  for (const transaction of unknownTransactions) {
    yield* lookForTransaction(reads, asker, "an unknown transaction", transaction)
  }
  if (Option.isSome(plan.recorded)) yield* lookAgain(reads, asker, plan.recorded.value)
  if (Option.isSome(plan.channel)) {
    const text = plan.channel.value
    const record = recordOf(channelIn(text) ?? unknownChannel, plan.assets, text, text)
    const found = yield* statusByName(reads, asker, "the channel given", record)
    known(asker, "the channel given", found)
    for (const observed of Option.toArray(Option.flatten(found))) plan.onFound?.(observed)
  }
  if (Option.isSome(plan.transaction)) {
    const about = "the transaction given"
    const found = yield* lookForTransaction(reads, asker, about, plan.transaction.value)
    for (const { said } of found) if (said !== undefined) plan.onFound?.(said)
    if (found.length === 0) known(asker, about, Option.some(Option.none()))
  }
})

/** The outcome of an opening that was never requested, by the first swap that was quoted. */
const traceOpening = Effect.fnUntraced(
  function* ({ capabilities, channels }: Reads, asker: Asker, plan: Plan, quoted: ReadonlyArray<Quoted>) {
    const [first] = quoted
    if (channels?.findOpening === undefined) return
    if (first === undefined) return asker.passedOver("status", "no opening is looked up: nothing was quoted")
    const request = swapRequest(capabilities, plan.parties, first.request, first.quote)
    const about =
      `an opening from ${request.sourceAsset} to ${request.destinationAsset} that no payer asked for`
    const listed = channels.list === undefined
      ? Option.none()
      : yield* asker.ask("status", "the open channels", channels.list)
    const unrecorded = Option.getOrElse(listed, () => nothingListed)
    const trace = yield* asker.ask(
      "status",
      about,
      channels.findOpening(request, yield* currentMillis, unrecorded),
    )
    if (Option.isSome(trace) && trace.value._tag === "Found") {
      asker.disappointed("status", about, "contradiction", "a channel of an opening that was never requested")
    }
  },
)

/** The outcome and the payment of a withdrawal that was never requested, of more than can have been earned. */
const traceWithdrawal = Effect.fnUntraced(
  function* ({ treasury }: Reads, asker: Asker, plan: Plan, assets: ReadonlyArray<AssetSupport>) {
    const { withdrawals } = treasury ?? {}
    const asset = assets.find(({ egress }) => egress)?.asset
    if (withdrawals === undefined) return
    if (asset === undefined) {
      return asker.passedOver("treasury", "no withdrawal is looked up: nothing is paid out")
    }
    const order = withdrawalOrder(plan.parties, asset)
    const about = `a withdrawal of ${asset} that was never requested`
    const disappointed = (found: string) => asker.disappointed("treasury", about, "contradiction", found)
    if (withdrawals.find !== undefined) {
      const earned = { asset, amount: NativeAmount.make(maximumNativeAmount) }
      const trace = yield* asker.ask("treasury", about, withdrawals.find(order, earned, yield* currentMillis))
      if (Option.isSome(trace) && trace.value._tag === "Taken") {
        disappointed("accepted, though never requested")
      }
    }
    const standing = yield* asker.ask("treasury", about, withdrawals.standing(unknownWithdrawal(order)))
    if (Option.isSome(standing) && Option.exists(standing.value, ({ _tag }) => _tag === "Paid")) {
      disappointed("paid, though never requested")
    }
  },
)

/** Every call that clients may pass on to the upstream's node. */
const callNode = (reads: Reads, asker: Asker) =>
  Effect.forEach(reads.node === undefined ? [] : nodeCalls, (call) => {
    const { node } = reads
    return node === undefined
      ? Effect.void
      : Effect.map(asker.ask("node", call.method, node(call)), (reply) => {
        if (Option.isSome(reply) && reply.value._tag === "Error") {
          asker.disappointed(
            "node",
            call.method,
            "contradiction",
            `an error: ${reply.value.json.slice(0, 200)}`,
          )
        }
      })
  }, { discard: true })

/** The assets of a provider; none where it does not tell. */
export const askAssets = (reads: Reads, asker: Asker): Effect.Effect<ReadonlyArray<AssetSupport>> =>
  Effect.map(asker.ask("assets", "assets", reads.assets), Option.getOrElse(() => []))

export const perform = Effect.fnUntraced(
  function* (reads: Reads, asker: Asker, plan: Plan, assets: ReadonlyArray<AssetSupport>, prices: UsdPrices) {
    const listed = listedPairs(assets)
    if (assets.length > 0 && listed.length === 0) {
      asker.disappointed("assets", "assets", "failure", "no pair that could be swapped now")
    }
    yield* lookUp(reads, asker, plan)
    yield* callNode(reads, asker)
    if (reads.treasury !== undefined) yield* asker.ask("treasury", "the account", reads.treasury.account)
    const chosen = plan.choose(listed)
    const next = plan.searches ? makeNextVersion(asker) : () => undefined
    const quoted = yield* Effect.forEach(
      chosen,
      (pair) =>
        Effect.suspend(() =>
          Effect.provideService(quoteOf(reads, asker, plan, prices, pair), NextVersion, next())
        ),
      { concurrency: plan.concurrency },
    )
    yield* quoteExactly(reads, asker, quoted.flat())
    yield* encodeEach(reads, asker, plan, quoted.flat())
    if (plan.searches) {
      yield* traceOpening(reads, asker, plan, quoted.flat())
      yield* traceWithdrawal(reads, asker, plan, assets)
    }
    asker.conclude()
    return { listed: listed.length, chosen: chosen.length }
  },
)
