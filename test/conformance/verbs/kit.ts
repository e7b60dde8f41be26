import { assert } from "@effect/vitest"
import { Duration, Effect, type Layer, Option, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { AssetId } from "#domain/chains/Asset.ts"
import { ProviderError, type ProviderErrorReason, type ProviderOperation } from "#domain/ProviderError.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { asHonoured, asQuotable } from "#providers/Capabilities.ts"
import type { Channels, Observed, OpenedChannel, Provider, VaultSwaps } from "#providers/Provider.ts"
import type { Fixtures, NotPossible, Offer } from "../Fixtures.ts"
import { Upstream } from "../Upstream.ts"

/** What the checks of a provider are made from. */
export interface Kit<R, E> {
  /** The provider as it is behind the port, without a guard. Made a second time, it is what a restart makes of it. */
  readonly provider: Effect.Effect<Provider, E, R | Scope.Scope>
  readonly world: Layer.Layer<Upstream | R, E>
  readonly fixtures: Fixtures<R>
}

/** One thing that a provider is asked; it fails or dies where the answer is wrong. */
export interface Check<E> {
  readonly name: string
  /** The block of tests that it stands in. */
  readonly group?: string
  readonly run: Effect.Effect<void, ProviderError | E>
}

/** How long after 1970 a check begins at least: a time that is too small by far is then before all that happens. */
const begins = Duration.days(1)

type Step<R, E> = Effect.Effect<unknown, ProviderError | E, R | Upstream | Scope.Scope>

/** A check in a world of its own, so that checks are independent of each other; asked by an Effect or its steps. */
export const check = <R, E>(
  { provider, world }: Kit<R, E>,
  name: string,
  ask: (
    provider: Provider,
    upstream: Upstream["Service"],
    restarted: Effect.Effect<Provider, E, R | Scope.Scope>,
  ) => Step<R, E> | Generator<Step<R, E>, unknown, never>,
): Check<E> => ({
  name,
  run: Effect.gen(function* () {
    const asked = ask(yield* provider, yield* Upstream, provider)
    yield* Effect.isEffect(asked) ? asked : Effect.gen(() => asked)
  }).pipe(
    Effect.scoped,
    Effect.provide(world),
    (inWorld) => Effect.andThen(TestClock.adjust(begins), inWorld),
  ),
})

/** The checks as a block of tests. */
export const grouped = <E>(group: string, checks: ReadonlyArray<Check<E>>): ReadonlyArray<Check<E>> =>
  checks.map((check) => ({ ...check, group }))

/** Whether a part of the fixtures is left out, with a reason. */
export const isNotPossible = <A extends object>(part: A | NotPossible): part is NotPossible =>
  "_tag" in part && part._tag === "NotPossible"

/** `, all but A (why), B (why)` of the parts that are left out, for the name of a block; or nothing. */
export const allBut = (parts: object): string => {
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

/** A pair in the names of tests. */
export const pairOf = (
  { sourceAsset, destinationAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): string => `${sourceAsset} to ${destinationAsset}`

/** The quote that an offer is asked for. */
export const toQuoteRequest = (
  { sourceAsset, destinationAsset, amount, ...offer }: Offer,
  { commissionBps }: SwapRequest,
): QuoteRequest => ({
  sourceAsset,
  destinationAsset,
  amount,
  commissionBps,
  ...optionalMembers(offer.sender, (sender) => ({ sender })),
  ...optionalMembers(offer.recipient, (recipient) => ({ recipient })),
})

/** The port's channels; that there are none is the fault of the provider. */
export const channelsOf = ({ channels, name }: Provider): Channels =>
  channels ?? assert.fail(`${name} opens no channels`)

/** The port's vault swaps; that there are none is the fault of the provider. */
export const vaultSwapsOf = ({ name, vaultSwaps }: Provider): VaultSwaps =>
  vaultSwaps ?? assert.fail(`${name} has no vault swaps`)

/** Opens a channel for what the provider can honour of a request, as the broker does. */
export const openAs = (
  provider: Provider,
  request: SwapRequest,
): Effect.Effect<OpenedChannel, ProviderError> =>
  channelsOf(provider).open(asHonoured(provider.capabilities, request))

/** Quotes of what the provider takes of a request, as the broker asks for them. */
export const quotesAs = (
  provider: Provider,
  request: QuoteRequest,
): Effect.Effect<ReadonlyArray<Quote>, ProviderError> =>
  provider.quotes(asQuotable(provider.capabilities, request))

/** What an upstream means, without how it says so. */
export const toStatus = <E, R>(look: Effect.Effect<Option.Option<Observed>, E, R>) =>
  Effect.map(look, Option.map(({ status }) => status))

/** The status of a channel by its record. */
export const lookAt = (
  provider: Provider,
  { channel }: Pick<OpenedChannel, "channel">,
  known: SwapStatus,
): Effect.Effect<Option.Option<SwapStatus>, ProviderError> =>
  toStatus(channelsOf(provider).status(channel.id, known))

/** What is found; that nothing is found is the fault of the provider. */
export const found = <A>(answer: Option.Option<A>): A =>
  Option.getOrElse(answer, () => assert.fail("It was not found"))

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
