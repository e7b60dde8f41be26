import { Effect, Option, Result, Schema, Struct } from "effect"
import { inOwnForm } from "#domain/chains/address/accountBytes.ts"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps, mostBps } from "#domain/money/Bps.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { anyPrice, type Price } from "#domain/money/Price.ts"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import { type Chunk, type Egress, type SwapProgress, SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { PayloadMark } from "#domain/swaps/VaultSwap.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Observed, Sought, VaultSwaps } from "../Provider.ts"
import { toBlockIndex } from "../upstream/openedOrder.ts"
import { decode, malformed, maybe } from "../upstream/values.ts"
import { type Assets, estimatedPrice } from "../upstream/prices.ts"
import { fromWire, nativeOf } from "./amounts.ts"
import { answerReason, type Client, failAs } from "./client.ts"
import { readMemo } from "./memo.ts"
import { type Family, findAsset } from "./networks.ts"
import type { Options } from "./settings.ts"
import * as Stages from "./stages.ts"
import type { HttpClient } from "effect/http"
import { makeRest } from "../upstream/restClient.ts"

/** What the reading of a status depends on besides its body. */
interface StatusContext {
  /** The transaction, as it was asked for. */
  readonly transaction: string
  /** The last record, which keeps the times at which things were first seen: the network tells none. */
  readonly known: Option.Option<SwapStatus>
  /** By the upstream's clock. */
  readonly now: EpochMillis
}

/** The price of a memo's limit: least output per unit of input, with digits enough to give the same limit again. */
const priceOf = (limit: bigint, pair: Assets, amount: bigint): Price =>
  limit === 0n || amount === 0n
    ? anyPrice
    : estimatedPrice(pair, amount, fromWire(pair.destinationAsset, limit), 2)

const knownIn = <A>(context: StatusContext, read: (known: SwapStatus) => A | undefined): A | undefined =>
  Option.getOrUndefined(Option.flatMap(context.known, (known) => Option.fromUndefinedOr(read(known))))

const chunkOf = ({ execution }: SwapProgress): Chunk | undefined =>
  execution?._tag === "regular" ? execution.chunk : undefined

const toChunk = (facts: Stages.Facts, { isSwapped }: Stages.Stage, context: StatusContext): Chunk => {
  const before = knownIn(context, ({ swap }) => swap === undefined ? undefined : chunkOf(swap))
  const scheduledAt = before?.scheduledAt ?? context.now
  const endedAt = before?.executedAt ?? before?.abortedAt ?? context.now
  const end = { at: endedAt, index: toBlockIndex(endedAt) }
  return {
    inputAmount: facts.amount,
    scheduledAt,
    scheduledBlockIndex: toBlockIndex(scheduledAt),
    retryCount: 0,
    ...optionalMembers(facts.payout, ({ amount }) => ({
      outputAmount: amount,
      executedAt: end.at,
      executedBlockIndex: end.index,
    })),
    ...(isSwapped && facts.payout === undefined
      ? {
        abortedAt: end.at,
        abortedBlockIndex: end.index,
        abortedReason: "The network sends it back: the price limit, or a halt, kept it from being swapped",
      }
      : {}),
  }
}

/** What did not come back was swapped. The fee for sending the rest back counts as swapped, too. */
const swappedInput = ({ amount, payout, refund }: Stages.Facts): bigint => {
  if (payout === undefined) return 0n
  const returned = refund?.amount ?? 0n
  return returned < amount ? amount - returned : 0n
}

const toProgress = (facts: Stages.Facts, stage: Stages.Stage, context: StatusContext): SwapProgress => {
  const { amount, payout, terms: { dca } } = facts
  const swapped = swappedInput(facts)
  return {
    originalInputAmount: amount,
    remainingInputAmount: NativeAmount.make(amount - swapped),
    swappedInputAmount: NativeAmount.make(swapped),
    swappedIntermediateAmount: noAmount,
    swappedOutputAmount: payout?.amount ?? noAmount,
    execution: dca === undefined
      ? { _tag: "regular", chunk: toChunk(facts, stage, context) }
      : { _tag: "dca", ...Stages.chunkCounts(dca, facts, stage) },
  }
}

