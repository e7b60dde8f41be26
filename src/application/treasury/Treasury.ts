import { type Duration, Effect, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { Chain } from "#domain/chains/Chain.ts"
import type { LedgerEntry, LedgerStanding, Sums } from "#domain/operations/Ledger.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { Comparison, type Funding, type OperatorAccount } from "#domain/operations/Treasury.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { BrokerBalance, type FundsUser } from "#providers/BrokerBalance.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { LedgerRepo } from "#infrastructure/store/treasury/LedgerRepo.ts"
import { type AccountLook, BalanceReadsRepo } from "#infrastructure/store/treasury/BalanceReadsRepo.ts"
import { CannotOrder, TreasuryUnknown } from "./failures.ts"
import { BalanceReads, earnedBy, minus, plus, type TreasuryProvider } from "./BalanceReads.ts"

/** How one asset stands at a provider; native units. */
export interface AssetStanding {
  readonly asset: AssetId
  /** What the operator's own account had at the last look; absent where it was never seen. */
  readonly earned?: bigint
  /** What its affiliates had then. */
  readonly ofAffiliates?: bigint
  /** What both must have by our records, now. */
  readonly ledger: bigint
  /** What withdrawals have taken, with their fees. */
  readonly withdrawn: bigint
  /** The last comparison; absent where the two cannot be compared, or have not been yet. */
  readonly compared?: LedgerStanding
}

/** What openings from a chain cost, and how many the account can still pay for. */
export interface OpeningFunds {
  readonly chain: Chain
  readonly fee: bigint
  /** Absent where an opening costs nothing. */
  readonly channels?: bigint
}

/** What openings are paid from. */
export interface FundsStanding {
  readonly funding: Funding
  /** What a transaction was seen to cost besides the fee of its channel. */
  readonly transactionCost: bigint
  readonly openings: ReadonlyArray<OpeningFunds>
  /** Who has opened channels within the window, the most first. */
  readonly takers: ReadonlyArray<FundsUser>
  /** `FUNDS_WINDOW`. */
  readonly window: Duration.Duration
}

/** How the operator's account at a provider stands. */
export interface TreasuryStanding {
  readonly platform: ProviderName
  readonly comparison: Comparison
  readonly look: AccountLook
  readonly assets: ReadonlyArray<AssetStanding>
  readonly funds?: FundsStanding
  readonly takesOrders: boolean
  /** Whether affiliates can be registered here. */
  readonly hasAffiliates: boolean
}

const isChain = Schema.is(Chain)

const openingsWith = (funding: Funding, cost: bigint): ReadonlyArray<OpeningFunds> =>
  Object.entries(funding.openingFees).flatMap(([chain, fee]) => {
    const price = fee + cost
    return isChain(chain) ? [{ chain, fee, ...(price > 0n ? { channels: funding.free / price } : {}) }] : []
  })

const byName = (one: AssetId, other: AssetId): number => one < other ? -1 : 1

/** What is kept of an account besides its looks. */
interface StoredBalances {
  readonly ledger: Sums
  readonly withdrawn: Sums
  readonly standings: ReadonlyArray<LedgerStanding>
}

const assetsOf = (
  seen: OperatorAccount | undefined,
  { ledger, standings, withdrawn }: StoredBalances,
): ReadonlyArray<AssetStanding> => {
  const own = seen === undefined ? undefined : earnedBy({ ...seen, affiliates: [] })
  const all = seen === undefined ? undefined : earnedBy(seen)
  const assets = new Set([...ledger.keys(), ...withdrawn.keys(), ...(all?.keys() ?? [])])
  return [...assets].toSorted(byName).map((asset) => {
    const earned = own?.get(asset) ?? 0n
    return {
      asset,
      ...(seen === undefined ? {} : { earned, ofAffiliates: (all?.get(asset) ?? 0n) - earned }),
      ledger: ledger.get(asset) ?? 0n,
      withdrawn: withdrawn.get(asset) ?? 0n,
      ...optionalMembers(
        standings.find((standing) => standing.asset === asset),
        (compared) => ({ compared }),
      ),
    }
  })
}

/** The operator's accounts at the providers: what they have, and whether it is what the records say. */
export class Treasury extends service<Treasury>()(
  "swap-broker/treasury/Treasury",
  Effect.gen(function* () {
    const { treasurers } = yield* BalanceReads
    const funds = yield* BrokerBalance
    const audit = yield* AuditRepo
    const ledger = yield* LedgerRepo
    const looks = yield* BalanceReadsRepo

    const keptOf = Effect.fnUntraced(function* (
      platform: ProviderName,
      account: string | undefined,
    ): Effect.fn.Return<StoredBalances, StoreUnavailable> {
      const earned = yield* ledger.earned(platform)
      const withdrawn = yield* ledger.withdrawn(platform)
      if (account === undefined) return { ledger: minus(earned, withdrawn), withdrawn, standings: [] }
      const of = { platform, account }
      const entered = yield* ledger.entered(of)
      const standings = yield* ledger.standings(of)
      return { ledger: plus(minus(earned, withdrawn), entered), withdrawn, standings }
    })

    const fundsOf = Effect.fnUntraced(function* (platform: ProviderName, funding: Funding) {
      const transactionCost = yield* funds.transactionCost(platform)
      const takers = yield* funds.takers(platform)
      return {
        funding,
        transactionCost,
        openings: openingsWith(funding, transactionCost),
        takers,
        window: funds.window,
      }
    })

    const standingOf = Effect.fnUntraced(function* (
      { name, treasury }: TreasuryProvider,
    ): Effect.fn.Return<TreasuryStanding, StoreUnavailable> {
      const look = yield* looks.latest(name)
      const account = look.seen?.account
      const kept = yield* keptOf(name, account?.account)
      const { comparison } = treasury
      return {
        platform: name,
        comparison,
        look,
        assets: assetsOf(account, kept),
        ...(account?.funding === undefined ? {} : { funds: yield* fundsOf(name, account.funding) }),
        takesOrders: treasury.withdrawals !== undefined,
        hasAffiliates: treasury.affiliates !== undefined,
      }
    })

    /** Every enabled provider with an account of the operator, in order of preference, as it was last seen. */
    const all = Effect.flatMap(treasurers, (found) => Effect.forEach(found, standingOf))
      .pipe(Effect.withSpan("Treasury.all"))

    /** Enters an amount into the ledger that the records do not have, for ever: with its reason in the audit log. */
    const enter = Effect.fn("Treasury.enter")(function* (entry: LedgerEntry, actor: Actor) {
      const { platform } = entry
      const treasurer = (yield* treasurers).find(({ name }) => name === platform)
      if (treasurer === undefined) return yield* new TreasuryUnknown()
      const { seen } = yield* looks.latest(platform)
      const isBegun = seen !== undefined &&
        (yield* ledger.isOpened({ platform, account: seen.account.account }))
      if (!isBegun || !Comparison.$is("Exact")(treasurer.treasury.comparison)) {
        return yield* new CannotOrder({ detail: `There is no ledger of the account at ${platform} yet` })
      }
      const at = yield* currentMillis
      yield* audit.recorded("Ledger.enter", { actor, at }, function* () {
        yield* ledger.enter(seen.account.account, entry, at)
        const { amount, asset, reason } = entry
        const after = { asset, amountNative: `${amount}`, reason }
        return { value: undefined, changes: [{ action: "ledger.entered", platform, after }] }
      })
    })

    return {
      all,
      /** The assets of which earnings and ledger do not agree, once nothing explains it any more. */
      mismatches: ledger.mismatches,
      enter,
    }
  }),
) {}
