import { assert, collectLogs, describe, it } from "../support.ts"
import { Effect, Option, Result, Schema } from "effect"
import { AssetId, Bps, factsOf, NativeAmount } from "#exports/domain.ts"
import { readCurrencies } from "#providers/relay/conditions.ts"
import { toPair } from "#providers/upstream/servedChains.ts"
import { quoteInquiry } from "#providers/relay/inquiry.ts"
import { readQuote } from "#providers/relay/answer.ts"
import { estimatedPrice, minimumOutput, slippageTolerance } from "#providers/upstream/prices.ts"
import {
  bitcoin,
  btc,
  currencies,
  eth,
  ethereum,
  feeRecipient,
  figures,
  providerOver,
  swapRequest,
} from "./fakeRelay.ts"

const read = (body: unknown) => Result.getOrThrow(readCurrencies(body))

const withEthereum = (members: object) => ({ chains: [bitcoin, { ...ethereum, ...members }] })

describe("The currencies of Relay", () => {
  it("are deposited where the solver takes them, and paid out where they are listed", () => {
    const { currencies } = read(withEthereum({ solverCurrencies: [] }))
    assert.deepInclude(currencies.get("eth.eth"), { ingress: false, egress: true })
    assert.deepInclude(currencies.get("btc.btc"), { ingress: true, egress: true })
  })

  it("are off with their chain, which is told apart from not being listed", () => {
    for (const off of [{ disabled: true }, { depositEnabled: false }]) {
      const { currencies } = read(withEthereum(off))
      const pair = toPair(currencies, swapRequest)
      assert.strictEqual(Option.getOrUndefined(Result.getFailure(pair))?._tag, "AssetDisabled")
      const unknown = toPair(currencies, { ...swapRequest, destinationAsset: "sol.sol" })
      assert.strictEqual(Option.getOrUndefined(Result.getFailure(unknown))?._tag, "AssetNotListed")
    }
  })

  it("are left out where their decimals are others, or a token stands for a coin", () => {
    const coin = (members: object) => ({ symbol: "ETH", address: eth.address, decimals: 18, ...members })
    const wrong = read(withEthereum({ currency: coin({ decimals: 8 }), solverCurrencies: [] }))
    assert.isFalse(wrong.currencies.has("eth.eth"))
    assert.deepStrictEqual(wrong.contradictions, [
      "Left out eth.eth: it has 18 decimals, but the Relay service says 8",
    ])
    const usdc = factsOf("usdc.eth").contractAddress
    const token = read(withEthereum({ currency: coin({ address: usdc }) }))
    assert.deepStrictEqual([...token.currencies.keys()], ["btc.btc"])
    assert.strictEqual(token.notices.length, 1)
  })

  it("are left out, and said to be, where a chain's id cannot be read", () => {
    const { currencies, notices } = read(withEthereum({ id: "1" }))
    assert.deepStrictEqual([...currencies.keys()], ["btc.btc"])
    assert.match(notices.join(), /chains\[1\]\.id/)
  })

  it("of Base, Polygon, Avalanche and Optimism are found by chain and contract, never by what they are called", () => {
    const coin = (symbol: string) => ({ symbol, address: eth.address, decimals: 18 })
    const token = (symbol: string, address: string) => ({ symbol, address, decimals: 6 })
    const listed = (id: number, currency: object, tokens: ReadonlyArray<object>) => ({
      id,
      currency,
      erc20Currencies: tokens,
      solverCurrencies: [currency],
    })
    const usdcOnBase = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
    const { contradictions, currencies, notices } = read({
      chains: [
        listed(8_453, coin("ETH"), [
          token("USDC", "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca"),
          token("USDC", usdcOnBase),
        ]),
        listed(137, coin("MATIC"), [
          // The bridged one, and the coin's own contract.
          token("USDC", "0x2791bca1f2de4661ed88a30c99a7a9449aa84174"),
          { ...coin("POL"), address: "0x0000000000000000000000000000000000001010" },
          token("USDT0", "0xc2132d05d31c914a87c6611c10748aeb04b58e8f"),
        ]),
        listed(43_114, coin("AVAX"), [token("USDC", "0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664")]),
        // That address is another token on another chain.
        listed(10, coin("ETH"), [
          token("USDT", "0x01bff41798a0bcf287b996046ca68b395dbc1071"),
          token("USDC", usdcOnBase),
        ]),
        listed(4_663, coin("ETH"), []),
      ],
    })
    assert.deepStrictEqual([notices, contradictions], [[], []])
    assert.deepStrictEqual(
      [...currencies].map(([asset, { address }]) => [asset, address]),
      [
        ["eth.base", eth.address],
        ["usdc.base", usdcOnBase],
        ["pol.pol", eth.address],
        ["usdt.pol", "0xc2132d05d31c914a87c6611c10748aeb04b58e8f"],
        ["avax.avax", eth.address],
        ["eth.op", eth.address],
      ],
    )
  })

  it("have what Tron's own coin is from the list", () => {
    const address = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"
    const trx = { symbol: "TRX", address, decimals: 6 }
    const { currencies } = read({ chains: [{ id: 728_126_428, currency: trx, solverCurrencies: [trx] }] })
    assert.deepInclude(currencies.get("trx.tron"), { address, ingress: true })
    const usdt = { ...trx, address: factsOf("usdt.tron").contractAddress }
    assert.isTrue(Result.isFailure(readCurrencies({ chains: [{ id: 728_126_428, currency: usdt }] })))
  })
})

