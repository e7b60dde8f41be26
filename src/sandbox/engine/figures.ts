import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { builtInAssets } from "#domain/chains/catalogue/assets.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { AssetState, Network } from "./State.ts"

/** The asset that prices every pool, and so stands between the two legs of a route (chainflip/wire.md 1.2). */
export const intermediateAsset = "usdc.eth" as const satisfies AssetId

/** The only asset that boost pools lend (chainflip/wire.md 1.6). */
export const boostedAsset = "btc.btc" as const satisfies AssetId

/** The ss58 prefix of accounts, whose text begins with `cF` (chainflip/wire.md 1.1). */
export const accountPrefix = 2112

/** The broker account of every sandbox, whatever its seed. */
export const brokerAccount: BrokerAccount = BrokerAccount.make(
  encodeSs58(accountPrefix, sha256(utf8ToBytes("swap broker sandbox: the operator's account"))),
)

const flip = 10n ** 18n

/** The operator's FLIP at the start, its bond included: enough for millions of channels. */
export const firstFlip = 100_100n * flip
/** The bond of a broker's private channel (chainflip/wire.md 2.7). */
export const brokerBond = 100n * flip
/** The price of a channel from any chain at the start, and of any transaction of the operator's on the state chain. */
export const openingFee = flip / 100n
export const extrinsicFee = flip / 500n

/** The network fee, 10 bps, in hundredths of a pip; a million is the whole (chainflip/wire.md 1.5). */
export const networkFeeRate = 1_000
/** The least network fee: half a USDC. */
export const networkFeeMinimum: NativeAmount = NativeAmount.make(500_000n)

/** State-chain blocks from crediting a deposit to its first chunk. */
export const swapDelayBlocks = 2
/** State-chain blocks between two tries of a chunk that could not be swapped (chainflip/wire.md 1.5). */
export const retryDelayBlocks = 5
/** One hour (chainflip/wire.md 1.5). */
export const maximumRetryDurationBlocks = 600
/** One day (chainflip/wire.md 1.5). */
export const maximumRequestDurationBlocks = 14_400
/** State-chain blocks from scheduling a payment to its broadcast: batching, then signing by the validators. */
export const broadcastDelayBlocks = 3
/** The lifetime of a channel, measured in blocks of its source chain (chainflip/wire.md 2.2). */
export const channelLifetimeMillis = 24 * 60 * 60 * 1_000

/** The most that broker and affiliates may take together (chainflip/wire.md 2.5). */
export const maximumCommissionBps = 1_000
export const maximumAffiliates = 5
/** The most affiliates of a vault swap from Bitcoin, which has little room (chainflip/wire.md 2.3). */
export const maximumBitcoinAffiliates = 2
/** The most affiliates of a broker, as payloads name each by a byte. */
export const maximumAffiliatesOfBroker = 256
/** The backend's most open channels of one destination, pair and message (chainflip/wire.md 3.5). */
export const maximumBackendChannels = 25
/** The most bytes of a message for a contract (chainflip/wire.md 2.2). */
export const maximumMessageLength = 15_000

/** The highest value of a chunk of an offered DCA swap, in native units of usdc.eth (chainflip/wire.md 3.3). */
export const offeredChunkValue = 10_000_000_000n
/** State-chain blocks between the chunks of an offered DCA swap (chainflip/wire.md 3.3). */
export const offeredChunkInterval = 2

const million = 1_000_000_000_000n
const gwei = 1_000_000_000n

interface Market {
  /** In native units of usdc.eth for one whole unit. */
  readonly price: bigint
  /** The USDC side of its pool, in native units of usdc.eth; 0 for usdc.eth, which has no pool. */
  readonly depth: bigint
  /** Absent: the asset has no oracle price. */
  readonly oracleProtectionBps?: number
  /** In native units of the asset. Absent: no limit. */
  readonly maximumSwap?: bigint
}

