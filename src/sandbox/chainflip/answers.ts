import { BigDecimal, Effect, Result, Schema, Struct } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { findNetworkAsset, networkChains } from "#domain/chains/payload/contractNumbers.ts"
import { type ChannelId, formatChannelId } from "#domain/swaps/Channel.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type * as Swap from "#domain/swaps/Swap.ts"
import { toIsoDate } from "#domain/Time.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { transactionReference } from "../engine/identifiers.ts"
import * as Network from "../engine/Network.ts"
import type { BoostOffer, Offer, QuoteQuery, SwapView } from "../engine/State.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { decimalAmount, DecimalInput, digits, wireAsset } from "./values.ts"
import { backendMessage, backendRefusal, quoteRefusal } from "./refusals.ts"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type { Durations } from "#domain/quotes/Quote.ts"
import { quote } from "../engine/quotes.ts"
import { vaultChains } from "../engine/deposits.ts"

/** `GET /v2/swaps/:id` (chainflip/wire.md 3.6). */

/** The key that an id stands for: the coordinates of a channel, the number of a swap request, or a transaction. */
type SwapKey =
  | { readonly _tag: "Channel"; readonly id: ChannelId }
  | { readonly _tag: "Request"; readonly id: string }
  | { readonly _tag: "Transaction"; readonly reference: string }

/** The key of an id, or the name of a chain that does not exist. */
const readKey = (id: string): SwapKey | { readonly _tag: "UnknownChain"; readonly name: string } => {
  const [, issuedBlock, name, channelId] = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/.exec(id) ?? []
  if (name === undefined) {
    return /^[0-9]+$/.test(id) ? { _tag: "Request", id } : { _tag: "Transaction", reference: id }
  }
  const network = networkChains.find((chain) => chain.toLowerCase() === name.toLowerCase())
  return network === undefined
    ? { _tag: "UnknownChain", name }
    : { _tag: "Channel", id: { issuedBlock: Number(issuedBlock), network, channelId: Number(channelId) } }
}

const find = (network: Network.Network, key: SwapKey): SwapView | undefined => {
  if (key._tag === "Channel") return Network.swapOfChannel(network, key.id)
  return key._tag === "Request"
    ? Network.swapOfRequest(network, key.id)
    : Network.swapOfTransaction(network, key.reference)
}

/** The payment by the transaction of all payments that were scheduled in its block; on Solana each has its own. */
const ofBatch = (seed: string, asset: AssetId, egress: Swap.Egress): Swap.Egress => {
  const [chain, block] = [chainOf(asset), Number.parseInt(egress.scheduledBlockIndex ?? "0")]
  return chain === "Solana" || egress.transactionReference === undefined ? egress : {
    ...egress,
    transactionReference: transactionReference(chain, { seed: `${seed}/batches`, block, number: 0 }),
  }
}

const inBatches = (seed: string, swap: SwapView): SwapView => ({
  ...swap,
  ...defined({
    swapEgress: swap.swapEgress && ofBatch(seed, swap.destinationAsset, swap.swapEgress),
    refundEgress: swap.refundEgress && ofBatch(seed, swap.sourceAsset, swap.refundEgress),
  }),
})

export const getSwap = Effect.fn("sandbox.backend.swap")(function* (
  id: string,
  { isBatched, isSparse }: {
    /** Without the destination. */
    readonly isSparse: boolean
    /** Payments of the same block have one transaction. */
    readonly isBatched: boolean
  },
): Effect.fn.Return<Reply, never, World> {
  const key = readKey(id)
  if (key._tag === "UnknownChain") return backendRefusal(400, `Invalid chain: ${key.name}`)
  const world = yield* World
  const found = yield* World.read(({ network }) => find(network, key))
  if (found === undefined) return backendRefusal(404, backendMessage.notFound)
  const swap = isBatched ? inBatches(world.seed, found) : found
  const updated = swap.lastStateChainUpdateAt
  return json(
    200,
    isSparse ? Struct.omit(writeSwap(swap), ["destAsset", "destChain", "destAddress"]) : writeSwap(swap),
    updated === undefined ? {} : { "x-chainflip-last-statechain-update": toIsoDate(updated) },
  )
})

/** `GET /v2/quote` (chainflip/wire.md 3.1, 3.2). */

