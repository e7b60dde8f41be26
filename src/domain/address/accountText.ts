import { bytesToHex } from "@noble/hashes/utils.js"
import { Result } from "effect"
import type { Chain } from "../Chain.ts"
import { accountBytes } from "./accountBytes.ts"

/** One text for an address, however it is written; text that is none of the chain stands for itself. */
export const accountText = (chain: Chain, address: string): string =>
  Result.match(accountBytes(chain, address), { onSuccess: bytesToHex, onFailure: () => address })
