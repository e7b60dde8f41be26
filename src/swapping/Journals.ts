import { Context, Effect, Layer } from "effect"
import type { Account } from "../domain/Account.ts"
import type { JournalEntry, JournalEntryId } from "../domain/Journal.ts"
import { type Page, pageOf, type PageQuery } from "../domain/Page.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { SwapNotFound, type SwapRecordId } from "../domain/SwapRecord.ts"
import { JournalRepo } from "../store/swaps/JournalRepo.ts"

type Query = PageQuery<JournalEntryId>
type Entries = Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>
type JournalPage = Effect.Effect<Page<JournalEntry, JournalEntryId>, SwapNotFound | StoreUnavailable>

/** Every swap that is shown has a first entry, so one without any is none; a part of it may be empty all the same. */
const pageFrom = Effect.fnUntraced(function* (read: (query: Query) => Entries, query: Query) {
  const found = yield* read({ ...query, limit: query.limit + 1 })
  if (found.length === 0 && (yield* read({ limit: 1 })).length === 0) return yield* new SwapNotFound()
  return pageOf(found, query.limit, ({ id }) => id)
})

/**
 * The story of each swap, the first entry first. It comes in parts: a swap in thousands of chunks has thousands of
 * entries, each with what its upstream said.
 */
export class Journals extends Context.Service<Journals, {
  /** The journal of a swap of the account; another account's swap looks like none at all (decision 23). */
  readonly page: (account: Account, id: SwapRecordId, query: Query) => JournalPage
  /** The journal of any swap, for the operator. */
  readonly pageOfAny: (id: SwapRecordId, query: Query) => JournalPage
}>()("swap-broker/swapping/Journals") {
  static readonly layer: Layer.Layer<Journals, never, JournalRepo> = Layer.effect(
    Journals,
    Effect.map(JournalRepo, (repo) =>
      Journals.of({
        page: Effect.fn("Journals.page")((account, id, query) =>
          pageFrom((part) => repo.of(account.id, id, part), query)
        ),
        pageOfAny: Effect.fn("Journals.pageOfAny")((id, query) =>
          pageFrom((part) => repo.ofAny(id, part), query)
        ),
      })),
  )
}
