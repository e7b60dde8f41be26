import { assert, describe, it } from "@effect/vitest"
import { hexToBytes } from "@noble/hashes/utils.js"
import { decodeNullData, encodeNullData } from "#domain/chains/payload/nullData.ts"

/** What mainnet answered on 2026-08-28 (public test of the wallet tobixen/swapsack), and a page of documents before 1.11. */
const recorded = {
  version1:
    "0101000000000000000000000000000000000000dead640000002cf61a24a2290000000000000000ff01000200000000",
  version0: "0003cf0871027a5f984403aefd2fb22831d4bebc11ef0a0040420f0000000000000000000000000001000200000000",
}

describe("null data of Bitcoin", () => {
  it("is read as mainnet writes it, with version 1 and the oracle's byte", () => {
    assert.deepStrictEqual(decodeNullData(hexToBytes(recorded.version1)), {
      destinationAsset: "eth.eth",
      destination: hexToBytes("000000000000000000000000000000000000dead"),
      terms: {
        retryDuration: 100,
        minimumOutput: 3_000_000_000_000_000_000n,
        maximumOraclePriceSlippage: 255,
        numberOfChunks: 1,
        chunkInterval: 2,
        boostFee: 0,
        brokerFee: 0,
        affiliates: [],
      },
    })
  })

  it("is read in version 0, without that byte, as no limit by an oracle", () => {
    const said = decodeNullData(hexToBytes(recorded.version0))
    assert.strictEqual(said?.destinationAsset, "usdc.eth")
    assert.deepInclude(said?.terms, {
      retryDuration: 10,
      minimumOutput: 1_000_000n,
      maximumOraclePriceSlippage: 255,
    })
  })

  it("is written in version 1, byte for byte", () => {
    const said = decodeNullData(hexToBytes(recorded.version1))
    assert.deepStrictEqual(said && encodeNullData(said), hexToBytes(recorded.version1))
  })

  it("is nothing in another version, or with a byte too many or too few", () => {
    const bytes = hexToBytes(recorded.version1)
    assert.isUndefined(decodeNullData(hexToBytes(`02${recorded.version1.slice(2)}`)))
    assert.isUndefined(decodeNullData(bytes.slice(0, -1)))
    assert.isUndefined(decodeNullData(Uint8Array.of(...bytes, 0)))
    assert.isUndefined(decodeNullData(new Uint8Array()))
  })
})
