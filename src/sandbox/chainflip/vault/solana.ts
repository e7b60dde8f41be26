import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import * as P from "micro-packed"
import { NativeAmount } from "../../../domain/Amount.ts"
import { type AssetId, assetIds, chainOf, factsOf } from "../../../domain/Asset.ts"
import type { SolanaPayload } from "../../../domain/VaultSwapPayload.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { assetNumber, chainNumber } from "./contractIds.ts"
import { addressBytes, readDestination } from "./destination.ts"
import { decodeParameters, encodeParameters } from "./parameters.ts"
import { coinAccounts, mintIndex, type Sender, swapProgram, tokenAccounts } from "./solanaAccounts.ts"

const discriminatorLength = 8

const discriminator = (name: string): Uint8Array =>
  sha256(utf8ToBytes(`global:${name}`)).slice(0, discriminatorLength)

const coinSwap = discriminator("x_swap_native")
const tokenSwap = discriminator("x_swap_token")

const bytes = P.bytes(P.U32LE)

const swap = {
  amount: P.U64LE,
  destinationChain: P.U32LE,
  destinationAddress: bytes,
  destinationAsset: P.U32LE,
  message: P.optional(P.bool, P.struct({ message: bytes, gasBudget: P.U64LE })),
  parameters: bytes,
}
const coinArguments = P.struct({ ...swap, seed: bytes })
const tokenArguments = P.struct({ ...swap, decimals: P.U8, seed: bytes })

/** The most that a number of an instruction holds. */
export const maximumSolanaNumber = 2n ** 64n - 1n

/** The instruction that swaps an amount of at most 64 bits, as the gas budget. */
export const encodeSolana = (
  request: RequestedSwap,
  amount: NativeAmount,
  sender: Sender,
  registered: ReadonlyArray<string>,
) => {
  const { sourceAsset, destinationAsset, destinationAddress, ccm } = request
  const destination = chainOf(destinationAsset)
  const { contractAddress: mint, decimals } = factsOf(sourceAsset)
  const said = {
    amount,
    destinationChain: chainNumber(destination),
    destinationAddress: addressBytes(destination, destinationAddress),
    destinationAsset: assetNumber(destinationAsset),
    message: ccm === undefined
      ? undefined
      : { message: hexToBytes(ccm.message.slice(2)), gasBudget: ccm.gasBudget },
    parameters: encodeParameters(request, registered),
    seed: hexToBytes(sender.seed.slice(2)),
  }
  const data = mint === undefined
    ? concatBytes(coinSwap, coinArguments.encode(said))
    : concatBytes(tokenSwap, tokenArguments.encode({ ...said, decimals }))
  return {
    chain: "Solana",
    program_id: swapProgram,
    data: `0x${bytesToHex(data)}`,
    accounts: mint === undefined ? coinAccounts(sender) : tokenAccounts(sender, mint),
  }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.every((byte, index) => byte === other[index])

const findMint = (mint: string | undefined): AssetId | undefined =>
  assetIds.find((asset) => chainOf(asset) === "Solana" && factsOf(asset).contractAddress === mint)

/** What an instruction says. */
export const decodeSolana = (
  { accounts, data, programId }: SolanaPayload,
  registered: ReadonlyArray<string>,
): Result.Result<Omit<VaultSwap, "_tag">, string> =>
  Result.gen(function* () {
    if (programId !== swapProgram) return yield* Result.fail("its programId is not one of this sandbox")
    const instruction = hexToBytes(data.slice(2))
    const isToken = isSame(tokenSwap, instruction)
    const sourceAsset = findMint(isToken ? accounts[mintIndex]?.pubkey : undefined)
    if (sourceAsset === undefined || !(isToken || isSame(coinSwap, instruction))) {
      return yield* Result.fail("its data or accounts are not those of a swap")
    }
    const coded = instruction.slice(discriminatorLength)
    const read = yield* Result.try({
      try: () => isToken ? tokenArguments.decode(coded) : coinArguments.decode(coded),
      catch: () => "its data cannot be read",
    })
    const destination = yield* readDestination(
      read.destinationAsset,
      read.destinationAddress,
      read.destinationChain,
    )
    const ccm = read.message === undefined ? {} : {
      ccm: {
        message: `0x${bytesToHex(read.message.message)}`,
        gasBudget: NativeAmount.make(read.message.gasBudget),
      },
    }
    const parameters = yield* decodeParameters(
      "Solana",
      { ...destination, ...ccm },
      read.parameters,
      registered,
    )
    return { sourceAsset, amount: NativeAmount.make(read.amount), ...destination, ...parameters, ...ccm }
  })
