import { assert } from "@effect/vitest"
import { Array, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { EndingName, PayloadEnding, Payloads } from "../Fixtures.ts"
import { assertEnd, assertHistory } from "./assertEnding.ts"
import { assertAmount } from "./digits.ts"
import { quotedEgress } from "./endings.ts"
import { allBut, type Check, check, grouped, isNotPossible, type Kit } from "./kit.ts"
import { followSent } from "./payloadLookups.ts"
import { assertAsAsked, lookAgain, sentAndFound } from "./vaultSwap.ts"

const paysAsQuoted = <R, E>(
  kit: Kit<R, E>,
  payloads: Payloads<R>,
  { request, send = payloads.send }: PayloadEnding<R>,
): Check<E> =>
  check(kit, "as completed, with what was quoted, while prices stand still", function* (provider) {
    const quoted = yield* quotedEgress(kit, provider, request, request.amount)
    const sent = yield* sentAndFound(kit, { send }, provider, request)
    const end = Array.lastNonEmpty(yield* followSent(kit, provider, sent, sent.first.status))
    assertAmount(kit.fixtures.untold, request.destinationAsset, end.swapEgress?.amount, quoted)
  })

const endsAs = <R, E>(
  kit: Kit<R, E>,
  payloads: Payloads<R>,
  name: EndingName,
  { conditions, deposit, request, send = payloads.send }: PayloadEnding<R>,
): Check<E> =>
  check(kit, `as ${name}`, function* (provider) {
    const { untold } = kit.fixtures
    const prepared: Payloads<R>["send"] = (payload, request) =>
      Effect.andThen(conditions?.(payload) ?? Effect.void, send(payload, request))
    const sent = yield* sentAndFound(kit, { send: prepared }, provider, request)
    const history = yield* followSent(kit, provider, sent, sent.first.status)
    assertHistory(history, untold)
    const end = Array.lastNonEmpty(history)
    assertEnd[name](end, untold)
    assertAmount(untold, request.sourceAsset, end.deposit?.amount, deposit ?? request.amount)
    assert.strictEqual(end.deposit?.transactionReference, sent.transaction)
    if (deposit === undefined) assertAsAsked(kit, provider, end, request)
    yield* TestClock.adjust("1 hour")
    const later = yield* lookAgain(provider, sent, end)
    assert.deepStrictEqual(Option.map(later, ({ state }) => state), Option.some(end.state))
  })

/** Vault swaps, from the transaction to each of their ends. */
export const payloadEndings = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels, payloads, untold } = kit.fixtures
  if (isNotPossible(payloads)) return []
  const { completed } = payloads.endings
  // Where there are channels too, quotes are of what these pay.
  const quoted = isNotPossible(channels) && !isNotPossible(completed)
  return grouped(`follows a vault swap to its end${allBut({ ...payloads.endings, ...untold })}`, [
    ...quoted ? [paysAsQuoted(kit, payloads, completed)] : [],
    ...(["completed", "refunded", "failed"] as const).flatMap((name) => {
      const ending = payloads.endings[name]
      return isNotPossible(ending) ? [] : [endsAs(kit, payloads, name, ending)]
    }),
  ])
}