describe("A quote of Relay's", () => {
  it.effect("is asked for without an opening, at placeholders, and is net of its fees", function* () {
    const [provider, asked] = yield* providerOver({})
    const [quote] = yield* provider.quotes(swapRequest)
    const body = asked.at(-1)?.body ?? {}
    for (const member of ["useDepositAddress", "strict", "refundTo", "ttl"]) {
      assert.notProperty(body, member)
    }
    assert.notInclude(JSON.stringify(body), swapRequest.destinationAddress)
    assert.strictEqual(quote?.totalDuration, 620_500)
    assert.deepStrictEqual<unknown>(quote?.fees, [
      { type: "network", asset: "btc.btc", amount: 2_100n },
      { type: "broker", asset: "btc.btc", amount: 25_000n },
    ])
  })

  it.effect("has no fee where the network rewards the direction, or in an unknown currency", function* () {
    const { details, fees } = figures("34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo")
    const recipient = "0x000000000000000000000000000000000000dEaD"
    for (
      const relayer of [
        { currency: fees.relayer.currency, amount: "-77" },
        { currency: { chainId: 8453, address: eth.address }, amount: "77" },
      ]
    ) {
      const body = { fees: { ...fees, relayer }, details: { ...details, recipient } }
      const [provider] = yield* providerOver({ price: { body } })
      const [quote] = yield* provider.quotes(swapRequest)
      assert.deepStrictEqual(quote?.fees.map(({ type }) => type), ["broker"])
    }
  })

  it.effect.each(
    [
      ["as asked, also by prices of a moment ago", "-2.55", 25, "25000"],
      ["dropped", "0", 25, undefined],
      ["half of it", "-1.25", 25, undefined],
      ["twice as much", "-5", 25, undefined],
      ["not told", undefined, 25, undefined],
      ["none, as asked", "0", 0, "none"],
      ["not asked for", "-2.5", 0, undefined],
    ] as const,
  )(
    "is without its deprecated fees held against the impact of the commission in US dollars: %s",
    function* ([, usd, bps, amount]) {
      const { details } = figures("0x000000000000000000000000000000000000dEaD")
      const body = {
        details: {
          ...details,
          currencyIn: { ...details.currencyIn, amountUsd: "1000.0" },
          expandedPriceImpact: {
            swap: { usd: "-0.1" },
            execution: { usd: "-1" },
            relay: { usd: "0" },
            app: usd === undefined ? null : { usd },
            sponsored: { usd: "0" },
          },
        },
      }
      const asked = { ...swapRequest, commissionBps: Bps.make(bps) }
      const [provider] = yield* providerOver({ price: { body } })
      const said = yield* Effect.option(provider.quotes(asked))
      const fees = Option.getOrUndefined(said)?.flatMap(({ fees }) => fees)
      assert.deepStrictEqual<unknown>(
        fees,
        amount === undefined
          ? undefined
          : amount === "none"
          ? []
          : [{ type: "broker", asset: "btc.btc", amount: BigInt(amount) }],
      )
    },
  )

  it.effect("stands without what the network takes, where that cannot be read", function* () {
    const { details, fees } = figures("0x000000000000000000000000000000000000dEaD")
    const body = { fees: { ...fees, relayer: { currency: null, amount: "2100" } }, details }
    const { lines, value: [quote] } = yield* collectLogs(
      Effect.flatMap(providerOver({ price: { body } }), ([provider]) => provider.quotes(swapRequest)),
    )
    assert.deepStrictEqual(quote?.fees.map(({ type }) => type), ["broker"])
    assert.deepStrictEqual(lines, ["Left out a fee of the Relay service's: fees.relayer cannot be read"])
  })

  it.effect("says what the deposit costs, where that is an asset of the pair and a figure that there can be", function* () {
    const { details, fees } = figures("34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo")
    const recipient = "0x000000000000000000000000000000000000dEaD"
    const costOf = (gas: unknown) =>
      Effect.flatMap(
        providerOver({ price: { body: { fees: { ...fees, gas }, details: { ...details, recipient } } } }),
        ([provider]) => Effect.map(provider.quotes(swapRequest), ([quote]) => quote?.depositCost),
      )
    assert.deepStrictEqual<unknown>(yield* costOf({ currency: btc, amount: "1400" }), {
      asset: "btc.btc",
      amount: 1_400n,
    })
    assert.deepStrictEqual<unknown>(yield* costOf({ currency: eth, amount: "77" }), {
      asset: "eth.eth",
      amount: 77n,
    })
    const untold = [
      undefined,
      null,
      "1400",
      { currency: btc, amount: "0" },
      { currency: btc, amount: "-1400" },
      { currency: btc, amount: "1.5" },
      { currency: btc, amount: "9".repeat(78) },
      { currency: btc, amount: "9".repeat(10_000) },
      { currency: { chainId: 8453, address: eth.address }, amount: "1400" },
    ]
    for (const gas of untold) assert.isUndefined(yield* costOf(gas), JSON.stringify(gas)?.slice(0, 80))
  })
})

