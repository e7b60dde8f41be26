import { assert, it } from "@effect/vitest"
import { Clock, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type AssetId, chainOf } from "../../../src/domain/Asset.ts"
import { outputAt } from "../../../src/domain/Price.ts"
import type { SwapStatus } from "../../../src/domain/Swap.ts"
import type { VaultSwapRequest } from "../../../src/domain/VaultSwap.ts"
import type { Observed } from "../../../src/providers/Provider.ts"
import type { Fixtures, Payloads } from "../Fixtures.ts"
import { assertForward, assertPaid, assertTold } from "./assertEnding.ts"
import { assertPayload } from "./assertPayload.ts"
import { follow } from "./follow.ts"
import { inItsOwnWorld, isNotPossible, type Kit, vaultSwapsOf } from "./kit.ts"
import { toStatus } from "../../support/toStatus.ts"

/** How often a transaction that was just made is asked after before its chain has forgotten it. */
const patience = 100

const pairOf = (
  { sourceAsset, destinationAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): string => `${sourceAsset} to ${destinationAsset}`

const coversEveryChain = <R, E>(kit: Kit<R, E>, { requests }: Payloads<R>): void =>
  it.effect("is asked for a payload on every chain that it says", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.map(vaultSwapsOf(provider), ({ chains }) =>
        assert.sameMembers(
          [...new Set(requests.map(({ sourceAsset }) => chainOf(sourceAsset)))],
          [...chains],
        ))))

const encodes = <R, E>(kit: Kit<R, E>, request: VaultSwapRequest): void =>
  it.effect(`makes a payload for ${pairOf(request)}, and opens nothing by it`, () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const { encode } = yield* vaultSwapsOf(provider)
        const encoded = yield* encode(request)
        assertPayload(encoded.payload, request, kit.fixtures.networks)
        assert.isAbove(encoded.expiresAt, yield* Clock.currentTimeMillis)
        assert.isTrue(encoded.minimumDeposit <= request.amount)
        assert.isAbove(encoded.estimatedDuration, 0)
        assert.strictEqual(yield* upstream.openings, 0)
      })))

/** The record says what the payload was asked for, though it was told nothing but the transaction. */
const assertAsAsked = (status: SwapStatus, request: VaultSwapRequest): void => {
  assert.strictEqual(pairOf(status), pairOf(request))
  assert.strictEqual(status.destinationAddress, request.destinationAddress)
  assert.notProperty(status, "depositChannel")
  const { fillOrKill } = status
  assert.isDefined(fillOrKill)
  assert.strictEqual(fillOrKill.refundAddress, request.refundAddress)
  assert.strictEqual(fillOrKill.retryDurationBlocks, request.retryDurationBlocks)
  // A transaction can say what it is worth at least, rather than at which price.
  const [least, asked] = [fillOrKill, request].map(({ minimumPrice }) =>
    outputAt(minimumPrice, request.amount, request.sourceAsset, request.destinationAsset)
  )
  assert.isTrue(least !== undefined && asked !== undefined && least >= asked - 1n && least <= asked + 1n)
  assert.include(status.brokers.map(({ commissionBps }) => commissionBps), request.commissionBps)
}

/** The first record of a swap that is only known by its transaction. */
const firstRecord = Effect.fnUntraced(function* <E>(
  look: Effect.Effect<Option.Option<Observed>, E>,
  lookEvery: Fixtures<never>["lookEvery"],
) {
  for (let looks = 0; looks < patience; looks++) {
    const found = yield* look
    if (Option.isSome(found)) return found.value
    yield* TestClock.adjust(lookEvery)
  }
  return assert.fail(`not found in ${patience} looks`)
})

const findsAndFollows = <R, E>(kit: Kit<R, E>, { send }: Payloads<R>, request: VaultSwapRequest): void =>
  it.effect(`finds the swap of ${pairOf(request)} by its transaction, and follows it to its end`, () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const { encode, needsMarks, status } = yield* vaultSwapsOf(provider)
        const { mark, payload } = yield* encode(request)
        const transaction = yield* send(payload, request)
        const marks = needsMarks === true && mark !== undefined ? [mark] : []
        const found = yield* firstRecord(
          status({ transaction, marks }, Option.none()),
          kit.fixtures.lookEvery,
        )
        const first = found.status
        assertAsAsked(first, request)
        // A mark on the one side alone would tell nothing.
        assert.strictEqual(found.mark, mark)
        const history = yield* follow(
          (known) => toStatus(status({ transaction, marks: [] }, Option.some(known))),
          first,
          kit.fixtures.lookEvery,
        )
        assertForward(history)
        assertTold(history, kit.fixtures.untold)
        const end = history.at(-1) ?? first
        assert.strictEqual(end.state, "completed")
        assert.strictEqual(end.deposit?.amount, request.amount)
        assert.strictEqual(end.deposit?.transactionReference, transaction)
        assertPaid(end.swapEgress, { transaction: true })
        assertAsAsked(end, request)
      })))

const knowsNoStranger = <R, E>(kit: Kit<R, E>, { strangersTransaction }: Payloads<R>): void =>
  it.effect("knows nothing of a transaction that nobody made", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const { status } = yield* vaultSwapsOf(provider)
        assert.isTrue(
          Option.isNone(yield* status({ transaction: strangersTransaction, marks: [] }, Option.none())),
        )
      })))

const makesNone = <R, E>(kit: Kit<R, E>, reason: string): void =>
  it.effect(`makes no payloads: ${reason}`, () =>
    inItsOwnWorld(kit, (provider) => Effect.sync(() => assert.notProperty(provider, "vaultSwaps"))))

/** Payloads for transactions, and the swaps that the transactions come to. */
export const payloads = <R, E>(kit: Kit<R, E>): void => {
  const possible = kit.fixtures.payloads
  if (isNotPossible(possible)) return makesNone(kit, possible.reason)
  coversEveryChain(kit, possible)
  for (const request of possible.requests) {
    encodes(kit, request)
    findsAndFollows(kit, possible, request)
  }
  knowsNoStranger(kit, possible)
}
