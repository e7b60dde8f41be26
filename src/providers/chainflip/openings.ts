import { Effect, Match, Result, Schema, Struct } from "effect"
import { Hex } from "effect/encoding"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { isSent, type SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import * as Reason from "#domain/ProviderError.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { ChannelRecord, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Channels, OpenedChannel } from "../Provider.ts"
import { addressAt, toExplorerUrl } from "../upstream/openedOrder.ts"
import { Amount, Count, decode, maybe } from "../upstream/values.ts"
import { openingReason, requestDurationIssue, retryDurationIssue } from "./brokerErrors.ts"
import { failAs, type JsonRpc, name } from "./client.ts"
import {
  canDeposit,
  canPayOut,
  canSendToVault,
  channelOpeningFee,
  type Conditions,
  depositLimits,
  estimateDuration,
  isListed,
  type Limits,
  limitsOf,
  maximumSwap,
  minimumDeposit,
  safetyMargin,
} from "./conditions.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"
import { maximumNativeAmount, type NativeAmount } from "#domain/money/Amount.ts"
import { combineIssues, hasIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { sentAmount } from "../Capabilities.ts"
import { outputAt, toX128 } from "#domain/money/Price.ts"

/** The result of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
export const WireOpenedChannel = Schema.Struct({
  address: Address,
  issued_block: Count,
  channel_id: Count,
  source_chain_expiry_block: Count,
  /** Left out by older brokers. */
  channel_opening_fee: maybe(Amount),
})
export type WireOpenedChannel = typeof WireOpenedChannel.Type

const polkadotPrefix = 0

/** A deposit address as people use it. Older networks give Asset Hub's as 0x hex (chainflip/wire.md 2.2). */
export const toDepositAddress = (chain: Chain, address: Address): Address => {
  if (chain !== "Assethub" && chain !== "Polkadot") return address
  const [, hex] = /^0x([0-9a-fA-F]{64})$/.exec(address) ?? []
  if (hex === undefined) return address
  return Result.match(Hex.decode(hex), {
    onFailure: () => address,
    onSuccess: (publicKey) => Address.make(encodeSs58(polkadotPrefix, publicKey)),
  })
}

const nominalLifetimeMillis = 24 * 60 * 60 * 1000

/** The time when a channel expires by its nominal lifetime (chainflip/wire.md 2.2). Only the expiry block is exact. */
export const nominalExpiry = (createdAt: EpochMillis): EpochMillis =>
  EpochMillis.make(createdAt + nominalLifetimeMillis)

const toRecord = (request: SwapRequest, wire: WireOpenedChannel, now: EpochMillis): ChannelRecord => {
  const network = chainOf(request.sourceAsset)
  return {
    id: { issuedBlock: wire.issued_block, network, channelId: wire.channel_id },
    createdAt: now,
    brokerCommissionBps: request.commissionBps,
    affiliateBrokers: request.affiliates,
    depositAddress: toDepositAddress(network, wire.address),
    sourceChainExpiryBlock: wire.source_chain_expiry_block,
    // The broker tells only the block. The backend's record has a better estimate later.
    estimatedExpiryTime: nominalExpiry(now),
    isExpired: false,
    openedThroughBackend: false,
    ...(request.amount === undefined || !isSent(request.amount)
      ? {}
      : { expectedDepositAmount: request.amount }),
  }
}

const toWaiting = (
  request: SwapRequest,
  depositChannel: ChannelRecord,
  conditions: Conditions,
  ourAccount: BrokerAccount,
): SwapStatus => ({
  state: "waiting",
  ...Struct.pick(request, ["sourceAsset", "destinationAsset", "destinationAddress", "ccm", "dca"]),
  depositChannel,
  ...(request.maximumBoostFeeBps === 0 ? {} : { boost: { maximumBoostFeeBps: request.maximumBoostFeeBps } }),
  estimatedDuration: estimateDuration(conditions, request),
  ...optionalMembers(safetyMargin(conditions, chainOf(request.sourceAsset)), (margin) => ({
    sourceChainRequiredBlockConfirmations: margin + 1,
  })),
  fees: [],
  brokers: [{ account: ourAccount, commissionBps: request.commissionBps }, ...request.affiliates],
  fillOrKill: Struct.pick(request, [
    "retryDurationBlocks",
    "refundAddress",
    "minimumPrice",
    "maximumOraclePriceSlippageBps",
  ]),
})

export interface OpeningContext {
  readonly request: SwapRequest
  readonly conditions: Conditions
  readonly now: EpochMillis
  readonly options: Options
}

