import { Effect } from "effect"
import { type Environment, startService } from "../support/process.ts"
import { quoteUrl } from "./quoteUrl.ts"
import { type Spread, spreadOf } from "./statistics.ts"

/** Seconds from starting the process to its first answer, a quote. */
export interface ColdStart {
  readonly runs: number
  readonly emptyFolder: Spread
  readonly existingFolder: Spread
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
    emptyFolder: spreadOf(seconds.map(({ empty }) => empty)),
    existingFolder: spreadOf(seconds.map(({ existing }) => existing)),
  }
  return coldStart
})
