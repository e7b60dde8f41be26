import { Option, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { makeRest } from "../upstream/restClient.ts"
import type { Options } from "./settings.ts"
import { formatUnits, NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { isSent, type SwapAmount, unitsOf } from "#domain/quotes/ExactOutput.ts"
import * as Reason from "#domain/ProviderError.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import * as Failures from "../upstream/failures.ts"
import { decodeText } from "../upstream/values.ts"
import type { Answer } from "../upstream/transport.ts"

/** The 1Click REST API (near-intents/wire.md 1). */
export type Client = ReturnType<typeof makeClient>

export const name = ProviderName.make("near-intents")

export const failAs = Failures.failAs(name)

interface Subject {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: SwapAmount
  /** Whether recipient and refund address are the caller's; otherwise they are placeholders. */
  readonly callersAddresses: boolean
}

type Means = (match: RegExpExecArray, subject: Subject) => ProviderErrorReason | undefined

/** Refuses an address only where it is the caller's own, not a placeholder. */
const ofCaller = (parameter: string, predicate: string): Means => (_, { callersAddresses }) =>
  callersAddresses ? Failures.refused(parameter, predicate) : undefined

/** 1Click does not say in which asset's units the minimum is: it is told only if above the requested amount. */
const tooLow: Means = ([, digits], { sourceAsset, destinationAsset, amount }) => {
  const minimum = digits === undefined
    ? Option.none()
    : Option.filter(NativeAmount.makeOption(BigInt(digits)), (least) => least > unitsOf(amount))
  return Option.match(minimum, {
    onNone: () => new Reason.AmountBelowMinimum(),
    onSome: (minimum) =>
      isSent(amount)
        ? new Reason.DepositBelowMinimum({ asset: sourceAsset, minimum })
        : new Reason.AmountBelowMinimum({
          detail: `The provider pays out ${
            formatUnits(destinationAsset, minimum)
          } ${destinationAsset} at least: ask for more`,
        }),
  })
}

const notServed = (side: "sourceAsset" | "destinationAsset"): Means => (_, subject) =>
  new Reason.AssetDisabled({ detail: `The provider does not take ${subject[side]} now` })

const pairOff: Means = (_, { destinationAsset, sourceAsset }) =>
  new Reason.AssetDisabled({ detail: `The provider does not swap ${sourceAsset} to ${destinationAsset} now` })

const isOnXrpl = (asset: AssetId): boolean => chainFacts(chainOf(asset)).family._tag === "xrpl"

/** An account of the XRP Ledger that demands a tag gets no other answer (near-intents/wire.md 1, XRP). */
const internalError: Means = (_, { callersAddresses, destinationAsset, sourceAsset }) =>
  new Reason.UpstreamFailed({
    detail: callersAddresses && [sourceAsset, destinationAsset].some(isOnXrpl)
      ? "The 1Click service reports an internal error, as it does for an XRP account that demands a destination tag: " +
        "if yours does, use one that does not"
      : "The 1Click service reports an internal error",
  })

/** The texts with a meaning of their own (near-intents/wire.md 1). */
const knownMessages: Failures.Meanings<Subject> = [
  [/too low for bridge(?:, try at least ([0-9]{1,39})(?![0-9.]))?/i, tooLow],
  [/temporary (?:swap )?limit|minimum swap amount/i, ({ input }) => Failures.tooLittle(input)],
  [
    /below the minimum withdrawal amount/i,
    new Reason.EgressBelowMinimum({ detail: "The output is below what can be paid out: swap more" }),
  ],
  [
    /not cover the withdrawal fee/i,
    new Reason.EgressFeeNotCovered({ detail: "The output does not cover the payout's fee: swap more" }),
  ],
  [/no liquidity|failed to get (?:a )?quote|no_quote|no quote/i, new Reason.InsufficientLiquidity()],
  [/quoting is paused for maintenance/i, new Reason.QuotingMaintenance()],
  [/swaps? (?:are|is) paused for maintenance/i, new Reason.SwappingMaintenance()],
  [
    /failed to create (?:a )?deposit address/i,
    new Reason.DepositChannelFailed({ detail: "The provider could not make a deposit address" }),
  ],
  [/too many active deposit addresses/i, new Reason.TooManyChannels()],
  [
    /for this pair is not available|token is disabled|deposits? (?:are |is )?paused|route (?:is )?suspended/i,
    pairOff,
  ],
  [/under maintenance/i, pairOff],
  [/not supported as (?:an )?origin asset/i, notServed("sourceAsset")],
  [
    /not supported as (?:a )?destination asset|supports only \w+ recipienttype/i,
    notServed("destinationAsset"),
  ],
  [
    /can'?t withdraw to exchange/i,
    ofCaller("destinationAddress", "is of an exchange, which the provider does not pay out to"),
  ],
  [/address is blocked/i, ofCaller("destinationAddress", "or the refund address is blocked by the provider")],
  [/tokenin (?:is )?not valid|invalid tokenin/i, notServed("sourceAsset")],
  [/tokenout (?:is )?not valid|invalid tokenout/i, notServed("destinationAsset")],
  [/depositmode/i, Failures.refused("sourceAsset", "needs a memo with each deposit, which is not served")],
  [/appfees must not exceed/i, Failures.refused("commissionBps", "is more than the provider takes")],
  [
    /^(?!.*must be)(?=.*\brecipient\b)(?=.*(?:valid|incorrect))/is,
    ofCaller("destinationAddress", "is not an address that the provider can pay out to"),
  ],
  [
    /^(?!.*must be)(?=.*\brefundto\b)(?=.*(?:valid|incorrect))/is,
    ofCaller("refundAddress", "is not an address that the provider can refund to"),
  ],
  [/internal server error/i, internalError],
]

export const endpoint = "1Click service"

interface UpstreamCall extends Pick<Failures.WireCall, "general" | "opening"> {
  /** The request of a call for a quote, dry or not. */
  readonly subject: Option.Option<Subject>
}

/** Codes of problem details that count more than their status; all others are refusals of this request (wire.md 1). */
const statusOfCode: ReadonlyMap<string, number> = new Map([
  ["authentication-required", 401],
  ["rate-limit-exceeded", 429],
  ["internal-error", 500],
  ["service-unavailable", 503],
])

const Problem = Schema.Struct({ code: Schema.String })

/** The status that an answer means: the graver of its own and its code's. */
const statusOf = ({ body, status }: Answer): number =>
  Option.match(decodeText(Problem, body), {
    onNone: () => status,
    onSome: ({ code }) => Math.max(status, statusOfCode.get(code) ?? status),
  })

/** The reason that a failure status means (near-intents/wire.md 1): texts count more. A 4xx has opened nothing. */
export const answerReason = (said: Answer, asked: UpstreamCall): ProviderErrorReason => {
  const answer = { ...said, status: statusOf(said) }
  const call = { ...asked, endpoint }
  const reason = Option.all({ text: Failures.refusalText(answer), subject: asked.subject }).pipe(
    Option.flatMap(({ subject, text }) => Failures.meaningIn(knownMessages, text, subject)),
    Option.match({
      onNone: () => Failures.statusReason(answer, call),
      onSome: Failures.asAnswered(answer, call),
    }),
  )
  return asked.opening ? Failures.unopened(reason, answer) : reason
}

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
