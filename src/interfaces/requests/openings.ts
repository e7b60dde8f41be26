import { Effect, Option, Schema } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { type DepositChannelBody, posted, SwapQuery } from "#api/Swap.ts"
import { PayloadQuery, SolanaPayloadQuery } from "#api/TxPayload.ts"
import type { PayloadKind } from "#domain/swaps/VaultSwap.ts"
import { OpeningRules, type SwapInput } from "#application/swapping/opening/OpeningRules.ts"
import type { PayloadInput } from "#application/swapping/payloads/PayloadRules.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { readBy, readerOf } from "./parameterIssues.ts"
import type { Start } from "#domain/swaps/Start.ts"
import { orderFor } from "#application/quoting/QuotesRequest.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import type { OpeningRequest } from "#application/swapping/opening/SwapRules.ts"
import { QuoteReplaced } from "./problems.ts"
import { presentQuote } from "./present/quotes.ts"
import type { WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { hasExpired, paymentOf } from "#domain/swaps/payment/Payment.ts"
import { expiredWarnings, warningText } from "#domain/swaps/payment/warnings.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { HttpServerRequest } from "effect/http"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { presentExactOutput } from "#api/exactOutput.ts"
import { presentPayment } from "#api/Payment.ts"
import { presentExactDeposit, presentRefund } from "#api/shape.ts"
import { noAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"

/** What `/swap` is to open for the caller, or all issues of the parameters that could be read. */
export const requestSwap = Effect.fnUntraced(
  function* (input: SwapInput, unreadable: ReadonlyArray<string> = []) {
    return yield* (yield* Swaps).request(yield* CurrentAccount, { ...input, unreadable })
  },
)

/** Reads the parameters of `GET /swap`, or fails with all their issues. */
export const readSwap = readBy(readerOf(SwapQuery), requestSwap)

/** Reads the parameters of `POST /swap`, which are in its query, its body, or both. */
export const readPostedSwap = readBy(readerOf(posted(SwapQuery)), requestSwap)

/** What `/tx-payload/*` is to encode for the caller, or all issues of the parameters that could be read. */
export const requestPayload = (kind: PayloadKind) =>
  Effect.fnUntraced(function* (input: PayloadInput, unreadable: ReadonlyArray<string> = []) {
    return yield* (yield* VaultSwaps).request(yield* CurrentAccount, kind, { ...input, unreadable })
  })

const inQuery = readerOf(PayloadQuery)
const solanaInQuery = readerOf(SolanaPayloadQuery)
const inBody = readerOf(posted(PayloadQuery))
const solanaInBody = readerOf(posted(SolanaPayloadQuery))

/** Reads the parameters of `GET /tx-payload/*`, or fails with all their issues. */
export const readPayload = (kind: PayloadKind) =>
  kind === "solana" ? readBy(solanaInQuery, requestPayload(kind)) : readBy(inQuery, requestPayload(kind))

/** Reads the parameters of `POST /tx-payload/*`, which are in its query, its body, or both. */
export const readPostedPayload = (kind: PayloadKind) =>
  kind === "solana" ? readBy(solanaInBody, requestPayload(kind)) : readBy(inBody, requestPayload(kind))

type Bound = Pick<OpeningRequest, "platform" | "request">

/** Makes the function that puts a fresh quote beside one that is over or used up: of its provider, for the same request and start. */
export const makeWithFreshQuote = Effect.map(Quoting, (quoting) => {
  const fresh = Effect.fnUntraced(function* ({ platform, request }: Bound, start: Start) {
    if (request.quote === undefined) return undefined
    const order = {
      ...orderFor(request, request.amount ?? request.quote.amount),
      platform,
      start,
      sender: request.refundAddress,
    }
    const answer = yield* quoting.quotes(yield* CurrentAccount, order, "anew")
    const { by, quotes } = answer.identified
    const same = quotes.find(({ ranked: { quote } }) =>
      (quote.dca === undefined) === (request.dca === undefined)
    )
    return same === undefined ? undefined : presentQuote(same, by, answer)
  })

  return (order: Bound, start: Start) =>
  <A, E, R>(opening: Effect.Effect<A, E, R>): Effect.Effect<A, E | QuoteReplaced, R | CurrentAccount> =>
    Effect.catch(opening, (failure): Effect.Effect<never, E | QuoteReplaced, CurrentAccount> => {
      if (!(failure instanceof QuoteExpired)) return Effect.fail(failure)
      return Effect.flatMap(
        Effect.option(fresh(order, start)),
        (quote) => Effect.fail(new QuoteReplaced({ over: failure, quote: Option.getOrUndefined(quote) })),
      )
    })
})

const others = [Schema.Record(Schema.String, Schema.Unknown)] as const

/** The members of an opening's answer that say whether it can still be paid by, beside all others. */
const Opened = Schema.StructWithRest(
  Schema.Struct({
    id: SwapRecordId,
    platform: ProviderName,
    payment: Schema.StructWithRest(Schema.Struct({ expiresAt: Schema.optionalKey(EpochMillis) }), others),
  }),
  others,
)

const readOpened = Schema.decodeUnknownOption(Schema.fromJsonString(Opened))

/** The answer of an opening whose channel has expired: without the link, with the warning in place of all others. */
const expired = (
  { payment: { uri: _, ...payment }, ...opened }: typeof Opened.Type,
  warnings: ReadonlyArray<string>,
  changes: Readonly<Record<string, string>>,
): string => JSON.stringify({ ...opened, payment: { ...payment, scheme: "address", warnings }, ...changes })

/** Repeats an opening's answer with `changes`, and without the link of an expired channel (decision 36). */
export const makeRepeatedOpening = Effect.gen(function* () {
  const swaps = yield* Swaps
  const { networkOf } = yield* OpeningRules

  /** The word of the channel's network. What cannot be looked up has only its time. */
  const isExpired = Effect.fnUntraced(function* (id: SwapRecordId) {
    const found = yield* Effect.option(swaps.byId(yield* CurrentAccount, id))
    return Option.exists(found, ({ status }) => status.depositChannel?.isExpired === true)
  })

  return Effect.fnUntraced(function* (answer: WrittenAnswer, changes: Readonly<Record<string, string>> = {}) {
    const opened = answer.status === 200 ? readOpened(answer.body) : Option.none()
    if (Option.isNone(opened)) return answer
    const { id, payment: { expiresAt }, platform } = opened.value
    const network = networkOf(platform)
    const known = optionalMembers(expiresAt, (estimatedExpiryTime) => ({ estimatedExpiryTime }))
    const isOver = hasExpired(known, network, yield* currentMillis) || (yield* isExpired(id))
    return isOver
      ? { ...answer, body: expired(opened.value, expiredWarnings(network).map(warningText), changes) }
      : answer
  })
})

/** The headers in which browsers say, each in its way, that nobody has asked for a page yet. */
const headerNames = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"]

/** Refuses a browser's guess, as nobody asked for its effect (decision 12). `would` continues "this request". */
export const refusePrefetch = Effect.fnUntraced(function* (would: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  for (const name of headerNames) {
    const [guess] = /\b(?:prefetch|prerender|preview)\b/i.exec(headers[name.toLowerCase()] ?? "") ?? []
    if (guess === undefined) continue
    return yield* new InvalidRequest({
      errors: issueAbout(name, `is ${guess.toLowerCase()}, but this request ${would}`),
    })
  }
})

/** The asset in which opening fees are charged. */
const governanceToken: AssetId = "flip.eth"

export const presentOpened = (
  {
    id,
    channel,
    depositLimits,
    destinationAsset,
    expiresAt,
    openedAt,
    payable,
    platform,
    refundAddress,
    refundsTo,
    sourceAsset,
    terms,
  }: OpenedSwap,
  network: Network,
): DepositChannelBody => ({
  id,
  address: channel.depositAddress,
  issuedBlock: channel.id.issuedBlock,
  network: channel.id.network,
  channelId: channel.id.channelId,
  sourceExpiryBlock: channel.sourceExpiryBlock,
  explorerUrl: channel.explorerUrl,
  channelOpeningFee: toHuman(governanceToken, channel.openingFee),
  channelOpeningFeeNative: channel.openingFee,
  platform,
  minimumDeposit: toHuman(sourceAsset, depositLimits.minimum ?? noAmount),
  minimumDepositNative: depositLimits.minimum ?? noAmount,
  ...optionalMembers(depositLimits.maximum, (maximum) => ({
    maximumDeposit: toHuman(sourceAsset, maximum),
    maximumDepositNative: maximum,
  })),
  ...presentRefund(refundsTo, refundAddress),
  ...presentExactDeposit(sourceAsset, channel),
  ...optionalMembers(payable.exactOutput, (exactOutput) => ({
    exactOutput: presentExactOutput(exactOutput, { sourceAsset, destinationAsset }),
  })),
  ...defined({ expiresAt }),
  payment: presentPayment(sourceAsset, paymentOf(payable, { ...terms, network }, openedAt)),
})