const toEgress = (
  leg: Stages.Leg,
  before: Egress | undefined,
  { state }: Stages.Stage,
  now: EpochMillis,
): Egress => {
  const scheduledAt = before?.scheduledAt ?? now
  const witnessedAt = before?.witnessedAt ?? now
  return {
    amount: leg.amount,
    scheduledAt,
    scheduledBlockIndex: toBlockIndex(scheduledAt),
    ...optionalMembers(leg.transaction, (transactionReference) => ({ transactionReference })),
    ...(state === "completed" ? { witnessedAt, witnessedBlockIndex: toBlockIndex(witnessedAt) } : {}),
  }
}

/** The deposit has failed only where nothing is paid, neither out nor back. */
const failureAt = (failedAt: EpochMillis) => ({
  failure: {
    failedAt,
    failedBlockIndex: toBlockIndex(failedAt),
    mode: "DEPOSIT_IGNORED",
    reason: {
      code: "NothingPaid",
      message: "The network took the payment and pays nothing out or back: it does not cover the fee",
    },
  },
  failedAt,
  failedBlockIndex: toBlockIndex(failedAt),
})

const toDeposit = (facts: Stages.Facts, { isFinalised, state }: Stages.Stage, context: StatusContext) => {
  const witnessedAt = knownIn(context, ({ deposit }) => deposit?.witnessedAt) ?? context.now
  return {
    amount: facts.amount,
    transactionReference: context.transaction,
    ...(isFinalised ? { witnessedAt, witnessedBlockIndex: toBlockIndex(witnessedAt) } : {}),
    ...(state === "failed" ? failureAt(context.now) : {}),
  }
}

/** The commission, estimated of what arrives: no answer tells it in the output's asset (thorchain/wire.md 7). */
const feesOf = ({ payout, terms: { destinationAsset, share } }: Stages.Facts): ReadonlyArray<Fee> => {
  if (payout === undefined || share === undefined) return []
  const amount = payout.amount * BigInt(share.bps) / BigInt(mostBps - share.bps)
  return Option.toArray(Option.filter(NativeAmount.makeOption(amount), (amount) => amount > 0n))
    .map((amount) => ({ type: "broker", asset: destinationAsset, amount, isEstimate: true }))
}

const toStatus = (facts: Stages.Facts, context: StatusContext): SwapStatus => {
  const { amount, payout, refund, refundAddress, sourceAsset, terms } = facts
  const stage = Stages.readStage(facts, context.known, context.now)
  return {
    state: stage.state,
    sourceAsset,
    destinationAsset: terms.destinationAsset,
    destinationAddress: Address.make(inOwnForm(chainOf(terms.destinationAsset), terms.destination)),
    fees: feesOf(facts),
    brokers: terms.share === undefined ? [] : [{
      account: BrokerAccount.make(terms.share.affiliate),
      commissionBps: Bps.make(terms.share.bps),
    }],
    deposit: toDeposit(facts, stage, context),
    ...(stage.isFinalised && stage.state !== "failed" ? { swap: toProgress(facts, stage, context) } : {}),
    ...optionalMembers(payout, (leg) => ({
      swapEgress: toEgress(leg, knownIn(context, ({ swapEgress }) => swapEgress), stage, context.now),
    })),
    ...optionalMembers(refund, (leg) => ({
      refundEgress: toEgress(leg, knownIn(context, ({ refundEgress }) => refundEgress), stage, context.now),
    })),
    fillOrKill: {
      retryDurationBlocks: 0,
      refundAddress: Address.make(inOwnForm(chainOf(sourceAsset), refundAddress)),
      minimumPrice: priceOf(terms.limit, { sourceAsset, destinationAsset: terms.destinationAsset }, amount),
    },
    ...optionalMembers(terms.dca, (dca) => ({ dca })),
    lastStateChainUpdateAt: context.now,
  }
}