/** Prices and depths are of the order of the real ones in 2026; majors are deep, FLIP is thin. */
const markets: ReadonlyMap<AssetId, Market> = new Map<AssetId, Market>([
  ["btc.btc", { price: 64_550_000_000n, depth: 60n * million, oracleProtectionBps: 60 }],
  ["eth.eth", { price: 1_904_000_000n, depth: 50n * million, oracleProtectionBps: 50 }],
  ["flip.eth", { price: 452_000n, depth: 300_000_000_000n }],
  ["usdc.eth", { price: 1_000_000n, depth: 0n, oracleProtectionBps: 15 }],
  ["usdt.eth", { price: 999_800n, depth: 400n * million, oracleProtectionBps: 15 }],
  ["wbtc.eth", { price: 64_480_000_000n, depth: 8n * million }],
  ["cbbtc.eth", { price: 64_500_000_000n, depth: 6n * million }],
  ["eth.arb", { price: 1_904_000_000n, depth: 10n * million, oracleProtectionBps: 50 }],
  ["usdc.arb", { price: 1_000_000n, depth: 100n * million, oracleProtectionBps: 15 }],
  ["usdt.arb", { price: 999_800n, depth: 60n * million, oracleProtectionBps: 15 }],
  ["sol.sol", { price: 152_300_000n, depth: 20n * million, oracleProtectionBps: 70 }],
  ["usdc.sol", { price: 1_000_000n, depth: 80n * million, oracleProtectionBps: 15 }],
  ["usdt.sol", { price: 999_700n, depth: 40n * million, oracleProtectionBps: 15 }],
  ["dot.hub", { price: 3_870_000n, depth: 3n * million }],
  ["usdc.hub", { price: 999_900n, depth: 5n * million, oracleProtectionBps: 15 }],
  ["usdt.hub", { price: 999_600n, depth: 4n * million, oracleProtectionBps: 15 }],
  ["trx.tron", { price: 312_000n, depth: 10n * million }],
  ["usdt.tron", { price: 999_900n, depth: 50n * million, oracleProtectionBps: 15 }],
  ["dot.dot", { price: 3_870_000n, depth: 2n * million, maximumSwap: 1_000_000_000_000_000n }],
  ["bnb.bsc", { price: 641_000_000n, depth: 15n * million }],
  ["usdt.bsc", { price: 999_800n, depth: 30n * million, oracleProtectionBps: 15 }],
  ["eth.base", { price: 1_904_000_000n, depth: 12n * million }],
  ["usdc.base", { price: 1_000_000n, depth: 90n * million }],
  ["cbbtc.base", { price: 64_500_000_000n, depth: 9n * million }],
  ["pol.pol", { price: 214_000n, depth: 4n * million }],
  ["usdc.pol", { price: 1_000_000n, depth: 40n * million }],
  ["usdt.pol", { price: 999_800n, depth: 30n * million }],
  ["avax.avax", { price: 18_700_000n, depth: 6n * million }],
  ["usdc.avax", { price: 1_000_000n, depth: 30n * million }],
  ["usdt.avax", { price: 999_800n, depth: 25n * million }],
  ["eth.op", { price: 1_904_000_000n, depth: 8n * million }],
  ["usdc.op", { price: 1_000_000n, depth: 30n * million }],
  ["usdt.op", { price: 999_800n, depth: 20n * million }],
  ["ltc.ltc", { price: 96_400_000n, depth: 9n * million }],
  ["doge.doge", { price: 178_000n, depth: 8n * million }],
  ["bch.bch", { price: 482_000_000n, depth: 6n * million }],
  ["zec.zec", { price: 231_000_000n, depth: 5n * million }],
  ["dash.dash", { price: 52_300_000n, depth: 3n * million }],
  ["xrp.xrp", { price: 2_140_000n, depth: 15n * million }],
])

/** An asset that only a row of the operator's brings: a coin of a dollar, as nobody has said what it is worth. */
const unknownMarket: Market = { price: 1_000_000n, depth: 5n * million }

const marketOf = (asset: AssetId): Market => markets.get(asset) ?? unknownMarket

/** Minimum deposit, ingress fee, egress fee and dust limit of an asset, in its native units. */
type Limits = readonly [bigint, bigint, bigint, bigint]

/** Limits and fees at the start, of chainflip/wire.md 1.2, else of a similar asset of like value. */
const limits: ReadonlyMap<AssetId, Limits> = new Map<AssetId, Limits>([
  ["btc.btc", [40_000n, 310n, 1_420n, 600n]],
  ["eth.eth", [10_000_000n * gwei, 47_068n * gwei, 141_203_311_900_000n, 1_000n * gwei]],
  ["flip.eth", [4_000_000_000n * gwei, 340_000_000n * gwei, 610_000_000n * gwei, 10_000_000n * gwei]],
  ["usdc.eth", [20_000_000n, 152_000n, 274_000n, 10_000n]],
  ["usdt.eth", [20_000_000n, 171_000n, 298_000n, 10_000n]],
  ["wbtc.eth", [40_000n, 260n, 440n, 100n]],
  ["cbbtc.eth", [40_000n, 260n, 440n, 100n]],
  ["eth.arb", [3_900_000n * gwei, 2_900n * gwei, 5_200n * gwei, 100n * gwei]],
  ["usdc.arb", [10_000_000n, 9_000n, 12_000n, 1_000n]],
  ["usdt.arb", [10_000_000n, 9_000n, 12_000n, 1_000n]],
  ["sol.sol", [68_000_000n, 105_000n, 55_000n, 890_880n]],
  ["usdc.sol", [10_000_000n, 17_000n, 25_000n, 1_000n]],
  ["usdt.sol", [10_000_000n, 17_000n, 25_000n, 1_000n]],
  ["dot.hub", [40_000_000_000n, 33_000_000n, 48_000_000n, 100_000_000n]],
  ["usdc.hub", [20_000_000n, 13_000n, 19_000n, 70_000n]],
  ["usdt.hub", [20_000_000n, 13_000n, 19_000n, 70_000n]],
  ["trx.tron", [30_000_000n, 1_100_000n, 1_400_000n, 100_000n]],
  ["usdt.tron", [10_000_000n, 1_300_000n, 2_100_000n, 10_000n]],
  ["dot.dot", [40_000_000_000n, 197_000_000n, 197_000_000n, 10_000_000_000n]],
  ["bnb.bsc", [16_000_000n * gwei, 6_300n * gwei, 10_500n * gwei, 1_000n * gwei]],
  ["usdt.bsc", [10_000_000_000n * gwei, 11_000_000n * gwei, 17_000_000n * gwei, 1_000_000n * gwei]],
])

