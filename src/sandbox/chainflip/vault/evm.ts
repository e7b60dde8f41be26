import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { EvmPayload, TronPayload } from "#domain/swaps/VaultSwap.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { hex } from "../values.ts"
import * as Abi from "#domain/chains/payload/abi.ts"
import { assetNumber, chainNumber, networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import {
  addressBytes,
  decodeParameters,
  destinationOf,
  encodeParameters,
  readDestination,
} from "./parameters.ts"
import type { Affiliate } from "../../engine/State.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { decodeTronNote, encodeTronNote } from "#domain/chains/payload/tronNote.ts"

/** The contract of a token in small letters; undefined for a chain's own coin. */
export const tokenOf = (asset: AssetId): string | undefined => factsOf(asset).contractAddress?.toLowerCase()

export const encodeEvm = (
  request: RequestedSwap,
  amount: NativeAmount,
  registered: ReadonlyArray<Affiliate>,
) => {
  const { sourceAsset, destinationAsset, destinationAddress, ccm } = request
  const destination = chainOf(destinationAsset)
  const token = tokenOf(sourceAsset)
  const args: ReadonlyArray<Abi.Argument> = [
    BigInt(chainNumber(destination)),
    addressBytes(destination, destinationAddress),
    BigInt(assetNumber(destinationAsset)),
    ...(ccm === undefined ? [] : [hexToBytes(ccm.message.slice(2)), ccm.gasBudget]),
    ...(token === undefined ? [] : [BigInt(token), amount]),
    encodeParameters(request, registered),
  ]
  return {
    chain: chainOf(sourceAsset),
    calldata: `0x${bytesToHex(Abi.encodeCall(Abi.vaultFunction(sourceAsset, ccm !== undefined), args))}`,
    value: hex(token === undefined ? amount : noAmount),
    to: vaultAddress(chainOf(sourceAsset)),
    ...(token === undefined ? {} : { source_token_address: token }),
  }
}

const findCall = (calldata: Uint8Array) => {
  for (const [name, signature] of Object.entries(Abi.vaultFunctions)) {
    const found = Abi.decodeCall(signature, calldata)
    if (found !== undefined) {
      return { ...found, isToken: name.startsWith("token"), hasMessage: name.endsWith("Message") }
    }
  }
  return undefined
}

const messageOf = ({ strings, words }: Abi.Arguments): Result.Result<RequestedSwap["ccm"], string> => {
  const [, message = new Uint8Array()] = strings
  return Result.fromOption(NativeAmount.makeOption(words[2] ?? 0n), () => "its gas budget is too large").pipe(
    Result.map((gasBudget) => ({ message: `0x${bytesToHex(message)}`, gasBudget })),
  )
}

const findToken = (network: EvmPayload["network"], address: bigint): AssetId | undefined =>
  networkAssets.find((asset) => chainOf(asset) === network && BigInt(tokenOf(asset) ?? 0n) === address)

/** The swap that a call asks for; an amount of the chain's own coin is the transaction's value. */
export const decodeEvm = (
  { calldata, network, to, value }: EvmPayload,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<Omit<VaultSwap, "_tag">, string> =>
  Result.gen(function* () {
    if (to.toLowerCase() !== vaultAddress(network)) {
      return yield* Result.fail("its `to` is not this sandbox's vault")
    }
    const call = findCall(hexToBytes(calldata.slice(2)))
    if (call === undefined) return yield* Result.fail("its calldata is no call of the vault's contract")
    const { hasMessage, isToken, strings, words } = call
    const [token = 0n, sent = 0n] = words.slice(-2)
    const sourceAsset = isToken ? findToken(network, token) : chainFacts(network).coin
    const amount = NativeAmount.makeOption(isToken ? sent : value)
    if (sourceAsset === undefined || amount._tag === "None") {
      return yield* Result.fail("its calldata names a token that is not swapped here, or too much of one")
    }
    const destination = yield* readDestination(
      Number(words[1]),
      strings[0] ?? new Uint8Array(),
      Number(words[0]),
    )
    const message = hasMessage ? yield* messageOf(call) : undefined
    const ccm = message === undefined ? {} : { ccm: message }
    const coded = strings.at(-1) ?? new Uint8Array()
    const parameters = yield* decodeParameters(network, { ...destination, ...ccm }, coded, registered)
    return { sourceAsset, amount: amount.value, ...destination, ...parameters, ...ccm }
  })

const vaultWord = (): bigint => BigInt(`0x${bytesToHex(addressBytes("Tron", vaultAddress("Tron")))}`)

/** The transfer to the vault, with the note that tells its purpose. */
export const encodeTron = (
  request: RequestedSwap,
  amount: NativeAmount,
  registered: ReadonlyArray<Affiliate>,
) => {
  const { sourceAsset, destinationAsset, destinationAddress, ccm } = request
  const destination = chainOf(destinationAsset)
  const coded = encodeTronNote({
    destinationAsset,
    destination: addressBytes(destination, destinationAddress),
    message: ccm === undefined
      ? undefined
      : { gasBudget: ccm.gasBudget, message: hexToBytes(ccm.message.slice(2)) },
    parameters: encodeParameters(request, registered),
  })
  const token = factsOf(sourceAsset).contractAddress
  return {
    chain: "Tron",
    calldata: token === undefined
      ? "0x"
      : `0x${bytesToHex(Abi.encodeCall(Abi.transferFunction, [vaultWord(), amount]))}`,
    value: hex(token === undefined ? amount : noAmount),
    to: vaultAddress("Tron"),
    note: `0x${bytesToHex(coded)}`,
    ...(token === undefined ? {} : { source_token_address: token }),
  }
}

type Sent = Pick<VaultSwap, "sourceAsset" | "amount">

/** The asset and amount that a transaction moves to the vault: TRX by itself, or a token by a call. */
const readTransfer = (payload: TronPayload): Result.Result<Sent, string> => {
  const { calldata, sourceTokenAddress: token, value } = payload
  if (token === undefined) return Result.succeed({ sourceAsset: "trx.tron", amount: value })
  const sourceAsset = networkAssets.find((asset) => factsOf(asset).contractAddress === token)
  const [to, sent = 0n] = Abi.decodeCall(Abi.transferFunction, hexToBytes(calldata.slice(2)))?.words ?? []
  const amount = NativeAmount.makeOption(sent)
  return sourceAsset === undefined || to !== vaultWord() || amount._tag === "None"
    ? Result.fail("its calldata is no transfer of a token to this sandbox's vault")
    : Result.succeed({ sourceAsset, amount: amount.value })
}

export const decodeTron = (
  payload: TronPayload,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<Omit<VaultSwap, "_tag">, string> =>
  Result.gen(function* () {
    if (payload.to !== vaultAddress("Tron")) return yield* Result.fail("its `to` is not this sandbox's vault")
    const sent = yield* readTransfer(payload)
    const read = decodeTronNote(hexToBytes(payload.note.slice(2)))
    if (read === undefined) return yield* Result.fail("its note cannot be read")
    const destination = yield* destinationOf(read.destinationAsset, read.destination)
    const ccm = read.message === undefined ? {} : {
      ccm: {
        gasBudget: NativeAmount.make(read.message.gasBudget),
        message: `0x${bytesToHex(read.message.message)}`,
      },
    }
    const parameters = yield* decodeParameters(
      "Tron",
      { ...destination, ...ccm },
      read.parameters,
      registered,
    )
    return { ...sent, ...destination, ...parameters, ...ccm }
  })
