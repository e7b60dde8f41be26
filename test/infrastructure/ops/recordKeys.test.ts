import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EpochMillis } from "#domain/Time.ts"
import { recordKeys } from "#infrastructure/ops/recordKeys.ts"
import { RecordKeysRepo } from "#infrastructure/store/ops/RecordKeysRepo.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"

const day = Duration.toMillis("1 day")
const at = (days: number) => EpochMillis.make(1_700_000_000_000 + days * day)

const caseKey = (fingerprint: string) => ({ setting: "CASE_FILE_KEYS", fingerprint })
const webhookKey = { setting: "WEBHOOK_ENCRYPTION_KEY", fingerprint: "0123456789abcdef" }

/** What a start with these keys says. */
const started = (...present: ReadonlyArray<{ readonly setting: string; readonly fingerprint: string }>) =>
  Effect.map(
    collectLogs(Effect.scoped(Layer.build(recordKeys(Effect.succeed(present))))),
    ({ lines }) => lines.join("\n"),
  )

/** A webhook whose secret is encrypted. */
const encryptedSecret = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* newAccount
  yield* sql`INSERT INTO webhooks (id, account_id, url, created_at, position)
    VALUES ('whk_x', ${id}, 'https://x', now(), 0)`
  yield* sql`INSERT INTO webhook_secrets (webhook_id, secret) VALUES ('whk_x', 'aes256gcm:AAAA')`
})

describe("the keys that records need", () => {
  it.effect("are those that were there last, and those of the 90 days before", () =>
    Effect.gen(function* () {
      const repo = yield* RecordKeysRepo
      yield* repo.see([caseKey("old")], at(0))
      assert.deepStrictEqual(yield* repo.needed, [caseKey("old")], "however long ago that is")
      yield* repo.see([caseKey("new")], at(80))
      assert.deepStrictEqual(yield* repo.needed, [caseKey("new"), caseKey("old")])
      yield* repo.see([caseKey("new")], at(91))
      assert.deepStrictEqual(yield* repo.needed, [caseKey("new")])
    }).pipe(Effect.provide(embeddedStore.layer)))

  it.effect("have the one of webhooks among them only while it has encrypted something", () =>
    Effect.gen(function* () {
      const repo = yield* RecordKeysRepo
      yield* repo.see([webhookKey], at(0))
      assert.deepStrictEqual(yield* repo.needed, [])
      yield* encryptedSecret
      assert.deepStrictEqual(yield* repo.needed, [webhookKey])
    }).pipe(Effect.provide(embeddedStore.layer)))

  it.effect("are named at each start without them, and never where they are there", () =>
    Effect.gen(function* () {
      yield* encryptedSecret
      yield* TestClock.setTime(at(0))
      assert.strictEqual(yield* started(caseKey("one"), webhookKey), "")
      yield* TestClock.setTime(at(200))
      for (let time = 0; time < 2; time++) {
        const said = yield* started(caseKey("one"))
        assert.include(said, "WEBHOOK_ENCRYPTION_KEY (0123456789abcdef)")
        assert.notInclude(said, "CASE_FILE_KEYS")
      }
      assert.include(yield* started(), "CASE_FILE_KEYS (one), WEBHOOK_ENCRYPTION_KEY")
      assert.strictEqual(yield* started(caseKey("one"), webhookKey), "")
    }).pipe(Effect.provide(embeddedStore.layer)))
})
