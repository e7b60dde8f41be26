import { assert, channelsOf, collectLogs, describe, it, TestClock, toStatus } from "../support.ts"
import { Effect, Option, Result } from "effect"
import { Address, type AssetId, chainOf, NativeAmount, type SwapRequest } from "#exports/domain.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { isIdOf, readTokens } from "#providers/near-intents/conditions.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { recordedOf } from "../recorded.ts"
import { type Answer, plain, providerOver, quoted, reasonOf, type Script } from "./fakeOneClick.ts"
import { dryFigures, order } from "./fixtures/quote.ts"
import { channelId, opened } from "./fixtures/records.ts"
import { quote as statusQuote, statusOf } from "./fixtures/status.ts"
import { swapRequest } from "./requests.ts"

const described = recordedOf("near-intents")("tokens-2026-11-24-described").body
const rows: ReadonlyArray<unknown> = Array.isArray(described) ? described : []
const bitcoin = { assetId: "nep141:btc.omft.near", decimals: 8, blockchain: "btc", symbol: "BTC" }
const list = [...rows, bitcoin]

const read = (body: ReadonlyArray<unknown>) => Result.getOrThrow(readTokens(body))
const idIn = (body: ReadonlyArray<unknown>, asset: AssetId) => read(body).tokens.get(asset)?.id

const pol = { assetId: "nep141:pol.omdep.near", decimals: 18, blockchain: "pol", symbol: "POL" }

describe("1Click's rows of the newer chains (near-intents/wire.md 1, asset ids)", () => {
  it("are found by chain, contract and decimals: those that have moved under their newest ids", () => {
    const { contradictions, notices, tokens } = read(rows)
    assert.deepStrictEqual([notices, contradictions], [[], []])
    assert.deepStrictEqual(Object.fromEntries([...tokens].map(([asset, { id }]) => [asset, id])), {
      "eth.base": "nep141:base.omft.near",
      "usdc.base": "nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near",
      "cbbtc.base": "nep141:base-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf.omft.near",
      "pol.pol": "nep141:pol.omdep.near",
      "usdc.pol": "nep141:pol-0x3c499c542cef5e3811e1192ce70d8cc03d5c3359.omdep.near",
      "usdt.pol": "nep141:pol-0xc2132d05d31c914a87c6611c10748aeb04b58e8f.omdep.near",
      "avax.avax": "nep141:avax.omdep.near",
      "usdc.avax": "nep141:avax-0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e.omdep.near",
      "usdt.avax": "nep141:avax-0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7.omdep.near",
      "eth.op": "nep245:v2_1.omni.hot.tg:10_11111111111111111111",
      "usdc.op": "nep245:v2_1.omni.hot.tg:10_A2ewyUyDp6qsue1jqZsGypkCxRJ",
      "usdt.op": "nep245:v2_1.omni.hot.tg:10_359RPSJVdTxwTJT9TyGssr2rFoWo",
      "ltc.ltc": "nep141:ltc.omft.near",
      "doge.doge": "nep141:doge.omft.near",
      "bch.bch": "nep141:bch.omft.near",
      "zec.zec": "nep141:zec.omft.near",
      "dash.dash": "nep141:dash.omft.near",
      "xrp.xrp": "nep141:xrp.omft.near",
    })
  })

  it("may call a coin as they like, but not like another asset, and not where several could be it", () => {
    const called = (symbol: string, assetId = "pol-by-any-id") => ({ ...pol, symbol, assetId })
    assert.strictEqual(idIn([bitcoin, called("MATIC")], "pol.pol"), "pol-by-any-id")
    for (const other of ["USDC", "ETH", "BTC"]) {
      assert.strictEqual(idIn([bitcoin, called(other)], "pol.pol"), undefined, other)
    }
    assert.strictEqual(idIn([bitcoin, called("MATIC"), called("WPOL")], "pol.pol"), undefined)
    assert.strictEqual(idIn([bitcoin, called("WPOL", "wrapped"), pol], "pol.pol"), pol.assetId)
    assert.strictEqual(idIn([bitcoin, { ...called("POL"), contractAddress: "0x01" }], "pol.pol"), undefined)
  })

  it.effect("whose decimals are not ours leave the whole asset out, as an error in the log", function* () {
    const odd = { ...pol, assetId: "odd", decimals: 6 }
    const { contradictions, notices, tokens } = read([bitcoin, pol, odd])
    assert.deepStrictEqual([...tokens.keys()], ["btc.btc"])
    assert.deepStrictEqual(notices, [])
    const line = "Left out pol.pol: it has 18 decimals, but the 1Click service says 6"
    assert.deepStrictEqual(contradictions, [line])
    const [provider] = yield* providerOver({ tokens: { body: [bitcoin, pol, odd] } })
    assert.deepStrictEqual((yield* collectLogs(provider.assets)).lines, [line])
  })

  it("that cannot be read are dropped one by one, each with a line; other chains are passed over", () => {
    const unreadable = { ...pol, assetId: null }
    const { notices, tokens } = read([bitcoin, unreadable, { blockchain: "hood" }, pol])
    assert.deepStrictEqual([...tokens.keys()], ["btc.btc", "pol.pol"])
    assert.deepStrictEqual(notices, [
      "Left out a token of the 1Click service: [1].assetId: expected string, got null",
    ])
  })
})

