import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { partsOf, programOf } from "./support/programOf.ts"

/** The members that a sample has and a response has not, at any depth. */
const absentIn = (response: unknown, sample: unknown, path = ""): ReadonlyArray<string> =>
  typeof sample !== "object" || sample === null ? [] : Object.entries(sample).flatMap(([name, inner]) => {
    const own: unknown = Object(response)[name]
    return own === undefined ? [`${path}.${name}`] : absentIn(own, inner, `${path}.${name}`)
  })

layer(broker(), { excludeTestServices: true })("the quickstart", (it) => {
  it.effect("comes to completed in JavaScript, as it stands but for the URL and the key", function* () {
    const { origin } = yield* brokerUrl
    const program = programOf("Quickstart", "js").replace("http://127.0.0.1:8080", origin)
      .replace("change-me-24-characters-or-more", testKey).replace(
        "console.log(status.state)",
        "export default status.state",
      )
    assert.match(program, /\.\.\.best\.swapParameters,\s+quoteId: best\.quoteId,/)
    const written: { readonly default: unknown } = yield* Effect.promise(
      () => import(`data:text/javascript,${encodeURIComponent(program)}`),
    )
    assert.strictEqual(written.default, "completed")
  })

  it.effect("comes to completed by its commands, whose responses have what it shows of them", function* () {
    const { origin } = yield* brokerUrl
    const commands = partsOf("Quickstart", "sh").filter((part) => part.startsWith("curl "))
    const shown = partsOf("Quickstart", "json").map((text): unknown => JSON.parse(text))
    const found = { quoteId: "", platform: "", address: "", id: 0 }
    for (const [index, command] of commands.entries()) {
      const [, url = "", headers = "", body] =
        /^curl "\$URL([^"]+)"((?: -H "[^"]+")+)(?: --json '([^']+)')?\n$/.exec(command) ??
          assert.fail(command)
      const filled = (text: string) =>
        text.replace("QUOTE_ID", found.quoteId).replace("ADDRESS", found.address).replace(
          "SWAP_ID",
          `${found.id}`,
        )
      assert.include(headers, "X-API-Key: $KEY")
      const json: unknown = yield* Effect.promise(async () => {
        const response = await fetch(origin + filled(url), {
          headers: { "x-api-key": testKey, "content-type": "application/json" },
          ...(body === undefined ? {} : { method: "POST", body: filled(body) }),
        })
        assert.isBelow(response.status, 300, command)
        return response.json()
      })
      assert.deepStrictEqual(absentIn(json, shown[index]), [], command)
      if (url.startsWith("/quotes")) Object.assign(found, Array.isArray(json) ? json[0] : {})
      if (url === "/swap") {
        const { platform } = found
        Object.assign(found, json)
        assert.strictEqual(found.platform, platform)
      }
      if (url.startsWith("/status")) assert.strictEqual(Object(Object(json).status).state, "completed")
    }
    assert.deepStrictEqual([commands.length, shown.length], [5, 5])
  })
})