/** The channel and its `waiting` record (decision 23). An address of another chain or network is refused. */
export const toOpenedChannel = (
  wire: WireOpenedChannel,
  { request, conditions, now, options }: OpeningContext,
): Result.Result<OpenedChannel, Reason.MalformedBody> => {
  const record = toRecord(request, wire, now)
  const { depositAddress, id } = record
  return Result.map(addressAt("result.address", id.network, depositAddress, options.networks), () => ({
    channel: {
      id,
      depositAddress,
      sourceExpiryBlock: record.sourceChainExpiryBlock,
      openingFee: wire.channel_opening_fee ?? channelOpeningFee(conditions, id.network),
      explorerUrl: toExplorerUrl(options.explorerUrl, id, depositAddress),
    },
    status: {
      ...toWaiting(request, record, conditions, options.brokerAccount),
      // A simulated network's time is not ours: whoever reads the record has to know which it is.
      ...(options.simulatedTime === true ? { lastStateChainUpdateAt: now } : {}),
    },
    refundsTo: "address",
    depositLimits: depositLimits(conditions, request.sourceAsset),
  }))
}

type Check = Result.Result<void, ProviderErrorReason>

const refuse = (reason: ProviderErrorReason): Check => Result.fail(reason)

const checkSwitches = (
  conditions: Conditions,
  { sourceAsset, destinationAsset }: Pick<QuoteRequest, "sourceAsset" | "destinationAsset">,
  canTake: (conditions: Conditions, asset: AssetId) => boolean = canDeposit,
): Check => {
  const unlisted = [sourceAsset, destinationAsset].find((asset) => !isListed(conditions, asset))
  if (unlisted !== undefined) {
    return refuse(new Reason.AssetNotListed({ detail: `The network does not have ${unlisted}` }))
  }
  if (!canTake(conditions, sourceAsset)) {
    return refuse(new Reason.AssetDisabled({ detail: `Deposits of ${sourceAsset} are switched off` }))
  }
  if (!canPayOut(conditions, destinationAsset)) {
    return refuse(new Reason.AssetDisabled({ detail: `Payouts of ${destinationAsset} are switched off` }))
  }
  return conditions.swapsEnabled ? Result.void : refuse(
    new Reason.SwappingMaintenance({ detail: "The network has switched swaps off: try again later" }),
  )
}

const checkAmount = (conditions: Conditions, asset: AssetId, amount: NativeAmount): Check => {
  const minimum = minimumDeposit(conditions, asset)
  const maximum = maximumSwap(conditions, asset)
  if (amount < minimum) return refuse(new Reason.DepositBelowMinimum({ asset, minimum }))
  return maximum !== undefined && amount > maximum
    ? refuse(new Reason.DepositAboveMaximum({ asset, maximum }))
    : Result.void
}

const exceeds = (value: number, limit: number | undefined): boolean => limit !== undefined && value > limit

/** The issues of durations above the network's limits, which can be lower than the contract's (decision 6). */
const durationIssues = (conditions: Conditions, request: SwapRequest): Issues => {
  const limits = limitsOf(conditions)
  const { numberOfChunks, chunkIntervalBlocks } = request.dca ?? { numberOfChunks: 1, chunkIntervalBlocks: 0 }
  return combineIssues([
    exceeds(request.retryDurationBlocks, limits.retryDurationBlocks) ? retryDurationIssue(limits) : noIssues,
    exceeds((numberOfChunks - 1) * chunkIntervalBlocks, limits.requestDurationBlocks)
      ? requestDurationIssue(limits)
      : noIssues,
  ])
}

const without = (errors: Issues): Check =>
  hasIssues(errors) ? refuse(new Reason.RequestRefused({ errors })) : Result.void

const checkSent = (conditions: Conditions, asset: AssetId, amount: SwapAmount): Check =>
  Result.flatMap(sentAmount(name, amount), (sent) => checkAmount(conditions, asset, sent))

/** Refuses a quote that the upstream would refuse, before it is asked: by switches first, then by the amount. */
export const checkQuote = (conditions: Conditions, request: QuoteRequest): Check =>
  Result.andThen(
    checkSwitches(conditions, request),
    () => checkSent(conditions, request.sourceAsset, request.amount),
  )

/** Refuses an opening as the upstream would: by switches, then by amount, then by durations. */
const checkOpening = (conditions: Conditions, request: SwapRequest): Check =>
  checkSwitches(conditions, request).pipe(
    Result.andThen(() =>
      request.amount === undefined ? Result.void : checkSent(conditions, request.sourceAsset, request.amount)
    ),
    Result.andThen(() => without(durationIssues(conditions, request))),
  )

/** The largest share and the most affiliates for which a Bitcoin transaction has room. */
const mostOnBitcoin = { bps: 255, affiliates: 2 }

// The parameters of the broker's methods about swaps (chainflip/wire.md 2.2, 2.3). A null means "not given".

const toHex = (value: bigint): string => `0x${value.toString(16)}`

const wireAsset = (asset: AssetId) => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

const wireMessage = ({ ccm }: SwapRequest): Schema.Json =>
  ccm === undefined
    ? null
    : { message: ccm.message, gas_budget: toHex(ccm.gasBudget), ccm_additional_data: "0x" }

const wireBoost = ({ maximumBoostFeeBps }: SwapRequest): Schema.Json =>
  maximumBoostFeeBps === 0 ? null : maximumBoostFeeBps

const wireAffiliates = ({ affiliates }: SwapRequest): Schema.Json =>
  affiliates.length === 0
    ? null
    : affiliates.map(({ account, commissionBps }) => ({ account, bps: commissionBps }))

