import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { assert } from "@effect/vitest"
import { Effect, Equal, Option } from "effect"
import { TestClock } from "effect/testing"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type DepositChannel, formatChannelId } from "#domain/swaps/Channel.ts"
import { mayHaveOpened } from "#domain/ProviderError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { anyPrice } from "#domain/money/Price.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { asHonoured } from "#providers/Capabilities.ts"
import { nothingListed } from "#providers/Provider.ts"
import type { Channels } from "../Fixtures.ts"
import { asKept, assertOpened } from "./assertOpened.ts"
import {
  assertErrorOf,
  channelsOf,
  type Check,
  check,
  errorOf,
  found,
  isNotPossible,
  type Kit,
  lookAt,
  notEnough,
  openAs,
} from "./kit.ts"

const aMinute = 60_000

const opensChannel = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(
    kit,
    "opens a channel, with a waiting record that has all of the request in it",
    function* (provider, upstream) {
      const { networks, request } = kit.fixtures
      const opened = yield* openAs(provider, request)
      yield* assertOpened(opened, asHonoured(provider.capabilities, request), networks)
      assert.strictEqual(yield* upstream.openings, 1)
    },
  )

const assertSameChannel = (status: SwapStatus, known: SwapStatus): void => {
  assert.strictEqual(status.state, "waiting")
  assert.deepStrictEqual(status.depositChannel?.id, known.depositChannel?.id)
  for (const member of ["depositAddress", "reference", "memo", "exactAmount"] as const) {
    assert.strictEqual(status.depositChannel?.[member], known.depositChannel?.[member], member)
  }
  assert.strictEqual(status.destinationAddress, known.destinationAddress)
  assert.isTrue(Equal.equals(status.fillOrKill, known.fillOrKill), "the price limit and the refund address")
}

const findsItAgain = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(kit, "finds the channel again by its coordinates", function* (provider) {
    const opened = yield* openAs(provider, kit.fixtures.request)
    assertSameChannel(found(yield* lookAt(provider, opened, opened.status)), opened.status)
  })

const remembersNothing = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(
    kit,
    "finds the channel again after a restart, by its record alone",
    function* (provider, _upstream, restarted) {
      const opened = yield* openAs(provider, kit.fixtures.request)
      const kept = yield* asKept(opened.status)
      assertSameChannel(found(yield* lookAt(yield* restarted, opened, kept)), opened.status)
    },
  )

const expires = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(kit, "says that a channel has expired once its time is over", function* (provider) {
    const opened = yield* openAs(provider, kit.fixtures.request)
    const { estimatedExpiryTime = 0 } = opened.status.depositChannel ?? {}
    yield* TestClock.adjust(estimatedExpiryTime - (yield* currentMillis) + aMinute)
    const { depositChannel, state } = found(yield* lookAt(provider, opened, opened.status))
    assert.strictEqual(state, "waiting")
    assert.isTrue(depositChannel?.isExpired, "a deposit would be late now")
  })

/** What tells the deposits to one channel from those to another. */
const depositTo = ({ depositAddress, exactAmount, memo }: DepositChannel) => ({
  depositAddress,
  exactAmount,
  memo,
})

const opensEachTime = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(
    kit,
    "opens a channel of its own for each of two requests that are the same",
    function* (provider, upstream) {
      const { channel: first } = yield* openAs(provider, kit.fixtures.request)
      const { channel: second } = yield* openAs(provider, kit.fixtures.request)
      assert.notStrictEqual(formatChannelId(second.id), formatChannelId(first.id))
      assert.notDeepEqual(depositTo(second), depositTo(first))
      if (first.reference !== undefined) assert.notStrictEqual(second.reference, first.reference)
      // An address may be shared by channels that all say how their deposits are told apart.
      if (second.depositAddress === first.depositAddress) {
        assert.strictEqual(second.memo === undefined, first.memo === undefined)
        assert.strictEqual(second.exactAmount === undefined, first.exactAmount === undefined)
      }
      assert.strictEqual(yield* upstream.openings, 2)
    },
  )

