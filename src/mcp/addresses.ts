import type { Address } from "../domain/Address.ts"
import { withChecksum } from "../domain/address/Evm.ts"
import type { Chain } from "../domain/Chain.ts"

const isEvm = (address: Address): boolean => /^0x[0-9a-fA-F]{40}$/.test(address)

/** Bech32 of Bitcoin, whose letters mean the same in either case. */
const isBech32 = (chain: Chain, address: Address): boolean =>
  chain === "Bitcoin" && /^(?:bc|tb|bcrt)1/i.test(address)

/** An address as wallets show it, for people to compare. */
export const shownAddress = (chain: Chain, address: Address): string => {
  if (isEvm(address)) return withChecksum(address)
  return isBech32(chain, address) ? address.toLowerCase() : address
}

/** How many characters of an address a human reads out. */
export const readCharacters = 6

/**
 * Whether these are the last characters of an address, as a human read them. Case counts where it is part of the
 * address (base58 and ss58), and not where it is a checksum or nothing at all.
 */
export const isReadOut = (chain: Chain, address: Address, read: string): boolean => {
  const end = shownAddress(chain, address).slice(-readCharacters)
  return isEvm(address) || isBech32(chain, address) ? end.toLowerCase() === read.toLowerCase() : end === read
}
