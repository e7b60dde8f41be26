import { assert, describe, it } from "#test/support/it.ts"
import { BigDecimal, Duration, Effect, Fiber, identity, Layer, Ref, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import type { ProviderChoice } from "#domain/accounts/OwnTerms.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import { routeTable } from "#domain/accounts/Route.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { Quoting, type QuotingOptions } from "#application/quoting/Quoting.ts"
import type { QuotesRequest } from "#application/quoting/QuotesRequest.ts"
import { TrackRecords } from "#application/quoting/TrackRecords.ts"
import { callerWith } from "#test/support/account.ts"
import { ScriptedProvider, ScriptedVaultSwaps } from "#test/support/provider.ts"
import { noIds, options as usual } from "./quotingOver.ts"
import { failureOf, first, quoteOf, reasons, request, second, third } from "./support.ts"

const deadline = Duration.seconds(5)
const options: QuotingOptions = {
  ...usual,
  deadline,
  grace: deadline,
  reuse: { quotes: Duration.zero, refusals: Duration.zero },
}

/** Quoting over what is registered, as it answers by itself: nothing guards it. */
const service = Quoting.layer(options).pipe(
  Layer.provide([TrackRecords.layerEmpty, noIds]),
  Layer.provideMerge(Registry.layer([first, second, third])),
  Layer.provide(
    Layer.mock(Guard, {
      wrap: identity,
      mayCall: () => Effect.void,
      quotesWait: () => Effect.succeed(false),
    }),
  ),
)

const quotingOnly = (name: ProviderName, quotes: Provider["quotes"]): Provider => {
  const provider = new ScriptedProvider(name)
  provider.quoting = quotes
  return provider
}

const register = (name: ProviderName, answer: Effect.Effect<ReadonlyArray<Quote>, ProviderError>) =>
  Effect.flatMap(Registry, (registry) => registry.register(quotingOnly(name, () => answer)))

const ask = (platform?: ProviderName) =>
  Effect.map(
    Effect.flatMap(Quoting, (quoting) => quoting.quotes(callerWith(), { ...request, platform })),
    ({ quotes }) => quotes,
  )

/** A test with a service of its own. */
const overService = (
  name: string,
  test: () => Generator<
    Effect.Effect<unknown, unknown, Layer.Success<typeof service> | Scope.Scope>,
    void,
    never
  >,
) => it.effect(name, () => Effect.provide(Effect.gen(test), service))

describe("Quoting", () => {
  overService("tells sender and recipient to those alone whose quotes depend on them", function* () {
    const sender = Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
    const recipient = Address.make("0x2222222222222222222222222222222222222222")
    const asked = yield* Ref.make<ReadonlyArray<readonly [string, QuoteRequest]>>([])
    const registry = yield* Registry
    for (
      const [name, quoteParties] of [[first, undefined], [second, "used"], [third, "required"]] as const
    ) {
      const quotes = (it: QuoteRequest) =>
        Effect.as(Ref.update(asked, (all) => [...all, [name, it] as const]), [quoteOf(name, 5n)])
      const { assets, capabilities, quotes: _, ...plain } = quotingOnly(name, quotes)
      yield* registry.register({
        ...plain,
        channels: new ScriptedProvider(name).channels,
        name,
        assets,
        quotes,
        capabilities: { ...capabilities, ...(quoteParties === undefined ? {} : { quoteParties }) },
      })
    }
    const quoting = yield* Quoting
    const named = yield* quoting.quotes(callerWith(), { ...request, platform: undefined, sender, recipient })
    assert.lengthOf(named.failures, 0)
    const nameless = yield* quoting.quotes(callerWith(), { ...request, platform: undefined })
    assert.deepStrictEqual(nameless.failures.map(({ provider, reason }) => [provider, reason._tag]), [
      [third, "RequestRefused"],
    ])
    assert.deepStrictEqual<unknown>(yield* Ref.get(asked), [
      [first, request],
      [second, { ...request, sender, recipient }],
      [third, { ...request, sender, recipient }],
      [first, request],
      [second, request],
    ])
  })

  it.effect("calls liquidity low by one rule, and takes at most five percent from a recommendation", function* () {
    const shown = (changes: Partial<Quote>) =>
      Effect.gen(function* () {
        yield* register(first, Effect.succeed([{ ...quoteOf(first, 5n), ...changes }]))
        const [quote] = yield* ask(first)
        return quote
      }).pipe(Effect.provide(Layer.fresh(service)))
    const percent = BigDecimal.fromStringUnsafe
    for (
      const [priceImpactPercent, lowLiquidityWarning, low] of [
        ["0", false, false],
        ["5", false, false],
        ["5.01", false, true],
        ["95", false, true],
        ["0", true, true],
      ] as const
    ) {
      const quote = yield* shown({ priceImpactPercent: percent(priceImpactPercent), lowLiquidityWarning })
      assert.strictEqual(quote?.lowLiquidityWarning, low, priceImpactPercent)
    }
    for (const [recommended, taken] of [["1.5", "1.5"], ["5", "5"], ["50", "5"]] as const) {
      const quote = yield* shown({ recommendedSlippageTolerancePercent: percent(recommended) })
      assert.strictEqual(quote === undefined ? "" : BigDecimal.format(quote.slippageTolerancePercent), taken)
    }
  })

  overService("leaves out who begins swaps otherwise, asks them nothing, and says so", function* () {
    const registry = yield* Registry
    const called: Array<string> = []
    const provider = (name: ProviderName, ways: Pick<Provider, "channels" | "vaultSwaps">): Provider => {
      const { assets, capabilities } = new ScriptedProvider(name)
      const quotes = () =>
        Effect.sync(() => {
          called.push(name)
          return [quoteOf(name, 5n)]
        })
      return { name, assets, capabilities, quotes, ...ways }
    }
    const { channels } = new ScriptedProvider("any")
    yield* registry.register(provider(first, { channels }))
    yield* registry.register(provider(second, { vaultSwaps: new ScriptedVaultSwaps("Bitcoin") }))
    yield* registry.register(provider(third, {}))
    const quoting = yield* Quoting
    const rows = [
      [undefined, [first]],
      ["channel", [first]],
      ["transaction", [second]],
      ["any", [first, second]],
    ] as const
    for (const [start, shown] of rows) {
      called.length = 0
      const wanted = start === undefined ? {} : { start }
      const { failures, providers, quotes } = yield* quoting.quotes(callerWith(), {
        ...request,
        ...wanted,
        platform: undefined,
      })
      assert.deepStrictEqual(quotes.map(({ platform }) => platform), [...shown])
      assert.deepStrictEqual<unknown>(called, [...shown])
      assert.deepStrictEqual(providers, [first, second, third])
      const left = failures.map(({ provider, reason }) => [provider, reason._tag])
      const others = providers.filter((name) => !shown.some((one) => one === name))
      assert.deepStrictEqual(left, others.map((name) => [name, "OtherStart"]))
    }
    const { quotes } = yield* quoting.quotes(callerWith(), { ...request, platform: second })
    assert.deepStrictEqual(quotes, [])
  })

  overService("asks with the very request, and gives all quotes, the best first", function* () {
    const asked = yield* Ref.make<ReadonlyArray<QuoteRequest>>([])
    const registry = yield* Registry
    const answering = (name: ProviderName, ...quotes: ReadonlyArray<Quote>) =>
      registry.register(
        quotingOnly(name, (it) => Effect.as(Ref.update(asked, (all) => [...all, it]), quotes)),
      )
    yield* answering(first, quoteOf(first, 5n, 4), quoteOf(first, 5n))
    yield* answering(second, quoteOf(second, 9n), quoteOf(second, 1n))
    assert.deepStrictEqual(yield* ask(), [
      quoteOf(second, 9n),
      quoteOf(first, 5n),
      quoteOf(first, 5n, 4),
      quoteOf(second, 1n),
    ])
    assert.deepStrictEqual(yield* Ref.get(asked), [request, request])
  })

  overService("gives the quotes of the provider that answers when another fails", function* () {
    yield* register(first, Effect.fail(failureOf(first, reasons.UpstreamFailed)))
    yield* register(second, Effect.succeed([quoteOf(second, 5n)]))
    assert.deepStrictEqual(yield* ask(), [quoteOf(second, 5n)])
  })

  overService("asks all providers at the same time and waits for the slow ones", function* () {
    yield* register(first, Effect.delay(Effect.succeed([quoteOf(first, 5n)]), "4 seconds"))
    yield* register(second, Effect.delay(Effect.succeed([quoteOf(second, 9n)]), "3 seconds"))
    const asking = yield* Effect.forkChild(ask())
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(yield* Fiber.join(asking), [quoteOf(second, 9n), quoteOf(first, 5n)])
  })

  overService("leaves a provider out that has not answered at the deadline", function* () {
    yield* register(first, Effect.never)
    yield* register(second, Effect.succeed([quoteOf(second, 5n)]))
    const asking = yield* Effect.forkChild(ask(), { startImmediately: true })
    yield* TestClock.adjust(Duration.subtract(deadline, Duration.millis(1)))
    assert.isUndefined(asking.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* Fiber.join(asking), [quoteOf(second, 5n)])
  })

  overService("fails as timed out when no provider has answered at the deadline", function* () {
    const interrupted = yield* Ref.make(false)
    yield* register(first, Effect.onInterrupt(Effect.never, () => Ref.set(interrupted, true)))
    const asking = yield* Effect.forkChild(Effect.flip(ask()))
    yield* TestClock.adjust(deadline)
    const error = yield* Fiber.join(asking)
    assert.isTrue(error._tag === "QuotesFailed" && error.failure.reason._tag === "TimedOut")
    assert.isTrue(yield* Ref.get(interrupted))
  })

  overService("stops asking when the caller has gone", function* () {
    const interrupted = yield* Ref.make(0)
    const waiting = Effect.onInterrupt(Effect.never, () => Ref.update(interrupted, (count) => count + 1))
    yield* register(first, waiting)
    yield* register(second, waiting)
    const asking = yield* Effect.forkChild(ask(), { startImmediately: true })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* Ref.get(interrupted), 0)
    yield* Fiber.interrupt(asking)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Ref.get(interrupted), 2)
  })

  overService("has no quotes, and no failure, when a provider succeeds without any", function* () {
    yield* register(first, Effect.fail(failureOf(first, reasons.InsufficientLiquidity)))
    yield* register(second, Effect.succeed([]))
    assert.deepStrictEqual(yield* ask(), [])
  })

  overService("fails with what tells most when all providers fail", function* () {
    yield* register(first, Effect.fail(failureOf(first, reasons.Unreachable)))
    yield* register(second, Effect.fail(failureOf(second, reasons.InsufficientLiquidity)))
    const error = yield* Effect.flip(ask())
    assert.isTrue(error._tag === "QuotesFailed" && error.failure.reason._tag === "InsufficientLiquidity")
  })

  overService("says that no provider is available when none is enabled", function* () {
    const error = yield* Effect.flip(ask())
    assert.isTrue(error._tag === "NoProviderAvailable" && error.retryAfterSeconds > 0)
  })

  overService("asks only the named provider", function* () {
    yield* register(first, Effect.die("is not asked"))
    yield* register(second, Effect.succeed([quoteOf(second, 5n)]))
    assert.deepStrictEqual(yield* ask(second), [quoteOf(second, 5n)])
    const error = yield* Effect.flip(ask(third))
    assert.strictEqual(error._tag, "NoProviderAvailable")
  })

  overService("refuses a pair that the account may not swap, and asks nobody", function* () {
    yield* register(first, Effect.die("is not asked"))
    const { destinationAsset, sourceAsset } = request
    const caller = callerWith({ routes: routeTable([{ sourceAsset, destinationAsset, allowed: false }]) })
    const quoting = yield* Quoting
    const error = yield* Effect.flip(quoting.quotes(caller, { ...request, platform: undefined }))
    assert.strictEqual(error._tag, "RouteDenied")
  })

  overService("asks with the account's commission, or with more where the caller wants that", function* () {
    const asked: Array<number> = []
    const registry = yield* Registry
    yield* registry.register(quotingOnly(first, ({ commissionBps }) => {
      asked.push(commissionBps)
      return Effect.succeed([quoteOf(first, 5n)])
    }))
    const caller = callerWith({ commissionBps: Bps.make(20) })
    const quoting = yield* Quoting
    const told = []
    for (const commissionBps of [undefined, 10, 30]) {
      told.push(
        (yield* quoting.quotes(caller, { ...request, commissionBps, platform: undefined })).commissionBps,
      )
    }
    assert.deepStrictEqual(asked, [20, 20, 30])
    assert.deepStrictEqual<unknown>(told, [undefined, 20, 30])
  })

  const asChosen = Effect.fnUntraced(function* (
    providers: ProviderChoice,
    outputs: ReadonlyArray<readonly [ProviderName, bigint]>,
    order: Partial<QuotesRequest> = {},
  ) {
    const asked: Array<ProviderName> = []
    const registry = yield* Registry
    for (const [name, output] of outputs) {
      yield* registry.register(quotingOnly(name, () => {
        asked.push(name)
        return Effect.succeed([quoteOf(name, output)])
      }))
    }
    const quoting = yield* Quoting
    const { identified } = yield* quoting.quotes(callerWith({ providers }), {
      ...request,
      platform: undefined,
      ...order,
    })
    return {
      asked: asked.sort(),
      ranked: identified.quotes.map(({ ranked: { quote, reasons: [place] } }) =>
        `${quote.platform} ${place}`
      ),
    }
  })

  overService("asks only the account's providers, and breaks ties in its order", function* () {
    const { asked, ranked } = yield* asChosen(
      { use: "only", providers: [third, first] },
      [[first, 5n], [second, 9n], [third, 5n]],
    )
    assert.deepStrictEqual(asked, [first, third])
    assert.deepStrictEqual(ranked, ["third first", "first operators_order"])
  })

  for (
    const [shown, unlessBps, order, expected] of [
      ["first while no other pays more than its bps more", 100, {}, [
        "second preferred_provider",
        "first preferred_provider",
        "third less_output",
      ]],
      ["behind what pays more than that", 99, {}, ["first first", "second less_output", "third less_output"]],
      ["where it is, by another order", 100, { rank: "fastest" }, [
        "first first",
        "second less_output",
        "third less_output",
      ]],
    ] as const
  ) {
    overService(`has the account's preferred provider ${shown}`, function* () {
      const { ranked } = yield* asChosen(
        { use: "preferred", provider: second, unlessBps: Bps.make(unlessBps) },
        [[first, 10_100n], [second, 10_000n], [third, 9_000n]],
        order,
      )
      assert.deepStrictEqual<ReadonlyArray<string>>(ranked, expected)
    })
  }

  overService("takes the account's own share of a recommended tolerance, also a larger one", function* () {
    yield* register(
      first,
      Effect.succeed([{
        ...quoteOf(first, 5n),
        recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(8n),
      }]),
    )
    const quoting = yield* Quoting
    const tolerances = []
    for (const bps of [undefined, 50, 700]) {
      const caller = callerWith(bps === undefined ? {} : { maximumSlippageToleranceBps: Bps.make(bps) })
      const { quotes: [quote] } = yield* quoting.quotes(caller, { ...request, platform: undefined })
      tolerances.push(BigDecimal.format(quote?.slippageTolerancePercent ?? BigDecimal.fromBigInt(0n)))
    }
    assert.deepStrictEqual(tolerances, ["5", "0.5", "7"])
  })

  overService("does not hide a provider's defect behind the quotes of another", function* () {
    yield* register(first, Effect.die("a bug"))
    yield* register(second, Effect.succeed([quoteOf(second, 5n)]))
    assert.strictEqual((yield* Effect.exit(ask()))._tag, "Failure")
  })
})
