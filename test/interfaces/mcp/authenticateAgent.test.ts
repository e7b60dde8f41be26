import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { call, withListeningTwoAccounts } from "#test/contract/support/call.ts"
import { otherKey } from "#test/contract/support/accounts.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { at, textAt } from "#test/contract/support/Json.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { heapInUse } from "#test/support/heapInUse.ts"
import { ask, askIn, begin, send, toolNames } from "./support/agent.ts"

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "x".repeat(5_000), version: "1" },
  },
})

/** How many strangers knock; all with HOSTILE=all. */
const strangers = Deno.env.get("HOSTILE") === "all" ? 10_000 : 500

describe("the door", () => {
  withListeningTwoAccounts()("to agents", (it) => {
    it.effect("refuses a request without a key in a header, and says where keys belong", function* () {
      for (
        const [sent, why] of [
          [{ key: null }, "no key"],
          [{ key: null, path: `/mcp?apiKey=${testKey}` }, "a key in the URL"],
          [{ path: `/mcp?apiKey=${testKey}` }, "the same key in the URL and a header"],
          [{ key: "sbk_wrong" }, "a wrong key"],
        ] as const
      ) {
        const { body, headers, status } = yield* send({ body: initialize, ...sent })
        assert.strictEqual(status, 401, why)
        assert.match(headers.get("www-authenticate") ?? "", /^Bearer /)
        assert.match(textAt(body, "detail"), /header/)
        assert.isNull(headers.get("mcp-session-id"))
      }
    })

    it.effect("takes a key in X-API-Key, too", function* () {
      const { status } = yield* send({ body: initialize, key: null, headers: { "x-api-key": testKey } })
      assert.strictEqual(status, 200)
    })

    it.effect("keeps nothing of strangers, however many knock", function* () {
      const knock = Effect.map(send({ body: initialize, key: null }), ({ status }) => status)
      yield* Effect.forEach(Array.from({ length: 50 }), () => knock)
      const before = heapInUse()
      const statuses = yield* Effect.forEach(Array.from({ length: strangers }), () => knock, {
        concurrency: 8,
      })
      const grown = heapInUse() - before
      assert.isTrue(statuses.every((status) => status === 401))
      assert.isBelow(grown, 20e6)
    })

    it.effect("refuses pages of other origins, and lets in those of this service", function* () {
      const { host, origin } = yield* brokerUrl
      for (const foreign of ["https://evil.example", "null", `http://evil.example:${host.split(":")[1]}`]) {
        const { headers, status } = yield* send({ body: initialize, headers: { origin: foreign } })
        assert.strictEqual(status, 403, foreign)
        assert.isNull(headers.get("access-control-allow-origin"))
      }
      const own = yield* send({ body: initialize, headers: { origin } })
      assert.strictEqual(own.status, 200)
    })

    it.effect("refuses methods that the endpoint does not have", function* () {
      for (const method of ["GET", "PUT", "PATCH", "OPTIONS"]) {
        const { headers, status } = yield* send({ method })
        assert.strictEqual(status, 405, method)
        assert.strictEqual(headers.get("allow"), "POST, DELETE")
      }
    })

    it.effect("bounds what a client says of itself, and every body", function* () {
      const long = yield* send({ body: initialize.replace("xxxxx", "x".repeat(5_000)) })
      assert.strictEqual(long.status, 413)
      const longest = yield* send({
        body: `{"jsonrpc":"2.0","id":1,"method":"ping","x":"${"x".repeat(65_536)}"}`,
      })
      assert.strictEqual(longest.status, 413)
    })

    it.effect("shows a key the tools of its scopes, and calls no other", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account, { scopes: ["status"] })
      assert.deepStrictEqual(yield* toolNames({ key }), ["get_payment", "get_swap", "explain_swap"])
      const { body, status } = yield* ask("tools/call", { name: "list_swaps", arguments: {} }, { key })
      assert.strictEqual(status, 200)
      assert.strictEqual(JSON.stringify(at(body, "error", "code")), '{"text":"-32602"}')
    })

    it.effect("opens nothing for an account whose keys are for its pages, and answers all else", function* () {
      const { key } = yield* issue(yield* newAccount({ allowedOrigins: ["https://app.example"] }))
      const opened = yield* ask("tools/call", { name: "open_swap", arguments: {} }, { key })
      assert.strictEqual(opened.status, 403)
      assert.match(textAt(opened.body, "detail"), /listed origins/)
      const listed = yield* ask("tools/call", { name: "list_swaps", arguments: {} }, { key })
      assert.strictEqual(listed.status, 200)
    })

    it.effect("lets a session answer to its own key alone, until that is revoked", function* () {
      const account = yield* newAccount()
      const { id, key } = yield* issue(account)
      const session = yield* begin({ key })
      assert.strictEqual((yield* askIn(session, "tools/list", {}, { key })).status, 200)
      assert.strictEqual((yield* askIn(session, "tools/list", {}, { key: otherKey })).status, 404)
      const { key: sibling } = yield* issue(account)
      assert.strictEqual((yield* askIn(session, "tools/list", {}, { key: sibling })).status, 404)
      const ended = yield* send({ method: "DELETE", key: sibling, headers: { "mcp-session-id": session.id } })
      assert.strictEqual(ended.status, 404)
      yield* operate("DELETE", `/keys/${id}`)
      assert.strictEqual((yield* askIn(session, "tools/list", {}, { key })).status, 401)
    })

    it.effect("lets nobody in of an account without MCP, in a session or without one, and lets them in again", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account)
      const session = yield* begin({ key })
      yield* operate("PATCH", `/accounts/${account}`, { mcp: false })
      const replies = [
        yield* askIn(session, "tools/list", {}, { key }),
        yield* ask("tools/list", {}, { key }),
        yield* send({ body: initialize, key }),
        yield* send({ method: "DELETE", key, headers: { "mcp-session-id": session.id } }),
      ]
      for (const { body, headers, status } of replies) {
        assert.strictEqual(status, 403)
        assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/)
        assert.match(textAt(body, "detail"), /MCP is switched off for this account/)
        assert.isNull(headers.get("mcp-session-id"))
      }
      // REST goes on, and so do agents of other accounts.
      assert.strictEqual((yield* call("GET", "/swaps", { key })).status, 200)
      assert.strictEqual((yield* ask("tools/list")).status, 200)
      yield* operate("PATCH", `/accounts/${account}`, { mcp: true })
      assert.strictEqual((yield* ask("tools/list", {}, { key })).status, 200)
      assert.strictEqual((yield* askIn(session, "tools/list", {}, { key })).status, 404)
    })

    it.effect("keeps no session of a key that was revoked, once that is used again", function* () {
      const account = yield* newAccount()
      const { id, key: old } = yield* issue(account)
      const { key } = yield* issue(account)
      const first = yield* begin({ key })
      const ofOld = yield* begin({ key: old })
      for (let more = 0; more < 18; more++) yield* begin({ key: old })
      yield* operate("DELETE", `/keys/${id}`)
      assert.strictEqual((yield* askIn(ofOld, "tools/list", {}, { key: old })).status, 401)
      // There is room again: none of these ends the first, which is unused for longest.
      for (let more = 0; more < 19; more++) yield* begin({ key })
      assert.strictEqual((yield* askIn(first, "tools/list", {}, { key })).status, 200)
    })

    it.effect("ends a session by DELETE", function* () {
      const session = yield* begin()
      const headers = { "mcp-session-id": session.id, "mcp-protocol-version": session.version }
      assert.strictEqual((yield* send({ method: "DELETE", headers })).status, 204)
      assert.strictEqual((yield* askIn(session, "tools/list")).status, 404)
      assert.strictEqual((yield* send({ method: "DELETE", headers })).status, 404)
    })
  })

  withListeningTwoAccounts()("with few sessions", (it) => {
    it.effect("ends the longest unused of the account that has too many", function* () {
      const other = yield* begin({ key: otherKey })
      const first = yield* begin()
      const second = yield* begin()
      for (let more = 0; more < 18; more++) yield* begin()
      // Used, so that the second is now the longest unused.
      assert.strictEqual((yield* askIn(first, "tools/list")).status, 200)
      yield* begin()
      assert.strictEqual((yield* askIn(first, "tools/list")).status, 200)
      assert.strictEqual((yield* askIn(second, "tools/list")).status, 404)
      assert.strictEqual((yield* askIn(other, "tools/list", {}, { key: otherKey })).status, 200)
    })
  })
})
