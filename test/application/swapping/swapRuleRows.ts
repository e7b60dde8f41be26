import { BigDecimal } from "effect"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Issues } from "#domain/Issues.ts"
import type { SwapInput } from "#application/swapping/opening/OpeningRules.ts"
import { broker, evm, onChain, publicKey } from "./swapWishes.ts"

const decimal = BigDecimal.fromStringUnsafe

/** Each rule with what is just allowed and what is one step beyond, and the answer to that. */
export const swapRuleRows: ReadonlyArray<{
  readonly rule: string
  readonly allowed: ReadonlyArray<SwapInput>
  readonly refused: ReadonlyArray<SwapInput>
  readonly answer: Issues
}> = [
  {
    rule: "the assets differ",
    allowed: [{ sourceAsset: "eth.arb", refundAddress: evm }],
    refused: [{ sourceAsset: "eth.eth", refundAddress: evm }],
    answer: { destinationAsset: ["destinationAsset must differ from sourceAsset; both are eth.eth"] },
  },
  {
    rule: "the destination address is one of the destination chain",
    allowed: [{ destinationAddress: evm }, { destinationAsset: "usdc.arb" }],
    refused: [{ destinationAddress: `${evm}22` }],
    answer: {
      destinationAddress: [
        "destinationAddress cannot be used on Ethereum, because it must be 0x followed by 40 hexadecimal digits",
      ],
    },
  },
  {
    rule: "the destination address is one of the network",
    allowed: [{
      destinationAsset: "btc.btc",
      sourceAsset: "sol.sol",
      destinationAddress: onChain("Bitcoin"),
    }],
    refused: [{
      destinationAsset: "btc.btc",
      sourceAsset: "sol.sol",
      destinationAddress: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
    }],
    answer: {
      destinationAddress: [
        "destinationAddress cannot be used on Bitcoin, because it is a testnet address, but this broker serves mainnet",
      ],
    },
  },
  {
    rule: "the refund address is one of the source chain",
    allowed: [{ refundAddress: onChain("Bitcoin") }],
    refused: [{ refundAddress: evm }],
    answer: {
      refundAddress: [
        "refundAddress cannot be used on Bitcoin, because a Bitcoin address begins with 1, 3 or bc1 (with m, n, 2, tb1 " +
        "or bcrt1 on test networks)",
      ],
    },
  },
  {
    rule: "a price limit needs the caller's own refund address",
    allowed: [{ minimumPrice: decimal("0") }, {
      minimumPrice: decimal("1"),
      refundAddress: onChain("Bitcoin"),
    }],
    refused: [{ minimumPrice: decimal("0.1") }, { minimumPrice: decimal("0.1"), sourceAsset: "trx.tron" }],
    answer: {
      refundAddress: ["refundAddress is required with minimumPrice; without it a refund would not reach you"],
    },
  },
  {
    rule: "without a refund address the operator has one",
    allowed: [{}, { sourceAsset: "usdc.sol" }],
    refused: [{ sourceAsset: "trx.tron" }],
    answer: {
      refundAddress: ["refundAddress is required; this broker has no refund address of its own on Tron"],
    },
  },
  {
    rule: "the price fits into the network's numbers from above",
    // 8 and 18 decimals: 2^128 whole units of one for the other, less 10 digits.
    allowed: [{ minimumPrice: BigDecimal.make(2n ** 128n - 1n, 10), refundAddress: onChain("Bitcoin") }],
    refused: [{ minimumPrice: BigDecimal.make(2n ** 128n, 10), refundAddress: onChain("Bitcoin") }],
    answer: { minimumPrice: ["minimumPrice is too large for the provider"] },
  },
  {
    rule: "the price fits into the network's numbers from below",
    allowed: [{ minimumPrice: BigDecimal.make(2n, 49), refundAddress: onChain("Bitcoin") }],
    refused: [{ minimumPrice: BigDecimal.make(1n, 49), refundAddress: onChain("Bitcoin") }],
    answer: {
      minimumPrice: ["minimumPrice is too small; the provider would read it as 0, which accepts any price"],
    },
  },
  {
    rule: "an interval goes with a number of chunks",
    allowed: [{ numberOfChunks: 1, chunkIntervalBlocks: 2 }],
    refused: [{ chunkIntervalBlocks: 2 }],
    answer: { chunkIntervalBlocks: ["chunkIntervalBlocks needs numberOfChunks"] },
  },
  {
    rule: "the chunks are swapped within 24 hours",
    allowed: [
      { numberOfChunks: 7_201 },
      { numberOfChunks: 2, chunkIntervalBlocks: 14_400 },
      { numberOfChunks: 1, chunkIntervalBlocks: 4_294_967_295 },
    ],
    refused: [
      { numberOfChunks: 7_202 },
      { numberOfChunks: 2, chunkIntervalBlocks: 14_401 },
      { numberOfChunks: 4_294_967_295, chunkIntervalBlocks: 4_294_967_295 },
    ],
    answer: {
      numberOfChunks: [
        "numberOfChunks is too large; (numberOfChunks − 1) × chunkIntervalBlocks must be at most 14400 (24 hours)",
      ],
    },
  },
  {
    rule: "an affiliate has a commission",
    allowed: [{ affiliate2: broker(1), affiliate2CommissionBps: 0 }],
    refused: [{ affiliate2: broker(1) }],
    answer: { affiliate2CommissionBps: ["affiliate2CommissionBps is required with affiliate2"] },
  },
  {
    rule: "a commission has an affiliate",
    allowed: [{ affiliate3: broker(1), affiliate3CommissionBps: 1 }],
    refused: [{ affiliate3CommissionBps: 1 }],
    answer: { affiliate3: ["affiliate3 is required with affiliate3CommissionBps"] },
  },
  {
    rule: "affiliates are different accounts",
    allowed: [{
      affiliate1: broker(1),
      affiliate1CommissionBps: 1,
      affiliate3: broker(3),
      affiliate3CommissionBps: 1,
    }],
    refused: [{
      affiliate1: broker(1),
      affiliate1CommissionBps: 1,
      affiliate3: broker(1),
      affiliate3CommissionBps: 1,
    }],
    answer: { affiliate3: ["affiliate3 is the same account as an earlier affiliate"] },
  },
  {
    rule: "an affiliate is an account of the network",
    allowed: [{ affiliate1: broker(9), affiliate1CommissionBps: 1 }],
    refused: [{ affiliate1: encodeSs58(0, publicKey(9)), affiliate1CommissionBps: 1 }],
    answer: {
      affiliate1: [
        "affiliate1 cannot be used as a broker account, because its ss58 prefix is 0, but accounts of this network have 2112",
      ],
    },
  },
  {
    rule: "a faulty account hides no missing commission",
    allowed: [],
    refused: [{ affiliate1: encodeSs58(0, publicKey(9)) }],
    answer: {
      affiliate1: [
        "affiliate1 cannot be used as a broker account, because its ss58 prefix is 0, but accounts of this network have 2112",
      ],
      affiliate1CommissionBps: ["affiliate1CommissionBps is required with affiliate1"],
    },
  },
  {
    rule: "what was given and cannot be read is not missing as well",
    allowed: [],
    refused: [
      { affiliate1: broker(1), unreadable: ["affiliate1CommissionBps"], platform: "x" },
      { affiliate1CommissionBps: 1, unreadable: ["affiliate1"], platform: "x" },
      { unreadable: ["affiliate1"], affiliate1CommissionBps: 1, platform: "x" },
      { chunkIntervalBlocks: 2, unreadable: ["numberOfChunks"], platform: "x" },
      { minimumPrice: decimal("1"), unreadable: ["refundAddress"], platform: "x" },
      { sourceAsset: "trx.tron", unreadable: ["refundAddress"], platform: "x" },
    ],
    answer: { platform: ["platform must be one of chainflip, near-intents"] },
  },
  {
    rule: "all brokers together take 10 % at most",
    allowed: [
      { commissionBps: 995 },
      { commissionBps: 995, affiliate1: broker(1), affiliate1CommissionBps: 5 },
      { affiliate1: broker(1), affiliate1CommissionBps: 990 },
    ],
    refused: [{
      commissionBps: 995,
      affiliate1: broker(1),
      affiliate1CommissionBps: 3,
      affiliate2: broker(2),
      affiliate2CommissionBps: 3,
    }],
    answer: {
      commissionBps: [
        "commissionBps and the affiliates' commissions are 1001 bps together; the maximum is 1000",
      ],
    },
  },
  {
    rule: "the account's default counts where it is more",
    allowed: [{ commissionBps: 0, affiliate1: broker(1), affiliate1CommissionBps: 990 }],
    refused: [
      { commissionBps: 0, affiliate1: broker(1), affiliate1CommissionBps: 991 },
      { affiliate1: broker(1), affiliate1CommissionBps: 991 },
    ],
    answer: {
      commissionBps: [
        "commissionBps and the affiliates' commissions are 1001 bps together; the maximum is 1000",
      ],
    },
  },
  {
    rule: "there is one amount at most",
    allowed: [{ amount: decimal("1") }, { amountNative: NativeAmount.make(1n) }],
    refused: [{ amount: decimal("1"), amountNative: NativeAmount.make(100_000_000n) }],
    answer: { amount: ["amount and amountNative cannot be used together"] },
  },
  {
    rule: "the amount has no more decimals than the asset",
    allowed: [{ amount: decimal("0.00000001") }],
    refused: [{ amount: BigDecimal.make(10n, 9) }],
    answer: { amount: ["amount has too many decimals; btc.btc has 8"] },
  },
  {
    rule: "the amount is below 2^128 native units",
    allowed: [{ amount: BigDecimal.make(2n ** 128n - 1n, 8) }],
    refused: [{ amount: BigDecimal.make(2n ** 128n, 8) }],
    answer: { amount: ["amount is too large; it must be below 2^128 native units"] },
  },
  {
    rule: "a named provider is enabled",
    allowed: [{ platform: "chainflip" }, { platform: "near-intents" }],
    refused: [{ platform: "Chainflip" }],
    answer: { platform: ["platform must be one of chainflip, near-intents"] },
  },
]
