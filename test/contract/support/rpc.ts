import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerUrl, testKey } from "../../support/broker.ts"
import { type Answer, openApi } from "./call.ts"
import { assertDocumented } from "./documented.ts"
import { find, type Json, parseJson } from "./Json.ts"
import { assertProblem } from "./problem.ts"

const endpoint = { method: "POST", path: "/rpc/{apiKey}" }

/** How a request is sent other than as most are. */
export interface RpcOptions {
  /** The default account's when absent. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a body to `/rpc`, as it is where it is text; the answer has to fit the OpenAPI document. */
export const post = Effect.fnUntraced(function* (body: unknown, { headers, key = testKey }: RpcOptions = {}) {
  const url = new URL(`/rpc/${encodeURIComponent(key)}`, yield* brokerUrl)
  const answer = yield* Effect.promise(async (signal): Promise<Answer> => {
    const response = await fetch(url, {
      method: "POST",
      signal,
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? null : parseJson(text),
    }
  })
  assert.notInclude(answer.text, key, "the key is in the body")
  assert.notInclude(JSON.stringify([...answer.headers]), key, "the key is in a header")
  assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  if (answer.status >= 400) assertProblem(answer)
  assertDocumented(yield* openApi, endpoint, answer)
  return answer
})

/** A call with the id 1. */
export const rpcCall = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
})

/** The reply to one call, which travels with 200 whatever it is. */
export const ask = (method: string, params?: unknown, options?: RpcOptions) =>
  Effect.map(post(rpcCall(method, params), options), ({ body, status, text }) => {
    assert.strictEqual(status, 200, text)
    return body
  })

/** The result of one call that has to succeed. */
export const resultOf = (method: string, params?: unknown, options?: RpcOptions) =>
  Effect.map(ask(method, params, options), (reply): Json => {
    const result = find(reply, "result")
    if (result === undefined) throw new Error(`No result: ${JSON.stringify(reply)}`)
    return result
  })
