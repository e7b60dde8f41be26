import { writeRecord } from "#test/support/writeRecord.ts"
import { Duration, Effect, Layer, Option, Random, type Scope } from "effect"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { type Addressed, deposit, openByGet, type Opened } from "#test/durability/client.ts"
import { locationOf } from "#test/durability/places.ts"
import { plans, type SwapPlan } from "#test/durability/swaps.ts"
import { type Environment, startProgram } from "#test/support/process.ts"
import { type Breach, deliveryBreaches, storyBreaches, swapBreaches, writtenEvents } from "./breaches.ts"
import { type Fleet, startFleet } from "./Fleet.ts"
import { type LeaseFigures, leaseFigures, watchLeases } from "./leaseWatch.ts"
import type { Receive, Receiver } from "./Receiver.ts"

/** How many swaps are followed by how many replicas, and how those are treated. */
export interface Campaign {
  readonly replicas: number
  readonly swaps: number
  /** Simulated seconds for each real one. */
  readonly speed: number
  /** Deposits come, and replicas are killed at random, for this long at least. */
  readonly duration: Duration.Duration
  /** And until this many were killed. */
  readonly kills: number
  /** And until one was paused for so long, which is longer than a replica has anything to itself. */
  readonly pause: Option.Option<Duration.Duration>
  /** How long the swaps may take from then on. */
  readonly patience: Duration.Duration
  /** Settings that have to do with how long a replica has a swap to itself, others than those of operation. */
  readonly leases: Environment
  /** How events come to who waits for them. */
  readonly receive: Receive
  /** An empty place for the records. */
  readonly environment: Effect.Effect<Environment, never, Scope.Scope>
}

/** What came of it. */
export interface Outcome {
  readonly kills: number
  readonly pauses: number
  readonly seconds: number
  readonly events: number
  readonly deliveries: number
  readonly leases: LeaseFigures
  readonly exitCodes: ReadonlyArray<number>
  readonly breaches: ReadonlyArray<Breach>
}

interface Begun {
  readonly opened: Opened
  readonly plan: SwapPlan
}

const openSwaps = (front: Addressed, count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    Effect.fnUntraced(function* () {
      const plan = yield* Random.choice(plans)
      return { plan, opened: yield* openByGet(front, plan.parameters) }
    }),
    { concurrency: 16 },
  )

/** Spread evenly, so that swaps are in every state while replicas are killed. */
const depositAll = (sandbox: Addressed, begun: ReadonlyArray<Begun>, duration: Duration.Duration) =>
  Effect.forEach(
    begun,
    ({ opened, plan }) =>
      Effect.andThen(
        deposit(sandbox, opened.address, plan.amount),
        Effect.sleep(Duration.toMillis(duration) / begun.length),
      ),
    { discard: true },
  )

/** Does something to replicas again and again, a while after the last time. */
const atRandom = <E>(trouble: Effect.Effect<void, E>, done: () => void) =>
  Effect.gen(function* () {
    yield* Effect.sleep(yield* Random.nextIntBetween(200, 3_000))
    yield* trouble
    done()
  }).pipe(Effect.forever)

/** Kills and pauses without end, and counts. */
const trouble = (fleet: Fleet, pause: Campaign["pause"], count: { kills: number; pauses: number }) =>
  Effect.raceFirst(
    atRandom(fleet.killOne, () => count.kills += 1),
    Option.match(pause, {
      onNone: () => Effect.never,
      onSome: (time) => atRandom(fleet.pauseOne(time), () => count.pauses += 1),
    }),
  )

const until = (isSo: () => boolean) =>
  Effect.suspend(() => Effect.sleep(isSo() ? 0 : 100)).pipe(Effect.repeat({ while: () => !isSo() }))

const completedIn = ({ deliveries }: Receiver): ReadonlySet<number> =>
  new Set(deliveries.flatMap(({ swapId, type }) => type === "swap.completed" ? [swapId] : []))

