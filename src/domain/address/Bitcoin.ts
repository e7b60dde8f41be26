import { bech32, bech32m } from "@scure/base"
import { NETWORK, TEST_NETWORK } from "@scure/btc-signer"
import { Address } from "@scure/btc-signer/payment.js"
import { PubT, validatePubkey } from "@scure/btc-signer/utils.js"
import { Option, Result } from "effect"
import { Network } from "../Chain.ts"
import { checksumFault, decodeBase58Check, foreignCharacterFault, lengthFault } from "./Base58.ts"

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
  // Version 0 has the checksum of bech32; later versions have that of bech32m (BIP-350).
  if ((version === 0) !== (inBech32 !== undefined)) return checksumFault
  return version > lastWitnessVersion ? `nobody can own money of its witness version ${version}` : lengthFault
}

/** Why text that no Bitcoin network decodes is no address. */
export const explainBitcoin = (text: string): string => {
  if (witnessStart.test(text)) return explainWitness(text)
  if (legacyStart.test(text)) return explainLegacy(text)
  return "a Bitcoin address begins with 1, 3 or bc1 (with m, n, 2, tb1 or bcrt1 on test networks)"
}

const parameters = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  sandbox: { ...TEST_NETWORK, bech32: "bcrt" },
} as const satisfies Readonly<Record<Network, typeof NETWORK>>

/** Bitcoin's own names of the networks. */
const nativeName: Readonly<Record<Network, string>> = {
  mainnet: "mainnet",
  testnet: "testnet",
  sandbox: "regtest",
}

const naming = (networks: ReadonlyArray<Network>, conjunction: "and" | "or"): string =>
  networks.map((network) => nativeName[network]).join(` ${conjunction} `)

const coders = Network.literals.map((network) => ({
  network,
  begins: `${parameters[network].bech32}1`,
  coder: Address(parameters[network]),
}))

type Payee = ReturnType<ReturnType<typeof Address>["decode"]>

/**
 * The payee of an address, and its networks: a legacy address is the same on testnet and regtest. What begins as a
 * network's witness address is not tried on the others, where base58 is looked for in it in vain: 10 µs instead of 28.
 */
const readings = (text: string): ReadonlyArray<{ readonly network: Network; readonly payee: Payee }> => {
  const isWitness = witnessStart.test(text)
  return coders.flatMap(({ begins, coder, network }) =>
    isWitness && !text.toLowerCase().startsWith(begins) ? [] : Option.toArray(
      Option.map(Option.liftThrowable(coder.decode)(text), (payee) => ({ network, payee })),
    )
  )
}

const isOnCurve = (key: Uint8Array): boolean =>
  Result.isSuccess(Result.try(() => validatePubkey(key, PubT.schnorr)))

const payeeFault = (payee: Payee): string | undefined => {
  if (payee.type === "tr" && !isOnCurve(payee.pubkey)) {
    return "its taproot key is not valid, so nobody could spend the money"
  }
  if (payee.type === "p2a") return "it is an anchor address, from which anybody could spend the money"
  return undefined
}

/**
 * A Bitcoin address that belongs to one of the networks: P2PKH or P2SH in base58check, witness version 0 in bech32,
 * taproot in bech32m. Witness versions without a meaning so far, anchors, and taproot keys that are not on the curve
 * are refused: nobody, or everybody, could spend money sent there.
 */
export const checkBitcoin = (
  text: string,
  networks: ReadonlyArray<Network>,
): Result.Result<Payee, string> => {
  const found = readings(text)
  const [first] = found
  if (first === undefined) return Result.fail(explainBitcoin(text))
  const homes = found.map(({ network }) => network)
  if (!homes.some((network) => networks.includes(network))) {
    return Result.fail(
      `it is a ${naming(homes, "or")} address, but this broker serves ${naming(networks, "and")}`,
    )
  }
  const fault = payeeFault(first.payee)
  return fault === undefined ? Result.succeed(first.payee) : Result.fail(fault)
}
