import { Effect, Option, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { messageOf } from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import type { Answer, Heard } from "../upstream/transport.ts"
import { answerReason, endpoint, type UpstreamCall } from "./errors.ts"
import type { Options } from "./settings.ts"

export interface Client {
  /** `GET /chains`. */
  readonly chains: Effect.Effect<Heard, ProviderErrorReason>
  /** `POST /quote/v2`; opens a deposit address where the request asks for one. */
  readonly quote: (request: Schema.Json, asked: UpstreamCall) => Effect.Effect<Heard, ProviderErrorReason>
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

const nothingOpened: UpstreamCall = { opening: false, subject: Option.none() }
const general: UpstreamCall = { ...nothingOpened, general: true }

/** A limit on the rate of all calls has the same status and other words. */
const isTooSoon = ({ body, status }: Answer): boolean =>
  status === 429 && Option.exists(messageOf(body), (message) => /recently/i.test(message))

export const makeClient = (
  client: HttpClient.HttpClient,
  { key, url }: Pick<Options, "url" | "key">,
): Client => {
  const { asking, find, get, isUnknown, post, read } = makeRest<UpstreamCall>({
    client,
    url,
    endpoint,
    reasonOf: answerReason,
    credential: {
      key,
      authorise: (request, key) => HttpClientRequest.setHeader(request, "x-api-key", key),
      refusal: {
        // The key is not one of theirs, or no longer, or may not do this.
        isIn: ({ status }) => status === 401 || status === 403,
        warning: "The Relay service refuses our key: set RELAY_KEY to a valid one",
      },
    },
  })
  /** A second look at one address has to wait, which says nothing of the upstream's health. */
  const lookedAgain = (answer: Answer): Result.Result<LookedAgain, ProviderErrorReason> => {
    if (isTooSoon(answer)) return Result.succeed({ _tag: "TooSoon" })
    if (isUnknown(answer)) return Result.succeed({ _tag: "NotKnown" })
    return Result.map(read(answer, nothingOpened), (heard) => ({ _tag: "Looked" as const, heard }))
  }
  return {
    chains: get("/chains", general),
    quote: (request, asked) => post("/quote/v2", request, asked),
    status: (requestId) => find("/intents/status/v3", nothingOpened, { requestId }),
    requests: Option.map(
      key,
      () => (id) => get("/requests/v3", nothingOpened, { id, includeChildRequests: "true" }),
    ),
    feeBalances: (wallet) => get(`/app-fees/${wallet}/balances`, general),
    reindex: (address) =>
      Effect.flatMap(
        asking.post("/transactions/deposit-address/reindex", address),
        (answer) => Effect.fromResult(lookedAgain(answer)),
      ),
  }
}
