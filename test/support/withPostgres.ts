import { Effect } from "effect"
import { temporaryDatabase } from "./temporaryDatabase.ts"

/**
 * Runs the gate with `TEST_DATABASE_URL` set to a database that is made for it on the given server and
 * dropped afterwards, then the contract once more with that server behind the whole service. A server that
 * does not let us in is as good as none.
 */
const [serverUrl] = Deno.args
if (serverUrl === undefined) throw new Error("Usage: withPostgres.ts postgres://…")

const task = (name: string, environment: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const { code } = await new Deno.Command(Deno.execPath(), { args: ["task", name], env: environment })
      .spawn()
      .status
    return code
  })

const withDatabase = Effect.gen(function* () {
  const url = yield* temporaryDatabase(serverUrl)
  const gate = yield* task("ok", { TEST_DATABASE_URL: url })
  if (gate !== 0) return gate
  return yield* task("test:postgres", { TEST_BROKER_DATABASE_URL: url })
})

const withoutDatabase = (cause: unknown) =>
  Effect.andThen(
    Effect.logWarning(`The Postgres server cannot be used; going on without it. ${cause}`),
    task("ok", {}),
  )

Deno.exit(
  await Effect.runPromise(
    Effect.scoped(withDatabase).pipe(Effect.catch(withoutDatabase)),
  ),
)
