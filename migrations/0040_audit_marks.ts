import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the audit log is filtered by: for each entry a row for every way to ask for it, with and without its action, its
 * accounts and its actor, so that a page of any filters is read from one range of the key. Kept by the database itself.
 *
 * Entries are in the order of their ids, which times follow unless a clock was wrong. `latest_at` is the latest time so
 * far and never falls: no entry before the first one that has reached a time is of that time or later. An entry that is
 * more than a minute behind it is marked a second time as `late`, as no bound by time holds for it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A row of an index takes no text of thousands of characters.
  yield* sql`
    CREATE FUNCTION audit_mark(action text, account text, actor text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT left(coalesce(action, '') || '|' || coalesce(account, '') || '|' || coalesce('by ' || actor, ''), 400)
    $$`
  yield* sql`
    CREATE FUNCTION audit_marks_of(entry audit_log) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
      SELECT DISTINCT audit_mark(action, account, actor)
      FROM unnest(ARRAY[NULL, entry.change ->> 'action']) AS actions (action),
        unnest(ARRAY[NULL, entry.change ->> 'account'] || CASE WHEN entry.change ->> 'action' = 'swap.moved'
          THEN ARRAY[entry.change #>> '{before,account}', entry.change #>> '{after,account}'] END
        ) AS accounts (account),
        unnest(CASE entry.actor ->> 'type'
          WHEN 'key' THEN ARRAY[NULL, entry.actor ->> 'account']
          WHEN 'cli' THEN ARRAY[NULL, 'cli', 'cli:' || (entry.actor ->> 'user')]
          ELSE ARRAY[NULL, entry.actor ->> 'type']
        END) AS actors (actor)
    $$`
  yield* sql`
    CREATE TABLE audit_marks (
      mark text COLLATE "C" NOT NULL,
      entry_id bigint NOT NULL,
      changed_at timestamptz NOT NULL,
      latest_at timestamptz NOT NULL
    )`
  yield* sql`
    INSERT INTO audit_marks
    SELECT late.prefix || marks.mark, (entry).id, (entry).changed_at, latest_at
    FROM (SELECT audit_log AS entry, max(changed_at) OVER (ORDER BY id) AS latest_at FROM audit_log) AS entries
    CROSS JOIN LATERAL audit_marks_of(entry) AS marks (mark)
    CROSS JOIN (VALUES ('', false), ('late ', true)) AS late (prefix, is_late)
    WHERE NOT late.is_late OR (entry).changed_at < latest_at - interval '1 minute'`
  yield* sql`ALTER TABLE audit_marks ADD PRIMARY KEY (mark, entry_id)`
  yield* sql`CREATE INDEX audit_marks_times ON audit_marks (latest_at, entry_id) WHERE mark = '||'`
  yield* sql`
    CREATE FUNCTION write_audit_marks() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE latest timestamptz := greatest(NEW.changed_at, (
      SELECT latest_at FROM audit_marks WHERE mark = '||' ORDER BY entry_id DESC LIMIT 1
    ));
    BEGIN
      INSERT INTO audit_marks
      SELECT late.prefix || marks.mark, NEW.id, NEW.changed_at, latest
      FROM audit_marks_of(NEW) AS marks (mark)
      CROSS JOIN (VALUES ('', false), ('late ', true)) AS late (prefix, is_late)
      WHERE NOT late.is_late OR NEW.changed_at < latest - interval '1 minute';
      RETURN NULL;
    END
    $$`
  yield* sql`
    CREATE TRIGGER audit_log_marked AFTER INSERT ON audit_log
    FOR EACH ROW EXECUTE FUNCTION write_audit_marks()`
  yield* sql`
    CREATE TRIGGER audit_marks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_marks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_alter_the_past()`
})