const wireRefund = (request: SwapRequest): Schema.Json => ({
  retry_duration: request.retryDurationBlocks,
  refund_address: request.refundAddress,
  min_price: toHex(toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset)),
  refund_ccm_metadata: null,
  max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
})

const wireDca = ({ dca }: SwapRequest): Schema.Json =>
  dca === undefined ? null : { number_of_chunks: dca.numberOfChunks, chunk_interval: dca.chunkIntervalBlocks }

/** The least output of a Bitcoin transaction, whose payload limits the output instead of the price. */
export const minimumOutput = (request: VaultSwapRequest): bigint =>
  outputAt(request.minimumPrice, request.amount, request.sourceAsset, request.destinationAsset)

const amounts = (request: VaultSwapRequest) => ({
  chain: chainOf(request.sourceAsset),
  input_amount: toHex(request.amount),
  refund_parameters: wireRefund(request),
})

/** The positional parameters of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
const toChannelParameters = (request: SwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
  wireMessage(request),
  wireBoost(request),
  wireAffiliates(request),
  wireRefund(request),
  wireDca(request),
]

/** The positional parameters of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */
export const toEncodingParameters = (request: VaultSwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
  Match.value(request.sender).pipe(
    Match.withReturnType<Schema.Json>(),
    Match.tagsExhaustive({
      bitcoin: () => ({
        chain: "Bitcoin",
        min_output_amount: toHex(minimumOutput(request)),
        retry_duration: request.retryDurationBlocks,
        max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
      }),
      evm: () => amounts(request),
      solana: ({ address, seed, tokenAccount }) => ({
        ...amounts(request),
        from: address,
        seed,
        ...(tokenAccount === undefined ? {} : { from_token_account: tokenAccount }),
      }),
      tron: () => amounts(request),
      // A chain without a vault; the upstream refuses it.
      xrpl: () => amounts(request),
    }),
  ),
  wireMessage(request),
  wireBoost(request),
  wireAffiliates(request),
  wireDca(request),
]

/** The issues of terms that a payload cannot hold (chainflip/wire.md 2.3). */
const payloadIssues = (request: VaultSwapRequest): Issues =>
  combineIssues([
    ...request.affiliates.flatMap(({ commissionBps }, index) => [
      commissionBps > mostOnBitcoin.bps
        ? issueAbout(
          `affiliate${index + 1}CommissionBps`,
          `is more than a payload can say: ${mostOnBitcoin.bps}`,
        )
        : noIssues,
      chainOf(request.sourceAsset) === "Bitcoin" && index >= mostOnBitcoin.affiliates
        ? issueAbout(`affiliate${index + 1}`, `is one too many: a Bitcoin transaction can name two`)
        : noIssues,
    ]),
    chainOf(request.sourceAsset) === "Bitcoin" && request.commissionBps > mostOnBitcoin.bps
      ? issueAbout(
        "commissionBps",
        `is more than a Bitcoin transaction can say, which is ${mostOnBitcoin.bps}`,
      )
      : noIssues,
    chainOf(request.sourceAsset) === "Bitcoin" && minimumOutput(request) > maximumNativeAmount
      ? issueAbout("minimumPrice", "makes more of the amount than the network can express")
      : noIssues,
  ])

/** Refuses an encoding as the upstream would; channels need not be switched on, as none is opened. */
export const checkEncoding = (conditions: Conditions, request: VaultSwapRequest): Check =>
  checkSwitches(conditions, request, canSendToVault).pipe(
    Result.andThen(() => checkAmount(conditions, request.sourceAsset, request.amount)),
    Result.andThen(() =>
      without(combineIssues([durationIssues(conditions, request), payloadIssues(request)]))
    ),
  )

/** Makes the operation. The broker is called once, after every check that can be made before. */
export const makeOpen = (
  broker: JsonRpc,
  conditions: Effect.Effect<Conditions, ProviderErrorReason>,
  options: Options,
): Channels["open"] => {
  const openAtBroker = (request: SwapRequest, limits: Limits) =>
    broker.callAt("broker_request_swap_deposit_address", toChannelParameters(request), {
      endpoint: "broker",
      opening: true,
      pair: request,
    }).pipe(
      Effect.catchTag("RpcError", (error) => Effect.fail(openingReason(error, request, limits))),
      Effect.flatMap(({ answeredAt, result }) =>
        Effect.fromResult(
          Result.map(decode(WireOpenedChannel, result, ["result"]), (wire) => ({ wire, answeredAt })),
        )
      ),
    )

  return Effect.fn("Chainflip.open")(function* (request) {
    const current = yield* beforeOpening(conditions)
    yield* Effect.fromResult(checkOpening(current, request))
    const { answeredAt, wire } = yield* openAtBroker(request, limitsOf(current))
    const now = options.simulatedTime === true ? answeredAt : yield* currentMillis
    return yield* Effect.fromResult(toOpenedChannel(wire, { request, conditions: current, now, options }))
  }, failAs("open"))
}
