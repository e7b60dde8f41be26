import { Effect, Fiber, Random } from "effect"
import { type Environment, type RunningService, spawnService, startService } from "#test/support/process.ts"
import { byId, deposit, openByGet, openByPost, type Opened } from "./client.ts"
import { plans } from "./swaps.ts"

/** What the clients know: all that they may hold the service to. */
export interface Ledger {
  /** Openings that were asked for, answered or not. */
  asked: number
  /** Swaps whose opening was answered. */
  readonly opened: Array<Opened>
  /** Ids of swaps with a deposit that was answered. */
  readonly deposited: Set<number>
}

export const emptyLedger = (): Ledger => ({ asked: 0, opened: [], deposited: new Set() })

const clients = [openByGet, openByPost, openByGet, openByPost]

/** Opens swaps until the service is gone, deposits for two of three of them, and asks how they are. */
const useUntilGone = (service: RunningService, ledger: Ledger, open: typeof openByGet) =>
  Effect.gen(function* () {
    for (let turn = 0;; turn++) {
      const { amount, parameters } = yield* Random.choice(plans)
      ledger.asked += 1
      const opened = yield* open(service, parameters)
      ledger.opened.push(opened)
      if (turn % 3 !== 2) {
        yield* deposit(service, opened.address, amount)
        ledger.deposited.add(opened.id)
      }
      yield* byId(service, opened.id)
      yield* Effect.sleep(yield* Random.nextIntBetween(0, 40))
    }
  }).pipe(Effect.catchTag("Unanswered", () => Effect.void))

/** When to kill a service at work. */
export interface Moment {
  /** After so many openings were asked for since its start: fast or slow, as much is done before. */
  readonly openings: number
  /** And so many milliseconds, within which an opening or a deposit gets somewhere. */
  readonly millis: number
}

/** Starts the service, puts it to work and kills it. */
export const killAtWork = Effect.fnUntraced(
  function* (environment: Environment, ledger: Ledger, moment: Moment) {
    const service = yield* startService(environment)
    const enough = ledger.asked + moment.openings
    const busyUntilEnough = Effect.gen(function* () {
      while (ledger.asked < enough) yield* Effect.sleep(1)
    })
    const work = yield* Effect.forkChild(
      Effect.forEach(clients, (open) => useUntilGone(service, ledger, open), {
        concurrency: "unbounded",
        discard: true,
      }),
    )
    // An answer that should not be ends the work, and the test with it.
    yield* Effect.raceFirst(busyUntilEnough, Fiber.join(work))
    yield* Effect.sleep(moment.millis)
    yield* service.kill("SIGKILL")
    yield* Fiber.join(work)
  },
  Effect.scoped,
)

/** Starts the service and kills it after `moment` milliseconds, wherever its start has come to. */
export const killAtStart = Effect.fnUntraced(
  function* (environment: Environment, moment: number) {
    const service = yield* spawnService(environment)
    yield* Effect.sleep(moment)
    yield* service.kill("SIGKILL")
  },
  Effect.scoped,
)
