import type { SqlClient, Statement } from "effect/sql"
import { isKept, type WrittenAnswer } from "../domain/Idempotency.ts"

/**
 * What becomes of the key of the openings in the table expression `opening` of the same statement: it stands
 * for the answer, or, where the answer is not kept, it is free again.
 */
export const keyOutcome = (sql: SqlClient.SqlClient, answer: WrittenAnswer): Statement.Fragment =>
  isKept(answer)
    ? sql`
      UPDATE idempotency_keys SET answer_status = ${answer.status}, answer_body = ${answer.body}
      FROM opening WHERE swap_id = opening.id AND answer_status IS NULL`
    : sql`DELETE FROM idempotency_keys USING opening WHERE swap_id = opening.id AND answer_status IS NULL`
