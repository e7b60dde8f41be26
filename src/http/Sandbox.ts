import { Effect, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpMethod from "effect/http/HttpMethod"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ControlRefusal, SandboxGroup } from "../api/Sandbox.ts"
import { InvalidRequest, issueAbout } from "../domain/Issues.ts"
import { SandboxUnreachable } from "./HttpFailure.ts"
import { orProblem } from "./orProblem.ts"
import { requireSingleMembers } from "./rawParameters.ts"

/** The sandbox's controls alone. The service adds them to its contract in sandbox mode only. */
export class SandboxApi extends HttpApi.make("swap-broker").add(SandboxGroup) {}

const decodeRefusal = Schema.decodeUnknownEffect(Schema.fromJsonString(ControlRefusal))

/** Fails with the issues that the sandbox found in a control, as a problem of our contract. */
const refused = (body: string) =>
  decodeRefusal(body).pipe(
    Effect.mapError(() => new SandboxUnreachable()),
    Effect.flatMap(({ message, errors }) =>
      Effect.fail(new InvalidRequest({ errors: errors ?? issueAbout("request", `was refused: ${message}`) }))
    ),
  )

/** What the sandbox answered to a control that it took. */
interface Controlled {
  readonly status: number
  readonly body: string
}

/** Sends a control to the sandbox; `text` is its body. Fails with the issues that the sandbox found in it. */
export const sendControl = Effect.fnUntraced(
  function* (method: HttpMethod.HttpMethod, url: URL, text: string) {
    const client = yield* HttpClient.HttpClient
    const control = HttpClientRequest.make(method)(url)
    const outgoing = text === "" ? control : HttpClientRequest.bodyText(control, text, "application/json")
    const { body, status }: Controlled = yield* client.execute(outgoing).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (body) => ({ status: response.status, body }))),
      Effect.mapError(() => new SandboxUnreachable()),
    )
    if (status >= 500) return yield* new SandboxUnreachable()
    return status >= 400 ? yield* refused(body) : { status, body }
  },
)

/** Passes controls and answers unchanged to and from the sandbox, which may be shared (`SANDBOX_URL`). */
export const SandboxHandlers = (sandboxUrl: URL) =>
  HttpApiBuilder.group(
    SandboxApi,
    "sandbox",
    Effect.fnUntraced(function* (handlers) {
      const client = yield* HttpClient.HttpClient

      const forward = Effect.fnUntraced(function* (method: HttpMethod.HttpMethod) {
        const incoming = yield* HttpServerRequest.HttpServerRequest
        const text = yield* Effect.orDie(incoming.text)
        yield* requireSingleMembers(text)
        const { body, status } = yield* Effect.provideService(
          sendControl(method, new URL(incoming.url, sandboxUrl), text),
          HttpClient.HttpClient,
          client,
        )
        return HttpServerResponse.text(body, { status, contentType: "application/json" })
      }, orProblem)

      return handlers
        .handleRaw("view", () => forward("GET"))
        .handleRaw("deposit", () => forward("POST"))
        .handleRaw("vaultSwap", () => forward("POST"))
        .handleRaw("time", () => forward("POST"))
        .handleRaw("setFaults", () => forward("PUT"))
        .handleRaw("clearFaults", () => forward("DELETE"))
        .handleRaw("network", () => forward("PATCH"))
    }),
  )
