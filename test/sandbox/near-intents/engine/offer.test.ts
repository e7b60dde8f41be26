import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import { Bps } from "#domain/money/Bps.ts"
import { valueOf, wholeUnit } from "#sandbox/engine/pools.ts"
import { maximumValue, offerOf, spreadOf } from "#sandbox/near-intents/engine/offer.ts"
import type { OrderTerms } from "#sandbox/near-intents/engine/State.ts"
import { type Token, tokens } from "#sandbox/near-intents/engine/tokens.ts"
import { makeNetwork, quoteOf } from "../../engine/support.ts"
import { assetState } from "#sandbox/engine/figures.ts"

const network = makeNetwork()

const tokenOf = (asset: AssetId): Token => {
  const token = tokens.find((one) => one.asset === asset)
  if (token === undefined) throw new Error(`${asset} is not traded`)
  return token
}

const terms = (changes: Partial<OrderTerms>): OrderTerms => ({
  origin: tokenOf("btc.btc"),
  destination: tokenOf("eth.eth"),
  amount: NativeAmount.make(10_000_000n),
  slippageBps: Bps.make(100),
  fees: [],
  isExact: false,
  ...changes,
})

const TradedAsset = Schema.Literals(tokens.map(({ asset }) => asset))
/** Hundredths of USD, from 10 to 900 000 USD. */
const Cents = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1_000n, maximum: 90_000_000n }))
const AppFee = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 500 }))

const amountWorth = ({ asset }: Token, worth: bigint): NativeAmount =>
  NativeAmount.make(worth * 10_000n * wholeUnit(asset) / assetState(network, asset).price + 1n)

describe("an offer of the solvers", () => {
  it.effect.prop(
    "loses between the base spread and a few percent of its value, and the fee of paying out",
    [TradedAsset, TradedAsset, Cents],
    ([from, to, worth]) =>
      Effect.sync(() => {
        if (from === to) return
        const [origin, destination] = [tokenOf(from), tokenOf(to)]
        const amount = amountWorth(origin, worth)
        const offer = Result.getOrThrow(offerOf(network, terms({ origin, destination, amount })))
        const value = valueOf(network, origin.asset, amount)
        const output = valueOf(network, destination.asset, offer.grossOut)
        assert.isTrue(output < value && output > value * 94n / 100n - 10n)
        assert.strictEqual(offer.amountOut, offer.grossOut - destination.transferFee)
      }),
  )

  it.effect.prop(
    "gives more for more",
    [TradedAsset, TradedAsset, Cents, Cents],
    ([from, to, one, other]) =>
      Effect.sync(() => {
        if (from === to) return
        const [origin, destination] = [tokenOf(from), tokenOf(to)]
        const [less = one, more = other] = one < other ? [one, other] : [other, one]
        const outputOf = (worth: bigint) =>
          Result.getOrThrow(
            offerOf(network, terms({ origin, destination, amount: amountWorth(origin, worth) })),
          ).amountOut
        assert.isTrue(outputOf(less) <= outputOf(more))
      }),
  )

  it.effect.prop(
    "is worth having whatever the application takes, from the minimum on",
    [TradedAsset, TradedAsset, AppFee],
    ([from, to, appFee]) =>
      Effect.sync(() => {
        if (from === to) return
        const [origin, destination] = [tokenOf(from), tokenOf(to)]
        const query = { origin, destination, fees: [{ recipient: "a.near", fee: Bps.make(appFee) }] }
        const refused = offerOf(network, terms({ ...query, amount: NativeAmount.make(1n) }))
        if (Result.isSuccess(refused) || refused.failure._tag !== "AmountTooLow") {
          return assert.fail("a single unit was not too low")
        }
        const amount = NativeAmount.make(refused.failure.minimum)
        const offer = Result.getOrThrow(offerOf(network, terms({ ...query, amount })))
        assert.isTrue(offer.amountOut > 0n && offer.minimumAmountOut <= offer.amountOut)
      }),
  )

  it("has a spread of 2 to 18 bps that the seed and the pair decide", () => {
    const pairs = tokens.flatMap((origin) =>
      tokens.map((destination) => [origin.asset, destination.asset] as const)
    )
    const bases = pairs.map(([origin, destination]) => spreadOf("test", origin, destination).base)
    assert.isTrue(bases.every((base) => base >= 200n && base < 1_800n))
    assert.isAbove(new Set(bases).size, pairs.length / 2)
    assert.deepStrictEqual(spreadOf("test", "btc.btc", "eth.eth"), spreadOf("test", "btc.btc", "eth.eth"))
    assert.notDeepEqual(spreadOf("test", "btc.btc", "eth.eth"), spreadOf("other", "btc.btc", "eth.eth"))
  })

  it("is better than Chainflip's for some pairs and sizes and worse for others", () => {
    const isBetter = (origin: Token, destination: Token, worth: bigint): boolean | undefined => {
      const amount = amountWorth(origin, worth)
      const here = offerOf(network, terms({ origin, destination, amount }))
      const there = quoteOf(network, {
        sourceAsset: origin.asset,
        destinationAsset: destination.asset,
        amount,
      })
      return Result.isFailure(here) || Result.isFailure(there)
        ? undefined
        : there.success.every(({ egress }) => egress.amount < here.success.amountOut)
    }
    const onBoth = tokens.filter(({ asset }) => networkAssets.includes(asset))
    const share = (worth: bigint): number => {
      const answers = onBoth.flatMap((origin) =>
        onBoth.map((destination) => origin === destination ? undefined : isBetter(origin, destination, worth))
      ).filter((answer) => answer !== undefined)
      return answers.filter((answer) => answer).length / answers.length
    }
    const small = share(10_000n)
    const middling = share(1_000_000n)
    const large = share(50_000_000n)
    assert.isAbove(small, 0.8)
    assert.isTrue(middling > 0.2 && middling < 0.8, `${middling}`)
    assert.isBelow(large, 0.2)
  })

  it("is not for more than all solvers hold together", () => {
    const usdc = tokenOf("usdc.arb")
    const destination = tokenOf("btc.btc")
    const offerFor = (amount: bigint) =>
      offerOf(network, terms({ origin: usdc, destination, amount: NativeAmount.make(amount) }))
    assert.isTrue(Result.isSuccess(offerFor(maximumValue)))
    assert.deepStrictEqual(offerFor(maximumValue + 1n), Result.fail({ _tag: "NoLiquidity" }))
  })
})