const sendsOnce = <R, E>(kit: Kit<R, E>, { loseAnswers }: Channels<R>): Check<E> =>
  check(
    kit,
    "sends an opening once, though its answer is lost, and says that it may have happened",
    function* (provider, upstream) {
      yield* loseAnswers
      const error = yield* errorOf(openAs(provider, kit.fixtures.request))
      assertErrorOf(error, kit.fixtures.platform, "open")
      assert.isTrue(mayHaveOpened(error.reason), error.reason._tag)
      assert.strictEqual(yield* upstream.openings, 1)
    },
  )

/** The same request for a little more and at any price, which nobody has asked with. */
const another = ({ amount, ...request }: SwapRequest): SwapRequest => ({
  ...request,
  amount: NativeAmount.make(unitsOf(amount ?? noAmount) + 1n),
  minimumPrice: anyPrice,
})

const tracesLostOpening = <R, E>(kit: Kit<R, E>, { loseAnswers }: Channels<R>): Check<E> =>
  check(
    kit,
    "says of an opening whose answer was lost what came of it, if it can tell at all, and of no other",
    function* (provider, upstream) {
      const { findOpening, list = Effect.succeed(nothingListed) } = channelsOf(provider)
      if (findOpening === undefined) return
      const { networks } = kit.fixtures
      const request = asHonoured(provider.capabilities, kit.fixtures.request)
      yield* openAs(provider, request)
      yield* TestClock.adjust("1 hour")
      const requestedAt = yield* currentMillis
      const earlier = yield* findOpening(request, requestedAt, yield* list)
      assert.notStrictEqual(earlier._tag, "Found", "an opening of an hour ago")

      yield* loseAnswers
      yield* errorOf(openAs(provider, request))
      yield* upstream.heal
      const trace = yield* findOpening(request, requestedAt, yield* list)
      assert.notStrictEqual(trace._tag, "NothingOpened")
      if (trace._tag === "Found") yield* assertOpened(trace.opened, request, networks)
      const strangers = yield* findOpening(another(request), requestedAt, yield* list)
      assert.notStrictEqual(strangers._tag, "Found", "an opening that nobody asked for")
      assert.strictEqual(yield* upstream.openings, 2)
    },
  )

const refusesTooLittle = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(kit, "opens nothing for too little", function* (provider, upstream) {
    const [{ tooLittle }] = kit.fixtures.offers
    const error = yield* errorOf(openAs(provider, { ...kit.fixtures.request, amount: tooLittle }))
    assertErrorOf(error, kit.fixtures.platform, "open")
    assert.include(notEnough, error.reason._tag)
    assert.strictEqual(yield* upstream.openings, 0)
  })

const knowsNoStranger = <R, E>(
  kit: Kit<R, E>,
  { strangersAddress: depositAddress, strangersReference }: Channels<R>,
): Check<E> =>
  check(kit, "knows nothing of a channel that was never opened", function* (provider) {
    const { channel, status } = yield* openAs(provider, kit.fixtures.request)
    const id = { ...channel.id, channelId: channel.id.channelId + 1 }
    const own = status.depositChannel ?? assert.fail("the record has no channel")
    const reference = own.reference === undefined
      ? {}
      : { reference: strangersReference ?? assert.fail("the fixtures have no reference of a stranger's") }
    const known = { ...status, depositChannel: { ...own, id, depositAddress, ...reference } }
    const answer = yield* lookAt(provider, { channel: { ...channel, id, depositAddress } }, known)
    assert.isTrue(Option.isNone(answer))
  })

const opensNone = <R, E>(kit: Kit<R, E>, reason: string): Check<E> =>
  check(kit, `opens no channels: ${reason}`, function* (provider, upstream) {
    assert.notProperty(provider, "channels")
    assert.strictEqual(yield* upstream.openings, 0)
  })

/** Channels: opened when asked, as often as asked, and found again. */
export const openings = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels } = kit.fixtures
  if (isNotPossible(channels)) return [opensNone(kit, channels.reason)]
  return [
    opensChannel(kit),
    findsItAgain(kit),
    remembersNothing(kit),
    expires(kit),
    opensEachTime(kit),
    sendsOnce(kit, channels),
    tracesLostOpening(kit, channels),
    refusesTooLittle(kit),
    knowsNoStranger(kit, channels),
  ]
}
