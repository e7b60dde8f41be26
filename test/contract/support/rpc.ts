import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { addresses, addressFor } from "./addresses.ts"
import { type Answer, openApi } from "./call.ts"
import { assertDocumented } from "./documented.ts"
import { find, integerAt, type Json, parseJson, textAt } from "./Json.ts"
import { assertProblem } from "./problem.ts"

const endpoint = { method: "POST", path: "/rpc/{apiKey}" }

/** How a request is sent other than as most are. */
export interface RpcOptions {
  /** The default account's when absent. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === "" ? null : parseJson(text),
  }
}

/** Sends a body to `/rpc`, as it is where it is text; the answer has to fit the OpenAPI document. */
export const post = Effect.fnUntraced(function* (body: unknown, { headers, key = testKey }: RpcOptions = {}) {
  const url = new URL(`/rpc/${encodeURIComponent(key)}`, yield* brokerUrl)
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  }
  const answer = yield* Effect.promise((signal) => reach(url, { ...init, signal }).then(read))
  assert.notInclude(answer.text, key, "the key is in the body")
  assert.notInclude(JSON.stringify([...answer.headers]), key, "the key is in a header")
  assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  if (answer.status >= 400) assertProblem(answer)
  assertDocumented(yield* openApi, endpoint, answer)
  return answer
})

/** A call; its id is 1 unless another is given. */
export const rpcCall = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
})

/** The reply to one call, which travels with 200 whatever it is. */
export const ask = (method: string, params?: unknown, options?: RpcOptions) =>
  Effect.map(post(rpcCall(method, params), options), ({ body, headers, status, text }) => {
    assert.strictEqual(status, 200, text)
    assert.match(headers.get("content-type") ?? "", /^application\/json\b/)
    assert.strictEqual(textAt(body, "jsonrpc"), "2.0")
    assert.strictEqual(integerAt(body, "id"), 1)
    assert.strictEqual(find(body, "result") === undefined, find(body, "error") !== undefined, text)
    return body
  })

/** The result of one call that has to succeed. */
export const resultOf = (method: string, params?: unknown, options?: RpcOptions) =>
  Effect.map(ask(method, params, options), (reply): Json => {
    const result = find(reply, "result")
    if (result === undefined) throw new Error(`No result: ${JSON.stringify(reply)}`)
    return result
  })

/** The error of one call that has to fail. */
export const errorOf = (method: string, params?: unknown, options?: RpcOptions) =>
  Effect.map(ask(method, params, options), (reply): { readonly code: number; readonly error: Json } => {
    const error = find(reply, "error")
    if (error === undefined) throw new Error(`No error: ${JSON.stringify(reply)}`)
    assert.isNotEmpty(textAt(error, "message"))
    return { code: integerAt(error, "code"), error }
  })

export const openMethod = "broker_request_swap_deposit_address"
export const encodeMethod = "broker_request_swap_parameter_encoding"

const wireAssets = {
  "btc.btc": { chain: "Bitcoin", asset: "BTC" },
  "eth.eth": { chain: "Ethereum", asset: "ETH" },
  "usdc.eth": { chain: "Ethereum", asset: "USDC" },
  "sol.sol": { chain: "Solana", asset: "SOL" },
  "trx.tron": { chain: "Tron", asset: "TRX" },
  "eth.arb": { chain: "Arbitrum", asset: "ETH" },
} as const
export type WireAssetId = keyof typeof wireAssets

/** What both of the broker's methods need at least, by name. */
export const swapParams = (source: WireAssetId = "btc.btc", destination: WireAssetId = "eth.eth") => ({
  source_asset: wireAssets[source],
  destination_asset: wireAssets[destination],
  destination_address: addressFor(destination),
  broker_commission: 0,
})

/** Refund parameters that accept any price. */
export const refundParams = (source: WireAssetId = "btc.btc") => ({
  retry_duration: 150,
  refund_address: source === "btc.btc" ? addresses.btc : addressFor(source),
  min_price: "0x0",
})

/** What opening a channel needs at least, from btc.btc to eth.eth, but for what `changes` say. */
export const openParams = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...swapParams(),
  refund_parameters: refundParams(),
  ...changes,
})

/** What a payload needs at least, from eth.eth to usdc.eth. */
export const encodeParams = () => ({
  ...swapParams("eth.eth", "usdc.eth"),
  extra_parameters: {
    chain: "Ethereum",
    input_amount: "0xde0b6b3a7640000",
    refund_parameters: refundParams("eth.eth"),
  },
})