const BooleanText = Schema.Literals(["true", "false"])

/** Digits, or nothing between the equals sign and the next parameter. */
const DigitsOrEmpty = Schema.String.check(Schema.isPattern(/^[0-9]{0,6}$/, { expected: "digits" }))

const Query = Schema.Struct({
  srcChain: Schema.String,
  srcAsset: Schema.String,
  destChain: Schema.String,
  destAsset: Schema.String,
  amount: DecimalInput.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: maximumNativeAmount })),
  brokerCommissionBps: Schema.optionalKey(DigitsOrEmpty),
  isVaultSwap: Schema.optionalKey(BooleanText),
  isOnChain: Schema.optionalKey(BooleanText),
  ccmGasBudget: Schema.optionalKey(DecimalInput),
  ccmMessageLengthBytes: Schema.optionalKey(DigitsOrEmpty),
  dcaEnabled: Schema.optionalKey(BooleanText),
  dcaV2Enabled: Schema.optionalKey(BooleanText),
  expectedResponseTimeMs: Schema.optionalKey(DigitsOrEmpty),
})
type Query = typeof Query.Type

/** The query, if it can be read; a repeated parameter makes it invalid for the backend. */
const readQuery = (query: URLSearchParams): Result.Result<Query, unknown> => {
  const names = [...query.keys()]
  return new Set(names).size === names.length
    ? Schema.decodeUnknownResult(Query)(Object.fromEntries(query))
    : Result.fail("a parameter is given twice")
}

/** The quote that is asked for; undefined where the parameters contradict each other or name no pair. */
const toQuoteQuery = (query: Query): QuoteQuery | undefined => {
  const sourceAsset = findNetworkAsset(query.srcChain, query.srcAsset)
  const destinationAsset = findNetworkAsset(query.destChain, query.destAsset)
  const commissionBps = Bps.makeOption(Number(query.brokerCommissionBps ?? "0"))
  const halfOfCcm = (query.ccmGasBudget === undefined) !== (query.ccmMessageLengthBytes === undefined)
  const ccmGasBudget = NativeAmount.makeOption(query.ccmGasBudget ?? 0n)
  // Swaps between accounts of the network itself are not simulated.
  const isOnChain = query.isOnChain === "true"
  const isVaultSwap = query.isVaultSwap === "true"
  if (sourceAsset === undefined || destinationAsset === undefined || sourceAsset === destinationAsset) return
  if (commissionBps._tag === "None" || ccmGasBudget._tag === "None" || halfOfCcm || isOnChain) return
  if (isVaultSwap && !vaultChains.includes(chainOf(sourceAsset))) return
  return {
    sourceAsset,
    destinationAsset,
    amount: NativeAmount.make(query.amount),
    commissionBps: commissionBps.value,
    // Only the newer switch counts; chunks are offered if it is absent.
    dcaEnabled: query.dcaV2Enabled !== "false",
    isVaultSwap,
    ...(query.ccmGasBudget === undefined ? {} : { ccmGasBudget: ccmGasBudget.value }),
  }
}

export const sourceAssetOf = (query: URLSearchParams): AssetId | undefined =>
  findNetworkAsset(query.get("srcChain") ?? "", query.get("srcAsset") ?? "")

export const getQuote = Effect.fn("sandbox.backend.quote")(function* (query: URLSearchParams) {
  const read = Result.map(readQuery(query), toQuoteQuery)
  if (Result.isFailure(read) || read.success === undefined) {
    return backendRefusal(400, backendMessage.invalidRequest)
  }
  const asked = read.success
  const offers = yield* World.read(({ network }) => quote(network, asked))
  return Result.match(offers, {
    onFailure: quoteRefusal,
    onSuccess: (offers) => json(200, offers.map((offer) => writeOffer(offer, writeEcho(asked, query)))),
  })
})

/** The part of its request that each quote repeats: a message, and whether it is for a vault swap. */
const writeEcho = ({ ccmGasBudget, isVaultSwap }: QuoteQuery, query: URLSearchParams) => ({
  ...(ccmGasBudget === undefined ? {} : {
    ccmParams: {
      gasBudget: digits(ccmGasBudget),
      messageLengthBytes: Number(query.get("ccmMessageLengthBytes")),
    },
  }),
  ...(isVaultSwap ? { isVaultSwap } : {}),
})
type Echo = ReturnType<typeof writeEcho>

