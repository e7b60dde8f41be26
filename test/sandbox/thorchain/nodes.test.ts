import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vaultAddress } from "#sandbox/engine/identifiers.ts"
import { inSandbox } from "../inSandbox.ts"
import { at, change, type Client, ethereumAddress, session, temporaryFolder, textAt } from "../support.ts"

const travel = (client: Client, advanceSeconds: number) =>
  Effect.asVoid(client.send("POST", "/sandbox/time", { advanceSeconds }))

const quoted = (client: Client, query: Readonly<Record<string, string>>, network = "thorchain") => {
  const path = network === "maya" ? "mayachain" : "thorchain"
  const asked = { from_asset: "BTC.BTC", to_asset: "ETH.ETH", amount: "10000000", ...query }
  return client.get(`/${network}/${path}/quote/swap?${new URLSearchParams(asked)}`)
}

const lists = (client: Client, name: string) =>
  Effect.map(client.get(`/thorchain/thorchain/${name}`), ({ json }) => json)

/** The vault of Bitcoin as it is listed. */
const bitcoinVault = (client: Client) =>
  Effect.map(lists(client, "inbound_addresses"), (rows) => textAt(rows, 0, "address"))

/** Pays Bitcoin to a vault with a memo; gives the transaction in capitals. */
const pay = (client: Client, vault: string, memo: string, amountNative = "25000000") =>
  Effect.map(
    client.send("POST", "/sandbox/vault-swaps", {
      payload: {
        network: "Bitcoin",
        depositAddress: vault,
        nulldataPayload: `0x${new TextEncoder().encode(memo).toHex()}`,
        amountNative,
      },
    }),
    ({ json, status, text }) => {
      assert.strictEqual(status, 202, text)
      return textAt(json, "transactionHash").toUpperCase()
    },
  )

const statusOf = (client: Client, id: string) =>
  Effect.map(client.get(`/thorchain/thorchain/tx/status/${id}`), ({ json }) => json)

const outMemos = (status: unknown): ReadonlyArray<string> => {
  const sent = at(status, "out_txs")
  return Array.isArray(sent) ? sent.map((tx) => textAt(tx, "memo").slice(0, 4)) : []
}

const memo = `=:ETH.ETH:${ethereumAddress}:0:sandbox:25`
/** Nobody gets that many Ether for a Bitcoin. */
const tooMuch = `=:ETH.ETH:${ethereumAddress}:99900000000`
const anHour = 3_600

