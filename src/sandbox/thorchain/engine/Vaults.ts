import { Result } from "effect"
import type { PaymentTrap } from "#api/SandboxVaults.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { Address } from "#domain/chains/Address.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { controlled, makeSideNetwork, send } from "../../engine/ledger.ts"
import { isAddressOn, vaultAddress } from "../../engine/identifiers.ts"
import type { Controlled, DepositSent, FeePaid, Network } from "../../engine/State.ts"
import { families, type Family, type FamilyName, findPooled, withAnnounced } from "../families.ts"
import type { PayVault, SetTrading } from "./Command.ts"
import { blockMillis, dustOf, finalise, idOf, schedule, toWire } from "./settlement.ts"
import { type Ask, type Payment, type PaymentRefusal, type Phase, phases, type Vaults } from "./State.ts"

/** A network of THORChain's family: payments to vaults on the engine's chains, at its prices and in its time. */
export type { Vaults } from "./State.ts"

export const make = (network: Network, name: FamilyName): Vaults => ({
  ...makeSideNetwork<Phase, PaymentTrap>(network, name, phases),
  family: families[name],
  payments: new Map(),
  haltedChains: new Set(families[name].resting),
  isPaused: false,
  frozenMillis: 0,
  held: [],
  churns: 0,
})

/** The vault of a chain after so many churns. */
export const vaultAfter = ({ name }: Family, chain: Chain, churns: number): Address =>
  vaultAddress(chain, `${name} vault ${churns}`)

/** Vaults are looked at until the churn after the one that replaced them. */
const isWatched = (vaults: Vaults, chain: Chain, address: string): boolean =>
  [vaults.churns, vaults.churns - 1].some((churns) => vaultAfter(vaults.family, chain, churns) === address)

export const wasVault = ({ churns, family }: Vaults, chain: Chain, address: string): boolean => {
  for (let age = 0; age <= churns; age++) {
    if (vaultAfter(family, chain, age) === address) return true
  }
  return false
}

/** The most that all shares together may take, in basis points. */
export const mostAffiliateBps = 1_000

/** Digits, or digits with an exponent: `161e6` is 161000000. */
const amountIn = (text: string): bigint | undefined => {
  const [, digits = "", exponent = "0"] = /^([0-9]{1,30})(?:e([0-9]{1,2}))?$/.exec(text) ?? []
  return digits === "" ? undefined : BigInt(digits) * 10n ** BigInt(exponent)
}

const streamingIn = (parts: ReadonlyArray<string>): Ask["streaming"] => {
  const [, interval, quantity] = parts
  return interval === undefined
    ? undefined
    : { interval: Number(interval), quantity: Number(quantity ?? "0") }
}

const commands = ["=", "s", "swap"]

/** What a memo asks the network for; undefined where the network cannot read it (thorchain/wire.md 3). */
const readAsk = (family: Family, memo: string): Ask | undefined => {
  const [command = "", asset = "", to = "", limits = "", affiliate = "", bps = "0"] = memo.split(":")
  const destinationAsset = findPooled(family, asset)
  const [destination = "", refundAddress] = to.split("/")
  const limitParts = limits.split("/")
  const limit = limits === "" ? 0n : amountIn(limitParts[0] ?? "")
  if (!commands.includes(command.toLowerCase()) || destinationAsset === undefined || limit === undefined) {
    return undefined
  }
  const affiliateBps = Number(bps)
  const isAddress = isAddressOn(chainOf(destinationAsset), destination)
  if (!isAddress || !Number.isInteger(affiliateBps) || affiliateBps > mostAffiliateBps) return undefined
  return {
    destinationAsset,
    destination,
    ...defined({ refundAddress, streaming: streamingIn(limitParts), affiliate: affiliate || undefined }),
    limit,
    affiliateBps: affiliate === "" ? 0 : affiliateBps,
  }
}

/** Sends money to a vault; the next block of its chain holds it. A vault that is not watched any more keeps it. */
export const payVault = (
  vaults: Vaults,
  { amount, asset, expiry, memo, sender, vault }: PayVault,
): Result.Result<DepositSent, PaymentRefusal> => {
  if (amount === 0n) return Result.fail({ _tag: "ZeroAmount" })
  if (expiry !== undefined && expiry * 1_000n <= BigInt(vaults.time)) {
    return Result.fail({ _tag: "CallExpired" })
  }
  const chain = chainOf(asset)
  const { confirmedAt, includedAt, transactionReference } = send(vaults, chain)
  const sent = Result.succeed<DepositSent>({ _tag: "DepositSent", transactionReference })
  const counted = toWire(asset, amount)
  if (!isWatched(vaults, chain, vault) || counted <= dustOf(vaults, asset)) return sent
  const trap = vaults.plannedTraps.shift()
  const ask = readAsk(vaults.family, memo)
  const payment: Payment = {
    id: idOf(chain, transactionReference),
    asset,
    chain,
    amount: counted,
    memo,
    vault,
    sender,
    ...defined({ ask, trap }),
    isObserved: false,
    isFinalised: false,
    quantity: 1,
    count: 0,
    isSwapped: false,
    swapped: 0n,
    returned: 0n,
    outbounds: [],
    isSeen: false,
  }
  vaults.payments.set(payment.id, payment)
  schedule(vaults, includedAt, "observe", () => {
    payment.isObserved = true
  })
  schedule(vaults, confirmedAt, "finalise", () => finalise(vaults, payment))
  return sent
}

/** The network makes blocks again: all that waited happens now. */
const thaw = (vaults: Vaults, frozenAt: EpochMillis): void => {
  vaults.frozenMillis += vaults.time - frozenAt
  vaults.frozenAt = undefined
  for (const happen of vaults.held.splice(0)) happen()
}

/** Halts a chain, all trading or the network itself, or lets it go on. */
export const setTrading = (
  vaults: Vaults,
  { chain, isChainHalted, isFrozen, isPaused }: SetTrading,
): Result.Result<Controlled> => {
  if (chain !== undefined && isChainHalted === true) vaults.haltedChains.add(chain)
  if (chain !== undefined && isChainHalted === false) {
    vaults.haltedChains.delete(chain)
    vaults.family = withAnnounced(vaults.family, chain)
  }
  vaults.isPaused = isPaused ?? vaults.isPaused
  if (isFrozen === true) vaults.frozenAt ??= vaults.time
  if (isFrozen === false && vaults.frozenAt !== undefined) thaw(vaults, vaults.frozenAt)
  return controlled
}

export const churnVaults = (vaults: Vaults): Result.Result<Controlled> => {
  vaults.churns++
  return controlled
}

export const heightOf = ({ family, frozenAt, frozenMillis, network, time }: Vaults): number =>
  family.firstHeight + Math.floor(((frozenAt ?? time) - network.genesis - frozenMillis) / blockMillis)

/** The payment with this hash, in capitals and without 0x, once a node has seen it. */
export const findPayment = ({ payments }: Vaults, id: string): Payment | undefined => {
  const payment = payments.get(id)
  return payment?.isObserved === true ? payment : undefined
}

/** The shares of affiliates that were paid, in the native coin. */
export const feesPaid = ({ family: { nativeAsset }, payments }: Vaults): ReadonlyArray<FeePaid> =>
  Array.from(payments.values()).flatMap(({ outbounds }) =>
    outbounds.flatMap(({ amount, asset, to }) =>
      asset === nativeAsset ? [{ account: to, asset, amount }] : []
    )
  )
