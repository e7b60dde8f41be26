import { assert } from "@effect/vitest"
import { addresses } from "./support/addresses.ts"
import { call, withBroker } from "./support/call.ts"
import { faultyParameters } from "./support/problem.ts"
import { openSwap, statusOf, swapParameters } from "./support/swaps.ts"
import { textAt } from "./support/Json.ts"

interface Row {
  readonly asset: string
  readonly accepted: ReadonlyArray<string>
  readonly refused: ReadonlyArray<string>
}

const evm = {
  accepted: [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
  ],
  refused: [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
    "0x0000000000000000000000000000000000000000",
    "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg",
    addresses.btc,
    addresses.tron,
  ],
}
const substrate = {
  accepted: [addresses.dot, "5CGYyLcrWUfBDKExbvRjDQinEoCZWQmD6SjaXBLhny6A2wjE"],
  refused: [
    "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp6",
    "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6S",
    addresses.eth,
  ],
}

/** Addresses of each chain, published vectors among them (decision 9). */
const rows: ReadonlyArray<Row> = [
  {
    asset: "btc.btc",
    accepted: [
      "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      "3P14159f73E4gFr7JterCCQh9QjiTjiZrG",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
      "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
    ],
    refused: [
      "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj1",
      "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
      // The script that is empty, which anybody could spend from.
      "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
      addresses.eth,
      addresses.tron,
    ],
  },
  { asset: "eth.eth", ...evm },
  { asset: "eth.arb", ...evm },
  { asset: "bnb.bsc", ...evm },
  {
    asset: "sol.sol",
    accepted: [addresses.sol, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"],
    refused: [
      "So11111111111111111111111111111111111111112",
      addresses.sol.slice(4),
      `${addresses.sol}11`,
      `0${addresses.sol.slice(1)}`,
      addresses.eth,
    ],
  },
  { asset: "dot.hub", ...substrate },
  { asset: "dot.dot", ...substrate },
  {
    asset: "trx.tron",
    accepted: [addresses.tron, "TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g"],
    refused: [
      "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnek",
      "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      addresses.eth,
    ],
  },
]

withBroker()("addresses (decision 9)", (it) => {
  for (const { accepted, asset, refused } of rows) {
    const other = asset === "usdc.arb" ? "usdt.arb" : "usdc.arb"

    it.effect(`of ${asset} are taken as destination and for refunds, as they were written`, function* () {
      for (const address of accepted) {
        const there = yield* openSwap({
          sourceAsset: other,
          destinationAsset: asset,
          destinationAddress: address,
        })
        assert.strictEqual(textAt(yield* statusOf(there), "destinationAddress"), address)
        const back = yield* openSwap({ sourceAsset: asset, destinationAsset: other, refundAddress: address })
        assert.strictEqual(textAt(yield* statusOf(back), "fillOrKillParams", "refundAddress"), address)
      }
    })

    it.effect(`of another chain, or with a mistake, are refused for ${asset}`, function* () {
      for (const address of refused) {
        const there = swapParameters({
          sourceAsset: other,
          destinationAsset: asset,
          destinationAddress: address,
        })
        const answer = yield* call("GET", "/swap", { query: there })
        assert.deepStrictEqual(faultyParameters(answer), ["destinationAddress"], address)
        const back = swapParameters({ sourceAsset: asset, destinationAsset: other, refundAddress: address })
        assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swap", { query: back })), [
          "refundAddress",
        ], address)
      }
    })
  }
})
