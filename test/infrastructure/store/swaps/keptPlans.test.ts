import { assert, layer } from "#test/support/it.ts"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { fillSwaps } from "./fillSwaps.ts"

const decodePlans = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ statement: Schema.String, kept: Schema.Int, made: Schema.Int })),
)

/** The statements about swaps that are prepared, with how often a kept plan was used and how often one was made. */
const plans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT statement, generic_plans::int AS kept, custom_plans::int AS made FROM pg_prepared_statements
    WHERE statement LIKE '%AS wanted (%' AND statement NOT LIKE '%pg_prepared%'`
  return yield* decodePlans(rows)
})

/** Postgres plans so many calls of a statement anew before it compares. */
const mostMade = 5
const calls = 12

layer(embeddedStore.layer)(
  "The plans of the statements about swaps",
  (it) => {
    it.effect("are kept, whatever is asked for", function* () {
      const { id } = yield* newAccount
      yield* fillSwaps(5_000)
      const repo = yield* SwapsRepo
      for (let call = 1; call <= calls; call++) {
        yield* Effect.forEach([call, call + 100], (one) => repo.byId(id, SwapRecordId.make(one)), {
          concurrency: "unbounded",
        })
        yield* repo.byId(id, SwapRecordId.make(call))
        for (const state of ["receiving", "completed"] as const) {
          const query = { limit: 50, states: [state], sort: "descending" } as const
          yield* repo.history(id, query)
          yield* repo.history(id, {
            ...query,
            offset: SwapRecordId.make(4_000 + call),
            platform: ProviderName.make("chainflip"),
          })
        }
      }
      const found = yield* plans
      assert.lengthOf(found, 6)
      for (const { statement, kept, made } of found) {
        assert.deepStrictEqual({ statement, kept, made }, {
          statement,
          kept: calls - mostMade,
          made: mostMade,
        })
      }
    })
  },
)
