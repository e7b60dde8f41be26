import { assert, describe, it } from "@effect/vitest"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, bech32 } from "@scure/base"
import { Result } from "effect"
import { checkAddress } from "../../../src/domain/Address.ts"
import { decodeSs58 } from "../../../src/domain/address/Ss58.ts"
import { Chain } from "../../../src/domain/Chain.ts"
import { addressPatterns, depositAddress } from "../../../src/sandbox/engine/identifiers.ts"
import { succeed } from "./support.ts"

const addressesOf = (chain: Chain, seed = "test"): ReadonlyArray<string> =>
  Array.from({ length: 500 }, (_, index) => depositAddress(seed, chain, index + 1))

const evm = (text: string): Uint8Array => hexToBytes(text.slice(2))
const substrate = (text: string): Uint8Array => succeed(decodeSs58(text)).publicKey

const accounts: Readonly<Record<Chain, (text: string) => Uint8Array>> = {
  Bitcoin: (text) => bech32.fromWords(bech32.decode(`bcrt1${text.slice(5)}`).words.slice(1)),
  Ethereum: evm,
  Arbitrum: evm,
  Bsc: evm,
  Solana: (text) => base58.decode(text),
  Assethub: substrate,
  Polkadot: substrate,
  Tron: (text) => base58.decode(text).slice(1, 21),
}

/** The mark, whatever the address holds, and the checksum over both, as hex. */
const marked = (account: Uint8Array): string => {
  const body = account.slice(0, -8)
  const checksum = sha256(concatBytes(utf8ToBytes("swap broker sandbox account"), body)).slice(0, 8)
  return `5a4db0${bytesToHex(body.slice(3))}${bytesToHex(checksum)}`
}

describe("deposit addresses", () => {
  for (const chain of Chain.literals) {
    it(`of ${chain} meet their pattern, carry the checksum and are never the same twice`, () => {
      const all = [...addressesOf(chain), ...addressesOf(chain, "another seed")]
      const pattern = new RegExp(addressPatterns[chain], "u")
      for (const address of all) {
        assert.match(address, pattern)
        const account = accounts[chain](address)
        assert.strictEqual(bytesToHex(account), marked(account), address)
      }
      assert.strictEqual(new Set(all).size, all.length)
    })

    it(`of ${chain} are valid addresses of the sandbox's network`, () => {
      for (const address of addressesOf(chain).slice(0, 20)) {
        assert.isTrue(Result.isSuccess(checkAddress(chain, ["sandbox"], address)), address)
      }
    })
  }

  it("of Bitcoin belong to no network where there is money", () => {
    const address = depositAddress("test", "Bitcoin", 1)
    assert.isTrue(Result.isFailure(checkAddress("Bitcoin", ["mainnet", "testnet"], address)))
  })
})
