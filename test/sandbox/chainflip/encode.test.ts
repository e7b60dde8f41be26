import { assert, describe, it } from "@effect/vitest"
import { assetMap, chainMap, hex, numberOrHex } from "#sandbox/chainflip/values.ts"
import { networkChains } from "#domain/chains/payload/contractNumbers.ts"

describe("the network's encoding", () => {
  it("writes U256 as minimal lower-case hex", () => {
    assert.strictEqual(hex(0n), "0x0")
    assert.strictEqual(hex(123_456_789n), "0x75bcd15")
    assert.strictEqual(hex(2n ** 64n - 1n), "0xffffffffffffffff")
  })

  it("writes NumberOrHex as a number up to the last safe integer and as hex from there on", () => {
    assert.strictEqual(numberOrHex(0n), 0)
    assert.strictEqual(numberOrHex(100n), 100)
    assert.strictEqual(numberOrHex(2n ** 53n - 1n), Number.MAX_SAFE_INTEGER)
    assert.strictEqual(numberOrHex(2n ** 53n), "0x20000000000000")
  })

  it("keeps every asset of a chain in one map", () => {
    const map = assetMap((asset) => asset)
    assert.deepStrictEqual(map["Arbitrum"], { ETH: "eth.arb", USDC: "usdc.arb", USDT: "usdt.arb" })
    assert.deepStrictEqual(Object.keys(map).sort(), [...networkChains].sort())
    assert.deepStrictEqual(Object.keys(chainMap(() => 0)).sort(), [...networkChains].sort())
  })
})
