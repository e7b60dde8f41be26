import { assert, describe, it } from "@effect/vitest"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import type { Chain } from "#domain/chains/Chain.ts"

const key = new Uint8Array(32).fill(7)
const read = (chain: Chain, address: string) =>
  Result.match(accountBytes(chain, address), { onSuccess: bytesToHex, onFailure: () => undefined })

/** Ways of writing one account. */
const alike: ReadonlyArray<readonly [Chain, ReadonlyArray<string>]> = [
  ["Ethereum", ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"]],
  ["Assethub", [encodeSs58(0, key), encodeSs58(42, key), `0x${bytesToHex(key)}`]],
  ["Solana", ["US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx", `0x${bytesToHex(key)}`]],
  ["Tron", [
    "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej",
    "0x9df3e70fc7ea8128d6d0634664118d16bc856e1c",
    "419DF3E70FC7EA8128D6D0634664118D16BC856E1C",
  ]],
  ["Bitcoin", [
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
  ]],
]

describe("The account that an address names", () => {
  it.each(alike)("of %s is the same however it is written", (chain, addresses) => {
    const [first, ...others] = addresses.map((address) => read(chain, address))
    assert.isDefined(first)
    for (const other of others) assert.strictEqual(other, first)
  })

  it("is that of the chain's own test vectors", () => {
    assert.strictEqual(
      read("Tron", "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"),
      "9df3e70fc7ea8128d6d0634664118d16bc856e1c",
    )
    assert.strictEqual(read("Solana", "11111111111111111111111111111111"), "00".repeat(32))
    // Legacy addresses mean something else in capitals.
    assert.notStrictEqual(
      read("Bitcoin", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"),
      read("Bitcoin", "1BOATSLRHTKNNGKDXEEOBR76B53LETTPYT"),
    )
  })

  it("is nothing for text that is no address of the chain", () => {
    for (const chain of ["Ethereum", "Solana", "Tron", "Assethub"] as const) {
      assert.isUndefined(read(chain, "nobody's"))
      assert.isUndefined(read(chain, "0x1"))
      assert.isUndefined(read(chain, "1".repeat(100_000)))
    }
  })
})
