import { Context, Effect, Layer, Predicate } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { serve } from "#infrastructure/platform/serve.ts"
import { sign } from "#sandbox/near-intents/signature.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { find, type Json, parseJson } from "#test/contract/support/Json.ts"
import type { Change } from "./changes.ts"
import { changed, writeJson } from "./json.ts"
import { type Asked, everyOperation, type Operation } from "./operations.ts"

/** What an operation says, whatever the truth is. */
export interface Meanwhile {
  readonly operation: Operation
  readonly says: Json
}

/** What happens to the answers of an operation. */
export interface Tamper {
  readonly operation: Operation
  /** What is said in place of the truth, before it is changed. */
  readonly standIn: (truth: Json, asked: string) => Json
  readonly meanwhile: Meanwhile | undefined
  readonly change: Change | undefined
  /** 1Click's own key signs what was changed: the service itself says it. */
  readonly signs: boolean
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

/** An order as 1Click would have signed it; as it is where that has not the parts that are signed. */
const signedAnew = (order: Json): Json => {
  const plain: unknown = JSON.parse(writeJson(order))
  if (!isMembers(plain)) return order
  const { quote, quoteRequest, timestamp } = plain
  if (!isMembers(quote) || !isMembers(quoteRequest) || typeof timestamp !== "string") return order
  return changed(order, ["signature"], sign({ quote, quoteRequest, timestamp }, false))
}

const tampered = ({ change, signs }: Tamper, answer: Json): Json => {
  if (change === undefined) return answer
  const was = find(answer, ...change.path)
  const value = change.edit === undefined ? change.value : was === undefined ? undefined : change.edit(was)
  const next = changed(answer, change.path, value)
  return signs && change.path[0] !== "signature" ? signedAnew(next) : next
}

const parsed = (text: string): unknown => text === "" ? null : JSON.parse(text)

/** In front of the simulated upstreams: passes requests on, and changes answers on their way back. */
export class Middleman extends Context.Service<Middleman, {
  readonly url: URL
  /** Where the upstreams themselves are. */
  readonly upstreams: URL
  /** From now on answers are changed, or let through where nothing is given. */
  readonly tamper: (tamper: Tamper | undefined) => void
  /** How many answers were another than they had been, since tampering began. */
  readonly hits: () => number
  /** The last answer of an operation as it was handed on. */
  readonly last: (operation: Operation) => Json | undefined
}>()("swap-broker/test/tampering/Middleman") {
  static readonly layer = Layer.effect(
    Middleman,
    Effect.gen(function* () {
      const { url: upstreams } = yield* Sandbox
      let tamper: Tamper | undefined
      let hits = 0
      const answers = new Map<Operation, string>()
      const keep = (asked: Asked, text: string) => {
        for (const operation of everyOperation) if (operation.isAsked(asked)) answers.set(operation, text)
      }

      const answer = async (request: Request): Promise<Response> => {
        const { pathname, search } = new URL(request.url)
        const body = await request.text()
        const response = await fetch(new URL(`${pathname}${search}`, upstreams), {
          method: request.method,
          headers: request.headers,
          ...(body === "" ? {} : { body }),
        })
        const text = await response.text()
        const headers = new Headers(response.headers)
        headers.delete("content-length")
        const pass = (text: string) => new Response(text, { status: response.status, headers })
        if (response.status >= 300 || pathname.startsWith("/sandbox")) return pass(text)
        const asked = { path: pathname, body: parsed(body) }
        if (tamper?.meanwhile?.operation.isAsked(asked) === true) {
          return pass(writeJson(tamper.meanwhile.says))
        }
        if (tamper?.operation.isAsked(asked) !== true) {
          keep(asked, text)
          return pass(text)
        }
        const before = tamper.standIn(parseJson(text), `${pathname}${search}`)
        const written = writeJson(tampered(tamper, before))
        if (written !== writeJson(before)) hits += 1
        keep(asked, written)
        return pass(written)
      }

      const url = yield* serve({ hostname: "127.0.0.1", port: 0, handler: answer })
      return Middleman.of({
        url,
        upstreams,
        tamper: (next) => {
          tamper = next
          hits = 0
        },
        hits: () => hits,
        last: (operation) => {
          const text = answers.get(operation)
          return text === undefined ? undefined : parseJson(text)
        },
      })
    }),
  ).pipe(
    Layer.provide(Sandbox.layer({
      hostname: "127.0.0.1",
      port: 0,
      speed: 0,
      seed: "tampering",
      genesis: EpochMillis.make(Date.UTC(2036, 6, 29)),
      dataDir: "memory",
    })),
  )
}
