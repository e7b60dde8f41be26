import { BigDecimal, Option } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapInput, SwapTerms } from "#application/swapping/opening/OpeningRules.ts"
import { addressFor } from "#test/contract/support/addresses.ts"

const accountPrefix = 2112
export const publicKey = (byte: number) => new Uint8Array(32).fill(byte)
/** A broker account of the network. */
export const broker = (byte: number) => encodeSs58(accountPrefix, publicKey(byte))

export const evm = "0x2222222222222222222222222222222222222222"
const substrate = encodeSs58(0, publicKey(7))

/** One address that each chain accepts. */
const ownOnChain: ReadonlyMap<Chain, string> = new Map<Chain, string>([
  ["Bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ["Ethereum", evm],
  ["Arbitrum", evm],
  ["Bsc", evm],
  ["Solana", "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"],
  ["Tron", "TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g"],
  ["Polkadot", substrate],
  ["Assethub", substrate],
])

export const onChain = (chain: Chain): string => ownOnChain.get(chain) ?? addressFor(chainFacts(chain).coin)

/** The account's own commission. */
export const accountDefault = 10

/** What the operator and the account settled. */
export const terms: SwapTerms = {
  networks: ["mainnet"],
  networkOf: () => "mainnet",
  fallbackRefundAddresses: {
    Bitcoin: Address.make("the operator's own"),
    Solana: Address.make("its own too"),
  },
  brokerAccountPrefix: accountPrefix,
  affiliateNames: new Map([["wallet-one", broker(9)]]),
  affiliatesAllowed: true,
  toleranceMost: BigDecimal.fromBigInt(5n),
  boundQuote: () => Option.none(),
  effectiveCommission: (override = 0) => Bps.make(Math.max(accountDefault, override)),
  platforms: ["chainflip", "near-intents"].map((name) => ProviderName.make(name)),
}

const decimal = BigDecimal.fromStringUnsafe

/** A wish that no rule objects to. */
export const plain: SwapInput = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: onChain("Ethereum"),
}

/** A wish that uses everything and is allowed. */
export const full: SwapInput = {
  ...plain,
  boostFee: 100,
  minimumPrice: decimal("32.123456789012345678"),
  refundAddress: onChain("Bitcoin"),
  retryDurationInBlocks: 14_400,
  numberOfChunks: 4,
  chunkIntervalBlocks: 3,
  commissionBps: 25,
  affiliate1: broker(1),
  affiliate1CommissionBps: 5,
  affiliate4: broker(4),
  affiliate4CommissionBps: 0,
  amount: decimal("1.5"),
  platform: "chainflip",
  ccmPayload: { gasBudget: NativeAmount.make(500_000n), message: "0xdeadbeef" },
}
