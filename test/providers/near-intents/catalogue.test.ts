import { assert, collectLogs, describe, it, TestClock } from "../support.ts"
import { BigDecimal, Duration, Effect, Fiber, Result } from "effect"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { type Answer, fakeOneClick, options, providerOver } from "./fakeOneClick.ts"
import { tokens } from "./fixtures/tokens.ts"
import { makeClient } from "#providers/near-intents/client.ts"
import { readTokens } from "#providers/near-intents/conditions.ts"
import { type Conditions, makeConditions } from "#providers/near-intents/conditions.ts"

const read = (body: unknown) => {
  const { contradictions, tokens, notices } = Result.getOrThrow(readTokens(body))
  const ids = Object.fromEntries([...tokens].map(([asset, { id }]) => [asset, id]))
  return { ids, contradictions, notices }
}

const bitcoin = { assetId: "btc", decimals: 8, blockchain: "btc", symbol: "BTC" }
const ether = { assetId: "ether", decimals: 18, blockchain: "arb", symbol: "ETH" }

describe("1Click tokens", () => {
  it("are found by chain and contract, coins by their ticker, and the first of several counts", () => {
    assert.deepStrictEqual(read(tokens), {
      ids: {
        "btc.btc": "1cs_v1:btc:native:coin",
        "eth.eth": "nep141:eth.omft.near",
        "usdt.eth": "nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.omft.near",
        "sol.sol": "nep141:sol.omft.near",
        "usdt.bsc": "nep245:v2_1.omni.hot.tg:56_usdt",
      },
      contradictions: [],
      notices: [],
    })
  })

  it("are told apart by their chain, and Solana's mints by case", () => {
    const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
    const usdc = { ...ether, blockchain: "sol", symbol: "USDC", decimals: 6 }
    assert.deepStrictEqual(
      read([
        ether,
        { ...usdc, assetId: "usdc", contractAddress: mint },
        { ...usdc, assetId: "other", contractAddress: mint.toLowerCase() },
      ]).ids,
      { "eth.arb": "ether", "usdc.sol": "usdc" },
    )
  })

  it("are left out with a line where their decimals are not ours", () => {
    assert.deepStrictEqual(read([bitcoin, { ...ether, decimals: 6 }]), {
      ids: { "btc.btc": "btc" },
      contradictions: ["Left out eth.arb: it has 18 decimals, but the 1Click service says 6"],
      notices: [],
    })
  })

  it("are left out with a line where their row cannot be read, unless the chain is none of ours", () => {
    assert.deepStrictEqual(read([bitcoin, { blockchain: "eth" }, { blockchain: "ton" }]), {
      ids: { "btc.btc": "btc" },
      contradictions: [],
      notices: ["Left out a token of the 1Click service: [1].assetId: expected a value, got nothing"],
    })
  })

  it.each<readonly [body: unknown, detail: string]>([
    [{ tokens: [] }, "body: expected array, got an object"],
    [[{}], "[0].blockchain: expected a value, got nothing"],
    [[{ blockchain: "ton" }], "body: expected tokens of known assets, got 1 of others"],
    [[], "body: expected tokens of known assets, got 0 of others"],
  ])("cannot be read from %j", (body, detail) => {
    assert.strictEqual(Result.getOrThrow(Result.flip(readTokens(body))).detail, detail)
  })

  it("carry the price that the service states, and none where it states none that can be read", () => {
    const priceOf = (price: unknown) => {
      const { tokens } = Result.getOrThrow(readTokens([{ ...bitcoin, price }]))
      const usdPrice = tokens.get("btc.btc")?.usdPrice
      return usdPrice === undefined ? undefined : formatDecimal(usdPrice)
    }
    assert.strictEqual(priceOf(90_000.5), "90000.5")
    assert.strictEqual(priceOf("0.99980000000000000001"), "0.99980000000000000001")
    assert.strictEqual(priceOf(1.5e-7), "0.00000015")
    for (const none of [0, -1, null, undefined, "", "unknown", true, {}]) {
      assert.strictEqual(priceOf(none), undefined, `${none}`)
    }
  })

  it.effect("are what the provider serves, with one native unit for a minimum that nobody publishes", function* () {
    const [provider] = yield* providerOver({ tokens: { body: [bitcoin] } })
    assert.deepStrictEqual<unknown>(yield* provider.assets, [
      { asset: "btc.btc", ingress: true, egress: true, minimumDeposit: 1n },
    ])
  })

  it.effect("come with their prices for half an hour, if they cannot be fetched anew", function* () {
    const [provider] = yield* providerOver({ tokens: { body: [{ ...bitcoin, price: 90_000.5 }] } })
    const prices = Effect.map(provider.assets, (assets) => assets.map(({ usdPrice }) => usdPrice))
    const stated = [BigDecimal.fromStringUnsafe("90000.5")]
    assert.deepStrictEqual(yield* prices, stated)
    yield* TestClock.adjust("30 minutes")
    assert.deepStrictEqual(yield* prices, stated)
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* prices, [undefined])
  })
})

