import { assert } from "#test/support/it.ts"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Base64Url, Hex } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { hashKey } from "#application/accounts/ApiKey.ts"
import { Idempotency } from "#application/swapping/opening/Idempotency.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { Fingerprint, IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { EpochMillis } from "#domain/Time.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { Confirmations } from "#interfaces/mcp/Confirmations.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingOptions } from "#test/support/swapping.ts"

const replicaLayer = Confirmations.layer(Duration.minutes(2)).pipe(
  Layer.provide(Idempotency.layer(openingOptions)),
)

/** The confirmations of a replica that has just started. */
const replica = Effect.map(
  Layer.build(Layer.fresh(replicaLayer)),
  (context) => Context.get(context, Confirmations),
)

const keyOf = (text: string) => Redacted.make(`sbk_${text.padEnd(60, "a")}`)

const agent = Effect.map(newAccount, (caller) => ({ caller, key: keyOf("own") }))

/** Terms as long as they are for a swap with everything in it. */
const terms = (expiresAt: number) => ({
  expiresAt: EpochMillis.make(expiresAt),
  parameters: {
    sourceAsset: "btc.btc",
    destinationAddress: "0x".padEnd(42, "1"),
    affiliate1: "é".repeat(600),
  },
  request: "the digest",
  summary: 'You send 0.25 BTC.\n"Compare" both addresses.'.repeat(20),
})

const minute = 60_000
const hour = 60 * minute

onStores(Layer.empty)("Confirmations", (it) => {
  it.effect("are short, and the same to every replica, also after a restart", function* () {
    const [one, other] = [yield* replica, yield* replica]
    const own = yield* agent
    const made = yield* Effect.forEach(Array.from({ length: 50 }), () => one.write(own, terms(2 * minute)))
    assert.strictEqual(new Set(made).size, made.length)
    const restarted = yield* replica
    for (const confirmation of made) {
      assert.match(confirmation, /^[a-z2-7]{40}$/)
      const read = yield* one.read(own, confirmation)
      assert.deepStrictEqual(Option.getOrThrow(read).terms, terms(2 * minute))
      assert.deepStrictEqual(yield* other.read(own, confirmation), read)
      assert.deepStrictEqual(yield* restarted.read(own, confirmation), read)
    }
    const [first = ""] = made
    assert.isTrue(other.isQuestion(own, first, one.question(own, first)))
  })

  it.effect("count for one key of one account, letter by letter", function* () {
    const { read, write } = yield* replica
    const own = yield* agent
    const confirmation = yield* write(own, terms(2 * minute))
    const { caller } = yield* agent
    for (
      const other of [
        { ...own, key: keyOf("other") },
        { ...own, caller: { ...own.caller, keyId: KeyId.make("bbbbbbbbbbbbbbbb") } },
        { ...own, caller },
      ]
    ) {
      assert.isTrue(Option.isNone(yield* read(other, confirmation)))
    }
    const letters = [...confirmation]
    const mistyped = letters.map((letter, place) => letters.with(place, letter === "a" ? "b" : "a").join(""))
    const second = yield* write(own, terms(2 * minute))
    for (
      const text of [
        ...mistyped,
        confirmation.slice(1),
        `${confirmation}a`,
        confirmation.toUpperCase(),
        `${confirmation.slice(0, 16)}${second.slice(16)}`,
        `${"A".repeat(808)}.${"B".repeat(43)}`,
        "",
      ]
    ) {
      assert.isTrue(Option.isNone(yield* read(own, text)), text)
    }
  })

  it.effect("can be neither made nor changed by who has a copy of the database, or may write to it", function* () {
    const { read, write } = yield* replica
    const sql = yield* SqlClient.SqlClient
    const own = yield* agent
    const confirmation = yield* write(own, terms(2 * minute))
    // Such a one has the secret, the terms and the hash of the key, so everything but the key itself.
    const hash = hashKey(own.key)
    for (const key of [Hex.encode(hash), Base64Url.encode(hash), ""]) {
      const forged = yield* write({ ...own, key: Redacted.make(key) }, terms(9 * hour))
      assert.isTrue(Option.isNone(yield* read(own, forged)))
    }
    assert.isTrue(Option.isSome(yield* read(own, confirmation)))
    const row = sql`account_id = ${own.caller.id} AND key = ${`mcp ${confirmation.slice(0, 16)}`}`
    yield* sql`UPDATE prepared_swaps SET expires_at = expires_at + interval '1 day' WHERE ${row}`
    assert.isTrue(Option.isNone(yield* read(own, confirmation)))
    yield* sql`
      UPDATE prepared_swaps SET expires_at = expires_at - interval '1 day', terms = replace(terms, '1111', '4444')
      WHERE ${row}`
    assert.isTrue(Option.isNone(yield* read(own, confirmation)))
    yield* sql`UPDATE prepared_swaps SET terms = replace(terms, '4444', '1111') WHERE ${row}`
    assert.isTrue(Option.isSome(yield* read(own, confirmation)))
  })

  it.effect("are bounded by key and swept once expired, but for those in use", function* () {
    const { forgetPrepared, keep, prepare, prepared, expire } = yield* IdempotencyRepo
    const { caller: { id: accountId, keyId } } = yield* agent
    const keyed = (number: number) => ({
      accountId,
      key: IdempotencyKey.make(`mcp ${number}`),
      fingerprint: Fingerprint.make("0".repeat(64)),
    })
    const swap = (number: number) => ({ terms: "{}", expiresAt: EpochMillis.make(number * minute) })
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO prepared_swaps (account_id, key, key_id, terms, expires_at)
      SELECT ${accountId}::bigint, 'mcp of many ' || number, ${keyId}, '{}', now() FROM generate_series(1, 2497) AS number`
    const kept = Effect.filter(
      [1, 2, 3, 4, 5, 6],
      (number) => Effect.map(prepared(keyed(number)), Option.isSome),
    )
    yield* prepare(keyed(1), keyId, swap(1))
    const used = { keyed: keyed(1), at: EpochMillis.make(0), expiresAt: EpochMillis.make(24 * hour) }
    yield* keep(used, { status: 200, body: "{}" })
    yield* prepare(keyed(6), KeyId.make("cccccccccccccccc"), swap(1))
    for (const number of [2, 3, 4, 5]) yield* prepare(keyed(number), keyId, swap(number))
    assert.deepStrictEqual(yield* kept, [1, 3, 4, 5, 6])

    yield* TestClock.setTime(hour)
    assert.strictEqual(yield* forgetPrepared(EpochMillis.make(3 * minute + 1), 1), 1)
    yield* forgetPrepared(EpochMillis.make(3 * minute + 1), 1_000)
    assert.deepStrictEqual(yield* kept, [1, 4, 5])
    yield* expire(EpochMillis.make(24 * hour), 1_000)
    yield* forgetPrepared(EpochMillis.make(3 * minute + 1), 1_000)
    assert.deepStrictEqual(yield* kept, [4, 5])
  })
})
