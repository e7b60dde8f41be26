import { Result } from "effect"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { balanceOf, changeBalance, fundsRefusal, submitExtrinsic } from "./accounts.ts"
import { affiliateOf } from "./affiliates.ts"
import { egressFee, saturatingSubtract } from "./chunks.ts"
import type { WithdrawAffiliate, WithdrawFees } from "./Command.ts"
import { isAboveDust, pay } from "./egress.ts"
import { brokerAccount, intermediateAsset } from "./figures.ts"
import { isAddressOn } from "./identifiers.ts"
import { moduleError, type OperatorRefusal } from "./Refusal.ts"
import type { Network, Withdrawal } from "./State.ts"

/** The withdrawal of everything that an account has earned in an asset. */
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
