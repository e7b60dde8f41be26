import { bech32, bech32m } from "@scure/base"
import { Result } from "effect"
import { decodeBase58Check } from "./Base58.ts"
import { checksumFault, foreignCharacterFault, lengthFault } from "./faults.ts"

const legacyStart = /^[123mn]/
const witnessStart = /^(?:bc|tb|bcrt)1/i
const witnessForeignCharacter = /[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/u
const legacyLength = 21
/** Taproot; versions 2 to 16 are reserved and have no rules for spending yet. */
const lastWitnessVersion = 1

const explainLegacy = (text: string): string =>
  Result.match(decodeBase58Check(text, legacyLength), {
    onFailure: (fault) => fault,
    onSuccess: () => "it is of a kind that Bitcoin does not have",
  })

const explainWitness = (text: string): string => {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return "it mixes capital and small letters"
  const foreign = foreignCharacterFault(lower.slice(lower.indexOf("1") + 1), witnessForeignCharacter)
  if (foreign !== undefined) return foreign
  const inBech32 = bech32.decodeUnsafe(lower)
  const decoded = inBech32 ?? bech32m.decodeUnsafe(lower)
  if (decoded === undefined) return checksumFault
  const [version] = decoded.words
  if (version === undefined) return lengthFault
  // Version 0 has the checksum of bech32, every later one that of bech32m (BIP-350).
  if ((version === 0) !== (inBech32 !== undefined)) return checksumFault
  return version > lastWitnessVersion ? `nobody can own money of its witness version ${version}` : lengthFault
}

/** Why text is no address of any Bitcoin network; only for text that none of them decodes. */
export const explainBitcoin = (text: string): string => {
  if (witnessStart.test(text)) return explainWitness(text)
  if (legacyStart.test(text)) return explainLegacy(text)
  return "a Bitcoin address begins with 1, 3 or bc1 (with m, n, 2, tb1 or bcrt1 on test networks)"
}
