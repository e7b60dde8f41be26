import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { assert, layer } from "#test/support/it.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { Chromium, withBrowser } from "#test/interfaces/dashboard/support/Chromium.ts"
import { npmName } from "#tools/client/packages.ts"
import { section } from "#test/readme/section.ts"

const root = new URL("../../../", import.meta.url).pathname

class Ended extends Data.TaggedError("Ended")<{ readonly message: string }> {}

/** What a program writes; a failure where it ends with another code than 0. */
const run = (cwd: string, program: string, ...args: ReadonlyArray<string>): Effect.Effect<string, Ended> =>
  Effect.flatMap(
    Effect.promise(() =>
      new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" } }).output()
    ),
    ({ code, stderr, stdout }) => {
      const [said = "", complained = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes))
      return code === 0
        ? Effect.succeed(said)
        : Effect.fail(new Ended({ message: `${program}: ${said}${complained}` }))
    },
  )

/** Whether a program is there; says so where it is not. */
const has = (program: string, shows: string) =>
  Effect.map(
    Effect.option(Effect.tryPromise(() => new Deno.Command(program, { args: ["--version"] }).output())),
    (found) => {
      if (Option.isNone(found)) console.log(`Not tested, as there is no ${program}: ${shows}.`)
      return Option.isSome(found)
    },
  )

const write = (path: string, text: string) => Effect.promise(() => Deno.writeTextFile(path, text))

const support = (file: string) =>
  Effect.promise(() => Deno.readTextFile(new URL(`support/${file}`, import.meta.url)))

/** What the tests of this file share: none changes it. */
class Shared extends Context.Service<Shared, {
  /** The packages, made by the task into a folder of their own. */
  readonly made: string
  /** What npm packs of the one for npm; none where there is no npm. */
  readonly packed: string | undefined
  /** A service whose time stands still but for what a program passes; each program opens swaps of its own there. */
  readonly service: RunningService
}>()("swap-broker/test/client/Shared") {
  static readonly layer = Layer.effect(
    Shared,
    Effect.gen(function* () {
      const [made, folder] = [yield* temporaryFolder, yield* temporaryFolder]
      yield* run(root, Deno.execPath(), "task", "--quiet", "client", made)
      const hasNpm = yield* has("npm", "that what npm packs is whole, and can be installed")
      const pack = ["pack", "--silent", "--pack-destination", folder]
      const packed = hasNpm
        ? `${folder}/${(yield* run(`${made}/typescript`, "npm", ...pack)).trim()}`
        : undefined
      const service = yield* startService({ SANDBOX_SPEED: "0", PROVIDERS: "chainflip" })
      return Shared.of({ made, packed, service })
    }),
  )
}

/** A project of somebody else, with the package and a program. */
const project = Effect.fnUntraced(function* (program: string, text: string) {
  const { made, packed } = yield* Shared
  const folder = yield* temporaryFolder
  yield* write(`${folder}/package.json`, '{"type":"module"}')
  yield* write(`${folder}/${program}`, text)
  yield* write(`${folder}/program.js`, yield* support("program.js"))
  if (packed !== undefined) {
    yield* run(folder, "npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", packed)
  } else {
    yield* Effect.promise(() => Deno.mkdir(`${folder}/node_modules`))
    yield* Effect.promise(() => Deno.symlink(`${made}/typescript`, `${folder}/node_modules/${npmName}`))
  }
  return folder
})

const Saw = Schema.fromJsonString(Schema.Struct({
  once: Schema.Boolean,
  states: Schema.Array(Schema.String),
  arrived: Schema.String,
  kinds: Schema.String,
  refused: Schema.String,
  heard: Schema.optionalKey(Schema.String),
}))

/** What every program has to see. */
const assertSaw = Effect.fnUntraced(function* (text: string, kinds: string) {
  const saw = yield* Schema.decodeEffect(Saw)(text)
  assert.isTrue(saw.once, "two openings under one key")
  assert.strictEqual(saw.states.at(-1), "completed")
  assert.strictEqual(saw.arrived, "true")
  assert.strictEqual(saw.kinds, kinds)
  assert.strictEqual(saw.refused, "true 400 destinationAddress")
  return saw
})

const kindsOfScript = "string bigint number"

/** A program whose types hold only if the package's declarations do. */
const strictly = `
import { type AssetId, type Decimal, type Problem, ProblemError, SwapBroker, verifyWebhook } from "swap-broker-client"

const unreachable = (none: never): never => none

/** Does not compile where a code of the contract is missing. */
export const advice = (problem: Problem): string => {
  switch (problem.code) {
$CASES
    case undefined: return problem.unknownCode ?? problem.errors?.amount?.join() ?? ""
  }
  return unreachable(problem)
}

export const use = async (broker: SwapBroker): Promise<bigint | string> => {
  const [best] = await broker.getQuotes({ sourceAsset: "btc.btc", destinationAsset: "new.chain", amount: "1" })
  if (best === undefined) return ""
  const amount: Decimal = best.egressAmount
  const native: bigint = best.egressAmountNative
  const asset: AssetId = best.ingressAsset
  const channel = await broker.openSwapByPost({ ...best.swapParameters, destinationAddress: "0x" }, { idempotencyKey: "1" })
  for await (const { data, event } of broker.followSwap({ swapId: channel.id })) console.log(event, data.data.status.state)
  for await (const told of broker.streamQuotes({ sourceAsset: asset, destinationAsset: "eth.eth", amount })) {
    if (told.event === "done") return native + BigInt(told.data.quoteCount)
  }
  const { message } = await verifyWebhook({ headers: new Headers(), body: "", secrets: [] })
  return message.type === "swap.completed" ? message.data.platform : ""
}

export const isMine = (error: unknown): error is ProblemError => error instanceof ProblemError
`

