import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import type { Server } from "#interfaces/http/server/Server.ts"
import { broker, brokerInProcess, brokerUrl, OwnWorld, shared, testKey } from "#test/support/broker.ts"
import { reach, withoutSocket } from "#test/support/reach.ts"
import { brokerOfTwo } from "./accounts.ts"
import { type Json, parseJson } from "./Json.ts"
import { assertDocumented } from "./documented.ts"
import { assertProblem } from "./problem.ts"
import { inlined } from "./inlined.ts"
import { assertConsistent } from "./consistent.ts"

/** Names and values, or pairs of them where a name is repeated. */
export type Query = Readonly<Record<string, string>> | ReadonlyArray<readonly [name: string, value: string]>

export interface Options {
  readonly query?: Query
  /** Sent as it is where it is text or a stream, else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The API key in `X-API-Key`; null sends none. The default account's when absent. */
  readonly key?: string | null
}

/** An answer as the client got it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Null where the answer has no JSON. */
  readonly body: Json
}

const pairs = (query: Query): ReadonlyArray<readonly [string, string]> =>
  isPairs(query) ? query : Object.entries(query)

const isPairs = (query: Query): query is ReadonlyArray<readonly [string, string]> => Array.isArray(query)

const isJson = (contentType: string | null): boolean =>
  /^application\/(?:[a-z]+\+)?json\b/.test(contentType ?? "")

/** Text that has no end of its own is not waited for (support/stream.ts reads that). */
const textOf = async (response: Response): Promise<string> => {
  if (response.headers.get("content-type") !== "text/event-stream") return await response.text()
  await response.body?.cancel()
  return ""
}

const read = async (response: Response): Promise<Answer> => {
  const text = await textOf(response)
  const { headers, status } = response
  const hasJson = text !== "" && isJson(headers.get("content-type"))
  return { status, headers, text, body: hasJson ? parseJson(text) : null }
}

/** Answers that caches may keep. */
const keepablePaths: ReadonlyArray<string> = ["/assets", "/networks"]

/** The documentation: whoever keeps it asks whether it is still the same. */
const revalidatedPath = /^\/(?:openapi\.json|docs(?:\/.*)?)$/

const cacheControlOf = (path: string, status: number): RegExp => {
  if (status !== 200 && status !== 304) return /^no-store$/
  if (revalidatedPath.test(path)) return /^no-cache$/
  if (/^\/swap\/[^/]+\/qr$/.test(path)) return /^private, no-cache$/
  return keepablePaths.includes(path) || path.startsWith("/logos/") ? /^public, max-age=\d+$/ : /^no-store$/
}

/** Paths that are not for pages of browsers. */
const closedPath = /^\/(?:metrics|operator|providers(?!\/[^/]+\/history))(?:\/|$)/

/** Who may keep the answer, what browsers may make of it, and which of their pages may read it (decision 28). */
const assertHeaders = ({ headers, status }: Answer, path: string): void => {
  assert.match(headers.get("cache-control") ?? "", cacheControlOf(path, status), path)
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff", path)
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer", path)
  assert.strictEqual(headers.get("access-control-allow-origin"), closedPath.test(path) ? null : "*", path)
  assert.isFalse(headers.has("access-control-allow-credentials"), path)
}

/** What holds for every answer whatsoever (decisions 1, 12, 14, 19). */
const assertAnswer = (
  answer: Answer,
  { method, path }: { readonly method: string; readonly path: string },
): void => {
  const { headers, status, text } = answer
  assertHeaders(answer, path.split("?")[0] ?? path)
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/)
  // Mixed where a test leads a provider to a place of its own.
  assert.match(headers.get("x-broker-mode") ?? "", /^(?:sandbox|mixed)$/)
  assert.notInclude(text, testKey, "the key is in the body")
  assert.notInclude(JSON.stringify([...headers]), testKey, "the key is in a header")
  if (method === "HEAD") return
  if (status >= 400) assertProblem(answer)
  else if (isJson(headers.get("content-type")) && !path.endsWith("/document.json") && path !== documentPath) {
    assertConsistent(answer.body)
  }
}