const writeOffer = (offer: Offer, echo: Echo) => ({
  ...writeFigures(offer, echo),
  boostQuote: offer.boostQuote && writeBoost(offer.boostQuote, echo),
})

const writeBoost = (offer: BoostOffer, echo: Echo) => ({
  ...writeFigures(offer, echo),
  estimatedBoostFeeBps: offer.estimatedBoostFeeBps,
  maxBoostFeeBps: offer.maximumBoostFeeBps,
})

/** The figures of an offer. A member without a value is undefined here and absent in JSON. */
const writeFigures = (offer: Offer | BoostOffer, echo: Echo) => ({
  type: offer.dca === undefined ? "REGULAR" : "DCA",
  dcaParams: offer.dca,
  srcAsset: wireAsset(offer.ingress.asset),
  destAsset: wireAsset(offer.egress.asset),
  depositAmount: digits(offer.ingress.amount),
  intermediateAmount: digits(offer.intermediate?.amount),
  egressAmount: digits(offer.egress.amount),
  includedFees: offer.fees.map(writeFee),
  poolInfo: offer.pools.map((pool) => ({
    baseAsset: wireAsset(pool.baseAsset),
    quoteAsset: wireAsset(pool.quoteAsset),
    fee: decimalAmount(pool.fee.asset, pool.fee.amount),
  })),
  lowLiquidityWarning: offer.lowLiquidityWarning,
  ...writeDurations(offer.durations),
  estimatedPrice: formatDecimal(offer.estimatedPrice),
  recommendedSlippageTolerancePercent: percent(offer.recommendedSlippageTolerancePercent),
  recommendedLivePriceSlippageTolerancePercent: offer.recommendedLivePriceSlippageTolerancePercent &&
    percent(offer.recommendedLivePriceSlippageTolerancePercent),
  recommendedRetryDurationMinutes: offer.recommendedRetryDurationMinutes,
  ...echo,
})

/** A percentage as a number: it has at most two places, which a double holds. */
const percent = (value: BigDecimal.BigDecimal): number => BigDecimal.toNumberUnsafe(value)

/** A fee as the backend lists it: `{"type":"INGRESS","chain":…,"asset":…,"amount":"310"}`. */
const writeFee = (fee: Fee) => ({ type: fee.type.toUpperCase(), ...decimalAmount(fee.asset, fee.amount) })

const seconds = (millis: number): number => millis / 1_000

/** Durations in seconds, possibly with fractions, and their sum. */
const writeDurations = ({ deposit, egress, swap }: Durations) => ({
  estimatedDurationSeconds: seconds(deposit + swap + egress),
  estimatedDurationsSeconds: { deposit: seconds(deposit), swap: seconds(swap), egress: seconds(egress) },
})

/** A swap's record in the backend's form (chainflip/wire.md 3.7, 3.9); undefined members are absent in JSON. */
const writeSwap = (swap: SwapView) => {
  const source = factsOf(swap.sourceAsset)
  const destination = factsOf(swap.destinationAsset)
  return {
    state: swap.state.toUpperCase(),
    swapId: swap.swapId,
    srcAsset: source.ticker,
    srcChain: source.chain,
    destAsset: destination.ticker,
    destChain: destination.chain,
    destAddress: swap.destinationAddress,
    srcChainRequiredBlockConfirmations: swap.sourceChainRequiredBlockConfirmations ?? null,
    ...writeDurations(swap.estimatedDurations),
    brokers: swap.brokers,
    fees: swap.fees.map(writeFee),
    depositChannel: given(
      swap.depositChannel,
      (channel) => ({ ...writeChannel(channel), dcaParams: swap.dca }),
    ),
    deposit: given(swap.deposit, (deposit: Swap.Deposit) => ({
      amount: digits(deposit.amount),
      txRef: deposit.transactionReference,
      txConfirmations: deposit.transactionConfirmations,
      witnessedAt: deposit.witnessedAt,
      witnessedBlockIndex: deposit.witnessedBlockIndex,
      ...writeFailures(deposit),
    })),
    swap: given(swap.swap, (progress) => writeProgress(progress, feesOfInput(swap))),
    swapEgress: given(swap.swapEgress, writeEgress),
    refundEgress: given(swap.refundEgress, writeEgress),
    fallbackEgress: given(swap.fallbackEgress, writeEgress),
    ccmParams: given(swap.ccm, ({ gasBudget, message }) => ({ gasBudget: digits(gasBudget), message })),
    fillOrKillParams: given(swap.fillOrKill, (parameters: Swap.FillOrKillParameters) => ({
      refundAddress: parameters.refundAddress,
      minPrice: formatDecimal(parameters.minimumPrice),
      retryDurationBlocks: parameters.retryDurationBlocks,
      maxOraclePriceSlippage: parameters.maximumOraclePriceSlippageBps,
    })),
    dcaParams: swap.dca,
    boost: given(swap.boost, ({ effectiveBoostFeeBps, maximumBoostFeeBps, ...moments }: Swap.Boost) => ({
      effectiveBoostFeeBps,
      maxBoostFeeBps: maximumBoostFeeBps,
      ...moments,
    })),
    lastStatechainUpdateAt: swap.lastStateChainUpdateAt,
  }
}