describe("the simulated nodes of THORChain and Maya", () => {
  inSandbox("quote in 1e-8, with fees that add up and numbers that are 0 left out", function* (client) {
    const { json } = yield* quoted(client, { affiliate: "t", affiliate_bps: "25" })
    const fee = (name: string) => BigInt(textAt(json, "fees", name))
    assert.strictEqual(fee("total"), fee("affiliate") + fee("outbound") + fee("liquidity"))
    assert.strictEqual(textAt(json, "fees", "asset"), "ETH.ETH")
    assert.match(textAt(json, "expected_amount_out"), /^33[0-9]{7}$/)
    assert.isUndefined(at(json, "streaming_swap_blocks"))
    assert.isUndefined(at(json, "memo"))
    assert.isUndefined(at(json, "router"))
  })

  inSandbox(
    "pay more for a swap in chunks, and make no more of them than the amount is worth",
    function* (client) {
      const large = { amount: "1000000000" }
      const once = yield* quoted(client, large)
      const chunks = yield* quoted(client, { ...large, streaming_interval: "1", streaming_quantity: "0" })
      assert.isAbove(
        Number(at(chunks.json, "expected_amount_out")),
        Number(at(once.json, "expected_amount_out")),
      )
      assert.strictEqual(at(once.json, "max_streaming_quantity"), 322)
      assert.strictEqual(at(chunks.json, "streaming_swap_blocks"), 321)
    },
  )

  inSandbox("refuse in the form of their network", function* (client) {
    const little = { amount: "999" }
    const thorchain = yield* quoted(client, little)
    assert.strictEqual(thorchain.status, 400)
    assert.strictEqual(at(thorchain.json, "code"), 3)
    assert.include(textAt(thorchain.json, "message"), "amount less than dust threshold")
    const maya = yield* quoted(client, little, "maya")
    assert.deepStrictEqual(maya.json, { error: "amount less than dust threshold" })
    for (
      const [query, message] of [
        [{ to_asset: "GAIA.ATOM" }, "pool GAIA.ATOM doesn't exist"],
        [{ amount: "1e8" }, "bad amount"],
        [{ destination: "nowhere" }, "destination address is not the same chain"],
        [{ refund_address: "nowhere" }, "bad refund address"],
        [{ affiliate_bps: "1001" }, "must not be more than 1000 bps"],
        [{ from_asset: "ETH.ETH", to_asset: "BTC.BTC", amount: "1001" }, "not enough asset to pay for fees"],
        [{ destination: ethereumAddress, affiliate: "x".repeat(40) }, "memo too long"],
      ] as const
    ) {
      const { json, status } = yield* quoted(client, query)
      assert.strictEqual(status, 400)
      assert.include(textAt(json, "message"), message)
    }
    assert.strictEqual((yield* client.get("/thorchain/thorchain/elsewhere")).status, 501)
  })

  inSandbox("count Maya's native coin in 1e-10, and tell less of vaults and pools", function* (client) {
    const { json: pools } = yield* client.get("/maya/mayachain/pools")
    assert.isUndefined(at(pools, 0, "balance_rune"))
    assert.isUndefined(at(pools, 0, "asset_tor_price"))
    // 6 million dollars at 0.3 dollars a CACAO.
    assert.strictEqual(textAt(pools, 0, "balance_cacao"), "200000000000000000")
    const { json: vaults } = yield* client.get("/maya/mayachain/inbound_addresses")
    assert.isUndefined(at(vaults, 0, "global_trading_paused"))
    assert.strictEqual(at(vaults, 0, "halted"), false)
    const { json: blocks } = yield* client.get("/maya/mayachain/lastblock")
    assert.strictEqual(at(blocks, 0, "mayachain"), 14_000_000)
  })

  inSandbox("mark what is halted, and nothing when the network stands still", function* (client) {
    yield* change(client, "setTrading", { provider: "thorchain", chain: "Bitcoin", isChainHalted: true })
    const [halted] = [yield* lists(client, "inbound_addresses")]
    assert.deepStrictEqual(
      [at(halted, 0, "halted"), at(halted, 0, "chain_trading_paused"), at(halted, 1, "halted")],
      [true, true, false],
    )
    assert.include((yield* quoted(client, {})).text, "trading is halted")
    yield* change(client, "setTrading", {
      provider: "thorchain",
      chain: "Bitcoin",
      isChainHalted: false,
      isFrozen: true,
    })
    const before = yield* lists(client, "lastblock")
    yield* travel(client, anHour)
    assert.deepStrictEqual(yield* lists(client, "lastblock"), before)
    assert.strictEqual(at(yield* lists(client, "inbound_addresses"), 0, "halted"), false)
    yield* change(client, "setTrading", { provider: "thorchain", isFrozen: false })
    yield* travel(client, 60)
    const height = Number(at(before, 0, "thorchain"))
    assert.strictEqual(at(yield* lists(client, "lastblock"), 0, "thorchain"), height + 10)
  })
})

