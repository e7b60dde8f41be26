import { type BigDecimal, Context, Effect, Layer } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type {
  AccountFigure,
  AccountSwap,
  AccountSwapsQuery,
  BusinessFigure,
  BusinessOverview,
  ChannelCount,
  CommissionSum,
  CommissionSumsQuery,
  Counted,
  OpenChannelsQuery,
  OverviewQuery,
  UnknownOpening,
  UnknownOpeningsQuery,
} from "#domain/operations/Business.ts"
import { type Page, pageOf } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { ListedSwapsRepo } from "#infrastructure/store/business/ListedSwapsRepo.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { OpenFundsRepo } from "#infrastructure/store/business/OpenFundsRepo.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"

type SwapsPage = StoreEffect<Page<AccountSwap, SwapRecordId>>

/** What was swapped and earned over all accounts, for the operator. The filter of an unknown account finds nothing. */
export class Business extends Context.Service<Business, {
  /** Swaps of all accounts, by id. Pages look at a bounded number, so that one may be short or empty before `next`. */
  readonly swaps: (query: AccountSwapsQuery) => SwapsPage
  /** How many swaps fit, at least: up to `limit` are counted, of a bounded number that is looked at. */
  readonly count: (query: AccountSwapsQuery) => StoreEffect<Counted>
  /** A page of the openings whose outcome is unknown, by id. */
  readonly unknownOpenings: (query: UnknownOpeningsQuery) => StoreEffect<Page<UnknownOpening, SwapRecordId>>
  /** The opening of this id, where its outcome is unknown. */
  readonly unknownOpening: (id: SwapRecordId) => StoreEffect<UnknownOpening | undefined>
  /** Why there is no swap with this id, for the operator: an opening may have it whose outcome is unknown. */
  readonly missing: (id: SwapRecordId) => StoreEffect<never, SwapNotFound>
  /** The swap with this id, of whichever account, as it is recorded: no upstream is asked. */
  readonly swap: (id: SwapRecordId) => StoreEffect<AccountSwap, SwapNotFound>
  /** Sums of earned commission. Over the keys of an account they equal its own `/commission`, to the unit. */
  readonly commission: (query: CommissionSumsQuery) => StoreEffect<ReadonlyArray<CommissionSum>>
  /** The swaps whose deposit channels are open, the oldest first. */
  readonly channels: (query: OpenChannelsQuery) => SwapsPage
  readonly channelCounts: StoreEffect<ReadonlyArray<ChannelCount>>
  /** The business of a period, and what is under way now. */
  readonly overview: (query: OverviewQuery) => StoreEffect<BusinessOverview>
  /** What was swapped and earned in a period, with its value, by hour or day, by provider and by measure. */
  readonly figures: (query: OverviewQuery) => StoreEffect<ReadonlyArray<BusinessFigure>>
  /** What each account swapped and earned in a period, with its value, by hour or day. */
  readonly ofAccounts: (query: Omit<OverviewQuery, "account">) => StoreEffect<ReadonlyArray<AccountFigure>>
  /** US dollars for one native unit of each asset at a time; those without a price are absent. */
  readonly pricesAt: (
    assets: ReadonlyArray<AssetId>,
    at: EpochMillis,
  ) => StoreEffect<ReadonlyMap<AssetId, BigDecimal.BigDecimal>>
}>()("swap-broker/business/Business") {
  static readonly layer = Layer.effect(Business)(Effect.gen(function* () {
    const listed = yield* ListedSwapsRepo
    const sums = yield* SumsRepo
    const underWay = yield* OpenFundsRepo
    const outcomes = yield* UnknownOutcomesRepo
    const values = yield* ValuesRepo

    const channels = Effect.fn("Business.channels")(function* (query: OpenChannelsQuery) {
      const ids = yield* underWay.openChannels({ ...query, limit: query.limit + 1 })
      const { items, next } = pageOf(ids, query.limit, (id) => id)
      return { items: yield* listed.byIds(items), ...defined({ next }) }
    })

    const unknownOpening = Effect.fn("Business.unknownOpening")(function* (id: SwapRecordId) {
      const [nearest] = yield* outcomes.openings({ sort: "ascending", offset: id, limit: 1 })
      return nearest?.id === id ? nearest : undefined
    })

    const overview = Effect.fn("Business.overview")(function* (query: OverviewQuery) {
      return {
        ended: yield* sums.ended(query),
        volume: yield* sums.volume(query),
        commission: yield* sums.earned(query),
        underWay: yield* underWay.states(query.account),
        stalled: yield* underWay.stalls(query.account),
      }
    })

    return Business.of({
      swaps: Effect.fn("Business.swaps")(function* (query: AccountSwapsQuery) {
        return yield* listed.page(query)
      }),
      count: Effect.fn("Business.count")(function* (query: AccountSwapsQuery) {
        return yield* listed.count(query)
      }),
      unknownOpenings: Effect.fn("Business.unknownOpenings")(function* (query: UnknownOpeningsQuery) {
        const found = yield* outcomes.openings({ ...query, limit: query.limit + 1 })
        return pageOf(found, query.limit, ({ id }) => id)
      }),
      missing: Effect.fn("Business.missing")(function* (id: SwapRecordId) {
        const opening = yield* unknownOpening(id)
        return yield* new SwapNotFound(opening === undefined ? {} : { unknownOpening: opening })
      }),
      unknownOpening,
      swap: Effect.fn("Business.swap")(function* (id: SwapRecordId) {
        const [swap] = yield* listed.byIds([id])
        return swap === undefined ? yield* new SwapNotFound() : swap
      }),
      commission: Effect.fn("Business.commission")(function* (query: CommissionSumsQuery) {
        return yield* sums.commission(query)
      }),
      channels,
      channelCounts: underWay.channelCounts,
      overview,
      figures: Effect.fn("Business.figures")(function* (query: OverviewQuery) {
        return yield* sums.figures(query)
      }),
      ofAccounts: Effect.fn("Business.ofAccounts")(function* (query: Omit<OverviewQuery, "account">) {
        return yield* sums.ofAccounts(query)
      }),
      pricesAt: Effect.fn("Business.pricesAt")(function* (assets: ReadonlyArray<AssetId>, at: EpochMillis) {
        return yield* values.pricesAt(assets, at)
      }),
    })
  }))
}
