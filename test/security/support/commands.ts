import { Effect } from "effect"
import { cliProcess, type Environment } from "#test/support/process.ts"
import { markers } from "./markers.ts"

/** What an operator asks of a running service. */
const overHttp: ReadonlyArray<ReadonlyArray<string>> = [
  ["--json", "audit", "--limit", "500"],
  ["doctor"],
]

/** What an operator asks of the database itself. */
const overDatabase: ReadonlyArray<ReadonlyArray<string>> = [
  ["doctor"],
]

const run = (environment: Environment, commands: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.forEach(commands, (args) =>
    Effect.gen(function* () {
      const process = yield* cliProcess({ LOG_LEVEL: "trace", ...environment }, args)
      yield* process.ended
      return [args.join(" "), process.output()] as const
    }), { concurrency: 2 })

/** What the commands wrote that work with a service. */
export const askService = (url: URL) =>
  Effect.zipWith(
    run({ BROKER_URL: url.origin, BROKER_API_KEY: markers.apiKey }, overHttp),
    run({ BROKER_URL: url.origin, BROKER_API_KEY: markers.otherKey }, [["doctor"]]),
    (one, other) => [...one, ...other],
  )

/** What the commands wrote that work with the database of a service which does not run. */
export const askDatabase = (environment: Environment) => run(environment, overDatabase)
