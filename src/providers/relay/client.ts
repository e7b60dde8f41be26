import { Effect, Option, Redacted, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { warnSparsely } from "../../platform/sparseLog.ts"
import { messageOf } from "../upstream/failures.ts"
import { type Answer, hear, hideSecrets, isOk, send, under } from "../upstream/transport.ts"
import type * as Transport from "../upstream/transport.ts"
import { answerReason, type Asked, endpoint, isKeyRefused } from "./errors.ts"
import type { Options } from "./settings.ts"

/** A parsed body and the upstream's time. */
export interface Heard extends Transport.Heard {
  readonly answeredAt: EpochMillis
}

/** The Relay REST API (relay/wire.md 1). */
export interface Client {
  /** `GET /chains`. */
  readonly chains: Effect.Effect<Heard, ProviderErrorReason>
  /** `POST /quote/v2`; opens a deposit address where the request asks for one. */
  readonly quote: (request: Schema.Json, asked: Asked) => Effect.Effect<Heard, ProviderErrorReason>
  /** `GET /intents/status/v3`: how far a request is, without amounts. Nothing while it is not known (yet). */
  readonly status: (requestId: string) => Effect.Effect<Option.Option<Heard>, ProviderErrorReason>
  /** `GET /requests/v3`: a request with all that came of it. Only for who has a key. */
  readonly requests: Option.Option<(requestId: string) => Effect.Effect<Heard, ProviderErrorReason>>
  /** `GET /app-fees/{wallet}/balances`: the commission that was earned and not claimed. */
  readonly feeBalances: (wallet: string) => Effect.Effect<Heard, ProviderErrorReason>
  /** `POST /transactions/deposit-address/reindex`: looks for deposits again. */
  readonly reindex: (
    address: { readonly chainId: number; readonly depositAddress: string },
  ) => Effect.Effect<LookedAgain, ProviderErrorReason>
}

/** The answer to a look for deposits: what was found, or why there was none. */
export type LookedAgain =
  | { readonly _tag: "Looked"; readonly heard: Heard }
  | { readonly _tag: "TooSoon" }
  | { readonly _tag: "NotKnown" }

const nothingOpened: Asked = { opening: false, subject: Option.none() }

const heard = (answer: Answer, asked: Asked): Effect.Effect<Heard, ProviderErrorReason> =>
  Effect.fromResult<Heard, ProviderErrorReason>(
    isOk(answer)
      ? Result.map(hear(endpoint, answer), (said) => ({ ...said, answeredAt: answer.answeredAt }))
      : Result.fail(answerReason(answer, asked)),
  )

const warnOfKey = (answer: Answer): Effect.Effect<void> =>
  isKeyRefused(answer)
    ? warnSparsely("relay key", 1, "The Relay service refuses our key: set RELAY_KEY to a valid one")
    : Effect.void

/** A 404 without a message is not the service's own: something else answers at this URL. */
const isUnknownRequest = ({ status, body }: Answer): boolean =>
  status === 404 && Option.isSome(messageOf(body))

/** A limit on the rate of all calls has the same status and other words. */
const isTooSoon = ({ body, status }: Answer): boolean =>
  status === 429 && Option.exists(messageOf(body), (message) => /recently/i.test(message))

/** A second look at one address has to wait, which says nothing of the upstream's health. */
const lookedAgain = (answer: Answer): Effect.Effect<LookedAgain, ProviderErrorReason> => {
  if (isTooSoon(answer)) return Effect.succeed({ _tag: "TooSoon" })
  if (isUnknownRequest(answer)) return Effect.succeed({ _tag: "NotKnown" })
  return Effect.map(heard(answer, nothingOpened), (heard) => ({ _tag: "Looked" as const, heard }))
}

/** The API at `url`; nothing is ever repeated. */
export const makeClient = (
  client: HttpClient.HttpClient,
  { key, url }: Pick<Options, "url" | "key">,
): Client => {
  const authorise = Option.match(key, {
    onNone: () => (request: HttpClientRequest.HttpClientRequest) => request,
    onSome: (key) => HttpClientRequest.setHeader("x-api-key", Redacted.value(key)),
  })
  const hide = hideSecrets(url, ...Option.toArray(Option.map(key, Redacted.value)))
  const warn = Option.isSome(key) ? warnOfKey : () => Effect.void
  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.tap(send(client, endpoint, authorise(HttpClientRequest.acceptJson(request)), hide), warn)
  const get = (path: string, urlParams: Readonly<Record<string, string>> = {}) =>
    ask(HttpClientRequest.get(under(url, path), { urlParams }))
  const post = (path: string, body: Schema.Json) =>
    ask(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(under(url, path)), body))
  return {
    chains: Effect.flatMap(get("/chains"), (answer) => heard(answer, nothingOpened)),
    quote: (request, asked) => Effect.flatMap(post("/quote/v2", request), (answer) => heard(answer, asked)),
    status: (requestId) =>
      Effect.flatMap(
        get("/intents/status/v3", { requestId }),
        (answer) =>
          isUnknownRequest(answer) ? Effect.succeedNone : Effect.asSome(heard(answer, nothingOpened)),
      ),
    requests: Option.map(key, () => (requestId) =>
      Effect.flatMap(
        get("/requests/v3", { id: requestId, includeChildRequests: "true" }),
        (answer) => heard(answer, nothingOpened),
      )),
    feeBalances: (wallet) =>
      Effect.flatMap(get(`/app-fees/${wallet}/balances`), (answer) => heard(answer, nothingOpened)),
    reindex: (address) =>
      Effect.flatMap(
        post("/transactions/deposit-address/reindex", address),
        lookedAgain,
      ),
  }
}
