import { Result } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import type { LateDeposit } from "#domain/swaps/Channel.ts"
import { combineIssues, hasIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { isSent, receivedOf, type SwapAmount } from "#domain/quotes/ExactOutput.ts"
import { outOfReach, type Price } from "#domain/money/Price.ts"
import { NoExactOutput, RequestRefused } from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import { type SwapRequest, totalCommission } from "#domain/swaps/SwapRequest.ts"

/** What an end of a swap at a provider has to fit (decision 37). The facts stand with each provider's wire. */
export interface EndRules {
  /**
   * What the price limit binds. `as ordered`: what arrives for the ordered amount, however much came. `on arrival`: what
   * arrives, at the price of what was swapped. `before sending`: what is swapped of the deposit less the fees before,
   * without the fee for sending. `by chunk`: of a swap in chunks what each gives before commission and the fee for
   * sending; of another what arrives.
   */
  readonly limit: "as ordered" | "on arrival" | "before sending" | "by chunk"
  /** Whether the upstream always tells how much came, or knows an order for an amount, and may leave it at that. */
  readonly deposit: "told" | "ordered"
  /** Whether the deposit's own transaction can be that of a payment on the same chain. */
  readonly paysByDeposit: boolean
  /** What a payment's transaction can pay: `one` swap, `several` by different payments, `batches` also by equal ones. */
  readonly pays: "one" | "several" | "batches"
}

/** The parts of a request that a provider can honour. The others are never dropped or clipped silently. */
export interface Capabilities {
  /** The most that brokers may take, all of them together, in basis points. */
  readonly maximumCommissionBps: number
  readonly affiliates: boolean
  readonly boost: boolean
  readonly dca: boolean
  /** The least interval of chunks, in blocks; 2 where that is absent, which is the least that channels take. */
  readonly shortestChunkInterval?: 1
  readonly ccm: boolean
  /** Whether each deposit is priced, so that the amount has to be known before a channel opens (decision 11). */
  readonly needsAmount: boolean
  /** Whether a deposit waits `retryDurationBlocks` for its price. If not, it goes back at once, and records say 0. */
  readonly retry: boolean
  /** Whether a price limit above the present price is refused (`limitNotMet`); absent where a deposit waits for it. */
  readonly refusesLimitAbove?: true
  readonly lateDeposit: LateDeposit
  readonly ends: EndRules
  /** Whether deposits to one channel add up to the least amount. Absent: each counts alone. */
  readonly addsDeposits?: true
  /** Look-ups of unknown swaps a minute, of all replicas together; 6 if absent. One account gets two in five. */
  readonly unknownPerMinute?: number
  /** Whether an exact output can be asked for. Absent: what is sent decides what arrives. */
  readonly exactOutput?: true
  /** Whether quotes are for a sender and a recipient; absent where they are the same for everybody. */
  readonly quoteParties?: "used" | "required"
}

/** The request with the retry duration that the provider honours: 0 where it does not wait for a price. */
export const asHonoured = <Request extends SwapRequest>(can: Capabilities, request: Request): Request =>
  can.retry ? request : { ...request, retryDurationBlocks: 0 }

const when = (applies: boolean, issues: () => Issues): Issues => applies ? issues() : noIssues

/** The least interval of chunks, in blocks, where a provider does not take a shorter one. */
const shortestChunkInterval = 2

/** The request for quotes; without addresses where they change no quote of the provider, so that calls are shared. */
export const asQuotable = ({ quoteParties }: Capabilities, request: QuoteRequest): QuoteRequest => {
  if (quoteParties !== undefined) return request
  const { recipient: _recipient, sender: _sender, ...everybodys } = request
  return everybodys
}

/** The issue of an output that a provider cannot promise. */
const noExactOutput = (provider: string): Issues =>
  issueAbout(
    "amountOut",
    `is not promised by ${provider}, where what is sent decides what arrives: give amount in its place`,
  )

/** Why a provider is not asked for what is to arrive; undefined where it can be, and of what is to be sent. */
export const exactOutputLacking = (
  provider: string,
  { exactOutput }: Capabilities,
  amount: SwapAmount | undefined,
): NoExactOutput | undefined =>
  exactOutput === true || receivedOf(amount) === undefined
    ? undefined
    : new NoExactOutput({ errors: noExactOutput(provider) })

/** The issues of a request for quotes that a provider cannot honour. Too high a commission is never clipped. */
export const notQuotable = (
  provider: string,
  { maximumCommissionBps, quoteParties }: Capabilities,
  { commissionBps, recipient, sender }: QuoteRequest,
): Issues => {
  const missing = (name: string, address: Address | undefined) =>
    when(
      quoteParties === "required" && address === undefined,
      () => issueAbout(name, `is required by ${provider}, which quotes for one sender and one recipient`),
    )
  return combineIssues([
    when(commissionBps > maximumCommissionBps, () =>
      issueAbout(
        "commissionBps",
        `is more than ${provider} takes: at most ${maximumCommissionBps} basis points`,
      )),
    missing("sourceAddress", sender),
    missing("destinationAddress", recipient),
  ])
}

/** The issues of a request that a provider cannot honour, by the contract's parameters; none if it can. */
export const notHonoured = (provider: string, can: Capabilities, request: SwapRequest): Issues =>
  combineIssues([
    exactOutputLacking(provider, can, request.amount)?.errors ?? noIssues,
    when(totalCommission(request) > can.maximumCommissionBps, () =>
      issueAbout(
        "commissionBps",
        `is more than ${provider} takes, affiliates included: at most ${can.maximumCommissionBps} basis points`,
      )),
    when(
      !can.affiliates && request.affiliates.length > 0,
      () => issueAbout("affiliate1", `is a kind of account that ${provider} cannot pay`),
    ),
    when(
      !can.boost && request.maximumBoostFeeBps > 0,
      () => issueAbout("boostFee", `is not possible with ${provider}`),
    ),
    when(
      !can.dca && request.dca !== undefined,
      () => issueAbout("numberOfChunks", `is not possible with ${provider}, which swaps at once`),
    ),
    when(
      can.dca && request.dca !== undefined &&
        request.dca.chunkIntervalBlocks < (can.shortestChunkInterval ?? shortestChunkInterval),
      () => issueAbout("chunkIntervalBlocks", `is at least ${shortestChunkInterval} with ${provider}`),
    ),
    when(
      !can.ccm && request.ccm !== undefined,
      () => issueAbout("ccmPayload", `is not possible with ${provider}`),
    ),
    when(
      can.needsAmount && request.amount === undefined,
      () => issueAbout("amount", `is required by ${provider}, which prices each deposit`),
    ),
  ])

const refuse = (errors: Issues): Result.Result<void, RequestRefused> =>
  hasIssues(errors) ? Result.fail(new RequestRefused({ errors })) : Result.void

/** The price limit of an opening cannot be met now: it is the limit that does not fit, whatever the amount. */
export const limitNotMet = new RequestRefused({
  errors: issueAbout(
    "minimumPrice",
    "is above what is paid now: ask for a quote, and accept its price less a tolerance",
  ),
})

/** Whether a provider refuses to begin a swap at this price limit while its price is the present one. */
export const refusesLimit = (
  { refusesLimitAbove }: Pick<Capabilities, "refusesLimitAbove">,
  limit: Price,
  present: Price,
): boolean => refusesLimitAbove === true && outOfReach(limit, present) !== undefined

/** A provider that pays its broker's commission to an account of the operator's there. */
export interface Paying {
  readonly name: string
  readonly capabilities: Capabilities
  readonly hasPayee: boolean
}

const unpayable = ({ hasPayee, name }: Paying, commissionBps: number): Issues =>
  when(
    commissionBps > 0 && !hasPayee,
    () => issueAbout("commissionBps", `cannot be paid by ${name}: the operator has no account there`),
  )

/** Refuses a quote whose commission could not be taken: a quote without it would mislead. */
export const checkQuote = (paying: Paying, request: QuoteRequest): Result.Result<void, RequestRefused> =>
  refuse(combineIssues([
    notQuotable(paying.name, paying.capabilities, request),
    unpayable(paying, request.commissionBps),
  ]))

/** The amount that is sent, of a request to a provider that is asked for no output. */
export const sentAmount = (
  provider: string,
  amount: SwapAmount,
): Result.Result<NativeAmount, NoExactOutput> =>
  isSent(amount)
    ? Result.succeed(amount)
    : Result.fail(new NoExactOutput({ errors: noExactOutput(provider) }))

/** The amount of an opening or a payload that can be honoured whole; fails for any other. */
export const checkOpening = (
  paying: Paying,
  request: SwapRequest,
): Result.Result<SwapAmount, RequestRefused> => {
  const { capabilities, name } = paying
  return Result.flatMap(
    refuse(
      combineIssues([notHonoured(name, capabilities, request), unpayable(paying, request.commissionBps)]),
    ),
    () =>
      request.amount === undefined
        ? Result.fail(new RequestRefused({ errors: issueAbout("amount", `is required by ${name}`) }))
        : Result.succeed(request.amount),
  )
}
