import { sha256 } from "@noble/hashes/sha2.js"
import { base58, createBase58check } from "@scure/base"
import { Option } from "effect"
import { Hex } from "effect/encoding"
import type { Chain } from "#domain/chains/Chain.ts"

const base58check = createBase58check(sha256)

/** The first byte of every Tron account, in hex. */
const tronVersion = "41"

/** The hex digits of a text, with or without 0x, if there are exactly `digits` of them. */
const hexOf = (text: string, digits: number): Option.Option<string> =>
  Option.filter(
    Option.some(text.replace(/^0x/, "")),
    (hex) => hex.length === digits && /^[0-9a-fA-F]+$/.test(hex),
  )

const bytesOf = (hex: Option.Option<string>) =>
  Option.flatMap(hex, (text) => Option.getSuccess(Hex.decode(text)))

const evm = (text: string) => Option.map(hexOf(text, 40), (hex) => `0x${hex}`)

const solana = (text: string) => Option.map(bytesOf(hexOf(text, 64)), (bytes) => base58.encode(bytes))

const tron = (text: string) =>
  hexOf(text, 40).pipe(
    Option.map((account) => `${tronVersion}${account}`),
    Option.orElse(() => hexOf(text, 42)),
    bytesOf,
    Option.map((bytes) => base58check.encode(bytes)),
  )

const spellings: { readonly [Key in Chain]?: (text: string) => Option.Option<string> } = {
  Ethereum: evm,
  Arbitrum: evm,
  Bsc: evm,
  Solana: solana,
  Tron: tron,
}

/**
 * An address as its chain writes it, where the upstream takes hexadecimal (chainflip/wire.md 2.2, 5); any other text
 * unchanged. The rules of `/swap` check whether it is an address.
 */
export const addressText = (chain: Chain, text: string): string =>
  Option.getOrElse(spellings[chain]?.(text) ?? Option.none(), () => text)
