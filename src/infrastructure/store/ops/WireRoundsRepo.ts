import { Effect, Schema } from "effect"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { WireMemory, WireRound } from "#domain/operations/WireRound.ts"
import { toTimestamp } from "../database/columns.ts"
import { any, readableAs, repository } from "../database/repository.ts"

/** A round with what later rounds have to know of it. */
const KeptRound = Schema.Struct({ round: WireRound, memory: WireMemory })
export type KeptRound = typeof KeptRound.Type

const encodeRound = Schema.encodeEffect(Schema.fromJsonString(KeptRound))
const rounds = readableAs(
  Schema.Struct({ kept: KeptRound }),
  "A round of a wire's witness is not shown",
  ({ kept }) => kept,
)

/** The last round of each provider's witness. Replicas share one. */
export class WireRoundsRepo extends repository<WireRoundsRepo>()("WireRounds", ({ op, sql }) => ({
  /** Takes the round that is due now, and makes the next one due at `next`; false where none is due. */
  claim: op("claim", (provider: ProviderName, now: EpochMillis, next: EpochMillis) =>
    any(sql`
      INSERT INTO wire_rounds AS known (provider, next_at) VALUES (${provider}, ${toTimestamp(next)})
      ON CONFLICT (provider) DO UPDATE SET next_at = EXCLUDED.next_at
      WHERE known.next_at <= ${toTimestamp(now)}
      RETURNING 1`)),

  /** Makes a round due at once: the one that was taken was not ended. */
  release: op(
    "release",
    (provider: ProviderName) =>
      Effect.asVoid(
        sql`UPDATE wire_rounds SET next_at = ${
          toTimestamp(EpochMillis.make(0))
        } WHERE provider = ${provider}`,
      ),
  ),

  keep: op("keep", function* (kept: KeptRound) {
    const { endedAt, provider } = kept.round
    const text = yield* encodeRound(kept)
    yield* sql`
      INSERT INTO wire_rounds (provider, next_at, round)
      VALUES (${provider}, ${toTimestamp(endedAt)}, ${text}::jsonb)
      ON CONFLICT (provider) DO UPDATE SET round = EXCLUDED.round`
  }),

  find: op(
    "find",
    (provider: ProviderName) =>
      rounds.first(
        sql`SELECT round AS kept FROM wire_rounds WHERE provider = ${provider} AND round IS NOT NULL`,
      ),
  ),

  all: op(
    "all",
    rounds.all(sql`SELECT round AS kept FROM wire_rounds WHERE round IS NOT NULL ORDER BY provider`),
  ),
})) {}
