import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { Capabilities } from "#providers/Capabilities.ts"
import { Registry } from "#providers/Registry.ts"
import { Minimums } from "#application/quoting/Minimums.ts"
import { begin, guardLayer } from "#test/providers/guard/support.ts"
import { callerWith } from "#test/support/account.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { depositBelow, failureOf, quoteOf, request } from "./support.ts"

const least = NativeAmount.make(10n ** 15n)
const ether: QuoteRequest = { ...request, sourceAsset: "eth.eth", destinationAsset: "btc.btc" }
const [mine, others] = [AccountId.make(1), AccountId.make(2)]

/** The minimums of a provider that quotes from `least` on, each time after so long. */
const minimumsOf = Effect.fnUntraced(function* (
  changes: Partial<Capabilities> = {},
  takes: Duration.Duration = Duration.zero,
) {
  const provider = new ScriptedProvider("first")
  const asked: Array<QuoteRequest> = []
  const services = yield* Minimums.layer.pipe(
    Layer.provideMerge(Registry.layer([provider.name])),
    Layer.provide(guardLayer()),
    Layer.build,
  )
  yield* Context.get(services, Registry).register({
    name: provider.name,
    capabilities: { ...provider.capabilities, ...changes },
    assets: provider.assets,
    channels: provider.channels,
    quotes: (request) =>
      Effect.suspend(() => {
        asked.push(request)
        return unitsOf(request.amount) < least
          ? Effect.fail(failureOf(provider.name, depositBelow(1n)))
          : Effect.succeed([{
            ...quoteOf(provider.name, 1n),
            ingress: { asset: request.sourceAsset, amount: unitsOf(request.amount) },
            egress: { asset: request.destinationAsset, amount: NativeAmount.make(1n) },
          }])
      }).pipe(Effect.delay(takes)),
  })
  const { of } = Context.get(services, Minimums)
  /** The least amount for a changed request. */
  const ask = (account: AccountId, changes: Partial<QuoteRequest> = {}) =>
    Effect.map(
      of(callerWith({ id: account }), { ...ether, ...changes, platform: undefined }),
      (found) => Option.getOrUndefined(found)?.amount,
    )
  return { ask, asked }
})

describe("minimums", () => {
  it.effect("are the same whatever amount the first asker wants", function* () {
    for (const amount of [1n, 10n ** 30n]) {
      const { ask } = yield* minimumsOf()
      assert.strictEqual(yield* ask(mine, { amount: NativeAmount.make(amount) }), least)
      assert.strictEqual(yield* ask(others), least)
    }
  })

  it.effect("are looked for once for all addresses, where the provider quotes the same for all", function* () {
    const { ask, asked } = yield* minimumsOf()
    yield* ask(mine)
    const calls = asked.length
    const parties = { recipient: Address.make("bc1-another"), sender: Address.make("0x1234") }
    assert.strictEqual(yield* ask(others, parties), least)
    assert.strictEqual(asked.length, calls)
  })

  it.effect("are looked for again for another address, where the provider quotes for it", function* () {
    const { ask, asked } = yield* minimumsOf({ quoteParties: "used" })
    yield* ask(mine)
    const calls = asked.length
    assert.strictEqual(yield* ask(mine, { recipient: Address.make("bc1-another") }), least)
    assert.isAbove(asked.length, calls)
  })

  it.effect("are looked for twice at a time by an account, which delays nobody for long", function* () {
    const { ask, asked } = yield* minimumsOf({}, Duration.seconds(1))
    for (let bps = 1; bps <= 10; bps++) yield* begin(ask(mine, { commissionBps: Bps.make(bps) }))
    yield* begin(ask(others, { commissionBps: Bps.make(100) }))
    yield* TestClock.adjust(Duration.seconds(29))
    assert.sameMembers([...new Set(asked.map(({ commissionBps }) => Number(commissionBps)))], [1, 2])
    yield* TestClock.adjust(Duration.seconds(4))
    assert.include(asked.map(({ commissionBps }) => Number(commissionBps)), 100)
  })

  it.effect("are not known where a search was cut off, and are looked for again", function* () {
    const { ask, asked } = yield* minimumsOf({}, Duration.seconds(1))
    yield* begin(ask(mine))
    yield* TestClock.adjust(Duration.seconds(31))
    const calls = asked.length
    assert.isAtMost(calls, 31)
    yield* TestClock.adjust(Duration.seconds(3))
    assert.isUndefined(yield* ask(mine))
    assert.strictEqual(asked.length, calls)
    yield* TestClock.adjust(Duration.seconds(3))
    yield* begin(ask(mine))
    yield* TestClock.adjust(Duration.seconds(3))
    assert.isAbove(asked.length, calls)
  })

  it.effect("leave room for new searches of an account once its others have ended", function* () {
    const { ask } = yield* minimumsOf()
    for (let bps = 0; bps < 5; bps++) {
      assert.strictEqual(yield* ask(mine, { commissionBps: Bps.make(bps) }), least)
    }
  })
})
