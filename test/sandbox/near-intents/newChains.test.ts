import { assert, describe, it } from "#test/support/it.ts"
import { type AssetId, chainOf } from "#exports/domain.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { tokens } from "#sandbox/near-intents/engine/tokens.ts"
import { firstStateOf } from "#sandbox/engine/figures.ts"
import { wholeUnit } from "#sandbox/engine/pools.ts"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { advance, at } from "../support.ts"
import { bodyOf, deposit, digitsAt, hour, idOf, openOrder, quote, statusesOf } from "./support.ts"

const newer = tokens.map(({ asset }) => asset).slice(tokens.findIndex(({ asset }) => asset === "eth.base"))

/** Native units of the value of a thousand dollars. */
const typicalAmount = (asset: AssetId): bigint =>
  1_000_000_000n * wholeUnit(asset) / firstStateOf(asset).price

const from = (origin: AssetId, destination: AssetId, more: object = {}) => ({
  originAsset: idOf(origin),
  destinationAsset: idOf(destination),
  amount: `${typicalAmount(origin)}`,
  ...more,
})

/** The deposit control takes addresses in the chain's own form. */
const paid = (origin: AssetId, address: string): string =>
  origin === "bch.bch" ? `bchreg:${address}` : address

describe("1Click's orders on the newer chains", () => {
  it("are of eighteen assets on ten chains", () => {
    assert.lengthOf(newer, 18)
    assert.lengthOf([...new Set(newer.map(chainOf))], 10)
  })

  eachInSandbox(newer.map((asset, index) => [asset, newer[(index + 5) % newer.length] ?? asset] as const))(
    "from %s to %s end with the payout's transaction, as its chain writes it",
    function* (client, [origin, destination]) {
      const order = yield* openOrder(client, from(origin, destination))
      const address = paid(origin, order.address)
      const hash = yield* deposit(client, { address }, `${typicalAmount(origin)}`)
      const done = (yield* statusesOf(client, order, "SUCCESS", 600)).get("SUCCESS")
      const details = at(done, "swapDetails")
      assert.strictEqual(at(details, "originChainTxHashes", 0, "hash"), hash)
      assert.strictEqual(at(details, "amountOut"), at(order.json, "quote", "amountOut"))
      const payout = at(details, "destinationChainTxHashes", 0, "hash")
      assert.strictEqual(referenceOn(chainOf(destination), `${payout}`), payout)
    },
  )

  eachInSandbox([["zec.zec", 47_000n], ["doge.doge", 45_000_000n], ["bch.bch", 500n]] as const)(
    "from %s that get too little go back less the bridge's fee, %d",
    function* (client, [origin, fee]) {
      const order = yield* openOrder(client, from(origin, "eth.eth"))
      const little = typicalAmount(origin) / 2n
      yield* deposit(client, { address: paid(origin, order.address) }, `${little}`)
      yield* advance(client, 100 * hour)
      const body = yield* bodyOf(client, order)
      assert.strictEqual(at(body, "status"), "REFUNDED")
      assert.strictEqual(digitsAt(body, "swapDetails", "refundedAmount"), little - fee)
    },
  )
})

describe("XRP at 1Click", () => {
  inSandbox("is refused below 2 XRP, and where less than 1 XRP would come out", function* (client) {
    const little = yield* quote(client, from("xrp.xrp", "usdc.base", { amount: "1999999" }))
    assert.strictEqual(little.status, 400)
    assert.deepStrictEqual(little.json, { message: "Amount is too low for bridge, try at least 2000000" })
    assert.strictEqual(
      (yield* quote(client, from("xrp.xrp", "usdc.base", { amount: "2000000" }))).status,
      201,
    )
    // Two dollars are less than one XRP, its fee, and what is kept for both.
    const payout = yield* quote(client, from("usdc.base", "xrp.xrp", { amount: "2000000" }))
    assert.strictEqual(payout.status, 400)
    const least = /try at least ([0-9]+)$/.exec(`${at(payout.json, "message")}`)?.[1] ?? ""
    const enough = yield* quote(client, from("usdc.base", "xrp.xrp", { amount: least }))
    assert.isTrue(digitsAt(enough.json, "quote", "amountOut") >= 1_000_000n)
  })

  inSandbox("is refused to and from accounts that demand a tag, without a reason", function* (client) {
    const account = "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh"
    for (
      const request of [
        from("xrp.xrp", "usdc.base", { amount: "20000000", refundTo: account }),
        from("usdc.base", "xrp.xrp", { recipient: account }),
      ]
    ) {
      const { json, status } = yield* quote(client, { dry: false, ...request })
      assert.deepStrictEqual([status, json], [400, { message: "Internal server error" }])
    }
  })

  inSandbox("is lost below 2 XRP, as the account is not there yet; 2 XRP make it", function* (client) {
    const order = yield* openOrder(client, from("xrp.xrp", "usdc.base", { amount: "2000000" }))
    yield* deposit(client, order, "1999999")
    yield* advance(client, hour)
    const body = yield* bodyOf(client, order)
    assert.deepStrictEqual([at(body, "status"), at(body, "swapDetails", "originChainTxHashes")], [
      "PENDING_DEPOSIT",
      [],
    ])
    yield* deposit(client, order, "2000000")
    yield* statusesOf(client, order, "SUCCESS")
  })
})
