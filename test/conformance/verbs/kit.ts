import { assert } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import {
  ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
} from "../../../src/domain/ProviderError.ts"
import type { QuoteRequest } from "../../../src/domain/Quote.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import type { Provider, VaultSwaps } from "../../../src/providers/Provider.ts"
import type { Fixtures, NotPossible, Offer } from "../Fixtures.ts"
import { Subject, Upstream } from "../Subject.ts"

/** What the tests of a suite are made from. */
export interface Kit<R, E> {
  readonly layer: Layer.Layer<Subject | Upstream | R, E>
  readonly fixtures: Fixtures<R>
}

/** Runs a test in a world of its own, so that the tests are independent of each other. */
export const inItsOwnWorld = <R, E>(
  { layer }: Kit<R, E>,
  test: (
    provider: Provider,
    upstream: Upstream["Service"],
  ) => Effect.Effect<void, ProviderError, R | Subject | Upstream>,
): Effect.Effect<void, ProviderError | E> =>
  Effect.gen(function* () {
    yield* test(yield* Subject, yield* Upstream)
  }).pipe(Effect.provide(layer))

/** Whether a part of the fixtures is left out, with a reason. */
export const isNotPossible = <A extends object>(part: A | NotPossible): part is NotPossible =>
  "_tag" in part && part._tag === "NotPossible"

/** `, all but A (why), B (why)` of the parts that are left out, for the name of a block; or nothing. */
export const allBut = (parts: Readonly<Record<string, object>>): string => {
  const missing = Object.entries(parts).flatMap(([name, part]) =>
    isNotPossible(part) ? [`${name} (${part.reason})`] : []
  )
  return missing.length === 0 ? "" : `, all but ${missing.join(", ")}`
}

/** Reasons that tell the caller that more would do. */
export const notEnough: ReadonlyArray<ProviderErrorReason["_tag"]> = [
  "DepositBelowMinimum",
  "AmountBelowMinimum",
  "EgressBelowMinimum",
  "EgressFeeNotCovered",
]

/** Reasons that tell the caller that no amount would do. */
export const notServed: ReadonlyArray<ProviderErrorReason["_tag"]> = [
  "AssetDisabled",
  "AssetNotListed",
  "InsufficientLiquidity",
  "RequestRefused",
]

/** The quote that an offer is asked for. */
export const toQuoteRequest = (
  { sourceAsset, destinationAsset, amount }: Offer,
  { commissionBps }: SwapRequest,
): QuoteRequest => ({ sourceAsset, destinationAsset, amount, commissionBps })

/** The port's vault swaps; that there are none is the fault of the provider. */
export const vaultSwapsOf = ({ name, vaultSwaps }: Provider): Effect.Effect<VaultSwaps> =>
  vaultSwaps === undefined
    ? Effect.sync(() => assert.fail(`${name} has no vault swaps`))
    : Effect.succeed(vaultSwaps)

/** What an operation fails with; that it does not fail is the fault of the provider. */
export const errorOf = <A>(operation: Effect.Effect<A, ProviderError>): Effect.Effect<ProviderError> =>
  Effect.catch(Effect.flip(operation), () => Effect.sync(() => assert.fail("The operation did not fail")))

/** An error of the port says whose it is and what was being done. */
export const assertErrorOf = (
  error: ProviderError,
  platform: string,
  operation: ProviderOperation,
): void => {
  assert.isTrue(error instanceof ProviderError)
  assert.strictEqual(error.provider, platform)
  assert.strictEqual(error.operation, operation)
}
