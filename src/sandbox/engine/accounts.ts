import { bytesToHex } from "@noble/hashes/utils.js"
import type { BrokerAccount } from "#domain/chains/Address.ts"
import type { Holding } from "#domain/operations/Treasury.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { brokerAccount, extrinsicFee, intermediateAsset } from "./figures.ts"
import { digest } from "./identifiers.ts"
import { type FundsRefusal, moduleError } from "./Refusal.ts"
import type { ChannelTerms, Network } from "./State.ts"

/** The accounts of the state chain: what they have earned, and the FLIP that the operator pays with. */

export const balanceOf = (network: Network, account: BrokerAccount, asset: AssetId): bigint =>
  network.balances.get(account)?.get(asset) ?? 0n

/** Changes what an account has of an asset by this much, up or down. */
export const changeBalance = (
  network: Network,
  account: BrokerAccount,
  asset: AssetId,
  difference: bigint,
): void => {
  const balances = network.balances.get(account) ?? new Map<AssetId, bigint>()
  balances.set(asset, (balances.get(asset) ?? 0n) + difference)
  network.balances.set(account, balances)
}

export const holdingsOf = (network: Network, account: BrokerAccount): ReadonlyArray<Holding> =>
  Array.from(network.balances.get(account) ?? []).flatMap(([asset, amount]) =>
    amount === 0n ? [] : [{ asset, amount: NativeAmount.make(amount) }]
  )

const beneficiariesOf = ({ affiliates, brokerCommissionBps }: ChannelTerms) => [
  { account: brokerAccount, commissionBps: brokerCommissionBps },
  ...affiliates,
]

/** The commission of all beneficiaries together: the sum of their shares, each of which is rounded down. */
export const commissionShared = (terms: ChannelTerms, usdc: bigint): bigint =>
  beneficiariesOf(terms).reduce((sum, { commissionBps }) => sum + shareOf(usdc, commissionBps), 0n)

export const creditCommission = (network: Network, terms: ChannelTerms, usdc: bigint): void => {
  for (const { account, commissionBps } of beneficiariesOf(terms)) {
    const share = shareOf(usdc, commissionBps)
    if (share > 0n) changeBalance(network, account, intermediateAsset, share)
  }
}

export const freeFlip = ({ operator }: Network): bigint => operator.flip - operator.bond

/** Why the operator cannot pay for a transaction on the state chain that itself costs this much more. */
export const fundsRefusal = (network: Network, price = 0n): FundsRefusal | undefined => {
  const free = freeFlip(network)
  if (free < extrinsicFee) return { _tag: "CannotPayFees" }
  return free < extrinsicFee + price ? moduleError("InsufficientLiquidity") : undefined
}

/** Sends a transaction of the operator's, which pays for it and for what it does. Its hash is returned. */
export const submitExtrinsic = (network: Network, price = 0n): string => {
  network.operator.flip -= extrinsicFee + price
  return `0x${bytesToHex(digest(network.seed, "extrinsic", ++network.extrinsicCount))}`
}
