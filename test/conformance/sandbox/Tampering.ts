import { Context, Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { fetchOnce } from "#infrastructure/platform/fetchOnce.ts"

/** What happens on the way to an upstream and back, which the upstream itself cannot be told to do. */
export interface Tamper {
  /** The requests that it happens to, by their path. */
  readonly path: RegExp
  /** `refuse` lets nobody listen there; a function writes the bodies of the answers anew. */
  readonly does: "refuse" | ((body: string) => string)
}

/** The way to an upstream: real sockets, with somebody in the middle. */
export class Tampering extends Context.Service<Tampering, {
  readonly start: (tamper: Tamper) => Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}>()("swap-broker/test/conformance/sandbox/Tampering") {
  static readonly layer: Layer.Layer<Tampering | HttpClient.HttpClient> = Layer.effectContext(
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      let tamper: Tamper | undefined

      const meets = (request: HttpClientRequest.HttpClientRequest): Tamper | undefined =>
        tamper?.path.test(new URL(request.url).pathname) ? tamper : undefined

      const tampered = client.pipe(
        HttpClient.mapRequestInput((request) =>
          meets(request)?.does === "refuse" ? toNobody(request) : request
        ),
        HttpClient.transform((response, request) => {
          const does = meets(request)?.does
          return typeof does === "function" ? Effect.flatMap(response, rewritten(does)) : response
        }),
      )
      return Context.make(HttpClient.HttpClient, tampered).pipe(
        Context.add(Tampering, {
          start: (next) => Effect.sync(() => tamper = next),
          stop: Effect.sync(() => tamper = undefined),
        }),
      )
    }),
  ).pipe(Layer.provide(fetchOnce))
}

/** A port on which nobody listens any more. */
const closedPort = (): number => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
  listener.close()
  return listener.addr.port
}

const toNobody = (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
  const url = new URL(request.url)
  url.port = `${closedPort()}`
  return HttpClientRequest.setUrl(request, url)
}

const rewritten = (does: (body: string) => string) => (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.text, (body) =>
    HttpClientResponse.fromWeb(
      response.request,
      new Response(does(body), { status: response.status, headers: { ...response.headers } }),
    ))
