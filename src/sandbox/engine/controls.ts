import { Result } from "effect"
import { maximumNativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Control } from "./Command.ts"
import { balanceOf, changeBalance } from "./operator.ts"
import { assetState, boostedAsset, brokerAccount, maximumRequestDurationBlocks } from "./figures.ts"
import { releaseHeldDeposits } from "./deposits.ts"
import { hasPool, reservesAt } from "./pools.ts"
import type { ControlRefusal } from "./Refusal.ts"
import type { AssetState, Controlled, Network, Reserves } from "./State.ts"

type Answer = Result.Result<Controlled, ControlRefusal>
type Controls = { readonly [One in Control as One["_tag"]]: One }
type Act<Tag extends Control["_tag"]> = (
  worlds: { readonly network: Network },
  command: Controls[Tag],
) => Answer

const done: Answer = Result.succeed({ _tag: "Controlled" })
const impossible = (detail: string): Answer => Result.fail({ _tag: "ImpossibleFigure", detail })

const set = <A extends object>(target: A, changes: Partial<A>): Answer => {
  Object.assign(target, changes)
  return done
}

const change = (network: Network, asset: AssetId, changes: Partial<AssetState>): Answer => {
  network.assets.set(asset, { ...assetState(network, asset), ...changes })
  return done
}

/** Whether the reserves are small enough: the most chunks of a swap, each of half a pool, must still fit an amount. */
const isPossible = ({ base, quote }: Reserves): boolean =>
  (base > quote ? base : quote) * BigInt(maximumRequestDurationBlocks + 1) <= maximumNativeAmount

const changePool = (
  network: Network,
  asset: AssetId,
  changes: Partial<Pick<AssetState, "price" | "depth">>,
): Answer => {
  if (!hasPool(asset)) return Result.fail({ _tag: "NoPool", asset })
  const pool = { ...assetState(network, asset), ...changes }
  if (pool.price <= 0n || pool.price > maximumNativeAmount) {
    return impossible(`The price of ${asset} would be nothing, or more than there can be`)
  }
  return isPossible(reservesAt(asset, pool))
    ? change(network, asset, changes)
    : impossible(`The pool of ${asset} would hold more than there can be`)
}

/** All the bitcoins that there will ever be, in native units. */
const allBitcoins = 2_100_000_000_000_000n

/** What each control does. It takes effect at once, but a new price or depth only from the next block on. */
export const controlActs: { readonly [Tag in Control["_tag"]]: Act<Tag> } = {
  MovePrice: ({ network }, { asset, bps }) =>
    changePool(network, asset, { price: assetState(network, asset).price * BigInt(10_000 + bps) / 10_000n }),
  SetDepth: ({ network }, { asset, usdc }) => changePool(network, asset, { depth: usdc }),
  SetAsset: ({ network }, { _tag, asset, ...changes }) => {
    if (changes.boostEnabled === true && asset !== boostedAsset) {
      return impossible(`Deposits of ${asset} cannot be boosted; those of btc.btc can`)
    }
    change(network, asset, changes)
    if (changes.depositEnabled === true) releaseHeldDeposits(network, asset)
    return done
  },
  SetSwaps: ({ network }, { enabled }) => set(network, { swapsEnabled: enabled }),
  SetMaintenance: ({ network }, { quoting, swapping }) =>
    set(network, {
      quotingMaintenance: quoting ?? network.quotingMaintenance,
      swappingMaintenance: swapping ?? network.swappingMaintenance,
    }),
  RejectNextDeposit: ({ network }, { address }) => {
    const channel = network.channelsByAddress.get(address)
    if (channel === undefined) return Result.fail({ _tag: "UnknownAddress", address })
    channel.rejectsNextDeposit = true
    return done
  },
  NextEgress: ({ network }, { asset, outcome }) => {
    network.plannedEgress.set(asset, [...network.plannedEgress.get(asset) ?? [], outcome])
    return done
  },
  SetBoostPool: ({ network }, { available, tierBps }) => {
    if (tierBps < 1 || tierBps > 10_000) return impossible("A boost pool's tier is from 1 to 10000 bps")
    if (available > allBitcoins) return impossible("A boost pool cannot hold more bitcoins than there are")
    const pool = network.boostPools.find((one) => one.tierBps === tierBps)
    if (pool === undefined) {
      network.boostPools = [...network.boostPools, { tierBps: Bps.make(tierBps), available, lent: 0n }]
        .sort((one, other) => one.tierBps - other.tierBps)
    } else {
      pool.available = available
    }
    return done
  },
  SetFlip: ({ network: { operator } }, { free }) => set(operator, { flip: operator.bond + free }),
  SetOpeningFee: ({ network }, { chain, fee }) => {
    network.openingFees.set(chain, fee)
    return done
  },
  SetWithdrawals: ({ network }, { enabled }) => set(network, { withdrawalsEnabled: enabled }),
  SetNode: ({ network }, { inSync }) => set(network, { nodeInSync: inSync }),
  ShiftEarned: ({ network }, { asset, difference }) => {
    const earned = balanceOf(network, brokerAccount, asset) + difference
    if (earned < 0n || earned > maximumNativeAmount) {
      return impossible(`The operator would have earned ${earned} of ${asset}, which no account can have`)
    }
    changeBalance(network, brokerAccount, asset, difference)
    return done
  },
}
