import type { Address } from "../domain/Address.ts"
import type { LateDeposit } from "../domain/Channel.ts"
import { combineIssues, issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import type { QuoteRequest } from "../domain/Quote.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"

/** What a provider can honour of a request; what it cannot is never dropped or clipped silently. */
export interface Capabilities {
  /** The most that it lets brokers take, all of them together, in basis points. */
  readonly maximumCommissionBps: number
  /** Whether it can pay other broker accounts. */
  readonly affiliates: boolean
  readonly boost: boolean
  readonly dca: boolean
  /** Whether it delivers messages to a receiving contract. */
  readonly ccm: boolean
  /** Whether it prices each deposit, and so has to know the amount before it opens a channel (decision 11). */
  readonly needsAmount: boolean
  /**
   * Whether it waits for the price that is asked for, `retryDurationBlocks` long. Where it does not, money that the
   * price limit stops goes back at once, and its records say 0 blocks.
   */
  readonly retry: boolean
  /** What becomes of a deposit after its channel has expired. */
  readonly lateDeposit: LateDeposit
  /** Whether quotes are for a sender and a recipient; absent where they are the same for everybody. */
  readonly quoteParties?: "used" | "required"
}

/** The request as a provider can take it: it waits for a price only where the provider does. */
export const asHonoured = <Request extends SwapRequest>(can: Capabilities, request: Request): Request =>
  can.retry ? request : { ...request, retryDurationBlocks: 0 }

const when = (applies: boolean, issues: () => Issues): Issues => applies ? issues() : noIssues

const totalCommission = ({ commissionBps, affiliates }: SwapRequest): number =>
  affiliates.reduce<number>((sum, affiliate) => sum + affiliate.commissionBps, commissionBps)

/** The request for quotes as a provider can take it: addresses that change nothing are left out, so that calls are shared. */
export const asQuotable = ({ quoteParties }: Capabilities, request: QuoteRequest): QuoteRequest => {
  if (quoteParties !== undefined) return request
  const { recipient: _recipient, sender: _sender, ...everybodys } = request
  return everybodys
}

/** What of a request for quotes a provider cannot honour; a commission that is too high is never clipped. */
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

/** What of a request a provider cannot honour, in words of the contract's parameters; nothing if all of it. */
export const notHonoured = (provider: string, can: Capabilities, request: SwapRequest): Issues =>
  combineIssues([
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
      !can.ccm && request.ccm !== undefined,
      () => issueAbout("ccmPayload", `is not possible with ${provider}`),
    ),
    when(
      can.needsAmount && request.amount === undefined,
      () => issueAbout("amount", `is required by ${provider}, which prices each deposit`),
    ),
  ])
