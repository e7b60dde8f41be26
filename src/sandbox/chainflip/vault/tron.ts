import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { TronPayload } from "#domain/swaps/VaultSwap.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { hex } from "../values.ts"
import { decodeCall, encodeCall, transferFunction } from "#domain/chains/payload/abi.ts"
import { decodeTronNote, encodeTronNote } from "#domain/chains/payload/tronNote.ts"
import { addressBytes, destinationOf } from "./destination.ts"
import { decodeParameters, encodeParameters } from "./parameters.ts"
import type { Affiliate } from "../../engine/State.ts"

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
      : `0x${bytesToHex(encodeCall(transferFunction, [vaultWord(), amount]))}`,
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
  const [to, sent = 0n] = decodeCall(transferFunction, hexToBytes(calldata.slice(2)))?.words ?? []
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
