import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { ProviderDefinitions } from "#providers/mod.ts"
import { assertReadAgain } from "#test/cli/record/recorded.ts"
import { type Json, parseJson } from "#test/contract/support/Json.ts"
import { startSandbox, temporaryFolder } from "#test/sandbox/support.ts"
import { cases } from "./support/knownSwaps.ts"
import { rehearsed } from "./support/rehearsed.ts"
import { spied } from "./support/spied.ts"

describe("rehearse --record", () => {
  it.live.each(cases)(
    "writes a file of $name that the kit reads as the command did, and that names nobody",
    function* ({ env, provider, swap }) {
      const client = yield* startSandbox()
      const { channel, transaction } = yield* swap(client)
      const named = Object.entries({ channel, transaction })
        .flatMap(([flag, value]) => value === undefined ? [] : [[`--${flag}`, value]])
      const said: Array<Json> = [...named]
      const definitions = spied(({ operation }) => (answer) =>
        Effect.tap(answer, (found) =>
          Effect.sync(() => {
            if (operation !== "status") return
            const text = JSON.stringify(
              { found },
              (_, value) => typeof value === "bigint" ? `${value}` : value,
            )
            said.push(parseJson(text))
          }))
      )
      const file = `${yield* temporaryFolder}/swap.json`
      const args = ["--provider", provider, "--pairs", "1", ...named.flat()]
      const assets = ["--source-asset", "btc.btc", "--destination-asset", "eth.eth"]
      const { code, errors } = yield* Effect.provideService(
        rehearsed(env(client.url), ...args, ...assets, "--record", file),
        ProviderDefinitions,
        definitions,
      )
      assert.strictEqual(code, 0, errors)
      const text = yield* Effect.promise(() => Deno.readTextFile(file))
      for (const [, original = ""] of named) assert.notInclude(text, original)
      yield* assertReadAgain(text, provider, said)
      assert.include(text, '"transactionReference"')
    },
  )
})
