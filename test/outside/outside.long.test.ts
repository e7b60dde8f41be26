import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serve } from "#infrastructure/platform/serve.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { kitProcess, startOutside } from "#test/support/process.ts"
import { folderOf, json } from "./support.ts"

const elsewhere = folderOf("flat")

describe.concurrent("a provider outside the repository", () => {
  it.live("is asked by the kit with one command there", () =>
    Effect.gen(function* () {
      const kit = yield* kitProcess(yield* elsewhere)
      const { code } = yield* kit.ended
      assert.strictEqual(code, 0, kit.output())
      assert.match(kit.output(), /22 passed/)
    }).pipe(Effect.scoped))

  it.live("is the template, copied as it is, with its tests", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("template")
      const tests = new URL("../conformance/template.test.ts", import.meta.url)
      yield* Effect.promise(async () => {
        const text = await Deno.readTextFile(tests)
        const there = text
          .replaceAll(/(?<= from ")\.[^"]+/g, (path) => new URL(path, tests).href)
          .replace(new URL("template/provider.ts", import.meta.url).href, "./provider.ts")
        await Deno.writeTextFile(`${folder}/template.test.ts`, there)
      })
      const kit = yield* kitProcess(folder)
      const { code } = yield* kit.ended
      assert.strictEqual(code, 0, kit.output())
    }).pipe(Effect.scoped))

  it.live(
    "is told by the kit of a question without an answer, which only types can see",
    () =>
      Effect.gen(function* () {
        const folder = yield* elsewhere
        yield* Effect.promise(async () => {
          const path = `${folder}/flat.test.ts`
          const text = await Deno.readTextFile(path)
          await Deno.writeTextFile(path, text.replace("    RequestCancelled: never,\n", ""))
        })
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
        const folder = yield* elsewhere
        yield* Effect.promise(() => Deno.rename(`${folder}/flat.test.ts`, `${folder}/kit.ts`))
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
        const upstream = yield* serve({
          hostname: "127.0.0.1",
          port: 0,
          handler: () => Promise.resolve(Response.json({ dollars: 2_000 })),
        })
        const environment = { FLAT_URL: upstream.href, DATA_DIR: yield* preparedFolder }
        const { apiKey, url } = yield* startOutside(`${yield* elsewhere}/main.ts`, environment)
        const pair = "sourceAsset=eth.eth&destinationAsset=usdc.eth"
        const quotes = yield* json(new URL(`/quotes/compare?${pair}&amount=1.5&start=any`, url), apiKey)
        assert.strictEqual(quotes.status, 200, JSON.stringify(quotes.body))
        assert.notInclude(JSON.stringify(quotes.body.quotes), "flat")
        assert.deepInclude(quotes.body.notRanked, {
          platform: "flat",
          reason: "start is none at flat, which begins no swaps from Ethereum",
        })
        const address = "0x2222222222222222222222222222222222222222"
        const parties = `destinationAddress=${address}&refundAddress=${address}`
        const swap = yield* json(new URL(`/swap?${pair}&${parties}&amount=1&platform=flat`, url), apiKey)
        assert.strictEqual(swap.status, 400)
        assert.deepStrictEqual(swap.body.errors, {
          platform: [
            "platform flat opens no deposit channels, and begins no swaps from Ethereum in another way",
          ],
        })
        const settings = yield* Effect.promise(() => fetch(new URL("/docs/settings", url)))
        assert.include(yield* Effect.promise(() => settings.text()), "FLAT_URL")
      }).pipe(Effect.scoped),
  )
})
