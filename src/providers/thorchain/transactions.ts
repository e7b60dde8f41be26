import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import { encodeCall, transferFunction } from "#domain/chains/payload/abi.ts"
import {
  type EvmPayload,
  kindOf,
  type OutputRole,
  type VaultSwapPayload,
  type VaultSwapRequest,
} from "#domain/swaps/VaultSwap.ts"
import { addressAt } from "../upstream/channelNumbers.ts"
import { malformed } from "../upstream/decode.ts"
import { refused } from "../upstream/failures.ts"
import type { Family } from "./networks.ts"

export interface Receiver {
  readonly vault: Address
  readonly router?: Address
}

const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`

/** An address of an EVM chain or of Tron as a word of a call. */
const wordOf = (chain: "Ethereum" | "Tron", address: string): bigint =>
  Result.match(accountBytes(chain, address), {
    onSuccess: (bytes) => BigInt(hexOf(bytes)),
    onFailure: () => 0n,
  })

/** The contract's function that takes a payment with a memo, and none after a time (thorchain/wire.md 3). */
export const depositFunction = "depositWithExpiry(address,address,uint256,string,uint256)"

interface Payment {
  readonly request: VaultSwapRequest
  readonly receiver: Receiver
  readonly memo: string
  /** Seconds since the epoch, by the network's clock. */
  readonly expiry: number
}

const noContract = (family: Family, request: VaultSwapRequest) =>
  malformed(`router: expected the contract that takes ${request.sourceAsset} for ${family.name}, got none`)

const toEvm = (
  family: Family,
  network: EvmPayload["network"],
  { expiry, memo, receiver: { router, vault }, request }: Payment,
): Result.Result<VaultSwapPayload, MalformedBody> => {
  const { amount, sourceAsset } = request
  const token = factsOf(sourceAsset).contractAddress
  const bytes = utf8ToBytes(memo)
  if (token === undefined && !family.coinByContract.includes(network)) {
    return Result.succeed({ _tag: "evm", network, to: vault, calldata: hexOf(bytes), value: amount })
  }
  if (router === undefined) return noContract(family, request)
  const calldata = hexOf(encodeCall(depositFunction, [
    wordOf("Ethereum", vault),
    token === undefined ? 0n : wordOf("Ethereum", token),
    amount,
    bytes,
    BigInt(expiry),
  ]))
  return Result.map(
    token === undefined ? Result.succeed(undefined) : addressAt("token", network, token),
    (token) => ({
      _tag: "evm",
      network,
      to: router,
      calldata,
      value: token === undefined ? amount : noAmount,
      ...(token === undefined ? {} : { sourceTokenAddress: token, spender: router }),
    }),
  )
}

const toTron = (
  { memo, receiver: { vault }, request }: Payment,
): Result.Result<VaultSwapPayload, MalformedBody> => {
  const { amount, sourceAsset } = request
  const token = factsOf(sourceAsset).contractAddress
  const note = hexOf(utf8ToBytes(memo))
  if (token === undefined) {
    return Result.succeed({ _tag: "tron", network: "Tron", to: vault, calldata: "0x", value: amount, note })
  }
  const calldata = hexOf(encodeCall(transferFunction, [wordOf("Tron", vault), amount]))
  return Result.map(
    addressAt("token", "Tron", token),
    (sourceTokenAddress) => ({
      _tag: "tron",
      network: "Tron",
      to: vault,
      calldata,
      value: noAmount,
      note,
      sourceTokenAddress,
    }),
  )
}

/** Outputs as nodes advise: change goes back to the sender of the first input, who also gets what is sent back. */
const outputs: ReadonlyArray<typeof OutputRole.Type> = ["deposit", "change", "nulldata"]

const toUtxo = (network: Chain, { memo, receiver: { vault }, request }: Payment): VaultSwapPayload => ({
  _tag: "bitcoin",
  network,
  depositAddress: vault,
  nulldataPayload: hexOf(utf8ToBytes(memo)),
  amountNative: request.amount,
  outputs,
})

const toXrpl = (network: Chain, { memo, receiver: { vault }, request }: Payment): VaultSwapPayload => ({
  _tag: "xrpl",
  network,
  depositAddress: vault,
  amountNative: request.amount,
  memoData: bytesToHex(utf8ToBytes(memo)).toUpperCase(),
})

/** The transaction of a payment: the amount is the one that was asked for, to the last digit. */
export const toPayload = (
  family: Family,
  payment: Payment,
): Result.Result<VaultSwapPayload, ProviderErrorReason> => {
  const chain = chainOf(payment.request.sourceAsset)
  const kind = family.sources.includes(chain) ? kindOf(chain) : undefined
  if (kind === "bitcoin") return Result.succeed(toUtxo(chain, payment))
  if (kind === "xrpl") return Result.succeed(toXrpl(chain, payment))
  if (kind === "evm") return toEvm(family, chain, payment)
  if (kind === "tron") return toTron(payment)
  return Result.fail(refused("sourceAsset", `cannot begin a swap at ${family.name}`))
}
