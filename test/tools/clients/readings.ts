import { Schema } from "effect"

// What clients insist on, member by member: a member that is missing, null or of another type stops the client.
// Members that a client never looks at are left out.

/** A native amount: digits in a string. */
export const digits = Schema.String.check(Schema.isPattern(/^[0-9]+$/))
/** A member that may be missing or null. */
export const maybe = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
export const number = Schema.Finite
/** Epoch milliseconds, a block, a number of chunks: a whole number. */
export const whole = Schema.Int
export const text = Schema.String

export const asset = Schema.String.check(Schema.isPattern(/^[a-z0-9]+\.[a-z0-9]+$/))
export const networkName = Schema.Literals([
  "Bitcoin",
  "Ethereum",
  "Arbitrum",
  "Solana",
  "Tron",
  "Assethub",
  "Polkadot",
  "Bsc",
])

const fee = Schema.Struct({ type: text, asset, amountNative: digits })

const offered = {
  ingressAsset: asset,
  ingressAmountNative: digits,
  intermediateAsset: maybe(asset),
  intermediateAmountNative: maybe(digits),
  egressAsset: asset,
  egressAmountNative: digits,
  includedFees: Schema.Array(fee),
  lowLiquidityWarning: Schema.Boolean,
  poolInfo: Schema.Array(Schema.Struct({
    baseAsset: asset,
    quoteAsset: asset,
    fee: Schema.Struct({ asset, amountNative: digits }),
  })),
  estimatedDurationSeconds: number,
  estimatedDurationsSeconds: Schema.Struct({ deposit: number, swap: number, egress: number }),
  numberOfChunks: maybe(whole),
  chunkIntervalBlocks: maybe(whole),
}

/** A quote with every member that any of the clients requires. */
export const fullQuote = Schema.Struct({
  type: Schema.Literals(["regular", "dca"]),
  ...offered,
  recommendedSlippageTolerancePercent: number,
  estimatedPrice: number,
  boostQuote: maybe(Schema.Struct({ ...offered, estimatedBoostFeeBps: number, maximumBoostFeeBps: number })),
  platform: maybe(text),
})

/** The same for a client that reads the price of a boost quote, too, as the hosted service sends it. */
export const quoteWithBoostPrice = Schema.Struct({
  ...fullQuote.fields,
  boostQuote: maybe(Schema.Struct({ ...offered, estimatedPrice: number, estimatedBoostFeeBps: number })),
})

export const fullAsset = Schema.Struct({
  enabled: Schema.Boolean,
  id: asset,
  direction: Schema.Literals(["both", "ingress", "egress"]),
  ticker: text,
  name: text,
  /** A network that a wallet does not know is unknown to it, and its assets are left out of what it offers. */
  network: text,
  networkLogo: text,
  assetLogo: text,
  decimals: whole,
  minimalAmount: number,
  minimalAmountNative: digits,
  usdPriceNative: digits,
  platforms: Schema.Array(text),
  contractAddress: maybe(text),
})

export const openedChannel = Schema.Struct({
  id: whole,
  address: text,
  issuedBlock: whole,
  network: networkName,
  channelId: whole,
  sourceExpiryBlock: whole,
  explorerUrl: text,
  channelOpeningFee: number,
  channelOpeningFeeNative: digits,
})

const failure = Schema.Struct({
  failedAt: whole,
  failedBlockIndex: text,
  mode: text,
  reason: maybe(Schema.Struct({ code: text, message: text })),
})

const failed = { failure: maybe(failure), failedAt: maybe(whole), failedBlockIndex: maybe(text) }

const chunk = Schema.Struct({
  inputAmountNative: digits,
  intermediateAmountNative: maybe(digits),
  outputAmountNative: maybe(digits),
  scheduledAt: whole,
  scheduledBlockIndex: text,
  executedAt: maybe(whole),
  executedBlockIndex: maybe(text),
  retryCount: whole,
})

const egress = Schema.Struct({
  amount: number,
  amountNative: digits,
  scheduledAt: maybe(whole),
  scheduledBlockIndex: maybe(text),
  transactionReference: maybe(text),
  witnessedAt: maybe(whole),
  witnessedBlockIndex: maybe(text),
  ...failed,
})

const fillOrKill = Schema.Struct({ retryDurationBlocks: whole, refundAddress: text, minimumPrice: text })
const chunks = Schema.Struct({ numberOfChunks: whole, chunkIntervalBlocks: whole })

/** A status with every member that any of the clients looks at. */
export const fullStatus = Schema.Struct({
  id: whole,
  status: Schema.Struct({
    state: Schema.Literals(["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]),
    swapId: maybe(text),
    sourceAsset: asset,
    destinationAsset: asset,
    destinationAddress: text,
    depositChannel: maybe(Schema.Struct({
      id: text,
      createdAt: whole,
      brokerCommissionBps: whole,
      depositAddress: text,
      sourceChainExpiryBlock: digits,
      estimatedExpiryTime: whole,
      expectedDepositAmountNative: maybe(digits),
      isExpired: Schema.Boolean,
      openedThroughBackend: Schema.Boolean,
      affiliateBrokers: maybe(Schema.Array(Schema.Struct({ account: text, commissionBps: whole }))),
      fillOrKillParams: maybe(fillOrKill),
      dcaParams: maybe(chunks),
    })),
    ccmParams: maybe(Schema.Struct({ gasBudget: text, message: text, cfParameters: maybe(text) })),
    boost: maybe(Schema.Struct({
      maximumBoostFeeBps: whole,
      effectiveBoostFeeBps: maybe(whole),
      boostedAt: maybe(whole),
      boostedBlockIndex: maybe(text),
      skippedAt: maybe(whole),
      skippedBlockIndex: maybe(text),
    })),
    estimatedDurationSeconds: maybe(number),
    sourceChainRequiredBlockConfirmations: maybe(whole),
    fees: maybe(Schema.Array(fee)),
    deposit: maybe(Schema.Struct({
      amount: number,
      amountNative: digits,
      transactionReference: maybe(text),
      transactionConfirmations: maybe(whole),
      witnessedAt: maybe(whole),
      witnessedBlockIndex: maybe(text),
      ...failed,
    })),
    swap: maybe(Schema.Struct({
      originalInputAmountNative: digits,
      remainingInputAmountNative: digits,
      swappedInputAmountNative: digits,
      swappedIntermediateAmountNative: digits,
      swappedOutputAmountNative: digits,
      regular: maybe(chunk),
      dca: maybe(Schema.Struct({
        lastExecutedChunk: maybe(chunk),
        currentChunk: maybe(chunk),
        executedChunks: whole,
        remainingChunks: whole,
      })),
    })),
    swapEgress: maybe(egress),
    refundEgress: maybe(egress),
    lastStateChainUpdateAt: maybe(whole),
  }),
})
export type FullStatus = typeof fullStatus.Type

/** The error of a JSON-RPC reply stands where its result would: a client of the upstream reads only the latter. */
export const rpcReply = <S extends Schema.Top>(result: S) =>
  Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: Schema.Union([text, whole]), result })
