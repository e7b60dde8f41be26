import { Data, Effect } from "effect"
import { type RunningService, startService } from "#test/support/process.ts"
import { type Generator, generators } from "./programs.ts"

/**
 * Makes a swap with the client that each generator makes of the service's document: generated, compiled by
 * `tsc --strict`, and run to `completed` in a sandbox. The document has to be one that Redocly and Spectral find nothing
 * in. The folder given is one in which npm has installed them all:
 *
 *     npm install openapi-typescript openapi-fetch @hey-api/openapi-ts orval typescript@5 @redocly/cli @stoplight/spectral-cli
 */

class Fell extends Data.TaggedError("Fell")<{ readonly message: string }> {}

/** Without names of generators all of them, and the linters. */
const [tools = "", ...named] = Deno.args

/** What a program has written, both streams; a failure where it ends with another code than 0. */
const run = (cwd: string, program: string, ...args: ReadonlyArray<string>): Effect.Effect<string, Fell> =>
  Effect.flatMap(
    Effect.promise(() =>
      new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" } }).output()
    ),
    ({ code, stderr, stdout }) => {
      const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("").trim()
      return code === 0 ? Effect.succeed(text) : Effect.fail(new Fell({ message: `${program}: ${text}` }))
    },
  )

const tool = (name: string): string => `${tools}/node_modules/.bin/${name}`

const strictly =
  "--strict --noEmit --skipLibCheck false --target es2022 --module esnext --moduleResolution bundler " +
  "--lib es2022,dom,dom.iterable"

const swapWith = Effect.fnUntraced(function* (
  folder: string,
  { apiKey, url }: RunningService,
  generator: Generator,
) {
  const { command: [program, ...args], files = {}, name } = generator
  const written = { ...files, [`${name}.ts`]: generator.program }
  for (const [file, text] of Object.entries(written)) {
    const filled = text.replaceAll("$URL", url.origin).replaceAll("$KEY", apiKey)
    yield* Effect.promise(() => Deno.writeTextFile(`${folder}/${file}`, filled))
  }
  yield* run(folder, tool(program), ...args)
  yield* run(folder, tool("tsc"), ...strictly.split(" "), `${name}.ts`)
  const sloppily = ["run", "-A", "--unstable-sloppy-imports", "--no-check"]
  const end = yield* run(folder, Deno.execPath(), ...sloppily, `${name}.ts`)
  return end === "" ? yield* new Fell({ message: `${name}: its program said nothing` }) : end
})

const lint = Effect.fnUntraced(function* (folder: string) {
  yield* Effect.promise(() => Deno.writeTextFile(`${folder}/spectral.yaml`, 'extends: ["spectral:oas"]\n'))
  yield* run(folder, tool("redocly"), "lint", "--max-problems", "0", "openapi.json")
  console.log("redocly: nothing")
  yield* run(
    folder,
    tool("spectral"),
    "lint",
    "-r",
    "spectral.yaml",
    "--fail-severity",
    "hint",
    "openapi.json",
  )
  console.log("spectral: nothing")
})

const everything = Effect.gen(function* () {
  const service = yield* startService({ SANDBOX_SPEED: "0" })
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => Deno.makeTempDir({ dir: tools })),
    (folder) => Effect.promise(() => Deno.remove(folder, { recursive: true })),
  )
  const document = yield* Effect.promise(async () =>
    await (await fetch(new URL("/openapi.json", service.url))).text()
  )
  yield* Effect.promise(() => Deno.writeTextFile(`${folder}/openapi.json`, document))
  if (named.length === 0) yield* lint(folder)
  for (const generator of generators.filter(({ name }) => named.length === 0 || named.includes(name))) {
    console.log(`${generator.name}: ${yield* swapWith(folder, service, generator)}`)
  }
})

if (tools === "") {
  console.error("Give the folder in which npm has installed the generators and linters.")
  Deno.exit(2)
}
await Effect.runPromise(Effect.scoped(everything))
Deno.exit()
