import { Result } from "effect"
import { type Address, checkAddress } from "#domain/chains/Address.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import { combineIssues, hasIssues, issueAbout, type Issues, issuesOf, noIssues } from "#domain/Issues.ts"
import { alreadyTold, present } from "#domain/RequestRules.ts"
import {
  kindOf,
  payloadChains,
  type PayloadKind,
  type PayloadSender,
  type Seed,
  type VaultSwapRequest,
} from "#domain/swaps/VaultSwap.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { SwapInput, SwapTerms } from "../opening/OpeningRules.ts"
import { type OpeningRequest, openingRequest } from "../opening/SwapRules.ts"

/** A caller's request to `/tx-payload/*`, as far as it could be read; the names are the contract's (decision 13). */
export interface PayloadInput extends SwapInput {
  readonly sourceAddress?: string
  readonly seed?: Seed
  readonly sourceTokenAccount?: string
}

/** The terms that the rules depend on besides the request. */
export interface PayloadTerms extends SwapTerms {
  /** The seed for a caller who gives none; never the same twice. */
  readonly freshSeed: Seed
}

/** A request that passed every rule, with the provider that it names, if any. */
export interface EncodingRequest extends Omit<OpeningRequest, "request"> {
  readonly request: VaultSwapRequest
}

const onPath = (kind: PayloadKind, { sourceAsset }: PayloadInput): Result.Result<void, Issues> => {
  const chains = payloadChains(kind)
  return sourceAsset === undefined || chains.includes(chainOf(sourceAsset)) ? Result.void : Result.fail(
    issueAbout(
      "sourceAsset",
      `must be on ${chains.join(" or ")}, but ${sourceAsset} is on ${chainOf(sourceAsset)}`,
    ),
  )
}

/** What transactions have no room for a message on, by their kind. */
const roomless: Readonly<Partial<Record<PayloadKind, string>>> = {
  bitcoin: "Bitcoin",
  xrpl: "the XRP Ledger",
}

const noMessage = (kind: PayloadKind, { ccmPayload }: PayloadInput): Result.Result<void, Issues> => {
  const place = roomless[kind]
  return place === undefined || ccmPayload === undefined ? Result.void : Result.fail(
    issueAbout("ccmPayload", `is not possible from ${place}, whose transactions have no room for it`),
  )
}

const addressOn = (
  chain: Chain,
  parameter: string,
  text: string,
  { networks }: PayloadTerms,
): Result.Result<Address, Issues> =>
  Result.mapError(checkAddress(chain, networks, text), (predicate) => issueAbout(parameter, predicate))

const tokenAccount = (
  { sourceAsset, sourceTokenAccount }: PayloadInput,
  terms: PayloadTerms,
): Result.Result<Address | undefined, Issues> => {
  if (sourceTokenAccount === undefined) return Result.succeed(undefined)
  return sourceAsset !== undefined && factsOf(sourceAsset).contractAddress === undefined
    ? Result.fail(issueAbout("sourceTokenAccount", `is only for tokens, and ${sourceAsset} is not a token`))
    : addressOn("Solana", "sourceTokenAccount", sourceTokenAccount, terms)
}

const solanaSender = (wish: PayloadInput, terms: PayloadTerms): Result.Result<PayloadSender, Issues> => {
  const parts = {
    // A missing value was reported where the request was read.
    address: wish.sourceAddress === undefined
      ? alreadyTold
      : addressOn("Solana", "sourceAddress", wish.sourceAddress, terms),
    tokenAccount: tokenAccount(wish, terms),
  }
  return Result.mapBoth(Result.all(parts), {
    onFailure: () => issuesOf(Object.values(parts)),
    onSuccess: ({ address, tokenAccount }) => ({
      _tag: "solana",
      address,
      seed: wish.seed ?? terms.freshSeed,
      ...defined({ tokenAccount }),
    }),
  })
}

const senderOf = (
  kind: PayloadKind,
  wish: PayloadInput,
  terms: PayloadTerms,
): Result.Result<PayloadSender, Issues> => {
  if (kind === "solana") return solanaSender(wish, terms)
  const { sourceAddress, sourceAsset } = wish
  // An asset that is missing, or lives on no chain of this path, is told already.
  return sourceAddress === undefined || sourceAsset === undefined || kindOf(chainOf(sourceAsset)) !== kind
    ? Result.succeed({ _tag: kind })
    : Result.map(addressOn(chainOf(sourceAsset), "sourceAddress", sourceAddress, terms), (address) => ({
      _tag: kind,
      address,
    }))
}

/** The largest number in an instruction of Solana, which has 64 bits; those of a request have more. */
const mostOnSolana = 2n ** 64n - 1n

/** Whether an instruction of the chain can hold the request's numbers; the upstream's encoder fails on larger ones. */
const carried = (
  kind: PayloadKind,
  { amount: humanAmount }: PayloadInput,
  { amount, ccm }: { readonly amount: bigint; readonly ccm?: { readonly gasBudget: bigint } },
): Result.Result<void, Issues> => {
  if (kind !== "solana") return Result.void
  const name = humanAmount === undefined ? "amountNative" : "amount"
  const issues = combineIssues([
    amount > mostOnSolana
      ? issueAbout(name, `is above ${mostOnSolana} native units, the maximum on Solana`)
      : noIssues,
    ccm !== undefined && ccm.gasBudget > mostOnSolana
      ? issueAbout("ccmPayload", `may have a gasBudget of ${mostOnSolana} on Solana`)
      : noIssues,
  ])
  return hasIssues(issues) ? Result.fail(issues) : Result.void
}

/** What gives an amount, or is refused by its own name: one of the two amounts is required unless a quote has it. */
const amounts = ["amount", "amountNative", "amountOut", "amountOutNative", "quoteId"] as const

const requireAmount = ({ unreadable = [], ...wish }: PayloadInput): Result.Result<void, Issues> =>
  amounts.some((name) => wish[name] !== undefined || unreadable.includes(name))
    ? Result.void
    : Result.fail(issueAbout("amount", "or amountNative is required"))

/** A transaction moves what its payload says, so none can ask for as much as an output needs (decision 50). */
const noExactOutput = ({ amountOut, amountOutNative }: PayloadInput): Result.Result<void, Issues> =>
  amountOut === undefined && amountOutNative === undefined ? Result.void : Result.fail(issueAbout(
    amountOut === undefined ? "amountOutNative" : "amountOut",
    "cannot be promised by a transaction; use amount, or /swap",
  ))

/** What is to be encoded, or everything that is wrong with the request: the rules of `/swap`, and those of decision 13. */
export const encodingRequest = (
  kind: PayloadKind,
  wish: PayloadInput,
  terms: PayloadTerms,
): Result.Result<EncodingRequest, Issues> => {
  const parts = {
    amount: requireAmount(wish),
    path: onPath(kind, wish),
    sent: noExactOutput(wish),
    swap: openingRequest(wish, { ...terms, refundAddressRequired: true }),
    message: noMessage(kind, wish),
    sender: senderOf(kind, wish, terms),
  }
  return Result.all(parts).pipe(
    Result.mapError(() => issuesOf(Object.values(parts))),
    Result.flatMap(({ sender, swap: { request, ...swap } }) =>
      present(request.amount).pipe(
        Result.flatMap((amount): Result.Result<EncodingRequest, Issues> => {
          if (!isSent(amount)) {
            return Result.fail(issueAbout("quoteId", "has an exact output, which only /swap can open"))
          }
          const whole = { ...request, amount, sender }
          return Result.map(carried(kind, wish, whole), () => ({ ...swap, request: whole }))
        }),
      )
    ),
  )
}
