import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { HttpClient, type HttpMethod, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SandboxGroup } from "#api/Sandbox.ts"
import { failAsProblem } from "../requests/failedRequests.ts"
import { requireSingleMembers } from "../requests/parameterIssues.ts"
import { sendControl } from "../requests/sendControl.ts"

/** The sandbox's controls alone. The service adds them to its contract in sandbox mode only. */
export class SandboxApi extends HttpApi.make("swap-broker").add(SandboxGroup) {}

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
      }, failAsProblem)

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
