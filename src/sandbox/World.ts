import { Clock, Context, Effect, Layer } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import * as Network from "./engine/Network.ts"
import {
  type Anchor,
  CorruptLog,
  type EventLog,
  logPath,
  logVersion,
  openEventLog,
  type UnusableLog,
} from "./EventLog.ts"
import * as Networks from "./simulatedNetworks.ts"

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

/** The simulated networks, advanced to now before each use. A command's outcome waits for its log entry. */
export class World extends Context.Service<World>()("swap-broker/sandbox/World", {
  make: Effect.fnUntraced(function* (options: WorldOptions) {
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

    return {
      seed: log.header.seed,
      speed: options.speed,
      read: <A>(look: (networks: Networks.SimulatedNetworks) => A) =>
        Effect.map(realNow, (real) => {
          advanceTo(real)
          return look(networks)
        }),
      /**
       * Carries out a command in the network that it is for; one that is refused has changed nothing. No other request
       * can come between a command and its entry: both happen in one synchronous step.
       */
      perform: <Tag extends Networks.WorldCommand["_tag"]>(command: Networks.CommandOf<Tag>) =>
        Effect.flatMap(realNow, (real) => {
          const time = advanceTo(real)
          const outcome = Networks.perform(networks, command)
          const kept = outcome._tag === "Failure"
            ? Effect.void
            : log.record({ _tag: "CommandAccepted", time, command })
          return Effect.as(kept, outcome)
        }),
      /** Time travel: everything that is due within `millis` happens. Returns the new simulated time. */
      travel: (millis: number) =>
        Effect.flatMap(realNow, (real) => {
          anchor = travel(anchor, real, millis)
          return Effect.as(log.record({ _tag: "ClockSet", anchor }), advanceTo(real))
        }),
    }
  }),
}) {
  static readonly layer = (options: WorldOptions) => Layer.effect(this, this.make(options))
  static readonly read = <A>(
    look: (networks: Networks.SimulatedNetworks) => A,
  ): Effect.Effect<A, never, World> => Effect.flatMap(World, (world) => world.read(look))
  static readonly perform = <Tag extends Networks.WorldCommand["_tag"]>(
    command: Networks.CommandOf<Tag>,
  ): Effect.Effect<Networks.Outcomes[Tag], UnusableLog, World> =>
    Effect.flatMap(World, (world) => world.perform(command))
}

/** The simulated time at a real time. A real clock that was set back stops simulated time, but never turns it back. */
const simulatedAt = (anchor: Anchor, real: number): EpochMillis =>
  EpochMillis.make(anchor.simulated + Math.max(0, Math.floor((real - anchor.real) * anchor.speed)))

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

const replay = Effect.fnUntraced(function* (options: WorldOptions, log: EventLog) {
  const networks = Networks.make({ seed: log.header.seed, time: log.header.genesis })
  let anchor: Anchor | undefined
  for (const [index, entry] of log.entries.entries()) {
    if (entry._tag === "ClockSet") {
      anchor = entry.anchor
      continue
    }
    Networks.advance(networks, entry.time)
    const outcome = Networks.perform(networks, entry.command)
    if (outcome._tag === "Failure") {
      return yield* new CorruptLog({
        path: logPath(options.dataDir),
        line: index + 2,
        reason: `the network refuses the command again: ${outcome.failure._tag}`,
      })
    }
  }
  return { anchor, networks }
})
