import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { EncodedPayload, PayloadMark, VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { asHonoured } from "#providers/Capabilities.ts"
import type { Observed, Provider, VaultSwapQuestion } from "#providers/Provider.ts"
import type { Payloads, Send } from "../Fixtures.ts"
import { assertLimit } from "./digits.ts"
import { type Kit, pairOf, toStatus, vaultSwapsOf } from "./kit.ts"

/** How often a transaction that was just made is asked after before its chain has forgotten it. */
export const patience = 100

/** The payload for what the provider can honour of a request, as the broker asks for it. */
export const encodeAs = (
  provider: Provider,
  request: VaultSwapRequest,
): Effect.Effect<EncodedPayload, ProviderError> =>
  vaultSwapsOf(provider).encode(asHonoured(provider.capabilities, request))

/** The marks that the broker hands in for the payloads of an account. */
export const marksOf = (
  provider: Provider,
  payloads: ReadonlyArray<EncodedPayload>,
): ReadonlyArray<PayloadMark> =>
  vaultSwapsOf(provider).needsMarks === true
    ? payloads.map(({ mark }) => mark ?? assert.fail("a payload without a mark, though marks are needed"))
    : []

/** The first record of a swap that is only known by its transaction. */
export const firstRecord = <R, E>(
  { fixtures }: Kit<R, E>,
  provider: Provider,
  question: VaultSwapQuestion,
): Effect.Effect<Observed, ProviderError> =>
  Effect.gen(function* () {
    for (let looks = 0; looks < patience; looks++) {
      const found = yield* vaultSwapsOf(provider).status(question, Option.none())
      if (Option.isSome(found)) return found.value
      yield* TestClock.adjust(fixtures.lookEvery)
    }
    return assert.fail(`not found in ${patience} looks`)
  })

/** A vault swap whose transaction was made. */
export interface Sent {
  /** A time at which its payload had been handed out, and the transaction was not yet made. */
  readonly before: EpochMillis
  readonly encoded: EncodedPayload
  readonly transaction: string
}

/** Makes a transaction of the payload for a request. */
export const send = <R>(
  provider: Provider,
  request: VaultSwapRequest,
  make: Send<R>,
): Effect.Effect<Sent, ProviderError, R> =>
  Effect.gen(function* () {
    const encoded = yield* encodeAs(provider, request)
    const before = yield* currentMillis
    return { before, encoded, transaction: yield* make(encoded.payload, request) }
  })

/**
 * A deposit was seen after its transaction was made, and not in the future: the broker compares the time with that at
 * which the payload was handed out, and disowns a swap that is older.
 */
export const assertSeenInTime = (
  { deposit }: SwapStatus,
  { before }: Pick<Sent, "before">,
): Effect.Effect<void> =>
  Effect.map(currentMillis, (now) => {
    for (const at of [deposit?.witnessedAt, deposit?.failedAt, deposit?.failure?.failedAt]) {
      if (at === undefined) continue
      assert.isAtLeast(at, before, "the deposit was seen before its transaction was made")
      assert.isAtMost(at, now, "the deposit was seen in the future")
    }
  })

/** Makes a transaction of the payload for a request, and waits until the upstream knows of it. */
export const sentAndFound = <R, E>(
  kit: Kit<R, E>,
  payloads: Pick<Payloads<R>, "send">,
  provider: Provider,
  request: VaultSwapRequest,
): Effect.Effect<Sent & { readonly first: Observed }, ProviderError, R> =>
  Effect.gen(function* () {
    const sent = yield* send(provider, request, payloads.send)
    const marks = marksOf(provider, [sent.encoded])
    const first = yield* firstRecord(kit, provider, { transaction: sent.transaction, marks })
    yield* assertSeenInTime(first.status, sent)
    return { ...sent, first }
  })

/** The latest record of a vault swap that is known already: the broker then hands in no marks. */
export const lookAgain = (
  provider: Provider,
  sent: Sent,
  known: SwapStatus,
): Effect.Effect<Option.Option<SwapStatus>, ProviderError> =>
  toStatus(vaultSwapsOf(provider).status({ transaction: sent.transaction, marks: [] }, Option.some(known)))
    .pipe(Effect.tap(Option.match({
      onNone: () => Effect.void,
      onSome: (status) => assertSeenInTime(status, sent),
    })))

/** The record says what the payload was asked for, though it was told nothing but the transaction. */
export const assertAsAsked = <R, E>(
  { fixtures: { untold } }: Kit<R, E>,
  { capabilities }: Provider,
  status: SwapStatus,
  request: VaultSwapRequest,
): void => {
  assert.strictEqual(pairOf(status), pairOf(request))
  assert.strictEqual(status.destinationAddress, request.destinationAddress)
  assert.notProperty(status, "depositChannel")
  const { brokers, fillOrKill } = status
  if (fillOrKill === undefined) {
    assert.isDefined(untold.fillOrKill, "the record has no price limit")
  } else {
    assert.strictEqual(fillOrKill.refundAddress, request.refundAddress)
    assert.strictEqual(
      fillOrKill.retryDurationBlocks,
      asHonoured(capabilities, request).retryDurationBlocks,
      "the retry window",
    )
    assertLimit(untold, fillOrKill.minimumPrice, request)
  }
  if (untold.commission === undefined || brokers.length > 0) {
    assert.include(brokers.map(({ commissionBps }) => commissionBps), request.commissionBps)
  }
}
