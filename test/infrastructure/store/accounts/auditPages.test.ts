import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AccountName } from "#domain/accounts/Account.ts"
import { actorName, type AuditEntry, type AuditFilters } from "#domain/operations/Audit.ts"
import { EpochMillis, lastMillis } from "#domain/Time.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { stores } from "#test/support/store.ts"
import { readingOf } from "../business/readingOf.ts"

const entries = 4_000
const limit = 10

/** The most that a page of one action, and of each further one, may read: a step of the plan reads each row again. */
const most = { rows: 120, blocks: 250 }

const begin = Date.parse("2026-01-01T00:00:00Z")
const at = (minutes: number) => EpochMillis.make(begin + minutes * 60_000)

/** An entry a minute by two accounts and two users, most about a third account; a few swaps are moved. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO audit_log (changed_at, actor, change)
    SELECT to_timestamp((${begin}::bigint / 1000 + n::bigint * 60)::double precision),
      CASE n % 4
        WHEN 0 THEN '{"type": "cli", "user": "anna"}'::jsonb WHEN 1 THEN '{"type": "cli", "user": "ben"}'
        ELSE jsonb_build_object('type', 'key', 'account', CASE WHEN n % 4 = 2 THEN 'one' ELSE 'two' END, 'keyId', 'abcdefghijklmnop')
      END,
      CASE
        WHEN n % 500 = 3 THEN jsonb_build_object('action', 'swap.moved', 'account', 'three', 'swapId', n,
          'before', '{"account": "one"}'::jsonb, 'after', '{"account": "three"}'::jsonb)
        WHEN n % 2 = 0 THEN jsonb_build_object('action', 'portal.linked', 'account', 'three',
          'after', jsonb_build_object('expiresAt', 0))
        ELSE jsonb_build_object('action', 'webhook.rotated', 'account', CASE WHEN n % 3 = 0 THEN 'two' ELSE 'three' END,
          'webhookId', 'whk_abcdefghijklmnop', 'after', jsonb_build_object('othersUntil', 0))
      END
    FROM generate_series(1, ${entries}::int) AS n`
  yield* sql`VACUUM ANALYZE`
})

const one = AccountName.make("one")
const two = AccountName.make("two")
const three = AccountName.make("three")
const middle = { from: at(1_000), before: at(3_000) }

const filters: Readonly<Record<string, AuditFilters>> = {
  "no filter": {},
  "an account": { account: three },
  "the account that a swap was moved from": { account: one },
  "an action": { actions: ["portal.linked"] },
  "a rare action": { actions: ["swap.moved"] },
  "several actions": { actions: ["swap.moved", "portal.linked", "webhook.rotated"] },
  "an action without entries": { actions: ["key.issued"] },
  "a user": { actor: "cli:anna" },
  "all users": { actor: "cli" },
  "an account's keys": { actor: "two" },
  "nobody": { actor: "nobody" },
  "since": { from: at(3_990) },
  "since long ago": { from: at(10) },
  "since a time to come": { from: at(10_000) },
  "before": { before: at(100) },
  "a period": middle,
  "an account and an action": { account: three, actions: ["swap.moved"] },
  "an account and an actor who never changed it": { account: two, actor: "one" },
  "an action by an actor": { actions: ["swap.moved"], actor: "two" },
  "an action that an actor never did": { actions: ["swap.moved"], actor: "cli:anna" },
  "everything": { account: three, actions: ["swap.moved", "webhook.rotated"], actor: "two", ...middle },
}

/** Whether an entry fits, found without the database. */
const fits =
  ({ account, actions, actor, before = lastMillis, from = EpochMillis.make(0) }: AuditFilters) =>
  (entry: AuditEntry) => {
    const { change } = entry
    const accounts = [
      ...("account" in change ? [change.account] : []),
      ...(change.action === "swap.moved" ? [change.before.account, change.after.account] : []),
    ]
    const name = actorName(entry.actor)
    return entry.at >= from && entry.at < before &&
      (actions === undefined || actions.includes(change.action)) &&
      (account === undefined || accounts.includes(account)) &&
      (actor === undefined || name === actor || actor === "cli" && name.startsWith("cli:"))
  }

for (const store of stores) {
  layer(store.layer)(`the audit log with many entries on ${store.name}`, (it) => {
    it.effect("is read in pages that read little, whatever they are filtered by", function* () {
      yield* fill
      const audit = yield* AuditRepo
      const all = yield* audit.entries({ limit: entries })
      assert.lengthOf(all, entries)
      for (const [name, filter] of Object.entries(filters)) {
        const page = { ...filter, limit }
        const told = yield* audit.entries(page)
        const { blocks, rows } = yield* readingOf(audit.entries(page))
        const ranges = Math.max(1, filter.actions?.length ?? 0) * (filter.before === undefined ? 1 : 2)
        assert.isAtMost(rows, ranges * most.rows, `${name}: rows, of ${told.length}`)
        assert.isAtMost(blocks, ranges * most.blocks, `${name}: blocks`)
        const fitting = all.filter(fits(filter))
        assert.deepStrictEqual(told.map(({ id }) => id), fitting.slice(0, limit).map(({ id }) => id), name)
        const last = told.at(-1)
        if (last === undefined || told.length < limit) continue
        const next = yield* readingOf(audit.entries({ ...page, offset: last.id }))
        assert.isAtMost(next.rows, ranges * most.rows, `${name}, next page: rows`)
      }
    })

    it.effect("is found by its times, even those of clocks that were wrong for a while", function* () {
      const audit = yield* AuditRepo
      const sql = yield* SqlClient.SqlClient
      const wrongBy = [0, 3, 90, 100_000, -40, -100_000, 0.5, 0]
      for (const [index, minutes] of wrongBy.flatMap((wrong) => [wrong, wrong, 0]).entries()) {
        yield* sql`
            INSERT INTO audit_log (changed_at, actor, change) VALUES (
              to_timestamp(${
          Number(at(10_000 + index + minutes)) / 1_000
        }::double precision), '{"type": "bootstrap"}',
              '{"action": "portal.linked", "account": "four", "after": {"expiresAt": 0}}'
            )`
      }
      const four = AccountName.make("four")
      const all = yield* audit.entries({ limit: 100, account: four })
      assert.lengthOf(all, 3 * wrongBy.length)
      const times = [0, ...all.map(({ at }) => at), at(9_000), at(200_000)].map((time) =>
        EpochMillis.make(time)
      )
      for (const from of times) {
        for (const before of times) {
          const filter = { account: four, from, before }
          assert.deepStrictEqual(yield* audit.entries({ ...filter, limit: 100 }), all.filter(fits(filter)))
        }
      }
    })
  })
}
