import { Effect } from "effect"
import { type Environment, startService } from "#test/support/process.ts"
import { atMost, type Judged } from "./goal.ts"
import { quoteUrl } from "./quoteUrl.ts"
import { type Spread, spreadOf } from "./statistics.ts"

/** Seconds of several starts, of which the median has a goal. */
export interface Starts extends Spread {
  readonly goal: Judged
}

/** Seconds from starting the process to its first answer, a quote. */
export interface ColdStart {
  readonly runs: number
  readonly emptyFolder: Starts
  readonly existingFolder: Starts
}

/** Seconds that a start may take on two idle processors. */
const limits = { emptyFolder: 5, existingFolder: 2 }

const startsOf = (seconds: ReadonlyArray<number>, limit: number): Starts => {
  const spread = spreadOf(seconds)
  return { ...spread, goal: atMost(limit, spread.median) }
}

/** Starts the service, has it answer, and stops it as an operator does. */
const startOnce = Effect.fnUntraced(function* (environment: Environment) {
  const begin = performance.now()
  const service = yield* startService(environment)
  const status = yield* Effect.promise(async () => {
    const answer = await fetch(quoteUrl(service.url, "1"), { headers: { "x-api-key": service.apiKey } })
    await answer.body?.cancel()
    return answer.status
  })
  const seconds = (performance.now() - begin) / 1_000
  if (status !== 200) return yield* Effect.die(new Error(`The first answer was a ${status}`))
  yield* service.kill("SIGTERM")
  yield* service.ended
  return seconds
}, Effect.scoped)

const startTwice = Effect.fnUntraced(function* (folder: string) {
  const environment = { DATA_DIR: folder }
  return { empty: yield* startOnce(environment), existing: yield* startOnce(environment) }
})

/** Starts the service in each of the empty folders, and then once more with what is in it by then. */
export const measureColdStart = Effect.fnUntraced(function* (folders: ReadonlyArray<string>) {
  const seconds = yield* Effect.forEach(folders, startTwice)
  const coldStart: ColdStart = {
    runs: folders.length,
    emptyFolder: startsOf(seconds.map(({ empty }) => empty), limits.emptyFolder),
    existingFolder: startsOf(seconds.map(({ existing }) => existing), limits.existingFolder),
  }
  return coldStart
})
