import { assert } from "@effect/vitest"
import { Duration, Effect, Result, Schema } from "effect"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import { type Address, checkAddress } from "#domain/chains/Address.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Chain, Network } from "#domain/chains/Chain.ts"
import {
  type BitcoinPayload,
  type EncodedPayload,
  type EvmPayload,
  type SolanaPayload,
  type TronPayload,
  VaultSwapPayload,
  type VaultSwapRequest,
  type XrplPayload,
} from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { payloadFault } from "#providers/validateResponses.ts"
import type { Payloads } from "../Fixtures.ts"
import type { Kit } from "./kit.ts"

/** Nodes pass on no more null data than this. */
const longestNullData = 80

/** A payload that stays good for longer than a week says nothing about when it is stale. */
const longestLifetime = Duration.days(7)

const byteCount = (hex: string): number => (hex.length - 2) / 2

const assertAddress = (chain: Chain, networks: ReadonlyArray<Network>, address: Address): void => {
  const checked = checkAddress(chain, networks, address)
  assert.isTrue(Result.isSuccess(checked), `${Result.getFailure(checked)}`)
}

const isCoinOf = (chain: Chain) => (asset: AssetId): boolean =>
  chainOf(asset) === chain && factsOf(asset).contractAddress === undefined

/** A coin goes with the transaction itself, a token by a call of its contract. What goes besides is a fee. */
const assertMoves = <R>(
  { feeInValue }: Payloads<R>,
  { sourceTokenAddress, value }: EvmPayload | TronPayload,
  { fees }: EncodedPayload,
  { amount, sourceAsset }: VaultSwapRequest,
): void => {
  const chain = chainOf(sourceAsset)
  const { contractAddress } = factsOf(sourceAsset)
  const excess = value - (contractAddress === undefined ? amount : noAmount)
  const inCoin = feeInValue === undefined ? [] : fees.filter(({ asset }) => isCoinOf(chain)(asset))
  const isExplained = [0n, ...inCoin.map(({ amount }) => amount)].includes(excess)
  assert.isTrue(isExplained, `${excess} more than is swapped, which is none of the fees`)
  assert.strictEqual(
    sourceTokenAddress === undefined ? undefined : accountText(chain, sourceTokenAddress),
    contractAddress === undefined ? undefined : accountText(chain, contractAddress),
    "the token that is swapped",
  )
}

const assertBitcoin = (
  { amountNative, depositAddress, network, nulldataPayload }: BitcoinPayload,
  { amount }: VaultSwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  assertAddress(network, networks, depositAddress)
  assert.strictEqual(amountNative, amount)
  assert.isAtMost(byteCount(nulldataPayload), longestNullData)
  assert.isAbove(byteCount(nulldataPayload), 0)
}

const assertXrpl = (
  { amountNative, depositAddress, memoData, network }: XrplPayload,
  { amount }: VaultSwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  assertAddress(network, networks, depositAddress)
  assert.strictEqual(amountNative, amount)
  assert.isAbove(memoData.length, 0)
}

const assertSolana = (
  { instructions }: SolanaPayload,
  { sender }: VaultSwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  const accounts = instructions.flatMap(({ accounts }) => accounts)
  const programs = instructions.map(({ programId }) => programId)
  for (const address of [...programs, ...accounts.map(({ pubkey }) => pubkey)]) {
    assertAddress("Solana", networks, address)
  }
  const signers = accounts.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)
  assert.isTrue(sender._tag === "solana" && signers.includes(sender.address), "the sender signs")
  assert.isTrue(instructions.every(({ data }) => byteCount(data) > 0))
}

/** A token is approved for the contract that takes it; a coin needs no approval. */
const assertSpender = (
  { network, sourceTokenAddress, spender }: EvmPayload,
  networks: ReadonlyArray<Network>,
): void => {
  if (spender === undefined) return
  assertAddress(network, networks, spender)
  assert.isDefined(sourceTokenAddress, "something to be approved, though no token is swapped")
}

/** What a wallet can make a transaction of that moves the amount of the request and nothing else. */
const assertTransaction = <R, E>(
  kit: Kit<R, E>,
  payloads: Payloads<R>,
  encoded: EncodedPayload,
  request: VaultSwapRequest,
): void => {
  const { networks } = kit.fixtures
  const { payload } = encoded
  assert.strictEqual(payload.network, chainOf(request.sourceAsset))
  assert.isTrue(Schema.is(VaultSwapPayload)(payload), "a payload of the port")
  if (payload._tag === "bitcoin") return assertBitcoin(payload, request, networks)
  if (payload._tag === "solana") return assertSolana(payload, request, networks)
  if (payload._tag === "xrpl") return assertXrpl(payload, request, networks)
  assertAddress(payload.network, networks, payload.to)
  assertMoves(payloads, payload, encoded, request)
  if (payload._tag === "tron") assert.isAbove(byteCount(payload.note), 0)
  else assertSpender(payload, networks)
}

/** A payload that can be signed: its transaction, until when it is good, and what it costs. */
export const assertPayload = <R, E>(
  kit: Kit<R, E>,
  payloads: Payloads<R>,
  encoded: EncodedPayload,
  request: VaultSwapRequest,
): Effect.Effect<void> =>
  Effect.map(currentMillis, (now) => {
    assertTransaction(kit, payloads, encoded, request)
    assert.isUndefined(payloadFault(request, encoded, now))
    assert.isAbove(encoded.expiresAt, now, "a payload that is stale already")
    assert.isAtMost(
      encoded.expiresAt,
      now + Duration.toMillis(longestLifetime),
      "a payload for more than a week",
    )
    assert.isTrue(encoded.minimumDeposit <= request.amount)
    assert.isAbove(encoded.estimatedDuration, 0)
    for (const { amount, asset } of encoded.fees) {
      assert.isTrue(amount >= 0n)
      assert.include(assetIds(), asset)
    }
  })
