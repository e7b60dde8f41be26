import { assert } from "@effect/vitest"
import { Array, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { chainOf } from "#domain/chains/Asset.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import type { Provider } from "#providers/Provider.ts"
import type { Payloads } from "../Fixtures.ts"
import { assertEnd, assertHistory } from "./assertEnding.ts"
import { asKept } from "./assertOpened.ts"
import { assertAmount } from "./digits.ts"
import { follow } from "./follow.ts"
import { type Check, check, found, isNotPossible, type Kit, pairOf, vaultSwapsOf } from "./kit.ts"
import {
  assertAsAsked,
  encodeAs,
  firstRecord,
  lookAgain,
  marksOf,
  patience,
  send,
  type Sent,
  sentAndFound,
} from "./vaultSwap.ts"

/** Every record of a vault swap, from the first to its end. */
export const followSent = <R, E>(
  { fixtures }: Kit<R, E>,
  provider: Provider,
  sent: Sent,
  first: SwapStatus,
) => follow((known) => lookAgain(provider, sent, known), first, fixtures.lookEvery)

/** The transaction is listed where its chain's are, in the form that it is then looked up in. */
const assertListed = <R, E>(
  { fixtures }: Kit<R, E>,
  payloads: Payloads<R>,
  provider: Provider,
  { before, transaction }: Sent,
  { sourceAsset }: VaultSwapRequest,
) =>
  Effect.gen(function* () {
    const { list } = vaultSwapsOf(provider)
    const chain = chainOf(sourceAsset)
    if (isNotPossible(payloads.listed)) return assert.isUndefined(list, "listed though not possible")
    if (list === undefined) return assert.fail("nothing is listed")
    const isListed = Effect.map(
      list({ chains: [chain], since: before }),
      (listed) => listed.includes(transaction),
    )
    if (!payloads.listed.includes(chain)) return assert.isFalse(yield* isListed)
    for (let looks = 0; looks < patience; looks++) {
      if (yield* isListed) return
      yield* TestClock.adjust(fixtures.lookEvery)
    }
    assert.fail(`${transaction} is not listed in ${patience} looks`)
  })

const findsSwap = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>, request: VaultSwapRequest): Check<E> => {
  const follows = !isNotPossible(payloads.endings.completed)
  const name = `finds the swap of ${pairOf(request)} by its transaction${
    follows ? ", and follows it to its end" : ""
  }`
  return check(kit, name, function* (provider) {
    const { untold } = kit.fixtures
    const sent = yield* sentAndFound(kit, payloads, provider, request)
    const { encoded, first, transaction } = sent
    assertAsAsked(kit, provider, first.status, request)
    // A mark on the one side alone would tell nothing.
    assert.strictEqual(first.mark, encoded.mark)
    if (!follows) return yield* assertListed(kit, payloads, provider, sent, request)
    const history = yield* followSent(kit, provider, sent, first.status)
    assertHistory(history, untold)
    const end = Array.lastNonEmpty(history)
    assertEnd.completed(end, untold)
    assertAmount(untold, request.sourceAsset, end.deposit?.amount, request.amount)
    assert.strictEqual(end.deposit?.transactionReference, transaction)
    assertAsAsked(kit, provider, end, request)
    yield* assertListed(kit, payloads, provider, sent, request)
  })
}

const tellsApart = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>): Check<E> =>
  check(kit, "tells two transactions for the same request apart", function* (provider) {
    const [request] = payloads.requests
    const one = yield* send(provider, request, payloads.send)
    const other = yield* send(provider, request, payloads.send)
    assert.notStrictEqual(other.transaction, one.transaction)
    const marks = marksOf(provider, [other.encoded, one.encoded])
    for (const sent of [one, other]) {
      const { transaction } = sent
      const first = yield* firstRecord(kit, provider, { transaction, marks })
      const history = isNotPossible(payloads.endings.completed)
        ? Array.of(first.status)
        : yield* followSent(kit, provider, sent, first.status)
      for (const { deposit } of history) {
        assert.strictEqual(deposit?.transactionReference ?? transaction, transaction)
      }
    }
  })

const remembersNothing = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>): Check<E> =>
  check(
    kit,
    "finds a vault swap again after a restart, by its transaction and its record alone",
    function* (provider, _upstream, restarted) {
      const [request] = payloads.requests
      const sent = yield* sentAndFound(kit, payloads, provider, request)
      const anew = yield* restarted
      const { transaction } = sent
      const marks = marksOf(anew, [sent.encoded])
      const asked = yield* vaultSwapsOf(anew).status({ transaction, marks }, Option.none())
      const known = yield* asKept(sent.first.status)
      for (const status of [found(asked).status, found(yield* lookAgain(anew, sent, known))]) {
        assertAsAsked(kit, anew, status, request)
      }
    },
  )

/** The same hash as chains of the other spelling write it; nothing where it is no such hash. */
const otherSpelling = (transaction: string): string | undefined =>
  /^0x[0-9a-f]{64}$/i.test(transaction)
    ? transaction.slice(2)
    : /^[0-9a-f]{64}$/i.test(transaction)
    ? `0x${transaction}`
    : undefined

const keepsNoOtherSpelling = <R, E>(
  kit: Kit<R, E>,
  payloads: Payloads<R>,
  request: VaultSwapRequest,
): Check<E> =>
  check(
    kit,
    `knows nothing of a transaction of ${pairOf(request)} in the spelling of another chain`,
    function* (provider) {
      const { encoded, transaction } = yield* sentAndFound(kit, payloads, provider, request)
      const other = otherSpelling(transaction)
      if (other === undefined) return
      const question = { transaction: other, marks: marksOf(provider, [encoded]) }
      assert.isTrue(Option.isNone(yield* vaultSwapsOf(provider).status(question, Option.none())), other)
    },
  )

const mindsTransaction = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>): Check<E> =>
  check(
    kit,
    "finds a vault swap among the marks of an account, and none of another transaction",
    function* (provider) {
      const { requests: [request], strangersTransaction } = payloads
      const sent = yield* sentAndFound(kit, payloads, provider, request)
      const unsent = yield* encodeAs(provider, { ...request, amount: NativeAmount.make(request.amount + 1n) })
      const { status } = vaultSwapsOf(provider)
      const marks = marksOf(provider, [unsent, sent.encoded])
      const own = yield* status({ transaction: sent.transaction, marks }, Option.none())
      assertAsAsked(kit, provider, found(own).status, request)
      const others = yield* status({ transaction: strangersTransaction, marks }, Option.none())
      assert.isTrue(Option.isNone(others), "the swap of another transaction with the mark")
    },
  )

/** Vault swaps, found by their transactions. */
export const payloadLookups = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { payloads } = kit.fixtures
  if (isNotPossible(payloads)) return []
  return [
    ...payloads.requests.flatMap((request) => [
      findsSwap(kit, payloads, request),
      keepsNoOtherSpelling(kit, payloads, request),
    ]),
    tellsApart(kit, payloads),
    remembersNothing(kit, payloads),
    mindsTransaction(kit, payloads),
  ]
}
