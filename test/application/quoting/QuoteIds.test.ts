import { assert, describe, it } from "#test/support/it.ts"
import { BigDecimal, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createHmac } from "node:crypto"
import { AccountId } from "#domain/accounts/Account.ts"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { TimedQuote } from "#domain/quotes/Quote.ts"
import { EpochMillis } from "#domain/Time.ts"
import { emptyRecord } from "#domain/operations/TrackRecord.ts"
import { explainedFor, Explanations, mostExplained } from "#application/quoting/Explanations.ts"
import { QuoteIds } from "#application/quoting/QuoteIds.ts"
import { rank } from "#application/quoting/Ranking.ts"
import { first, quoteOf, second } from "./support.ts"

const [one, other] = [AccountId.make(1), AccountId.make(12)]

const idsUnder = (byte: number) =>
  QuoteIds.layer(Effect.succeed(Redacted.make(new Uint8Array(32).fill(byte)))).pipe(
    Layer.provide(Layer.fresh(Explanations.layer)),
    Layer.build,
    Effect.map((services) => Context.get(services, QuoteIds)),
  )

const at = EpochMillis.make(1_790_692_455_000)
const commissionBps = Bps.make(25)

const answerOf = (quotes: ReadonlyArray<TimedQuote>, account = one) => ({
  account,
  at,
  commissionBps,
  ranking: rank(quotes, { by: "net", preference: [first, second], recordOf: () => emptyRecord }),
})

