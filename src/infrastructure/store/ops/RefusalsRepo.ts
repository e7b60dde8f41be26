import { Schema } from "effect"
import type { ProviderName } from "#domain/ProviderName.ts"
import { RefusedAnswer } from "#domain/RefusedAnswer.ts"
import { toTimestamp } from "../database/columns.ts"
import { column, repository } from "../database/repository.ts"

/** How many refused answers are kept of each provider and operation. */
export const mostRefusalsKept = 5

const RefusalJson = Schema.toCodecJson(RefusedAnswer)
const encodeRefusal = Schema.encodeEffect(Schema.fromJsonString(RefusalJson))
const refusals = column(RefusalJson)

export class RefusalsRepo extends repository<RefusalsRepo>()("Refusals", ({ op, sql }) => ({
  /** Adds refused answers of one provider and operation, and drops the oldest that are too many of them. */
  add: op("add", function* (refusals: ReadonlyArray<RefusedAnswer>) {
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
  }),

  /** Those of a provider, the newest first. */
  latest: op(
    "latest",
    (provider: ProviderName) =>
      refusals.all(
        sql`SELECT refusal FROM refused_answers WHERE provider = ${provider} ORDER BY at DESC, id DESC`,
      ),
  ),
})) {}
