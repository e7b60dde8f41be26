import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const runDemo = Effect.promise(async (signal) => {
  const command = new Deno.Command(Deno.execPath(), { args: ["task", "demo"], signal })
  const { code, stderr, stdout } = await command.output()
  const decoder = new TextDecoder()
  return { code, text: `${decoder.decode(stdout)}${decoder.decode(stderr)}` }
})

describe("deno task demo", () => {
  it.live(
    "makes its swaps one after the other, and lists them",
    () =>
      Effect.map(runDemo, ({ code, text }) => {
        assert.strictEqual(code, 0, text)
        assert.include(text, "The history lists 6 completed swaps")
        assert.include(text, "Everything went as it should.")
      }),
  )
})
