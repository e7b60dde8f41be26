import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { NativeAmount } from "../../../domain/Amount.ts"
import { type AssetId, assetIds, chainOf, factsOf } from "../../../domain/Asset.ts"
import type { SolanaPayload } from "../../../domain/VaultSwapPayload.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { assetNumber, chainNumber } from "../../../domain/payload/contractNumbers.ts"
import { decodeSwapInstruction, encodeSwapInstruction } from "../../../domain/payload/swapInstruction.ts"
import { addressBytes, readDestination } from "./destination.ts"
import { decodeParameters, encodeParameters } from "./parameters.ts"
import { coinAccounts, mintIndex, type Sender, swapProgram, tokenAccounts } from "./solanaAccounts.ts"

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
  const data = encodeSwapInstruction(mint === undefined ? said : { ...said, decimals })
  return {
    chain: "Solana",
    program_id: swapProgram,
    data: `0x${bytesToHex(data)}`,
    accounts: mint === undefined ? coinAccounts(sender) : tokenAccounts(sender, mint),
  }
}

const findMint = (mint: string | undefined): AssetId | undefined =>
  assetIds.find((asset) => chainOf(asset) === "Solana" && factsOf(asset).contractAddress === mint)

/** What an instruction says. */
export const decodeSolana = (
  { accounts, data, programId }: SolanaPayload,
  registered: ReadonlyArray<string>,
): Result.Result<Omit<VaultSwap, "_tag">, string> =>
  Result.gen(function* () {
    if (programId !== swapProgram) return yield* Result.fail("its programId is not one of this sandbox")
    const read = decodeSwapInstruction(hexToBytes(data.slice(2)))
    if (read === undefined) return yield* Result.fail("its data cannot be read")
    const isToken = read.decimals !== undefined
    const sourceAsset = findMint(isToken ? accounts[mintIndex]?.pubkey : undefined)
    if (sourceAsset === undefined || isToken !== (factsOf(sourceAsset).contractAddress !== undefined)) {
      return yield* Result.fail("its accounts are not those of a swap")
    }
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