const given = <Value, Written>(
  value: Value | undefined,
  write: (value: Value) => Written,
): Written | undefined => value === undefined ? undefined : write(value)

const writeChannel = (channel: Swap.ChannelRecord) => ({
  id: formatChannelId(channel.id),
  createdAt: channel.createdAt,
  depositAddress: channel.depositAddress,
  srcChainExpiryBlock: `${channel.sourceChainExpiryBlock}`,
  estimatedExpiryTime: channel.estimatedExpiryTime,
  expectedDepositAmount: digits(channel.expectedDepositAmount),
  isExpired: channel.isExpired,
  openedThroughBackend: channel.openedThroughBackend,
})

const writeFailures = (failed: Pick<Swap.Deposit, "failure" | "failedAt" | "failedBlockIndex">) => ({
  failure: given(failed.failure, writeFailure),
  failedAt: failed.failedAt,
  failedBlockIndex: failed.failedBlockIndex,
})

/** A failure. On the wire the reason has a `name`; clients' types call it `code` (chainflip/wire.md 3.7). */
const writeFailure = ({ failedAt, failedBlockIndex, mode, reason }: Swap.Failure) => ({
  failedAt,
  failedBlockIndex,
  mode,
  reason: { name: reason.code, message: reason.message },
})

/** Network and broker fee of a swap from USDC, which its record does not count as swapped (chainflip/wire.md 3.7). */
const feesOfInput = ({ fees, sourceAsset }: SwapView): bigint =>
  fees.filter(({ asset, type }) => asset === sourceAsset && (type === "network" || type === "broker"))
    .reduce((sum, { amount }) => sum + amount, 0n)

const writeProgress = (progress: Swap.SwapProgress, fees: bigint) => ({
  originalInputAmount: digits(progress.originalInputAmount),
  remainingInputAmount: `${progress.remainingInputAmount + fees}`,
  swappedInputAmount: `${progress.swappedInputAmount - fees}`,
  swappedIntermediateAmount: digits(progress.swappedIntermediateAmount),
  swappedOutputAmount: digits(progress.swappedOutputAmount),
  ...given(progress.execution, writeExecution),
})

const writeExecution = (execution: Swap.Execution) =>
  execution._tag === "regular" ? { regular: writeChunk(execution.chunk) } : {
    dca: {
      lastExecutedChunk: given(execution.lastExecutedChunk, writeChunk) ?? null,
      currentChunk: given(execution.currentChunk, writeChunk) ?? null,
      executedChunks: execution.executedChunks,
      remainingChunks: execution.remainingChunks,
    },
  }

const writeChunk = (chunk: Swap.Chunk) => ({
  ...chunk,
  inputAmount: digits(chunk.inputAmount),
  intermediateAmount: digits(chunk.intermediateAmount),
  outputAmount: digits(chunk.outputAmount),
})

const writeEgress = (egress: Swap.Egress) => ({
  amount: digits(egress.amount),
  scheduledAt: egress.scheduledAt,
  scheduledBlockIndex: egress.scheduledBlockIndex,
  destinationAddress: egress.destinationAddress,
  txRef: egress.transactionReference,
  witnessedAt: egress.witnessedAt,
  witnessedBlockIndex: egress.witnessedBlockIndex,
  transactionPayload: egress.transactionPayload,
  ...writeFailures(egress),
})