const isSameRecord = Schema.toEquivalence(
  Schema.Struct(Struct.omit(SwapStatus.fields, ["lastStateChainUpdateAt"])),
)

/** The network has no time of its last change: a record that says the same as before was not changed. */
const asOfLastChange = (found: SwapStatus, known: Option.Option<SwapStatus>): SwapStatus =>
  Option.match(known, { onNone: () => found, onSome: (known) => isSameRecord(known, found) ? known : found })

/** The payment if it is ours: our memo and affiliate, its chain's form. Everyone can copy a memo. */
const inboundOf = (
  family: Family,
  affiliate: Options["affiliate"],
  { chain: code = "", coins = [], from_address = "", id = "", memo = "" }: Stages.WireTx,
  transaction: string,
): Result.Result<Option.Option<Stages.Inbound>, MalformedBody> => {
  const chain = family.chains.get(code)
  const terms = readMemo(family, memo)
  const [coin] = coins
  const sourceAsset = coin === undefined ? undefined : findAsset(family, coin.asset)
  const isOurs = terms?.share === undefined || Option.contains(affiliate, terms.share.affiliate)
  if (
    chain === undefined || terms === undefined || coin === undefined || sourceAsset === undefined ||
    chainOf(sourceAsset) !== chain || !isOurs || referenceOn(chain, transaction) !== transaction
  ) return Result.succeed(Option.none())
  if (referenceOn(chain, id) !== transaction) {
    return malformed("tx.id: expected the transaction that was asked for, got another")
  }
  const amount = nativeOf(sourceAsset, coin.amount)
  if (amount === undefined || from_address === "") {
    return malformed("tx.coins[0].amount: expected an amount that there can be, of somebody")
  }
  return Result.succeedSome({ sourceAsset, amount, sender: from_address, terms })
}

/** Reads the answer of `GET /tx/status/{hash}`, as it is. */
export const readStatus = (
  family: Family,
  affiliate: Options["affiliate"],
  body: unknown,
  context: StatusContext,
): Result.Result<Option.Option<Omit<Observed, "body">>, MalformedBody> =>
  Result.gen(function* () {
    const wire = yield* decode(Stages.WireStatus, body)
    if (wire.tx === undefined) return Option.none()
    const inbound = yield* inboundOf(family, affiliate, wire.tx, context.transaction)
    return Option.map(inbound, (inbound) => {
      const found = toStatus(Stages.toFacts(family, wire, inbound), context)
      return {
        // Stages that only a newer node has change nothing (decision 23).
        status: Stages.isUnknownStage(wire)
          ? Option.getOrElse(context.known, () => found)
          : asOfLastChange(found, context.known),
        ...optionalMembers(wire.tx?.memo, (memo) => ({ mark: PayloadMark.make(memo) })),
      }
    })
  })

/** Nodes know hashes in capitals and without 0x. */
const hash = /^(?:0x)?(?:[0-9a-f]{64}|[0-9A-F]{64})$/

/** The operation: a payment is found by its transaction alone. */
export const makeStatus = (
  client: Pick<Client, "status">,
  family: Family,
  options: Pick<Options, "affiliate">,
): VaultSwaps["status"] =>
  Effect.fn(`${family.span}.vaultSwapStatus`)(
    function* ({ transaction }, known) {
      if (!hash.test(transaction)) return Option.none()
      const heard = yield* client.status(transaction.replace(/^0x/, "").toUpperCase())
      const read = yield* Effect.fromResult(
        readStatus(family, options.affiliate, heard.body, { transaction, known, now: heard.answeredAt }),
      )
      return Option.map(read, (said) => ({ ...said, body: heard.text }))
    },
    failAs(family)("status"),
  )

const WithMemo = Schema.Struct({ memo: maybe(Schema.String) })

