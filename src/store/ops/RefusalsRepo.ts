import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { RefusedAnswer } from "../../domain/RefusedAnswer.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** How many refused answers are kept of each provider and operation. */
export const mostRefusalsKept = 5

const RefusalJson = Schema.toCodecJson(RefusedAnswer)
const encodeRefusal = Schema.encodeEffect(Schema.fromJsonString(RefusalJson))
const decodeRefusals = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ refusal: RefusalJson })))

/** The latest answers of upstreams that were refused. */
export class RefusalsRepo extends Context.Service<RefusalsRepo, {
  /** Adds refused answers of one provider and operation, and drops the oldest that are too many of them. */
  readonly add: (refusals: ReadonlyArray<RefusedAnswer>) => Effect.Effect<void, StoreUnavailable>
  /** Those of a provider, the newest first. */
  readonly latest: (provider: ProviderName) => Effect.Effect<ReadonlyArray<RefusedAnswer>, StoreUnavailable>
}>()("swap-broker/store/RefusalsRepo") {
  static readonly layer = Layer.effect(
    RefusalsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const add = Effect.fnUntraced(function* (refusals: ReadonlyArray<RefusedAnswer>) {
        for (const refusal of refusals) {
          const { at, operation, provider } = refusal
          yield* sql`
            INSERT INTO refused_answers (provider, operation, at, refusal)
            VALUES (${provider}, ${operation}, ${toTimestamp(at)}, ${yield* encodeRefusal(refusal)}::jsonb)`
        }
        const [{ operation, provider } = {}] = refusals
        if (operation === undefined || provider === undefined) return
        yield* sql`
          DELETE FROM refused_answers WHERE provider = ${provider} AND operation = ${operation} AND id NOT IN (
            SELECT id FROM refused_answers WHERE provider = ${provider} AND operation = ${operation}
            ORDER BY at DESC, id DESC LIMIT ${mostRefusalsKept}
          )`
      }, storeOperation("Refusals.add"))

      const latest = (provider: ProviderName) =>
        sql`SELECT refusal FROM refused_answers WHERE provider = ${provider} ORDER BY at DESC, id DESC`.pipe(
          Effect.flatMap(decodeRefusals),
          Effect.map((rows) => rows.map(({ refusal }) => refusal)),
          storeOperation("Refusals.latest"),
        )

      return RefusalsRepo.of({ add, latest })
    }),
  )
}
