import { Effect } from "effect"
import { temporaryDatabase } from "./temporaryDatabase.ts"

/**
 * Runs both gates over a database that is made for them on the given server and dropped afterwards: the suites of the
 * store on both kinds of database, the services in the process of the tests on that server. A server that does not let
 * us in is as good as none.
 */
const [serverUrl] = Deno.args
if (serverUrl === undefined) throw new Error("Usage: withPostgres.ts postgres://…")

const gates = (environment: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const { code } = await new Deno.Command(Deno.execPath(), { args: ["task", "ok:long"], env: environment })
      .spawn()
      .status
    return code
  })

const withDatabase = Effect.gen(function* () {
  const url = yield* temporaryDatabase(serverUrl)
  return yield* gates({ TEST_DATABASE_URL: url, TEST_BROKER_DATABASE_URL: url })
})

const withoutDatabase = (cause: unknown) =>
  Effect.andThen(
    Effect.logWarning(`The Postgres server cannot be used; going on without it. ${cause}`),
    gates({}),
  )

Deno.exit(await Effect.runPromise(Effect.scoped(withDatabase).pipe(Effect.catch(withoutDatabase))))
