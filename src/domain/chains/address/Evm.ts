import { Result } from "effect"
import { addr } from "micro-eth-signer"

const shape = /^0x[0-9a-fA-F]{40}$/
const zeroAddress = /^0x0{40}$/

/** 0x and 40 hexadecimal digits; mixed capitals must be EIP-55. Zero is refused (decision 9). It names no network. */
export const checkEvm = (text: string): Result.Result<string, string> => {
  if (!shape.test(text)) return Result.fail("it must be 0x followed by 40 hexadecimal digits")
  if (zeroAddress.test(text)) return Result.fail("it is the zero address, which has no owner")
  return addr.isValid(text)
    ? Result.succeed(text)
    : Result.fail("its capital letters do not match its EIP-55 checksum; check it for a typing error")
}

/** An address with the capitals of EIP-55, by which people compare it. */
export const withChecksum = (address: string): string => addr.addChecksum(address.toLowerCase())
