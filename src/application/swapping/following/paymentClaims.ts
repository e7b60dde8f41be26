import { Effect, Option } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import type { ClaimedPayment, PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { type Lookup, LookupSubject } from "#infrastructure/store/swaps/lookupRows.ts"
import { normaliseReference } from "#infrastructure/store/swaps/transactionReference.ts"
import { isSameAccount } from "./compareTerms.ts"

// One payment is not the end of two swaps (decision 37). A payment is a transaction with an asset, an address and an
// amount: the transaction alone says nothing, as it may pay many swaps.

/** Alike swaps of one batch get alike payments, to the unit: deposits that differ by more do not. One part in so many. */
const alike = 100n

const isAlike = (one: bigint | null, other: bigint | null): boolean => {
  // What nobody told is no ground.
  if (one === null || other === null) return true
  const [less, more] = one < other ? [one, other] : [other, one]
  return (more - less) * alike <= more
}

const isSamePayment = (one: ClaimedPayment, other: ClaimedPayment): boolean =>
  one.asset === other.asset && one.amount === other.amount &&
  isSameAccount(chainOf(one.asset), one.address, other.address)

/** Whether a claim of another swap leaves no room for this one, by what a transaction of the provider can pay. */
export const excludes = ({ pays }: EndRules) => (other: ClaimedPayment, own: ClaimedPayment): boolean => {
  if (pays === "one") return true
  if (pays === "several") return isSamePayment(other, own)
  // A transaction on Solana has one transfer, on other chains a batch (chainflip/wire.md 3.7).
  return chainOf(own.asset) === "Solana" ||
    isSamePayment(other, own) && !isAlike(other.deposited, own.deposited)
}

const longestReference = 200

const paymentsOf = (status: SwapStatus): ReadonlyArray<ClaimedPayment> => {
  const { deposit, destinationAddress, destinationAsset, fallbackEgress, fillOrKill, refundEgress } = status
  const of = (egress: Egress | undefined, asset: AssetId, address: string): ReadonlyArray<ClaimedPayment> => {
    const { amount, transactionReference: reference } = egress ?? {}
    // On one chain the transaction that takes a deposit up pays, too: several swaps can share it (relay/wire.md 1).
    const isUnclaimable = reference === undefined || reference === deposit?.transactionReference
    return amount === undefined || isUnclaimable || reference.length > longestReference ? [] : [{
      reference: normaliseReference(reference),
      asset,
      amount,
      address: egress?.destinationAddress ?? address,
      deposited: deposit?.amount ?? null,
    }]
  }
  return [
    ...of(fallbackEgress ?? status.swapEgress, destinationAsset, destinationAddress),
    ...of(refundEgress, status.sourceAsset, fillOrKill?.refundAddress ?? ""),
  ]
}

/**
 * A swap by our own record, as an upstream may tell its numbers in one answer and not in the next: a vault swap by its
 * transaction, a channel's first swap by the channel, a further one by the number or the deposit that it was found by.
 */
export const claimantOf = (
  platform: ProviderName,
  { deposit, depositChannel, swapId }: SwapStatus,
  transaction?: string,
): string =>
  [
    platform,
    ...(transaction === undefined ? [] : [transaction]),
    ...(depositChannel === undefined ? [] : [formatChannelId(depositChannel.id)]),
    ...(depositChannel?.isLater === true ? [swapId ?? deposit?.transactionReference ?? ""] : []),
  ].join(" ")

/** The claimant that a swap is whose look-up this is. */
export const claimantIn = ({ platform, status, subject }: Lookup): string =>
  LookupSubject.$match(subject, {
    Channel: () => claimantOf(platform, status),
    VaultSwap: ({ transaction }) => claimantOf(platform, status, transaction),
  })

/** Claims the payments of an end that the operator accepted, whoever has claimed them before. */
export const claimAccepted = (repo: PaymentsRepo["Service"], claimant: string, status: SwapStatus) =>
  repo.claim(claimant, paymentsOf(status), () => false)

/** Claims the payments of a completed swap; why that cannot be, in one sentence, where another swap has them. */
export const claimPayments = (
  repo: PaymentsRepo["Service"],
  claimant: string,
  status: SwapStatus,
  rules: EndRules,
) => {
  const payments = status.state === "completed" ? paymentsOf(status) : []
  return payments.length === 0 ? Effect.succeedNone : Effect.map(
    repo.claim(claimant, payments, excludes(rules)),
    Option.map(({ asset }) =>
      `The upstream now reports completed, but names a payment of ${asset} that it made for another swap`
    ),
  )
}
