import { Effect } from "effect"
import { InvalidRequest, type Issues } from "../domain/Issues.ts"
import { ProviderError, RequestRefused } from "../domain/ProviderError.ts"
import type { SwapOrder } from "./SwapRules.ts"
import { type Names, renameIssues } from "../domain/renameIssues.ts"

const namesOf = (numbers: SwapOrder["affiliateNumbers"]): Names =>
  new Map(numbers.flatMap((number, index): ReadonlyArray<readonly [string, string]> => [
    [`affiliate${index + 1}`, `affiliate${number}`],
    [`affiliate${index + 1}CommissionBps`, `affiliate${number}CommissionBps`],
  ]))

const renamed = <E>(failure: E, inWords: (errors: Issues) => Issues): E | InvalidRequest | ProviderError => {
  if (failure instanceof InvalidRequest) return new InvalidRequest({ errors: inWords(failure.errors) })
  if (!(failure instanceof ProviderError) || failure.reason._tag !== "RequestRefused") return failure
  const { operation, provider, reason } = failure
  return new ProviderError({
    provider,
    operation,
    reason: new RequestRefused({ errors: inWords(reason.errors) }),
  })
}

/**
 * Names affiliates in issues by the numbers that the caller gave them. Providers know affiliates by position only, and a
 * caller may leave numbers out (decision 8).
 */
export const byCallersNumbers =
  ({ affiliateNumbers = [] }: Partial<Pick<SwapOrder, "affiliateNumbers">>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.mapError(
      work,
      (failure) => renamed(failure, (errors) => renameIssues(namesOf(affiliateNumbers), errors)),
    )
