import { Duration, Effect, Option, Result, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import {
  AssetDisabled,
  InsufficientLiquidity,
  type ProviderErrorReason,
  QuotingMaintenance,
  RequestRefused,
  Unreachable,
  UpstreamFailed,
} from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import * as Failures from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import { type Answer, type Heard, isRetirement } from "../upstream/transport.ts"
import { type Options, type QuoteVersion, v2Retired } from "./settings.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { combineIssues, issueAbout } from "#domain/Issues.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { decodeText } from "../upstream/values.ts"

export type Client = ReturnType<typeof makeClient>

/** The answer to a look for deposits: what was found, or why there was none. */
type LookedAgain =
  | { readonly _tag: "Looked"; readonly heard: Heard }
  | { readonly _tag: "TooSoon" }
  | { readonly _tag: "NotKnown" }

export const name = ProviderName.make("relay")

export const failAs = Failures.failAs(name)

export const endpoint = "Relay service"

interface Subject {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** The caller's addresses that were in the request; all others are placeholders. */
  readonly addresses: ReadonlyArray<AddressParameter>
}

/** What the contract calls an address of the caller's. */
export type AddressParameter = "destinationAddress" | "refundAddress"

export interface UpstreamCall extends Pick<Failures.WireCall, "general" | "opening"> {
  /** Of calls for a quote, with a deposit address or without. */
  readonly subject: Option.Option<Subject>
}

interface Refusal {
  readonly code: string
  readonly message: string
  readonly opening: boolean
  readonly subject: Subject
}

type Read = (refusal: Refusal) => ProviderErrorReason

const noRoute: Read = () =>
  new InsufficientLiquidity({ detail: "The provider finds no route for this swap: try another amount" })

const pricesAway: Read = () =>
  new QuotingMaintenance({ detail: "The provider has no prices for now: try again later" })

/** The service is out of order. Of an opening that does not tell whether an address was made before. */
const unavailable: Read = ({ opening }) =>
  opening
    ? new Unreachable({ detail: `The ${endpoint} is not available for now`, reached: true })
    : new QuotingMaintenance({ detail: "The provider is not available for now: try again later" })

/** A call of the service's own was cut short: the next one may succeed. */
const cutShort: Read = ({ opening }) =>
  new Unreachable({ detail: `A call of the ${endpoint} itself took too long or was cut`, reached: opening })

/** Its own failure, or a refusal that our requests never deserve. */
const itsOwn: Read = ({ code, message }) =>
  new UpstreamFailed({
    detail: `The ${endpoint} says ${Failures.upstreamText(code)}${
      message === "" ? "" : `: ${Failures.upstreamText(message)}`
    }`,
  })

/** The code says of none of the addresses that it is the one; the message may. */
const meant = (message: string): ReadonlyArray<AddressParameter> => {
  if (/recipient/i.test(message)) return ["destinationAddress"]
  // The user of a request is a placeholder.
  if (/user|sender/i.test(message)) return []
  return /refund/i.test(message) ? ["refundAddress"] : ["destinationAddress", "refundAddress"]
}

/** An address that is not served. The caller can only be told of addresses that are his. */
const wrongAddress: Read = (refusal) => {
  const his = meant(refusal.message).filter((parameter) => refusal.subject.addresses.includes(parameter))
  return his.length === 0 ? itsOwn(refusal) : new RequestRefused({
    errors: combineIssues(
      his.map((parameter) => issueAbout(parameter, "is not an address that the provider serves")),
    ),
  })
}

const ownAddressOnly: Read = () =>
  new AssetDisabled({ detail: "The provider swaps this pair to the sender's own address only" })

const keyRefused = () =>
  new UpstreamFailed({
    detail: `The ${endpoint} rejects the API key of this service, or requires one`,
    because: "key",
  })

/** Every code that is documented (relay/wire.md 1, errors), by its meaning. */
const meanings: ReadonlyArray<readonly [Read, string]> = [
  [({ message }) => Failures.tooLittle(message), "AMOUNT_TOO_LOW"],
  [
    () => new InsufficientLiquidity(),
    "AMOUNT_TOO_HIGH INSUFFICIENT_LIQUIDITY NO_QUOTES SWAP_IMPACT_TOO_HIGH",
  ],
  [noRoute, "DESTINATION_TX_FAILED NO_INTERNAL_SWAP_ROUTES_FOUND NO_SWAP_ROUTES_FOUND SOLANA_TX_TOO_LARGE"],
  [
    ({ subject: { destinationAsset, sourceAsset } }) =>
      new AssetDisabled({ detail: `The provider does not swap ${sourceAsset} to ${destinationAsset} now` }),
    "CHAIN_DISABLED INVALID_INPUT_CURRENCY INVALID_OUTPUT_CURRENCY ROUTE_TEMPORARILY_RESTRICTED SANCTIONED_CURRENCY UNSUPPORTED_CHAIN UNSUPPORTED_CURRENCY UNSUPPORTED_ROUTE",
  ],
  [pricesAway, "PRICE_FETCH_FAILED"],
  [unavailable, "SERVICE_UNAVAILABLE"],
  [cutShort, "REQUEST_TIMED_OUT RPC_HTTP_ERROR"],
  [wrongAddress, "INVALID_ADDRESS SANCTIONED_WALLET_ADDRESS"],
  [(refusal) => wrongAddress({ ...refusal, message: "recipient" }), "INVALID_RECIPIENT"],
  [ownAddressOnly, "USER_RECIPIENT_MISMATCH"],
  [keyRefused, "UNAUTHORIZED UNAUTHORIZED_QUOTE"],
  [
    itsOwn,
    "ERC20_ROUTER_ADDRESS_NOT_FOUND EXTRA_TXS_NOT_SUPPORTED FORBIDDEN INSUFFICIENT_FUNDS INVALID_EXTRA_TXS INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS INVALID_SLIPPAGE_TOLERANCE PERMIT_FAILED SWAP_QUOTE_FAILED UNKNOWN_ERROR UNSUPPORTED_EXECUTION_TYPE",
  ],
]

export const knownCodes: ReadonlyMap<string, Read> = new Map(
  meanings.flatMap(([read, codes]) => codes.split(" ").map((code) => [code, read])),
)

const ErrorBody = Schema.Struct({ errorCode: Schema.String, message: Schema.optionalKey(Schema.String) })

/** Whether an answer is the service's own word about a request, which has a code. */
const hasCode = (body: string): boolean => Option.isSome(decodeText(ErrorBody, body))

/** Whether the service refuses our key, or wants one: as it says so itself, or as the framework that it is made with. */
const isOfKey = ({ body, status }: Answer): boolean =>
  status === 401 ||
  (status === 400 && Option.exists(Failures.messageOf(body), (message) => /\bx-api-key\b/i.test(message)))

/** The reason of a failure: by its code, else by its status. Whatever Relay refuses in words it has not done. */
export const answerReason = (
  answer: Answer,
  { general, opening, subject }: UpstreamCall,
): ProviderErrorReason => {
  const call = { endpoint, opening, ...optionalMembers(general, (general) => ({ general })) }
  const reason = Option.all({ error: decodeText(ErrorBody, answer.body), subject }).pipe(
    Option.flatMap(({ error: { errorCode, message = "" }, subject }) =>
      Option.map(
        Option.fromUndefinedOr(knownCodes.get(errorCode)),
        (read) => read({ code: errorCode, message, opening, subject }),
      )
    ),
    Option.match({
      onNone: () => isOfKey(answer) ? keyRefused() : Failures.statusReason(answer, call),
      onSome: Failures.asAnswered(answer, call),
    }),
  )
  return opening ? Failures.unopened(reason, answer) : reason
}

const nothingOpened: UpstreamCall = { opening: false, subject: Option.none() }
const general: UpstreamCall = { ...nothingOpened, general: true }

/** A limit on the rate of all calls has the same status and other words. */
const isTooSoon = ({ body, status }: Answer): boolean =>
  status === 429 && Option.exists(Failures.messageOf(body), (message) => /recently/i.test(message))

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
