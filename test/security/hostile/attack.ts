import { assert } from "@effect/vitest"
import { assertDocumented } from "#test/contract/support/documented.ts"
import { assertProblem } from "#test/contract/support/problem.ts"
import type { Json } from "#test/contract/support/Json.ts"
import { testKey } from "#test/support/broker.ts"
import type { HostileRequest } from "./requests.ts"
import { type Reply, requestBytes, Wire } from "./Wire.ts"

/** How many connections send at the same time. */
const connections = 16

const carriesKey = ({ headers }: HostileRequest): boolean =>
  headers.some(([name]) => name === "x-api-key" || name === "authorization")

const bytesOf = (request: HostileRequest): Uint8Array =>
  requestBytes({
    ...request,
    headers: carriesKey(request) ? request.headers : [...request.headers, ["x-api-key", testKey]],
  })

/** What the runtime answers by itself to what is no HTTP, or too long to be read. */
const isRefusedBeneath = (reply: Reply): boolean =>
  reply === "closed" ||
  (reply.status === 400 && reply.text === "" && reply.headers.get("connection") === "close")

/** That an answer is one of the contract, whatever was asked: never a failure of our own. */
const assertAnswered = (document: Json, request: HostileRequest, reply: Reply): void => {
  if (!request.isHttp && isRefusedBeneath(reply)) return
  if (reply === "closed") return assert.fail("the connection was closed without an answer")
  const { headers, status, text } = reply
  assert.isBelow(status, 500, text)
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/)
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
  assert.isFalse(headers.has("x-injected"), "a header was injected")
  assert.notInclude(text, testKey)
  if (status >= 400) assertProblem(reply)
  if (status !== 204) assertDocumented(document, { method: request.method, path: request.template }, reply)
}

/** What came of an attack: how often which status was answered, and every answer that should not have been. */
export interface Outcome {
  readonly statuses: ReadonlyMap<number | "closed", number>
  readonly wrong: ReadonlyArray<string>
}

/** Sends all requests over a few connections, in order as far as several at a time are. */
export const attack = async (
  url: URL,
  document: Json,
  requests: ReadonlyArray<HostileRequest>,
): Promise<Outcome> => {
  const statuses = new Map<number | "closed", number>()
  const wrong: Array<string> = []
  const left = requests.values()
  const work = async () => {
    const wire = new Wire(url)
    for (const request of left) {
      const reply = await wire.ask(bytesOf(request), request.method)
      // What comes after the end of a head that was cut short is answered as a request of its own.
      if (!request.isHttp) wire.close()
      const status = reply === "closed" ? reply : reply.status
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      try {
        assertAnswered(document, request, reply)
      } catch (error) {
        wrong.push(`${request.what}: ${status}: ${error instanceof Error ? error.message : error}`)
      }
    }
    wire.close()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { statuses, wrong }
}
