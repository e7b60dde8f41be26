import { assert, layer } from "#test/support/it.ts"
import { Effect, Schema } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { NetworkCommand } from "#api/SandboxCommands.ts"
import { commandsOf, runCommand } from "#test/interfaces/docs/support/commands.ts"
import { readCurl } from "#test/interfaces/docs/support/readCurl.ts"
import { makeFiveCalls } from "./fiveCalls.ts"
import { settingsPages } from "./settingsTable.ts"

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
    const answers = yield* Effect.forEach(
      commandsOf("Accounts, keys and routes"),
      (command) =>
        Effect.promise(async () => {
          const { body, headers, method, url } = readCurl(command, { URL: origin, KEY: testKey })
          const response = await fetch(url, { headers, method, ...(body === undefined ? {} : { body }) })
          assert.isBelow(response.status, 300, `${url}: ${response.status}`)
          return await response.text()
        }),
    )
    const [, key = "", , audit = ""] = answers
    assert.strictEqual(answers.length, 8)
    assert.match(key, /"key":"sbk_/)
    for (const action of ["account.created", "key.issued", "route.set"]) assert.include(audit, action)
  })

  it.effect("opens a channel over JSON-RPC", function* () {
    const { origin } = yield* brokerUrl
    const [command = ""] = commandsOf("Chainflip SDK and RPC")
    const text = JSON.stringify(yield* runCommand(origin, command))
    assert.match(text, /"result":\{"address":"\w+","issued_block"/)
  })
})
