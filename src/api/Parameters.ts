import { BigDecimal, Option } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { Chain, chains } from "#domain/chains/Chain.ts"
import { longestQuoteId, QuoteId } from "#domain/quotes/BoundQuote.ts"
import { mostBoostFeeBps } from "#domain/quotes/Quote.ts"
import { RankBy } from "#domain/quotes/QuoteRank.ts"
import { StartInput } from "#domain/swaps/Start.ts"
import { Seed } from "#domain/swaps/VaultSwap.ts"
import { asset, decimal, integer, parameter, text } from "./parameterKinds.ts"

const native = (description: string, example: string) =>
  parameter(
    {
      description,
      example,
      issue:
        "must be a whole number of native units above zero and below 2^128, as digits without leading zeros",
    },
    NativeAmount,
    (digits) =>
      /^(?:0|[1-9][0-9]{0,38})$/.test(digits)
        ? Option.filter(Option.some(BigInt(digits)), (value) => value > 0n && value <= maximumNativeAmount)
        : Option.none(),
  )

export const SourceAsset = asset("Asset to swap from, as `<asset>.<chain>`.", "btc.btc")

export const DestinationAsset = asset("Asset to swap to, as `<asset>.<chain>`.", "eth.eth")

/** A human amount; the number of its decimals depends on the asset. */
export const HumanAmount = decimal({
  description: "Amount of the source asset as a plain decimal, such as 0.25: no sign, exponent or spaces, " +
    "and no more decimals than the asset has.",
  example: "0.25",
  jsonSchema: { type: "number", exclusiveMinimum: 0 },
  issue: "must be a plain decimal number above zero, such as 0.25, without sign, exponent or spaces",
  allowed: BigDecimal.isPositive,
})

export const NativeAmountText = native(
  "Amount in the smallest unit of the source asset, as digits: 25000000 is 0.25 BTC.",
  "25000000",
)

export const HumanAmountOut = decimal({
  description:
    "In place of `amount`: the exact payout, in the destination asset. Providers without exact payouts are left out.",
  example: "2.5",
  jsonSchema: { type: "number", exclusiveMinimum: 0 },
  issue: "must be a plain decimal number above zero, such as 2.5, without sign, exponent or spaces",
  allowed: BigDecimal.isPositive,
})

export const NativeAmountOutText = native(
  "Same as `amountOut`, in the smallest unit of the destination asset, as digits.",
  "2500000",
)

/** The broker's commission; one below the account's default is raised to it (decision 7). */
export const CommissionBps = integer({
  description: "Commission in basis points, 0 to 995. A value below the account's default is raised to it.",
  example: "25",
  issue: "must be a whole number of basis points from 0 to 995",
  within: [0, 995],
})

export const Platform = text({
  description: "Name of the only provider to use.",
  example: "chainflip",
  issue: "must be the name of an enabled provider",
})

export const RankParameter = RankBy.annotate({
  description:
    "Order of the quotes; `net` when absent. See [Sort by another rule](/docs/quotes-and-best-price#sort-by-another-rule).",
  examples: ["fastest"],
  message: `must be one of ${RankBy.literals.join(", ")}`,
})

export const StartParameter = StartInput.annotate({
  description:
    "`channel` (the default): only quotes that `/swap` opens. `transaction`: only quotes that `/tx-payload/*` begins. " +
    '`any`: both. `Provider-Status` has `reason="start"` for the other providers.',
  examples: ["channel"],
  message: `must be one of ${StartInput.literals.join(", ")}`,
})

export const DestinationAddress = text({
  description: "Address on the destination chain.",
  example: "0x2222222222222222222222222222222222222222",
  issue: "must be an address on the destination chain",
})

/** The recipient of a quoted swap, where it need not be known. */
export const QuoteDestinationAddress = text({
  description:
    "Address on the destination chain that receives the payout: some providers quote for one address only.",
  example: "0x2222222222222222222222222222222222222222",
  issue: "must be an address on the destination chain",
})

export const RefundAddress = text({
  description: "Refund address on the source chain, for a deposit that cannot be swapped. Required " +
    "with a `minimumPrice` above 0; otherwise the operator's own address of that chain is the default. `refundsTo` of the " +
    "response says where a refund is paid.",
  example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  issue: "must be an address on the source chain",
})

export const BoostFee = integer({
  description:
    "The highest boost fee that is accepted for a Bitcoin deposit, in basis points; 0 is no boost. It has no effect with " +
    "another source asset.",
  example: "10",
  issue: `must be a whole number of basis points from 0 to ${mostBoostFeeBps}`,
  within: [0, mostBoostFeeBps],
})

export const MinimumPrice = decimal({
  description:
    "Lowest accepted price, in destination units for one source unit, as a plain decimal. If it cannot be met in time, the " +
    "deposit is refunded. 0 accepts any price. From a slippage tolerance in percent: " +
    "`estimatedPrice` × (1 − tolerance / 100).",
  example: "32.5",
  issue: "must be a plain decimal number, such as 32.5, without sign, exponent or spaces",
  allowed: () => true,
})

