import { blake2b } from "@noble/hashes/blake2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { Address, BrokerAccount, checkBrokerAccount } from "#domain/chains/Address.ts"
import { decodeSs58, encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, shareOf } from "#domain/money/Bps.ts"
import type { Holding } from "#domain/operations/Treasury.ts"
import type * as Command from "./Command.ts"
import { type AffiliateRefusal, type FundsRefusal, moduleError, type OperatorRefusal } from "./Refusal.ts"
import type { Affiliate, ChannelTerms, Network, Operator, Withdrawal } from "./State.ts"
import { egressFee, saturatingSubtract } from "./pools.ts"
import { isAboveDust, pay } from "./egress.ts"
import * as Figures from "./figures.ts"
import { digest, isAddressOn, vaultAddress } from "./identifiers.ts"

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
  { account: Figures.brokerAccount, commissionBps: brokerCommissionBps },
  ...affiliates,
]

/** The commission of all beneficiaries together: the sum of their shares, each of which is rounded down. */
export const commissionShared = (terms: ChannelTerms, usdc: bigint): bigint =>
  beneficiariesOf(terms).reduce((sum, { commissionBps }) => sum + shareOf(usdc, commissionBps), 0n)

export const creditCommission = (network: Network, terms: ChannelTerms, usdc: bigint): void => {
  for (const { account, commissionBps } of beneficiariesOf(terms)) {
    const share = shareOf(usdc, commissionBps)
    if (share > 0n) changeBalance(network, account, Figures.intermediateAsset, share)
  }
}

export const freeFlip = ({ operator }: Network): bigint => operator.flip - operator.bond

/** Why the operator cannot pay for a transaction on the state chain that itself costs this much more. */
export const fundsRefusal = (network: Network, price = 0n): FundsRefusal | undefined => {
  const free = freeFlip(network)
  if (free < Figures.extrinsicFee) return { _tag: "CannotPayFees" }
  return free < Figures.extrinsicFee + price ? moduleError("InsufficientLiquidity") : undefined
}

/** Sends a transaction of the operator's, which pays for it and for what it does. Its hash is returned. */
export const submitExtrinsic = (network: Network, price = 0n): string => {
  network.operator.flip -= Figures.extrinsicFee + price
  return `0x${bytesToHex(digest(network.seed, "extrinsic", ++network.extrinsicCount))}`
}

/** The operator's account at the start: funded, and with a private channel, so that payloads can be made. */
export const firstOperator = (): Operator => ({
  flip: Figures.firstFlip,
  bond: Figures.brokerBond,
  privateChannel: 1,
  privateChannelCount: 1,
  minimumVaultFeeBps: Bps.make(0),
})

/** The first of these refusals, or else a transaction that is sent; its hash is returned. */
const submit = (network: Network, refusal?: OperatorRefusal) => {
  const found = refusal ?? fundsRefusal(network)
  return found === undefined ? Result.succeed(submitExtrinsic(network)) : Result.fail(found)
}

/** Opens the private channel, which locks the bond. Its number is returned. */
export const openPrivateChannel = (network: Network): Result.Result<number, OperatorRefusal> => {
  const { operator } = network
  const refusal = operator.privateChannel !== undefined
    ? moduleError("PrivateChannelExistsForBroker")
    : operator.flip < Figures.brokerBond
    ? moduleError("InsufficientFunds")
    : undefined
  return Result.map(submit(network, refusal), () => {
    operator.privateChannel = ++operator.privateChannelCount
    operator.bond = operator.flip < Figures.brokerBond ? operator.flip : Figures.brokerBond
    return operator.privateChannel
  })
}

/** Closes the private channel, which frees the bond. Its number is returned. */
export const closePrivateChannel = (network: Network): Result.Result<number, OperatorRefusal> => {
  const { operator } = network
  const number = operator.privateChannel
  if (number === undefined) return Result.fail(moduleError("NoPrivateChannelExistsForBroker"))
  return Result.map(submit(network), () => {
    delete operator.privateChannel
    operator.bond = 0n
    return number
  })
}

/** Binds withdrawals of assets on Ethereum to an address, once and for ever. */
export const bindAddress = (
  network: Network,
  { address }: Command.BindAddress,
): Result.Result<string, OperatorRefusal> => {
  const refusal: OperatorRefusal | undefined = !isAddressOn("Ethereum", address)
    ? { _tag: "InvalidAddress", address }
    : network.operator.boundAddress !== undefined
    ? moduleError("BrokerAlreadyBound")
    : undefined
  return Result.map(submit(network, refusal), (hash) => {
    network.operator.boundAddress = Address.make(address)
    return hash
  })
}

export const setMinimumFee = (
  network: Network,
  { bps }: Command.SetMinimumFee,
): Result.Result<string, OperatorRefusal> => {
  const refusal = bps > Figures.maximumCommissionBps ? moduleError("BrokerCommissionBpsTooHigh") : undefined
  return Result.map(submit(network, refusal), (hash) => {
    network.operator.minimumVaultFeeBps = Bps.make(bps)
    return hash
  })
}

interface Order {
  readonly account: BrokerAccount
  readonly asset: AssetId
  readonly destination: Address
}

/** Why an account cannot withdraw, by the rules of the state chain in their order (chainflip/wire.md 2.7). */
const refusalOf = (network: Network, { account, asset, destination }: Order): OperatorRefusal | undefined => {
  const { boundAddress } = network.operator
  if (!network.withdrawalsEnabled) return moduleError("WithdrawalsDisabled")
  if (balanceOf(network, account, asset) === 0n) return moduleError("NoFundsAvailable")
  const elsewhere = boundAddress !== undefined && destination.toLowerCase() !== boundAddress.toLowerCase()
  if (account === Figures.brokerAccount && chainOf(asset) === "Ethereum" && elsewhere) {
    return moduleError("DestinationNotAllowed")
  }
  const amount = saturatingSubtract(balanceOf(network, account, asset), egressFee(network, asset))
  if (!isAboveDust(network, asset, amount)) {
    return moduleError("BelowEgressDustLimit", `${chainOf(asset)}IngressEgress`)
  }
  return fundsRefusal(network)
}

