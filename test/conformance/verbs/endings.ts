import { assert } from "@effect/vitest"
import { Array, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { OpenedChannel, Provider } from "#providers/Provider.ts"
import type { Channels, Ending, EndingName } from "../Fixtures.ts"
import { assertEnd, assertHistory } from "./assertEnding.ts"
import { assertAmount } from "./digits.ts"
import { follow } from "./follow.ts"
import {
  allBut,
  type Check,
  check,
  found,
  grouped,
  isNotPossible,
  type Kit,
  lookAt,
  openAs,
  pairOf,
  quotesAs,
  toQuoteRequest,
} from "./kit.ts"

const followChannel = <R, E>({ fixtures }: Kit<R, E>, provider: Provider, opened: OpenedChannel) =>
  follow((known) => lookAt(provider, opened, known), opened.status, fixtures.lookEvery)

/** What the regular quote for the pair of a request promises for an amount. */
export const quotedEgress = <R, E>(
  { fixtures: { offers } }: Kit<R, E>,
  provider: Provider,
  request: SwapRequest,
  amount: NativeAmount,
) => {
  const { destinationAsset, sourceAsset } = request
  const offer = offers.find((offer) => pairOf(offer) === pairOf(request)) ??
    { sourceAsset, destinationAsset, tooLittle: noAmount }
  return Effect.map(
    quotesAs(provider, toQuoteRequest({ ...offer, amount }, request)),
    (quotes) =>
      quotes.find(({ dca }) => dca === undefined)?.egress.amount ?? assert.fail("there is no quote"),
  )
}

/** The amount that a wallet sends: what was asked for, or what the channel says in its place. */
const depositOf = <R>({ deposit, request }: Ending<R>, { channel }: OpenedChannel): NativeAmount =>
  deposit === request.amount ? channel.exactAmount ?? deposit : deposit

const waits = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(kit, "as waiting, while nothing comes in", function* (provider) {
    const opened = yield* openAs(provider, kit.fixtures.request)
    yield* TestClock.adjust(kit.fixtures.lookEvery)
    const later = found(yield* lookAt(provider, opened, opened.status))
    assert.strictEqual(later.state, "waiting")
    assertHistory([opened.status, later], kit.fixtures.untold)
  })

const paysAsQuoted = <R, E>(kit: Kit<R, E>, { deposit }: Channels<R>, ending: Ending<R>): Check<E> =>
  check(kit, "as completed, with what was quoted, while prices stand still", function* (provider) {
    const asked = { ...ending.request, amount: ending.deposit }
    const opened = yield* openAs(provider, asked)
    const amount = depositOf({ ...ending, request: asked }, opened)
    const quoted = yield* quotedEgress(kit, provider, asked, amount)
    yield* deposit(opened, amount)
    const end = Array.lastNonEmpty(yield* followChannel(kit, provider, opened))
    assert.strictEqual(end.swapEgress?.amount, quoted)
  })

const endsAs = <R, E>(
  kit: Kit<R, E>,
  { deposit }: Channels<R>,
  name: EndingName,
  ending: Ending<R>,
): Check<E> =>
  check(kit, `as ${name}`, function* (provider) {
    const { untold } = kit.fixtures
    const opened = yield* openAs(provider, ending.request)
    const amount = depositOf(ending, opened)
    yield* ending.conditions?.(opened) ?? Effect.void
    yield* deposit(opened, amount)
    const history = yield* followChannel(kit, provider, opened)
    assert.strictEqual(opened.status.state, "waiting")
    assertHistory(history, untold)
    const end = Array.lastNonEmpty(history)
    assertAmount(untold, end.sourceAsset, end.deposit?.amount, amount)
    assertEnd[name](end, untold)
    yield* TestClock.adjust("1 hour")
    const later = yield* lookAt(provider, opened, end)
    assert.deepStrictEqual(Option.map(later, ({ state }) => state), Option.some(end.state))
  })

/** Swaps with a channel, from the deposit to each of their ends. */
export const endings = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels, untold } = kit.fixtures
  if (isNotPossible(channels)) return []
  const { completed } = channels.endings
  return grouped(`follows a swap to its end${allBut({ ...channels.endings, ...untold })}`, [
    waits(kit),
    ...isNotPossible(completed) ? [] : [paysAsQuoted(kit, channels, completed)],
    ...(["completed", "refunded", "failed"] as const).flatMap((name) => {
      const ending = channels.endings[name]
      return isNotPossible(ending) ? [] : [endsAs(kit, channels, name, ending)]
    }),
  ])
}
