import { Result } from "effect"
import { Hex } from "effect/encoding"
import { Address } from "../../../domain/Address.ts"
import { encodeSs58 } from "../../../domain/address/Ss58.ts"
import type { Chain } from "../../../domain/Chain.ts"

/** Polkadot's own network in ss58. */
const polkadotPrefix = 0

const publicKeyHex = /^0x([0-9a-fA-F]{64})$/

/** A deposit address as people use it: older networks give Asset Hub's as 0x hex (chainflip/wire.md 2.2). */
export const toDepositAddress = (chain: Chain, address: Address): Address => {
  if (chain !== "Assethub" && chain !== "Polkadot") return address
  const [, hex] = publicKeyHex.exec(address) ?? []
  if (hex === undefined) return address
  return Result.match(Hex.decode(hex), {
    onFailure: () => address,
    onSuccess: (publicKey) => Address.make(encodeSs58(polkadotPrefix, publicKey)),
  })
}
