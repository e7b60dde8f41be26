import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Bps } from "#domain/money/Bps.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import * as Reason from "#domain/ProviderError.ts"
import type { AssetSupport } from "#providers/Provider.ts"
import { amounts, noQuotes, quotes, quotingOver, says } from "./quotingOver.ts"
import { depositBelow, first, quoteOf, second } from "./support.ts"

const units = (amount: bigint) => NativeAmount.make(amount)

/** A provider that lists these figures of btc.btc. */
const listing = (
  said: Parameters<typeof says>[1],
  figures: Partial<AssetSupport> = {},
  name: string = first,
) => {
  const { calls, provider } = says(name, said)
  const both = { ingress: true, egress: true }
  const listed: ReadonlyArray<AssetSupport> = [{ asset: "btc.btc", ...both, ...figures }, {
    asset: "eth.eth",
    ...both,
  }]
  return { calls, provider: { ...provider, assets: Effect.succeed(listed) } }
}

/** The minimum and the maximum of a provider, by what it lists, and what it answers to the one question for a quote. */
const rows: ReadonlyArray<
  readonly [
    title: string,
    figures: Partial<AssetSupport>,
    said: Parameters<typeof says>[1],
    expected: Readonly<Record<string, unknown>>,
  ]
> = [
  ["what it lists, where that is quoted", { minimumDeposit: units(7n) }, quotes(first, 1n), { minimum: 7n }],
  ["one unit, where none is listed and that is quoted", {}, quotes(first, 1n), { minimum: 1n }],
  ["what a refusal names", { minimumDeposit: units(7n) }, Effect.fail(depositBelow(9n)), { minimum: 9n }],
  [
    "what a quote of the sample states",
    { sampleDeposit: units(700n) },
    Effect.succeed([
      { ...quoteOf(first, 1n), minimumDeposit: units(8n) },
    ]),
    { minimum: 8n },
  ],
  [
    "unknown, where a refusal names none",
    { maximumDeposit: units(10n) },
    Effect.fail(
      new Reason.EgressFeeNotCovered({ detail: "too little" }),
    ),
    { maximum: 10n },
  ],
  ["unknown, where there is no quote", { minimumDeposit: units(7n) }, noQuotes, {}],
]

describe("the limits of a pair", () => {
  for (const [title, figures, said, expected] of rows) {
    it.effect(`have as the minimum ${title}`, function* () {
      const { limits } = yield* quotingOver([listing(said, figures)])
      const { found } = yield* limits()
      assert.deepStrictEqual<unknown>(found, [{ platform: first, starts: ["channel"], ...expected }])
    })
  }

  it.effect("take one call in half a minute, whoever asks, and another for another commission", function* () {
    const one = listing(quotes(first, 1n))
    const { ask, limits } = yield* quotingOver([one])
    yield* Effect.all([limits(), limits(), limits()], { concurrency: 3 })
    yield* TestClock.adjust("29 seconds")
    yield* limits()
    assert.strictEqual(one.calls.begun, 1)
    yield* limits({ commissionBps: Bps.make(30) })
    assert.strictEqual(one.calls.begun, 2)
    yield* TestClock.adjust("2 seconds")
    yield* limits()
    assert.strictEqual(one.calls.begun, 3)
    // An amount that is quoted for limits is no offer of half a minute ago.
    yield* TestClock.adjust("2 seconds")
    yield* amounts(ask({ amount: units(1n) }))
    assert.strictEqual(one.calls.begun, 4)
  })

  it.effect("leave out a provider that fails, which is asked again at once", function* () {
    const failing = listing(Effect.fail(new Reason.UpstreamFailed({ detail: "it failed" })), {}, second)
    const { limits } = yield* quotingOver([listing(quotes(first, 1n)), failing])
    for (const calls of [1, 2]) {
      const { failures, found } = yield* limits()
      assert.deepStrictEqual(found.map(({ platform }) => platform), [first])
      assert.deepStrictEqual(failures.map(({ provider }) => provider), [second])
      assert.strictEqual(failing.calls.begun, calls)
    }
  })
})
