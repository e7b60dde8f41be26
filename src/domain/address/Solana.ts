import { Result } from "effect"
import { decodeBase58OfLength } from "./Base58.ts"

const publicKeyLength = 32

/** A Solana address: a public key in base58. It carries no checksum and names no network. */
export const checkSolana = (text: string): Result.Result<Uint8Array, string> =>
  decodeBase58OfLength(text, publicKeyLength)
