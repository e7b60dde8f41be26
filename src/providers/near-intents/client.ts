import { Option, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { makeRest } from "../upstream/restClient.ts"
import { answerReason, endpoint, statusOf, type UpstreamCall } from "./errors.ts"
import type { Options } from "./settings.ts"

/** The 1Click REST API (near-intents/wire.md 1). */
export type Client = ReturnType<typeof makeClient>

const nothingOpened: UpstreamCall = { opening: false, subject: Option.none() }

export const makeClient = (
  client: HttpClient.HttpClient,
  { token, tokenHeader = "both", url }: Pick<Options, "token" | "tokenHeader" | "url">,
) => {
  const { find, get, post } = makeRest<UpstreamCall>({
    client,
    url,
    endpoint,
    reasonOf: answerReason,
    credential: {
      key: token,
      // Newer documents of the service name the one, older ones the other (near-intents/wire.md 1, base).
      authorise: (request, token) =>
        HttpClientRequest.setHeaders(request, {
          ...(tokenHeader === "x-api-key" ? {} : { authorization: `Bearer ${token}` }),
          ...(tokenHeader === "bearer" ? {} : { "x-api-key": token }),
        }),
      refusal: {
        isIn: (answer) => [401, 403].includes(statusOf(answer)),
        warning:
          "The 1Click service rejects the partner token: set NEAR_INTENTS_TOKEN to a valid one, or choose its " +
          "header by NEAR_INTENTS_TOKEN_HEADER",
      },
    },
  })
  return {
    tokens: get("/v0/tokens", { ...nothingOpened, general: true }),
    /** Opens a deposit address unless the request is dry. */
    quote: (request: Schema.Json, asked: UpstreamCall) => post("/v0/quote", request, asked),
    /** Nothing while the service does not know the address (yet). */
    status: (depositAddress: string) => find("/v0/status", nothingOpened, { depositAddress }),
  }
}
