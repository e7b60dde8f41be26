import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { BrokerAccount } from "../../../src/domain/Address.ts"
import { ProviderError, type ProviderErrorReason } from "../../../src/domain/ProviderError.ts"
import type { Provider } from "../../../src/providers/Provider.ts"
import { environment, everythingOn, safeMode } from "./fixtures/environment.ts"
import { ourAccount } from "./fixtures/swaps.ts"
import { make } from "../../../src/providers/chainflip/provider.ts"
import type { Options } from "../../../src/providers/chainflip/settings.ts"

/** An answer on the wire; text goes out as it is. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What the fake answers to one kind of request. */
export type Answer = Reply | ((asked: Asked) => Reply)

/** The fake's answers by REST path or JSON-RPC method. */
export type Script = Readonly<Record<string, Answer>>

/** A request as the upstream got it. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Of JSON-RPC. */
  readonly call?: typeof Call.Type
}

const Call = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.String,
  method: Schema.String,
  params: Schema.Array(Schema.Unknown),
})

export const options: Options = {
  backendUrl: new URL("http://backend.test/chainflip/backend"),
  nodeUrl: new URL("http://node.test/chainflip/node/"),
  brokerUrl: Redacted.make(new URL("http://broker.test/rpc?apiKey=top-secret")),
  brokerAccount: BrokerAccount.make(ourAccount),
  explorerUrl: "https://scan.test/channels/{issuedBlock}-{network}-{channelId}",
}

/** A successful JSON-RPC reply to whatever was asked. */
export const result = (value: unknown) => ({ call }: Asked): Reply => ({
  body: { jsonrpc: "2.0", id: call?.id, result: value },
})

/** A JSON-RPC error to whatever was asked. */
export const rpcError = (code: number, message: string) => ({ call }: Asked): Reply => ({
  body: { jsonrpc: "2.0", id: call?.id, error: { code, message } },
})

/** The fake's answers on an ordinary day; a test replaces those that it is about. */
export const ordinaryDay: Script = {
  "/chainflip/backend/api/networkInfo": { body: everythingOn },
  cf_environment: result(environment),
  cf_safe_mode_statuses: result(safeMode()),
}

const readCall = ({ body }: HttpClientRequest.HttpClientRequest) =>
  body._tag === "Uint8Array"
    ? { call: Schema.decodeSync(Schema.fromJsonString(Call))(new TextDecoder().decode(body.body)) }
    : {}

const respond = (request: HttpClientRequest.HttpClientRequest, { status = 200, headers = {}, body }: Reply) =>
  HttpClientResponse.fromWeb(
    request,
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }),
  )

/** An HttpClient that answers by the script and notes what it was asked. */
export const fakeUpstream = (script: Script) => {
  const asked: Array<Asked> = []
  const client = HttpClient.make((request, url) => {
    const question: Asked = {
      method: request.method,
      url,
      headers: { ...request.headers },
      ...readCall(request),
    }
    asked.push(question)
    const answer = script[question.call?.method ?? url.pathname]
    if (answer === undefined) {
      return Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, description: "not in the script" }),
        }),
      )
    }
    return Effect.succeed(respond(request, typeof answer === "function" ? answer(question) : answer))
  })
  return { asked, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** Runs a test against the provider over a fake upstream that differs from an ordinary day by `script`. */
export const withProvider = <A, E>(
  script: Script,
  test: (provider: Provider, asked: ReadonlyArray<Asked>) => Effect.Effect<A, E>,
  other: Partial<Options> = {},
): Effect.Effect<A, E> => {
  const { asked, layer } = fakeUpstream({ ...ordinaryDay, ...script })
  return make({ ...options, ...other }).pipe(
    Effect.provide(layer),
    Effect.flatMap((provider) => test(provider, asked)),
  )
}

/** The reason that an operation failed for. */
export const reasonOf = <A>(
  operation: Effect.Effect<A, ProviderError>,
): Effect.Effect<ProviderErrorReason, A> => Effect.map(Effect.flip(operation), ({ reason }) => reason)
