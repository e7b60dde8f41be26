import { Effect } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { OpenChannelsQuery, OverviewQuery, UnknownOpeningsQuery } from "#domain/operations/Business.ts"
import { pageOf } from "#domain/Page.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { ListedSwapsRepo } from "#infrastructure/store/business/ListedSwapsRepo.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { OpenFundsRepo } from "#infrastructure/store/business/OpenFundsRepo.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"

/** What was swapped and earned over all accounts, for the operator. The filter of an unknown account finds nothing. */
export class Business extends service<Business>()(
  "swap-broker/business/Business",
  Effect.gen(function* () {
    const listed = yield* ListedSwapsRepo
    const sums = yield* SumsRepo
    const underWay = yield* OpenFundsRepo
    const outcomes = yield* UnknownOutcomesRepo
    const values = yield* ValuesRepo

    /** The swaps whose deposit channels are open, the oldest first. */
    const channels = Effect.fn("Business.channels")(function* (query: OpenChannelsQuery) {
      const ids = yield* underWay.openChannels({ ...query, limit: query.limit + 1 })
      const { items, next } = pageOf(ids, query.limit, (id) => id)
      return { items: yield* listed.byIds(items), ...defined({ next }) }
    })

    /** The opening of this id, where its outcome is unknown. */
    const unknownOpening = Effect.fn("Business.unknownOpening")(function* (id: SwapRecordId) {
      const [nearest] = yield* outcomes.openings({ sort: "ascending", offset: id, limit: 1 })
      return nearest?.id === id ? nearest : undefined
    })

    /** The business of a period, and what is under way now. */
    const overview = Effect.fn("Business.overview")(function* (query: OverviewQuery) {
      return {
        ended: yield* sums.ended(query),
        volume: yield* sums.volume(query),
        commission: yield* sums.earned(query),
        underWay: yield* underWay.states(query.account),
        stalled: yield* underWay.stalls(query.account),
      }
    })

    return {
      /** Swaps of all accounts, by id. Pages look at a bounded number: one may be short or empty before `next`. */
      swaps: Effect.fn("Business.swaps")(listed.page),
      /** How many swaps fit, at least: up to `limit` are counted, of a bounded number that is looked at. */
      count: Effect.fn("Business.count")(listed.count),
      /** A page of the openings whose outcome is unknown, by id. */
      unknownOpenings: Effect.fn("Business.unknownOpenings")(function* (query: UnknownOpeningsQuery) {
        const found = yield* outcomes.openings({ ...query, limit: query.limit + 1 })
        return pageOf(found, query.limit, ({ id }) => id)
      }),
      /** Why there is no swap with this id, for the operator: an opening may have it whose outcome is unknown. */
      missing: Effect.fn("Business.missing")(function* (id: SwapRecordId) {
        const opening = yield* unknownOpening(id)
        return yield* new SwapNotFound(opening === undefined ? {} : { unknownOpening: opening })
      }),
      unknownOpening,
      /** The swap with this id, of whichever account, as it is recorded: no upstream is asked. */
      swap: Effect.fn("Business.swap")(function* (id: SwapRecordId) {
        const [swap] = yield* listed.byIds([id])
        return swap === undefined ? yield* new SwapNotFound() : swap
      }),
      /** Sums of earned commission. Over the keys of an account they equal its own `/commission`, to the unit. */
      commission: Effect.fn("Business.commission")(sums.commission),
      channels,
      channelCounts: underWay.channelCounts,
      overview,
      /** What was swapped and earned in a period, with its value, by hour or day, by provider and by measure. */
      figures: Effect.fn("Business.figures")(sums.figures),
      /** What each account swapped and earned in a period, with its value, by hour or day. */
      ofAccounts: Effect.fn("Business.ofAccounts")(sums.ofAccounts),
      /** US dollars for one native unit of each asset at a time; those without a price are absent. */
      pricesAt: Effect.fn("Business.pricesAt")(values.pricesAt),
      priced: values.priced,
    }
  }),
) {}