/** Takes the whole balance, and orders its payment less the egress fee. */
const order = (network: Network, wanted: Order): Result.Result<Withdrawal, OperatorRefusal> => {
  const refusal = refusalOf(network, wanted)
  if (refusal !== undefined) return Result.fail(refusal)
  const { account, asset, destination } = wanted
  const transactionHash = submitExtrinsic(network)
  const earned = balanceOf(network, account, asset)
  changeBalance(network, account, asset, -earned)
  const fee = egressFee(network, asset)
  const withdrawal: Withdrawal = {
    account,
    transactionHash,
    fee: NativeAmount.make(fee),
    payment: pay(network, { kind: "withdrawal", asset, destination, amount: earned - fee }),
  }
  network.withdrawals.push(withdrawal)
  return Result.succeed(withdrawal)
}

/** Pays the operator's whole earnings in an asset to an address of its chain. */
export const withdrawFees = (
  network: Network,
  { asset, destination }: Command.WithdrawFees,
): Result.Result<Withdrawal, OperatorRefusal> =>
  isAddressOn(chainOf(asset), destination)
    ? order(network, { account: Figures.brokerAccount, asset, destination: Address.make(destination) })
    : Result.fail({ _tag: "InvalidAddress", address: destination })

/** Pays an affiliate's whole earnings to its registered address. Affiliates earn in USDC only. */
export const withdrawAffiliate = (
  network: Network,
  { account }: Command.WithdrawAffiliate,
): Result.Result<Withdrawal, OperatorRefusal> => {
  const affiliate = affiliateOf(network, account)
  return affiliate === undefined
    ? Result.fail(moduleError("AffiliateNotRegisteredForBroker"))
    : order(network, {
      account: affiliate.account,
      asset: Figures.intermediateAsset,
      destination: affiliate.withdrawalAddress,
    })
}

export const affiliateOf = (network: Network, account: string): Affiliate | undefined =>
  Array.from(network.affiliates.values()).find((affiliate) => affiliate.account === account)

/** The lowest short id that is not taken; undefined when every byte stands for an affiliate. */
const freeShortId = ({ affiliates }: Network): number | undefined =>
  Array.from({ length: Figures.maximumAffiliatesOfBroker }, (_, id) => id).find((id) => !affiliates.has(id))

/** The account of a short id, which follows from the broker's own (chainflip/wire.md 2.7). */
const accountOf = (shortId: number): BrokerAccount => {
  const broker = Result.getOrThrow(decodeSs58(Figures.brokerAccount)).publicKey
  const name = concatBytes(utf8ToBytes("chainflip/affiliate"), broker, Uint8Array.of(shortId))
  return BrokerAccount.make(encodeSs58(Figures.accountPrefix, blake2b(name, { dkLen: 32 })))
}

const add = (network: Network, affiliate: Affiliate): Affiliate => {
  network.affiliates.set(affiliate.shortId, affiliate)
  return affiliate
}

/** Registers an affiliate, whose account is new, and whose share is paid to this address. */
export const addAffiliate = (
  network: Network,
  { withdrawalAddress }: Command.AddAffiliate,
): Result.Result<Affiliate, OperatorRefusal> => {
  if (!isAddressOn("Ethereum", withdrawalAddress)) {
    return Result.fail({ _tag: "InvalidAddress", address: withdrawalAddress })
  }
  const shortId = freeShortId(network)
  if (shortId === undefined) return Result.fail(moduleError("AffiliateShortIdOutOfBounds"))
  return Result.map(submit(network), () =>
    add(network, {
      account: accountOf(shortId),
      shortId,
      withdrawalAddress: Address.make(withdrawalAddress),
    }))
}

/** Removes an affiliate that has withdrawn what it earned. Its short id is free again. */
export const removeAffiliate = (
  network: Network,
  { account }: Command.RemoveAffiliate,
): Result.Result<Affiliate, OperatorRefusal> => {
  const affiliate = affiliateOf(network, account)
  if (affiliate === undefined) return Result.fail(moduleError("AffiliateNotRegisteredForBroker"))
  if (balanceOf(network, affiliate.account, Figures.intermediateAsset) > 0n) {
    return Result.fail(moduleError("AffiliateEarnedFeesNotWithdrawn"))
  }
  return Result.map(submit(network), () => {
    network.affiliates.delete(affiliate.shortId)
    return affiliate
  })
}

/** Registers an account that a payload names; a known one keeps its short ID. Its share cannot be withdrawn. */
export const registerAffiliate = (
  network: Network,
  { account }: Command.RegisterAffiliate,
): Result.Result<Affiliate, AffiliateRefusal> => {
  const known = affiliateOf(network, account)
  if (known !== undefined) return Result.succeed(known)
  if (Result.isFailure(checkBrokerAccount(Figures.accountPrefix, account))) {
    return Result.fail({ _tag: "InvalidAffiliateAccount", account })
  }
  const shortId = freeShortId(network)
  return shortId === undefined ? Result.fail({ _tag: "TooManyAffiliates" }) : Result.succeed(add(network, {
    account: BrokerAccount.make(account),
    shortId,
    withdrawalAddress: vaultAddress("Ethereum"),
  }))
}
