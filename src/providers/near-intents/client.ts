import { Effect, Option, Redacted, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { warnSparsely } from "../../platform/sparseLog.ts"
import { answerReason, type Asked, endpoint, isTokenRefused } from "./errors.ts"
import { messageOf } from "../upstream/failures.ts"
import { type Answer, hear, hideSecrets, isOk, send, under } from "../upstream/transport.ts"
import type * as Transport from "../upstream/transport.ts"
import type { Options } from "./settings.ts"

/** A parsed body and the upstream's time. */
export interface Heard extends Transport.Heard {
  readonly answeredAt: EpochMillis
}

/** The 1Click REST API (near-intents/wire.md 1). */
export interface Client {
  /** `GET /v0/tokens`. */
  readonly tokens: Effect.Effect<Heard, ProviderErrorReason>
  /** `POST /v0/quote`; opens a deposit address unless the request is dry. */
  readonly quote: (request: Schema.Json, asked: Asked) => Effect.Effect<Heard, ProviderErrorReason>
  /** `GET /v0/status`; nothing while the service does not know the address (yet). */
  readonly status: (depositAddress: string) => Effect.Effect<Option.Option<Heard>, ProviderErrorReason>
}

const nothingOpened: Asked = { opening: false, subject: Option.none() }

const heard = (answer: Answer, asked: Asked): Effect.Effect<Heard, ProviderErrorReason> =>
  Effect.fromResult<Heard, ProviderErrorReason>(
    isOk(answer)
      ? Result.map(hear(endpoint, answer), (said) => ({ ...said, answeredAt: answer.answeredAt }))
      : Result.fail(answerReason(answer, asked)),
  )

const warnOfToken = (answer: Answer): Effect.Effect<void> =>
  isTokenRefused(answer)
    ? warnSparsely(
      "partner token",
      1,
      "The 1Click service refuses the partner token: set NEAR_INTENTS_TOKEN to a valid one",
    )
    : Effect.void

/**
 * Whether the service does not know the address. A 404 without a message is not the service's own: something else
 * answers at this URL.
 */
const isUnknownAddress = ({ status, body }: Answer): boolean =>
  status === 404 && Option.isSome(messageOf(body))

/** Makes the client of the API at `url`. It never repeats a request. */
export const makeClient = (
  client: HttpClient.HttpClient,
  { url, token }: Pick<Options, "url" | "token">,
): Client => {
  const authorise = Option.match(token, {
    onNone: () => (request: HttpClientRequest.HttpClientRequest) => request,
    // Newer documents of the service name the one, older ones the other.
    onSome: (token) => (request: HttpClientRequest.HttpClientRequest) =>
      HttpClientRequest.setHeader(
        HttpClientRequest.bearerToken(request, token),
        "x-api-key",
        Redacted.value(token),
      ),
  })
  const hide = hideSecrets(url, ...Option.toArray(Option.map(token, Redacted.value)))
  const warn = Option.isSome(token) ? warnOfToken : () => Effect.void
  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.tap(send(client, endpoint, authorise(HttpClientRequest.acceptJson(request)), hide), warn)
  return {
    tokens: Effect.flatMap(
      ask(HttpClientRequest.get(under(url, "/v0/tokens"))),
      (answer) => heard(answer, nothingOpened),
    ),
    quote: (request, asked) =>
      Effect.flatMap(
        ask(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(under(url, "/v0/quote")), request)),
        (answer) => heard(answer, asked),
      ),
    status: (depositAddress) =>
      Effect.flatMap(
        ask(HttpClientRequest.get(under(url, "/v0/status"), { urlParams: { depositAddress } })),
        (answer) =>
          isUnknownAddress(answer) ? Effect.succeedNone : Effect.asSome(heard(answer, nothingOpened)),
      ),
  }
}
