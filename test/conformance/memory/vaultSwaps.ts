import { BigDecimal, Effect, Option, Struct } from "effect"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import { AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { outputAt, Price } from "#domain/money/Price.ts"
import { AssetDisabled, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { type Egress, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Observed, VaultSwaps } from "#providers/Provider.ts"
import { failAs } from "#providers/upstream/failures.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { MemoryUpstream, type SentSwap } from "./MemoryUpstream.ts"
import { name, type Offer, offerFor, totalDuration } from "./offers.ts"
import type { Vault } from "./traits.ts"
import { payloadFor, vaultChains } from "./vault.ts"

const fail = failAs(name)

const lifetimeMillis = 600_000

const unitOf = ({ nativeUnits }: Vault, asset: AssetId): bigint => nativeUnits[asset] ?? 1n

const floor = (vault: Vault, asset: AssetId, amount: bigint): NativeAmount =>
  NativeAmount.make(amount - amount % unitOf(vault, asset))

/** The limit as whole units of the output, rounded up, which is in the payer's favour. */
const limitOf = (
  vault: Vault,
  { amount, destinationAsset, minimumPrice, sourceAsset }: VaultSwapRequest,
): Price => {
  const unit = unitOf(vault, destinationAsset)
  const least = (outputAt(minimumPrice, amount, sourceAsset, destinationAsset) + unit - 1n) / unit * unit
  const taken = floor(vault, sourceAsset, amount)
  return Price.make(
    BigDecimal.divideUnsafe(toHuman(destinationAsset, NativeAmount.make(least)), toHuman(sourceAsset, taken)),
  )
}

const coarse = (vault: Vault, asset: AssetId, egress: Egress | undefined) =>
  egress === undefined ? undefined : { ...egress, amount: floor(vault, asset, egress.amount) }

/** What was asked for, as far as the network knows it. */
const termsOf = (vault: Vault, request: VaultSwapRequest): Partial<SwapStatus> => ({
  brokers: [{ account: brokerAccount, commissionBps: request.commissionBps }, ...request.affiliates],
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: limitOf(vault, request),
  },
  ...Struct.pick(request, ["dca", "ccm"]),
  ...(request.maximumBoostFeeBps > 0 ? { boost: { maximumBoostFeeBps: request.maximumBoostFeeBps } } : {}),
})

/** What the network says of a swap that a transaction began. */
const toObserved = (
  vault: Vault,
  { mark, record, request, swapId, transaction }: SentSwap,
  known: Option.Option<SwapStatus>,
): Observed => {
  const { depositChannel: _, deposit, fillOrKill: __, refundEgress, swapEgress, ...others } = record
  const last = Option.match(known, { onNone: () => "receiving" as const, onSome: ({ state }) => state })
  const out = coarse(vault, record.destinationAsset, swapEgress)
  const back = coarse(vault, record.sourceAsset, refundEgress)
  return {
    status: {
      ...others,
      swapId,
      state: SwapState.literals.find((state) => state === record.state) ?? last,
      ...(deposit === undefined ? {} : {
        deposit: {
          ...deposit,
          amount: floor(vault, record.sourceAsset, deposit.amount),
          transactionReference: transaction,
        },
      }),
      ...(out === undefined ? {} : { swapEgress: out }),
      ...(back === undefined ? {} : { refundEgress: back }),
      ...(vault.tellsTerms ? termsOf(vault, request) : {}),
    },
    body: JSON.stringify({ state: record.state }),
    mark,
  }
}

const coinOf = (asset: AssetId): AssetId =>
  assetIds().find((coin) =>
    chainOf(coin) === chainOf(asset) && factsOf(coin).contractAddress === undefined
  ) ?? asset

/** The vault swaps of the network in memory. */
export const makeVaultSwaps = (
  vault: Vault,
  upstream: MemoryUpstream["Service"],
  refusal: (operation: "encode" | "status") => Effect.Effect<void, ProviderErrorReason>,
): VaultSwaps => ({
  chains: vaultChains,
  needsMarks: vault.needsMarks,
  encode: (request) =>
    Effect.gen(function* () {
      yield* refusal("encode")
      const offer: Offer = yield* Effect.fromResult(offerFor(name, Struct.omit(request, ["sender"])))
      const mark = yield* upstream.encode({ request, offer })
      const payload = payloadFor(request, mark, vault.feeInValue)
      if (payload === undefined) return yield* new AssetDisabled({ detail: "There is no vault" })
      const fee = { type: "network", asset: coinOf(request.sourceAsset), amount: vault.feeInValue } as const
      return {
        payload,
        mark,
        expiresAt: EpochMillis.make((yield* currentMillis) + lifetimeMillis),
        refundsTo: "address" as const,
        minimumDeposit: offer.minimumDeposit,
        estimatedDuration: totalDuration,
        fees: vault.feeInValue === 0n ? [] : [fee],
      }
    }).pipe(fail("encode")),
  status: ({ marks, transaction }, known) =>
    Effect.gen(function* () {
      yield* refusal("status")
      const knownId = Option.getOrUndefined(known)?.swapId
      const found = yield* upstream.sent((swap) =>
        vault.needsMarks
          ? swap.swapId === knownId || marks.includes(swap.mark)
          : swap.transaction === transaction
      )
      // A mark can be in several transactions.
      const own = found.find((swap) => swap.transaction === transaction)
      return Option.map(Option.fromUndefinedOr(own), (swap) => toObserved(vault, swap, known))
    }).pipe(fail("status")),
})
