import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { otherKey } from "#test/contract/support/accounts.ts"
import { withOwnTwoAccounts, withTwoAccounts } from "#test/contract/support/call.ts"
import {
  at,
  find,
  integerAt,
  isList,
  isObject,
  type Json,
  listAt,
  textAt,
} from "#test/contract/support/Json.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import { openSwap } from "#test/contract/support/swaps.ts"
import { ask, askIn, begin, type Reply, resultOf, send } from "./support/agent.ts"

const version = "2026-07-28"
const served = [version, "2025-11-25", "2025-06-18"]

const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
}

type Members = Readonly<Record<string, unknown>>

/** Headers of 2026-07-28 for a method. */
const headersFor = (method: string, more: Readonly<Record<string, string>> = {}) => ({
  "mcp-protocol-version": version,
  "mcp-method": method,
  ...more,
})

/** Sends a message of 2026-07-28 whose headers need not fit it. */
const sendAs = (
  headers: Readonly<Record<string, string>>,
  method: string,
  params: Members = { _meta: meta },
) => send({ body: JSON.stringify({ jsonrpc: "2.0", id: "asked", method, params }), headers })

/** The code of an error, which carries the id of its request. */
const refusedWith = ({ body, text }: Reply): number => {
  assert.isUndefined(find(body, "result"), text)
  assert.strictEqual(textAt(body, "id"), "asked", text)
  assert.isAbove(textAt(body, "error", "message").length, 5)
  return integerAt(body, "error", "code")
}

const without = (name: string): Members =>
  Object.fromEntries(Object.entries(meta).filter(([key]) => key !== name))

const lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]

/** Everything in a JSON value that stands under `$ref`. */
const references = (json: Json): ReadonlyArray<Json> => {
  if (isList(json)) return json.flatMap(references)
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, member]) => name === "$ref" ? [member] : references(member))
}

const whySwap = { type: "ref/prompt", name: "why-is-my-swap-stuck" }
const swapTemplate = { type: "ref/resource", uri: "broker://swaps/{swapId}" }
const typed = (ref: Members, value: string, name = "swapId") => ({ ref, argument: { name, value } })