describe("Amounts of Relay's", () => {
  // Six, eight, nine and eighteen digits behind the point.
  const Asset = Schema.Literals(["usdc.eth", "btc.btc", "sol.sol", "eth.eth"]) satisfies Schema.Schema<
    AssetId
  >
  const Pair = Schema.Struct({ sourceAsset: Asset, destinationAsset: Asset })
  const Amount = Schema.BigInt
    .check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 120n }))
    .pipe(Schema.brand("NativeAmount"))

  it.effect.prop(
    "come and go to the last unit, and a limit of the quoted price lets no less through",
    [Pair, Amount, Amount, Bps],
    ([assets, amount, output, commissionBps]) =>
      Effect.sync(() => {
        if (assets.sourceAsset === assets.destinationAsset) return
        const pair = Result.getOrThrow(toPair(currencies, assets))
        const request = { ...assets, amount: NativeAmount.make(amount), commissionBps }
        const inquiry = quoteInquiry(pair, request, Option.some(feeRecipient))
        const exact = amount * BigInt(commissionBps)
        const currencyOf = (side: "source" | "destination") => ({
          chainId: { "usdc.eth": 1, "eth.eth": 1, "btc.btc": 8_253_038, "sol.sol": 792_703_809 }[
            side === "source" ? assets.sourceAsset : assets.destinationAsset
          ],
          address: pair[side].address,
        })
        const answer = (share: bigint) => ({
          fees: { app: { currency: currencyOf("source"), amount: NativeAmount.make(share) } },
          details: {
            recipient: inquiry.recipient,
            currencyIn: { currency: currencyOf("source"), amount: request.amount },
            currencyOut: {
              currency: currencyOf("destination"),
              amount: NativeAmount.make(output),
              minimumAmount: NativeAmount.make(output),
            },
            timeEstimate: 1,
          },
        })
        // Either way that a share can be rounded is the share, and nothing else is.
        for (const share of [exact / 10_000n, (exact + 9_999n) / 10_000n]) {
          assert.isTrue(Result.isSuccess(readQuote(answer(share), inquiry)))
        }
        assert.isTrue(Result.isFailure(readQuote(answer((exact + 9_999n) / 10_000n + 1n), inquiry)))
        const least = minimumOutput(assets, request.amount, estimatedPrice(assets, amount, output))
        assert.strictEqual(least, BigInt(output))
        assert.deepStrictEqual(slippageTolerance(least, output), Option.some(0))
      }),
  )
})