const send = Effect.fnUntraced(function* (method: string, path: string, options: Options) {
  const url = new URL(path, yield* brokerUrl)
  for (const [name, value] of pairs(options.query ?? [])) url.searchParams.append(name, value)
  const { body, key = testKey } = options
  const headers = {
    ...(key === null ? {} : { "x-api-key": key }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...options.headers,
  }
  const isReady = typeof body === "string" || body instanceof ReadableStream
  const payload = body === undefined ? {} : { body: isReady ? body : JSON.stringify(body) }
  return yield* Effect.promise((signal) => reach(url, { method, headers, signal, ...payload }).then(read))
})

const documentPath = "/openapi.json"

const documents = new Map<string, Json>()

/** The OpenAPI document of the broker. */
export const openApi: Effect.Effect<Json, never, Server> = Effect.gen(function* () {
  const { origin } = yield* brokerUrl
  const known = documents.get(origin)
  if (known !== undefined) return known
  const { body } = yield* send("GET", documentPath, { key: null })
  const document = inlined(body)
  documents.set(origin, document)
  return document
})

/**
 * Sends a request as any client would. Whatever the test looks for, the answer has to fit the OpenAPI
 * document and the rules that hold for all answers.
 */
export const call = Effect.fnUntraced(function* (method: string, path: string, options: Options = {}) {
  const answer = yield* send(method, path, options)
  assertAnswer(answer, { method, path })
  const endpoint = { method, path: path.split("?")[0] ?? path }
  // No endpoint documents what a browser asks in advance.
  if (method !== "HEAD" && answer.status !== 204) assertDocumented(yield* openApi, endpoint, answer)
  return answer
})

/** A GET that has to succeed: its body. */
export const get = (path: string, query: Query = {}, options: Options = {}) =>
  Effect.map(call("GET", path, { ...options, query }), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.body
  })

/** When the simulated world begins: later than any clock that these tests run by. */
export const genesis = "2036-07-29T14:04:24Z"

/** One provider whose answers are not reused and whose circuits stay closed: each row sees what it set. */
const settings = {
  SANDBOX_GENESIS: genesis,
  PROVIDERS: "chainflip",
  QUOTE_CACHE_TTL: "1 millis",
  QUOTE_REFUSAL_TTL: "1 millis",
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
  OPEN_FAILURES: "1000",
}

/** Real time: what is waited for here is real work. */
const live = { excludeTestServices: true } as const

/** What stays open in a service that lives as long as its worker is not asked for all the while. */
const settingsOfShared = { ...settings, TRACKER_INTERVAL: "1 hour" }

const one = shared(brokerInProcess(settingsOfShared))
const ofTwo = shared(Layer.provide(brokerOfTwo(settingsOfShared), withoutSocket))

/** The broker that the files of a worker share, for tests that each have an account or channels of their own. */
export const withBroker = () => layer(one, live)

/** The same with a second account, whose key is `otherKey`. */
export const withTwoAccounts = () => layer(ofTwo, live)

/** A broker with a second account for the tests of one block alone. */
export const withOwnTwoAccounts = (environment: Readonly<Record<string, string>> = {}) =>
  layer(OwnWorld.alone(Layer.provide(brokerOfTwo({ ...settings, ...environment }), withoutSocket)), live)

/** The same behind a socket. */
export const withListeningTwoAccounts = () => layer(OwnWorld.alone(brokerOfTwo(settings)), live)

/** A broker for the tests of one block alone: it begins with nothing, or has other settings. */
export const withOwnBroker = (environment: Readonly<Record<string, string>> = {}) =>
  layer(OwnWorld.alone(brokerInProcess({ ...settings, ...environment })), live)

/** The same behind a socket, for tests of what only a socket does. */
export const withListeningBroker = (environment: Readonly<Record<string, string>> = {}) =>
  layer(OwnWorld.alone(broker({ ...settings, ...environment })), live)
