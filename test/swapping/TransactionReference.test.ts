import { assert, describe, it } from "@effect/vitest"
import type { Chain } from "../../src/domain/Chain.ts"
import { referenceOn } from "../../src/swapping/TransactionReference.ts"

const digits = "5A4db0".padEnd(64, "0")
const small = digits.toLowerCase()
const signature = "2oiZ4ZCHxggZZ2vHHhhYB9LXhoYv54crcqfafvavUWQpR49uTGkU2pqfvEbL2s65QeHUnAX1x8CooFrBp9v3oGkh"

const rows: ReadonlyArray<readonly [Chain, string, string | undefined]> = [
  ["Bitcoin", digits, small],
  ["Bitcoin", `0x${digits}`, small],
  ["Tron", `0x${digits}`, small],
  ["Ethereum", digits, `0x${small}`],
  ["Arbitrum", `0x${digits}`, `0x${small}`],
  ["Solana", signature, signature],
  ["Assethub", "12345-6", "12345-6"],
  ["Solana", digits, undefined],
  ["Ethereum", signature, undefined],
  ["Ethereum", `0x${digits}0`, undefined],
  ["Bitcoin", digits.slice(1), undefined],
  // What the upstream would take for something else than a transaction.
  ["Bitcoin", "1000001", undefined],
  ["Bitcoin", "14138313-Bitcoin-77", undefined],
  ["Solana", "../networkInfo", undefined],
  ["Solana", "1000001", undefined],
  ["Bitcoin", "", undefined],
]

describe("A transaction as its chain writes it", () => {
  it.each(rows)("%s: %s", (chain, text, expected) => {
    assert.strictEqual(referenceOn(chain, text), expected)
  })
})