describe("the protocol", () => {
  withTwoAccounts()("of 2026-07-28", (it) => {
    it.effect("is told by discovery, which names the service, its versions and what it has", function* () {
      const result = yield* resultOf("server/discover")
      assert.deepStrictEqual(at(result, "supportedVersions"), served)
      for (const capability of ["tools", "resources", "prompts", "completions"]) {
        assert.isDefined(find(result, "capabilities", capability), capability)
      }
      for (const [capability, member] of [["tools", "listChanged"], ["resources", "subscribe"]] as const) {
        assert.isFalse(find(result, "capabilities", capability, member))
      }
      assert.strictEqual(textAt(result, "_meta", "io.modelcontextprotocol/serverInfo", "name"), "swap-broker")
    })

    it.effect("gives every result its type, and lists a time for which they may be kept by their client", function* () {
      for (const method of ["server/discover", ...lists]) {
        const result = yield* resultOf(method)
        assert.strictEqual(textAt(result, "resultType"), "complete", method)
        assert.isAbove(integerAt(result, "ttlMs"), 0, method)
        assert.strictEqual(textAt(result, "cacheScope"), "private", method)
        assert.deepStrictEqual(yield* resultOf(method), result)
      }
      const read = yield* resultOf("resources/read", { uri: "broker://guide" })
      assert.deepStrictEqual([textAt(read, "resultType"), integerAt(read, "ttlMs")], ["complete", 0])
      assert.strictEqual(textAt(read, "cacheScope"), "private")
    })

    it.effect("refuses a message that does not say its version and capabilities", function* () {
      for (const params of [{}, ...Object.keys(meta).map((name) => ({ _meta: without(name) }))]) {
        const reply = yield* sendAs(headersFor("tools/list"), "tools/list", params)
        assert.strictEqual(reply.status, 400, JSON.stringify(params))
        assert.strictEqual(refusedWith(reply), -32602)
      }
    })

    it.effect("names its versions to a client of another", function* () {
      const reply = yield* sendAs(
        headersFor("tools/list", { "mcp-protocol-version": "2031-01-01" }),
        "tools/list",
        {
          _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" },
        },
      )
      assert.strictEqual(reply.status, 400)
      assert.strictEqual(refusedWith(reply), -32022)
      assert.deepStrictEqual(at(reply.body, "error", "data", "supported"), served)
      assert.strictEqual(textAt(reply.body, "error", "data", "requested"), "2031-01-01")
    })

    it.effect("refuses headers that say otherwise than the message", function* () {
      const call = { _meta: meta, name: "list_assets", arguments: { network: "Bitcoin" } }
      for (
        const [headers, method, params] of [
          [{ "mcp-method": "tools/list" }, "tools/list", { _meta: meta }],
          [{ "mcp-protocol-version": version }, "tools/list", { _meta: meta }],
          [headersFor("tools/list", { "mcp-protocol-version": "2025-11-25" }), "tools/list", { _meta: meta }],
          [headersFor("prompts/list"), "tools/list", { _meta: meta }],
          [headersFor("TOOLS/LIST"), "tools/list", { _meta: meta }],
          [headersFor("tools/call"), "tools/call", call],
          [headersFor("tools/call", { "mcp-name": "get_swap" }), "tools/call", call],
          [headersFor("tools/call", { "mcp-name": "LIST_ASSETS" }), "tools/call", call],
          [headersFor("tools/call", { "mcp-name": "=?base64?bGlzdF9!c3NldHM=?=" }), "tools/call", call],
        ] as const
      ) {
        const reply = yield* sendAs(headers, method, params)
        assert.strictEqual(reply.status, 400, JSON.stringify(headers))
        assert.strictEqual(refusedWith(reply), -32020, JSON.stringify(headers))
      }
      for (const name of ["list_assets", "  list_assets  ", `=?base64?${btoa("list_assets")}?=`]) {
        const { body, status } = yield* sendAs(
          headersFor("tools/call", { "mcp-name": name }),
          "tools/call",
          call,
        )
        assert.strictEqual(status, 200, name)
        assert.isFalse(find(body, "result", "isError"), name)
      }
    })

    it.effect("knows neither the methods of older versions, nor subscriptions, nor others", function* () {
      const older = ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
      for (const method of [...older, "subscriptions/listen", "unknown/method"]) {
        const reply = yield* sendAs(headersFor(method), method, { _meta: meta, notifications: {} })
        assert.strictEqual(reply.status, 404, method)
        assert.match(reply.headers.get("content-type") ?? "", /^application\/json/, method)
        assert.strictEqual(refusedWith(reply), -32601, method)
      }
    })

    it.effect("has no sessions: it gives none out, and one that a request names counts for nothing", function* () {
      const own = yield* begin()
      const foreign = yield* begin({ key: otherKey })
      for (const id of ["stale", own.id, foreign.id]) {
        const reply = yield* sendAs(headersFor("tools/list", { "mcp-session-id": id }), "tools/list")
        assert.strictEqual(reply.status, 200, id)
        assert.isNull(reply.headers.get("mcp-session-id"))
        assert.isAbove(listAt(reply.body, "result", "tools").length, 7)
      }
      // Nor does its header open somebody else's session to a message of an older version.
      const older = yield* sendAs(
        headersFor("tools/list", { "mcp-session-id": foreign.id }),
        "tools/list",
        {},
      )
      assert.strictEqual(older.status, 400)
    })

    it.effect("takes one message at a time, of the right form, and a notification without an answer", function* () {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }
      for (
        const [body, code] of [["{", -32700], [
          JSON.stringify({ ...message, jsonrpc: "1.0" }),
          -32600,
        ]] as const
      ) {
        const reply = yield* send({ body, headers: headersFor("tools/list") })
        assert.strictEqual(integerAt(reply.body, "error", "code"), code)
      }
      const batch = yield* send({ body: JSON.stringify([message]), headers: headersFor("tools/list") })
      assert.strictEqual(batch.status, 400)
      const method = "notifications/cancelled"
      const told = yield* send({
        body: JSON.stringify({ jsonrpc: "2.0", method, params: { requestId: 1, _meta: meta } }),
        headers: headersFor(method),
      })
      assert.deepStrictEqual([told.status, told.text], [202, ""])
      for (
        const [name, value, status] of [["accept", "text/html", 406], [
          "content-type",
          "text/plain",
          415,
        ]] as const
      ) {
        const reply = yield* sendAs(headersFor("tools/list", { [name]: value }), "tools/list")
        assert.strictEqual(reply.status, status, name)
      }
    })

    it.effect("says of what is not there that it is not", function* () {
      for (
        const [method, params] of [
          ["tools/call", { name: "unknown", arguments: {} }],
          ["prompts/get", { name: "unknown" }],
          ["prompts/get", { name: "why-is-my-swap-stuck" }],
          ["prompts/get", { name: "why-is-my-swap-stuck", arguments: { swapId: "first" } }],
          ["resources/read", { uri: "broker://unknown" }],
          ["resources/read", { uri: "broker://swaps/999999" }],
          ["completion/complete", typed({ type: "ref/prompt", name: "unknown" }, "1")],
          ["completion/complete", typed(whySwap, "1", "unknown")],
        ] as const
      ) {
        const { body, text } = yield* ask(method, params)
        assert.strictEqual(integerAt(body, "error", "code"), -32602, text)
        const { uri } = { uri: undefined, ...params }
        if (uri !== undefined) assert.strictEqual(textAt(body, "error", "data", "uri"), uri)
      }
    })

    it.effect("has tools whose names and schemas every client can read", function* () {
      for (const tool of listAt(yield* resultOf("tools/list"), "tools")) {
        assert.match(textAt(tool, "name"), /^[A-Za-z0-9_.-]{1,128}$/)
        assert.isAbove(textAt(tool, "description").length, 20)
        for (const schema of [at(tool, "inputSchema"), at(tool, "outputSchema")]) {
          const inside = references(schema)
          for (const reference of inside) {
            const [root, defs, name = ""] = `${reference}`.split("/")
            assert.deepStrictEqual([root, defs], ["#", "$defs"], `${reference}`)
            assert.isDefined(find(schema, "$defs", name), `${reference}`)
          }
        }
      }
    })
  })

  withTwoAccounts()("of the older versions", (it) => {
    it.effect("agrees on the version of the client, or offers the newest", function* () {
      for (
        const [asked, agreed] of [
          ["2025-11-25", "2025-11-25"],
          ["2025-06-18", "2025-06-18"],
          ["2025-03-26", "2025-11-25"],
          ["2031-01-01", "2025-11-25"],
        ] as const
      ) {
        const { reply: { body, headers } } = yield* begin({ version: asked })
        assert.strictEqual(textAt(body, "result", "protocolVersion"), agreed, asked)
        assert.strictEqual(headers.get("mcp-protocol-version"), agreed)
        assert.strictEqual(textAt(body, "result", "serverInfo", "name"), "swap-broker")
        assert.isFalse(find(body, "result", "capabilities", "resources", "subscribe"))
      }
    })

    for (const version of ["2025-11-25", "2025-06-18"]) {
      it.effect(`keeps to ${version} in its session`, function* () {
        const session = yield* begin({ version })
        const headers = { "mcp-session-id": session.id, "mcp-protocol-version": version }
        const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
        const told = yield* send({ body: JSON.stringify(initialized), headers })
        assert.deepStrictEqual([told.status, told.text], [202, ""])
        const pong = yield* askIn(session, "ping")
        assert.deepStrictEqual([pong.status, Object.keys({ ...Object(at(pong.body, "result")) })], [200, []])
        assert.isDefined(find((yield* askIn(session, "logging/setLevel", { level: "info" })).body, "result"))
        for (
          const [method, params, code] of [
            ["logging/setLevel", { level: "loud" }, -32602],
            ["unknown/method", {}, -32601],
            ["server/discover", {}, -32601],
            ["tools/call", { name: "unknown", arguments: {} }, -32602],
            ["resources/read", { uri: "broker://unknown" }, -32002],
          ] as const
        ) {
          const { body, status, text } = yield* askIn(session, method, params)
          assert.strictEqual(status, 200, text)
          assert.strictEqual(integerAt(body, "error", "code"), code, text)
        }
        // A client that leaves the header out is taken to keep to what was agreed.
        const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" })
        for (
          const [more, status] of [
            [{ "mcp-session-id": session.id }, 200],
            [{ ...headers, "mcp-protocol-version": "2024-11-05" }, 400],
            [{ ...headers, "mcp-session-id": "unknown" }, 404],
            [{ "mcp-protocol-version": version }, 400],
          ] as const
        ) {
          assert.strictEqual(
            (yield* send({ body: ping, headers: more })).status,
            status,
            JSON.stringify(more),
          )
        }
      })
    }
  })

  withOwnTwoAccounts()("suggests numbers of swaps", (it) => {
    it.effect("of the account, as they are typed, to keys that may list them", function* () {
      const id = `${
        integerAt(yield* openSwap({ sourceAsset: "btc.btc", destinationAsset: "eth.eth" }), "id")
      }`
      const session = yield* begin()
      for (const ref of [whySwap, swapTemplate]) {
        const suggested = (value: string, key?: string) =>
          Effect.map(
            resultOf("completion/complete", typed(ref, value), key === undefined ? {} : { key }),
            (result) => listAt(result, "completion", "values"),
          )
        assert.deepStrictEqual(yield* suggested(""), [id])
        assert.deepStrictEqual(yield* suggested(id), [id])
        assert.deepStrictEqual(yield* suggested(`${id}0`), [])
        assert.deepStrictEqual(yield* suggested("", otherKey), [])
        const { key } = yield* issue(yield* newAccount(), { scopes: ["status"] })
        assert.deepStrictEqual(yield* suggested("", key), [])
        const { body } = yield* askIn(session, "completion/complete", typed(ref, id))
        assert.deepStrictEqual(listAt(body, "result", "completion", "values"), [id])
      }
      const wish = yield* resultOf(
        "completion/complete",
        typed({ ...whySwap, name: "swap-assistant" }, "0.1", "wish"),
      )
      assert.deepStrictEqual(listAt(wish, "completion", "values"), [])
    })
  })
})