/** `GET /v2/actions` of Midgard (thorchain/wire.md 9). */
export const WireActions = Schema.Struct({
  actions: Schema.Array(Schema.Struct({
    /** Nanoseconds since the epoch. */
    date: Schema.String.check(Schema.isPattern(/^[0-9]{1,20}$/)),
    in: Schema.Array(Schema.Struct({
      coins: Schema.Array(Schema.Struct({ asset: Schema.String })),
      txID: Schema.String,
    })),
    metadata: maybe(Schema.Struct({ swap: maybe(WithMemo), refund: maybe(WithMemo) })),
  })),
  meta: maybe(Schema.Struct({ nextPageToken: maybe(Schema.String) })),
})
type WireAction = typeof WireActions.Type["actions"][number]

/** How many actions a page has, and how many pages are asked for at most: what is older was listed before. */
const perPage = 50
const mostPages = 10

const nanosPerMilli = 1_000_000n

/** An index is behind its network, and its clock is not ours. */
const marginMillis = 10 * 60_000

/** Whether the memo of an action is one of ours: `status` tells nothing of others. */
const isOurs = (family: Family, affiliate: string, { metadata }: WireAction): boolean => {
  const memo = metadata?.swap?.memo ?? metadata?.refund?.memo
  return memo !== undefined && readMemo(family, memo)?.share?.affiliate === affiliate
}

/** The payment that an action came of, written as its chain does. */
const transactionsOf = (family: Family, { chains }: Sought, action: WireAction): ReadonlyArray<string> =>
  action.in.flatMap(({ coins: [coin], txID }) => {
    const [code = ""] = coin?.asset.split(".") ?? []
    const chain = family.chains.get(code)
    const reference = chain === undefined || !chains.includes(chain) ? undefined : referenceOn(chain, txID)
    return reference === undefined || coin === undefined || findAsset(family, coin.asset) === undefined
      ? []
      : [reference]
  })

/** Our payments in a page of actions, for who is told how many pages there are. */
const readActions = (family: Family, affiliate: string, sought: Sought, body: unknown) =>
  Result.map(decode(WireActions, body), ({ actions, meta }) => {
    const last = actions.at(-1)
    return {
      transactions: actions.filter((action) => isOurs(family, affiliate, action))
        .flatMap((action) => transactionsOf(family, sought, action)),
      next: actions.length < perPage ? undefined : meta?.nextPageToken,
      /** The latest first, so that no later page has a later one. */
      until: last === undefined ? 0 : Number(BigInt(last.date) / nanosPerMilli),
    }
  })

/** The payments with the operator's affiliate, latest first. Absent without Midgard or affiliate. */
export const makeList = (
  client: HttpClient.HttpClient,
  family: Family,
  { affiliate, midgardUrl, simulatedTime }: Options,
): Pick<VaultSwaps, "list"> =>
  optionalMembers(
    Option.getOrUndefined(Option.all({ affiliate, midgardUrl })),
    ({ affiliate, midgardUrl }) => {
      const endpoint = `${family.name} Midgard`
      const { get } = makeRest({ client, url: midgardUrl, endpoint, reasonOf: answerReason(endpoint) })
      const page = (token: string | undefined) =>
        get("/v2/actions", { general: true }, {
          affiliate,
          type: "swap,refund",
          limit: `${perPage}`,
          ...optionalMembers(token, (nextPageToken) => ({ nextPageToken })),
        })
      const list = Effect.fnUntraced(
        function* (sought: Sought): Effect.fn.Return<ReadonlyArray<string>, ProviderErrorReason> {
          const found: Array<string> = []
          let token: string | undefined
          for (let pages = 0; pages < mostPages; pages++) {
            const { body } = yield* page(token)
            const { next, transactions, until } = yield* Effect.fromResult(
              readActions(family, affiliate, sought, body),
            )
            found.push(...transactions)
            // A sandbox has a time of its own, in which ours says nothing.
            if (next === undefined || (!simulatedTime && until < sought.since - marginMillis)) break
            token = next
          }
          return found
        },
      )
      return { list: Effect.fn(`${family.span}.list`)(list, failAs(family)("treasury")) }
    },
  )
