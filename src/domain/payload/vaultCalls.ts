import type { AssetId } from "../Asset.ts"
import { factsOf } from "../Asset.ts"

/** The functions of an EVM chain's vault that swap: of its own coin or a token, with a message or not. */
export const vaultFunctions = {
  native: "xSwapNative(uint32,bytes,uint32,bytes)",
  token: "xSwapToken(uint32,bytes,uint32,address,uint256,bytes)",
  nativeWithMessage: "xCallNative(uint32,bytes,uint32,bytes,uint256,bytes)",
  tokenWithMessage: "xCallToken(uint32,bytes,uint32,bytes,uint256,address,uint256,bytes)",
} as const

/** A standard transfer of a token. */
export const transferFunction = "transfer(address,uint256)"

/** The function that a swap from an asset calls. */
export const vaultFunction = (sourceAsset: AssetId, hasMessage: boolean) => {
  const isToken = factsOf(sourceAsset).contractAddress !== undefined
  if (hasMessage) return vaultFunctions[isToken ? "tokenWithMessage" : "nativeWithMessage"]
  return vaultFunctions[isToken ? "token" : "native"]
}
