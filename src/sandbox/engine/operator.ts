import { Result } from "effect"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { BindAddress, SetMinimumFee, WithdrawAffiliate, WithdrawFees } from "./Command.ts"
import { moduleError, type OperatorRefusal } from "./Refusal.ts"
import type { Network, Operator, Withdrawal } from "./State.ts"
import { balanceOf, changeBalance, fundsRefusal, submitExtrinsic } from "./accounts.ts"
import { affiliateOf } from "./affiliates.ts"
import { egressFee, saturatingSubtract } from "./rate.ts"
import { isAboveDust, pay } from "./egress.ts"
import { brokerAccount, brokerBond, firstFlip, intermediateAsset, maximumCommissionBps } from "./figures.ts"
import { isAddressOn } from "./identifiers.ts"

/** The operator's account at the start: funded, and with a private channel, so that payloads can be made. */
export const firstOperator = (): Operator => ({
  flip: firstFlip,
  bond: brokerBond,
  privateChannel: 1,
  privateChannelCount: 1,
  minimumVaultFeeBps: Bps.make(0),
})

/** The first of these refusals, or else a transaction that is sent; its hash is returned. */
const submit = (network: Network, refusal: OperatorRefusal | undefined) => {
  const found = refusal ?? fundsRefusal(network)
  return found === undefined ? Result.succeed(submitExtrinsic(network)) : Result.fail(found)
}

/** Opens the private channel, which locks the bond. Its number is returned. */
export const openPrivateChannel = (network: Network): Result.Result<number, OperatorRefusal> => {
  const { operator } = network
  const refusal = operator.privateChannel !== undefined
    ? moduleError("PrivateChannelExistsForBroker")
    : operator.flip < brokerBond
    ? moduleError("InsufficientFunds")
    : undefined
  return Result.map(submit(network, refusal), () => {
    operator.privateChannel = ++operator.privateChannelCount
    operator.bond = operator.flip < brokerBond ? operator.flip : brokerBond
    return operator.privateChannel
  })
}

/** Closes the private channel, which frees the bond. Its number is returned. */
export const closePrivateChannel = (network: Network): Result.Result<number, OperatorRefusal> => {
  const { operator } = network
  const number = operator.privateChannel
  if (number === undefined) return Result.fail(moduleError("NoPrivateChannelExistsForBroker"))
  return Result.map(submit(network, undefined), () => {
    delete operator.privateChannel
    operator.bond = 0n
    return number
  })
}

/** Binds withdrawals of assets on Ethereum to an address, once and for ever. */
export const bindAddress = (
  network: Network,
  { address }: BindAddress,
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
  { bps }: SetMinimumFee,
): Result.Result<string, OperatorRefusal> => {
  const refusal = bps > maximumCommissionBps ? moduleError("BrokerCommissionBpsTooHigh") : undefined
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
  if (account === brokerAccount && chainOf(asset) === "Ethereum" && elsewhere) {
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
  { asset, destination }: WithdrawFees,
): Result.Result<Withdrawal, OperatorRefusal> =>
  isAddressOn(chainOf(asset), destination)
    ? order(network, { account: brokerAccount, asset, destination: Address.make(destination) })
    : Result.fail({ _tag: "InvalidAddress", address: destination })

/** Pays an affiliate's whole earnings to its registered address. Affiliates earn in USDC only. */
export const withdrawAffiliate = (
  network: Network,
  { account }: WithdrawAffiliate,
): Result.Result<Withdrawal, OperatorRefusal> => {
  const affiliate = affiliateOf(network, account)
  return affiliate === undefined
    ? Result.fail(moduleError("AffiliateNotRegisteredForBroker"))
    : order(network, {
      account: affiliate.account,
      asset: intermediateAsset,
      destination: affiliate.withdrawalAddress,
    })
}
