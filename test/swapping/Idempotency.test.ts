import { assert, layer } from "@effect/vitest"
import { Array, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Account } from "../../src/domain/Account.ts"
import { NativeAmount } from "../../src/domain/Amount.ts"
import type { KeyedRequest } from "../../src/domain/Idempotency.ts"
import { DepositBelowMinimum, InsufficientLiquidity, TimedOut } from "../../src/domain/ProviderError.ts"
import type { SwapRecordId } from "../../src/domain/SwapRecord.ts"
import { EpochMillis } from "../../src/domain/Time.ts"
import { currentMillis } from "../../src/platform/currentMillis.ts"
import { OpeningTrace } from "../../src/providers/Provider.ts"
import { IdempotencyRepo } from "../../src/store/IdempotencyRepo.ts"
import { OpeningsRepo } from "../../src/store/OpeningsRepo.ts"
import { Idempotency, Standing } from "../../src/swapping/Idempotency.ts"
import { Lookups } from "../../src/swapping/Lookups.ts"
import { leaseFrom } from "../../src/swapping/OpeningEntry.ts"
import { Swaps } from "../../src/swapping/Swaps.ts"
import { upkeep } from "../../src/swapping/Upkeep.ts"
import { keyedRequest, sendOpening, writing } from "../support/keyed.ts"
import { openedChannel, ScriptedProvider } from "../support/provider.ts"
import { newAccount, stores } from "../support/store.ts"
import { swapRequest } from "../support/swap.ts"
import {
  lookupTimeout,
  openingOptions,
  scriptedProviders,
  swappingLayer,
  swapsOptions,
} from "../support/swapping.ts"

const lost = new TimedOut({ detail: "no answer", reached: true })
const refused = new InsufficientLiquidity({ detail: "not enough" })
const tooLittle = new DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(1n) })

/** How the database has an account's openings, in their order. */
const openings = (account: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ opening: string }>`SELECT opening FROM swaps WHERE account_id = ${account.id} ORDER BY id`,
      (rows) => rows.map(({ opening }) => opening),
    ))

/** A provider, an account with a key, and nothing under it yet. */
const fresh = Effect.gen(function* () {
  const { first, second } = yield* scriptedProviders
  const account = yield* newAccount
  return { first, second, account, keyed: keyedRequest(account) }
})

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** The same, left behind by an opening whose answer was lost. */
const undecided = Effect.gen(function* () {
  const world = yield* fresh
  world.first.opening = Effect.fail(world.first.fails(lost))
  assert.strictEqual(yield* tagOf(sendOpening(world.account, world.keyed)), "ProviderError")
  world.first.opening = Effect.void
  return world
})

const traced = (provider: ScriptedProvider, trace: OpeningTrace) => {
  provider.findOpening = () => Effect.succeed(trace)
}

/** What a process leaves behind that dies while it asks: everything but its end. */
const dyingWhileAsking = Effect.fnUntraced(
  function* (account: Account, keyed: KeyedRequest, provider: ScriptedProvider) {
    const at = yield* currentMillis
    const leaseUntil = leaseFrom(at, openingOptions)
    const opening = { accountId: account.id, platform: provider.name, request: swapRequest, at, leaseUntil }
    const expiresAt = EpochMillis.make(at + Duration.toMillis(openingOptions.keyLifetime))
    return yield* Effect.flatMap(
      IdempotencyRepo,
      (repo) => repo.takeForOpening({ keyed, at, expiresAt }, opening),
    )
  },
)

const untilLapsed = TestClock.adjust("75 seconds")

