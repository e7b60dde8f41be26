import { assert, describe, it } from "#test/support/it.ts"
import { ConfigProvider, Effect } from "effect"
import { TestConsole } from "effect/testing"
import { printSettings, settingLines } from "#sandbox/standalone.ts"
import { readSettings } from "#settings.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { reach, withoutSocket } from "#test/support/reach.ts"
import { startSandbox, textAt } from "./support.ts"

const printedWith = (env: Readonly<Record<string, string>>) =>
  readSettings.pipe(
    Effect.flatMap(printSettings),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
    Effect.andThen(TestConsole.logLines),
    Effect.map((lines) => lines.map(String).join("\n").split("\n")),
  )

/** Lines as a shell reads them. */
const environmentOf = (lines: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(lines.map((line) => {
    const [, name = line, text = ""] = /^([A-Z_0-9]+)=([A-Za-z0-9:/.,[\]-]+)$/.exec(line) ?? []
    return [name, text]
  }))

describe("the settings that lead to a sandbox", () => {
  it.effect("are printed as plain lines, with nothing that a shell would read in its own way", function* () {
    const lines = yield* printedWith({ SANDBOX_PORT: "4321", HOST: "::1" })
    const environment = environmentOf(lines)
    assert.notInclude(Object.values(environment), "")
    assert.strictEqual(environment["SANDBOX_URL"], "http://[::1]:4321")
    assert.strictEqual(environment["RELAY_URL"], "http://[::1]:4321/relay")
    assert.strictEqual(environment["CHAINFLIP_NETWORK"], "sandbox")
  })

  it.effect("are not printed while nobody knows the port", function* () {
    const { message } = yield* Effect.flip(printedWith({ SANDBOX_PORT: "0" }))
    assert.include(message, "SANDBOX_PORT")
  })

  it.live("make a service in live mode open swaps from every chain", function* () {
    const { url } = yield* startSandbox()
    const settings = { ...environmentOf(settingLines(url)), MODE: "live" }
    yield* Effect.gen(function* () {
      const service = yield* brokerUrl
      for (const sourceAsset of ["btc.btc", "eth.eth", "sol.sol", "trx.tron"]) {
        const parameters = new URLSearchParams({
          apiKey: testKey,
          sourceAsset,
          destinationAsset: "usdc.arb",
          destinationAddress: "0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5",
          minimumPrice: "0",
        })
        const answer = yield* Effect.promise(async () => {
          const response = await reach(new URL(`/swap?${parameters}`, service), { method: "POST" })
          return { status: response.status, json: await response.json() }
        })
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.json))
        assert.notStrictEqual(textAt(answer.json, "address"), "")
      }
    }).pipe(Effect.provide(broker(settings)), Effect.provide(withoutSocket))
  })
})
