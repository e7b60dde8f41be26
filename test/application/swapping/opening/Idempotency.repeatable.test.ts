import { assert } from "#test/support/it.ts"
import { Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { KeyedRequest } from "#domain/swaps/Idempotency.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { Idempotency, KeyState } from "#application/swapping/opening/Idempotency.ts"
import { leaseFrom } from "#application/swapping/opening/OpeningRecord.ts"
import { retentionJobs } from "#application/swapping/RetentionJobs.ts"
import { dyingWhileAsking, keyedRequest, openings, tagOf, untilLapsed, writing } from "#test/support/keyed.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingOptions, swappingLayer } from "#test/support/swapping.ts"

onStores(swappingLayer)("What may be repeated, under an Idempotency-Key", (it) => {
  const answered = { status: 200, body: "payload" }
  const claimFor = (keyed: KeyedRequest) => ({
    keyed,
    undecided: Option.none(),
    write: { success: (body: string) => ({ status: 200, body }), failure: writing.failure },
  })
  /** Carries work out as the HTTP face does. */
  const perform = <E>(keyed: KeyedRequest, work: Effect.Effect<string, E>) =>
    Effect.flatMap(Idempotency, (idempotency) => idempotency.perform(claimFor(keyed), work))
  const recall = (keyed: KeyedRequest) =>
    Effect.flatMap(Idempotency, (idempotency) => idempotency.recall(keyed))

  it.effect("is done once, and its answer stands", function* () {
    const keyed = keyedRequest(yield* newAccount)
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Unused())
    assert.strictEqual(yield* perform(keyed, Effect.succeed("payload")), "payload")
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Answered({ answer: answered }))
    assert.strictEqual(yield* tagOf(perform(keyed, Effect.succeed("again"))), "KeyTaken")
  })

  it.effect("is refused to others while it is done, and free again when it fails or is cut off", function* () {
    const keyed = keyedRequest(yield* newAccount)
    const begun = yield* Deferred.make<void>()
    const work = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
    const fiber = yield* Effect.forkChild(perform(keyed, work))
    yield* Deferred.await(begun)
    assert.strictEqual(yield* tagOf(recall(keyed)), "KeyInUse")
    assert.strictEqual(yield* tagOf(perform(keyed, Effect.succeed("other"))), "KeyTaken")
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Unused())
    assert.strictEqual(yield* Effect.flip(perform(keyed, Effect.fail("refused"))), "refused")
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Unused())
    assert.strictEqual(yield* perform(keyed, Effect.succeed("payload")), "payload")
  })

  it.effect("is done again some time after the process died at it, but for nobody else's request", function* () {
    const account = yield* newAccount
    const keyed = keyedRequest(account)
    const repo = yield* IdempotencyRepo
    const at = yield* currentMillis
    const leaseUntil = leaseFrom(at, openingOptions)
    assert.isTrue(yield* repo.take({ keyed, at, expiresAt: leaseUntil }, leaseUntil))
    assert.strictEqual(yield* tagOf(recall(keyed)), "KeyInUse")
    yield* untilLapsed
    const other = { ...keyed, fingerprint: keyedRequest(account, "1").fingerprint }
    assert.strictEqual(yield* tagOf(recall(other)), "KeyReused")
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Unused())
    assert.strictEqual(yield* perform(keyed, Effect.succeed("payload")), "payload")
    assert.isFalse(yield* repo.answer(keyed, leaseUntil, { status: 200, body: "too late" }))
    yield* repo.release(keyed, leaseUntil)
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Answered({ answer: answered }))
  })

  it.effect("stays with who has taken it over: the first comes too late to answer it or to free it", function* () {
    const keyed = keyedRequest(yield* newAccount)
    const repo = yield* IdempotencyRepo
    const take = Effect.gen(function* () {
      const at = yield* currentMillis
      const leaseUntil = leaseFrom(at, openingOptions)
      assert.isTrue(yield* repo.take({ keyed, at, expiresAt: leaseUntil }, leaseUntil))
      return leaseUntil
    })
    const first = yield* take
    yield* untilLapsed
    const second = yield* take
    assert.isFalse(yield* repo.answer(keyed, first, { status: 200, body: "too late" }))
    assert.strictEqual(yield* tagOf(recall(keyed)), "KeyInUse")
    yield* repo.release(keyed, first)
    assert.strictEqual(yield* tagOf(recall(keyed)), "KeyInUse")
    assert.isTrue(yield* repo.answer(keyed, second, answered))
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Answered({ answer: answered }))
  })

  it.effect("is kept where such answers are, and never in place of another", function* () {
    const account = yield* newAccount
    const { keep } = yield* Idempotency
    for (const status of [400, 401, 403, 429]) {
      const keyed = keyedRequest(account)
      yield* keep(keyed, { status, body: "not kept" })
      assert.deepStrictEqual(yield* recall(keyed), KeyState.Unused())
    }
    for (const status of [200, 404, 500, 503]) {
      const keyed = keyedRequest(account)
      const answer = { status, body: "kept" }
      yield* keep(keyed, answer)
      yield* keep(keyed, { status: 503, body: "later" })
      assert.deepStrictEqual(yield* recall(keyed), KeyState.Answered({ answer }))
    }
  })

  it.effect("is forgotten after its time and not before, however many keys there are", function* () {
    const account = yield* newAccount
    const sql = yield* SqlClient.SqlClient
    yield* sql`
            INSERT INTO idempotency_keys
              (account_id, key, fingerprint, answer_status, answer_body, claimed_at, expires_at)
            SELECT ${account.id}, 'old ' || n, repeat('0', 64), 200, '', now(), ${new Date(0)}
            FROM generate_series(1, 2500) AS n`
    const keyed = keyedRequest(account)
    yield* perform(keyed, Effect.succeed("payload"))
    const first = yield* dyingWhileAsking(account, keyedRequest(account), new ScriptedProvider("first"))
    yield* TestClock.adjust(Duration.minutes(24 * 60 - 1))
    yield* Layer.build(retentionJobs({ recordsKeep: Duration.days(90) }))
    const left = Effect.yieldNow.pipe(
      Effect.andThen(sql`SELECT 1 FROM idempotency_keys WHERE account_id = ${account.id}`),
      Effect.map((rows) => rows.length),
    )
    assert.strictEqual(yield* Effect.repeat(left, { until: (count) => count < 10 }), 2)
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Answered({ answer: answered }))
    assert.deepStrictEqual(
      yield* openings(account),
      ["unknown"],
      `swap ${Option.getOrUndefined(first)}`,
    )
    // A server answers when it likes: what began before the minute had passed comes again some time after.
    const later = Effect.andThen(TestClock.adjust("1 minute"), left)
    yield* Effect.repeat(later, { until: (count) => count === 0 })
    assert.deepStrictEqual(yield* recall(keyed), KeyState.Unused())
  })
})
