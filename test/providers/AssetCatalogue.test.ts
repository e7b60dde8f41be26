import { assert, describe, it, TestClock } from "./support.ts"
import { Context, Duration, Effect, Fiber, Layer, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, assetIds } from "#domain/chains/Asset.ts"
import { NotCalled, ProviderError, Unreachable } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { AssetSupport } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { request } from "#test/application/quoting/support.ts"
import { begin, defaultKnobs, guardLayer, times } from "./guard/support.ts"
import { AssetCatalogue } from "#providers/AssetCatalogue.ts"

const maxAge = Duration.seconds(10)

const supported = (asset: AssetId): AssetSupport => ({
  asset,
  ingress: true,
  egress: true,
  minimumDeposit: NativeAmount.make(40_000n),
})

type Asking = Effect.Effect<ReadonlyArray<AssetSupport>, ProviderError>

/** A provider that serves one asset, unless told otherwise, and counts how often it was asked for its assets. */
const serving = (name: string, asset: AssetId) => {
  const provider = new ScriptedProvider(name)
  const says: Asking = Effect.succeed([supported(asset)])
  const script = { asked: 0, then: says }
  provider.supported = Effect.suspend(() => {
    script.asked += 1
    return script.then
  })
  const failure = new ProviderError({
    provider: provider.name,
    operation: "assets",
    reason: new Unreachable({ detail: "is away", reached: false }),
  })
  return { provider, script, says, fails: Effect.fail(failure) }
}

const oneAttempt = {
  ...defaultKnobs,
  groups: { ...defaultKnobs.groups, quote: { ...defaultKnobs.groups.quote, retries: 0 } },
}

/** The operator may have switched an operation off; the guard around the calls is the real one. */
const guardUnder = (isOff: (name: string, operation: string) => boolean) =>
  Layer.effect(
    Guard,
    Effect.map(Guard, (guard) =>
      Guard.of({
        ...guard,
        mayCall: (provider, operation) =>
          isOff(provider, operation)
            ? Effect.fail(
              new ProviderError({
                provider,
                operation,
                reason: new NotCalled({ detail: "is switched off", retryAfterSeconds: 60 }),
              }),
            )
            : Effect.void,
      })),
  ).pipe(Layer.provide(guardLayer(oneAttempt)))

/** The catalogue of these providers, the preferred first. */
const catalogueOf = Effect.fnUntraced(function* (
  providers: ReadonlyArray<ScriptedProvider>,
  isOff: (name: string, operation: string) => boolean = () => false,
) {
  const services = yield* AssetCatalogue.layer({ maxAge }).pipe(
    Layer.provideMerge(Registry.layer(providers.map(({ name }) => name))),
    Layer.provideMerge(guardUnder(isOff)),
    Layer.build,
  )
  const registry = Context.get(services, Registry)
  yield* Effect.forEach(providers, (provider) => registry.register(provider))
  const { list } = Context.get(services, AssetCatalogue)
  return {
    list,
    registry,
    /** The assets that are served, each with who serves it. */
    served: Effect.map(
      list,
      (assets) =>
        Object.fromEntries(
          assets.flatMap(({ asset, providers }) =>
            providers.length === 0 ? [] : [[asset, providers.join(" ")]]
          ),
        ),
    ),
    circuit: (name: string) =>
      Effect.map(
        Context.get(services, Guard).view(ProviderName.make(name)),
        ({ quote }) => quote.circuit._tag,
      ),
  }
})

/** How a list that was asked for stands after so long: what it says, or nothing yet. */
const after = Effect.fnUntraced(function* <A>(list: Effect.Effect<A>, millis: number) {
  const fiber = yield* begin(list)
  yield* TestClock.adjust(Duration.millis(millis))
  return fiber.pollUnsafe() === undefined ? Option.none() : Option.some(yield* Fiber.join(fiber))
})

