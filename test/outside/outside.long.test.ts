import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeExchange } from "#test/conformance/example/exchange.ts"
import { serve } from "#infrastructure/platform/serve.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { kitProcess, runOutside, runTask, startOutside } from "#test/support/process.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { json } from "./support.ts"

const write = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(
    runTask("provider", words),
    (task) => Effect.map(task.ended, ({ code }) => ({ code, text: task.output() })),
  )

/** A folder that the task has written. */
const elsewhere = Effect.gen(function* () {
  const folder = `${yield* temporaryFolder}/flat-rate`
  const { code, text } = yield* write("flat-rate", folder)
  assert.strictEqual(code, 0, text)
  return { folder, text }
})

const change = (path: string, from: string, to: string) =>
  Effect.promise(async () => {
    const text = await Deno.readTextFile(path)
    assert.include(text, from)
    await Deno.writeTextFile(path, text.replace(from, to))
  })

describe.concurrent("a provider outside the repository", () => {
  it.live("is written by one command, says what comes next, compiles and keeps to the kit", () =>
    Effect.gen(function* () {
      const { folder, text } = yield* elsewhere
      assert.include(text, "FLAT_RATE_URL=http://127.0.0.1:4100 FLAT_RATE_KEY=a-key")
      const kit = yield* kitProcess(folder)
      const { code } = yield* kit.ended
      assert.strictEqual(code, 0, kit.output())
      assert.match(kit.output(), /flat-rate\.test\.ts/)
      assert.deepStrictEqual(yield* write("flat-rate", folder), { code: 2, text: `${folder} is not empty\n` })
    }).pipe(Effect.scoped))

  it.live("is red at the kit by the name of each member that it does not compare", () =>
    Effect.gen(function* () {
      const mutants = new URL("../conformance/mutants.ts", import.meta.url).pathname
      const { ended, output } = yield* runOutside(mutants, {}, [])
      const { code } = yield* ended
      assert.strictEqual(code, 0, output())
    }).pipe(Effect.scoped))

  it.live.each(
    [
      [["relay", "/tmp/nowhere-at-all"], "The name relay is taken: RELAY_URL is a setting of this build"],
      [
        ["Flat_Rate", "/tmp/nowhere-at-all"],
        "Flat_Rate is no neutral name: use lower-case letters, digits and hyphens, with a letter first",
      ],
      [["flat"], "Say how the provider is called, and where: deno task provider NAME FOLDER"],
    ] as const,
  )("is not written as %s", ([words, refusal]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* write(...words), { code: 2, text: `${refusal}\n` })
    }).pipe(Effect.scoped))

  it.live(
    "is told by the kit of a question without an answer, which only types can see",
    () =>
      Effect.gen(function* () {
        const { folder } = yield* elsewhere
        yield* change(`${folder}/flat-rate.test.ts`, "    RequestCancelled: never,\n", "")
        const kit = yield* kitProcess(folder)
        const { code } = yield* kit.ended
        assert.notStrictEqual(code, 0)
        assert.include(kit.output(), "'RequestCancelled' is missing")
        assert.notInclude(kit.output(), "passed")
      }).pipe(Effect.scoped),
  )

  it.live(
    "is told by the kit how a file with tests is named, where there is none",
    () =>
      Effect.gen(function* () {
        const { folder } = yield* elsewhere
        yield* Effect.promise(() => Deno.rename(`${folder}/flat-rate.test.ts`, `${folder}/kit.ts`))
        const kit = yield* kitProcess(folder)
        const { code } = yield* kit.ended
        assert.strictEqual(code, 1)
        assert.include(kit.output(), "ends with .test.ts, such as mine.test.ts")
      }).pipe(Effect.scoped),
  )

  it.live(
    "stands in a service that is started with it, shows no offer that nothing begins, and says its settings there",
    () =>
      Effect.gen(function* () {
        const { folder } = yield* elsewhere
        yield* change(`${folder}/provider.ts`, "      channels: makeChannels(client),\n", "")
        const { href } = yield* serve({
          hostname: "127.0.0.1",
          port: 0,
          handler: makeExchange("a-key").handle,
        })
        const environment = {
          FLAT_RATE_URL: href,
          FLAT_RATE_KEY: "a-key",
          DATA_DIR: yield* preparedFolder,
        }
        const { apiKey, url } = yield* startOutside(`${folder}/main.ts`, environment)
        const pair = "sourceAsset=eth.eth&destinationAsset=usdc.eth"
        const quotes = yield* json(new URL(`/quotes/compare?${pair}&amount=1.5&start=any`, url), apiKey)
        assert.strictEqual(quotes.status, 200, JSON.stringify(quotes.body))
        assert.notInclude(JSON.stringify(quotes.body.quotes), "flat-rate")
        assert.deepInclude(quotes.body.notRanked, {
          platform: "flat-rate",
          reason: "start is none at flat-rate, which begins no swaps from Ethereum",
        })
        const address = "0x2222222222222222222222222222222222222222"
        const parties = `destinationAddress=${address}&refundAddress=${address}`
        const swap = yield* json(new URL(`/swap?${pair}&${parties}&amount=1&platform=flat-rate`, url), apiKey)
        assert.strictEqual(swap.status, 400)
        assert.deepStrictEqual(swap.body.errors, {
          platform: [
            "platform flat-rate opens no deposit channels, and begins no swaps from Ethereum in another way",
          ],
        })
        const settings = yield* Effect.promise(() => fetch(new URL("/docs/settings", url)))
        assert.include(yield* Effect.promise(() => settings.text()), "FLAT_RATE_URL")
      }).pipe(Effect.scoped),
  )
})
