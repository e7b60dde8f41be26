import { Option, Result } from "effect"
import { type BrokerAccount, checkBrokerAccount } from "#domain/chains/Address.ts"
import {
  EgressBelowMinimum,
  MalformedBody,
  type ProviderErrorReason,
  SwappingMaintenance,
} from "#domain/ProviderError.ts"
import { refused } from "../upstream/failures.ts"
import { findModuleError } from "./brokerErrors.ts"
import { type RpcError, unclassified } from "./errors.ts"
import { brokerAccountPrefix } from "./settings.ts"

export const readAccount = (path: string, text: string): Result.Result<BrokerAccount, MalformedBody> =>
  Result.mapError(
    checkBrokerAccount(brokerAccountPrefix, text),
    (sentence) => new MalformedBody({ detail: `${path}: ${sentence}`, reached: true }),
  )

/** The errors of transactions of the operator's account (chainflip/wire.md 2.7): nothing was done. */

const tooLittleFlip = refused("provider", "has too little FLIP on its account for a transaction")

const reasons: Readonly<Record<string, ProviderErrorReason>> = {
  WithdrawalsDisabled: new SwappingMaintenance({
    detail: "The network's safe mode has withdrawals switched off now",
  }),
  NoFundsAvailable: refused("asset", "has nothing to withdraw"),
  DestinationNotAllowed: refused("destination", "is not the address that the account is bound to"),
  InvalidEgressAddress: refused("destination", "is not an address that the network pays to"),
  InvalidDestinationAddress: refused("destination", "is not an address that the network pays to"),
  IncompatibleAssetAndAddress: refused("destination", "is not an address of the asset's chain"),
  BelowEgressDustLimit: new EgressBelowMinimum({
    detail: "Less than the network pays out would be left after the egress fee",
  }),
  AffiliateNotRegisteredForBroker: refused("affiliate", "is not registered by this account"),
  AffiliateShortIdOutOfBounds: refused(
    "affiliate",
    "would be more than the 256 that an account can register",
  ),
  InsufficientLiquidity: tooLittleFlip,
  InsufficientFunds: tooLittleFlip,
}

const invalidTransaction = /transaction is invalid|inability to pay some fees/i
const badAddress = /pars.*address|address.*(?:pars|decod|invalid)/i

/** The meaning of an error reply to an order. Unknown errors leave open whether the order is in a block. */
export const orderReason = (error: RpcError): ProviderErrorReason => {
  const name = Option.getOrUndefined(findModuleError(error.message))?.name
  if (name !== undefined && Object.hasOwn(reasons, name)) {
    return reasons[name] ?? unclassified("broker", error)
  }
  if (invalidTransaction.test(error.message)) return tooLittleFlip
  if (error.code === invalidParams || badAddress.test(error.message)) {
    return refused("destination", "is not an address that the network can read")
  }
  return unclassified("broker", error)
}

/** The code of parameters that the broker could not read, and so did not act on. */
const invalidParams = -32602
