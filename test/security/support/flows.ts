import { addresses } from "#test/contract/support/addresses.ts"
import { inlined } from "#test/contract/support/inlined.ts"
import { parseJson } from "#test/contract/support/Json.ts"
import { target as account } from "../hostile/operations.ts"
import { requestsWith } from "../hostile/requests.ts"
import { callersOwn, markers } from "./markers.ts"

/** What a client saw of one request: the answer with its headers. */
export interface Sight {
  readonly what: string
  readonly status: number
  readonly text: string
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Sight>

const ownKey = { "x-api-key": markers.apiKey }

/** A stream of events has no end: what it says at first. */
const beginning = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  const { value = "" } = await reader.read()
  await reader.cancel()
  return value
}

const textOf = (response: Response): Promise<string> =>
  response.body !== null && response.headers.get("content-type") === "text/event-stream"
    ? beginning(response.body)
    : response.text()

const sender = (url: URL): Send => async (method, path, body, headers = ownKey) => {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = `${JSON.stringify([...response.headers])}\n${await textOf(response)}`
  return { what: `${method} ${path}`, status: response.status, text }
}

const pair = "sourceAsset=eth.eth&destinationAsset=usdc.arb"
const swap = { sourceAsset: "eth.eth", destinationAsset: "usdc.arb", destinationAddress: addresses.arb }
const key = encodeURIComponent(markers.apiKey)
const wrong = encodeURIComponent(markers.otherKey)

type Request = readonly [
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
]

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

/** What clients do that the upstreams hear of. */
const upstreamRequests: ReadonlyArray<Request> = [
  ["GET", `/quotes?${pair}&amount=1`],
  ["GET", `/quotes-native?${pair}&amount=1000000000000000000&platform=near-intents`],
  ["GET", `/quote?${pair}&amount=1&apiKey=${key}`, undefined, {}],
  ["GET", `/swap?${new URLSearchParams(swap)}&APIKEY=${key}`, undefined, {}],
  ["GET", `/swap?${new URLSearchParams(swap)}&platform=near-intents&amount=2`],
  ["POST", "/swap", swap, bearer(markers.apiKey)],
  ["GET", `/tx-payload/evm?${new URLSearchParams({ ...swap, refundAddress: addresses.eth })}&amount=2`],
  ["GET", "/status-by-id?swapId=1"],
  ["POST", `/rpc/${key}`, { jsonrpc: "2.0", id: 1, method: "cf_environment" }, {}],
  ["POST", `/rpc/${key}`, {
    jsonrpc: "2.0",
    id: 1,
    method: "broker_request_swap_deposit_address",
    params: [{ chain: "Ethereum", asset: "ETH" }, { chain: "Arbitrum", asset: "USDC" }, addresses.arb, 0],
  }, {}],
]

