import type { AssetId } from "../../domain/Asset.ts"
import type { Chain } from "../../domain/Chain.ts"

/** How an asset starts out. Amounts are in its native units unless said otherwise. */
export interface AssetFigures {
  /** Native units of usdc.eth for one whole unit. */
  readonly price: bigint
  /** The USDC side of its pool, in native units of usdc.eth; 0 for usdc.eth, which has no pool. */
  readonly depth: bigint
  /** chainflip/wire.md 1.2 where the table has one; for the others that of a sister asset of like value. */
  readonly minimumDeposit: bigint
  readonly maximumSwap?: bigint
  readonly ingressFee: bigint
  readonly egressFee: bigint
  readonly egressDustLimit: bigint
  /** Absent: the asset has no oracle price. */
  readonly oracleProtectionBps?: number
}

const million = 1_000_000_000_000n
const gwei = 1_000_000_000n

/** Prices and depths are of the order of the real ones in 2026; majors are deep, FLIP is thin. */
export const assetFigures: Readonly<Record<AssetId, AssetFigures>> = {
  "btc.btc": {
    price: 64_550_000_000n,
    depth: 60n * million,
    minimumDeposit: 40_000n,
    ingressFee: 310n,
    egressFee: 1_420n,
    egressDustLimit: 600n,
    oracleProtectionBps: 60,
  },
  "eth.eth": {
    price: 1_904_000_000n,
    depth: 50n * million,
    minimumDeposit: 10_000_000n * gwei,
    ingressFee: 47_068n * gwei,
    egressFee: 141_203_311_900_000n,
    egressDustLimit: 1_000n * gwei,
    oracleProtectionBps: 50,
  },
  "flip.eth": {
    price: 452_000n,
    depth: 300_000_000_000n,
    minimumDeposit: 4_000_000_000n * gwei,
    ingressFee: 340_000_000n * gwei,
    egressFee: 610_000_000n * gwei,
    egressDustLimit: 10_000_000n * gwei,
  },
  "usdc.eth": {
    price: 1_000_000n,
    depth: 0n,
    minimumDeposit: 20_000_000n,
    ingressFee: 152_000n,
    egressFee: 274_000n,
    egressDustLimit: 10_000n,
    oracleProtectionBps: 15,
  },
  "usdt.eth": {
    price: 999_800n,
    depth: 400n * million,
    minimumDeposit: 20_000_000n,
    ingressFee: 171_000n,
    egressFee: 298_000n,
    egressDustLimit: 10_000n,
    oracleProtectionBps: 15,
  },
  "wbtc.eth": {
    price: 64_480_000_000n,
    depth: 8n * million,
    minimumDeposit: 40_000n,
    ingressFee: 260n,
    egressFee: 440n,
    egressDustLimit: 100n,
  },
  "cbbtc.eth": {
    price: 64_500_000_000n,
    depth: 6n * million,
    minimumDeposit: 40_000n,
    ingressFee: 260n,
    egressFee: 440n,
    egressDustLimit: 100n,
  },
  "eth.arb": {
    price: 1_904_000_000n,
    depth: 10n * million,
    minimumDeposit: 3_900_000n * gwei,
    ingressFee: 2_900n * gwei,
    egressFee: 5_200n * gwei,
    egressDustLimit: 100n * gwei,
    oracleProtectionBps: 50,
  },
  "usdc.arb": {
    price: 1_000_000n,
    depth: 100n * million,
    minimumDeposit: 10_000_000n,
    ingressFee: 9_000n,
    egressFee: 12_000n,
    egressDustLimit: 1_000n,
    oracleProtectionBps: 15,
  },
  "usdt.arb": {
    price: 999_800n,
    depth: 60n * million,
    minimumDeposit: 10_000_000n,
    ingressFee: 9_000n,
    egressFee: 12_000n,
    egressDustLimit: 1_000n,
    oracleProtectionBps: 15,
  },
  "sol.sol": {
    price: 152_300_000n,
    depth: 20n * million,
    minimumDeposit: 68_000_000n,
    ingressFee: 105_000n,
    egressFee: 55_000n,
    egressDustLimit: 890_880n,
    oracleProtectionBps: 70,
  },
  "usdc.sol": {
    price: 1_000_000n,
    depth: 80n * million,
    minimumDeposit: 10_000_000n,
    ingressFee: 17_000n,
    egressFee: 25_000n,
    egressDustLimit: 1_000n,
    oracleProtectionBps: 15,
  },
  "usdt.sol": {
    price: 999_700n,
    depth: 40n * million,
    minimumDeposit: 10_000_000n,
    ingressFee: 17_000n,
    egressFee: 25_000n,
    egressDustLimit: 1_000n,
    oracleProtectionBps: 15,
  },
  "dot.hub": {
    price: 3_870_000n,
    depth: 3n * million,
    minimumDeposit: 40_000_000_000n,
    ingressFee: 33_000_000n,
    egressFee: 48_000_000n,
    egressDustLimit: 100_000_000n,
  },
  "usdc.hub": {
    price: 999_900n,
    depth: 5n * million,
    minimumDeposit: 20_000_000n,
    ingressFee: 13_000n,
    egressFee: 19_000n,
    egressDustLimit: 70_000n,
    oracleProtectionBps: 15,
  },
  "usdt.hub": {
    price: 999_600n,
    depth: 4n * million,
    minimumDeposit: 20_000_000n,
    ingressFee: 13_000n,
    egressFee: 19_000n,
    egressDustLimit: 70_000n,
    oracleProtectionBps: 15,
  },
  "trx.tron": {
    price: 312_000n,
    depth: 10n * million,
    minimumDeposit: 30_000_000n,
    ingressFee: 1_100_000n,
    egressFee: 1_400_000n,
    egressDustLimit: 100_000n,
  },
  "usdt.tron": {
    price: 999_900n,
    depth: 50n * million,
    minimumDeposit: 10_000_000n,
    ingressFee: 1_300_000n,
    egressFee: 2_100_000n,
    egressDustLimit: 10_000n,
    oracleProtectionBps: 15,
  },
  "dot.dot": {
    price: 3_870_000n,
    depth: 2n * million,
    minimumDeposit: 40_000_000_000n,
    maximumSwap: 1_000_000_000_000_000n,
    ingressFee: 197_000_000n,
    egressFee: 197_000_000n,
    egressDustLimit: 10_000_000_000n,
  },
  "bnb.bsc": {
    price: 641_000_000n,
    depth: 15n * million,
    minimumDeposit: 16_000_000n * gwei,
    ingressFee: 6_300n * gwei,
    egressFee: 10_500n * gwei,
    egressDustLimit: 1_000n * gwei,
  },
  "usdt.bsc": {
    price: 999_800n,
    depth: 30n * million,
    minimumDeposit: 10_000_000_000n * gwei,
    ingressFee: 11_000_000n * gwei,
    egressFee: 17_000_000n * gwei,
    egressDustLimit: 1_000_000n * gwei,
    oracleProtectionBps: 15,
  },
}

