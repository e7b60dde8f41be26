import { blake2b } from "@noble/hashes/blake2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { Address, BrokerAccount, checkBrokerAccount } from "#domain/chains/Address.ts"
import { decodeSs58, encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { balanceOf, fundsRefusal, submitExtrinsic } from "./accounts.ts"
import type { AddAffiliate, RegisterAffiliate, RemoveAffiliate } from "./Command.ts"
import { accountPrefix, brokerAccount, intermediateAsset, maximumAffiliatesOfBroker } from "./figures.ts"
import { isAddressOn, vaultAddress } from "./identifiers.ts"
import { type AffiliateRefusal, moduleError, type OperatorRefusal } from "./Refusal.ts"
import type { Affiliate, Network } from "./State.ts"

export const affiliateOf = (network: Network, account: string): Affiliate | undefined =>
  Array.from(network.affiliates.values()).find((affiliate) => affiliate.account === account)

/** The lowest short id that is not taken; undefined when every byte stands for an affiliate. */
const freeShortId = ({ affiliates }: Network): number | undefined =>
  Array.from({ length: maximumAffiliatesOfBroker }, (_, id) => id).find((id) => !affiliates.has(id))

/** The account of a short id, which follows from the broker's own (chainflip/wire.md 2.7). */
const accountOf = (shortId: number): BrokerAccount => {
  const broker = Result.getOrThrow(decodeSs58(brokerAccount)).publicKey
  const name = concatBytes(utf8ToBytes("chainflip/affiliate"), broker, Uint8Array.of(shortId))
  return BrokerAccount.make(encodeSs58(accountPrefix, blake2b(name, { dkLen: 32 })))
}

const add = (network: Network, affiliate: Affiliate): Affiliate => {
  network.affiliates.set(affiliate.shortId, affiliate)
  return affiliate
}

/** Registers an affiliate, whose account is new, and whose share is paid to this address. */
export const addAffiliate = (
  network: Network,
  { withdrawalAddress }: AddAffiliate,
): Result.Result<Affiliate, OperatorRefusal> => {
  if (!isAddressOn("Ethereum", withdrawalAddress)) {
    return Result.fail({ _tag: "InvalidAddress", address: withdrawalAddress })
  }
  const shortId = freeShortId(network)
  if (shortId === undefined) return Result.fail(moduleError("AffiliateShortIdOutOfBounds"))
  const unpaid = fundsRefusal(network)
  if (unpaid !== undefined) return Result.fail(unpaid)
  submitExtrinsic(network)
  return Result.succeed(add(network, {
    account: accountOf(shortId),
    shortId,
    withdrawalAddress: Address.make(withdrawalAddress),
  }))
}

/** Removes an affiliate that has withdrawn what it earned. Its short id is free again. */
export const removeAffiliate = (
  network: Network,
  { account }: RemoveAffiliate,
): Result.Result<Affiliate, OperatorRefusal> => {
  const affiliate = affiliateOf(network, account)
  if (affiliate === undefined) return Result.fail(moduleError("AffiliateNotRegisteredForBroker"))
  if (balanceOf(network, affiliate.account, intermediateAsset) > 0n) {
    return Result.fail(moduleError("AffiliateEarnedFeesNotWithdrawn"))
  }
  const unpaid = fundsRefusal(network)
  if (unpaid !== undefined) return Result.fail(unpaid)
  submitExtrinsic(network)
  network.affiliates.delete(affiliate.shortId)
  return Result.succeed(affiliate)
}

/** Registers an account that a payload names; a known one keeps its short ID. Its share cannot be withdrawn. */
export const registerAffiliate = (
  network: Network,
  { account }: RegisterAffiliate,
): Result.Result<Affiliate, AffiliateRefusal> => {
  const known = affiliateOf(network, account)
  if (known !== undefined) return Result.succeed(known)
  if (Result.isFailure(checkBrokerAccount(accountPrefix, account))) {
    return Result.fail({ _tag: "InvalidAffiliateAccount", account })
  }
  const shortId = freeShortId(network)
  return shortId === undefined ? Result.fail({ _tag: "TooManyAffiliates" }) : Result.succeed(add(network, {
    account: BrokerAccount.make(account),
    shortId,
    withdrawalAddress: vaultAddress("Ethereum"),
  }))
}