/** Those, what the others do, and the mistakes that they make with their keys. */
const requests: ReadonlyArray<Request> = [
  ...upstreamRequests,
  ["GET", "/swaps?status=waiting"],
  ["GET", `/swaps?status=waiting&limit=1&apiKey=${key}`, undefined, {}],
  ["GET", "/providers"],
  ["GET", "/operator/accounts"],
  ["GET", "/operator/accounts/default/keys"],
  ["POST", "/operator/accounts", { name: "canary", commissionBps: 10 }],
  ["PUT", "/operator/accounts/canary/routes", {
    sourceAsset: "*",
    destinationAsset: "eth.eth",
    allowed: false,
  }],
  ["GET", "/operator/audit"],
  ["POST", "/providers/near-intents/switch", { operation: "encode", enabled: true, reason: "a test" }],
  // Mistakes.
  ["GET", "/swaps", undefined, { "x-api-key": markers.otherKey }],
  ["GET", "/swaps", undefined, bearer(markers.otherKey)],
  ["GET", `/swaps?apiKey=${wrong}`, undefined, {}],
  ["GET", `/swaps?apiKey=${wrong}`],
  ["GET", `/swaps?api%4bey=${wrong}`, undefined, {}],
  ["GET", `/swaps/${key}`],
  ["GET", `/${key}/swaps`, undefined, {}],
  ["GET", `/rpc/${key}`, undefined, {}],
  ["DELETE", `/operator/keys/${key}`],
  ["GET", `/operator/accounts/${key}/keys`],
  ["POST", "/swap", "{"],
  ["POST", "/swap", "{", bearer(markers.otherKey)],
  ["POST", "/swap", { ...swap, apiKey: markers.apiKey }],
  ["GET", `/swaps?limit=${key}`],
  ["GET", `/swaps?status=${key}`],
  ["GET", `/swaps?platform=${key}`],
  ["GET", `/status-by-transaction-hash?transactionHash=${key}`],
  ["GET", `/quotes?sourceAsset=${key}&destinationAsset=eth.eth&amount=${key}`],
  ["POST", "/swap", { ...swap, destinationAddress: markers.apiKey, minimumPrice: markers.apiKey }],
  ["POST", "/operator/accounts", { name: markers.apiKey }],
  ["POST", "/providers/near-intents/switch", { operation: "encode", enabled: true, reason: markers.apiKey }],
  ["POST", "/sandbox/deposits", { address: markers.apiKey, amount: "1" }],
  ["POST", `/swaps?apiKey=${key}`, undefined, {}],
  ["POST", "/swap", swap, { ...ownKey, "idempotency-key": callersOwn.idempotencyKey }],
  ["POST", "/swap", { ...swap, boostFee: 1_000 }, {
    ...ownKey,
    "idempotency-key": callersOwn.idempotencyKey,
  }],
  ["GET", "/swaps", undefined, {
    "x-api-key": markers.apiKey,
    traceparent: markers.apiKey,
    b3: markers.apiKey,
  }],
]

const faults: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  ...["reset", "http_500", "malformed"].map((kind) => ({ kind })),
  ...["insufficient_liquidity", "deposit_channel_failed", "upstream_error", "asset_disabled"].map((code) => ({
    code,
  })),
]

/** A key of ours with every scope but that of the operator, shown by the one answer that may show it. */
export const issueKey = async (url: URL): Promise<string> => {
  const send = sender(url)
  await send("POST", "/operator/accounts", { name: account })
  const { text } = await send("POST", `/operator/accounts/${account}/keys`, {})
  const [key] = /sbk_[a-z2-7_]+/.exec(text) ?? []
  if (key === undefined) throw new Error(`No key was issued: ${text}`)
  return key
}

/** Sends everything that goes upstream, once. */
export const visitUpstream = async (url: URL): Promise<ReadonlyArray<Sight>> => {
  const send = sender(url)
  return await Promise.all(upstreamRequests.map((request) => send(...request)))
}

/** Every endpoint of the document with each of these secrets wherever a value can stand. */
export const misplace = async (url: URL, secrets: ReadonlyArray<string>): Promise<ReadonlyArray<Sight>> => {
  const send = sender(url)
  const document = inlined(parseJson(await (await fetch(new URL("/docs/try/document.json", url))).text()))
  const values = secrets.map((text) => ({ what: text, text, json: JSON.stringify(text) }))
  const left = requestsWith(document, values).values()
  const sights: Array<Sight> = []
  const work = async () => {
    for (const { body, headers, method, target } of left) {
      sights.push(await send(method, target, body, { ...ownKey, ...Object.fromEntries(headers) }))
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return sights
}

/** The metrics, and what stands of everything that was done, for the operator. */
export const measurements = (url: URL): Promise<ReadonlyArray<Sight>> =>
  Promise.all(
    ["/metrics", "/operator/audit", "/operator/accounts/default/errors"].map((path) =>
      sender(url)("GET", path)
    ),
  )

/** Sends all of them, then again what goes upstream while the upstreams misbehave in every way. */
export const visit = async (url: URL): Promise<ReadonlyArray<Sight>> => {
  const send = sender(url)
  const sights: Array<Sight> = []
  for (const request of requests) sights.push(await send(...request))
  for (const fault of faults) {
    sights.push(await send("PUT", "/sandbox/faults", fault))
    sights.push(...await visitUpstream(url))
    sights.push(await send("DELETE", "/sandbox/faults"))
  }
  for (
    const path of [
      "/metrics",
      "/openapi.json",
      "/health/providers",
      "/providers",
      "/sandbox",
      "/operator/audit",
    ]
  ) {
    sights.push(await send("GET", path))
  }
  return sights
}
