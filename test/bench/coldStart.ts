import { Effect } from "effect"
import { type Environment, startService } from "../support/process.ts"
import { temporaryFolder } from "../durability/folder.ts"
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

const startTwice = Effect.scoped(Effect.gen(function* () {
  const environment = { DATA_DIR: yield* temporaryFolder }
  return { empty: yield* startOnce(environment), existing: yield* startOnce(environment) }
}))

/** Starts the service `runs` times with an empty folder and each time once more with what is in it then. */
export const measureColdStart = Effect.fnUntraced(function* (runs: number) {
  const seconds = yield* Effect.forEach(Array.from({ length: runs }), () => startTwice)
  const coldStart: ColdStart = {
    runs,
    emptyFolder: spreadOf(seconds.map(({ empty }) => empty)),
    existingFolder: spreadOf(seconds.map(({ existing }) => existing)),
  }
  return coldStart
})
