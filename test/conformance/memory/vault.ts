import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base64 } from "@scure/base"
import { Script, Transaction } from "@scure/btc-signer"
import { OutScript } from "@scure/btc-signer/payment.js"
import { Result } from "effect"
import { payeeOn } from "#domain/chains/address/ownerless.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import type {
  BitcoinPayload,
  EvmPayload,
  SolanaPayload,
  TronPayload,
  VaultSwapPayload,
  VaultSwapRequest,
} from "#domain/swaps/VaultSwap.ts"
import { vaultAddress } from "#sandbox/engine/identifiers.ts"

/** The transactions of the network in memory: each has the mark of its payload in it. */

const toHex = (mark: string): string => `0x${bytesToHex(utf8ToBytes(mark))}`

const readHex = (hex: string): string => new TextDecoder().decode(hexToBytes(hex.slice(2)))

const scriptOf = (address: Address): Uint8Array =>
  OutScript.encode(Result.getOrThrow(payeeOn("Bitcoin", address)))

/** What a miner gets, and the money that the sender has. */
const minersFee = 1_000n
const change = 5_000n

const psbtOf = (sender: Address, deposit: Address, amount: bigint, mark: string): string => {
  const transaction = new Transaction({ allowUnknownOutputs: true })
  const script = scriptOf(sender)
  transaction.addInput({
    txid: "ab".repeat(32),
    index: 0,
    witnessUtxo: { script, amount: amount + change + minersFee },
  })
  transaction.addOutput({ script: scriptOf(deposit), amount })
  transaction.addOutput({ script: Script.encode(["RETURN", utf8ToBytes(mark)]), amount: 0n })
  transaction.addOutput({ script, amount: change })
  return base64.encode(transaction.toPSBT())
}

const bitcoin = ({ amount, sender }: VaultSwapRequest, mark: string): BitcoinPayload => {
  const depositAddress = vaultAddress("Bitcoin")
  return {
    _tag: "bitcoin",
    network: "Bitcoin",
    depositAddress,
    nulldataPayload: toHex(mark),
    amountNative: amount,
    ...(sender._tag === "bitcoin" && sender.address !== undefined
      ? { psbt: psbtOf(sender.address, depositAddress, amount, mark) }
      : {}),
  }
}

const evm = (
  network: EvmPayload["network"],
  { amount, sourceAsset }: VaultSwapRequest,
  mark: string,
  fee: bigint,
): EvmPayload => {
  const { contractAddress } = factsOf(sourceAsset)
  const value = NativeAmount.make((contractAddress === undefined ? amount : noAmount) + fee)
  return {
    _tag: "evm",
    network,
    to: vaultAddress(network),
    calldata: toHex(mark),
    value,
    ...(contractAddress === undefined ? {} : {
      sourceTokenAddress: Address.make(contractAddress),
      spender: vaultAddress(network, "spender"),
    }),
  }
}

/** A transfer, and a memo of another program. */
const solana = ({ amount, sender }: VaultSwapRequest, mark: string): SolanaPayload => {
  if (sender._tag !== "solana") throw new Error("A transaction on Solana needs its sender")
  const signer = { pubkey: sender.address, isSigner: true, isWritable: true }
  const vault = { pubkey: vaultAddress("Solana"), isSigner: false, isWritable: true }
  return {
    _tag: "solana",
    network: "Solana",
    instructions: [
      {
        programId: vaultAddress("Solana", "transfers"),
        accounts: [signer, vault],
        data: `0x${amount.toString(16).padStart(16, "0")}`,
      },
      { programId: vaultAddress("Solana", "memos"), accounts: [signer], data: toHex(mark) },
    ],
  }
}

const tron = ({ amount }: VaultSwapRequest, mark: string, fee: bigint): TronPayload => ({
  _tag: "tron",
  network: "Tron",
  to: vaultAddress("Tron"),
  calldata: "0x",
  value: NativeAmount.make(amount + fee),
  note: toHex(mark),
})

/** The chains that the network has vaults on. */
export const vaultChains = ["Bitcoin", "Ethereum", "Bsc", "Solana", "Tron"] as const

/** The payload for a request; undefined where there is no vault on its chain. */
export const payloadFor = (
  request: VaultSwapRequest,
  mark: string,
  fee: bigint,
): VaultSwapPayload | undefined => {
  const chain = vaultChains.find((chain) => chain === chainOf(request.sourceAsset))
  if (chain === undefined) return undefined
  if (chain === "Bitcoin") return bitcoin(request, mark)
  if (chain === "Solana") return solana(request, mark)
  return chain === "Tron" ? tron(request, mark, fee) : evm(chain, request, mark, fee)
}

/** The mark in the transaction of a payload. */
export const markIn = (payload: VaultSwapPayload): string => {
  if (payload._tag === "bitcoin") return readHex(payload.nulldataPayload)
  if (payload._tag === "xrpl") return readHex(`0x${payload.memoData}`)
  if (payload._tag === "solana") return readHex(payload.instructions.at(-1)?.data ?? "0x")
  return readHex(payload._tag === "tron" ? payload.note : payload.calldata)
}
