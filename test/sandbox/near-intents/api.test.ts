import { assert, describe, it } from "#test/support/it.ts"
import { Context, Effect, Layer } from "effect"
import { assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { otherRows } from "#sandbox/near-intents/engine/tokens.ts"
import { publicKey } from "#sandbox/near-intents/signature.ts"
import { inSandbox } from "../inSandbox.ts"
import { advance, at, type Client, clientOf, defaultOptions, genesis, textAt } from "../support.ts"
import { deposit, digitsAt, idOf, movePrice, openOrder, quote, statusesOf, whole } from "./support.ts"

const withToken = (client: Client, authorization: string) =>
  Effect.promise(async () => {
    const answer = await fetch(new URL("/near-intents/v0/tokens", client.url), { headers: { authorization } })
    return { status: answer.status, text: await answer.text() }
  })

describe("the simulated 1Click", () => {
  inSandbox("lists the tokens that it trades at the reference prices", function* (client) {
    const { json, status } = yield* client.get("/near-intents/v0/tokens")
    assert.strictEqual(status, 200)
    const rows = Array.isArray(json) ? json : []
    const traded = assetIds().filter((asset) =>
      asset !== "flip.eth" && !["Assethub", "Polkadot"].includes(chainOf(asset))
    )
    const ids = rows.map((row) => at(row, "assetId"))
    const others = otherRows.map(({ assetId }) => assetId)
    assert.deepStrictEqual(ids.slice(-others.length), others)
    assert.deepStrictEqual(ids.filter((id) => traded.some((asset) => id === idOf(asset))), traded.map(idOf))
    assert.strictEqual(new Set(ids).size, rows.length)
    for (const asset of traded) {
      const row = rows[ids.indexOf(idOf(asset))]
      assert.strictEqual(at(row, "decimals"), factsOf(asset).decimals)
      if (asset === "btc.btc") continue
      assert.strictEqual(at(row, "symbol"), asset === "usdt.pol" ? "USDT0" : factsOf(asset).ticker)
      assert.strictEqual(at(row, "contractAddress"), factsOf(asset).contractAddress)
    }
    const former = ids.slice(0, -others.length).filter((id) => traded.every((asset) => id !== idOf(asset)))
    assert.deepStrictEqual(former, [
      "nep141:btc.omft.near",
      "nep245:v2_1.omni.hot.tg:56_11111111111111111111",
      "nep245:v2_1.omni.hot.tg:56_2CMMyVTGZkeyNZTSvS5sarzfir6g",
      "nep245:v2_1.omni.hot.tg:137_11111111111111111111",
      "nep245:v2_1.omni.hot.tg:137_qiStmoQJDQPTebaPjgx5VBxZv6L",
      "nep245:v2_1.omni.hot.tg:137_3hpYoaLtt8MP1Z2GH1U473DMRKgr",
      "nep245:v2_1.omni.hot.tg:43114_11111111111111111111",
      "nep245:v2_1.omni.hot.tg:43114_3atVJH3r5c4GqiSYmg9fECvjc47o",
      "nep245:v2_1.omni.hot.tg:43114_372BeH7ENZieCaabwkbWkBiTTgXp",
    ])
    assert.deepInclude(rows[1], {
      assetId: "1cs_v1:btc:native:coin",
      blockchain: "btc",
      symbol: "BTC(OMNI)",
      contractAddress: "coin",
    })
    assert.deepStrictEqual(rows[0], {
      assetId: "nep141:btc.omft.near",
      decimals: 8,
      blockchain: "btc",
      symbol: "BTC",
      price: 64_550,
      priceUpdatedAt: new Date(genesis).toISOString(),
    })
    const blockchains = [...new Set(rows.map((row) => textAt(row, "blockchain")))]
    assert.deepStrictEqual(blockchains, [
      ...["btc", "eth", "arb", "sol", "tron", "bsc", "base", "pol", "avax", "op"],
      ...["ltc", "doge", "bch", "zec", "dash", "xrp", "near", "hood"],
    ])
  })

  inSandbox("has the prices of the engine", function* (client) {
    const before = digitsAt((yield* quote(client)).json, "quote", "amountOut")
    yield* movePrice(client, "btc.btc", 1_000)
    const { json } = yield* client.get("/near-intents/v0/tokens")
    assert.strictEqual(at(json, 0, "price"), 71_005)
    const after = digitsAt((yield* quote(client)).json, "quote", "amountOut")
    assert.isTrue(after > before * 109n / 100n && after < before * 111n / 100n)
  })

  inSandbox("takes any token but the one that is wrong", function* (client) {
    assert.strictEqual((yield* withToken(client, "Bearer right")).status, 200)
    const refused = yield* withToken(client, "Bearer wrong")
    assert.strictEqual(refused.status, 401)
    assert.deepStrictEqual(JSON.parse(refused.text), { message: "Unauthorized" })
  })

  it.effect("is where the sandbox says it is, with the key that it says", function* () {
    const context = yield* Layer.build(Sandbox.layer(defaultOptions))
    const { nearIntents, url } = Context.get(context, Sandbox)
    assert.strictEqual(nearIntents.url.href, new URL("/near-intents", url).href)
    assert.strictEqual(nearIntents.publicKey, publicKey)
    assert.strictEqual((yield* clientOf(url).get(`${nearIntents.url.pathname}/v0/tokens`)).status, 200)
  })

  inSandbox("has nothing at other paths", function* (client) {
    const { json, status } = yield* client.get("/near-intents/v0/quote")
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(json, { message: "Cannot GET /v0/quote" })
  })

  inSandbox("dates its answers with the simulated time", function* (client) {
    yield* advance(client, 1_000_000)
    const { headers } = yield* quote(client)
    assert.strictEqual(headers.get("date"), new Date(genesis + 1_000_000_000).toUTCString())
  })

  inSandbox("shows its key and its open orders among the controls", function* (client) {
    const done = yield* openOrder(client, {
      originAsset: idOf("usdc.arb"),
      destinationAsset: idOf("sol.sol"),
      amount: whole("usdc.arb", 100n),
    })
    yield* deposit(client, done, whole("usdc.arb", 100n))
    yield* statusesOf(client, done, "SUCCESS")
    const lapsed = yield* openOrder(client, { deadline: new Date(1_000).toISOString() })
    yield* advance(client, 1)
    const open = yield* openOrder(client)
    const known = yield* openOrder(client)
    const { json } = yield* client.send("POST", "/sandbox/deposits", {
      address: known.address,
      amount: "0.1",
    })
    assert.match(textAt(json, "transactionHash"), /^5a4db0[0-9a-f]{58}$/)
    yield* advance(client, 600)
    const view = at((yield* client.get("/sandbox")).json, "nearIntents")
    assert.strictEqual(at(view, "publicKey"), publicKey)
    assert.match(publicKey, /^ed25519:[1-9A-HJ-NP-Za-km-z]{43,44}$/)
    assert.strictEqual(at(view, "openOrderCount"), 2)
    assert.deepStrictEqual([0, 1].map((index) => at(view, "openOrders", index, "depositAddress")), [
      known.address,
      open.address,
    ])
    assert.deepInclude(at(view, "openOrders", 0), {
      status: "KNOWN_DEPOSIT_TX",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      amountIn: "10000000",
      amountOut: at(known.json, "quote", "amountOut"),
      recipient: at(known.json, "quoteRequest", "recipient"),
      deadline: Date.parse(textAt(known.json, "quoteRequest", "deadline")),
    })
    assert.notInclude(JSON.stringify(view), lapsed.address)
  })
})
