import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { EpochMillis } from "#domain/Time.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import { send } from "../../engine/sideNetworks.ts"
import { chainOfCode } from "../families.ts"
import {
  blockMillis,
  coinOf,
  dustOf,
  fromWire,
  mostChunks,
  outboundFee,
  shareInNative,
  simulate,
  toWire,
} from "./prices.ts"
import type { Ask, Outbound, Payment, Phase, Vaults } from "./State.ts"

/** Lets something happen at a time, or when the network makes blocks again. */
export const schedule = (vaults: Vaults, time: number, phase: Phase, happen: () => void): void =>
  scheduleAt(vaults, time, phase, () => {
    if (vaults.frozenAt === undefined) happen()
    else vaults.held.push(happen)
  })

const scheduleChunk = (vaults: Vaults, blocks: number, payment: Payment): void =>
  schedule(vaults, vaults.time + blocks * blockMillis, "swap", () => swapChunk(vaults, payment))

/** As nodes name transactions: hashes in capitals and without 0x; signatures as they are. */
export const idOf = (chain: Chain, reference: string): string =>
  chain === "Solana" ? reference : reference.replace(/^0x/, "").toUpperCase()

/** Blocks until what goes out is signed, as quotes say; a trap makes it the longest that there is (thorchain/wire.md 7). */
export const usualDelay = 20
const longestDelay = 720

/** What goes out, rounded down to the digits of its asset; nothing where it does not cover what sending costs. */
const outboundOf = (vaults: Vaults, asset: AssetId, to: string, gross: bigint, isRefund: boolean) => {
  const net = toWire(asset, fromWire(asset, gross - outboundFee(vaults, asset)))
  if (gross <= outboundFee(vaults, asset) || net <= dustOf(vaults, asset)) return []
  const chain = vaults.family.chains[chainOf(asset)] ?? chainOf(asset)
  return [{ chain, to, ...coinOf(vaults, asset), amount: net, isRefund }]
}

/** The share of an output, in the native coin, to the address that was named or to that of the name's owner. */
const shareFor = (vaults: Vaults, ask: Ask, share: bigint): ReadonlyArray<Outbound> => {
  const amount = shareInNative(vaults, ask.destinationAsset, share)
  const { nativeAsset, nativeChain } = vaults.family
  const prefix = `${nativeChain.toLowerCase()}1`
  const { affiliate = "" } = ask
  const to = affiliate.startsWith(prefix) ? affiliate : `${prefix}${affiliate}`
  return amount === 0n
    ? []
    : [{ chain: nativeChain, to, asset: nativeAsset, amount, isRefund: false, id: "0".repeat(64) }]
}

/** Plans the user's output, the operator's share and what goes back. What covers no fee is not planned. */
const conclude = (vaults: Vaults, payment: Payment): void => {
  const { ask, asset, returned, sender, swapped, trap } = payment
  const share = shareOf(swapped, ask?.affiliateBps ?? 0)
  payment.isSwapped = true
  payment.outbounds = [
    ...(ask === undefined ? [] : [
      ...outboundOf(vaults, ask.destinationAsset, ask.destination, swapped - share, false),
      ...shareFor(vaults, ask, share),
    ]),
    ...outboundOf(vaults, asset, ask?.refundAddress ?? sender, returned, true),
  ]
  if (payment.outbounds.every(({ id }) => id !== undefined)) return
  const blocks = trap === "longDelay" ? longestDelay : usualDelay
  payment.dueAt = EpochMillis.make(vaults.time + blocks * blockMillis)
  schedule(vaults, payment.dueAt, "sign", () => sign(vaults, payment))
}

const giveBack = (vaults: Vaults, payment: Payment): void => {
  payment.returned = payment.amount
  conclude(vaults, payment)
}

/** Whether a swap at once is worth its limit after all fees. */
const meetsLimit = (vaults: Vaults, ask: Ask, output: bigint): boolean => {
  const net = output - shareOf(output, ask.affiliateBps) - outboundFee(vaults, ask.destinationAsset)
  return net > 0n && net >= ask.limit
}

const swapAtOnce = (vaults: Vaults, payment: Payment, ask: Ask): void => {
  const isPartial = payment.trap === "partialFill"
  const input = isPartial ? payment.amount / 2n : payment.amount
  const { output } = simulate(vaults, payment.asset, ask.destinationAsset, input, 1)
  if (!isPartial && !meetsLimit(vaults, ask, output)) return giveBack(vaults, payment)
  payment.swapped = output
  payment.returned = payment.amount - input
  conclude(vaults, payment)
}

/** Swaps the next chunk, or leaves it for the refund where its part of the limit is not met. */
const swapChunk = (vaults: Vaults, payment: Payment): void => {
  const { amount, ask, asset, count, quantity } = payment
  if (ask?.streaming === undefined) return
  const chunk = amount / BigInt(quantity)
  const input = count === quantity - 1 ? amount - chunk * BigInt(quantity - 1) : chunk
  const { output } = simulate(vaults, asset, ask.destinationAsset, input, 1)
  const isLeft = output * amount < ask.limit * input || (payment.trap === "partialFill" && count % 2 === 1)
  if (isLeft) payment.returned += input
  else payment.swapped += output
  payment.count++
  if (payment.count < quantity) {
    return scheduleChunk(vaults, Math.max(1, ask.streaming.interval), payment)
  }
  conclude(vaults, payment)
}

export const isAtRest = ({ haltedChains, isPaused }: Vaults, chains: ReadonlyArray<Chain>): boolean =>
  isPaused || chains.some((chain) => haltedChains.has(chain))

/** The payment counts: it is swapped, in chunks or at once, or goes back. */
export const finalise = (vaults: Vaults, payment: Payment): void => {
  payment.isFinalised = true
  const { amount, ask, asset, chain, trap } = payment
  if (
    ask === undefined || trap === "refund" || ask.destinationAsset === asset ||
    isAtRest(vaults, [chain, chainOf(ask.destinationAsset)])
  ) return giveBack(vaults, payment)
  const { streaming } = ask
  const most = streaming === undefined ? 1 : mostChunks(vaults, asset, amount, streaming.interval)
  payment.quantity = streaming === undefined || streaming.quantity === 0
    ? most
    : Math.min(streaming.quantity, most)
  if (streaming === undefined || payment.quantity < 2) return swapAtOnce(vaults, payment, ask)
  scheduleChunk(vaults, 1, payment)
}

/** What goes out is signed and sent; it is seen when its chain has confirmed it. */
const sign = (vaults: Vaults, payment: Payment): void => {
  let seenAt: number = vaults.time
  for (const outbound of payment.outbounds) {
    const chain = chainOfCode(vaults.family, outbound.chain)
    if (outbound.id !== undefined || chain === undefined) continue
    const { confirmedAt, transactionReference } = send(vaults, chain)
    outbound.id = idOf(chain, transactionReference)
    seenAt = Math.max(seenAt, confirmedAt)
  }
  schedule(vaults, seenAt, "witness", () => {
    payment.isSeen = true
  })
}
