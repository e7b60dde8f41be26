import { assert, describe, it } from "@effect/vitest"
import { base64 } from "@scure/base"
import { p2pkh, p2wpkh, Script, SigHash, TEST_NETWORK, Transaction } from "@scure/btc-signer"
import { pubECDSA } from "@scure/btc-signer/utils.js"
import { encodeCashAddr } from "#domain/chains/address/BitcoinFamily.ts"
import { psbtFault, type PsbtTerms } from "#domain/chains/payload/psbt.ts"

const payee = (key: number) => p2wpkh(pubECDSA(new Uint8Array(32).fill(key)), TEST_NETWORK)

const vault = payee(1)
const sender = payee(2)
const stranger = payee(3)

const nullData = new TextEncoder().encode("=:ETH.ETH:0x11:3")
const told = Script.encode(["RETURN", nullData])

const deposit = { script: vault.script, amount: 25_000n }
const memo = { script: told, amount: 0n }
const change = { script: sender.script, amount: 74_000n }

type Outputs = ReadonlyArray<{ readonly script: Uint8Array; readonly amount: bigint }>

const psbtOf = (
  outputs: Outputs,
  inputs: ReadonlyArray<
    { readonly script: Uint8Array; readonly amount: bigint; readonly sighashType?: number }
  > = [{ script: sender.script, amount: 100_000n }],
): string => {
  const transaction = new Transaction({ allowUnknownOutputs: true })
  inputs.forEach(({ amount, script, sighashType = SigHash.ALL }, index) =>
    transaction.addInput({ txid: "ab".repeat(32), index, witnessUtxo: { amount, script }, sighashType })
  )
  outputs.forEach((output) => transaction.addOutput(output))
  return base64.encode(transaction.toPSBT())
}

const terms: PsbtTerms = {
  chain: "Bitcoin",
  depositAddress: vault.address ?? "",
  amountNative: 25_000n,
  nulldataPayload: `0x${[...nullData].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`,
  fees: [],
}

const named = { sender: sender.address }

/** What signatures of Bitcoin Cash are of: all outputs, and this chain alone. */
const withForkId = 0x41

const notCommitting = "a PSBT whose signatures would not be of its chain and all of its outputs"

const faulty: ReadonlyArray<readonly [what: string, psbt: string, fault: string, more?: Partial<PsbtTerms>]> =
  [
    ["text that is none", "bm90IGEgUFNCVA==", "a PSBT that cannot be read"],
    ["what is not base64", "=", "a PSBT that cannot be read"],
    ["no deposit", psbtOf([memo, change]), "a PSBT that does not pay the amount to the deposit address"],
    [
      "a unit less",
      psbtOf([{ ...deposit, amount: 24_999n }, memo, change]),
      "a PSBT that does not pay the amount to the deposit address",
    ],
    [
      "a unit more",
      psbtOf([{ ...deposit, amount: 25_001n }, memo, change]),
      "a PSBT that does not pay the amount to the deposit address",
    ],
    [
      "another vault",
      psbtOf([{ ...deposit, script: stranger.script }, memo, change]),
      "a PSBT that does not pay the amount to the deposit address",
    ],
    ["the deposit twice", psbtOf([deposit, deposit, memo]), "a PSBT that pays someone else"],
    ["no null data", psbtOf([deposit, change]), "a PSBT with other null data"],
    [
      "other null data",
      psbtOf([deposit, { ...memo, script: Script.encode(["RETURN", nullData.slice(1)]) }, change]),
      "a PSBT with other null data",
    ],
    [
      "further null data",
      psbtOf([deposit, memo, { ...memo, script: Script.encode(["RETURN", nullData.slice(1)]) }]),
      "a PSBT with other null data",
    ],
    [
      "null data that no script has room for",
      psbtOf([deposit, memo, change]),
      "a PSBT with other null data",
      { nulldataPayload: `0x${"ab".repeat(600)}` },
    ],
    ["null data that burns", psbtOf([deposit, { ...memo, amount: 1n }]), "a PSBT with other null data"],
    [
      "change to a stranger",
      psbtOf([deposit, memo, { ...change, script: stranger.script }]),
      "a PSBT that pays someone else",
    ],
    [
      "a fee that is not named",
      psbtOf([deposit, memo, { script: stranger.script, amount: 100n }, change]),
      "a PSBT that pays someone else",
      { fees: [99n] },
    ],
    [
      "a fee twice",
      psbtOf([
        deposit,
        memo,
        { script: stranger.script, amount: 100n },
        { script: stranger.script, amount: 100n },
      ]),
      "a PSBT that pays someone else",
      { fees: [100n] },
    ],
    [
      "a stranger's input, so that its change looks like the sender's",
      psbtOf([deposit, memo, { ...change, script: stranger.script }], [
        { script: sender.script, amount: 100_000n },
        { script: stranger.script, amount: 546n },
      ]),
      "a PSBT with inputs that are not all of one sender",
    ],
    [
      "a signature that lets others choose the outputs",
      psbtOf([deposit, memo, change], [
        { script: sender.script, amount: 100_000n, sighashType: SigHash.SINGLE_ANYONECANPAY },
      ]),
      notCommitting,
    ],
    ["no inputs", psbtOf([deposit, memo, change], []), "a PSBT with inputs that are not all of one sender"],
    [
      "no change, so that it is the miners'",
      psbtOf([deposit, memo], [{ script: sender.script, amount: 100_000_000n }]),
      "a PSBT that leaves too much to the miners",
    ],
    [
      "another sender",
      psbtOf([deposit, memo], [{ script: stranger.script, amount: 100_000n }]),
      "a PSBT of another sender",
      named,
    ],
  ]

