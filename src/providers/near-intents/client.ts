import { type Effect, Option, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { makeRest } from "../upstream/restClient.ts"
import type { Heard } from "../upstream/transport.ts"
import { answerReason, endpoint, type UpstreamCall } from "./errors.ts"
import type { Options } from "./settings.ts"

/** The 1Click REST API (near-intents/wire.md 1). */
export interface Client {
  /** `GET /v0/tokens`. */
  readonly tokens: Effect.Effect<Heard, ProviderErrorReason>
  /** `POST /v0/quote`; opens a deposit address unless the request is dry. */
  readonly quote: (request: Schema.Json, asked: UpstreamCall) => Effect.Effect<Heard, ProviderErrorReason>
  /** `GET /v0/status`; nothing while the service does not know the address (yet). */
  readonly status: (depositAddress: string) => Effect.Effect<Option.Option<Heard>, ProviderErrorReason>
}

const nothingOpened: UpstreamCall = { opening: false, subject: Option.none() }

export const makeClient = (
  client: HttpClient.HttpClient,
  { url, token }: Pick<Options, "url" | "token">,
): Client => {
  const { find, get, post } = makeRest<UpstreamCall>({
    client,
    url,
    endpoint,
    reasonOf: answerReason,
    credential: {
      key: token,
      // Newer documents of the service name the one, older ones the other.
      authorise: (request, token) =>
        HttpClientRequest.setHeader(HttpClientRequest.bearerToken(request, token), "x-api-key", token),
      refusal: {
        isIn: ({ status }) => status === 401,
        warning: "The 1Click service refuses the partner token: set NEAR_INTENTS_TOKEN to a valid one",
      },
    },
  })
  return {
    tokens: get("/v0/tokens", { ...nothingOpened, general: true }),
    quote: (request, asked) => post("/v0/quote", request, asked),
    status: (depositAddress) => find("/v0/status", nothingOpened, { depositAddress }),
  }
}
