import { assert, describe, it } from "@effect/vitest"
import type { Chain } from "#domain/chains/Chain.ts"
import { addressText } from "#interfaces/http/rpc/perform.ts"

const evm = "2222222222222222222222222222222222222222"
const solanaHex = "0000000000000000000000000000000000000000000000000000000000000000"
const tronHex = "9df3e70fc7ea8128d6d0634664118d16bc856e1c"
const tron = "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"

const rows: ReadonlyArray<readonly [chain: Chain, text: string, expected: string]> = [
  ["Ethereum", evm, `0x${evm}`],
  ["Arbitrum", `0x${evm}`, `0x${evm}`],
  ["Bsc", evm, `0x${evm}`],
  ["Solana", `0x${solanaHex}`, "11111111111111111111111111111111"],
  ["Tron", tronHex, tron],
  ["Tron", `0x${tronHex}`, tron],
  ["Tron", `41${tronHex}`, tron],
  ["Tron", `0x41${tronHex}`, tron],
  ["Tron", tron, tron],
  ["Bitcoin", evm, evm],
  ["Assethub", `0x${solanaHex}`, `0x${solanaHex}`],
  ["Ethereum", "0x22", "0x22"],
  ["Ethereum", "", ""],
  ["Solana", "0xzz", "0xzz"],
  ["Tron", "41", "41"],
]

describe("addressText", () => {
  for (const [chain, text, expected] of rows) {
    it(`writes "${text}" on ${chain} as "${expected}"`, () => {
      assert.strictEqual(addressText(chain, text), expected)
    })
  }
})