layer(Layer.merge(Chromium.layer, Shared.layer), { excludeTestServices: true })(
  "the packed clients",
  (it) => {
    for (
      const [program, args] of [
        [Deno.execPath(), ["run", "-A", "--no-config", "--node-modules-dir=manual"]],
        ["node", []],
        ["bun", ["run"]],
      ] as const
    ) {
      const name = program.slice(program.lastIndexOf("/") + 1)
      it.effect(`swap in ${name}, and hear of it by webhook`, function* () {
        if (!(yield* has(program, `the client in ${name}`))) return
        const { service: { apiKey, url } } = yield* Shared
        const folder = yield* project("server.js", yield* support("server.js"))
        const saw = yield* assertSaw(
          yield* run(folder, program, ...args, "server.js", url.origin, apiKey),
          kindsOfScript,
        )
        assert.strictEqual(saw.heard, "webhook.test")
      })
    }

    it.effect("end every flow of an integrator and an operator", function* () {
      const { service: { apiKey, url } } = yield* Shared
      const file = `${(yield* Shared).made}/typescript/${npmName}.js`
      const flows = new URL("support/flows.js", import.meta.url).pathname
      const ended = yield* run(
        root,
        Deno.execPath(),
        "run",
        "-A",
        "--no-config",
        flows,
        file,
        url.origin,
        apiKey,
      )
      assert.lengthOf(ended.trim().split("\n"), 12)
    })

    it.effect("swap in a page of another origin", function* () {
      const { service: { apiKey, url } } = yield* Shared
      const folder = `${(yield* Shared).made}/typescript`
      const scripts: Readonly<Record<string, string>> = {
        "/client.js": yield* Effect.promise(() => Deno.readTextFile(`${folder}/${npmName}.js`)),
        "/program.js": yield* support("program.js"),
      }
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
            const script = scripts[new URL(request.url).pathname]
            return script === undefined
              ? new Response("<!doctype html>", { headers: { "content-type": "text/html" } })
              : new Response(script, { headers: { "content-type": "text/javascript" } })
          })
        ),
        (server) => Effect.promise(() => server.shutdown()),
      )
      yield* withBrowser((browser) =>
        Effect.gen(function* () {
          const page = yield* Effect.promise(() => browser.newPage())
          const saw = yield* Effect.promise(async () => {
            await page.goto(`http://127.0.0.1:${server.addr.port}/`)
            const source =
              `import("/client.js").then(async (client) => JSON.stringify(await (await import("/program.js"))
            .swap(client, ${JSON.stringify(url.origin)}, ${JSON.stringify(apiKey)})))`
            const text: unknown = await page.evaluate(source)
            await page.close()
            return `${text}`
          })
          yield* assertSaw(saw, kindsOfScript)
        })
      )
    })

    it.effect("have types that a strict program holds them to, every code among them", function* () {
      const folder = yield* project("empty.js", "")
      const declared = yield* Effect.promise(() =>
        Deno.readTextFile(`${folder}/node_modules/${npmName}/${npmName}.d.ts`)
      )
      const codes = [...declared.matchAll(/\bCodedProblem<("\w+"), \d+>/g)].map(([, code = ""]) => code)
      const cases = (some: ReadonlyArray<string>) =>
        some.map((code) => `    case ${code}: return problem.title`).join("\n")
      const check = (file: string, some: ReadonlyArray<string>) =>
        Effect.andThen(
          write(`${folder}/${file}`, strictly.replace("$CASES", cases(some))),
          run(folder, Deno.execPath(), "check", "--no-config", "--node-modules-dir=manual", file),
        )
      yield* check("whole.ts", codes)
      const incomplete = yield* Effect.flip(check("incomplete.ts", codes.slice(1)))
      assert.include(incomplete.message, "to parameter of type 'never'")
      // The file of TypeScript itself is as strict.
      const source = `${folder}/node_modules/${npmName}/${npmName}.ts`
      yield* run(root, Deno.execPath(), "check", source)
      yield* run(folder, Deno.execPath(), "lint", "--no-config", source)
    })

    it.effect("make the swap of the README in an empty folder", function* () {
      // Of its own: the program of the README passes no time, so that of its networks has to run.
      const { apiKey, url } = yield* startService({ SANDBOX_SPEED: "60", PROVIDERS: "chainflip" })
      const readme = section(Deno.readTextFileSync(`${root}README.md`), "client")
      const program = (/```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "").replace(
        "http://127.0.0.1:8080",
        url.origin,
      )
        .replace("change-me-24-characters-or-more", apiKey)
      const folder = yield* project("swap.js", program)
      const said = yield* run(
        folder,
        Deno.execPath(),
        "run",
        "-A",
        "--no-config",
        "--node-modules-dir=manual",
        "swap.js",
      )
      assert.match(said, /^completed\n$/m)
    })

    it.effect("swap in Python, without losing a digit of 10,000 random amounts", function* () {
      if (!(yield* has("python3", "the client in Python"))) return
      const { service: { apiKey, url } } = yield* Shared
      const folder = `${(yield* Shared).made}/python`
      yield* write(`${folder}/program.py`, yield* support("program.py"))
      yield* assertSaw(
        yield* run(folder, "python3", "-W", "error", "program.py", url.origin, apiKey),
        "Decimal int",
      )
    })
  },
)
