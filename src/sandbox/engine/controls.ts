import { Match, Result } from "effect"
import { maximumNativeAmount } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { Bps } from "../../domain/Bps.ts"
import type * as Command from "./Command.ts"
import { balanceOf, changeBalance } from "./accounts.ts"
import { boostedAsset, brokerAccount, maximumRequestDurationBlocks } from "./figures.ts"
import { releaseHeldDeposits } from "./deposits.ts"
import { hasPool, reservesAt } from "./pools.ts"
import type { ControlRefusal } from "./Refusal.ts"
import type { AssetState, Network, Reserves } from "./State.ts"
import type { Controlled } from "./View.ts"

type Answer = Result.Result<Controlled, ControlRefusal>
type Of<Tag extends Command.Control["_tag"]> = Extract<Command.Control, { readonly _tag: Tag }>

const done: Answer = Result.succeed({ _tag: "Controlled" })
const impossible = (detail: string): Answer => Result.fail({ _tag: "ImpossibleFigure", detail })

const change = (network: Network, asset: AssetId, changes: Partial<AssetState>): Answer => {
  network.assets[asset] = { ...network.assets[asset], ...changes }
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
  const pool = { ...network.assets[asset], ...changes }
  if (pool.price <= 0n || pool.price > maximumNativeAmount) {
    return impossible(`The price of ${asset} would be nothing, or more than there can be`)
  }
  return isPossible(reservesAt(asset, pool))
    ? change(network, asset, changes)
    : impossible(`The pool of ${asset} would hold more than there can be`)
}

const movePrice = (network: Network, { asset, bps }: Of<"MovePrice">): Answer =>
  changePool(network, asset, { price: network.assets[asset].price * BigInt(10_000 + bps) / 10_000n })

const setDepth = (network: Network, { asset, usdc }: Of<"SetDepth">): Answer =>
  changePool(network, asset, { depth: usdc })

const setAsset = (network: Network, { _tag, asset, ...changes }: Of<"SetAsset">): Answer => {
  if (changes.boostEnabled === true && asset !== boostedAsset) {
    return impossible(`Deposits of ${asset} cannot be boosted; those of btc.btc can`)
  }
  change(network, asset, changes)
  if (changes.depositEnabled === true) releaseHeldDeposits(network, asset)
  return done
}

const setSwaps = (network: Network, { enabled }: Of<"SetSwaps">): Answer => {
  network.swapsEnabled = enabled
  return done
}

const setMaintenance = (network: Network, { quoting, swapping }: Of<"SetMaintenance">): Answer => {
  network.quotingMaintenance = quoting ?? network.quotingMaintenance
  network.swappingMaintenance = swapping ?? network.swappingMaintenance
  return done
}

const rejectNextDeposit = (network: Network, { address }: Of<"RejectNextDeposit">): Answer => {
  const channel = network.channelsByAddress.get(address)
  if (channel === undefined) return Result.fail({ _tag: "UnknownAddress", address })
  channel.rejectsNextDeposit = true
  return done
}

const nextEgress = (network: Network, { asset, outcome }: Of<"NextEgress">): Answer => {
  network.plannedEgress.set(asset, [...network.plannedEgress.get(asset) ?? [], outcome])
  return done
}

/** All the bitcoins that there will ever be, in native units. */
const allBitcoins = 2_100_000_000_000_000n

const setBoostPool = (network: Network, { tierBps, available }: Of<"SetBoostPool">): Answer => {
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
}

const setFlip = ({ operator }: Network, { free }: Of<"SetFlip">): Answer => {
  operator.flip = operator.bond + free
  return done
}

const setOpeningFee = (network: Network, { chain, fee }: Of<"SetOpeningFee">): Answer => {
  network.openingFees[chain] = fee
  return done
}

const setWithdrawals = (network: Network, { enabled }: Of<"SetWithdrawals">): Answer => {
  network.withdrawalsEnabled = enabled
  return done
}

const setNode = (network: Network, { inSync }: Of<"SetNode">): Answer => {
  network.nodeInSync = inSync
  return done
}

const shiftEarned = (network: Network, { asset, difference }: Of<"ShiftEarned">): Answer => {
  const earned = balanceOf(network, brokerAccount, asset) + difference
  if (earned < 0n || earned > maximumNativeAmount) {
    return impossible(`The operator would have earned ${earned} of ${asset}, which no account can have`)
  }
  changeBalance(network, brokerAccount, asset, difference)
  return done
}

/** Carries out a control. It takes effect at once, but a new price or depth only from the next block on. */
export const applyControl = (network: Network, command: Command.Control): Answer =>
  Match.valueTags(command, {
    MovePrice: (move) => movePrice(network, move),
    SetDepth: (depth) => setDepth(network, depth),
    SetAsset: (asset) => setAsset(network, asset),
    SetSwaps: (swaps) => setSwaps(network, swaps),
    SetMaintenance: (maintenance) => setMaintenance(network, maintenance),
    RejectNextDeposit: (rejection) => rejectNextDeposit(network, rejection),
    NextEgress: (egress) => nextEgress(network, egress),
    SetBoostPool: (pool) => setBoostPool(network, pool),
    SetFlip: (flip) => setFlip(network, flip),
    SetOpeningFee: (fee) => setOpeningFee(network, fee),
    SetWithdrawals: (withdrawals) => setWithdrawals(network, withdrawals),
    SetNode: (node) => setNode(network, node),
    ShiftEarned: (shift) => shiftEarned(network, shift),
  })
