import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { type Chain, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { EpochMillis } from "#domain/Time.ts"
import { scheduleAt } from "../../engine/EventQueue.ts"
import { send } from "../../engine/ledger.ts"
import { chainOfCode, nameOf, pooledAssets } from "../families.ts"
import type { Ask, Outbound, Payment, Phase, Vaults } from "./State.ts"
import { amountWorth, valueOf } from "../../engine/pools.ts"
import { recordedVault } from "../answers.ts"
import { assetState } from "../../engine/figures.ts"

/** Lets something happen at a time, or when the network makes blocks again. */
export const schedule = (vaults: Vaults, time: number, phase: Phase, happen: () => void): void =>
  scheduleAt(vaults, time, phase, () => {
    if (vaults.frozenAt === undefined) happen()
    else vaults.held.push(happen)
  })

/** Amounts count 1e-8 of a whole unit (thorchain/wire.md 2). */
const wireDecimals = 8

const power = (exponent: number): bigint => 10n ** BigInt(exponent)

/** What the network counts of native units. */
export const toWire = (asset: AssetId, native: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals
    ? native * power(wireDecimals - decimals)
    : native / power(decimals - wireDecimals)
}

/** Native units of what the network counts, rounded down. */
const fromWire = (asset: AssetId, wire: bigint): bigint => {
  const { decimals } = factsOf(asset)
  return decimals <= wireDecimals
    ? wire / power(wireDecimals - decimals)
    : wire * power(decimals - wireDecimals)
}

/** Native usdc.eth of a million dollars. */
const million = 1_000_000_000_000n

/** A pool at the reference price of its asset: arbitrage brings it there before each block. */
export const reservesOf = ({ family, network }: Vaults, asset: AssetId) => {
  const depth = (family.depths[asset] ?? 0n) * million
  return {
    asset: toWire(asset, amountWorth(network, asset, depth)),
    native: depth * power(family.nativeDigits) / family.nativePrice,
  }
}

/** The output of one side of a pool: the swap itself pays its slip. */
const swapOne = (input: bigint, from: bigint, to: bigint): bigint =>
  from === 0n ? 0n : input * from * to / ((input + from) * (input + from))

/** A swap through both pools, in so many equal chunks of which each finds the pools as the first did, and its slip. */
export const simulate = (vaults: Vaults, from: AssetId, to: AssetId, amount: bigint, quantity: number) => {
  const source = reservesOf(vaults, from)
  const destination = reservesOf(vaults, to)
  const chunk = amount / BigInt(quantity)
  const one = swapOne(swapOne(chunk, source.asset, source.native), destination.native, destination.asset)
  const output = one * BigInt(quantity)
  const even = source.asset * destination.native === 0n
    ? 0n
    : amount * source.native * destination.asset / (source.asset * destination.native)
  return { output, liquidityFee: even > output ? even - output : 0n }
}

/** What the network charges for sending an asset, which the recipient pays. */
export const outboundFee = ({ network }: Vaults, asset: AssetId): bigint =>
  toWire(asset, assetState(network, asset).egressFee) + 1n

/** The coin of a chain, in which its payments cost what they cost: each chain of a network has a pool of it. */
const coinOfChain = ({ family }: Vaults, chain: Chain): AssetId => {
  const found = pooledAssets(family).find((asset) =>
    factsOf(asset).chain === chain && factsOf(asset).contractAddress === undefined
  )
  if (found === undefined) throw new Error(`${family.name} has no pool of the coin of ${chain}`)
  return found
}

/** The worth of an amount of one asset in another, at the reference prices. */
const converted = ({ network }: Vaults, amount: bigint, from: AssetId, to: AssetId): bigint =>
  toWire(to, amountWorth(network, to, valueOf(network, from, fromWire(from, amount))))

/** Four times what sending costs on either side, so that a refund can be paid (thorchain/wire.md 5). */
export const recommendedMinimum = (vaults: Vaults, from: AssetId, to: AssetId): bigint => {
  const back = outboundFee(vaults, from)
  const out = converted(vaults, outboundFee(vaults, to), to, from)
  return 4n * (back > out ? back : out)
}

/** The largest payment on a chain that the network does not see: it is neither swapped nor sent back. */
export const dustOf = ({ family }: Vaults, asset: AssetId): bigint =>
  recordedVault(family, chainOf(asset)).dust_threshold

/** The worth of a chunk below which more of them would gain nothing, in native usdc.eth. */
const leastChunkValue = 2_000_000_000n

const mostSwapBlocks = 14_400

/** How many chunks the network makes of an amount at most. */
export const mostChunks = (vaults: Vaults, from: AssetId, amount: bigint, interval: number): number => {
  const value = valueOf(vaults.network, from, fromWire(from, amount))
  const byValue = Number(value / leastChunkValue)
  const byTime = Math.floor(mostSwapBlocks / Math.max(1, interval))
  return Math.max(1, Math.min(byValue, byTime))
}

/** The operator's share of an output, in the native coin. */
export const shareInNative = (vaults: Vaults, asset: AssetId, amount: bigint): bigint => {
  const { asset: held, native } = reservesOf(vaults, asset)
  return held === 0n ? 0n : amount * native / held
}

export const blockMillis = stateChainBlockMillis

/** What a payment on a chain costs its sender, about as much as the network pays. */
export const gasCoin = (vaults: Vaults, chain: Chain) => {
  const coin = coinOfChain(vaults, chain)
  return { ...coinOf(vaults, coin), amount: outboundFee(vaults, coin) }
}

/** The name of an asset, and how many digits it has where they are fewer than the network's. */
export const coinOf = ({ family }: Vaults, asset: AssetId) => {
  const { decimals } = factsOf(asset)
  return { asset: nameOf(family, asset), ...(decimals < wireDecimals ? { decimals } : {}) }
}

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
