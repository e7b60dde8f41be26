import { Match, Result, Schema } from "effect"
import type { EpochMillis } from "../domain/Time.ts"
import { Command, type Control, type Deposit } from "./engine/Command.ts"
import type { Controlled, DepositSent } from "./engine/View.ts"
import type { ControlRefusal, DepositRefusal } from "./engine/Refusal.ts"
import { addAffiliate, registerAffiliate, removeAffiliate } from "./engine/affiliates.ts"
import { openChannel } from "./engine/channels.ts"
import { passTime } from "./engine/EventQueue.ts"
import { planTrap } from "./engine/guests.ts"
import { bindAddress, closePrivateChannel, openPrivateChannel, setMinimumFee } from "./engine/operator.ts"
import { sendVaultSwap } from "./engine/vaultSwaps.ts"
import { withdrawAffiliate, withdrawFees } from "./engine/withdrawals.ts"
import { depositToChannel, sendUnseen } from "./engine/deposits.ts"
import { applyControl } from "./engine/controls.ts"
import * as Network from "./engine/Network.ts"
import { IntentsCommand, type PlanOrder } from "./near-intents/engine/Command.ts"
import { depositToOrder, submitDeposit } from "./near-intents/engine/deposits.ts"
import { openOrder } from "./near-intents/engine/orders.ts"
import * as Intents from "./near-intents/engine/Intents.ts"
import { type PlanRequest, RelayCommand, type SetChain } from "./relay/engine/Command.ts"
import * as Relay from "./relay/engine/Relay.ts"
import { openRequest } from "./relay/engine/requests.ts"
import { depositToRequest } from "./relay/engine/settlement.ts"
import {
  type ChurnVaults,
  type PayVault,
  type PlanPayment,
  type SetTrading,
  VaultCommand,
} from "./thorchain/engine/Command.ts"
import type { PaymentRefusal } from "./thorchain/engine/State.ts"
import * as Vaults from "./thorchain/engine/Vaults.ts"
import type { FamilyName } from "./thorchain/families.ts"

/** All simulated networks: Chainflip, and the others on the same chains, at the same prices and time. */
export interface SimulatedNetworks {
  readonly network: Network.Network
  readonly intents: Intents.Intents
  readonly relay: Relay.Relay
  readonly vaults: Readonly<Record<FamilyName, Vaults.Vaults>>
}

/** The commands of all networks, as the log keeps them. */
export const WorldCommand = Schema.Union([
  ...Command.members,
  ...IntentsCommand.members,
  ...RelayCommand.members,
  ...VaultCommand.members,
])
export type WorldCommand = typeof WorldCommand.Type

/** The commands by which testers change a network. */
export type WorldControl =
  | Control
  | PlanOrder
  | PlanRequest
  | SetChain
  | SetTrading
  | ChurnVaults
  | PlanPayment

export const make = (options: { readonly seed: string; readonly time: EpochMillis }): SimulatedNetworks => {
  const network = Network.make(options)
  return {
    network,
    intents: Intents.make(network),
    relay: Relay.make(network),
    vaults: { thorchain: Vaults.make(network, "thorchain"), maya: Vaults.make(network, "maya") },
  }
}

/** Advances all networks, in any order: time in one never changes another, only commands do. */
export const advance = ({ intents, network, relay, vaults }: SimulatedNetworks, to: EpochMillis): void => {
  for (const world of [network, intents, relay, vaults.thorchain, vaults.maya]) passTime(world, to)
}

/** Sends a deposit to the network that issued its address. */
export const sendDeposit = (
  { intents, network, relay }: SimulatedNetworks,
  deposit: Deposit,
): Result.Result<DepositSent, DepositRefusal> => {
  if (deposit.wrongAsset !== undefined) return Result.succeed(sendUnseen(network, deposit.wrongAsset))
  if (Intents.orderAt(intents, deposit.address) !== undefined) return depositToOrder(intents, deposit)
  return Relay.requestAt(relay, deposit.address) === undefined
    ? depositToChannel(network, deposit)
    : depositToRequest(relay, deposit)
}

/** Sends a payment to a vault. */
export const payVault = (
  { vaults }: SimulatedNetworks,
  payment: PayVault,
): Result.Result<DepositSent, PaymentRefusal> => Vaults.payVault(vaults[payment.provider], payment)

/** Carries out a control of the network that it is for. */
export const control = (
  { intents, network, relay, vaults }: SimulatedNetworks,
  command: WorldControl,
): Result.Result<Controlled, ControlRefusal> =>
  Match.value(command).pipe(
    Match.withReturnType<Result.Result<Controlled, ControlRefusal>>(),
    Match.tag("PlanOrder", (plan) => planTrap(intents, plan)),
    Match.tag("PlanRequest", (plan) => planTrap(relay, plan)),
    Match.tag("SetChain", (chain) => Relay.setChain(relay, chain)),
    Match.tag("SetTrading", (trading) => Vaults.setTrading(vaults[trading.provider], trading)),
    Match.tag("ChurnVaults", (churn) => Vaults.churnVaults(vaults[churn.provider])),
    Match.tag("PlanPayment", (plan) => planTrap(vaults[plan.provider], plan)),
    Match.orElse((turned) => applyControl(network, turned)),
  )

/** Carries out a command of the log again. */
export const apply = (
  networks: SimulatedNetworks,
  command: WorldCommand,
): Result.Result<unknown, { readonly _tag: string }> =>
  Match.value(command).pipe(
    Match.withReturnType<Result.Result<unknown, { readonly _tag: string }>>(),
    Match.tag("Deposit", (deposit) => sendDeposit(networks, deposit)),
    Match.tag("OpenOrder", (request) => openOrder(networks.intents, request)),
    Match.tag("SubmitDeposit", (submission) => submitDeposit(networks.intents, submission)),
    Match.tag("OpenRequest", (request) => openRequest(networks.relay, request)),
    Match.tag("Reindex", (address) => Relay.reindex(networks.relay, address)),
    Match.tag("PayVault", (payment) => payVault(networks, payment)),
    Match.tag("OpenChannel", (request) => openChannel(networks.network, request)),
    Match.tag("VaultSwap", (swap) => sendVaultSwap(networks.network, swap)),
    Match.tag("RegisterAffiliate", (affiliate) => registerAffiliate(networks.network, affiliate)),
    Match.tag("WithdrawFees", (withdrawal) => withdrawFees(networks.network, withdrawal)),
    Match.tag("WithdrawAffiliate", (withdrawal) => withdrawAffiliate(networks.network, withdrawal)),
    Match.tag("AddAffiliate", (affiliate) => addAffiliate(networks.network, affiliate)),
    Match.tag("RemoveAffiliate", (affiliate) => removeAffiliate(networks.network, affiliate)),
    Match.tag("OpenPrivateChannel", () => openPrivateChannel(networks.network)),
    Match.tag("ClosePrivateChannel", () => closePrivateChannel(networks.network)),
    Match.tag("BindAddress", (binding) => bindAddress(networks.network, binding)),
    Match.tag("SetMinimumFee", (minimum) => setMinimumFee(networks.network, minimum)),
    Match.orElse((command) => control(networks, command)),
  )
