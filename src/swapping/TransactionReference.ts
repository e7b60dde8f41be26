import type { Chain } from "../domain/Chain.ts"

const hash = /^(?:0x)?([0-9a-fA-F]{64})$/
/** 64 bytes in base58. */
const signature = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/
const extrinsic = /^[0-9]{1,15}-[0-9]{1,15}$/

type Write = (text: string) => string | undefined

const plainHash: Write = (text) => hash.exec(text)?.[1]?.toLowerCase()
const evmHash: Write = (text) => {
  const digits = plainHash(text)
  return digits === undefined ? undefined : `0x${digits}`
}
const matching = (pattern: RegExp): Write => (text) => pattern.test(text) ? text : undefined

const forms: Readonly<Record<Chain, Write>> = {
  Bitcoin: plainHash,
  Tron: plainHash,
  Ethereum: evmHash,
  Arbitrum: evmHash,
  Bsc: evmHash,
  Solana: matching(signature),
  Polkadot: matching(extrinsic),
  Assethub: matching(extrinsic),
}

/**
 * A transaction in the spelling of its chain (chainflip/wire.md 3.6): hashes in small letters, with 0x on EVM chains
 * only. Undefined for text that is no transaction of this chain.
 */
export const referenceOn = (chain: Chain, text: string): string | undefined => forms[chain](text)

/** Whether a text has the chain's own spelling of transactions, apart from capitals: with 0x, or without. */
export const isWrittenAsOn = (chain: Chain, text: string): boolean =>
  referenceOn(chain, text)?.length === text.length
