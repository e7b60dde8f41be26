import { assert, layer } from "#test/support/it.ts"
import { get } from "#test/contract/support/call.ts"
import { openSwap } from "#test/contract/support/swaps.ts"
import { issue, newAccount, operate, setRoute } from "#test/contract/support/operator.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { pageAt } from "./support/pageAt.ts"

layer(brokerInProcess({}), { excludeTestServices: true })("the page of an account", (it) => {
  it.effect("has its figures, its keys by their labels, its terms and its latest swaps", function* () {
    const account = yield* newAccount({ commissionBps: 25 })
    const { id, key } = yield* issue(account, { label: "the app" })
    yield* setRoute(account, "btc.btc", "*", false)
    yield* operate("PUT", `/accounts/${account}/merchant`, {
      displayName: "Shop",
      colour: "#0b6b5d",
      support: "help@shop.example",
    })
    yield* openSwap({ sourceAsset: "eth.eth", destinationAsset: "btc.btc", platform: "chainflip" }, { key })
    yield* get("/quotes", { sourceAsset: "eth.eth", destinationAsset: "btc.btc", amount: "1" }, { key })
    const { said } = yield* pageAt(`/dashboard/accounts/${account}`)
    for (
      const part of [
        "Keys 1 Webhooks 0 Route rules 1 Payer’s page",
        "Volume, 7 d $0",
        `the app ${id}`,
        "quote, swap, status, history Active",
        "Commission 25 bps (0.25 %)",
        "1 route rule",
        "No webhooks. The account polls the status of its swaps.",
        "Waiting any ETH Ethereum → BTC Bitcoin",
      ]
    ) assert.include(said, part)
    for (const part of ["keys", `keys/${id}`, "routes", "webhooks", "merchant"]) {
      const { said } = yield* pageAt(`/dashboard/accounts/${account}/${part}`)
      assert.include(said, "Overview Keys 1 Webhooks 0 Route rules 1 Payer’s page")
      // What asks whether to revoke a key has no other act that stops something.
      assert.strictEqual(said.includes("Portal link Suspend"), part !== `keys/${id}`, part)
      if (part !== "merchant") continue
      assert.include(
        said,
        "Payers see Shop Back Logo none Button colour #0b6b5d Support contact help@shop.example Return URL none",
      )
      assert.match(said, /Open the payment page of swap [0-9]/)
    }
  })
})
