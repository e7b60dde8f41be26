import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { base58, createBase58check } from "@scure/base"
import { Result } from "effect"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, type FamilyName } from "#domain/chains/Chain.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { addressLength, assetOfNumber, chainNumber } from "#domain/chains/payload/contractNumbers.ts"

export type Destination = Pick<RequestedSwap, "destinationAsset" | "destinationAddress">

const base58check = createBase58check(sha256)
const polkadotPrefix = 0

const writers: Readonly<Record<FamilyName, (bytes: Uint8Array) => string>> = {
  bitcoin: (bytes) => new TextDecoder().decode(bytes),
  evm: (bytes) => `0x${bytesToHex(bytes)}`,
  solana: (bytes) => base58.encode(bytes),
  tron: (bytes) => base58check.encode(concatBytes(Uint8Array.of(0x41), bytes)),
  substrate: (bytes) => encodeSs58(polkadotPrefix, bytes),
  // Chainflip pays to no account there.
  xrpl: bytesToHex,
}

export const addressBytes = (chain: Chain, address: string): Uint8Array =>
  Result.getOrThrow(accountBytes(chain, address))

export const addressText = (chain: Chain, bytes: Uint8Array): Result.Result<string, string> => {
  const length = addressLength(chain)
  return length === undefined || bytes.length === length
    ? Result.succeed(writers[chainFacts(chain).family._tag](bytes))
    : Result.fail(`an address of ${chain} has ${length} bytes, not ${bytes.length}`)
}

/** The destination with this asset and the bytes of its address. */
export const destinationOf = (
  destinationAsset: AssetId,
  bytes: Uint8Array,
): Result.Result<Destination, string> =>
  Result.map(addressText(chainOf(destinationAsset), bytes), (destinationAddress) => ({
    destinationAsset,
    destinationAddress,
  }))

/** The destination with the number of its asset, the bytes of its address and the number of its chain. */
export const readDestination = (
  number: number,
  bytes: Uint8Array,
  chain: number,
): Result.Result<Destination, string> => {
  const destinationAsset: AssetId | undefined = assetOfNumber(number)
  if (destinationAsset === undefined) return Result.fail(`there is no asset of the number ${number}`)
  return chain === chainNumber(chainOf(destinationAsset))
    ? destinationOf(destinationAsset, bytes)
    : Result.fail("its destination asset and chain do not belong together")
}
