import { Duration, Effect, Option, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { messageOf } from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import { type Answer, type Heard, isRetirement } from "../upstream/transport.ts"
import { answerReason, endpoint, hasCode, isOfKey, type UpstreamCall } from "./errors.ts"
import { type Options, type QuoteVersion, v2Retired } from "./settings.ts"

export type Client = ReturnType<typeof makeClient>

/** The answer to a look for deposits: what was found, or why there was none. */
type LookedAgain =
  | { readonly _tag: "Looked"; readonly heard: Heard }
  | { readonly _tag: "TooSoon" }
  | { readonly _tag: "NotKnown" }

const nothingOpened: UpstreamCall = { opening: false, subject: Option.none() }
const general: UpstreamCall = { ...nothingOpened, general: true }

/** A limit on the rate of all calls has the same status and other words. */
const isTooSoon = ({ body, status }: Answer): boolean =>
  status === 429 && Option.exists(messageOf(body), (message) => /recently/i.test(message))

/** Whether v2 of the quotes is no more. A 404 without a code is no word about the request once its end has come (decision 61). */
const isRetired = (answer: Answer): boolean =>
  isRetirement(answer) ||
  (answer.status === 404 && answer.answeredAt >= v2Retired && !hasCode(answer.body))

/** How long v2 is left alone that was found to be retired: an upstream may only have tried its end. */
const leftAlone = Duration.minutes(10)

export const makeClient = (
  client: HttpClient.HttpClient,
  { key, quoteVersion, url }: Pick<Options, "url" | "key" | "quoteVersion">,
) => {
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
        isIn: (answer) => isOfKey(answer) || answer.status === 403,
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
  let v3Until = 0

  /**
   * Asks for a quote, or for a deposit address where the request does. What meets a retired v2 has opened nothing: it is
   * asked for once more, in v3, as all others are then.
   */
  const quote = Effect.fnUntraced(
    function* (request: Schema.Json, asked: UpstreamCall, version: QuoteVersion = quoteVersion) {
      const now = yield* currentMillis
      if (version === "v2" && now >= v3Until) {
        const answer = yield* asking.post("/quote/v2", request)
        if (!isRetired(answer)) return yield* Effect.fromResult(read(answer, asked))
        if (v3Until === 0) {
          yield* Effect.logWarning(
            "Relay has retired v2 of its quotes. v3 is used from now on. Set RELAY_QUOTE_VERSION=v3",
          )
        }
        v3Until = now + Duration.toMillis(leftAlone)
      }
      return yield* post("/quote/v3", request, asked)
    },
  )

  return {
    chains: get("/chains", general),
    quote,
    /** How far a request is, without amounts. Nothing while it is not known (yet). */
    status: (requestId: string) => find("/intents/status/v3", nothingOpened, { requestId }),
    /** A request with all that came of it. Only for who has a key. */
    requests: Option.map(
      key,
      () => (id: string) => get("/requests/v3", nothingOpened, { id, includeChildRequests: "true" }),
    ),
    /** The commission that was earned and not claimed. */
    feeBalances: (wallet: string) => get(`/app-fees/${wallet}/balances`, general),
    /** Looks for deposits again. */
    reindex: (address: { readonly chainId: number; readonly depositAddress: string }) =>
      Effect.flatMap(
        asking.post("/transactions/deposit-address/reindex", address),
        (answer) => Effect.fromResult(lookedAgain(answer)),
      ),
  }
}
