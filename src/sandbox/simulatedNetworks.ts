import { Result, Schema } from "effect"
import type { EpochMillis } from "#domain/Time.ts"
import { Command, type Control, type Deposit } from "./engine/Command.ts"
import { openChannel } from "./engine/terms.ts"
import { passTime } from "./engine/EventQueue.ts"
import { planTrap } from "./engine/ledger.ts"
import * as Operator from "./engine/operator.ts"
import { depositToChannel, sendUnseen, sendVaultSwap } from "./engine/deposits.ts"
import { controlActs } from "./engine/controls.ts"
import * as Network from "./engine/Network.ts"
import { IntentsCommand } from "./near-intents/engine/Command.ts"
import * as Intents from "./near-intents/engine/Intents.ts"
import { RelayCommand } from "./relay/engine/Command.ts"
import * as Relay from "./relay/engine/Relay.ts"
import { VaultCommand } from "./thorchain/engine/Command.ts"
import * as Vaults from "./thorchain/engine/Vaults.ts"
import type { FamilyName } from "./thorchain/families.ts"

/** All simulated networks: Chainflip, and the others on the same chains, at the same prices and time. */
export interface SimulatedNetworks {
  readonly network: Network.Network
  readonly intents: Intents.Intents
  readonly relay: Relay.Relay
  readonly vaults: Readonly<Record<FamilyName, Vaults.Vaults>>
}

export const WorldCommand = Schema.Union([
  ...Command.members,
  ...IntentsCommand.members,
  ...RelayCommand.members,
  ...VaultCommand.members,
])
export type WorldCommand = typeof WorldCommand.Type

type Tag = WorldCommand["_tag"]
type Commands = { readonly [One in WorldCommand as One["_tag"]]: One }

export type WorldControl =
  | Control
  | Commands["PlanOrder" | "PlanRequest" | "SetChain" | "SetTrading" | "ChurnVaults" | "PlanPayment"]

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

const sendDeposit = ({ intents, network, relay }: SimulatedNetworks, deposit: Deposit) => {
  if (deposit.wrongAsset !== undefined) return Result.succeed(sendUnseen(network, deposit.wrongAsset))
  if (Intents.orderAt(intents, deposit.address) !== undefined) return Intents.depositToOrder(intents, deposit)
  return Relay.requestAt(relay, deposit.address) === undefined
    ? depositToChannel(network, deposit)
    : Relay.depositToRequest(relay, deposit)
}

const at = <Name extends "network" | "intents" | "relay", Command, Outcome>(
  name: Name,
  act: (world: SimulatedNetworks[Name], command: Command) => Outcome,
) =>
(networks: SimulatedNetworks, command: Command): Outcome => act(networks[name], command)

/** What is done in the network of vaults that the command names. */
const atVaults = <Command extends { readonly provider: FamilyName }, Outcome>(
  act: (vaults: Vaults.Vaults, command: Command) => Outcome,
) =>
({ vaults }: SimulatedNetworks, command: Command): Outcome => act(vaults[command.provider], command)

const actsByTag = {
  ...controlActs,
  Deposit: sendDeposit,
  OpenChannel: at("network", openChannel),
  VaultSwap: at("network", sendVaultSwap),
  RegisterAffiliate: at("network", Operator.registerAffiliate),
  WithdrawFees: at("network", Operator.withdrawFees),
  WithdrawAffiliate: at("network", Operator.withdrawAffiliate),
  AddAffiliate: at("network", Operator.addAffiliate),
  RemoveAffiliate: at("network", Operator.removeAffiliate),
  OpenPrivateChannel: at("network", Operator.openPrivateChannel),
  ClosePrivateChannel: at("network", Operator.closePrivateChannel),
  BindAddress: at("network", Operator.bindAddress),
  SetMinimumFee: at("network", Operator.setMinimumFee),
  OpenOrder: at("intents", Intents.openOrder),
  SubmitDeposit: at("intents", Intents.submitDeposit),
  PlanOrder: at(
    "intents",
    (intents: Intents.Intents, plan: Commands["PlanOrder"]) => planTrap(intents, plan),
  ),
  OpenRequest: at("relay", Relay.openRequest),
  Reindex: at("relay", Relay.reindex),
  PlanRequest: at("relay", (relay: Relay.Relay, plan: Commands["PlanRequest"]) => planTrap(relay, plan)),
  SetChain: at("relay", Relay.setChain),
  PayVault: atVaults(Vaults.payVault),
  SetTrading: atVaults(Vaults.setTrading),
  ChurnVaults: ({ vaults }: SimulatedNetworks, { provider }: Commands["ChurnVaults"]) =>
    Vaults.churnVaults(vaults[provider]),
  PlanPayment: atVaults((vaults, plan: Commands["PlanPayment"]) => planTrap(vaults, plan)),
}

export type Outcomes = { readonly [One in Tag]: ReturnType<(typeof actsByTag)[One]> }

const acts: {
  readonly [One in Tag]: (networks: SimulatedNetworks, command: Commands[One]) => Outcomes[One]
} = actsByTag

export type CommandOf<One extends Tag> = Commands[One] & { readonly _tag: One }

export const perform = <One extends Tag>(
  networks: SimulatedNetworks,
  command: CommandOf<One>,
): Outcomes[One] => acts[command._tag](networks, command)
