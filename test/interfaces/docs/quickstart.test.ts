import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { partsOf, programOf } from "./support/programOf.ts"
import { absentIn, commandsOf, runCommand } from "./support/commands.ts"

/** Guides beside the quickstart whose commands begin swaps. */
const others = ["Opening a swap", "Boost and DCA", "Affiliates and commission"]

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
    const commands = commandsOf("Quickstart")
    const shown = partsOf("Quickstart", "json").map((text): unknown => JSON.parse(text))
    const found = { quoteId: "", platform: "", address: "", id: 0 }
    for (const [index, command] of commands.entries()) {
      const filled = command.replace("QUOTE_ID", found.quoteId).replace("ADDRESS", found.address)
        .replace("SWAP_ID", `${found.id}`)
      const json = yield* runCommand(origin, filled)
      assert.deepStrictEqual(absentIn(json, shown[index]), [], command)
      if (command.includes('/quotes"')) Object.assign(found, Array.isArray(json) ? json[0] : {})
      if (command.includes('/swap"')) {
        const { platform } = found
        Object.assign(found, json)
        assert.strictEqual(found.platform, platform)
      }
      if (command.includes("/status")) assert.strictEqual(Object(Object(json).status).state, "completed")
    }
    assert.deepStrictEqual([commands.length, shown.length], [5, 5])
  })

  it.effect("is not alone: the commands of other guides begin swaps, with the members that they show", function* () {
    const { origin } = yield* brokerUrl
    const commands = others.flatMap(commandsOf).filter((part) => !part.includes("QUOTE_ID"))
    assert.lengthOf(commands, 3)
    const [payload] = yield* Effect.forEach(commands, (command) => runCommand(origin, command))
    const [shown = ""] = partsOf("Opening a swap", "json")
    assert.deepStrictEqual(absentIn(payload, JSON.parse(shown)), [])
  })

  it.effect("is not alone: a response passes the verifier as the guide calls it", function* () {
    const { origin } = yield* brokerUrl
    const channel = yield* Effect.promise(async () => {
      const get = async (path: string) =>
        (await fetch(origin + path, { headers: { "x-api-key": testKey } })).json()
      const values = {
        url: origin,
        key: testKey,
        keyId: (await get("/account")).key.id,
        keys: (await get("/.well-known/swap-broker-case-keys")).keys,
        swap: {
          sourceAsset: "btc.btc",
          destinationAsset: "eth.eth",
          destinationAddress: "0x2222222222222222222222222222222222222222",
        },
      }
      const program = `const { url, key, keyId, keys, swap } = ${JSON.stringify(values)}
${programOf("Signed responses", "js")}
export default channel`
      return (await import(`data:text/javascript,${encodeURIComponent(program)}`)).default
    })
    assert.isString(channel.address)
  })
})
