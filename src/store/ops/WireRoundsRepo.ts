import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { WireMemory, WireRound } from "../../domain/WireRound.ts"
import { readableRows, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** A round with what later rounds have to know of it. */
const KeptRound = Schema.Struct({ round: WireRound, memory: WireMemory })
export type KeptRound = typeof KeptRound.Type

const encodeRound = Schema.encodeEffect(Schema.fromJsonString(KeptRound))
const decodeRounds = readableRows(
  Schema.Struct({ kept: KeptRound }),
  "A round of a wire's witness is not shown",
)

/** The last round of each provider's witness. Replicas share one. */
export class WireRoundsRepo extends Context.Service<WireRoundsRepo, {
  /** Takes the round that is due now, and makes the next one due at `next`; false where none is due. */
  readonly claim: (
    provider: ProviderName,
    now: EpochMillis,
    next: EpochMillis,
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** Makes a round due at once: the one that was taken was not ended. */
  readonly release: (provider: ProviderName) => Effect.Effect<void, StoreUnavailable>
  readonly keep: (kept: KeptRound) => Effect.Effect<void, StoreUnavailable>
  readonly find: (provider: ProviderName) => Effect.Effect<Option.Option<KeptRound>, StoreUnavailable>
  readonly all: Effect.Effect<ReadonlyArray<KeptRound>, StoreUnavailable>
}>()("swap-broker/store/WireRoundsRepo") {
  static readonly layer = Layer.effect(
    WireRoundsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const claim = (provider: ProviderName, now: EpochMillis, next: EpochMillis) =>
        sql`
          INSERT INTO wire_rounds AS known (provider, next_at) VALUES (${provider}, ${toTimestamp(next)})
          ON CONFLICT (provider) DO UPDATE SET next_at = EXCLUDED.next_at
          WHERE known.next_at <= ${toTimestamp(now)}
          RETURNING 1`.pipe(Effect.map((rows) => rows.length > 0), storeOperation("WireRounds.claim"))

      const release = (provider: ProviderName) =>
        sql`UPDATE wire_rounds SET next_at = ${toTimestamp(EpochMillis.make(0))} WHERE provider = ${provider}`
          .pipe(
            Effect.asVoid,
            storeOperation("WireRounds.release"),
          )

      const keep = Effect.fnUntraced(function* (kept: KeptRound) {
        const { endedAt, provider } = kept.round
        const text = yield* encodeRound(kept)
        yield* sql`
          INSERT INTO wire_rounds (provider, next_at, round)
          VALUES (${provider}, ${toTimestamp(endedAt)}, ${text}::jsonb)
          ON CONFLICT (provider) DO UPDATE SET round = EXCLUDED.round`
      }, storeOperation("WireRounds.keep"))

      const find = (provider: ProviderName) =>
        sql`SELECT round AS kept FROM wire_rounds WHERE provider = ${provider} AND round IS NOT NULL`.pipe(
          Effect.flatMap(decodeRounds),
          Effect.map(([kept]) => Option.map(Option.fromUndefinedOr(kept), ({ kept }) => kept)),
          storeOperation("WireRounds.find"),
        )

      const all = sql`SELECT round AS kept FROM wire_rounds WHERE round IS NOT NULL ORDER BY provider`.pipe(
        Effect.flatMap(decodeRounds),
        Effect.map((rows) => rows.map(({ kept }) => kept)),
        storeOperation("WireRounds.all"),
      )

      return WireRoundsRepo.of({ claim, release, keep, find, all })
    }),
  )
}
