import type { Address } from "#domain/chains/Address.ts"
import { withChecksum } from "#domain/chains/address/Evm.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { isInEitherCase } from "#domain/chains/address/accountBytes.ts"

const isEvm = (address: Address): boolean => /^0x[0-9a-fA-F]{40}$/.test(address)

/** An address as wallets show it, for people to compare. */
export const shownAddress = (chain: Chain, address: Address): string => {
  if (isEvm(address)) return withChecksum(address)
  return isInEitherCase(chain, address) ? address.toLowerCase() : address
}

/** How many characters of an address a human reads out. */
export const readCharacters = 6

/** Whether these are an address's last characters as read aloud; case counts in base58 and ss58 only. */
export const isReadOut = (chain: Chain, address: Address, read: string): boolean => {
  const end = shownAddress(chain, address).slice(-readCharacters)
  return isInEitherCase(chain, address) ? end.toLowerCase() === read.toLowerCase() : end === read
}
