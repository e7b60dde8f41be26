import { assert } from "@effect/vitest"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import type { Quote } from "#domain/quotes/Quote.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { notHonoured } from "#providers/Capabilities.ts"
import { channelFault, quoteFault } from "#providers/validateResponses.ts"
import type { Offer } from "../Fixtures.ts"
import { assertQuote } from "./assertQuote.ts"
import {
  assertErrorOf,
  type Check,
  check,
  errorOf,
  isNotPossible,
  type Kit,
  notEnough,
  notServed,
  openAs,
  pairOf,
  quotesAs,
  toQuoteRequest,
} from "./kit.ts"

const bestEgress = (quotes: ReadonlyArray<Quote>): bigint =>
  quotes.reduce((best, { egress }) => egress.amount > best ? egress.amount : best, 0n)

const showsCommission = ({ fees }: Quote): boolean =>
  fees.some(({ type, amount }) => type === "broker" && amount > 0n)

const quotesPair = <R, E>(kit: Kit<R, E>, offer: Offer): Check<E> =>
  check(kit, `quotes ${pairOf(offer)}, and opens nothing by it`, function* (provider, upstream) {
    const asked = toQuoteRequest(offer, kit.fixtures.request)
    const offered = yield* quotesAs(provider, asked)
    assert.isAbove(offered.length, 0)
    const now = yield* currentMillis
    offered.forEach((quote) => assertQuote(quote, asked, kit.fixtures.platform, now))
    assert.strictEqual(yield* upstream.openings, 0)
  })

const takesCommission = <R, E>(kit: Kit<R, E>, offer: Offer): Check<E> =>
  check(kit, `takes the commission out of what ${pairOf(offer)} pays, and says so`, function* (provider) {
    const asked = toQuoteRequest(offer, kit.fixtures.request)
    const commissioned = yield* quotesAs(provider, asked)
    const free = yield* quotesAs(provider, { ...asked, commissionBps: noBps })
    assert.isTrue(bestEgress(commissioned) < bestEgress(free))
    assert.isTrue(commissioned.every(showsCommission))
    assert.isFalse(free.some(showsCommission))
  })

const refusesTooLittle = <R, E>(kit: Kit<R, E>, offer: Offer): Check<E> =>
  check(kit, `refuses to quote too little for ${pairOf(offer)}`, function* (provider) {
    const asked = toQuoteRequest({ ...offer, amount: offer.tooLittle }, kit.fixtures.request)
    const error = yield* errorOf(quotesAs(provider, asked))
    assertErrorOf(error, kit.fixtures.platform, "quote")
    assert.include(notEnough, error.reason._tag)
  })

const refusesPair = <R, E>(kit: Kit<R, E>, offer: Offer): Check<E> =>
  check(kit, `refuses a pair that it does not serve: ${pairOf(offer)}`, function* (provider, upstream) {
    const error = yield* errorOf(quotesAs(provider, toQuoteRequest(offer, kit.fixtures.request)))
    assertErrorOf(error, kit.fixtures.platform, "quote")
    assert.include(notServed, error.reason._tag)
    assert.strictEqual(yield* upstream.openings, 0)
  })

/** A little less than is paid out for the amount of an offer, so that whoever promises outputs can promise it. */
const aLittleLess = (egress: bigint): ReceiveExactly =>
  ReceiveExactly.make({ amount: NativeAmount.make(egress * 91n / 100n) })

const promisesOutput = <R, E>(kit: Kit<R, E>, offer: Offer): Check<E> =>
  check(
    kit,
    `promises an output of ${pairOf(offer)} to the unit, or is passed over where it is asked for one`,
    function* (provider) {
      const asked = toQuoteRequest(offer, kit.fixtures.request)
      const amount = aLittleLess(bestEgress(yield* quotesAs(provider, asked)))
      const { sourceAsset, destinationAsset } = offer
      const request = { ...kit.fixtures.request, amount }
      if (provider.capabilities.exactOutput !== true) {
        const issues = notHonoured(provider.name, provider.capabilities, request)
        assert.include(Object.keys(issues), "amountOut")
        return
      }
      const [quote, ...others] = yield* quotesAs(provider, { ...asked, amount })
      assert.deepStrictEqual(others, [])
      assert.isDefined(quote)
      assert.isUndefined(quoteFault({ ...asked, amount }, quote))
      if (sourceAsset !== request.sourceAsset || destinationAsset !== request.destinationAsset) return
      const opened = yield* openAs(provider, request)
      assert.isUndefined(channelFault(request, opened))
      assert.strictEqual(
        opened.status.depositChannel?.expectedDepositAmount,
        opened.status.depositChannel?.exactOutput?.sendAtMost,
      )
    },
  )

/** What the provider offers, and what it refuses to offer. */
export const quotes = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { offers, unserved } = kit.fixtures
  return [
    ...offers.flatMap((offer) => [
      quotesPair(kit, offer),
      takesCommission(kit, offer),
      refusesTooLittle(kit, offer),
      promisesOutput(kit, offer),
    ]),
    ...isNotPossible(unserved) ? [] : [refusesPair(kit, unserved)],
  ]
}
