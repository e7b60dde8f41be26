import { Clock, Context, Effect, Layer, Result } from "effect"
import { EpochMillis } from "../domain/Time.ts"
import type {
  AddAffiliate,
  BindAddress,
  Deposit,
  OpenChannel,
  RegisterAffiliate,
  RemoveAffiliate,
  SetMinimumFee,
  VaultSwap,
  WithdrawAffiliate,
  WithdrawFees,
} from "./engine/Command.ts"
import { addAffiliate, registerAffiliate, removeAffiliate } from "./engine/affiliates.ts"
import { bindAddress, closePrivateChannel, openPrivateChannel, setMinimumFee } from "./engine/operator.ts"
import type { Affiliate, Withdrawal } from "./engine/State.ts"
import type { ChannelOpened, Controlled, DepositSent } from "./engine/View.ts"
import { withdrawAffiliate, withdrawFees } from "./engine/withdrawals.ts"
import type {
  AffiliateRefusal,
  ControlRefusal,
  DepositRefusal,
  OpenRefusal,
  OperatorRefusal,
  VaultSwapRefusal,
} from "./engine/Refusal.ts"
import { openChannel } from "./engine/channels.ts"
import { sendVaultSwap } from "./engine/vaultSwaps.ts"
import * as Network from "./engine/Network.ts"
import {
  type Anchor,
  CorruptLog,
  type EventLog,
  type ForeignLog,
  type LockedLog,
  logPath,
  logVersion,
  openEventLog,
  type UnusableLog,
} from "./EventLog.ts"
import type { OpenOrder, SubmitDeposit } from "./near-intents/engine/Command.ts"
import type { Order, RequestRefusal, UnknownOrder } from "./near-intents/engine/State.ts"
import { submitDeposit } from "./near-intents/engine/deposits.ts"
import { openOrder } from "./near-intents/engine/orders.ts"
import type { OpenRequest, Reindex } from "./relay/engine/Command.ts"
import { reindex, type Reindexed } from "./relay/engine/Relay.ts"
import { openRequest } from "./relay/engine/requests.ts"
import type { ReindexRefusal, RelayRequest, RequestRefusal as RelayRefusal } from "./relay/engine/State.ts"
import * as Networks from "./simulatedNetworks.ts"
import type { PayVault } from "./thorchain/engine/Command.ts"
import type { PaymentRefusal } from "./thorchain/engine/State.ts"

/** The options that a simulated world starts with. */
export interface WorldOptions {
  /** The seed of every address, hash and price path. */
  readonly seed: string
  /** Simulated seconds for each real second; at 0 only time travel moves time. */
  readonly speed: number
  /** The simulated time of the first start; absent: its real time. */
  readonly genesis?: EpochMillis
  /** The folder of the event log; `memory` keeps nothing. */
  readonly dataDir: string
}

type Accepted<Value, Refusal> = Effect.Effect<Result.Result<Value, Refusal>, UnusableLog>

/**
 * The simulated networks with their clock and their log. Before any read or command they are advanced to the simulated
 * now; a command is on the disk before its outcome is returned.
 */
export class World extends Context.Service<World, {
  readonly seed: string
  readonly speed: number
  /** Reads the networks as they are now. */
  readonly read: <A>(look: (networks: Networks.SimulatedNetworks) => A) => Effect.Effect<A>
  readonly openChannel: (command: OpenChannel) => Accepted<ChannelOpened, OpenRefusal>
  readonly sendDeposit: (command: Deposit) => Accepted<DepositSent, DepositRefusal>
  readonly sendVaultSwap: (command: VaultSwap) => Accepted<DepositSent, VaultSwapRefusal>
  readonly registerAffiliate: (command: RegisterAffiliate) => Accepted<Affiliate, AffiliateRefusal>
  readonly withdrawFees: (command: WithdrawFees) => Accepted<Withdrawal, OperatorRefusal>
  readonly withdrawAffiliate: (command: WithdrawAffiliate) => Accepted<Withdrawal, OperatorRefusal>
  readonly addAffiliate: (command: AddAffiliate) => Accepted<Affiliate, OperatorRefusal>
  readonly removeAffiliate: (command: RemoveAffiliate) => Accepted<Affiliate, OperatorRefusal>
  readonly openPrivateChannel: Accepted<number, OperatorRefusal>
  readonly closePrivateChannel: Accepted<number, OperatorRefusal>
  readonly bindAddress: (command: BindAddress) => Accepted<string, OperatorRefusal>
  readonly setMinimumFee: (command: SetMinimumFee) => Accepted<string, OperatorRefusal>
  readonly payVault: (command: PayVault) => Accepted<DepositSent, PaymentRefusal>
  readonly openOrder: (command: OpenOrder) => Accepted<Order, RequestRefusal>
  readonly submitDeposit: (command: SubmitDeposit) => Accepted<Order, UnknownOrder>
  readonly openRequest: (command: OpenRequest) => Accepted<RelayRequest, RelayRefusal>
  readonly reindex: (command: Reindex) => Accepted<Reindexed, ReindexRefusal>
  readonly control: (command: Networks.WorldControl) => Accepted<Controlled, ControlRefusal>
  /** Time travel: everything that is due within `millis` happens. Returns the new simulated time. */
  readonly travel: (millis: number) => Effect.Effect<EpochMillis, UnusableLog>
}>()("swap-broker/sandbox/World") {
  static readonly layer = (
    options: WorldOptions,
  ): Layer.Layer<World, CorruptLog | ForeignLog | LockedLog | UnusableLog> =>
    Layer.effect(World, make(options))
}

