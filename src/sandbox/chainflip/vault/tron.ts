import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import * as P from "micro-packed"
import { NativeAmount, noAmount } from "../../../domain/Amount.ts"
import { assetIds, chainOf, factsOf } from "../../../domain/Asset.ts"
import type { Chain } from "../../../domain/Chain.ts"
import type { TronPayload } from "../../../domain/VaultSwapPayload.ts"
import { vaultAddress } from "../../engine/addresses.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { hex } from "../encode.ts"
import { decodeCall, encodeCall } from "./abi.ts"
import { assetNumber, assetOfNumber } from "./contractIds.ts"
import { addressBytes, addressLength, readDestination } from "./destination.ts"
import { decodeParameters, encodeParameters } from "./parameters.ts"
import * as Scale from "./scale.ts"

/** A standard transfer of a token. */
const transfer = "transfer(address,uint256)"

/** Which chain's address follows. */
const variants: Readonly<Record<Chain, number>> = {
  Ethereum: 0,
  Polkadot: 1,
  Bitcoin: 2,
  Arbitrum: 3,
  Solana: 4,
  Assethub: 5,
  Tron: 6,
  Bsc: 7,
}

const note = (destination: Chain) => {
  const length = addressLength(destination)
  return P.struct({
    asset: P.U8,
    variant: P.U8,
    address: length === undefined ? Scale.bytes : P.bytes(length),
    message: Scale.option(P.struct({ gasBudget: P.U128LE, message: Scale.bytes })),
    parameters: Scale.bytes,
  })
}

const vaultWord = (): bigint => BigInt(`0x${bytesToHex(addressBytes("Tron", vaultAddress("Tron")))}`)

/** The transfer to the vault, and the note that says what it is for. */
export const encodeTron = (
  request: RequestedSwap,
  amount: NativeAmount,
  registered: ReadonlyArray<string>,
) => {
  const { sourceAsset, destinationAsset, destinationAddress, ccm } = request
  const destination = chainOf(destinationAsset)
  const coded = note(destination).encode({
    asset: assetNumber(destinationAsset),
    variant: variants[destination],
    address: addressBytes(destination, destinationAddress),
    message: ccm === undefined
      ? undefined
      : { gasBudget: ccm.gasBudget, message: hexToBytes(ccm.message.slice(2)) },
    parameters: encodeParameters(request, registered),
  })
  const token = factsOf(sourceAsset).contractAddress
  return {
    chain: "Tron",
    calldata: token === undefined ? "0x" : `0x${bytesToHex(encodeCall(transfer, [vaultWord(), amount]))}`,
    value: hex(token === undefined ? amount : noAmount),
    to: vaultAddress("Tron"),
    note: `0x${bytesToHex(coded)}`,
    ...(token === undefined ? {} : { source_token_address: token }),
  }
}

type Sent = Pick<VaultSwap, "sourceAsset" | "amount">

/** What a transaction moves to the vault: TRX by itself, or a token by a call. */
const readTransfer = (payload: TronPayload): Result.Result<Sent, string> => {
  const { calldata, sourceTokenAddress: token, value } = payload
  if (token === undefined) return Result.succeed({ sourceAsset: "trx.tron", amount: value })
  const sourceAsset = assetIds.find((asset) => factsOf(asset).contractAddress === token)
  const [to, sent = 0n] = decodeCall(transfer, hexToBytes(calldata.slice(2)))?.words ?? []
  const amount = NativeAmount.makeOption(sent)
  return sourceAsset === undefined || to !== vaultWord() || amount._tag === "None"
    ? Result.fail("its calldata is no transfer of a token to this sandbox's vault")
    : Result.succeed({ sourceAsset, amount: amount.value })
}

/** What a transaction with a note says. */
export const decodeTron = (
  payload: TronPayload,
  registered: ReadonlyArray<string>,
): Result.Result<Omit<VaultSwap, "_tag">, string> =>
  Result.gen(function* () {
    if (payload.to !== vaultAddress("Tron")) return yield* Result.fail("its `to` is not this sandbox's vault")
    const sent = yield* readTransfer(payload)
    const coded = hexToBytes(payload.note.slice(2))
    const destinationAsset = assetOfNumber(coded[0] ?? 0)
    if (destinationAsset === undefined) return yield* Result.fail("its note cannot be read")
    const read = yield* Result.try({
      try: () => note(chainOf(destinationAsset)).decode(coded),
      catch: () => "its note cannot be read",
    })
    const destination = yield* readDestination(read.asset, read.address)
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