describe("payments to the simulated vaults", () => {
  inSandbox("go through the stages of a swap", function* (client) {
    const id = yield* pay(client, yield* bitcoinVault(client), memo)
    assert.isUndefined(at(yield* statusOf(client, id), "tx"))
    yield* travel(client, 600)
    const observed = yield* statusOf(client, id)
    assert.strictEqual(at(observed, "tx", "memo"), memo)
    assert.strictEqual(at(observed, "stages", "inbound_finalised", "completed"), false)
    yield* travel(client, 1_200)
    const planned = yield* statusOf(client, id)
    assert.strictEqual(at(planned, "stages", "swap_finalised", "completed"), true)
    assert.strictEqual(at(planned, "stages", "outbound_delay", "remaining_delay_blocks"), 20)
    assert.strictEqual(at(planned, "planned_out_txs", 0, "refund"), false)
    // The operator's share is paid at once, by a transaction without a name.
    assert.strictEqual(at(planned, "out_txs", 0, "id"), "0".repeat(64))
    yield* travel(client, anHour)
    const paid = yield* statusOf(client, id)
    assert.deepStrictEqual(outMemos(paid), ["OUT:", "OUT:"])
    assert.strictEqual(at(paid, "stages", "outbound_signed", "completed"), true)
  })

  inSandbox(
    "come back where the memo says nothing, asks too much, or the chain is at rest",
    function* (client) {
      const vault = yield* bitcoinVault(client)
      const ids = [
        yield* pay(client, vault, "hello"),
        yield* pay(client, vault, tooMuch),
        yield* pay(client, vault, `=:BTC.BTC:${vault}`),
      ]
      yield* change(client, "nextPayment", { provider: "thorchain", outcome: "refund" })
      ids.push(yield* pay(client, vault, memo))
      yield* travel(client, 3 * anHour)
      for (const id of ids) assert.deepStrictEqual(outMemos(yield* statusOf(client, id)), ["REFU"])
      yield* change(client, "setTrading", { provider: "thorchain", chain: "Ethereum", isChainHalted: true })
      const halted = yield* pay(client, vault, memo)
      yield* travel(client, 3 * anHour)
      assert.deepStrictEqual(outMemos(yield* statusOf(client, halted)), ["REFU"])
    },
  )

  inSandbox("are swapped in chunks, and in part where chunks miss the limit", function* (client) {
    const vault = yield* bitcoinVault(client)
    yield* change(client, "nextPayment", { provider: "thorchain", outcome: "partialFill" })
    const id = yield* pay(client, vault, `=:ETH.ETH:${ethereumAddress}:0/50/4`)
    yield* travel(client, 1_800 + 6 + 300)
    const under = yield* statusOf(client, id)
    assert.deepStrictEqual(at(under, "stages", "swap_status"), {
      pending: true,
      streaming: { interval: 50, quantity: 4, count: 2 },
    })
    yield* travel(client, anHour)
    assert.sameMembers([...outMemos(yield* statusOf(client, id))], ["OUT:", "REFU"])
  })

  inSandbox("wait long for their payout where the network delays it", function* (client) {
    yield* change(client, "nextPayment", { provider: "thorchain", outcome: "longDelay" })
    const id = yield* pay(client, yield* bitcoinVault(client), memo)
    yield* travel(client, 1_800)
    assert.strictEqual(
      at(yield* statusOf(client, id), "stages", "outbound_delay", "remaining_delay_blocks"),
      720,
    )
  })

  inSandbox("are swapped by a retiring vault, and lost in a retired one", function* (client) {
    const old = yield* bitcoinVault(client)
    yield* change(client, "churnVaults", { provider: "thorchain" })
    assert.notStrictEqual(yield* bitcoinVault(client), old)
    const retiring = yield* pay(client, old, memo)
    yield* change(client, "churnVaults", { provider: "thorchain" })
    const lost = yield* pay(client, old, memo)
    yield* travel(client, 3 * anHour)
    assert.include(outMemos(yield* statusOf(client, retiring)), "OUT:")
    assert.isUndefined(at(yield* statusOf(client, lost), "tx"))
  })

  inSandbox("are not seen where they are dust, and kept where they cover no fee", function* (client) {
    const vault = yield* bitcoinVault(client)
    const dust = yield* pay(client, vault, memo, "999")
    const little = yield* pay(client, vault, tooMuch, "1001")
    yield* travel(client, 3 * anHour)
    assert.isUndefined(at(yield* statusOf(client, dust), "tx"))
    const kept = yield* statusOf(client, little)
    assert.strictEqual(at(kept, "stages", "swap_finalised", "completed"), true)
    assert.isUndefined(at(kept, "planned_out_txs"))
  })

  inSandbox("are kept where they are exactly the dust, which quotes do not tell", function* (client) {
    const vault = yield* bitcoinVault(client)
    assert.strictEqual((yield* quoted(client, { amount: "999" })).status, 400)
    // Enough for the fees of what sends it on, were they less.
    const { json } = yield* quoted(client, {
      from_asset: "XRP.XRP",
      to_asset: "LTC.LTC",
      amount: "100000000",
    })
    assert.strictEqual(textAt(json, "dust_threshold"), "100000000")
    const exactly = yield* pay(client, vault, memo, "1000")
    yield* travel(client, 3 * anHour)
    assert.isUndefined(at(yield* statusOf(client, exactly), "tx"))
  })

  inSandbox("on the XRP Ledger say what to swap in their first memo alone", function* (client) {
    const rows = yield* lists(client, "inbound_addresses")
    const row = Array.isArray(rows) ? rows.find((one) => at(one, "chain") === "XRP") : undefined
    const payload = {
      network: "XrpLedger",
      depositAddress: textAt(row, "address"),
      amountNative: "500000000",
      memoData: new TextEncoder().encode(memo).toHex().toUpperCase(),
    }
    const send = (body: Readonly<Record<string, unknown>>) =>
      Effect.map(client.send("POST", "/sandbox/vault-swaps", body), ({ json, status, text }) => {
        assert.strictEqual(status, 202, text)
        return textAt(json, "transactionHash")
      })
    const [first, second] = [yield* send({ payload }), yield* send({ payload, walletMemo: "rent" })]
    assert.match(first, /^[0-9A-F]{64}$/)
    yield* travel(client, anHour)
    assert.include(outMemos(yield* statusOf(client, first)), "OUT:")
    assert.deepStrictEqual(outMemos(yield* statusOf(client, second)), ["REFU"])
    const onBitcoin = yield* client.send("POST", "/sandbox/vault-swaps", {
      payload: {
        network: "Bitcoin",
        depositAddress: yield* bitcoinVault(client),
        nulldataPayload: "0x3d",
        amountNative: "25000000",
      },
      walletMemo: "rent",
    })
    assert.strictEqual(onBitcoin.status, 400)
  })

  inSandbox("name addresses of Bitcoin Cash without a prefix, as nodes do", function* (client) {
    const { json } = yield* quoted(client, { from_asset: "BCH.BCH" })
    const vault = textAt(json, "inbound_address")
    assert.strictEqual(`bchreg:${vault}`, vaultAddress("BitcoinCash", "thorchain vault 0"))
    const id = yield* pay(client, yield* bitcoinVault(client), `=:BCH.BCH:${vault}:0`)
    const withPrefix = yield* pay(client, yield* bitcoinVault(client), `=:BCH.BCH:bchreg:${vault}:0`)
    yield* travel(client, 3 * anHour)
    const paid = yield* statusOf(client, id)
    assert.strictEqual(textAt(paid, "out_txs", 0, "to_address"), vault)
    assert.deepStrictEqual(outMemos(yield* statusOf(client, withPrefix)), ["REFU"], "the colon ends it")
  })

  inSandbox("find Maya's Zcash at rest from the beginning", function* (client) {
    const toZcash = { from_asset: "DASH.DASH", to_asset: "ZEC.ZEC", amount: "2000000000" }
    assert.include((yield* quoted(client, toZcash, "maya")).text, "trading is halted")
    yield* change(client, "setTrading", { provider: "maya", chain: "Zcash", isChainHalted: false })
    assert.strictEqual((yield* quoted(client, toZcash, "maya")).status, 200)
  })

  inSandbox(
    "list what Maya has announced once its chain is opened, with the dust and the units of its notes",
    function* (client) {
      const list = (name: string) =>
        Effect.map(client.get(`/maya/mayachain/${name}`), ({ json }) => Array.isArray(json) ? json : [])
      const vaultOf = (rows: ReadonlyArray<unknown>, code: string) =>
        rows.find((row) => at(row, "chain") === code)
      const before = yield* list("inbound_addresses")
      const pools = yield* list("pools")
      const fromTron = { from_asset: "TRON.TRX", to_asset: "BTC.BTC", amount: "500000000000" }
      assert.include((yield* quoted(client, fromTron, "maya")).text, "pool TRON.TRX doesn't exist")
      assert.isUndefined(vaultOf(before, "TRON"))
      yield* change(client, "setTrading", { provider: "maya", chain: "Tron", isChainHalted: false })
      const tron = vaultOf(yield* list("inbound_addresses"), "TRON")
      assert.deepStrictEqual([at(tron, "gas_rate_units"), at(tron, "dust_threshold"), at(tron, "halted")], [
        "sun",
        "10000000",
        false,
      ])
      assert.lengthOf(yield* list("pools"), pools.length + 2)
      assert.strictEqual((yield* quoted(client, fromTron, "maya")).status, 200)
      yield* change(client, "setTrading", { provider: "maya", chain: "Tron", isChainHalted: true })
      assert.strictEqual(at(vaultOf(yield* list("inbound_addresses"), "TRON"), "halted"), true)
    },
  )

  inSandbox("wait while the network stands still, and go on with it", function* (client) {
    const id = yield* pay(client, yield* bitcoinVault(client), memo)
    yield* change(client, "setTrading", { provider: "thorchain", isFrozen: true })
    yield* travel(client, 3 * anHour)
    assert.isUndefined(at(yield* statusOf(client, id), "tx"))
    yield* change(client, "setTrading", { provider: "thorchain", isFrozen: false })
    yield* travel(client, anHour)
    assert.include(outMemos(yield* statusOf(client, id)), "OUT:")
  })

  inSandbox(
    "are refused where the payload is another network's, or the call has expired",
    function* (client) {
      const strange = yield* client.send("POST", "/sandbox/vault-swaps", {
        payload: {
          network: "Ethereum",
          to: vaultAddress("Ethereum", "thorchain router"),
          calldata: "0x1234",
          value: "1",
        },
      })
      assert.strictEqual(strange.status, 400)
      assert.include(strange.text, "it is no payment to the vault that it names")
    },
  )

  it.effect("are remembered over a restart, with halts and churns", () =>
    Effect.scoped(Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const before = yield* session(folder, (client) =>
        Effect.gen(function* () {
          yield* change(client, "churnVaults", { provider: "thorchain" })
          yield* change(client, "nextPayment", { provider: "thorchain", outcome: "longDelay" })
          const vault = yield* bitcoinVault(client)
          const id = yield* pay(client, vault, memo)
          yield* travel(client, 1_800)
          yield* change(client, "setTrading", { provider: "thorchain", isPaused: true })
          return { id, status: yield* statusOf(client, id), vault }
        }))
      const after = yield* session(folder, (client) =>
        Effect.gen(function* () {
          const rows = yield* lists(client, "inbound_addresses")
          assert.strictEqual(at(rows, 0, "global_trading_paused"), true)
          return {
            id: before.id,
            status: yield* statusOf(client, before.id),
            vault: textAt(rows, 0, "address"),
          }
        }))
      assert.deepStrictEqual(after, before)
    })))
})