const withCatalogue = <A, E>(
  answer: Answer,
  test: (catalogue: Conditions, calls: () => number) => Effect.Effect<A, E>,
  maxAge?: Duration.Input,
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const { asked, client } = fakeOneClick({ tokens: answer })
    const catalogue = yield* makeConditions(makeClient(client, options), maxAge)
    return yield* test(catalogue, () => asked.length)
  })

/** Fails as often as it is told, then answers; each time with an id of its own. */
const failing = (times: number): Answer => {
  let calls = 0
  return () => {
    calls += 1
    return calls <= times ? { status: 503, body: "" } : { body: [{ ...bitcoin, assetId: `btc-${calls}` }] }
  }
}

const idOf = (catalogue: Conditions) => Effect.map(catalogue.tokens, (tokens) => tokens.get("btc.btc")?.id)

describe("The catalogue of 1Click tokens", () => {
  it.effect("is fetched once for all who need it at the same time", () =>
    withCatalogue({ body: tokens }, (catalogue, calls) =>
      Effect.gen(function* () {
        yield* Effect.all(Array.from({ length: 20 }, () => catalogue.tokens), { concurrency: "unbounded" })
        yield* catalogue.tokens
        assert.strictEqual(calls(), 1)
      })))

  it.effect("is asked for again after a failure", () =>
    withCatalogue(failing(1), (catalogue, calls) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(catalogue.tokens))._tag, "Unreachable")
        assert.strictEqual(yield* idOf(catalogue), "btc-2")
        assert.strictEqual(calls(), 2)
      })))

  it.effect("is kept fresh on a schedule", () =>
    withCatalogue(failing(0), (catalogue, calls) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(catalogue.keepFresh)
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual(calls(), 1)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* idOf(catalogue), "btc-2")
        assert.strictEqual(calls(), 2)
        yield* Fiber.interrupt(fiber)
      }), "1 hour"))

  it.effect("stays while the service is away, which is logged and tried again", function* () {
    let away = false
    const answer = () => away ? { status: 503, body: "" } : { body: [bitcoin] }
    const { lines } = yield* collectLogs(
      withCatalogue(answer, (catalogue, calls) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(catalogue.keepFresh)
          yield* TestClock.adjust("1 second")
          away = true
          yield* TestClock.adjust("12 minutes")
          assert.strictEqual(yield* idOf(catalogue), "btc")
          const before = calls()
          away = false
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual(calls(), before + 1)
          yield* Fiber.interrupt(fiber)
        })),
    )
    const told = lines.filter((line) => typeof line === "string")
    assert.strictEqual(told.length, 2)
    assert.match(`${told[0]}`, /^The tokens of the 1Click service could not be fetched; trying again: /)
    assert.match(
      `${told[1]}`,
      /^The tokens of the 1Click service could not be fetched; trying again: resolved after /,
    )
  })

  it.effect("is asked for once more without a word where one answer is late", function* () {
    let isFirst = true
    const answer = () => {
      const late = isFirst
      isFirst = false
      return late ? { status: 503, body: "" } : { body: [bitcoin] }
    }
    const { lines } = yield* collectLogs(
      withCatalogue(answer, (catalogue) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(catalogue.keepFresh)
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* idOf(catalogue), "btc")
          yield* Fiber.interrupt(fiber)
        })),
    )
    assert.deepStrictEqual(lines, [])
  })

  it.effect("is never fetched more often than once a second", () =>
    withCatalogue({ body: [bitcoin] }, (catalogue, calls) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(catalogue.keepFresh)
        yield* TestClock.adjust("3500 millis")
        assert.strictEqual(calls(), 4)
        yield* Fiber.interrupt(fiber)
      }), Duration.zero))
})
