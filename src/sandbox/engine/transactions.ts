import { bytesToHex } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import type { Chain } from "../../domain/Chain.ts"
import { markedDigest } from "./digest.ts"
import type { Network } from "./State.ts"

/** What names a transaction: the seed, its block, and a number unlike that of any other transaction. */
export interface TransactionName {
  readonly seed: string
  readonly block: number
  readonly number: number
}

type Form = (chain: Chain, name: TransactionName) => string

const hash = (length: number, chain: Chain, name: TransactionName): Uint8Array =>
  markedDigest(length, name.seed, "transaction", chain, name.block, name.number)

const evm: Form = (chain, name) => `0x${bytesToHex(hash(32, chain, name))}`
const plainHex: Form = (chain, name) => bytesToHex(hash(32, chain, name))
const signature: Form = (chain, name) => base58.encode(hash(64, chain, name))
const extrinsic: Form = (_, name) => `${name.block}-${name.number}`

const forms: Readonly<Record<Chain, Form>> = {
  Bitcoin: plainHex,
  Ethereum: evm,
  Arbitrum: evm,
  Bsc: evm,
  Solana: signature,
  Assethub: extrinsic,
  Polkadot: extrinsic,
  Tron: plainHex,
}

/**
 * The reference of a transaction in the chain's own form (chainflip/wire.md 3.6): hashes and signatures begin with
 * the sandbox's mark 5a4db0, extrinsics are `block-index`.
 */
export const transactionReference = (chain: Chain, name: TransactionName): string => forms[chain](chain, name)

/** The reference of a new transaction in a block of a chain. */
export const nextTransaction = (network: Network, chain: Chain, block: number): string =>
  transactionReference(chain, { seed: network.seed, block, number: ++network.transactionCount })
