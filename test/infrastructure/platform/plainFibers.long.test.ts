import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"

const script = new URL("../../support/fiberContext.ts", import.meta.url).pathname

const contextIn = (kind: "plain" | "usual") =>
  Effect.promise(async () => {
    const child = new Deno.Command(Deno.execPath(), { args: ["run", "-A", script, kind] })
    return new TextDecoder().decode((await child.output()).stdout).trim()
  })

describe("plain fibers", () => {
  it.live("keep nothing of Node's async context, which Effect's fibers keep otherwise", function* () {
    assert.strictEqual(yield* contextIn("plain"), "nothing")
    // Where this is nothing, too, plainFibers.ts is of no use any more.
    assert.strictEqual(yield* contextIn("usual"), "the context")
  })
})
