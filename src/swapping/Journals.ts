import { Array, Context, Effect, Layer } from "effect"
import type { Account } from "../domain/Account.ts"
import type { JournalEntry } from "../domain/Journal.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { SwapNotFound, type SwapRecordId } from "../domain/SwapRecord.ts"
import { JournalRepo } from "../store/JournalRepo.ts"

/** Every swap that is shown has a first entry. */
type Journal = Effect.Effect<Array.NonEmptyReadonlyArray<JournalEntry>, SwapNotFound | StoreUnavailable>

const orNotFound = (entries: Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>): Journal =>
  Effect.flatMap(
    entries,
    (entries) =>
      Array.isReadonlyArrayNonEmpty(entries) ? Effect.succeed(entries) : Effect.fail(new SwapNotFound()),
  )

/** The whole story of each swap, the first entry first. */
export class Journals extends Context.Service<Journals, {
  /** Of a swap of the account; one of another account looks like none at all (decision 23). */
  readonly of: (account: Account, id: SwapRecordId) => Journal
  /** Of any swap, for the operator. */
  readonly ofAny: (id: SwapRecordId) => Journal
}>()("swap-broker/swapping/Journals") {
  static readonly layer: Layer.Layer<Journals, never, JournalRepo> = Layer.effect(
    Journals,
    Effect.map(JournalRepo, (repo) =>
      Journals.of({
        of: Effect.fn("Journals.of")((account, id) => orNotFound(repo.of(account.id, id))),
        ofAny: Effect.fn("Journals.ofAny")((id) => orNotFound(repo.ofAny(id))),
      })),
  )
}
