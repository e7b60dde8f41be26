import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { find, isObject, type Json, listAt, parseJson, textAt } from "#test/contract/support/Json.ts"

/** An answer to a message. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Null where the answer has no JSON. */
  readonly body: Json
}

/** The message in an answer, which is JSON or one event of a stream. */
const messageIn = (text: string, contentType: string): Json => {
  if (text.trim() === "" || contentType.startsWith("text/plain")) return null
  if (contentType.startsWith("text/event-stream")) {
    const last = text.split("\n").findLast((line) => line.startsWith("data: "))
    return last === undefined ? null : parseJson(last.slice("data: ".length))
  }
  return parseJson(text)
}

export interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string | null
  readonly path?: string
}

/** Sends a request to the endpoint as it is. */
export const send = Effect.fnUntraced(function* (sent: Sent) {
  const { body, headers = {}, key = testKey, method = "POST", path = "/mcp" } = sent
  const url = new URL(path, yield* brokerUrl)
  return yield* Effect.promise(async (signal): Promise<Reply> => {
    const response = await reach(url, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        accept: "application/json, text/event-stream",
        ...headers,
      },
      signal,
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const contentType = response.headers.get("content-type") ?? ""
    return { status: response.status, headers: response.headers, text, body: messageIn(text, contentType) }
  })
})

/** What a client says of itself, and how it is asked. */
export interface Client {
  readonly key?: string | null
  readonly capabilities?: Readonly<Record<string, unknown>>
}

const stateless = "2026-07-28"

/** Sends a message of 2026-07-28. */
export const ask = (method: string, params: Readonly<Record<string, unknown>> = {}, client: Client = {}) => {
  const { name, uri } = { name: undefined, uri: undefined, ...params }
  const routed = name ?? uri
  return send({
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": stateless,
          "io.modelcontextprotocol/clientCapabilities": client.capabilities ?? {},
        },
      },
    }),
    headers: {
      "mcp-protocol-version": stateless,
      "mcp-method": method,
      ...(routed === undefined ? {} : { "mcp-name": `${routed}` }),
    },
    ...(client.key === undefined ? {} : { key: client.key }),
  })
}

/** The result of a message of 2026-07-28 that has to succeed. */
export const resultOf = (
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  client: Client = {},
) =>
  Effect.map(ask(method, params, client), (reply) => {
    assert.strictEqual(reply.status, 200, reply.text)
    const result = find(reply.body, "result")
    if (result === undefined) throw new Error(reply.text)
    return result
  })

/** Calls a tool: its whole result. */
export const callTool = (
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  client: Client = {},
  more: Readonly<Record<string, unknown>> = {},
) => resultOf("tools/call", { name, arguments: args, ...more }, client)

/** What a tool answered, which has to succeed. Text and structure say the same. */
export const answerOf = (result: Json): Json => {
  assert.strictEqual(find(result, "isError"), false, JSON.stringify(result))
  const structured = find(result, "structuredContent")
  const text = parseJson(textAt(result, "content", 0, "text"))
  assert.deepStrictEqual(JSON.stringify(text), JSON.stringify(structured))
  return text
}

/** Why a tool refused a call. */
export const refusalOf = (result: Json): Json => {
  assert.strictEqual(find(result, "isError"), true, JSON.stringify(result))
  const refusal = parseJson(textAt(result, "content", 0, "text"))
  assert.isTrue(isObject(refusal))
  assert.isUndefined(find(refusal, "code"))
  return refusal
}

/** The names of the tools that a key sees. */
export const toolNames = (client: Client = {}) =>
  Effect.map(
    resultOf("tools/list", {}, client),
    (result) => listAt(result, "tools").map((tool) => textAt(tool, "name")),
  )

/** Begins a session of an older version; its id. */
export const begin = Effect.fnUntraced(function* (
  client: Client & { readonly version?: string } = {},
) {
  const { capabilities = {}, key, version = "2025-11-25" } = client
  const reply = yield* send({
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: version, capabilities, clientInfo: { name: "test", version: "1" } },
    }),
    ...(key === undefined ? {} : { key }),
  })
  assert.strictEqual(reply.status, 200, reply.text)
  const id = reply.headers.get("mcp-session-id")
  if (id === null) throw new Error("An initialize without a session")
  return { id, reply, version }
})

/** Sends a message in a session. */
export const askIn = (
  session: { readonly id: string; readonly version: string },
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  client: Client = {},
) =>
  send({
    body: JSON.stringify({ jsonrpc: "2.0", id: 2, method, params }),
    headers: { "mcp-session-id": session.id, "mcp-protocol-version": session.version },
    ...(client.key === undefined ? {} : { key: client.key }),
  })
