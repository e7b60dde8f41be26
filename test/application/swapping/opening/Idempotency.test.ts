import { assert } from "#test/support/it.ts"
import { Array, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { KeyedRequest } from "#domain/swaps/Idempotency.ts"
import { issueAbout } from "#domain/Issues.ts"
import {
  DepositBelowMinimum,
  InsufficientLiquidity,
  type ProviderError,
  RequestRefused,
  TimedOut,
} from "#domain/ProviderError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpeningTrace } from "#providers/Provider.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Idempotency, KeyState } from "#application/swapping/opening/Idempotency.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import {
  claimOn,
  dyingWhileAsking,
  keyedRequest,
  openings,
  sendOpening,
  tagOf,
  untilLapsed,
} from "#test/support/keyed.ts"
import { openedChannel, ScriptedProvider } from "#test/support/provider.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { swapRequest } from "#test/support/swap.ts"
import { lookupOptions, scriptedProviders, swappingLayer, swapsOptions } from "#test/support/swapping.ts"

const lost = new TimedOut({ detail: "no answer", reached: true })
const refused = new InsufficientLiquidity({ detail: "not enough" })
const tooLittle = new DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(1n) })

/** A provider, an account with a key, and nothing under it yet. */
const fresh = Effect.gen(function* () {
  const { first, second } = yield* scriptedProviders
  const account = yield* newAccount
  return { first, second, account, keyed: keyedRequest(account) }
})

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
  if (trace._tag !== "Found") return
  const { channel, status } = trace.opened
  provider.says(channel.id, Effect.succeedSome(status))
}

onStores(swappingLayer)("Openings under an Idempotency-Key", (it) => {
  it.effect("open one channel, however many come at once, and give all the same answer", function* () {
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
  })

  it.effect("have an answer from the moment at which the channel is recorded, and it stays", function* () {
    const { account, first, keyed } = yield* fresh
    const answer = yield* sendOpening(account, keyed)
    const repo = yield* IdempotencyRepo
    const used = Option.getOrThrow(yield* repo.find(keyed))
    assert.deepStrictEqual(used, {
      _tag: "Answered",
      fingerprint: keyed.fingerprint,
      staleAt: null,
      status: answer.status,
      body: answer.body,
    })
    assert.deepStrictEqual(yield* sendOpening(account, keyed), answer)
    assert.strictEqual(first.requests.length, 1)
  })

  it.effect("are refused under a key that stands for another request, or for nothing of this account", function* () {
    const { account, keyed } = yield* fresh
    const answer = yield* sendOpening(account, keyed)
    const other = { ...keyed, fingerprint: keyedRequest(account, "1").fingerprint }
    assert.strictEqual(yield* tagOf(sendOpening(account, other)), "KeyReused")
    const stranger = yield* newAccount
    const theirs = yield* sendOpening(stranger, { ...keyed, accountId: stranger.id })
    assert.notDeepEqual(theirs, answer)
  })

  it.effect("keep a refusal, and free the key where the refusal is not kept", function* () {
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
  })

  it.effect("keep a refusal with affiliates by the numbers that the caller gave them", function* () {
    const { account, first, keyed, second } = yield* fresh
    const odd = new RequestRefused({ errors: issueAbout("affiliate1", "is odd") })
    for (const provider of [first, second]) provider.opening = Effect.fail(provider.fails(odd))
    const written: Array<unknown> = []
    const claim = claimOn(keyed)
    const write = {
      ...claim.write,
      failure: (error: ProviderError) => {
        if (error.reason._tag === "RequestRefused") written.push(error.reason.errors)
        return claim.write.failure(error)
      },
    }
    const order = { request: swapRequest, platform: undefined, affiliateNumbers: [3] }
    const opening = (yield* Swaps).open(account, order, { claim: { ...claim, write } })
    assert.strictEqual(yield* tagOf(opening), "ProviderError")
    assert.deepStrictEqual(written, [issueAbout("affiliate3", "is odd")])
  })

  it.effect("are in progress for as long as their process can be at it, and unknown after that", function* () {
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
  })

  it.effect("with an unknown outcome are never repeated where the provider cannot tell", function* () {
    const { account, first, keyed } = yield* undecided
    assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
    traced(first, OpeningTrace.NotKnown())
    assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
    first.findOpening = () => Effect.fail(first.fails(lost))
    assert.strictEqual(yield* tagOf(sendOpening(account, keyed)), "OutcomeUnknown")
    assert.strictEqual(first.requests.length, 1)
    assert.deepStrictEqual(yield* openings(account), ["unknown"])
  })

  it.effect("with an unknown outcome are recorded when the provider finds the channel", function* () {
    const { account, first, keyed } = yield* undecided
    const asked = yield* currentMillis
    yield* TestClock.adjust("1 minute")
    const opened = openedChannel(swapRequest)
    const lookups: Array<unknown> = []
    first.says(opened.channel.id, Effect.succeedSome(opened.status))
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
  })

  it.effect("with an unknown outcome are made again, once, when provably nothing was opened", function* () {
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
  })

  it.effect("are made again only where they may be, and told of where they were made", function* () {
    for (const opened of [undefined, openedChannel(swapRequest)]) {
      const { account, first, keyed } = yield* undecided
      traced(first, opened === undefined ? OpeningTrace.NothingOpened() : OpeningTrace.Found({ opened }))
      const standing = yield* (yield* Idempotency).recall(keyed)
      assert(KeyState.$is("Undecided")(standing))
      const answer = (yield* Swaps).open(
        account,
        { request: swapRequest, platform: undefined },
        {
          claim: { ...claimOn(keyed), undecided: Option.some(standing.opening) },
          mayOpen: Effect.fail("it may not" as const),
        },
      )
      if (opened === undefined) assert.strictEqual(yield* Effect.flip(answer), "it may not")
      else assert.deepStrictEqual((yield* answer).channel, opened.channel)
      assert.strictEqual(first.requests.length, 1)
    }
  })

  it.effect("take an answer that comes after they were given up, but not once they were made again", function* () {
    const { account, first, keyed } = yield* fresh
    const repo = yield* OpeningsRepo
    const { channel, status } = openedChannel(swapRequest)
    const arrive = (id: SwapRecordId) =>
      Effect.flatMap(
        currentMillis,
        (at) =>
          repo.opened(id, {
            platform: first.name,
            channel,
            status,
            at,
            nextLookupAt: at,
            stallsAt: Option.none(),
            events: [],
          }, { status: 200, body: "late" }),
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
  })

  it.effect("do not ask a provider once they were held up past their lease", function* () {
    const { account, first, keyed, second } = yield* fresh
    const repo = yield* IdempotencyRepo
    const heldUp = IdempotencyRepo.of({
      ...repo,
      takeForOpening: (...taking) => Effect.tap(repo.takeForOpening(...taking), untilLapsed),
    })
    const swaps = yield* Layer.build(
      Swaps.layer(swapsOptions).pipe(
        Layer.provide(Lookups.layer(lookupOptions)),
        Layer.provide(Layer.succeed(IdempotencyRepo, heldUp)),
      ),
    )
    // The database says that nobody else was at it meanwhile, so the next provider may be asked.
    const answer = yield* sendOpening(account, keyed).pipe(Effect.provideContext(swaps))
    assert.include(answer.body, "at second")
    assert.deepStrictEqual([first.requests.length, second.requests.length], [0, 1])
  })
})