const plain = {
  ...quoteOf(first, 2n ** 127n),
  estimatedPrice: Price.make(BigDecimal.fromStringUnsafe("33860398918374293051.5400001")),
  recommendedSlippageTolerancePercent: BigDecimal.fromStringUnsafe("0.25"),
}
const { estimatedPrice: _price, expiresAt: _end, platform: _platform, ...figures } = plain
const boosted = {
  ...quoteOf(second, 7n, 4),
  boostQuote: {
    ...figures,
    egress: { asset: plain.egress.asset, amount: NativeAmount.make(6n) },
    estimatedBoostFeeBps: Bps.make(5),
    maximumBoostFeeBps: Bps.make(30),
  },
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A decimal of an upstream: as many digits as any reader of an answer takes, and more. */
const Written = Schema.Struct({
  start: between(1, 999_999),
  length: between(0, 300),
  scale: between(-99, 300),
})
const read = ({ length, scale, start }: typeof Written.Type): BigDecimal.BigDecimal =>
  BigDecimal.make(BigInt(start) * 10n ** BigInt(length) / 7n + 1n, scale)

/** A quote with the longest figures that pass the checks of answers, but for its decimals. */
const longest = {
  ...quoteOf(first, maximumNativeAmount, Number.MAX_SAFE_INTEGER),
  ingress: { asset: "btc.btc" as const, amount: NativeAmount.make(maximumNativeAmount) },
  boostQuote: {
    ...figures,
    egress: { asset: plain.egress.asset, amount: NativeAmount.make(maximumNativeAmount) },
    estimatedBoostFeeBps: Bps.make(10_000),
    maximumBoostFeeBps: Bps.make(10_000),
  },
}

describe("The id of a quote", () => {
  it.effect.prop(
    "opens whatever digits an upstream wrote, and promises no less than the quote",
    [Written, Written],
    ([price, tolerance]) =>
      Effect.gen(function* () {
        const estimatedPrice = Price.make(read(price))
        const recommendedSlippageTolerancePercent = read(tolerance)
        const ids = yield* idsUnder(7)
        const [id = ""] = ids.issue(
          answerOf([{ ...longest, estimatedPrice, recommendedSlippageTolerancePercent }]),
        )
        const offer = Option.getOrThrow(ids.open(one, id))
        const [promised, allowed] = [offer.estimatedPrice, offer.recommendedSlippageTolerancePercent]
        assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(promised, estimatedPrice))
        assert.isTrue(BigDecimal.isLessThanOrEqualTo(allowed, recommendedSlippageTolerancePercent))
        // Neither differs by more than a part in 10^59.
        const almost = BigDecimal.make(10n ** 59n - 1n, 59)
        assert.isTrue(BigDecimal.isLessThanOrEqualTo(BigDecimal.multiply(promised, almost), estimatedPrice))
        assert.isTrue(
          BigDecimal.isGreaterThanOrEqualTo(
            allowed,
            BigDecimal.multiply(recommendedSlippageTolerancePercent, almost),
          ),
        )
      }),
  )

  it.effect("holds all that its quote promises, on every replica with the same key", function* () {
    const [replica, another] = [yield* idsUnder(7), yield* idsUnder(7)]
    const [plainId = "", boostedId = ""] = replica.issue(answerOf([plain, boosted]))
    const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" } as const
    assert.deepStrictEqual(Option.getOrThrow(another.open(one, plainId)), {
      ...pair,
      platform: first,
      amount: plain.ingress.amount,
      egress: plain.egress.amount,
      estimatedPrice: plain.estimatedPrice,
      recommendedSlippageTolerancePercent: plain.recommendedSlippageTolerancePercent,
      commissionBps,
      quotedAt: at,
      expiresAt: plain.expiresAt,
    })
    const { boost, dca } = Option.getOrThrow(another.open(one, boostedId))
    assert.deepStrictEqual(boost, {
      feeBps: Bps.make(5),
      maximumFeeBps: Bps.make(30),
      egress: NativeAmount.make(6n),
    })
    assert.deepStrictEqual(dca, { numberOfChunks: 4, chunkIntervalBlocks: 2 })
  })

  it.effect("of the version before, which named no time, is still opened", function* () {
    const ids = yield* idsUnder(7)
    const [id = ""] = ids.issue(answerOf([plain]))
    const text = id.split("~").slice(0, -2).join("~")
    const mac = createHmac("sha256", new Uint8Array(32).fill(7)).update(`${one}~${text}`).digest()
    const { quotedAt, ...offer } = Option.getOrThrow(ids.open(one, id))
    assert.strictEqual(quotedAt, at)
    const older = `${text}~${mac.subarray(0, 16).toString("base64url")}`
    assert.deepStrictEqual(Option.getOrThrow(ids.open(one, older)), offer)
  })

  it.effect("of the version before, which had one fee of a boost, is still opened, and that version opens this one's", function* () {
    const ids = yield* idsUnder(7)
    const [id = ""] = ids.issue(answerOf([boosted]))
    assert.include(
      id,
      "~30.6.5~",
      "an earlier version reads the first two parts: the highest fee and the output",
    )
    const text = id.split("~").slice(0, -1).join("~").replace("~30.6.5~", "~5.6~")
    const mac = createHmac("sha256", new Uint8Array(32).fill(7)).update(`${one}~${text}`).digest()
    const older = `${text}~${mac.subarray(0, 16).toString("base64url")}`
    const fee = Bps.make(5)
    assert.deepStrictEqual(
      Option.getOrThrow(ids.open(one, older)).boost,
      { feeBps: fee, maximumFeeBps: fee, egress: NativeAmount.make(6n) },
    )
  })

  it.effect("is given again a moment later, and never to an account whose ids are forgotten", function* () {
    const ids = yield* idsUnder(7)
    const answer = answerOf([plain, boosted])
    const given = ids.issue(answer)
    const others = ids.issue({ ...answer, account: other })
    assert.deepStrictEqual(ids.issue(answer), given)
    ids.forget(one)
    const fresh = ids.issue(answer)
    assert.lengthOf(fresh.filter((id) => given.includes(id)), 0)
    assert.deepStrictEqual(ids.issue(answer), fresh)
    assert.deepStrictEqual(ids.issue({ ...answer, account: other }), others)
  })

  it.effect("is of no use to another account, under another key, or changed in a single letter", function* () {
    const ids = yield* idsUnder(7)
    const [id = ""] = ids.issue(answerOf([plain]))
    assert.isTrue(Option.isSome(ids.open(one, id)))
    assert.isTrue(Option.isNone(ids.open(other, id)))
    assert.isTrue(Option.isNone((yield* idsUnder(8)).open(one, id)))
    for (const place of id.split("").keys()) {
      const changed = `${id.slice(0, place)}${id[place] === "1" ? "2" : "1"}${id.slice(place + 1)}`
      assert.isTrue(Option.isNone(ids.open(one, changed)), changed)
      assert.isTrue(Option.isNone(ids.open(one, id.slice(0, place))), id.slice(0, place))
    }
    for (const text of ["", "~", "q1", `${id}~`, `${id}A`, `2${id}`]) {
      assert.isTrue(Option.isNone(ids.open(one, text)), text)
    }
  })

  it.effect("is the same for the same shared quotes, and another for another account", function* () {
    const ids = yield* idsUnder(7)
    const issued = ids.issue(answerOf([plain]))
    assert.deepStrictEqual(ids.issue(answerOf([plain])), issued)
    assert.notDeepEqual(ids.issue(answerOf([plain], other)), issued)
    assert.notDeepEqual(ids.issue(answerOf([{ ...plain }])), issued)
  })

  it.effect("leads to the explanation for a while, on the replica that gave it", function* () {
    const [ids, another] = [yield* idsUnder(7), yield* idsUnder(7)]
    const depositCost = { asset: plain.ingress.asset, amount: NativeAmount.make(1n) }
    const answer = answerOf([plain, { ...boosted, depositCost }])
    const issued = ids.issue(answer)
    const [id = ""] = issued
    const { ranking } = answer
    assert.deepStrictEqual(
      yield* ids.explain(one, id, at),
      Option.some({
        account: one,
        at,
        commissionBps,
        by: ranking.by,
        preference: ranking.preference,
        depositCost: ranking.depositCost,
        quotes: ranking.ranked.map(({ net, position, quote, record }, index) => {
          const id = issued[index] ?? assert.fail("each quote has an id")
          return {
            id,
            position,
            given: ranking.given.indexOf(quote),
            net,
            statedDepositCost: quote.depositCost,
            totalDuration: quote.totalDuration,
            afterDeposit: quote.durations.swap + quote.durations.egress,
            record,
            offer: Option.getOrThrow(ids.open(one, id)),
          }
        }),
      }),
    )
    assert.deepStrictEqual(yield* another.explain(one, id, at), Option.some("elsewhere"))
    assert.deepStrictEqual(yield* ids.explain(other, id, at), Option.none())
    const late = EpochMillis.make(at + explainedFor + 1)
    assert.deepStrictEqual(yield* ids.explain(one, id, late), Option.some("over"))
    for (let answers = 0; answers < mostExplained; answers++) ids.issue(answerOf([{ ...plain }]))
    assert.deepStrictEqual(yield* ids.explain(one, id, at), Option.some("over"))
  })
})