describe("a PSBT that an upstream made", () => {
  for (const [what, psbt, fault, more] of faulty) {
    it(`is not signed with ${what}`, () => {
      assert.strictEqual(psbtFault(psbt, { ...terms, ...more }), fault)
    })
  }

  it("can be signed where it pays the deposit, its named fees and its sender", () => {
    assert.isUndefined(psbtFault(psbtOf([deposit, memo, change]), terms))
    assert.isUndefined(psbtFault(psbtOf([deposit, memo]), { ...terms, ...named }))
    assert.isUndefined(psbtFault(psbtOf([change, memo, deposit, change]), { ...terms, ...named }))
    const fee = { script: stranger.script, amount: 100n }
    assert.isUndefined(psbtFault(psbtOf([deposit, memo, fee, change]), { ...terms, fees: [7n, 100n] }))
  })

  it("pays an address of its own chain, in whichever form the chain has", () => {
    const key = pubECDSA(new Uint8Array(32).fill(1))
    const legacy = p2pkh(key, { ...TEST_NETWORK, pubKeyHash: 0x71 })
    const cash = encodeCashAddr("bchtest", { kind: "keyHash", hash: legacy.hash })
    const segwit = p2wpkh(key, { ...TEST_NETWORK, bech32: "tltc" })
    for (
      const [chain, depositAddress, script] of [
        ["Litecoin", segwit.address, segwit.script],
        ["Dogecoin", legacy.address, legacy.script],
        ["BitcoinCash", cash, legacy.script],
        ["Dash", p2pkh(key, { ...TEST_NETWORK, pubKeyHash: 0x8c }).address, legacy.script],
      ] as const
    ) {
      const of = (chain: PsbtTerms["chain"], sighashType: number = SigHash.ALL) =>
        psbtFault(
          psbtOf([{ script, amount: 25_000n }, change, memo], [{
            script: sender.script,
            amount: 100_000n,
            sighashType,
          }]),
          { ...terms, chain, depositAddress: `${depositAddress}` },
        )
      const [own, other] = chain === "BitcoinCash" ? [withForkId, SigHash.ALL] : [SigHash.ALL, withForkId]
      assert.isUndefined(of(chain, own), chain)
      assert.strictEqual(of(chain, other), notCommitting, chain)
      assert.strictEqual(of("Bitcoin"), "a PSBT that does not pay the amount to the deposit address")
    }
  })
})
