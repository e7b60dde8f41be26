import { Data, Effect } from "effect"
import { startService } from "#test/support/process.ts"

/**
 * `deno task client:older OLD_FOLDER`: every flow of an integrator and an operator at the service of this checkout, by the
 * client of another checkout (a folder), and then by the client of this one. It ends with 1 where a flow does not end.
 */

class Fell extends Data.TaggedError("Fell")<{ readonly message: string }> {}

const run = (cwd: string, ...args: ReadonlyArray<string>): Effect.Effect<void, Fell> =>
  Effect.flatMap(
    Effect.promise(() =>
      new Deno.Command(Deno.execPath(), { args: [...args], cwd, stdout: "inherit", stderr: "inherit" })
        .output()
    ),
    ({ code }) =>
      code === 0 ? Effect.void : Effect.fail(new Fell({ message: `${args.join(" ")}: ended with ${code}` })),
  )

const root = new URL("../../../", import.meta.url).pathname
const flows = new URL("support/flows.js", import.meta.url).pathname

const tryClient = Effect.fnUntraced(function* (name: string, checkout: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => Deno.makeTempDir()),
    (path) => Effect.promise(() => Deno.remove(path, { recursive: true })),
  )
  yield* run(checkout, "task", "--quiet", "client", folder)
  const { apiKey, url } = yield* startService({ SANDBOX_SPEED: "0", PROVIDERS: "chainflip" })
  console.log(`\nThe client of ${name} at the service of now:`)
  const file = `${folder}/typescript/swap-broker-client.js`
  yield* run(root, "run", "-A", "--no-config", flows, file, url.origin, apiKey)
}, Effect.scoped)

const [older] = Deno.args
if (older === undefined) {
  console.error("Name the folder with a checkout of the old version")
  Deno.exit(2)
}
await Effect.runPromise(Effect.andThen(tryClient(older, older), tryClient("now", root)))