/** Limits by worth, of an asset that Chainflip does not have: 10 dollars, 2 cents, 5 cents and 1 cent. */
const limitsByWorth = (asset: AssetId): Limits => {
  const ofWorth = (usdc: bigint): bigint =>
    usdc * 10n ** BigInt(factsOf(asset).decimals) / marketOf(asset).price + 1n
  return [ofWorth(10_000_000n), ofWorth(20_000n), ofWorth(50_000n), ofWorth(10_000n)]
}

export const firstStateOf = (asset: AssetId): AssetState => {
  const { depth, maximumSwap, oracleProtectionBps, price } = marketOf(asset)
  const [minimumDeposit, ingressFee, egressFee, egressDustLimit] = limits.get(asset) ?? limitsByWorth(asset)
  return {
    price,
    depth,
    minimumDeposit: NativeAmount.make(minimumDeposit),
    ...optionalMembers(maximumSwap, (limit) => ({ maximumSwap: NativeAmount.make(limit) })),
    minimumChunk: NativeAmount.make(minimumDeposit),
    ingressFee: NativeAmount.make(ingressFee),
    egressFee: NativeAmount.make(egressFee),
    egressDustLimit: NativeAmount.make(egressDustLimit),
    ...optionalMembers(oracleProtectionBps, (bps) => ({ oracleProtectionBps: Bps.make(bps) })),
    depositEnabled: true,
    egressEnabled: true,
    creationEnabled: true,
    boostEnabled: asset === boostedAsset,
  }
}

/** Native cost of sending an asset of an added row, by its worth; nothing for assets of this build. */
export const costOfAdded = (asset: AssetId): bigint | undefined =>
  asset in builtInAssets ? undefined : firstStateOf(asset).egressFee

/** An asset as it is now; made when it is first asked for. */
export const assetState = (network: Network, asset: AssetId): AssetState => {
  const known = network.assets.get(asset)
  if (known !== undefined) return known
  const first = firstStateOf(asset)
  network.assets.set(asset, first)
  return first
}

export interface ChainFigures {
  readonly firstHeight: number
  /** Blocks on top of the first; required confirmations are one more (chainflip/wire.md 1.5). */
  readonly witnessSafetyMargin: number
  /** In state-chain blocks (chainflip/wire.md 1.5). */
  readonly ingressDelay: number
  readonly boostDelay: number
}

/** Bitcoin and Ethereum as recorded (chainflip/wire.md 1.5); the others are similarly short. */
const figuresByChain: ReadonlyMap<Chain, ChainFigures> = new Map<Chain, ChainFigures>([
  ["Bitcoin", { firstHeight: 918_000, witnessSafetyMargin: 2, ingressDelay: 0, boostDelay: 0 }],
  ["Ethereum", { firstHeight: 24_500_000, witnessSafetyMargin: 4, ingressDelay: 0, boostDelay: 0 }],
  ["Arbitrum", { firstHeight: 410_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 }],
  ["Solana", { firstHeight: 380_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 }],
  ["Assethub", { firstHeight: 9_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 }],
  ["Tron", { firstHeight: 78_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 }],
  ["Polkadot", { firstHeight: 28_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 }],
  ["Bsc", { firstHeight: 70_000_000, witnessSafetyMargin: 4, ingressDelay: 0, boostDelay: 0 }],
])

/** Chains of which nobody has said anything. */
const otherFigures: ChainFigures = {
  firstHeight: 10_000_000,
  witnessSafetyMargin: 1,
  ingressDelay: 0,
  boostDelay: 0,
}

export const chainFigures = (chain: Chain): ChainFigures => figuresByChain.get(chain) ?? otherFigures

export const firstStateChainHeight = 14_000_000

/** The boost pools of btc.btc at the start: tier in bps, and native units to lend (chainflip/wire.md 1.6). */
export const boostPoolFigures = [
  { tierBps: 5, available: 200_000_000n },
  { tierBps: 10, available: 500_000_000n },
  { tierBps: 30, available: 1_000_000_000n },
] as const
