import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { vaultAddress } from "../../engine/identifiers.ts"
import { programAddress } from "./programAddress.ts"

/** An account of an instruction, as the wire has it. */
export interface WireAccount {
  readonly pubkey: string
  readonly is_signer: boolean
  readonly is_writable: boolean
}

const systemProgram = "11111111111111111111111111111111"
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const associatedTokenProgram = "ATokenGPvbdGJxd6zaPQVtPJWDkJhNSHYd5aJmb4Jcd"

/** The program that takes swaps; the other accounts are of the sandbox's kind, too. */
export const swapProgram = vaultAddress("Solana", "swap program")
const vaultData = vaultAddress("Solana", "vault data")
const aggregateKey = vaultAddress("Solana")
const programData = vaultAddress("Solana", "swap program data")
const supportedToken = vaultAddress("Solana", "supported token")

const key = (address: string): Uint8Array => base58.decode(address)

/** Where an owner keeps a token, if nowhere else. */
const tokenAccountOf = (owner: string, mint: string): string =>
  base58.encode(
    programAddress(key(associatedTokenProgram), [key(owner), key(tokenProgram), key(mint)]),
  )

/** The account that the event of a swap is written to: one for each sender and seed. */
const eventAccount = (from: string, seed: string): string =>
  base58.encode(
    programAddress(key(swapProgram), [utf8ToBytes("swap_event"), key(from), hexToBytes(seed.slice(2))]),
  )

const reads = (pubkey: string): WireAccount => ({ pubkey, is_signer: false, is_writable: false })
const writes = (pubkey: string): WireAccount => ({ pubkey, is_signer: false, is_writable: true })
const signs = (pubkey: string): WireAccount => ({ pubkey, is_signer: true, is_writable: true })

/** Who sends, and with which seed. */
export interface Sender {
  readonly from: string
  readonly seed: string
  /** Absent: the sender's own account of the token. */
  readonly tokenAccount?: string
}

/** The accounts of the instruction that swaps SOL. */
export const coinAccounts = ({ from, seed }: Sender): ReadonlyArray<WireAccount> => [
  reads(vaultData),
  writes(aggregateKey),
  signs(from),
  writes(eventAccount(from, seed)),
  writes(programData),
  reads(systemProgram),
]

/** Where the mint stands among `tokenAccounts`. */
export const mintIndex = 8

/** The accounts of the instruction that swaps a token. */
export const tokenAccounts = (
  { from, seed, tokenAccount }: Sender,
  mint: string,
): ReadonlyArray<WireAccount> => [
  reads(vaultData),
  writes(tokenAccountOf(aggregateKey, mint)),
  signs(from),
  writes(tokenAccount ?? tokenAccountOf(from, mint)),
  writes(eventAccount(from, seed)),
  writes(programData),
  reads(supportedToken),
  reads(tokenProgram),
  reads(mint),
  reads(systemProgram),
]
