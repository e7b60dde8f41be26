import { assert, layer } from "#test/support/it.ts"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { accountDefaults } from "#application/accounts/accountTerms.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { type Actor, actorOf, type AuditChange, type AuditFilters } from "#domain/operations/Audit.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { AuditRepo, type Author } from "#infrastructure/store/accounts/AuditRepo.ts"
import { callerWith } from "#test/support/account.ts"
import { stores } from "#test/support/store.ts"

const at = EpochMillis.make(1_785_333_864_123)
const author: Author = { actor: actorOf(callerWith()), at }

class Refused extends Data.TaggedError("Refused") {}

const creation = (name: string): AuditChange => ({
  action: "account.created",
  account: AccountName.make(name),
  after: accountDefaults,
})

/** Work that makes an account of this name, and says so. */
const making = (accounts: AccountsRepo["Service"], name: string) =>
  function* () {
    const value = yield* accounts.add({ name: AccountName.make(name), terms: accountDefaults, createdAt: at })
    return { value, changes: [creation(name)] }
  }

const isThere = (name: string) =>
  Effect.flatMap(
    AccountsRepo,
    ({ find }) => Effect.map(find(AccountName.make(name)), ({ _tag }) => _tag === "Some"),
  )

for (const store of stores) {
  layer(store.layer)(`the audit log on ${store.name}`, (it) => {
    it.effect("has a change with who made it and when, if the change itself stays", function* () {
      const audit = yield* AuditRepo
      const accounts = yield* AccountsRepo
      const made = yield* audit.recorded("a test", author, making(accounts, "one"))
      assert.strictEqual(made.name, "one")
      const [entry] = yield* audit.entries({ limit: 1 })
      assert.deepInclude(entry, { ...author, change: creation("one") })
    })

    it.effect("has what was written before accounts could be without MCP, as it was written", function* () {
      const audit = yield* AuditRepo
      const sql = yield* SqlClient.SqlClient
      const { mcp: _, ...then } = accountDefaults
      const change = { action: "account.changed", account: "earlier", before: then, after: then }
      yield* sql`
          INSERT INTO audit_log (changed_at, actor, change)
          VALUES (now(), '{"type":"bootstrap"}', ${JSON.stringify(change)}::jsonb)`
      const [entry] = yield* audit.entries({ limit: 1 })
      assert.deepStrictEqual<unknown>(entry?.change, change)
    })

    it.effect("has nothing of a change that was refused, which does not stay either", function* () {
      const audit = yield* AuditRepo
      const accounts = yield* AccountsRepo
      const work = function* () {
        yield* Effect.gen(making(accounts, "two"))
        return yield* new Refused()
      }
      const before = yield* audit.entries({ limit: 1 })
      const error = yield* Effect.flip(audit.recorded("a test", author, work))
      assert.instanceOf(error, Refused)
      assert.isFalse(yield* isThere("two"))
      assert.deepStrictEqual(yield* audit.entries({ limit: 1 }), before)
    })

    it.effect("cannot be altered, not by us either", function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditRepo
      const accounts = yield* AccountsRepo
      yield* audit.recorded("a test", author, making(accounts, "three"))
      const before = yield* audit.entries({ limit: 100 })
      const attempts = [
        sql`UPDATE audit_log SET change = '{}'`,
        sql`DELETE FROM audit_log`,
        sql`TRUNCATE audit_log`,
      ]
      for (const attempt of attempts) {
        const error = yield* Effect.flip(attempt)
        assert.include(`${error.reason.cause}`, "The audit log is append-only")
      }
      assert.deepStrictEqual(yield* audit.entries({ limit: 100 }), before)
    })

    it.effect("is filtered by account, the owners of a moved swap too, by action, actor and time", function* () {
      const audit = yield* AuditRepo
      const [from, to] = [AccountName.make("filtered-from"), AccountName.make("filtered-to")]
      const moved: AuditChange = {
        action: "swap.moved",
        account: to,
        swapId: SwapRecordId.make(1),
        before: { account: from },
        after: { account: to },
      }
      const write = (actor: Actor, millis: number, change: AuditChange) =>
        audit.recorded("a test", { actor, at: EpochMillis.make(millis) }, function* () {
          return yield* Effect.succeed({ value: 0, changes: [change] })
        })
      yield* write({ type: "cli", user: "anna" }, 1_000, creation(from))
      yield* write({ type: "cli" }, 2_000, creation(to))
      yield* write(author.actor, 3_000, moved)
      const times = (filters: AuditFilters) =>
        Effect.map(
          audit.entries({ limit: 100, ...filters }),
          (entries) => entries.map(({ at }) => Number(at)),
        )
      const within = { before: EpochMillis.make(3_001) }
      assert.deepStrictEqual(yield* times({ account: from }), [3_000, 1_000])
      assert.deepStrictEqual(yield* times({ account: to }), [3_000, 2_000])
      assert.deepStrictEqual(yield* times({ actions: ["swap.moved"] }), [3_000])
      assert.deepStrictEqual(yield* times({ actor: "cli" }), [2_000, 1_000])
      assert.deepStrictEqual(yield* times({ actor: "cli:anna" }), [1_000])
      assert.deepStrictEqual(yield* times({ actor: "default", ...within }), [3_000])
      assert.deepStrictEqual(yield* times({ actor: "key" }), [])
      assert.deepStrictEqual(yield* times({ from: EpochMillis.make(2_000), ...within }), [3_000, 2_000])
      assert.deepStrictEqual(yield* times({ before: EpochMillis.make(2_000) }), [1_000])
    })

    it.effect("is read from an entry downwards, and numbers changes in the order in which they were made", function* () {
      const audit = yield* AuditRepo
      const names = ["four", "five", "six", "seven"]
      yield* Effect.forEach(
        names,
        (name) =>
          audit.recorded("a test", author, function* () {
            return yield* Effect.succeed({ value: name, changes: [creation(name)] })
          }),
        { concurrency: "unbounded" },
      )
      const all = yield* audit.entries({ limit: 4 })
      const ids = all.map(({ id }) => id)
      assert.deepStrictEqual(ids, ids.toSorted((one, other) => other - one))
      const [, second] = all
      assert.isDefined(second)
      assert.deepStrictEqual(yield* audit.entries({ offset: second.id, limit: 2 }), all.slice(1, 3))
    })
  })
}
