import { Clock, Effect, Layer, Option, Schema } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { ProviderError, ProviderErrorReason } from "#domain/ProviderError.ts"
import type { Provider } from "#providers/Provider.ts"

export type Members = Readonly<Record<string, unknown>>
const Members = Schema.Record(Schema.String, Schema.Unknown)

const Call = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.String,
  method: Schema.String,
  params: Schema.Array(Schema.Unknown),
})

/** An answer on the wire; text goes out as it is. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A request as the upstream got it; `body` is what a POST carried, and `call` what that is of JSON-RPC. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Members
  readonly call: typeof Call.Type | undefined
}

export type Answer = Reply | ((asked: Asked) => Reply)

/** A fake's answers by kind of call. */
export type ScriptOf<Kind extends string> = Readonly<Partial<Record<Kind, Answer>>>

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Members =>
  body._tag === "Uint8Array"
    ? Schema.decodeSync(Schema.fromJsonString(Members))(new TextDecoder().decode(body.body))
    : {}

/** An HttpClient that answers by the script and notes all that it was asked. */
export const fakeUpstream = <Kind extends string>(kindOf: (asked: Asked) => Kind, script: ScriptOf<Kind>) => {
  const asked: Array<Asked> = []
  const client = HttpClient.make((request, url) => {
    const body = bodyOf(request)
    const call = Option.getOrUndefined(Schema.decodeUnknownOption(Call)(body))
    const question = { method: request.method, url, headers: { ...request.headers }, body, call }
    asked.push(question)
    const answer = script[kindOf(question)]
    if (answer === undefined) {
      const reason = new HttpClientError.TransportError({ request, description: "not in the script" })
      return Effect.fail(new HttpClientError.HttpClientError({ reason }))
    }
    const reply: Reply = typeof answer === "function" ? answer(question) : answer
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body)
    const { headers = {}, status = 200 } = reply
    return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(text, { status, headers })))
  })
  return { asked, client, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** A provider before a fake upstream, and what that was asked. */
export type Provided = readonly [provider: Provider, asked: ReadonlyArray<Asked>]

/** The test clock stands at this time at least. */
export const notBefore = (begin: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => TestClock.setTime(Math.max(now, begin)))

/** The reason that an operation failed for. */
export const reasonOf = <A>(
  operation: Effect.Effect<A, ProviderError>,
): Effect.Effect<ProviderErrorReason, A> => Effect.map(Effect.flip(operation), ({ reason }) => reason)

/** Tag and members of a reason, as a plain object. */
export const plain = (reason: ProviderErrorReason): unknown => ({ ...reason })
