import { Match } from "effect"
import { NETWORK, TEST_NETWORK } from "@scure/btc-signer"
import { Address as BitcoinAddress } from "@scure/btc-signer/payment.js"
import { base58, bech32, createBase58check } from "@scure/base"
import { schnorr } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Address } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, assetIds, chainOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, type Network } from "#domain/chains/Chain.ts"
import type { Payable, PaymentTerms } from "#domain/swaps/payment/Payable.ts"
import { EpochMillis } from "#domain/Time.ts"
import { encodeCashAddr } from "#domain/chains/address/BitcoinFamily.ts"
import { type BitcoinFamily } from "#domain/chains/catalogue/ChainRow.ts"

/** Numbers that are the same at each run: xorshift of 32 bits. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 1
  }

  next(): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return this.#state >>> 0
  }

  below(bound: number): number {
    return this.next() % bound
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  pick<A>(values: readonly [A, ...ReadonlyArray<A>]): A {
    return values[this.below(values.length)] ?? values[0]
  }

  bigint(digits: number): bigint {
    return BigInt(Array.from({ length: 1 + this.below(digits) }, () => this.below(10)).join(""))
  }
}

const bitcoinNetworks = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  sandbox: { ...TEST_NETWORK, bech32: "bcrt" },
}

const bitcoin = (dice: Dice, network: Network): string => {
  const coder = BitcoinAddress(bitcoinNetworks[network])
  const hash = (length: number) => Uint8Array.from(dice.bytes(length))
  return dice.pick<() => string>([
    () => coder.encode({ type: "wpkh", hash: hash(20) }),
    () => coder.encode({ type: "wsh", hash: hash(32) }),
    () => coder.encode({ type: "pkh", hash: hash(20) }),
    () => coder.encode({ type: "sh", hash: hash(20) }),
    () => coder.encode({ type: "tr", pubkey: Uint8Array.from(schnorr.getPublicKey(sha256(hash(32)))) }),
  ])()
}

const base58check = createBase58check(sha256)

const ofFamily = (dice: Dice, network: Network, { forms }: BitcoinFamily): string => {
  const { bech32: segwit, cashAddr, keyHash = 0 } = forms[network]
  const hash = dice.bytes(20)
  if (segwit !== undefined) return bech32.encode(segwit, [0, ...bech32.toWords(hash)])
  if (cashAddr !== undefined) return encodeCashAddr(cashAddr, { kind: "keyHash", hash })
  return base58check.encode(Uint8Array.of(...(keyHash > 0xff ? [keyHash >> 8] : []), keyHash & 0xff, ...hash))
}

const addressOf = (chain: Chain, dice: Dice, network: Network): string =>
  chain === "Bitcoin" ? bitcoin(dice, network) : Match.valueTags(chainFacts(chain).family, {
    bitcoin: (family) => ofFamily(dice, network, family),
    evm: () => `0x${bytesToHex(dice.bytes(20))}`,
    solana: () => base58.encode(dice.bytes(32)),
    tron: () => base58check.encode(Uint8Array.of(0x41, ...dice.bytes(20))),
    substrate: () => encodeSs58(0, dice.bytes(32)),
    xrpl: () => chainFacts(chain).nobody,
  })

/** The time at which all payments of the tests are asked for. */
export const now = EpochMillis.make(Date.UTC(2026, 10, 23))

/** A channel that takes deposits, and the terms of its payment. */
export interface RandomDeposit {
  readonly channel: Payable
  readonly terms: PaymentTerms
}

const someAmount = (dice: Dice): NativeAmount => NativeAmount.make(dice.bigint(30) + 1n)

const [firstAsset, ...otherAssets]: ReadonlyArray<AssetId> = assetIds()

/** A random channel of any asset and network, with or without an amount. */
export const randomDeposit = (
  dice: Dice,
  network: Network = dice.pick(["mainnet", "mainnet", "sandbox", "testnet"]),
) => {
  const sourceAsset = dice.pick([firstAsset ?? "btc.btc", ...otherAssets])
  const form = dice.below(4)
  return {
    terms: { sourceAsset, network },
    channel: {
      depositAddress: Address.make(addressOf(chainOf(sourceAsset), dice, network)),
      estimatedExpiryTime: EpochMillis.make(now + 1 + dice.below(86_400_000)),
      ...(form === 0 ? {} : { expectedDepositAmount: someAmount(dice) }),
      ...(form === 3 ? { exactAmount: someAmount(dice) } : {}),
      ...(dice.below(3) === 0 ? { minimumDeposit: someAmount(dice) } : {}),
    },
  } satisfies RandomDeposit
}
