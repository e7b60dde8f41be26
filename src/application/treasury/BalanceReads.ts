import { Duration, Effect, Layer, Metric } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Compared, LedgerStanding, Sums } from "#domain/operations/Ledger.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Comparison, type OperatorAccount } from "#domain/operations/Treasury.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Treasury } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { LedgerRepo } from "#infrastructure/store/treasury/LedgerRepo.ts"
import { BalanceReadsRepo } from "#infrastructure/store/treasury/BalanceReadsRepo.ts"
import { WithdrawalsRepo } from "#infrastructure/store/treasury/WithdrawalsRepo.ts"
import { repeating } from "#infrastructure/platform/outages.ts"

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

export interface LookOptions {
  /** The time between two looks at an account. */
  readonly lookInterval: Duration.Duration
  /** How long a surplus may last while swaps that could explain it cannot be looked up. */
  readonly ledgerPatience: Duration.Duration
  /** The providers whose accounts others earn on as well. */
  readonly sharedAccounts: ReadonlyArray<ProviderName>
}

export interface TreasuryProvider {
  readonly name: ProviderName
  readonly treasury: Treasury
}

/** Our side of a comparison at one moment. */
interface LedgerView {
  readonly earned: Sums
  readonly withdrawn: Sums
}

/** What the ledger of an account begins with, for who reads its entries. */
const openingReason = "What the account had when its ledger began"

/** The failure of a look, for people: without what an upstream said at length. */
export const failureText = (error: ProviderError): string =>
  "detail" in error.reason && error.reason.detail !== "" ? error.reason.detail : error.reason._tag

/** Looks at the operator's accounts, and compares each with the ledger at every look. */
export class BalanceReads extends service<BalanceReads>()(
  "swap-broker/treasury/BalanceReads",
  ({ ledgerPatience, lookInterval, sharedAccounts }: LookOptions) =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const ledger = yield* LedgerRepo
      const looks = yield* BalanceReadsRepo
      const withdrawals = yield* WithdrawalsRepo

      /** The enabled providers with a treasury, in order of preference. */
      const treasurers = Effect.map(
        registry.enabled,
        (providers) =>
          providers.flatMap(({ name, treasury }): ReadonlyArray<TreasuryProvider> =>
            treasury === undefined ? [] : [{ name, treasury }]
          ),
      )

      const books = (platform: ProviderName): StoreEffect<LedgerView> =>
        Effect.all({ earned: ledger.earned(platform), withdrawn: ledger.withdrawn(platform) })

      /** Whether an order of the asset is between our books and the upstream's. */
      const isBeingOrdered = (
        open: ReadonlyArray<AssetId>,
        before: LedgerView,
        after: LedgerView,
        asset: AssetId,
      ) => open.includes(asset) || before.withdrawn.get(asset) !== after.withdrawn.get(asset)

      const tell = Effect.fnUntraced(function* (
        platform: ProviderName,
        now: LedgerStanding,
        known: LedgerStanding | undefined,
      ) {
        const { asset, earned, ledger, mismatchSince } = now
        yield* Metric.update(
          metrics.ledgerMismatch({ provider: platform, asset }),
          mismatchSince === undefined ? 0 : 1,
        )
        if ((mismatchSince === undefined) === (known?.mismatchSince === undefined)) return
        yield* mismatchSince === undefined
          ? Effect.logInfo(`${platform}: the ledger matches the commission in ${asset} again`)
          : Effect.logWarning(
            `${platform}: the account has earned ${earned} in ${asset}, but the ledger has ${ledger}`,
          )
      })

      const compareAll = Effect.fnUntraced(function* (
        platform: ProviderName,
        account: OperatorAccount,
        before: LedgerView,
        startedAt: EpochMillis,
      ) {
        const of = { platform, account: account.account }
        // Before the books: an order that is no longer open by then is in them.
        const open = yield* withdrawals.openAssets(platform)
        const after = yield* books(platform)
        const at = yield* currentMillis
        const earned = earnedBy(account)
        if (!(yield* ledger.isOpened(of))) {
          // What swaps under way have earned may not be in the records yet: it would count twice.
          if (yield* ledger.isUnderWay(platform, startedAt)) return
          const known = minus(after.earned, after.withdrawn)
          yield* ledger.open(of, minus(earned, known), openingReason, at)
        }
        const entered = yield* ledger.entered(of)
        const ours = (at: LedgerView) => plus(minus(at.earned, at.withdrawn), entered)
        const [ourBefore, ourAfter] = [ours(before), ours(after)]
        const standings = new Map((yield* ledger.standings(of)).map((one) => [one.asset, one]))
        // An asset that neither side has any more was compared before: its mismatch has to end.
        const assets = [...new Set([...plus(earned, ourAfter).keys(), ...standings.keys()])]
        const compared = yield* Effect.forEach(
          assets.filter((asset) => !isBeingOrdered(open, before, after, asset)),
          (asset) =>
            Effect.gen(function* () {
              const known = standings.get(asset)
              const since = known?.surplus?.since
              const isSettled = since !== undefined && !(yield* ledger.isUnderWay(platform, since))
              const standing = compare(
                asset,
                {
                  earned: earned.get(asset) ?? 0n,
                  before: ourBefore.get(asset) ?? 0n,
                  after: ourAfter.get(asset) ?? 0n,
                  at,
                  isSettled,
                },
                known,
                { patience: ledgerPatience, isShared: sharedAccounts.includes(platform) },
              )
              yield* tell(platform, standing, known)
              return standing
            }),
        )
        yield* ledger.keep(of, compared)
      })

      /** Looks at an account now. What was seen is kept; so is why nothing was. */
      const look = Effect.fn("Treasury.look")(function* ({ name, treasury }: TreasuryProvider) {
        const startedAt = yield* currentMillis
        const before = yield* books(name)
        const account = yield* treasury.account.pipe(
          Effect.tapError((error) => looks.failed(name, failureText(error), startedAt)),
        )
        yield* looks.saw(name, account, startedAt)
        const isExact = Comparison.$is("Exact")(treasury.comparison)
        // A node that is behind shows an earlier account, which says nothing about the present ledger.
        if (isExact && account.inSync !== false) yield* compareAll(name, account, before, startedAt)
        return account
      })

      const lookIfDue = Effect.fnUntraced(function* (treasurer: TreasuryProvider) {
        const now = yield* currentMillis
        const next = EpochMillis.make(now + Duration.toMillis(lookInterval))
        if (yield* looks.claim(treasurer.name, now, next)) {
          yield* Effect.catchTag(
            look(treasurer),
            "ProviderError",
            (error) =>
              Effect.logDebug(`${treasurer.name}: the operator's account could not be looked at`, error),
          )
        }
      })

      /** Looks at every account whose look is due, each in only one replica. */
      const round = Effect.gen(function* () {
        yield* ledger.fold
        yield* Effect.forEach(yield* treasurers, lookIfDue, { concurrency: "unbounded", discard: true })
      })

      return { treasurers, look, round }
    }),
) {
  /** The looks with their background work, which every replica does without disturbing the others. */
  static readonly layerRunning = (options: LookOptions) =>
    Layer.effectDiscard(Effect.gen(function* () {
      const { round } = yield* BalanceReads
      yield* round.pipe(
        repeating(
          "Reading the balances at the providers failed",
          Duration.divideUnsafe(options.lookInterval, 2),
        ),
      )
    })).pipe(Layer.provideMerge(BalanceReads.layer(options)))
}
