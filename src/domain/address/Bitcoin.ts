import { NETWORK, TEST_NETWORK } from "@scure/btc-signer"
import { Address } from "@scure/btc-signer/payment.js"
import { PubT, validatePubkey } from "@scure/btc-signer/utils.js"
import { Option, Result } from "effect"
import { Network } from "../Chain.ts"
import { explainBitcoin } from "./BitcoinFault.ts"

const parameters = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  sandbox: { ...TEST_NETWORK, bech32: "bcrt" },
} as const satisfies Readonly<Record<Network, typeof NETWORK>>

/** What Bitcoin itself calls the networks. */
const nativeName: Readonly<Record<Network, string>> = {
  mainnet: "mainnet",
  testnet: "testnet",
  sandbox: "regtest",
}

const naming = (networks: ReadonlyArray<Network>, conjunction: "and" | "or"): string =>
  networks.map((network) => nativeName[network]).join(` ${conjunction} `)

const coders = Network.literals.map((network) => ({ network, coder: Address(parameters[network]) }))

type Payee = ReturnType<ReturnType<typeof Address>["decode"]>

/** Who is paid, and on which networks: a legacy address is the same on testnet and regtest. */
const readings = (text: string): ReadonlyArray<{ readonly network: Network; readonly payee: Payee }> =>
  coders.flatMap(({ network, coder }) =>
    Option.toArray(Option.map(Option.liftThrowable(coder.decode)(text), (payee) => ({ network, payee })))
  )

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
 * A Bitcoin address that belongs to one of the networks: P2PKH or P2SH in base58check, witness version 0 in
 * bech32, taproot in bech32m. Refused are witness versions without a meaning so far, anchors, and taproot
 * keys that are not on the curve: nobody, or everybody, could spend what is sent there.
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