/** Waits until the receiver has heard the end of every swap; those that it has not heard of by then. */
const untilTold = Effect.fnUntraced(
  function* (receiver: Receiver, begun: ReadonlyArray<Begun>, patience: Duration.Duration) {
    const untold = () => {
      const told = completedIn(receiver)
      return begun.filter(({ opened }) => !told.has(opened.id))
    }
    const end = performance.now() + Duration.toMillis(patience)
    while (untold().length > 0 && performance.now() < end) yield* Effect.sleep("200 millis")
    return untold().map(({ opened }): Breach => `nobody was told that swap ${opened.id} completed`)
  },
)

/** The records when no replica is at them. */
const recordsOf = (environment: Environment) =>
  JournalRepo.layer.pipe(
    Layer.provideMerge(OutboxRepo.layer(writeRecord)),
    Layer.provideMerge(sqlLayer(locationOf(environment))),
  )

/** What the records say in the end, and whether that was told. */
const inspect = Effect.fnUntraced(function* (begun: ReadonlyArray<Begun>, { deliveries }: Receiver) {
  const written = yield* writtenEvents
  const last = Math.max(0, ...deliveries.map(({ id }) => id))
  const due = written.filter(({ id, type }) => id <= last || type === "swap.completed")
  const leases = yield* leaseFigures
  return {
    leases,
    events: due.length,
    breaches: [
      ...(yield* swapBreaches(begun.map(({ opened }) => opened.id))),
      ...storyBreaches(written),
      ...deliveryBreaches(due, deliveries),
      ...(leases.tooEarly > 0 ? [`${leases.tooEarly} look-ups began while another had the lease`] : []),
      ...(leases.outOfTurn > 0 ? [`${leases.outOfTurn} look-ups had no number of their own`] : []),
    ],
  }
})

/**
 * Opens swaps, lets their deposits come while replicas are killed without warning and started again, or paused and
 * go on later, waits for the end of every swap, stops all replicas and holds their records against what a receiver of events was told.
 */
export const wage = (
  { duration, environment, kills, leases, patience, pause, receive, replicas, speed, swaps }: Campaign,
  say: (line: string) => Effect.Effect<void> = Effect.logDebug,
) =>
  Effect.gen(function* () {
    const place = yield* environment
    yield* Effect.provide(watchLeases, recordsOf(place))
    const simulated = { SANDBOX_SPEED: `${speed}` }
    const sandboxProcess = yield* startProgram("src/sandbox.ts", {
      ...simulated,
      SANDBOX_PORT: "0",
      DATA_DIR: "memory",
      LOG_FORMAT: "json",
    })
    const fleet = yield* startFleet(replicas, {
      ...place,
      ...simulated,
      ...leases,
      SANDBOX_URL: sandboxProcess.url.origin,
    })
    const sandbox: Addressed = { ...fleet.front, url: sandboxProcess.url }
    yield* say(`${replicas} at work`)
    const receiver = yield* receive(fleet.front)
    const begun = yield* openSwaps(fleet.front, swaps)
    yield* say(`${begun.length} swaps are open`)

    const start = performance.now()
    const count = { kills: 0, pauses: 0 }
    const isEnough = () => count.kills >= kills && (Option.isNone(pause) || count.pauses > 0)
    yield* Effect.raceFirst(
      Effect.all([depositAll(sandbox, begun, duration), Effect.sleep(duration), until(isEnough)], {
        concurrency: "unbounded",
        discard: true,
      }),
      trouble(fleet, pause, count),
    )
    yield* say(
      `${count.kills} kills, ${count.pauses} pauses; ${
        completedIn(receiver).size
      } swaps have come to their end`,
    )
    const untold = yield* untilTold(receiver, begun, patience)
    const seconds = (performance.now() - start) / 1_000
    yield* say(`${swaps - untold.length} swaps have come to their end`)
    const exitCodes = yield* fleet.stop

    const found = yield* Effect.provide(inspect(begun, receiver), recordsOf(place))
    const outcome: Outcome = {
      ...found,
      ...count,
      seconds,
      exitCodes,
      deliveries: receiver.deliveries.length,
      breaches: [...untold, ...found.breaches],
    }
    return outcome
  }).pipe(Effect.scoped)
