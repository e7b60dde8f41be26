import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { call, withBroker } from "./support/call.ts"
import { faultyParameters } from "./support/problem.ts"

const most = 2n ** 64n - 1n

const ask = (changes: Readonly<Record<string, unknown>>) =>
  call("POST", "/tx-payload/solana", {
    body: {
      sourceAsset: "sol.sol",
      destinationAsset: "usdc.arb",
      destinationAddress: addresses.arb,
      refundAddress: addresses.sol,
      sourceAddress: addresses.sol,
      ...changes,
    },
  })

withBroker()("the numbers of a payload for Solana, which have 64 bits there", (it) => {
  it.effect("are refused by their names where they have more, and not left to fail upstream", function* () {
    const ccmPayload = { gasBudget: `${most + 1n}`, message: "0x00" }
    const rows: ReadonlyArray<
      readonly [changes: Readonly<Record<string, unknown>>, faulty: ReadonlyArray<string>]
    > = [
      [{ amountNative: `${most + 1n}` }, ["amountNative"]],
      [{ amount: "18446744073.709551616" }, ["amount"]],
      [{ amount: "2", ccmPayload }, ["ccmPayload"]],
      [{ amountNative: `${most + 1n}`, ccmPayload }, ["amountNative", "ccmPayload"]],
    ]
    for (const [changes, faulty] of rows) {
      assert.deepStrictEqual(faultyParameters(yield* ask(changes)), faulty)
    }
  })

  it.effect("are taken up to there", function* () {
    const { status, text } = yield* ask({ amountNative: `${most}` })
    assert.strictEqual(status, 200, text)
  })
})
