import { Effect } from "effect"
import { InvalidRequest, type Issues } from "#domain/Issues.ts"
import { ProviderError, RequestRefused } from "#domain/ProviderError.ts"
import type { OpeningRequest } from "./SwapRules.ts"
import { type Names, renameIssues } from "#domain/renameIssues.ts"

const namesOf = (numbers: OpeningRequest["affiliateNumbers"]): Names =>
  new Map(numbers.flatMap((number, index): ReadonlyArray<readonly [string, string]> => [
    [`affiliate${index + 1}`, `affiliate${number}`],
    [`affiliate${index + 1}CommissionBps`, `affiliate${number}CommissionBps`],
  ]))

type Order = Partial<Pick<OpeningRequest, "affiliateNumbers">>

const issuesBy = ({ affiliateNumbers = [] }: Order) => (errors: Issues): Issues =>
  renameIssues(namesOf(affiliateNumbers), errors)

/** A provider's failure, with affiliates in its issues named by the numbers that the caller gave them. */
export const inAffiliateNumbering = (order: Order) => (failure: ProviderError): ProviderError => {
  const { operation, provider, reason } = failure
  return reason._tag === "RequestRefused"
    ? new ProviderError({
      provider,
      operation,
      reason: new RequestRefused({ errors: issuesBy(order)(reason.errors) }),
    })
    : failure
}

/**
 * Names affiliates in issues by the numbers that the caller gave them. Providers know affiliates by position only, and a
 * caller may leave numbers out (decision 8).
 */
export const byAffiliateNumbering = (order: Order) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.mapError(work, (failure) => {
    if (failure instanceof ProviderError) return inAffiliateNumbering(order)(failure)
    return failure instanceof InvalidRequest
      ? new InvalidRequest({ errors: issuesBy(order)(failure.errors) })
      : failure
  })
