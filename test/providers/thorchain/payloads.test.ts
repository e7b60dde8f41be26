import { limitNotMet } from "#providers/Capabilities.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { BigDecimal, Effect, Option } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { decodeCall, transferFunction } from "#domain/chains/payload/abi.ts"
import { Price } from "#domain/money/Price.ts"
import type { VaultSwapPayload, VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { maya } from "#providers/thorchain/networks.ts"
import { depositFunction } from "#providers/thorchain/payloads.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import { evmRequest, inbound, inboundAddresses, lastBlock, quote, request, usdc, vaults } from "./bodies.ts"
import { begin, plain, providerOver, reasonOf, type Script } from "./fakeNode.ts"

const price = (text: string): Price => Price.make(BigDecimal.fromStringUnsafe(text))

const encode = (asked: VaultSwapRequest, script: Script = {}, differing = {}) =>
  Effect.flatMap(providerOver(script, differing), ([provider]) => vaultSwapsOf(provider).encode(asked))

const refusal = (asked: VaultSwapRequest, script: Script = {}, differing = {}) =>
  Effect.flatMap(
    providerOver(script, differing),
    ([provider]) => Effect.map(reasonOf(vaultSwapsOf(provider).encode(asked)), plain),
  )

const bytesOf = (hex: string): Uint8Array => Uint8Array.fromHex(hex.slice(2))
const textOf = (hex: string): string => new TextDecoder().decode(bytesOf(hex))

/** What the router is called with. */
const depositIn = (payload: VaultSwapPayload) => {
  if (payload._tag !== "evm") return assert.fail("no call")
  const call = decodeCall(depositFunction, bytesOf(payload.calldata))
  assert.isDefined(call)
  const [vault, token, amount, expiry] = call.words
  return { vault, token, amount, expiry, memo: new TextDecoder().decode(call.strings[0]) }
}

const toEther = {
  body: { ...quote, fees: { ...quote.fees, asset: "BTC.BTC" }, expected_amount_out: "3000000" },
}
const fromEvm = {
  quote: {
    body: {
      ...toEther.body,
      inbound_address: vaults.evm,
      router: vaults.router.toUpperCase().replace("0X", "0x"),
    },
  },
}

describe("payloads of THORChain", () => {
  it.effect("refuses a limit that the quote does not meet", function* () {
    const asked = { ...request, minimumPrice: price("29.9550000001") }
    assert.deepInclude(yield* refusal(asked), { _tag: "RequestRefused", errors: limitNotMet.errors })
  })

  it.effect("pays the vault on Bitcoin at a limit that is met, with a memo of at most 80 bytes", function* () {
    const { payload, mark, ...terms } = yield* encode({ ...request, minimumPrice: price("29.95499999991") })
    // Rounded up to what the network counts.
    const memo = "=:ETH.ETH:0xcac3C41676deF4FE375E57118f3eB83A99105577:299550000:sb:25"
    assert.deepStrictEqual<unknown>({ ...payload, mark }, {
      _tag: "bitcoin",
      network: "Bitcoin",
      depositAddress: vaults.bitcoin,
      nulldataPayload: `0x${new TextEncoder().encode(memo).toHex()}`,
      amountNative: 10_000_000n,
      outputs: ["deposit", "change", "nulldata"],
      mark: memo,
    })
    assert.isTrue(terms.recipientChanges)
    assert.strictEqual(terms.expiresAt, begin + 900_000)
    assert.strictEqual(terms.minimumDeposit, 10_800n)
    assert.strictEqual(terms.estimatedDuration, 1_032_000)
    assert.deepStrictEqual(terms.fees.map(({ type }) => type), ["broker", "egress", "liquidity"])
  })

  it.effect("shortens the name of a token where a Bitcoin transaction has no room", function* () {
    const [provider] = yield* providerOver({
      quote: {
        body: { ...quote, fees: { ...quote.fees, asset: usdc }, expected_amount_out: "645500000000" },
      },
    })
    const { encode } = vaultSwapsOf(provider)
    const { mark } = yield* encode({ ...request, destinationAsset: "usdc.eth" })
    assert.strictEqual(mark, "=:ETH.USDC-6EB48:0xcac3C41676deF4FE375E57118f3eB83A99105577:0:sb:25")
    const long = { ...request, destinationAsset: "usdc.eth", minimumPrice: price("0.0000000001") } as const
    assert.isAtMost((yield* encode(long)).mark?.length ?? 0, 80)
  })

  it.effect("refuses a memo that no shortening makes fit", function* () {
    const reason = yield* refusal(request, {}, { affiliate: Option.some("thor1".padEnd(43, "x")) })
    assert.deepInclude(reason, { _tag: "RequestRefused" })
  })

  it.effect("pays Ether to the vault, with all digits of the amount and the memo as calldata", function* () {
    const { payload } = yield* encode(evmRequest, fromEvm)
    assert.deepStrictEqual<unknown>({ ...payload }, {
      _tag: "evm",
      network: "Ethereum",
      to: vaults.evm,
      calldata: `0x${
        new TextEncoder().encode(
          `=:BTC.BTC:${evmRequest.destinationAddress}/${evmRequest.refundAddress}:0:sb:25`,
        ).toHex()
      }`,
      value: evmRequest.amount,
    })
  })

  it.effect("calls the router for a token, until the expiry of the quote", function* () {
    const asked = { ...evmRequest, sourceAsset: "usdc.eth", amount: NativeAmount.make(1_234_567n) } as const
    const { payload } = yield* encode(asked, {
      quote: { body: { ...fromEvm.quote.body, recommended_min_amount_in: "100" } },
    })
    assert.deepInclude<unknown>({ ...payload }, {
      _tag: "evm",
      network: "Ethereum",
      to: vaults.router,
      value: 0n,
      sourceTokenAddress: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      spender: vaults.router,
    })
    assert.deepStrictEqual(depositIn(payload), {
      vault: BigInt(vaults.evm),
      token: BigInt("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
      amount: 1_234_567n,
      expiry: BigInt(quote.expiry),
      memo: `=:BTC.BTC:${evmRequest.destinationAddress}/${evmRequest.refundAddress}:0:sb:25`,
    })
  })

  it.effect("lets the router take no payment after the longest life of a quote, whatever the node says", function* () {
    const forYears = { quote: { body: { ...fromEvm.quote.body, expiry: begin / 1_000 + 100_000_000 } } }
    const { payload } = yield* encode({ ...evmRequest, sourceAsset: "usdc.eth" }, forYears)
    assert.strictEqual(depositIn(payload).expiry, BigInt(begin / 1_000 + 900))
  })

  it.effect("calls Maya's router on Arbitrum for Ether, too", function* () {
    const row = { address: vaults.evm, router: vaults.router, halted: false }
    const { payload } = yield* encode({ ...evmRequest, sourceAsset: "eth.arb" }, {
      ...fromEvm,
      inbound: { body: [{ chain: "ARB", ...row }, { chain: "BTC", address: vaults.bitcoin, halted: false }] },
      lastBlock: { body: [{ chain: "ARB", mayachain: 9_000_000 }] },
      pools: {
        body: ["ARB.ETH", "BTC.BTC"].map((asset) => ({
          asset,
          status: "Available",
          balance_asset: "1",
          balance_cacao: "1",
        })),
      },
    }, { family: maya })
    assert.deepInclude<unknown>({ ...payload }, {
      _tag: "evm",
      network: "Arbitrum",
      to: vaults.router,
      value: evmRequest.amount,
    })
    assert.notProperty(payload, "sourceTokenAddress")
    assert.deepInclude(depositIn(payload), { token: 0n, amount: evmRequest.amount })
  })

  it.effect("writes a note on Tron, beside the payment or the transfer of a token", function* () {
    const fromTron = {
      quote: { body: { ...toEther.body, inbound_address: vaults.tron, recommended_min_amount_in: "100" } },
    }
    const asked: VaultSwapRequest = {
      ...evmRequest,
      sourceAsset: "trx.tron",
      refundAddress: Address.make("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
      amount: NativeAmount.make(123_456_789n),
      sender: { _tag: "tron" },
    }
    const { payload: coin } = yield* encode(asked, fromTron)
    assert.deepInclude<unknown>({ ...coin }, { to: vaults.tron, calldata: "0x", value: 123_456_789n })
    if (coin._tag !== "tron") return assert.fail("not on Tron")
    assert.strictEqual(
      textOf(coin.note),
      `=:BTC.BTC:${asked.destinationAddress}/TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t:0:sb:25`,
    )
    const { payload: token } = yield* encode({ ...asked, sourceAsset: "usdt.tron" }, fromTron)
    if (token._tag !== "tron") return assert.fail("not on Tron")
    assert.deepInclude<unknown>({ ...token }, {
      to: vaults.tron,
      value: 0n,
      sourceTokenAddress: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    })
    assert.strictEqual(decodeCall(transferFunction, bytesOf(token.calldata))?.words[1], 123_456_789n)
  })

  it.effect("asks for chunks as they are wanted, and refuses more than the network makes", function* () {
    const [provider, asked] = yield* providerOver({})
    const { encode } = vaultSwapsOf(provider)
    const dca = { numberOfChunks: 8, chunkIntervalBlocks: 3 }
    const { mark } = yield* encode({ ...request, dca })
    assert.include(mark ?? "", ":0/3/8:sb:25")
    const query = asked.find(({ url }) => url.pathname.endsWith("/quote/swap"))?.url.searchParams
    assert.deepStrictEqual([query?.get("streaming_interval"), query?.get("streaming_quantity")], ["3", "8"])
    const tooMany = { ...request, dca: { ...dca, numberOfChunks: 9 } }
    assert.strictEqual((yield* reasonOf(encode(tooMany)))._tag, "RequestRefused")
  })

  it.effect("adds to the limit of a swap in chunks what the network takes afterwards", function* () {
    const dca = { numberOfChunks: 8, chunkIntervalBlocks: 3 }
    const { mark } = yield* encode({ ...request, dca, minimumPrice: price("29") })
    // (290000000 + 60000 for sending) / (1 - 0.0025), rounded up.
    assert.include(mark ?? "", ":290786968/3/8:sb:25")
  })

  it.effect("hands nothing out for another vault or router than is listed now", function* () {
    const another = { body: { ...quote, inbound_address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" } }
    assert.deepInclude(yield* refusal(request, { quote: another }), { _tag: "MalformedBody", reached: false })
    const { inbound_address: _, ...none } = quote
    assert.deepInclude(yield* refusal(request, { quote: { body: none } }), { _tag: "MalformedBody" })
    const otherRouter = { body: { ...fromEvm.quote.body, router: vaults.evm } }
    assert.deepInclude(yield* refusal(evmRequest, { quote: otherRouter }), { _tag: "MalformedBody" })
    const noAddress = { inbound: { body: [inbound("BTC", "elsewhere"), ...inboundAddresses.slice(1)] } }
    const sameWords = { ...noAddress, quote: { body: { ...quote, inbound_address: "elsewhere" } } }
    assert.deepInclude(yield* refusal(request, sameWords), { _tag: "MalformedBody" })
  })

  it.effect("hands nothing out while the chain, all trading or the network itself is at rest", function* () {
    const halt = (more: Readonly<Record<string, unknown>>) => ({
      inbound: { body: [inbound("BTC", vaults.bitcoin, more), ...inboundAddresses.slice(1)] },
    })
    assert.deepInclude(yield* refusal(request, halt({ halted: true })), { _tag: "AssetDisabled" })
    assert.deepInclude(yield* refusal(request, halt({ global_trading_paused: true })), {
      _tag: "SwappingMaintenance",
    })
    assert.deepInclude(yield* refusal(request, { lastBlock: { body: [{ chain: "BTC" }] } }), {
      _tag: "MalformedBody",
    })
    assert.deepInclude(yield* refusal(request, { lastBlock: { body: lastBlock(-1) } }), {
      _tag: "MalformedBody",
    })
  })

  it.effect("hands nothing out that is stale already, or for longer than a quote lives", function* () {
    const until = (seconds: number) => ({ quote: { body: { ...quote, expiry: begin / 1_000 + seconds } } })
    assert.deepInclude(yield* refusal(request, until(0)), { _tag: "MalformedBody" })
    const { expiresAt } = yield* encode(request, until(1_000_000))
    assert.strictEqual(expiresAt, begin + 900_000)
  })

  it.effect("reads the expiry by the time of a sandbox, where that is another", function* () {
    const { expiresAt } = yield* encode(request, {
      quote: {
        headers: { date: "Sat, 21 Nov 2026 05:10:00 GMT" },
        body: quote,
      },
    }, { simulatedTime: true })
    assert.strictEqual(expiresAt, begin + 300_000)
  })

  it.effect("refuses too little, and too high a commission", function* () {
    assert.deepInclude(yield* refusal({ ...request, amount: NativeAmount.make(10_799n) }), {
      _tag: "DepositBelowMinimum",
      minimum: 10_800n,
    })
    assert.deepInclude(yield* refusal({ ...request, commissionBps: Bps.make(1_001) }), {
      _tag: "RequestRefused",
    })
    assert.deepInclude(yield* refusal(request, {}, { affiliate: Option.none() }), { _tag: "RequestRefused" })
  })

  it.effect("tells the caller which of its addresses the network does not take", function* () {
    const bad = { quote: { status: 400, body: { error: "bad destination address: unsupported" } } }
    const [provider] = yield* providerOver(bad)
    const reason = yield* reasonOf(vaultSwapsOf(provider).encode(request))
    assert.deepStrictEqual(
      reason._tag === "RequestRefused" ? Object.keys(reason.errors) : [],
      ["destinationAddress"],
    )
  })

  it.effect("asks a payment's quote for the addresses, and refunds where the memo has room", function* () {
    const [provider, asked] = yield* providerOver(fromEvm)
    yield* vaultSwapsOf(provider).encode(evmRequest)
    const query = asked.find(({ url }) => url.pathname.endsWith("/quote/swap"))?.url.searchParams
    assert.strictEqual(query?.get("destination"), evmRequest.destinationAddress)
    assert.strictEqual(query?.get("refund_address"), evmRequest.refundAddress)
    assert.strictEqual(query?.get("amount"), "123456789")
  })
})
