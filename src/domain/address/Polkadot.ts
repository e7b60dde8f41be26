import { Result } from "effect"
import { decodeSs58 } from "./Ss58.ts"

const hexPublicKey = /^0x[0-9a-fA-F]{64}$/

/**
 * An address of Polkadot or its Asset Hub: ss58 of any prefix, or the 32-byte public key in hexadecimal, as
 * the upstream accepts them (chainflip/wire.md 5). It names no network.
 */
export const checkPolkadot = (text: string): Result.Result<unknown, string> => {
  if (!text.startsWith("0x")) return decodeSs58(text)
  return hexPublicKey.test(text)
    ? Result.succeed(text)
    : Result.fail("it must be an ss58 address, or 0x followed by 64 hexadecimal digits")
}
