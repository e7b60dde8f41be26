import { assert, layer } from "#test/support/it.ts"
import { Effect, Exit, Layer, Option, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { openingRequest } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const inParallel = { concurrency: "unbounded" } as const

/** Counts the statements that the work makes. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  let statements = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.name.startsWith("postgres")) statements += 1
      return new Tracer.NativeSpan(options)
    },
  })
  const result = yield* Effect.withTracer(work, tracer)
  return { result, statements }
})

const openTwo = Effect.gen(function* () {
  yield* scriptedProviders
  const swaps = yield* Swaps
  const account = yield* newAccount
  const [one, other] = [
    yield* swaps.open(account, openingRequest()),
    yield* swaps.open(account, openingRequest()),
  ]
  return { account, one: one.id, other: other.id }
})

for (const store of stores) {
  layer(swappingLayer.pipe(Layer.provideMerge(store.layer)))(
    `Swaps by their ids on ${store.name}`,
    (it) => {
      it.effect("are found for all who ask at a moment in one statement, each by its own account alone", function* () {
        const first = yield* openTwo
        const second = yield* openTwo
        const repo = yield* SwapsRepo
        const unknown = SwapRecordId.make(9_000_000_000)
        const { result, statements } = yield* statementsOf(Effect.all([
          repo.byId(first.account.id, first.other),
          repo.byId(second.account.id, second.one),
          repo.byId(first.account.id, unknown),
          repo.byId(first.account.id, second.other),
          repo.byId(first.account.id, first.one),
        ], inParallel))
        assert.deepStrictEqual(
          result.map((found) => Option.getOrUndefined(found)?.record.id),
          [first.other, second.one, undefined, undefined, first.one],
        )
        assert.strictEqual(statements, 1)
      })

      it.effect("are found in as many statements as it takes, where too many ask", function* () {
        const { account, one, other } = yield* openTwo
        const repo = yield* SwapsRepo
        const asked = Array.from({ length: 130 }, (_, index) => index % 3 === 0 ? other : one)
        const { result, statements } = yield* statementsOf(
          Effect.all(asked.map((id) => repo.byId(account.id, id)), inParallel),
        )
        assert.deepStrictEqual(result.map((found) => Option.getOrUndefined(found)?.record.id), asked)
        assert.strictEqual(statements, 2)
      })

      it.effect("fail nobody but who asked for one that cannot be read", function* () {
        const { account, one, other } = yield* openTwo
        const repo = yield* SwapsRepo
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE swaps SET status = '{}' WHERE id = ${one}`
        const [unreadable, readable] = yield* Effect.all([
          Effect.exit(repo.byId(account.id, one)),
          Effect.exit(repo.byId(account.id, other)),
        ], inParallel)
        assert.isTrue(Exit.hasDies(unreadable))
        assert.isTrue(Exit.isSuccess(readable) && Option.isSome(readable.value))
      })

      it.effect("have the very same status until it changes", function* () {
        const { account, one } = yield* openTwo
        const repo = yield* SwapsRepo
        const sql = yield* SqlClient.SqlClient
        const status = Effect.map(
          repo.byId(account.id, one),
          (found) => Option.getOrThrow(found).record.status,
        )
        const before = yield* status
        assert.strictEqual(yield* status, before)
        yield* sql`UPDATE swaps SET status = status || '{"lastStateChainUpdateAt": 7}' WHERE id = ${one}`
        assert.strictEqual((yield* status).lastStateChainUpdateAt, 7)
      })
    },
  )
}
