import { Effect, Option, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { messageOf } from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import type { Answer, Heard } from "../upstream/transport.ts"
import { answerReason, endpoint, type UpstreamCall } from "./errors.ts"
import type { Options } from "./settings.ts"

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

export const makeClient = (client: HttpClient.HttpClient, { key, url }: Pick<Options, "url" | "key">) => {
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
    /** Opens a deposit address where the request asks for one. */
    quote: (request: Schema.Json, asked: UpstreamCall) => post("/quote/v2", request, asked),
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
