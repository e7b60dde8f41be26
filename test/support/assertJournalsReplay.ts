import { assert } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { StatusJson, WholeNumber } from "#infrastructure/store/database/columns.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { tellTheSame } from "#application/swapping/following/Progress.ts"
import { replay } from "./replay.ts"

const decodeSwaps = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  status: StatusJson,
})))

/**
 * For the end of a suite that follows swaps: the journal of every swap in the store, replayed from nothing by the
 * rules that it was made by, gives what is stored.
 */
export const assertJournalsReplay = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const journal = yield* JournalRepo
  const swaps = yield* decodeSwaps(yield* sql`SELECT id, status FROM swaps WHERE status IS NOT NULL`)
  assert.isAbove(swaps.length, 0)
  for (const { id, status } of swaps) {
    const replayed = replay(yield* journal.ofAny(id))
    if (Result.isFailure(replayed)) assert.fail(`swap ${id}: ${replayed.failure.detail}`)
    else assert.isTrue(tellTheSame(replayed.success, status), `swap ${id} is not what its journal comes to`)
  }
})
