import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { chainOf, factsOf } from "../../domain/Asset.ts"
import type { Chain } from "../../domain/Chain.ts"
import type { Egress } from "../../domain/Swap.ts"
import { vaultAddress } from "./addresses.ts"
import type { Payment } from "./State.ts"

/** EVM chains by their own numbers. */
const chainIds: Readonly<Partial<Record<Chain, number>>> = { Ethereum: 1, Arbitrum: 42_161, Bsc: 56 }

/** The token address that stands for the chain's own coin in calls of the vault. */
const nativeToken = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

const selector = bytesToHex(keccak_256(utf8ToBytes("transfer(address,address,uint256)"))).slice(0, 8)

const word = (hex: string): string => hex.replace(/^0x/u, "").toLowerCase().padStart(64, "0")

/**
 * The call that an aborted payment on an EVM chain would have made (chainflip/wire.md 3.7 transactionPayload):
 * a transfer by the vault of (token, recipient, amount). Nothing on other chains.
 */
export const failedCall = (
  { asset, destination, egress }: Payment,
): NonNullable<Egress["transactionPayload"]> | undefined => {
  const chain = chainOf(asset)
  const chainId = chainIds[chain]
  if (chainId === undefined) return undefined
  const token = factsOf(asset).contractAddress ?? nativeToken
  return {
    contract: vaultAddress(chain),
    value: "0",
    chainId,
    data: `0x${selector}${word(token)}${word(destination)}${word(egress.amount.toString(16))}`,
  }
}