for (const store of stores) {
  layer(swappingLayer.pipe(Layer.provideMerge(store.layer)), { timeout: "60 seconds" })(
    `Openings under an Idempotency-Key on ${store.name}`,
    (it) => {
      it.effect("open one channel, however many come at once, and give all the same answer", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* fresh
          const answer = yield* Deferred.make<void>()
          const asked = yield* Deferred.make<void>()
          first.opening = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer))
          const all = yield* Effect.forkChild(
            Effect.all(Array.makeBy(50, () => Effect.result(sendOpening(account, keyed))), {
              concurrency: "unbounded",
            }),
          )
          yield* Deferred.await(asked)
          yield* Deferred.succeed(answer, undefined)
          const results = yield* Fiber.join(all)
          const told = new Set(
            results.map((result) => result._tag === "Success" ? result.success.body : result.failure._tag),
          )
          const body = (yield* sendOpening(account, keyed)).body
          assert.includeMembers([body, "KeyInUse"], [...told])
          assert.strictEqual(first.requests.length, 1)
          assert.deepStrictEqual(yield* openings(account), ["opened"])
        }))

      it.effect("have an answer from the moment at which the channel is recorded, and it stays", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* fresh
          const answer = yield* sendOpening(account, keyed)
          const repo = yield* IdempotencyRepo
          const used = Option.getOrThrow(yield* repo.find(keyed))
          assert.deepStrictEqual(used, { _tag: "Answered", fingerprint: keyed.fingerprint, ...answer })
          assert.deepStrictEqual(yield* sendOpening(account, keyed), answer)
          assert.strictEqual(first.requests.length, 1)
        }))

      it.effect("are refused under a key that stands for another request, or for nothing of this account", () =>
        Effect.gen(function* () {
          const { account, keyed } = yield* fresh
          const answer = yield* sendOpening(account, keyed)
          const other = { ...keyed, fingerprint: keyedRequest(account, "1").fingerprint }
          assert.strictEqual(yield* tagOf(sendOpening(account, other)), "KeyReused")
          const stranger = yield* newAccount
          const theirs = yield* sendOpening(stranger, { ...keyed, accountId: stranger.id })
          assert.notDeepEqual(theirs, answer)
        }))

      it.effect("keep a refusal, and free the key where the refusal is not kept", () =>
        Effect.gen(function* () {
          const { account, first, keyed, second } = yield* fresh
          for (const provider of [first, second]) provider.opening = Effect.fail(provider.fails(tooLittle))
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "ProviderError")
          const other = { ...keyed, fingerprint: keyedRequest(account, "1").fingerprint }
          for (const provider of [first, second]) provider.opening = Effect.fail(provider.fails(refused))
          assert.strictEqual(yield* tagOf(sendOpening(account, other)), "ProviderError")
          const answer = { status: 503, body: "InsufficientLiquidity" }
          assert.deepStrictEqual(yield* sendOpening(account, other), answer)
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "KeyReused")
          assert.deepStrictEqual(yield* openings(account), ["refused", "refused"])
        }))

      it.effect("are in progress for as long as their process can be at it, and unknown after that", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* fresh
          yield* dyingWhileAsking(account, keyed, first)
          const waits = []
          for (const seconds of [0, 1, 4, 25, 40, 4]) {
            yield* TestClock.adjust(Duration.seconds(seconds))
            const error = yield* Effect.flip(sendOpening(account, keyed))
            waits.push(error._tag === "KeyInUse" ? error.retryAfterSeconds : error._tag)
          }
          assert.deepStrictEqual(waits, [1, 1, 5, 30, 5, 1])
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
          assert.deepStrictEqual(yield* openings(account), ["unknown"])
          assert.strictEqual(first.requests.length, 0)
        }))

      it.effect("with an unknown outcome are never repeated where the provider cannot tell", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* undecided
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
          traced(first, OpeningTrace.NotKnown())
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
          first.findOpening = () => Effect.fail(first.fails(lost))
          assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
          assert.strictEqual(first.requests.length, 1)
          assert.deepStrictEqual(yield* openings(account), ["unknown"])
        }))

      it.effect("with an unknown outcome are recorded when the provider finds the channel", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* undecided
          const asked = yield* currentMillis
          yield* TestClock.adjust("1 minute")
          const opened = openedChannel(swapRequest)
          const lookups: Array<unknown> = []
          first.findOpening = (request, requestedAt) => {
            lookups.push(request.destinationAddress, requestedAt)
            return Effect.succeed(OpeningTrace.Found({ opened }))
          }
          const answer = yield* sendOpening(account, keyed)
          assert.include(answer.body, opened.channel.depositAddress)
          assert.deepStrictEqual(yield* sendOpening(account, keyed), answer)
          assert.deepStrictEqual(lookups, [swapRequest.destinationAddress, asked])
          assert.strictEqual(first.requests.length, 1)
          assert.deepStrictEqual(yield* openings(account), ["opened"])
        }))

      it.effect("with an unknown outcome are made again, once, when provably nothing was opened", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* undecided
          traced(first, OpeningTrace.NothingOpened())
          const results = yield* Effect.all(
            Array.makeBy(20, () => Effect.result(sendOpening(account, keyed))),
            { concurrency: "unbounded" },
          )
          const answer = yield* sendOpening(account, keyed)
          for (const result of results) {
            if (result._tag === "Success") assert.deepStrictEqual(result.success, answer)
            else assert.strictEqual(result.failure._tag, "KeyInUse")
          }
          assert.strictEqual(first.requests.length, 2)
          assert.deepStrictEqual(yield* openings(account), ["refused", "opened"])
        }))

      it.effect("take an answer that comes after they were given up, but not once they were made again", () =>
        Effect.gen(function* () {
          const { account, first, keyed } = yield* fresh
          const repo = yield* OpeningsRepo
          const { channel, status } = openedChannel(swapRequest)
          const arrive = (id: SwapRecordId) =>
            Effect.flatMap(
              currentMillis,
              (at) =>
                repo.opened(id, { channel, status, at, nextLookupAt: at }, { status: 200, body: "late" }),
            )
          const givenUp = Effect.fnUntraced(function* (keyed: KeyedRequest) {
            const id = Option.getOrThrow(yield* dyingWhileAsking(account, keyed, first))
            yield* untilLapsed
            assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
            return id
          })
          assert.isTrue(yield* arrive(yield* givenUp(keyed)))
          assert.deepStrictEqual(yield* sendOpening(account, keyed), { status: 200, body: "late" })

          const other = keyedRequest(account)
          const id = yield* givenUp(other)
          traced(first, OpeningTrace.NothingOpened())
          const answer = yield* sendOpening(account, other)
          assert.isFalse(yield* arrive(id))
          assert.deepStrictEqual(yield* sendOpening(account, other), answer)
          assert.deepStrictEqual(yield* openings(account), ["opened", "refused", "opened"])
        }))

      it.effect("do not ask a provider once they were held up past their lease", () =>
        Effect.gen(function* () {
          const { account, first, keyed, second } = yield* fresh
          const repo = yield* IdempotencyRepo
          const heldUp = IdempotencyRepo.of({
            ...repo,
            takeForOpening: (...taking) => Effect.tap(repo.takeForOpening(...taking), untilLapsed),
          })
          const swaps = yield* Layer.build(
            Swaps.layer(swapsOptions).pipe(
              Layer.provide(Lookups.layer({ lookupTimeout, timeScale: 1 })),
              Layer.provide(Layer.succeed(IdempotencyRepo, heldUp)),
            ),
          )
          // The database says that nobody else was at it meanwhile, so the next provider may be asked.
          const answer = yield* sendOpening(account, keyed).pipe(Effect.provideContext(swaps))
          assert.include(answer.body, "at second")
          assert.deepStrictEqual([first.requests.length, second.requests.length], [0, 1])
        }))
    },
  )

  layer(swappingLayer.pipe(Layer.provideMerge(store.layer)), { timeout: "60 seconds" })(
    `What may be repeated, under an Idempotency-Key on ${store.name}`,
    (it) => {
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

      it.effect("is done once, and its answer stands", () =>
        Effect.gen(function* () {
          const keyed = keyedRequest(yield* newAccount)
          assert.deepStrictEqual(yield* recall(keyed), Standing.Unused())
          assert.strictEqual(yield* perform(keyed, Effect.succeed("payload")), "payload")
          assert.deepStrictEqual(yield* recall(keyed), Standing.Answered({ answer: answered }))
          assert.strictEqual(yield* tagOf(perform(keyed, Effect.succeed("again"))), "KeyTaken")
        }))

      it.effect("is refused to others while it is done, and free again when it fails or is cut off", () =>
        Effect.gen(function* () {
          const keyed = keyedRequest(yield* newAccount)
          const begun = yield* Deferred.make<void>()
          const work = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
          const fiber = yield* Effect.forkChild(perform(keyed, work))
          yield* Deferred.await(begun)
          assert.strictEqual(yield* tagOf(recall(keyed)), "KeyInUse")
          assert.strictEqual(yield* tagOf(perform(keyed, Effect.succeed("other"))), "KeyTaken")
          yield* Fiber.interrupt(fiber)
          assert.deepStrictEqual(yield* recall(keyed), Standing.Unused())
          assert.strictEqual(yield* Effect.flip(perform(keyed, Effect.fail("refused"))), "refused")
          assert.deepStrictEqual(yield* recall(keyed), Standing.Unused())
          assert.strictEqual(yield* perform(keyed, Effect.succeed("payload")), "payload")
        }))

      it.effect("is done again some time after the process died at it, but for nobody else's request", () =>
        Effect.gen(function* () {
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
          assert.deepStrictEqual(yield* recall(keyed), Standing.Unused())
          assert.strictEqual(yield* perform(keyed, Effect.succeed("payload")), "payload")
          assert.isFalse(yield* repo.answer(keyed, leaseUntil, { status: 200, body: "too late" }))
          yield* repo.release(keyed, leaseUntil)
          assert.deepStrictEqual(yield* recall(keyed), Standing.Answered({ answer: answered }))
        }))

      it.effect("is kept where such answers are, and never in place of another", () =>
        Effect.gen(function* () {
          const account = yield* newAccount
          const { keep } = yield* Idempotency
          for (const status of [400, 401, 403, 429]) {
            const keyed = keyedRequest(account)
            yield* keep(keyed, { status, body: "not kept" })
            assert.deepStrictEqual(yield* recall(keyed), Standing.Unused())
          }
          for (const status of [200, 404, 500, 503]) {
            const keyed = keyedRequest(account)
            const answer = { status, body: "kept" }
            yield* keep(keyed, answer)
            yield* keep(keyed, { status: 503, body: "later" })
            assert.deepStrictEqual(yield* recall(keyed), Standing.Answered({ answer }))
          }
        }))

      it.effect("is forgotten after its time and not before, however many keys there are", () =>
        Effect.gen(function* () {
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
          yield* Layer.build(upkeep)
          const left = Effect.yieldNow.pipe(
            Effect.andThen(sql`SELECT 1 FROM idempotency_keys WHERE account_id = ${account.id}`),
            Effect.map((rows) => rows.length),
          )
          assert.strictEqual(yield* Effect.repeat(left, { until: (count) => count < 10 }), 2)
          assert.deepStrictEqual(yield* recall(keyed), Standing.Answered({ answer: answered }))
          assert.deepStrictEqual(
            yield* openings(account),
            ["unknown"],
            `swap ${Option.getOrUndefined(first)}`,
          )
          yield* TestClock.adjust("1 minute")
          yield* Effect.repeat(left, { until: (count) => count === 0 })
          assert.deepStrictEqual(yield* recall(keyed), Standing.Unused())
        }))
    },
  )
}
