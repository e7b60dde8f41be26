import { assert } from "@effect/vitest"
import { eventually } from "#test/durability/eventually.ts"
import { call, get, withOwnBroker } from "./support/call.ts"
import { listAt, textAt } from "./support/Json.ts"
import { assertFailure } from "./support/problem.ts"
import { network, openSwap, statusOf, swapParameters } from "./support/swaps.ts"

const quote = (sourceAsset: string, destinationAsset: string, amount: string) =>
  call("GET", "/quotes-native", { query: { sourceAsset, destinationAsset, amount } })
const open = (sourceAsset: string, destinationAsset: string) =>
  call("GET", "/swap", { query: swapParameters({ sourceAsset, destinationAsset }) })

withOwnBroker()("the conditions of the network (decision 33)", (it) => {
  it.effect("an asset that is switched off is asset_disabled, on quotes and swaps (decision 10)", function* () {
    for (
      const [off, source, destination] of [
        ["creationEnabled", "sol.sol", "usdc.eth"],
        ["depositEnabled", "sol.sol", "usdc.eth"],
        ["egressEnabled", "usdc.eth", "sol.sol"],
      ] as const
    ) {
      yield* network("setAsset", { asset: "sol.sol", [off]: false })
      assertFailure(yield* quote(source, destination, "10000000000"), 503, "asset_disabled")
      assertFailure(yield* open(source, destination), 503, "asset_disabled")
      yield* network("setAsset", { asset: "sol.sol", [off]: true })
      // A look at the network that began before the change may still answer the next quote.
      yield* eventually(quote(source, destination, "10000000000"), ({ status }) => status === 200)
    }
  })

  it.effect("maintenance has its codes", function* () {
    yield* network("setMaintenance", { quoting: true })
    assertFailure(yield* quote("btc.btc", "eth.eth", "10000000"), 503, "quoting_maintenance")
    yield* network("setMaintenance", { quoting: false })
    yield* network("setSwaps", { enabled: false })
    assertFailure(yield* quote("btc.btc", "eth.eth", "10000000"), 503, "swapping_maintenance")
    assertFailure(yield* open("btc.btc", "eth.eth"), 503, "swapping_maintenance")
    yield* network("setSwaps", { enabled: true })
  })

  it.effect("maintenance of the swap service leaves status and history to be had", function* () {
    const opened = yield* openSwap()
    yield* network("setMaintenance", { swapping: true })
    assertFailure(yield* open("btc.btc", "eth.eth"), 503, "swapping_maintenance")
    assert.strictEqual(textAt(yield* statusOf(opened), "state"), "waiting")
    assert.isNotEmpty(listAt(yield* get("/swaps", { status: "waiting" })))
    yield* network("setMaintenance", { swapping: false })
  })

  it.effect("an amount that no pool can swap is insufficient_liquidity", function* () {
    assertFailure(yield* quote("usdc.eth", "flip.eth", "1000000000000000"), 400, "insufficient_liquidity")
  })

  it.effect("an amount that the fees eat up has the code of the fee", function* () {
    const amount = "1000000000"
    yield* network("setAsset", { asset: "usdc.arb", ingressFee: `${amount}0` })
    assertFailure(yield* quote("usdc.arb", "usdc.eth", amount), 400, "amount_below_minimum")
    yield* network("setAsset", { asset: "usdc.arb", ingressFee: "0", egressFee: `${amount}0` })
    assertFailure(yield* quote("usdc.eth", "usdc.arb", amount), 400, "egress_fee_not_covered")
    yield* network("setAsset", { asset: "usdc.arb", egressFee: "0", egressDustLimit: `${amount}0` })
    assertFailure(yield* quote("usdc.eth", "usdc.arb", amount), 400, "egress_below_minimum")
  })
})