/** How a chain starts out. */
export interface ChainFigures {
  /** The block that the chain stands at when the sandbox begins. */
  readonly firstHeight: number
  /** Blocks on top of the first; one more confirmation is required (chainflip/wire.md 1.5). */
  readonly witnessSafetyMargin: number
  /** State-chain blocks (chainflip/wire.md 1.5). */
  readonly ingressDelay: number
  readonly boostDelay: number
}

/** Bitcoin and Ethereum as recorded (chainflip/wire.md 1.5), the others likewise short. */
export const chainFigures: Readonly<Record<Chain, ChainFigures>> = {
  Bitcoin: { firstHeight: 918_000, witnessSafetyMargin: 2, ingressDelay: 0, boostDelay: 0 },
  Ethereum: { firstHeight: 24_500_000, witnessSafetyMargin: 4, ingressDelay: 0, boostDelay: 0 },
  Arbitrum: { firstHeight: 410_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 },
  Solana: { firstHeight: 380_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 },
  Assethub: { firstHeight: 9_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 },
  Tron: { firstHeight: 78_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 },
  Polkadot: { firstHeight: 28_000_000, witnessSafetyMargin: 1, ingressDelay: 0, boostDelay: 0 },
  Bsc: { firstHeight: 70_000_000, witnessSafetyMargin: 4, ingressDelay: 0, boostDelay: 0 },
}

/** The state-chain block at which the sandbox begins. */
export const firstStateChainHeight = 14_000_000

/** Boost pools of btc.btc at the start: tier in bps, and native units to lend (chainflip/wire.md 1.6). */
export const boostPoolFigures = [
  { tierBps: 5, available: 200_000_000n },
  { tierBps: 10, available: 500_000_000n },
  { tierBps: 30, available: 1_000_000_000n },
] as const
