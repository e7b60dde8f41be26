import { Effect } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { JournalEntry, JournalEntryId } from "#domain/swaps/Journal.ts"
import { pageOf, type PageQuery } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { type SortOrder, SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"

/** The page of a journal: the first entry comes first unless the latest is wanted first (`descending`). */
interface Query extends PageQuery<JournalEntryId> {
  readonly sort?: SortOrder
}
type Entries = StoreEffect<ReadonlyArray<JournalEntry>>

/** Every visible swap has a first entry, so a swap without entries does not exist; a page of it may still be empty. */
const pageFrom = Effect.fnUntraced(function* (read: (query: Query) => Entries, query: Query) {
  const found = yield* read({ ...query, limit: query.limit + 1 })
  if (found.length === 0 && (yield* read({ limit: 1 })).length === 0) return yield* new SwapNotFound()
  return pageOf(found, query.limit, ({ id }) => id)
})

/** Pages of each swap's journal; a swap of thousands of chunks has thousands of entries. */
export class Journals extends service<Journals>()(
  "swap-broker/swapping/Journals",
  Effect.map(JournalRepo, (repo) => ({
    /** The journal of a swap of the account. Another account's swap looks as if it did not exist (decision 23). */
    page: Effect.fn("Journals.page")((account: Account, id: SwapRecordId, query: Query) =>
      pageFrom((part) => repo.of(account.id, id, part), query)
    ),
    /** The journal of any swap, for the operator. */
    pageOfAny: Effect.fn("Journals.pageOfAny")((id: SwapRecordId, query: Query) =>
      pageFrom((part) => repo.ofAny(id, part), query)
    ),
  })),
) {}
