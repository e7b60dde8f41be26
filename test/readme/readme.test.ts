import { assert, layer } from "#test/support/it.ts"
import { Effect, Schema } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { guides } from "#api/document/guides.ts"
import { NetworkCommand } from "#api/SandboxCommands.ts"
import { makeFiveCalls } from "./fiveCalls.ts"
import { settingsPages } from "./settingsTable.ts"

/** The `curl` lines of a guide of `/docs`. */
const callsOf = (name: string) =>
  (guides.find((guide) => guide.name === name)?.description ?? "").split("\n")
    .filter((line) => line.startsWith("curl "))

/** The operator's `curl` lines, with what `--json` means. */
const operatorCalls = callsOf("Accounts, keys and routes")
  .map((line) => {
    const [, url = "", method, body] =
      /^curl "([^"]+)" -H "X-API-Key: \$KEY"(?: -H "Accept: text\/csv")?(?: -X ([A-Z]+))?(?: --json '([^']+)')?$/
        .exec(line) ?? []
    const json = body === undefined ? {} : { method: method ?? "POST", body }
    return { url, json }
  })

/** The `curl` line of JSON-RPC. */
const [, rpcUrl = "", rpcBody = ""] =
  /^curl "([^"]+)" --json '([^']+)'$/.exec(callsOf("Chainflip SDK and RPC").join("\n")) ?? []

layer(broker())("the README and what it leads to", (it) => {
  it.effect("leads to a list of the settings that the code describes", () =>
    Effect.sync(() => {
      for (const { document, place } of settingsPages) {
        assert.strictEqual(Deno.readTextFileSync(place), document)
      }
    }))

  it.effect("shows the same settings at /docs/settings", function* () {
    const { origin } = yield* brokerUrl
    const page = yield* Effect.promise(async () => (await fetch(`${origin}/docs/settings`)).text())
    const shown = [...page.matchAll(/<tr><td[^>]*><code id="[^"]+">([A-Z0-9_]+(?:&lt;CHAIN&gt;)?)<\/code>/g)]
      .map((
        [, name = ""],
      ) => name.replace("&lt;CHAIN&gt;", "<CHAIN>"))
    assert.deepStrictEqual(
      shown,
      settingsPages.flatMap(({ document }) =>
        [...document.matchAll(/^\| `([A-Z0-9_]+(?:<CHAIN>)?)`/gm)].map(([, name]) => name)
      ),
    )
  })

  it.effect("leads from quote to completed in five calls", function* () {
    const { origin } = yield* brokerUrl
    yield* makeFiveCalls(origin, testKey)
  })

  it.effect("leads to failures that the sandbox simulates, and back", () =>
    Effect.sync(() => {
      const running = Deno.readTextFileSync(new URL("../../src/running.md", import.meta.url))
      const bodies = [...running.matchAll(/^ *network '(\{.+?\})'(?: |$)/gm)].map(([, body = ""]) => body)
      const commands = bodies.map((body) =>
        Schema.decodeUnknownSync(Schema.fromJsonString(NetworkCommand))(body)
      )
      assert.deepStrictEqual(
        commands.map((command) => command.change),
        ["rejectNextDeposit", "movePrice", "nextEgress", "movePrice"],
      )
    }))

  it.effect("leads to an account with a key and a route", function* () {
    const { origin } = yield* brokerUrl
    const headers = { "x-api-key": testKey, "content-type": "application/json" }
    const answers = yield* Effect.forEach(operatorCalls, ({ url, json }) =>
      Effect.promise(async () => {
        const response = await fetch(url.replace("$URL", origin), { headers, ...json })
        assert.isBelow(response.status, 300, `${url}: ${response.status}`)
        return await response.text()
      }))
    const [, key = "", , audit = ""] = answers
    assert.strictEqual(answers.length, 8)
    assert.match(key, /"key":"sbk_/)
    for (const action of ["account.created", "key.issued", "route.set"]) assert.include(audit, action)
  })

  it.effect("opens a channel over JSON-RPC", function* () {
    const { origin } = yield* brokerUrl
    const text = yield* Effect.promise(async () => {
      const url = rpcUrl.replace("$URL", origin).replace("$KEY", testKey)
      const headers = { "content-type": "application/json" }
      return await (await fetch(url, { method: "POST", headers, body: rpcBody })).text()
    })
    assert.match(text, /"result":\{"address":"\w+","issued_block"/)
  })
})
