import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { WholeNumber } from "#infrastructure/store/database/columns.ts"

/**
 * Lets the database itself write down every look-up that begins, with who had the swap before and until when: none
 * of the replicas is asked, and none can forget to tell.
 */
export const watchLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE lease_watch (
      swap_id bigint NOT NULL,
      number bigint NOT NULL,
      owner text NOT NULL,
      previous_number bigint NOT NULL,
      previous_owner text,
      previous_until timestamptz,
      begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`
  yield* sql`
    CREATE FUNCTION watch_lease() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO lease_watch (swap_id, number, owner, previous_number, previous_owner, previous_until)
      VALUES (NEW.id, NEW.lookups_begun, NEW.lookup_owner, OLD.lookups_begun, OLD.lookup_owner, OLD.next_lookup_at);
      RETURN NULL;
    END $$`
  yield* sql`
    CREATE TRIGGER watch_lease AFTER UPDATE OF lookups_begun ON swaps
    FOR EACH ROW WHEN (NEW.lookups_begun <> OLD.lookups_begun) EXECUTE FUNCTION watch_lease()`
})

const Figures = Schema.Tuple([Schema.Struct({
  lookups: WholeNumber,
  owners: WholeNumber,
  takenOver: WholeNumber,
  tooEarly: WholeNumber,
  outOfTurn: WholeNumber,
})])
const decodeFigures = Schema.decodeUnknownEffect(Figures)

/** What the database has seen of look-ups. */
export interface LeaseFigures {
  readonly lookups: number
  /** Processes that made them. */
  readonly owners: number
  /** Look-ups of swaps that another process had begun with and not given back: its lease was over. */
  readonly takenOver: number
  /** The same while the lease was not over: two at one swap. */
  readonly tooEarly: number
  /** Look-ups without a number of their own, so that a late result could pass for theirs. */
  readonly outOfTurn: number
}

export const leaseFigures = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT count(*) AS lookups, count(DISTINCT owner) AS owners,
      count(*) FILTER (WHERE previous_owner IS NOT NULL) AS "takenOver",
      count(*) FILTER (WHERE previous_owner IS NOT NULL AND previous_until > begun_at) AS "tooEarly",
      count(*) FILTER (WHERE number <> previous_number + 1) AS "outOfTurn"
    FROM lease_watch`
  const [figures]: readonly [LeaseFigures] = yield* decodeFigures(rows)
  return figures
})