export const QuoteIdParameter = parameter(
  {
    description:
      "Opens exactly this quote: its provider, pair, amount, chunks and commission, and a minimum price that follows from it. " +
      "Other parameters must agree with the quote. Needs a `refundAddress`. After `expiresAt` you get a 409 with a fresh quote.",
    example:
      "q1~chainflip~btc.btc~eth.eth~20000000~6770232456277362137~338523.4~15.1~0~~~1790692455000~099401d5.1~fHtg",
    jsonSchema: { minLength: 1, maxLength: longestQuoteId },
    issue: "must be the quoteId of a quote, as it was given",
  },
  QuoteId,
  QuoteId.makeOption,
)

export const SlippageTolerancePercent = decimal({
  description:
    "With a `quoteId`: how far the minimum price is below the quote's `estimatedPrice`, in percent, from 0 to below 100; " +
    "the quote's `slippageTolerancePercent` when absent.",
  example: "0.5",
  issue: "must be a plain decimal number of percent from 0 to below 100, such as 0.5",
  allowed: (percent) => BigDecimal.isLessThan(percent, BigDecimal.fromBigInt(100n)),
})

export const RetryDurationInBlocks = integer({
  description: "Blocks of 6 seconds after which the deposit is refunded if the minimum price cannot be met.",
  example: "150",
  issue: "must be a whole number of blocks from 0 to 14400 (24 hours)",
  within: [0, 14_400],
})

export const NumberOfChunks = integer({
  description: "DCA: number of parts that the swap is split into. 1 is a regular swap.",
  example: "4",
  issue: "must be a whole number of chunks, 1 or more",
  within: [1, 4_294_967_295],
})

export const ChunkIntervalBlocks = integer({
  description: "DCA: blocks of 6 seconds between chunks.",
  example: "2",
  issue: "must be a whole number of blocks, 2 or more",
  within: [2, 4_294_967_295],
})

/** The interval between the parts of a swap that begins with a transaction: some networks swap a part in each block. */
export const PayloadChunkIntervalBlocks = integer({
  description: "DCA: blocks of 6 seconds between chunks, 2 or more; 1 only if the quote has 1.",
  example: "2",
  issue: "must be a whole number of blocks, 1 or more",
  within: [1, 4_294_967_295],
})

export const AffiliateAccount = text({
  description:
    "Broker account (ss58) that gets a commission of its own, or the name that the operator has registered for it. Needs " +
    "its `affiliateNCommissionBps`.",
  example: "cFHtoB6DrnqUVY4DwMHCVCtgCLsiHvv98oGw8k66tazF2ToFv",
  issue: "must be a broker account in ss58 form, or the name of an affiliate",
})

export const AffiliateCommissionBps = integer({
  description:
    "Commission of the affiliate with this number, in basis points. The payer pays it in addition to `commissionBps`.",
  example: "10",
  issue: "must be a whole number of basis points from 0 to 1000",
  within: [0, 1_000],
})

/** The name of a chain as in answers, in any case. */
export const ChainName = parameter(
  {
    description: "Source network, as in the response that opened the channel.",
    example: "Bitcoin",
    issue: `must be one of ${chains().join(", ")}`,
  },
  Chain,
  (name) => Option.fromUndefinedOr(chains().find((chain) => chain.toLowerCase() === name.toLowerCase())),
)

/** A number that the service or an upstream issued. */
export const Identifier = (description: string, example: string) =>
  integer({
    description,
    example,
    issue: "must be a whole number as this service gave it",
    within: [0, Number.MAX_SAFE_INTEGER],
  })

export const TransactionHash = text({
  description: "Hash (or block-index reference) of the deposit transaction on the source chain.",
  example: "3a1f0c0f5f2b1c7c7f6d6d1c54b7e1f7a8c9d0e1f2a3b4c5d6e7f8091a2b3c4d",
  issue: "must be a transaction hash or reference",
})

export const HistoryLimit = integer({
  description: "How many swaps to list, at most 500; 50 when absent, or all as CSV.",
  example: "50",
  issue: "must be a whole number from 1 to 500",
  within: [1, 500],
})

/** The refund address of a transaction, always required: the operator's default addresses do not apply. */
export const PayloadRefundAddress = text({
  description:
    "Refund address on the source chain, for an amount that cannot be swapped. Some transactions have no room " +
    "for it, such as THORChain's and Maya's from Bitcoin and its family: a refund then goes to the sender, and `refundsTo` " +
    "of the response says so.",
  example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  issue: "must be an address on the source chain",
})

export const SourceAddress = text({
  description:
    "Address on the source chain that sends the transaction: some providers make payloads for one sender only.",
  example: "0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF",
  issue: "must be an address on the source chain",
})

export const SolanaSourceAddress = text({
  description: "Address on Solana that signs the transaction and pays.",
  example: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
  issue: "must be an address on Solana",
})

/** The seed that tells a Solana payload from others of its sender. */
export const PayloadSeed = parameter(
  {
    description: "0x and 64 hexadecimal digits that no other payload of the sender has; random when absent.",
    example: `0x${"0f".repeat(32)}`,
    issue: "must be 0x followed by 64 hexadecimal digits",
  },
  Seed,
  (value) => Option.fromUndefinedOr(/^0x[0-9a-fA-F]{64}$/.exec(value)?.[0]),
)

export const SourceTokenAccount = text({
  description: "Tokens on Solana only: the account that they are taken from; the sender's own when absent.",
  example: "7UX2i7SucgLMQcfZ75s3VXmZZY4YRUyJN9X1RgfMoDUi",
  issue: "must be an address on Solana",
})