/** The simulated time at a real time. A real clock that was set back stops simulated time, but never turns it back. */
const simulatedAt = (anchor: Anchor, real: number): EpochMillis =>
  EpochMillis.make(anchor.simulated + Math.max(0, Math.floor((real - anchor.real) * anchor.speed)))

/** Time travel: the same speed, `millis` later. */
const travel = (anchor: Anchor, real: EpochMillis, millis: number): Anchor => ({
  real,
  simulated: EpochMillis.make(simulatedAt(anchor, real) + millis),
  speed: anchor.speed,
})

/** Another speed of simulated time from now on; the time until now has passed at the old speed. */
const changeSpeed = (anchor: Anchor, real: EpochMillis, speed: number): Anchor => ({
  real,
  simulated: simulatedAt(anchor, real),
  speed,
})

const realNow: Effect.Effect<EpochMillis> = Effect.map(
  Clock.currentTimeMillis,
  (millis) => EpochMillis.make(Math.floor(millis)),
)

const make = Effect.fnUntraced(function* (options: WorldOptions) {
  const real = yield* realNow
  const log = yield* openEventLog({
    dataDir: options.dataDir,
    header: {
      log: "swap-broker sandbox",
      version: logVersion,
      seed: options.seed,
      genesis: options.genesis ?? real,
    },
    genesisFixed: options.genesis !== undefined,
  })
  const { anchor: last, networks } = yield* replay(options, log)

  // The time since the last start counts, as a real network goes on while its clients are away.
  let anchor: Anchor = last === undefined
    ? { real, simulated: log.header.genesis, speed: options.speed }
    : changeSpeed(last, real, options.speed)
  yield* log.record({ _tag: "ClockSet", anchor })

  const advanceTo = (real: EpochMillis): EpochMillis => {
    Networks.advance(networks, simulatedAt(anchor, real))
    return Network.time(networks.network).time
  }

  // No other request can come between a command and its entry: both happen in one synchronous step.
  const change = <Value, Refusal>(
    command: Networks.WorldCommand,
    act: () => Result.Result<Value, Refusal>,
  ): Accepted<Value, Refusal> =>
    Effect.flatMap(realNow, (real) => {
      const time = advanceTo(real)
      const outcome = act()
      const kept = Result.isFailure(outcome)
        ? Effect.void
        : log.record({ _tag: "CommandAccepted", time, command })
      return Effect.as(kept, outcome)
    })

  return World.of({
    seed: log.header.seed,
    speed: options.speed,
    read: (look) =>
      Effect.map(realNow, (real) => {
        advanceTo(real)
        return look(networks)
      }),
    openChannel: (command) => change(command, () => openChannel(networks.network, command)),
    sendDeposit: (command) => change(command, () => Networks.sendDeposit(networks, command)),
    sendVaultSwap: (command) => change(command, () => sendVaultSwap(networks.network, command)),
    registerAffiliate: (command) => change(command, () => registerAffiliate(networks.network, command)),
    withdrawFees: (command) => change(command, () => withdrawFees(networks.network, command)),
    withdrawAffiliate: (command) => change(command, () => withdrawAffiliate(networks.network, command)),
    addAffiliate: (command) => change(command, () => addAffiliate(networks.network, command)),
    removeAffiliate: (command) => change(command, () => removeAffiliate(networks.network, command)),
    openPrivateChannel: change({ _tag: "OpenPrivateChannel" }, () => openPrivateChannel(networks.network)),
    closePrivateChannel: change({ _tag: "ClosePrivateChannel" }, () => closePrivateChannel(networks.network)),
    bindAddress: (command) => change(command, () => bindAddress(networks.network, command)),
    setMinimumFee: (command) => change(command, () => setMinimumFee(networks.network, command)),
    payVault: (command) => change(command, () => Networks.payVault(networks, command)),
    openOrder: (command) => change(command, () => openOrder(networks.intents, command)),
    submitDeposit: (command) => change(command, () => submitDeposit(networks.intents, command)),
    openRequest: (command) => change(command, () => openRequest(networks.relay, command)),
    reindex: (command) => change(command, () => reindex(networks.relay, command)),
    control: (command) => change(command, () => Networks.control(networks, command)),
    travel: (millis) =>
      Effect.flatMap(realNow, (real) => {
        anchor = travel(anchor, real, millis)
        return Effect.as(log.record({ _tag: "ClockSet", anchor }), advanceTo(real))
      }),
  })
})

/** Rebuilds the networks from their log. */
const replay = Effect.fnUntraced(function* (options: WorldOptions, log: EventLog) {
  const networks = Networks.make({ seed: log.header.seed, time: log.header.genesis })
  let anchor: Anchor | undefined
  for (const [index, entry] of log.entries.entries()) {
    if (entry._tag === "ClockSet") {
      anchor = entry.anchor
      continue
    }
    Networks.advance(networks, entry.time)
    const outcome = Networks.apply(networks, entry.command)
    if (Result.isFailure(outcome)) {
      return yield* new CorruptLog({
        path: logPath(options.dataDir),
        line: index + 2,
        reason: `the network refuses the command again: ${outcome.failure._tag}`,
      })
    }
  }
  return { anchor, networks }
})
