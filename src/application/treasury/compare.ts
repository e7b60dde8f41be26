import { Duration } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Compared, LedgerStanding, Sums } from "#domain/operations/Ledger.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { OperatorAccount } from "#domain/operations/Treasury.ts"

/** How long a shortage has to last until it is a mismatch: for longer than a node needs to answer from a newer block. */
export const shortFor = Duration.seconds(10)

export const plus = (...all: ReadonlyArray<Sums>): Sums => {
  const total = new Map<AssetId, bigint>()
  for (const sums of all) {
    for (const [asset, amount] of sums) total.set(asset, (total.get(asset) ?? 0n) + amount)
  }
  return total
}

/** One sum without another. */
export const minus = (sums: Sums, less: Sums): Sums =>
  plus(sums, new Map([...less].map(([asset, amount]) => [asset, -amount])))

export const earnedBy = ({ affiliates, earned }: Pick<OperatorAccount, "affiliates" | "earned">): Sums =>
  plus(
    ...[earned, ...affiliates.map((affiliate) => affiliate.earned)].map((holdings) =>
      plus(...holdings.map(({ amount, asset }): Sums => new Map([[asset, amount]])))
    ),
  )

const has = (since: EpochMillis | undefined, now: EpochMillis, lasted: Duration.Duration): boolean =>
  since !== undefined && now - since >= Duration.toMillis(lasted)

const equal = (asset: AssetId, { after, at, earned }: Compared): LedgerStanding => ({
  asset,
  earned,
  ledger: after,
  comparedAt: at,
})

/** Less than the ledger said before the upstream was asked: no record can be missing, so it only has to last. */
const short = (asset: AssetId, compared: Compared, known: LedgerStanding | undefined): LedgerStanding => {
  const since = known?.shortSince ?? compared.at
  return {
    ...equal(asset, compared),
    shortSince: since,
    ...(has(since, compared.at, shortFor) ? { mismatchSince: known?.mismatchSince ?? since } : {}),
  }
}

/**
 * More than the ledger says: records that are still to come explain it, until everything that could has been looked up
 * since, or it has lasted longer than that ever takes. A surplus that the ledger has reached since it was seen was
 * explained; what is left of it is a new one. A mismatch stays one until the two are equal: fees that come meanwhile
 * explain nothing of it.
 */
const surplus = (
  asset: AssetId,
  compared: Compared,
  known: LedgerStanding | undefined,
  patience: Duration.Duration,
): LedgerStanding => {
  const { after, at, earned, isSettled } = compared
  const seen = known?.surplus !== undefined && after < known.surplus.earned
    ? known.surplus
    : { earned, since: at }
  const isUnexplained = known?.mismatchSince !== undefined ||
    at > seen.since && (isSettled || has(seen.since, at, patience))
  return {
    ...equal(asset, compared),
    surplus: seen,
    ...(isUnexplained ? { mismatchSince: known?.mismatchSince ?? seen.since } : {}),
  }
}

export interface ComparisonOptions {
  /** How long a surplus may last while swaps that could explain it cannot be looked up. */
  readonly patience: Duration.Duration
  /** Whether others earn on the account as well: a surplus then says nothing. */
  readonly isShared: boolean
}

/** How an asset stands after a comparison, given how it stood before. */
export const compare = (
  asset: AssetId,
  compared: Compared,
  known: LedgerStanding | undefined,
  { isShared, patience }: ComparisonOptions,
): LedgerStanding => {
  if (compared.earned < compared.before) return short(asset, compared, known)
  if (compared.earned > compared.after && !isShared) return surplus(asset, compared, known, patience)
  return equal(asset, compared)
}
