import { Option, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { makeRest } from "../upstream/restClient.ts"
import { answerReason, endpoint, type UpstreamCall } from "./errors.ts"
import type { Options } from "./settings.ts"

/** The 1Click REST API (near-intents/wire.md 1). */
export type Client = ReturnType<typeof makeClient>

const nothingOpened: UpstreamCall = { opening: false, subject: Option.none() }

export const makeClient = (client: HttpClient.HttpClient, { url, token }: Pick<Options, "url" | "token">) => {
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
    /** Opens a deposit address unless the request is dry. */
    quote: (request: Schema.Json, asked: UpstreamCall) => post("/v0/quote", request, asked),
    /** Nothing while the service does not know the address (yet). */
    status: (depositAddress: string) => find("/v0/status", nothingOpened, { depositAddress }),
  }
}
