import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { type AssetId, NativeAmount, noBps } from "#exports/domain.ts"
import { type Family, maya, thorchain } from "#providers/thorchain/networks.ts"
import { inbound, pools, quote, usdc, vaults } from "./bodies.ts"
import { providerOver } from "./fakeNode.ts"

type Members = Readonly<Record<string, unknown>>

/** The wire's names of what is paid out in the tests. */
const names = { "btc.btc": "BTC.BTC", "eth.eth": "ETH.ETH" }

/** What a deposit costs, where the row of its chain in the list of vaults has these members. */
const costOf = (
  sourceAsset: AssetId,
  chain: string,
  members: Members,
  { family = thorchain, listed = pools }: { readonly family?: Family; readonly listed?: unknown } = {},
) => {
  const destinationAsset = sourceAsset === "btc.btc" ? "eth.eth" : "btc.btc"
  const contract = chain === "ETH" || chain === "ARB" ? { router: vaults.router } : {}
  const others = ["BTC", "ETH", "BSC", "ARB", "TRON"].filter((other) => other !== chain)
  return Effect.flatMap(
    providerOver({
      inbound: {
        body: [
          inbound(chain, vaults.evm, { ...contract, ...members }),
          ...others.map((other) => inbound(other, vaults.evm)),
        ],
      },
      lastBlock: { body: [{ chain, thorchain: 7, mayachain: 7 }] },
      pools: { body: listed },
      quote: { body: { ...quote, fees: { ...quote.fees, asset: names[destinationAsset] } } },
    }, { family }),
    ([provider]) =>
      Effect.map(
        provider.quotes({
          sourceAsset,
          destinationAsset,
          amount: NativeAmount.make(10n ** 20n),
          commissionBps: noBps,
        }),
        (quotes) => {
          assert.isNotEmpty(quotes)
          const costs = quotes.map(({ depositCost }) => depositCost)
          costs.forEach((cost) => assert.deepStrictEqual(cost, costs[0]))
          if (costs[0] !== undefined) assert.strictEqual(costs[0].asset, sourceAsset)
          return costs[0]?.amount
        },
      ),
  )
}

const sats = (gas_rate: unknown) => ({ gas_rate, gas_rate_units: "satsperbyte" })

describe("The cost of a deposit to a vault", () => {
  it.effect("is a plain payment of the chain's coin at the rate that the list of vaults states, in any of its units", function* () {
    assert.strictEqual(yield* costOf("btc.btc", "BTC", sats("4")), 564n)
    const gwei = { gas_rate: "2", gas_rate_units: "gwei" }
    assert.strictEqual(yield* costOf("eth.eth", "ETH", gwei), 42_000n * 10n ** 9n)
    const mwei = { gas_rate: "7", gas_rate_units: "mwei" }
    assert.strictEqual(yield* costOf("bnb.bsc", "BSC", mwei), 147_000n * 10n ** 6n)
  })

  it.effect("is told by Maya in hundredths of a gwei", function* () {
    const balances = { balance_asset: "100000000000", balance_cacao: "5000000000000" }
    const listed = ["BTC.BTC", "ARB.ETH"].map((asset) => ({ asset, status: "Available", ...balances }))
    const centigwei = { gas_rate: "3", gas_rate_units: "centigwei" }
    assert.strictEqual(
      yield* costOf("eth.arb", "ARB", centigwei, { family: maya, listed }),
      630_000n * 10n ** 6n,
    )
  })

  it.effect("is a token's transfer, converted at the price between the network's own pools and rounded up", function* () {
    const at = (reserves: Readonly<Record<string, Members>>) =>
      pools.map((pool) => ({ ...pool, ...reserves[pool.asset] }))
    // 1904 dollars for an Ether, as 2 native coins are 1 dollar.
    const listed = at({
      "ETH.ETH": { balance_asset: "100000000000", balance_rune: "380800000000000" },
      [usdc]: { balance_asset: "1000000000000", balance_rune: "2000000000000" },
    })
    const gwei = { gas_rate: "2", gas_rate_units: "gwei" }
    // 65000 gas at 2 gwei are 0.00013 Ether, and 0.24752 dollars.
    assert.strictEqual(yield* costOf("usdc.eth", "ETH", gwei, { listed }), 247_520n)
    const finer = { gas_rate: "1", gas_rate_units: "mwei" }
    assert.strictEqual(yield* costOf("usdc.eth", "ETH", finer, { listed }), 124n)
    for (const reserves of [{ [usdc]: { balance_rune: "0" } }, { "ETH.ETH": { balance_asset: "0" } }]) {
      assert.isUndefined(yield* costOf("usdc.eth", "ETH", gwei, { listed: at(reserves) }))
    }
    const coinless = listed.filter(({ asset }) => asset !== "ETH.ETH")
    assert.isUndefined(yield* costOf("usdc.eth", "ETH", gwei, { listed: coinless }))
  })

  it.effect("is no more than what the network itself pays for as large a payment", function* () {
    const sending = { outbound_fee: "15821", outbound_tx_size: "100000" }
    const stated = { gas_rate: "15", gas_rate_units: "gwei" }
    // 0.00015821 Ether for 100000 gas, where 15 gwei would be ten times as much.
    assert.strictEqual(yield* costOf("eth.eth", "ETH", { ...stated, ...sending }), 33_224_100_000_000n)
    assert.strictEqual(
      yield* costOf("eth.eth", "ETH", { ...stated, ...sending, gas_rate: "1" }),
      21_000n * 10n ** 9n,
    )
  })

  it.effect("is unknown in a unit that the chain does not have, and on chains without a price of size", function* () {
    for (const gas_rate_units of [undefined, "", "gwei", "lamports", 7, "constructor"]) {
      assert.isUndefined(yield* costOf("btc.btc", "BTC", { gas_rate: "4", gas_rate_units }))
    }
    assert.isUndefined(yield* costOf("eth.eth", "ETH", sats("4")))
    assert.isUndefined(yield* costOf("trx.tron", "TRON", { gas_rate: "1000", gas_rate_units: "sun" }))
  })

  it.effect("is unknown at an impossible rate, which takes neither the vault nor its quotes away", function* () {
    const impossible = [undefined, null, "0", "-4", "0.5", "4e9", "much", [], {}, 1e300, "9".repeat(38)]
    for (const rate of impossible) {
      assert.isUndefined(yield* costOf("btc.btc", "BTC", sats(rate)), `${rate}`)
    }
    assert.isUndefined(yield* costOf("btc.btc", "BTC", sats("9".repeat(10_000))))
    // The network's own payments bound the rate: one that cannot be read bounds nothing.
    for (const odd of [{ outbound_fee: "-1" }, { outbound_tx_size: "0.1" }]) {
      const sending = { outbound_fee: "1000", outbound_tx_size: "1000", ...odd }
      assert.isUndefined(yield* costOf("btc.btc", "BTC", { ...sats("4"), ...sending }))
    }
  })
})
