import { assert } from "@effect/vitest"
import { Result, Schema } from "effect"
import { type Address, checkAddress } from "../../../src/domain/Address.ts"
import { noAmount } from "../../../src/domain/Amount.ts"
import { chainOf, factsOf } from "../../../src/domain/Asset.ts"
import type { Chain, Network } from "../../../src/domain/Chain.ts"
import {
  type BitcoinPayload,
  type EvmPayload,
  type SolanaPayload,
  type TronPayload,
  VaultSwapPayload,
  type VaultSwapRequest,
} from "../../../src/domain/VaultSwap.ts"

/** Nodes pass on no more null data than this. */
const longestNullData = 80

const byteCount = (hex: string): number => (hex.length - 2) / 2

const assertAddress = (chain: Chain, networks: ReadonlyArray<Network>, address: Address): void => {
  const checked = checkAddress(chain, networks, address)
  assert.isTrue(Result.isSuccess(checked), `${Result.getFailure(checked)}`)
}

/** A coin goes with the transaction itself, a token by a call of its contract. */
const assertMoves = (
  { sourceTokenAddress, value }: EvmPayload | TronPayload,
  { amount, sourceAsset }: VaultSwapRequest,
): void => {
  const isToken = factsOf(sourceAsset).contractAddress !== undefined
  assert.strictEqual(value, isToken ? noAmount : amount)
  assert.strictEqual(sourceTokenAddress !== undefined, isToken)
}

const assertBitcoin = (
  { amountNative, depositAddress, nulldataPayload }: BitcoinPayload,
  { amount }: VaultSwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  assertAddress("Bitcoin", networks, depositAddress)
  assert.strictEqual(amountNative, amount)
  assert.isAtMost(byteCount(nulldataPayload), longestNullData)
  assert.isAbove(byteCount(nulldataPayload), 0)
}

const assertSolana = (
  { instructions }: SolanaPayload,
  { sender }: VaultSwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  const accounts = instructions.flatMap(({ accounts }) => accounts)
  for (
    const address of [
      ...instructions.map(({ programId }) => programId),
      ...accounts.map(({ pubkey }) => pubkey),
    ]
  ) {
    assertAddress("Solana", networks, address)
  }
  const signers = accounts.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)
  assert.isTrue(sender._tag === "solana" && signers.includes(sender.address), "the sender signs")
  assert.isTrue(instructions.every(({ data }) => byteCount(data) > 0))
}

/** What a wallet can make a transaction of that moves the amount of the request and nothing else. */
export const assertPayload = (
  payload: VaultSwapPayload,
  request: VaultSwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  assert.strictEqual(payload.network, chainOf(request.sourceAsset))
  assert.isTrue(Schema.is(VaultSwapPayload)(payload), "a payload of the port")
  if (payload.network === "Bitcoin") return assertBitcoin(payload, request, networks)
  if (payload.network === "Solana") return assertSolana(payload, request, networks)
  assertAddress(payload.network, networks, payload.to)
  assertMoves(payload, request)
  if (payload.network === "Tron") assert.isAbove(byteCount(payload.note), 0)
}