/** A request between two assets, for an amount of native units. */
const between = (sourceAsset: AssetId, destinationAsset: AssetId, amount = 10_000_000n): SwapRequest => ({
  ...swapRequest,
  sourceAsset,
  destinationAsset,
  destinationAddress: Address.make(addressFor(destinationAsset)),
  refundAddress: Address.make(addressFor(sourceAsset)),
  amount: NativeAmount.make(amount),
})

const figuresOf = ({ amount = noAmount }: Pick<SwapRequest, "amount">) => ({
  ...dryFigures,
  amountIn: `${amount}`,
  minAmountIn: `${amount}`,
})

const orderOf = (request: SwapRequest, depositAddress: string, more: object = {}) => ({
  ...order,
  ...figuresOf(request),
  depositAddress,
  ...more,
})

const providerWith = (script: Script, tokens: ReadonlyArray<unknown> = list) =>
  providerOver({ tokens: { body: tokens }, ...script })

const opening = (request: SwapRequest, order: Answer) =>
  Effect.flatMap(providerWith({ order }), ([provider]) => channelsOf(provider).open(request))

const refusal = (request: SwapRequest, order: Answer) =>
  Effect.map(reasonOf(opening(request, order)), (reason) => plain(reason))

/** Addresses that the service might hand out, one for each asset. */
const strangers: ReadonlyArray<readonly [asset: AssetId, address: string]> = [
  ["eth.base", "0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  ["usdt.pol", "0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  ["avax.avax", "0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  ["usdc.op", "0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  ["ltc.ltc", "LQiUAyJze7ACqLxrFA5Kvef4zCDipVAFay"],
  ["ltc.ltc", "MDPg9Bua4U5xUDF2HzjxtuCeFCjcGSvKLD"],
  ["doge.doge", "DAdcT1worrpS7YTHoc5bCPkuf7ak4qHMmE"],
  ["zec.zec", "t1PN7v6RJXmhkBBKb1Su9nShE2e3XTJYzam"],
  ["zec.zec", "t3Q48qduk5g28GM228YZkD54ABALF2LsVRG"],
  ["dash.dash", "XgBMk1f4XA8jjUsGvuQFWAH6cKS8mMt13u"],
  ["xrp.xrp", "raVWumrwZSv92YG6npapedbJmyiS6snc7u"],
]

describe("A deposit address of a newer chain", () => {
  it.effect.each(strangers)("of %s is handed out as it came: %s", function* ([asset, address]) {
    const request = between(asset, "btc.btc")
    const { channel } = yield* opening(request, quoted(orderOf(request, address)))
    assert.strictEqual<string>(channel.depositAddress, address)
    assert.strictEqual(channel.reference, undefined)
    assert.strictEqual(channel.id.network, chainOf(asset))
  })

  it.effect.each(
    [
      ["ltc.ltc", "37BXqJVc7MEXfhy8C7kd5FxEvW9AFwkq56", /may as well be an address of Bitcoin/],
      ["bch.bch", "bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe", /for tokens/],
      ["zec.zec", "u1cv7rewjqmj395gla0zzfz669ntf6cr5hx9n983ct5t4dv0gphgyg5qjqe5re6ue5menlw94", /unified/],
      ["zec.zec", "tex1s2rt77ggv6q989lr49rkgzmh5slsksa9khdgte", /transparent/],
      ["doge.doge", "16VWum1AZSv9aYGh5262edbJmyrSh35cUu", /begins with D, A or 9/],
      ["dash.dash", "XVXZTnvUs95Rk9gHa8eEoHhBhPVNTFVsrcgKzvUMkEDmPuX", /wrong length/],
    ] as const,
  )("of %s is not handed out where its look says too little: %s", function* ([asset, address, why]) {
    const reason = yield* refusal(
      between(asset, "btc.btc"),
      quoted(orderOf(between(asset, "btc.btc"), address)),
    )
    assert.match(JSON.stringify(reason), /^{"_tag":"MalformedBody","detail":"quote.depositAddress /)
    assert.match(JSON.stringify(reason), why)
  })

  const bch = [
    "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq",
  ] as const
  it.effect.each(
    [
      ["without its prefix", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", bch[0]],
      ["in capitals", "QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A", bch[0]],
      ["in the form of Bitcoin", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", bch[0]],
      ["of a script in the form of Bitcoin", "3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC", bch[1]],
    ] as const,
  )(
    "of Bitcoin Cash may come %s: it is shown with its prefix, and looked up as it came",
    function* ([, came, shown]) {
      const request = between("bch.bch", "btc.btc")
      const status = {
        quoteResponse: {
          quoteRequest: {
            originAsset: "nep141:bch.omft.near",
            destinationAsset: bitcoin.assetId,
            // The bridge drops the prefix.
            refundTo: request.refundAddress.replace("bitcoincash:", ""),
            recipient: request.destinationAddress,
          },
          quote: { depositAddress: came, amountIn: "10000000" },
        },
        status: "PENDING_DEPOSIT",
        updatedAt: "2026-11-21T06:00:00.000Z",
      }
      const [provider, asked] = yield* providerWith({
        order: quoted(orderOf(request, came), {
          refundTo: request.refundAddress.replace("bitcoincash:", ""),
        }),
        status: { body: status },
      })
      const { channel, status: first } = yield* channelsOf(provider).open(request)
      assert.strictEqual<string>(channel.depositAddress, shown)
      assert.strictEqual(channel.reference, came)
      assert.strictEqual(channel.explorerUrl, `https://explorer.test/${came}`)
      const looked = yield* toStatus(channelsOf(provider).status(channel.id, first))
      const known = Option.getOrThrow(looked)
      assert.strictEqual(asked.at(-1)?.url.searchParams.get("depositAddress"), came)
      assert.strictEqual(known.depositChannel?.depositAddress, channel.depositAddress)
      assert.deepStrictEqual(known.fillOrKill, first.fillOrKill)
    },
  )

  it.effect("of Bitcoin Cash is still the caller's own where it comes in another form", function* () {
    const request = {
      ...between("bch.bch", "btc.btc"),
      refundAddress: Address.make(bch[0]),
    }
    for (const own of ["qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu"]) {
      assert.deepInclude(yield* refusal(request, quoted(orderOf(request, own))), {
        detail:
          "quote.depositAddress: expected an address of the service, got one of the caller's or none at all",
      })
    }
  })
})

describe("An answer under another id than was asked with", () => {
  const former = "nep245:v2_1.omni.hot.tg:137_qiStmoQJDQPTebaPjgx5VBxZv6L"
  const newest = "nep141:pol-0x3c499c542cef5e3811e1192ce70d8cc03d5c3359.omdep.near"
  const onlyFormer = list.filter((row) => !JSON.stringify(row).includes("omdep"))
  const request = between("usdc.pol", "btc.btc")
  const address = "0xcac3C41676deF4FE375E57118f3eB83A99105577"

  const openedUnder = (originAsset: string, tokens: ReadonlyArray<unknown>) =>
    Effect.gen(function* () {
      const [provider, asked] = yield* providerWith({
        order: quoted(orderOf(request, address), { originAsset }),
      }, tokens)
      const { channel } = yield* channelsOf(provider).open(request)
      return { channel, asked: asked.at(-1)?.body["originAsset"] }
    })

  it.effect("is the same asset where the id says chain and contract, be it listed or not yet", function* () {
    const before = yield* openedUnder(newest, onlyFormer)
    assert.deepStrictEqual([before.asked, before.channel.depositAddress], [former, Address.make(address)])
    const after = yield* openedUnder(former, list)
    assert.deepStrictEqual([after.asked, after.channel.depositAddress], [newest, Address.make(address)])
    const named = yield* openedUnder(
      "1cs_v1:pol:erc20:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
      onlyFormer,
    )
    assert.strictEqual(named.channel.depositAddress, Address.make(address))
  })

  it.effect.each([
    ["another contract", "nep141:pol-0x2791bca1f2de4661ed88a30c99a7a9449aa84174.omdep.near"],
    ["another chain", "nep141:base-0x3c499c542cef5e3811e1192ce70d8cc03d5c3359.omft.near"],
    ["the coin", "nep141:pol.omdep.near"],
    ["another chain's number", "nep245:v2_1.omni.hot.tg:10_qiStmoQJDQPTebaPjgx5VBxZv6L"],
    ["another account on NEAR", "nep141:pol-0x3c499c542cef5e3811e1192ce70d8cc03d5c3359.omdep.near.evil.near"],
  ])("is refused where the id says %s", function* ([, originAsset]) {
    const reason = yield* refusal(request, quoted(orderOf(request, address), { originAsset }))
    assert.deepInclude(reason, {
      _tag: "MalformedBody",
      detail: "quoteRequest.originAsset: expected what was asked, got something else",
    })
  })
})

describe("BNB Chain, which its newest bridge calls bnb (near-intents/wire.md 1, asset ids)", () => {
  const contractAddress = "0x55d398326f99059ff775485246999027b3197955"
  const tetherId = `nep141:bnb-${contractAddress}.omdep.near`
  const newest = { assetId: "nep141:bnb.omdep.near", decimals: 18, blockchain: "bsc", symbol: "BNB" }
  const former = { ...newest, assetId: "nep245:v2_1.omni.hot.tg:56_11111111111111111111" }
  const tether = { ...newest, assetId: tetherId, symbol: "USDT", contractAddress }
  const tokenOf = (asset: AssetId, ...body: ReadonlyArray<unknown>) =>
    read([bitcoin, ...body]).tokens.get(asset) ?? assert.fail(asset)

  it("is asked for by its newest ids", () => {
    assert.strictEqual(tokenOf("bnb.bsc", former, newest).id, "nep141:bnb.omdep.near")
    assert.strictEqual(tokenOf("usdt.bsc", tether).id, tetherId)
  })

  it("is right under them while the former are listed alone, and under none that we make up", () => {
    const coin = tokenOf("bnb.bsc", former)
    const token = tokenOf("usdt.bsc", {
      ...tether,
      assetId: "nep245:v2_1.omni.hot.tg:56_2CMMyVTGZkeyNZTSvS5sarzfir6g",
    })
    assert.isTrue(isIdOf(coin, "nep141:bnb.omdep.near"))
    assert.isTrue(isIdOf(token, tetherId))
    for (const id of ["nep141:bsc.omdep.near", tetherId, "nep141:pol.omdep.near"]) {
      assert.isFalse(isIdOf(coin, id), id)
    }
    for (const id of [tetherId.replace("bnb-", "bsc-"), "nep141:bnb.omdep.near"]) {
      assert.isFalse(isIdOf(token, id), id)
    }
  })

  it.each(["nep141:bnb.omdep.near", "1cs_v1:bsc:native:coin", "any"])(
    "has no coin in a row of a contract, whatever its id and symbol: %s",
    (assetId) => {
      const wrapped = "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"
      assert.isFalse(read([bitcoin, { ...newest, assetId, contractAddress: wrapped }]).tokens.has("bnb.bsc"))
      assert.isFalse(
        read([bitcoin, { ...newest, assetId, contractAddress: "0x0000000000000000000000000000000000000000" }])
          .tokens.has("bnb.bsc"),
      )
    },
  )
})

describe("Deposits on Bitcoin and its family, which count at their second confirmation", () => {
  const begin = Date.parse("2026-11-21T05:00:00.000Z")

  it.effect.each<readonly [source: AssetId, address: string, confirmed: number]>([
    ["btc.btc", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", 1_500_000],
    ["ltc.ltc", "LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE", 375_000],
    ["doge.doge", "D596YFweJQuHY1BbjazZYmAbt8jJPbKehC", 150_000],
    ["zec.zec", "t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs", 187_500],
  ])("from %s have four hours to be confirmed after the end that is told", function* (row) {
    const [source, address, confirmed] = row
    const request = between(source, "eth.base")
    const [provider, asked] = yield* providerWith({ order: quoted(orderOf(request, address)) })
    yield* TestClock.setTime(begin)
    const { status } = yield* channelsOf(provider).open(request)
    const expiry = status.depositChannel?.estimatedExpiryTime ?? 0
    assert.strictEqual(status.sourceChainRequiredBlockConfirmations, 2)
    // A day, the confirmations and a quarter of an hour of patience.
    assert.strictEqual(expiry, begin + 86_400_000 + confirmed + 900_000)
    assert.strictEqual(
      Date.parse(`${asked.at(-1)?.body["deadline"]}`),
      expiry + 4 * 3_600_000,
    )
    const [quote] = yield* provider.quotes({ ...request, amount: NativeAmount.make(10_000_000n) })
    assert.strictEqual(quote?.durations.deposit, confirmed)
  })

  it.effect("from other chains have no time more", function* () {
    const request = between("eth.base", "btc.btc")
    const [provider, asked] = yield* providerWith({
      order: quoted(orderOf(request, "0xcac3C41676deF4FE375E57118f3eB83A99105577")),
    })
    yield* TestClock.setTime(begin)
    const { status } = yield* channelsOf(provider).open(request)
    assert.strictEqual(
      Date.parse(`${asked.at(-1)?.body["deadline"]}`),
      status.depositChannel?.estimatedExpiryTime,
    )
  })
})

describe("What needs more than an address and an amount is not handed out", () => {
  const request = between("xrp.xrp", "btc.btc", 30_000_000n)
  const address = "raVWumrwZSv92YG6npapedbJmyiS6snc7u"
  const memo = {
    _tag: "MalformedBody",
    detail: "quote.depositMemo: expected none, as a deposit takes an address and an amount alone, got one",
    reached: true,
  }

  it.effect("neither with a memo that was not asked for, in a quote or in an opening", function* () {
    const answer = quoted(orderOf(request, address, { depositMemo: "12345" }))
    assert.deepStrictEqual<unknown>(yield* refusal(request, answer), memo)
    const [provider] = yield* providerWith({ dry: quoted({ ...figuresOf(request), depositMemo: "12345" }) })
    const asked = { ...request, amount: NativeAmount.make(30_000_000n) }
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(provider.quotes(asked))), memo)
  })

  it.effect("nor in a mode that takes memos; a memo of null is none", function* () {
    const mode = quoted(orderOf(request, address), { depositMode: "MEMO" })
    assert.deepInclude(yield* refusal(request, mode), {
      detail: "quoteRequest.depositMode: expected what was asked, got something else",
    })
    const simple = quoted(orderOf(request, address, { depositMemo: null }), { depositMode: "SIMPLE" })
    assert.strictEqual<string>((yield* opening(request, simple)).channel.depositAddress, address)
  })
})

describe("XRP at 1Click (near-intents/wire.md 1, XRP)", () => {
  const address = "raVWumrwZSv92YG6npapedbJmyiS6snc7u"

  it.effect("takes 2 XRP at the least: in the list, in quotes and at openings", function* () {
    const little = between("xrp.xrp", "btc.btc", 1_999_999n)
    const tooLow = { _tag: "DepositBelowMinimum", asset: "xrp.xrp", minimum: 2_000_000n }
    assert.deepStrictEqual<unknown>(yield* refusal(little, quoted(orderOf(little, address))), tooLow)
    const [provider] = yield* providerWith({ dry: quoted(figuresOf(little)) })
    const asked = { ...little, amount: NativeAmount.make(1_999_999n) }
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(provider.quotes(asked))), tooLow)
    const leasts = (yield* provider.assets).map(({ asset, minimumDeposit }) => [asset, minimumDeposit])
    const told = leasts.filter(([asset]) => asset === "xrp.xrp" || asset === "zec.zec")
    assert.deepStrictEqual<unknown>(told, [["zec.zec", 1n], ["xrp.xrp", 2_000_000n]])
  })

  it.effect.each(
    [
      ["1", 2_000_000n],
      ["29700000", 29_700_000n],
    ] as const,
  )("an order that takes %s at the least takes %d", function* ([minAmountIn, minimum]) {
    const request = between("xrp.xrp", "btc.btc", 30_000_000n)
    const { depositLimits } = yield* opening(request, quoted(orderOf(request, address, { minAmountIn })))
    assert.deepStrictEqual<unknown>(depositLimits, { minimum })
  })

  it.effect("pays 1 XRP at the least, also to accounts that exist", function* () {
    const request = between("btc.btc", "xrp.xrp")
    const answer = (amountOut: string) =>
      quoted(orderOf(request, order.depositAddress, { amountOut, minAmountOut: "0" }))
    assert.deepStrictEqual<unknown>(yield* refusal(request, answer("999999")), {
      _tag: "EgressBelowMinimum",
      detail: "The output is below 1 xrp.xrp, the least that can be paid out: swap more",
    })
    assert.strictEqual<string>(
      (yield* opening(request, answer("1000000"))).channel.depositAddress,
      order.depositAddress,
    )
  })

  const failure = { status: 400, body: { message: "Internal server error" } }
  it.effect.each(
    [
      ["xrp.xrp", "btc.btc", true],
      ["btc.btc", "xrp.xrp", true],
      ["btc.btc", "eth.base", false],
    ] as const,
  )("from %s to %s, a general error is told as a tag that may be missing: %s", function* (row) {
    const [source, destination, isTold] = row
    const reason = yield* refusal(between(source, destination, 30_000_000n), failure)
    const detail = "The 1Click service reports an internal error"
    assert.deepStrictEqual<unknown>(reason, {
      _tag: "DepositChannelFailed",
      detail: isTold
        ? `${detail}, as it does for an XRP account that demands a destination tag: if yours does, use one that does not`
        : detail,
    })
    const [provider] = yield* providerWith({ dry: failure })
    const quotes = provider.quotes({
      ...between(source, destination),
      amount: NativeAmount.make(30_000_000n),
    })
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(quotes)), {
      _tag: "UpstreamFailed",
      detail,
      isOfRequest: true,
    })
  })
})

describe("What 1Click says of a swap from a newer chain", () => {
  const hash = "0839045295a9ea2967e673773626ef9ff3ee97ffa2ce4411f2d988930dfc297b"
  const statusIn = (source: AssetId, details: object, status: string, reference?: string) =>
    Effect.gen(function* () {
      const known = {
        ...opened,
        sourceAsset: source,
        ...(reference === undefined
          ? {}
          : { deposit: { amount: NativeAmount.make(100_000n), transactionReference: reference } }),
      }
      const body = statusOf(status, { depositedAmount: "100000", ...details }, { quote: statusQuote })
      const [provider] = yield* providerWith({ status: { body } })
      return Option.getOrThrow(yield* toStatus(channelsOf(provider).status(channelId, known)))
    })

  it.effect("a success without the deposit's transaction is one", function* () {
    const status = yield* statusIn("zec.zec", {
      amountIn: "100000",
      amountOut: "2999000000000000000",
      originChainTxHashes: [],
      destinationChainTxHashes: [{ hash: `0x${hash}`, explorerUrl: "" }],
    }, "SUCCESS")
    assert.strictEqual(status.state, "completed")
    assert.strictEqual(status.deposit?.transactionReference, undefined)
  })

  it.effect.each<readonly [source: AssetId, fee: bigint]>([
    ["zec.zec", 47_000n],
    ["bch.bch", 500n],
    ["xrp.xrp", 10n],
  ])("a refund of %s is less the fee of the bridge, %d", function* ([source, fee]) {
    const status = yield* statusIn(source, {
      originChainTxHashes: [{ hash }],
      refundedAmount: `${100_000n - fee}`,
    }, "REFUNDED")
    assert.strictEqual(status.state, "completed")
    assert.strictEqual<bigint | undefined>(status.refundEgress?.amount, 100_000n - fee)
    assert.deepStrictEqual<unknown>(status.fees, [{ type: "refund", asset: source, amount: fee }])
  })

  it.effect.each(
    [
      ["ltc.ltc", hash],
      ["xrp.xrp", hash.toUpperCase()],
      ["eth.base", `0x${hash}`],
    ] as const,
  )("a transaction on %s is one however it is written: %s", function* ([source, own]) {
    for (const said of [hash, hash.toUpperCase(), `0x${hash}`, `0x${hash.toUpperCase()}`]) {
      const others = [{ hash: said }, { hash: own }]
      const status = yield* statusIn(source, { originChainTxHashes: others }, "PROCESSING", hash)
      assert.strictEqual(status.deposit?.transactionReference, own, said)
      assert.strictEqual(status.deposit?.otherTransactionReferences, undefined, said)
    }
  })
})
