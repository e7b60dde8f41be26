import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { programOf } from "./support/programOf.ts"

layer(broker(), { excludeTestServices: true })("the quickstart", (it) => {
  it.effect("comes to completed in JavaScript, as it stands but for the URL and the key", function* () {
    const { origin } = yield* brokerUrl
    const program = programOf("Quickstart", "js").replace("http://127.0.0.1:8080", origin)
      .replace("your-api-key", testKey).replace("console.log(status.state)", "export default status.state")
    assert.match(program, /\.\.\.best\.swapParameters,\s+quoteId: best\.quoteId,/)
    const written: { readonly default: unknown } = yield* Effect.promise(
      () => import(`data:text/javascript,${encodeURIComponent(program)}`),
    )
    assert.strictEqual(written.default, "completed")
  })

  it.effect("comes to completed by its commands, of which the second opens the first quote of the first", function* () {
    const { origin } = yield* brokerUrl
    const commands = programOf("Quickstart", "sh").split("\n").filter((line) => /^call .*"\$URL/.test(line))
    const found = { quoteId: "", platform: "", address: "", id: 0 }
    for (const command of commands) {
      const [, key, url = "", body] =
        /^call (?:-H "Idempotency-Key: ([^"]+)" )?"\$URL([^"]+)"(?: --json '([^']+)')?$/.exec(command) ??
          assert.fail(command)
      const filled = (text: string) =>
        text.replace("QUOTE_ID", found.quoteId).replace("ADDRESS", found.address).replace(
          /=ID$/,
          `=${found.id}`,
        )
      const json: unknown = yield* Effect.promise(async () => {
        const response = await fetch(origin + filled(url), {
          headers: {
            "x-api-key": testKey,
            "content-type": "application/json",
            ...(key === undefined ? {} : { "idempotency-key": key }),
          },
          ...(body === undefined ? {} : { method: "POST", body: filled(body) }),
        })
        assert.isBelow(response.status, 300, command)
        return response.json()
      })
      if (url.startsWith("/quotes")) Object.assign(found, Array.isArray(json) ? json[0] : {})
      if (url.startsWith("/swap")) {
        assert.include(filled(url), `quoteId=${found.quoteId}&`)
        const { platform } = found
        Object.assign(found, json)
        assert.strictEqual(found.platform, platform)
      }
      if (url.startsWith("/status")) assert.strictEqual(Object(Object(json).status).state, "completed")
    }
    assert.strictEqual(commands.length, 5)
  })
})
