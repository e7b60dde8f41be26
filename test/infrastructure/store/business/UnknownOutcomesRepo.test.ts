import { assert, layer } from "#test/support/it.ts"
import { Effect, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { encodeRequest } from "#infrastructure/store/database/columns.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { swapRequest } from "#test/support/swap.ts"

const openedAt = "2026-05-05T12:00:00Z"

const insertOpening = Effect.fnUntraced(function* (request: SwapRequest, key?: string) {
  const sql = yield* SqlClient.SqlClient
  const { id: account } = yield* newAccount
  const [row] = yield* sql<{ readonly id: bigint }>`
    INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at, opening_failure)
    VALUES (${account}, 'chainflip', 'unknown', ${yield* encodeRequest(
    request,
  )}::jsonb, ${openedAt}, ${openedAt}, 'lost')
    RETURNING id`
  const id = SwapRecordId.make(Number(row?.id ?? 0n))
  if (key !== undefined) {
    yield* sql`
      INSERT INTO idempotency_keys (account_id, key, fingerprint, swap_id, claimed_at, expires_at)
      VALUES (${account}, ${key}, ${"a".repeat(64)}, ${id}, ${openedAt}, ${openedAt})`
  }
  return id
})

const opening = Effect.fnUntraced(function* (id: SwapRecordId) {
  const [found] = yield* (yield* UnknownOutcomesRepo).openings({ sort: "ascending", offset: id, limit: 1 })
  return found?.id === id ? found : yield* Effect.die("The opening is not listed")
})

const sweptAt = (time: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      INSERT INTO opening_sweeps (platform, swept_at, lease_until, lost) VALUES ('chainflip', ${time}, ${time}, '[]')
      ON CONFLICT (platform) DO UPDATE SET swept_at = excluded.swept_at`)

layer(embeddedStore.layer)("openings with an unknown outcome", (it) => {
  it.effect("have what was asked for, under which key", function* () {
    const found = yield* opening(yield* insertOpening(swapRequest, "order-7"))
    assert.deepStrictEqual(
      Struct.pick(found, ["refundAddress", "destinationAddress", "amount"]),
      Struct.pick(swapRequest, ["refundAddress", "destinationAddress", "amount"]),
    )
    assert.strictEqual(found.idempotencyKey, "order-7")
  })

  it.effect("have the key that asked with its label, and the request", function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* insertOpening(swapRequest)
    const keyId = "abcdefghijklmnop"
    yield* sql`
      INSERT INTO api_keys (account_id, public_id, secret_hash, scopes, label, created_at)
      SELECT account_id, ${keyId}, sha256('key'), '{swap}', 'server', ${openedAt} FROM swaps WHERE id = ${id}`
    yield* sql`UPDATE swaps SET opening_key = ${keyId}, opening_request = 'a1b2' WHERE id = ${id}`
    const found = yield* opening(id)
    assert.deepStrictEqual([found.keyId, found.keyLabel, found.requestId], [keyId, "server", "a1b2"])
  })

  it.effect("have no amount and no key where none was given, or the amount of the payout", function* () {
    const bare = yield* opening(yield* insertOpening(Struct.omit(swapRequest, ["amount"])))
    assert.notProperty(bare, "amount")
    assert.notProperty(bare, "idempotencyKey")
    const amount = ReceiveExactly.make({ amount: NativeAmount.make(5n) })
    assert.deepStrictEqual((yield* opening(yield* insertOpening({ ...swapRequest, amount }))).amount, amount)
  })

  it.effect("have the time of the last check since they were opened", function* () {
    const id = yield* insertOpening(swapRequest)
    yield* sweptAt("2026-05-05T11:59:00Z")
    assert.notProperty(yield* opening(id), "checkedAt")
    yield* sweptAt("2026-05-05T13:00:00Z")
    assert.strictEqual((yield* opening(id)).checkedAt, Date.parse("2026-05-05T13:00:00Z"))
  })
})
