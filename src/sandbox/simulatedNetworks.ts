import { Match, Result, Schema } from "effect"
import type { EpochMillis } from "../domain/Time.ts"
import { Command, type Control, type Deposit } from "./engine/Command.ts"
import type { Controlled, DepositSent } from "./engine/View.ts"
import type { ControlRefusal, DepositRefusal } from "./engine/Refusal.ts"
import { depositToChannel } from "./engine/deposits.ts"
import { applyControl } from "./engine/controls.ts"
import * as Network from "./engine/Network.ts"
import { IntentsCommand, type PlanOrder } from "./near-intents/engine/Command.ts"
import { depositToOrder, submitDeposit } from "./near-intents/engine/deposits.ts"
import { openOrder } from "./near-intents/engine/orders.ts"
import * as Intents from "./near-intents/engine/Intents.ts"

/** All simulated networks: Chainflip, and NEAR Intents on the same chains, at the same prices and time. */
export interface SimulatedNetworks {
  readonly network: Network.Network
  readonly intents: Intents.Intents
}

/** The commands of both networks, as the log keeps them. */
export const WorldCommand = Schema.Union([...Command.members, ...IntentsCommand.members])
export type WorldCommand = typeof WorldCommand.Type

/** The commands by which testers change a network. */
export type WorldControl = Control | PlanOrder

export const make = (options: { readonly seed: string; readonly time: EpochMillis }): SimulatedNetworks => {
  const network = Network.make(options)
  return { network, intents: Intents.make(network) }
}

/** Advances both networks, in any order: time in one never changes the other, only commands do. */
export const advance = ({ intents, network }: SimulatedNetworks, to: EpochMillis): void => {
  Network.advance(network, to)
  Intents.advance(intents, to)
}

/** Sends a deposit to the network that issued its address. */
export const sendDeposit = (
  { intents, network }: SimulatedNetworks,
  deposit: Deposit,
): Result.Result<DepositSent, DepositRefusal> =>
  Intents.orderAt(intents, deposit.address) === undefined
    ? depositToChannel(network, deposit)
    : depositToOrder(intents, deposit)

/** Carries out a control of either network. */
export const control = (
  { intents, network }: SimulatedNetworks,
  command: WorldControl,
): Result.Result<Controlled, ControlRefusal> =>
  command._tag === "PlanOrder" ? Intents.planOrder(intents, command) : applyControl(network, command)

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
    Match.tag("PlanOrder", (plan) => Intents.planOrder(networks.intents, plan)),
    Match.orElse((command) => Network.apply(networks.network, command)),
  )
