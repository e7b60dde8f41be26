import { Record } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import { Bps } from "../../domain/Bps.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { EventQueue } from "./EventQueue.ts"
import { type AssetFigures, assetFigures, boostPoolFigures } from "./figures.ts"
import type { AssetState, Network } from "./State.ts"

const initialAsset = (figures: AssetFigures, asset: string): AssetState => {
  return {
    price: figures.price,
    depth: figures.depth,
    minimumDeposit: NativeAmount.make(figures.minimumDeposit),
    ...(figures.maximumSwap === undefined ? {} : { maximumSwap: NativeAmount.make(figures.maximumSwap) }),
    minimumChunk: NativeAmount.make(figures.minimumDeposit),
    ingressFee: NativeAmount.make(figures.ingressFee),
    egressFee: NativeAmount.make(figures.egressFee),
    egressDustLimit: NativeAmount.make(figures.egressDustLimit),
    ...(figures.oracleProtectionBps === undefined
      ? {}
      : { oracleProtectionBps: Bps.make(figures.oracleProtectionBps) }),
    depositEnabled: true,
    egressEnabled: true,
    creationEnabled: true,
    boostEnabled: asset === "btc.btc",
  }
}

/**
 * A network that begins at `time`. The same seed, beginning and commands at the same times always make the
 * same network, down to every address and hash.
 */
export const make = (options: { readonly seed: string; readonly time: EpochMillis }): Network => ({
  seed: options.seed,
  genesis: options.time,
  time: options.time,
  events: new EventQueue(),
  assets: Record.map(assetFigures, initialAsset),
  boostPools: boostPoolFigures.map(({ tierBps, available }) => ({
    tierBps: Bps.make(tierBps),
    available,
    lent: 0n,
  })),
  swapsEnabled: true,
  quotingMaintenance: false,
  swappingMaintenance: false,
  channels: new Map(),
  channelsByAddress: new Map(),
  channelCounts: new Map(),
  depositsByTransaction: new Map(),
  requests: new Map(),
  transactionCount: 0,
  affiliates: [],
  heldDeposits: new Map(),
  plannedEgress: new Map(),
  indexedBlock: 0,
  indexesUsed: 0,
  tradedBlock: 0,
  traded: new Map(),
})