describe("AssetCatalogue", () => {
  it.effect("puts together what all enabled providers serve", function* () {
    const { served } = yield* catalogueOf([
      serving("first", "btc.btc").provider,
      serving("second", "eth.eth").provider,
      serving("third", "btc.btc").provider,
    ])
    assert.deepStrictEqual(yield* served, { "btc.btc": "first third", "eth.eth": "second" })
  })

  it.effect("lists what a provider has ever named, and everything until each has named its own", function* () {
    const [first, second] = [serving("first", "btc.btc"), serving("second", "eth.eth")]
    second.script.then = second.fails
    const { list } = yield* catalogueOf([first.provider, second.provider])
    const ids = Effect.map(list, (assets) => assets.map(({ asset }) => asset))
    assert.deepStrictEqual(yield* ids, assetIds())
    second.script.then = second.says
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* ids, ["btc.btc", "eth.eth"])
    second.script.then = Effect.succeed([])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* ids, ["btc.btc", "eth.eth"])
  })

  it.effect("asks a provider once for all who ask at the same time, and again when its word is old", function* () {
    const { provider, script } = serving("first", "btc.btc")
    const { list } = yield* catalogueOf([provider])
    assert.strictEqual(script.asked, 0)
    yield* Effect.all(Array.from({ length: 20 }, () => list), { concurrency: "unbounded" })
    yield* TestClock.adjust("9 seconds")
    yield* list
    assert.strictEqual(script.asked, 1)
    yield* TestClock.adjust("1 second")
    yield* list
    assert.strictEqual(script.asked, 2)
  })

  it.effect("follows what a provider switches on and off", function* () {
    const { provider, script } = serving("first", "btc.btc")
    const { served } = yield* catalogueOf([provider])
    assert.deepStrictEqual(yield* served, { "btc.btc": "first" })
    script.then = Effect.succeed([{ ...supported("btc.btc"), ingress: false, egress: false }])
    yield* TestClock.adjust(maxAge)
    assert.deepStrictEqual(yield* served, {})
  })

  it.effect("keeps the last word of a provider that fails, for an hour", function* () {
    const { fails, provider, says, script } = serving("first", "btc.btc")
    const { served } = yield* catalogueOf([provider])
    yield* served
    script.then = fails
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(yield* served, { "btc.btc": "first" })
    assert.strictEqual(script.asked, 2)
    yield* TestClock.adjust("11 seconds")
    assert.deepStrictEqual(yield* served, {})
    script.then = says
    yield* TestClock.adjust(maxAge)
    assert.deepStrictEqual(yield* served, { "btc.btc": "first" })
  })

  it.effect("does without a provider that has never said anything, and without one that has a defect", function* () {
    const away = serving("away", "eth.eth")
    away.script.then = away.fails
    const broken = serving("broken", "sol.sol")
    broken.script.then = Effect.die(new Error("broken"))
    const { served } = yield* catalogueOf([
      away.provider,
      broken.provider,
      serving("first", "btc.btc").provider,
    ])
    assert.deepStrictEqual(yield* served, { "btc.btc": "first" })
  })

  it.effect("waits two seconds at most for a slow provider of which nothing is known", function* () {
    const slow = serving("slow", "eth.eth")
    slow.script.then = Effect.delay(slow.says, "2500 millis")
    const { served } = yield* catalogueOf([slow.provider, serving("first", "btc.btc").provider])
    assert.deepStrictEqual(yield* after(served, 1_999), Option.none())
    // Who comes later waits for the rest of it only.
    assert.deepStrictEqual(yield* after(served, 1), Option.some({ "btc.btc": "first" }))
    assert.deepStrictEqual(yield* after(served, 0), Option.some({ "btc.btc": "first" }))
    yield* TestClock.adjust("500 millis")
    assert.deepStrictEqual(yield* after(served, 0), Option.some({ "btc.btc": "first", "eth.eth": "slow" }))
    assert.strictEqual(slow.script.asked, 1)
  })

  it.effect("waits a moment only for a slow provider whose last word is at hand", function* () {
    const slow = serving("slow", "eth.eth")
    const { served } = yield* catalogueOf([slow.provider])
    yield* served
    slow.script.then = Effect.never
    yield* TestClock.adjust(maxAge)
    assert.deepStrictEqual(yield* after(served, 249), Option.none())
    assert.deepStrictEqual(yield* after(served, 1), Option.some({ "eth.eth": "slow" }))
    assert.deepStrictEqual(yield* after(served, 0), Option.some({ "eth.eth": "slow" }))
  })

  it.effect("goes on asking when the caller goes away", function* () {
    const slow = serving("slow", "eth.eth")
    slow.script.then = Effect.delay(slow.says, "1 second")
    const { served } = yield* catalogueOf([slow.provider])
    const fiber = yield* begin(served)
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* after(served, 0), Option.some({ "eth.eth": "slow" }))
    assert.strictEqual(slow.script.asked, 1)
  })

  it.effect("is no probe of an open circuit: what a provider knows by heart would close it", function* () {
    const { fails, provider, script } = serving("first", "btc.btc")
    provider.quoting = () => fails
    const { circuit, registry, served } = yield* catalogueOf([provider])
    yield* served
    const guarded = Option.getOrThrow(yield* registry.find("first"))
    yield* times(10, Effect.flip(guarded.quotes(request)))
    assert.strictEqual(yield* circuit("first"), "Open")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* served, { "btc.btc": "first" })
    assert.strictEqual(script.asked, 1)
    assert.strictEqual(yield* circuit("first"), "Open")
  })

  for (const operation of ["quote", "open"]) {
    it.effect(`does without a provider whose ${operation}s the operator has switched off, at once`, function* () {
      let isOff = false
      const { served } = yield* catalogueOf(
        [serving("first", "btc.btc").provider, serving("second", "btc.btc").provider],
        (name, asked) => isOff && name === "first" && asked === operation,
      )
      assert.deepStrictEqual(yield* served, { "btc.btc": "first second" })
      isOff = true
      assert.deepStrictEqual(yield* served, { "btc.btc": "second" })
      isOff = false
      assert.deepStrictEqual(yield* served, { "btc.btc": "first second" })
    })
  }
})
