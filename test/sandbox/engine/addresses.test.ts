import { assert, describe, it } from "@effect/vitest"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, base58xrp, bech32 } from "@scure/base"
import { Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { decodeCashAddr } from "#domain/chains/address/BitcoinFamily.ts"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { addressPatterns, depositAddress } from "#sandbox/engine/identifiers.ts"
import { succeed } from "./support.ts"

const addressesOf = (chain: Chain, seed = "test"): ReadonlyArray<string> =>
  Array.from({ length: 500 }, (_, index) => depositAddress(seed, chain, index + 1))

const base58Account = (text: string): Uint8Array => base58.decode(text).slice(-24, -4)

const accountOf = (chain: Chain, text: string): Uint8Array => {
  const { family } = chainFacts(chain)
  if (family._tag === "evm") return hexToBytes(text.slice(2))
  if (family._tag === "solana") return base58.decode(text)
  if (family._tag === "substrate") return succeed(decodeSs58(text)).publicKey
  if (family._tag === "tron") return base58Account(text)
  if (family._tag === "xrpl") return base58xrp.decode(text).slice(1, 21)
  const { bech32: segwit, cashAddr } = family.forms.sandbox
  if (segwit !== undefined) {
    return bech32.fromWords(bech32.decode(`${segwit}1${text.slice(segwit.length + 1)}`).words.slice(1))
  }
  return cashAddr === undefined ? base58Account(text) : succeed(decodeCashAddr(cashAddr, text)).hash
}

/** The mark, whatever the address holds, and the checksum over both, as hex. */
const marked = (account: Uint8Array): string => {
  const body = account.slice(0, -8)
  const checksum = sha256(concatBytes(utf8ToBytes("swap broker sandbox account"), body)).slice(0, 8)
  return `5a4db0${bytesToHex(body.slice(3))}${bytesToHex(checksum)}`
}

describe("deposit addresses", () => {
  for (const chain of chains()) {
    it(`of ${chain} meet their pattern, carry the checksum and are never the same twice`, () => {
      const all = [...addressesOf(chain), ...addressesOf(chain, "another seed")]
      const pattern = new RegExp(addressPatterns()[chain] ?? "none", "u")
      for (const address of all) {
        assert.match(address, pattern)
        const account = accountOf(chain, address)
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
