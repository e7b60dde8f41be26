import { bytesToHex, concatBytes, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js"
import { Result, Schema } from "effect"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import {
  decodeCall,
  encodeCall,
  transferFunction,
  vaultFunction,
  vaultFunctions,
} from "#domain/chains/payload/abi.ts"
import { assetNumber, chainNumber } from "#domain/chains/payload/contractNumbers.ts"
import { decodeSwapInstruction, encodeSwapInstruction } from "#domain/chains/payload/swapInstruction.ts"
import { encodeTronNote } from "#domain/chains/payload/tronNote.ts"
import { recordedOf } from "#test/providers/recorded.ts"
import { follow, type Row } from "#sandbox/follow.ts"
import { addressOf } from "./market.ts"

/**
 * Payloads of Chainflip's broker: those that were recorded, in whose bytes asset, destination, amount, refund address,
 * price, times, shares and sender follow the request. Of Tron no whole note was recorded: it is built
 * (chainflip/wire.md 2.3) around the parameters of an EVM payload.
 */

const read = recordedOf("chainflip")

/** What a payload is asked for, by the broker's parameters. */
export interface Encoding {
  readonly source: AssetId
  readonly destination: AssetId
  readonly destinationAddress: string
  readonly commissionBps: number
  readonly amount: bigint
  readonly refundAddress: string
  readonly minimumPriceX128: bigint
  readonly minimumOutput: bigint
  readonly retryBlocks: number
  readonly sender: { readonly from: string; readonly seed: string; readonly tokenAccount: string | undefined }
}

const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.replace(/^0x/, ""))
const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`

const accountOf = (chain: Chain, address: string): Uint8Array =>
  Result.getOrThrow(accountBytes(chain, address))

const littleEndian = (value: bigint | number, length: number): Uint8Array =>
  numberToBytesBE(value, length).toReversed()

const destinationBytes = ({ destination, destinationAddress }: Encoding): Uint8Array =>
  accountOf(chainOf(destination), destinationAddress)

const Bitcoin = Schema.Struct({ result: Schema.Struct({ nulldata_payload: Schema.String }) })

const bitcoin = read("broker-encode-bitcoin-v1-live").body
const bitcoinData = bytesOf(Schema.decodeUnknownSync(Bitcoin)(bitcoin).result.nulldata_payload)

/** Where members stand in the recorded null data, whose destination has 20 bytes. */
const nullData = { terms: 22, oracle: 40, chunks: 41, boost: 45, commission: 46, affiliates: 47 }

const encodeBitcoin = (asked: Encoding): ReadonlyArray<Row> => {
  const data = concatBytes(
    bitcoinData.slice(0, 1),
    Uint8Array.of(assetNumber(asked.destination)),
    destinationBytes(asked),
    littleEndian(asked.retryBlocks, nullData.oracle - nullData.terms - 16),
    littleEndian(asked.minimumOutput, 16),
    bitcoinData.slice(nullData.oracle, nullData.commission),
    Uint8Array.of(asked.commissionBps),
    bitcoinData.slice(nullData.affiliates),
  )
  return [["result.nulldata_payload", hexOf(data)]]
}

/** Recorded parameters, with the place of a refund address in them that the price follows. */
interface Recorded {
  readonly bytes: Uint8Array
  readonly refundAt: number
  readonly refundLength: number
}

const priceLength = 32

const parametersFor = (asked: Encoding, { bytes, refundAt, refundLength }: Recorded): Uint8Array =>
  concatBytes(
    bytes.slice(0, refundAt),
    accountOf(chainOf(asked.source), asked.refundAddress),
    littleEndian(asked.minimumPriceX128, priceLength),
    bytes.slice(refundAt + refundLength + priceLength),
  )

const Evm = Schema.Struct({ result: Schema.Struct({ calldata: Schema.String }) })

const evm = read("broker-encode-evm-token").body
const evmCall = decodeCall(vaultFunctions.native, bytesOf(Schema.decodeUnknownSync(Evm)(evm).result.calldata))
const evmParameters: Recorded = {
  bytes: evmCall?.strings.at(-1) ?? new Uint8Array(),
  refundAt: bytesToHex(evmCall?.strings.at(-1) ?? new Uint8Array())
    .indexOf("4cd85eb477b4820bbf10dc4689d8b344c2722eac") / 2,
  refundLength: 20,
}

const nothing = "0x0"
const hexNumber = (value: bigint): string => `0x${value.toString(16)}`

const encodeEvm = (asked: Encoding): ReadonlyArray<Row> => {
  const { amount, destination, source } = asked
  const token = factsOf(source).contractAddress
  const calldata = encodeCall(vaultFunction(source, false), [
    BigInt(chainNumber(chainOf(destination))),
    destinationBytes(asked),
    BigInt(assetNumber(destination)),
    ...(token === undefined ? [] : [BigInt(token), amount]),
    parametersFor(asked, evmParameters),
  ])
  return [
    ["result.chain", chainOf(source)],
    ["result.calldata", hexOf(calldata)],
    ["result.value", token === undefined ? hexNumber(amount) : nothing],
    ["result.source_token_address", token?.toLowerCase() ?? null],
  ]
}

const Solana = Schema.Struct({
  result: Schema.Struct({ data: Schema.String, accounts: Schema.Array(Schema.Unknown) }),
})

const solana = read("broker-encode-solana-live").body
const { accounts, data } = Schema.decodeUnknownSync(Solana)(solana).result
const instruction = decodeSwapInstruction(bytesOf(data))
const solanaParameters: Recorded = {
  bytes: instruction?.parameters ?? new Uint8Array(),
  refundAt: 5,
  refundLength: 32,
}

/** Recorded of SOL: the sender is the third account, and a token brings its mint and the account that it is taken from. */
const senderAt = 2

const encodeSolana = (asked: Encoding): ReadonlyArray<Row> => {
  const { amount, destination, sender, source } = asked
  const { contractAddress: mint, decimals } = factsOf(source)
  const more = mint === undefined
    ? []
    : [mint, sender.tokenAccount ?? addressOf("Solana", "token account", sender.from)]
      .map((pubkey) => ({ pubkey, is_signer: false, is_writable: true }))
  const coded = encodeSwapInstruction({
    amount,
    destinationChain: chainNumber(chainOf(destination)),
    destinationAddress: destinationBytes(asked),
    destinationAsset: assetNumber(destination),
    message: undefined,
    parameters: parametersFor(asked, solanaParameters),
    seed: bytesOf(sender.seed),
    ...(mint === undefined ? {} : { decimals }),
  })
  return [
    ["result.data", hexOf(coded)],
    ["result.accounts", [...accounts, ...more]],
    [`result.accounts.${senderAt}.pubkey`, sender.from],
  ]
}

const tron = read("broker-encode-tron-built").body
const tronVault = addressOf("Tron", "vault")

const encodeTron = (asked: Encoding): ReadonlyArray<Row> => {
  const { amount, destination, source } = asked
  const token = factsOf(source).contractAddress
  const transfer = encodeCall(transferFunction, [BigInt(hexOf(accountOf("Tron", tronVault))), amount])
  return [
    ["result.to", tronVault],
    ["result.calldata", token === undefined ? "0x" : hexOf(transfer)],
    ["result.value", token === undefined ? hexNumber(amount) : nothing],
    ["result.source_token_address?", token ?? null],
    [
      "result.note",
      hexOf(encodeTronNote({
        destinationAsset: destination,
        destination: destinationBytes(asked),
        message: undefined,
        parameters: parametersFor(asked, evmParameters),
      })),
    ],
  ]
}

/** The chains that payloads begin on, with what was recorded there and what of it follows the request. */
const encoders: Readonly<
  Partial<Record<Chain, readonly [recorded: unknown, rows: (asked: Encoding) => ReadonlyArray<Row>]>>
> = {
  Bitcoin: [bitcoin, encodeBitcoin],
  Ethereum: [evm, encodeEvm],
  Arbitrum: [evm, encodeEvm],
  Solana: [solana, encodeSolana],
  Tron: [tron, encodeTron],
}

/** The reply of the broker to a request for a payload. */
export const encodingReply = (asked: Encoding): unknown => {
  const encoder = encoders[chainOf(asked.source)]
  if (encoder === undefined) throw new Error(`Chainflip makes no payload of ${asked.source}`)
  return follow(encoder[0], encoder[1](asked))
}
