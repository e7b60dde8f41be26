import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { programOf } from "./support/programOf.ts"

layer(broker(), { excludeTestServices: true })("the quickstart", (it) => {
  it.effect("comes to completed in Python, as it stands but for the URL and the key", function* () {
    const { origin } = yield* brokerUrl
    const program = programOf("Quickstart", "python").replace("http://127.0.0.1:8080", origin).replace(
      "change-me-24-characters-or-more",
      testKey,
    )
    const { code, stderr, stdout } = yield* Effect.promise(() =>
      new Deno.Command("python3", { args: ["-c", program] }).output()
    )
    assert.strictEqual(code, 0, new TextDecoder().decode(stderr))
    assert.strictEqual(new TextDecoder().decode(stdout).trim(), "completed")
  })
})
