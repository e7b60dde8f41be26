import { Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { Bps } from "#domain/money/Bps.ts"
import { fundsRefusal, submitExtrinsic } from "./accounts.ts"
import type { BindAddress, SetMinimumFee } from "./Command.ts"
import { brokerBond, firstFlip, maximumCommissionBps } from "./figures.ts"
import { isAddressOn } from "./identifiers.ts"
import { moduleError, type OperatorRefusal } from "./Refusal.ts"
import type { Network, Operator } from "./State.ts"

/** The operator's account at the start: funded, and with a private channel, so that payloads can be made. */
export const firstOperator = (): Operator => ({
  flip: firstFlip,
  bond: brokerBond,
  privateChannel: 1,
  privateChannelCount: 1,
  minimumVaultFeeBps: Bps.make(0),
})

/** The first of these refusals, or else a transaction that is sent; its hash is returned. */
const submit = (
  network: Network,
  refusal: OperatorRefusal | undefined,
): Result.Result<string, OperatorRefusal> => {
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

/** Sets the least commission of the operator's own in a vault swap. */
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
