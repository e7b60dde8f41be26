import { assert, describe, it } from "#test/support/it.ts"
import { Array, BigDecimal, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { ExplanationBody } from "#api/QuoteBodies.ts"
import { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { EpochMillis } from "#domain/Time.ts"
import { emptyRecord, trackRecord } from "#domain/operations/TrackRecord.ts"
import { presentExplanation } from "#interfaces/requests/present/comparison.ts"
import { Explanations } from "#application/quoting/Explanations.ts"
import { QuoteIds } from "#application/quoting/QuoteIds.ts"
import { rank } from "#application/quoting/Ranking.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { first, quoteOf, second, third } from "../support.ts"

/** RANKED=all: as many as convince; the suite sorts some hundreds. */
const answers = Deno.env.get("RANKED") === "all" ? 10_000 : 400

const providers = [first, second, third]

/** The same numbers in every run. */
const makeRandom = (seed: number) => {
  let state = seed
  const below = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 2_147_483_648 * most)
  }
  return { below, one: <A>(of: Array.NonEmptyReadonlyArray<A>): A => of[below(of.length)] ?? of[0] }
}

/** Few different figures, so that ties are common, and large ones, which doubles cannot tell apart. */
const anyAnswer = ({ below, one }: ReturnType<typeof makeRandom>) => {
  const count = () => one([0, 1, 9, 10, 25, 199])
  return {
    by: one(["net", "fastest", "guaranteed", "reliable"] as const),
    preference: one([[first, second, third], [third, first, second], [second, third, first]]),
    records: [first, second, third].map(() => ({
      completed: count(),
      refunded: count(),
      failed: count(),
      stalled: count(),
    })),
    quotes: Array.makeBy(1 + below(7), () => ({
      platform: one([first, second, third]),
      egress: one([1n, 7n, 10n ** 18n, 10n ** 18n + 1n, 2n ** 100n, 2n ** 100n + 1n]),
      chunks: one([undefined, 4]),
      seconds: one([30, 30.0004, 600]),
      price: one(["30", "29.999999999999999999", "0.000000000000000001"]),
      tolerance: one(["0", "0.5", "1.25", "99"]),
      depositCost: one([undefined, 0n, 141n, 500n, 2n ** 100n]),
      costAsset: one(["btc.btc", "eth.eth", "usdc.eth"] as const),
    })),
  }
}

const encode = Schema.encodeSync(ExplanationBody)

const account = AccountId.make(1)
const at = EpochMillis.make(1_790_692_455_000)

const explanationOf = Effect.fnUntraced(function* (
  ids: QuoteIds["Service"],
  { by, preference, quotes, records }: ReturnType<typeof anyAnswer>,
) {
  const given = quotes.map((
    { chunks, costAsset, depositCost, egress, platform, price, seconds, tolerance },
  ) => ({
    ...quoteOf(platform, egress, chunks),
    totalDuration: seconds * 1_000,
    estimatedPrice: Price.make(BigDecimal.fromStringUnsafe(price)),
    recommendedSlippageTolerancePercent: BigDecimal.fromStringUnsafe(tolerance),
    ...(depositCost === undefined
      ? {}
      : { depositCost: { asset: costAsset, amount: NativeAmount.make(depositCost) } }),
  }))
  const known = records.map((ends) => trackRecord(ends, []))
  const ranking = rank(given, {
    by,
    preference,
    recordOf: ({ platform }) => known[providers.indexOf(platform)] ?? emptyRecord,
  })
  const [quoteId = QuoteId.make("none")] = ids.issue({ account, at, commissionBps: noBps, ranking })
  const explained = Option.getOrThrow(yield* ids.explain(account, quoteId, at))
  assert(typeof explained === "object")
  return JSON.stringify(encode(presentExplanation(quoteId, explained)))
})

describe("an explained order", () => {
  it.effect("is found again by a script outside the repository, from its explanation alone", function* () {
    const folder = yield* temporaryFolder
    const random = makeRandom(7)
    const key = Effect.succeed(Redacted.make(new Uint8Array(32)))
    const ids = Context.get(
      yield* Layer.build(QuoteIds.layer(key).pipe(Layer.provide(Explanations.layer))),
      QuoteIds,
    )
    const lines = yield* Effect.forEach(
      Array.makeBy(answers, () => anyAnswer(random)),
      (answer) => explanationOf(ids, answer),
    )
    yield* Effect.promise(async () => {
      await Deno.copyFile(new URL("rerank.mjs", import.meta.url), `${folder}/rerank.mjs`)
      await Deno.writeTextFile(`${folder}/explanations.jsonl`, lines.join("\n"))
    })
    const { stderr, stdout } = yield* Effect.promise(() =>
      new Deno.Command("node", { args: ["rerank.mjs", "explanations.jsonl"], cwd: folder }).output()
    )
    const said = new TextDecoder().decode(stdout)
    assert.strictEqual(new TextDecoder().decode(stderr), "")
    assert.strictEqual(said, `${answers} sorted again, 0 differences\n`)
  })
})
