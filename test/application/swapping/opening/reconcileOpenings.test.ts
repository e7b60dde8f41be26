import { assert } from "#test/support/it.ts"
import { Array, Duration, Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { unrecordedChannels } from "#application/alerts/evaluateAlerts.ts"
import { Address } from "#domain/chains/Address.ts"
import { Bps } from "#domain/money/Bps.ts"
import { TimedOut } from "#domain/ProviderError.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type OpenedChannel, OpeningTrace } from "#providers/Provider.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { makeReconcileRound } from "#application/swapping/opening/reconcileOpenings.ts"
import {
  dyingWhileAsking,
  keyedRequest,
  openings,
  sendOpening,
  tagOf,
  untilLapsed,
} from "#test/support/keyed.ts"
import { openedChannel, type ScriptedProvider } from "#test/support/provider.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { swapRequest, waitingStatus } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer, swapsOptions } from "#test/support/swapping.ts"

const timedOut = new TimedOut({ detail: "no answer", reached: true })

/** A listing that is complete, so that what fits nothing was never made. */
const complete = { from: EpochMillis.make(0), until: EpochMillis.make(253_402_300_799_999) }

const addressOf = ({ channel }: OpenedChannel) => channel.depositAddress

/** Lets a provider list channels, and tell by the destination which of those it is told of fits an opening. */
const lists = (provider: ScriptedProvider, channels: ReadonlyArray<OpenedChannel>) => {
  let calls = 0
  for (const { channel, status } of channels) provider.says(channel.id, Effect.succeedSome(status))
  provider.list = Effect.sync(() => {
    calls++
    return {
      channels: channels.map((opened) => ({
        asset: swapRequest.sourceAsset,
        depositAddress: addressOf(opened),
      })),
      complete,
    }
  })
  provider.findOpening = ({ destinationAddress }, _, unrecorded) => {
    const [first, ...others] = channels.filter((opened) =>
      opened.status.destinationAddress === destinationAddress &&
      unrecorded.channels.some(({ depositAddress }) => depositAddress === addressOf(opened))
    )
    if (first === undefined) return Effect.succeed(OpeningTrace.NothingOpened())
    return Effect.succeed(
      others.length === 0 ? OpeningTrace.Found({ opened: first }) : OpeningTrace.NotKnown(),
    )
  }
  return () => calls
}

let requests = 0

/** A request to an address of its own. */
const request = (): SwapRequest => ({
  ...swapRequest,
  destinationAddress: Address.make(`0x${(++requests).toString(16).padStart(40, "0")}`),
})

const sweepOptions = { ...swapsOptions, sweepInterval: Duration.hours(1) }

/** A provider with nothing of earlier tests, and an account. */
const fresh = Effect.gen(function* () {
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM opening_sweeps`)
  yield* Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE swaps SET opening = 'refused' WHERE opening IN ('requested', 'unknown')`,
  )
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  return { first, account, round: yield* makeReconcileRound(sweepOptions) }
})

/** An opening under a key whose answer is lost. */
const lose = Effect.fnUntraced(function* (
  { account, first }: Effect.Success<typeof fresh>,
  asked: SwapRequest,
) {
  const keyed = keyedRequest(account)
  first.opening = Effect.fail(first.fails(timedOut))
  assert.strictEqual(yield* tagOf(sendOpening(account, keyed, asked)), "ProviderError")
  first.opening = Effect.void
  return keyed
})

/** What the operator is alerted of. */
const alerted = Effect.flatMap(
  unrecordedChannels,
  (source) => Effect.map(source, ([reading]) => reading?.faults),
)

/** The log lines that name a channel without a record. */
const toldOf = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
  yield* Effect.provide(work, Logger.layer([logger]))
  return lines.filter((line) => line.includes("that no record has")).length
})

const startSeconds = 20 * 3_600

/** Waits until a sweep has renewed its lease, until so many seconds after it began: a database takes real time. */
const untilLeased = (seconds: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT FROM opening_sweeps WHERE lease_until = to_timestamp(${startSeconds + seconds})`,
  ).pipe(
    Effect.tap(TestClock.withLive(Effect.sleep("5 millis"))),
    Effect.repeat({ until: ({ length }) => length > 0 }),
  )

/** Checks the newest opening with an unknown outcome; those of earlier tests are settled. */
const check = Effect.gen(function* () {
  const [opening] = yield* (yield* UnknownOutcomesRepo).openings({
    sort: "descending",
    limit: 1,
  })
  if (opening === undefined) return "settled" as const
  const checks = yield* OpeningChecks
  return yield* checks.check(opening)
}).pipe(Effect.provide(OpeningChecks.layer(sweepOptions)))

onStores(swappingLayer)("Channels without a record", (it) => {
  it.effect("are found at once for an operator who checks one opening", function* () {
    const world = yield* fresh
    const { account, first } = world
    const asked = request()
    yield* lose(world, asked)
    first.list = Effect.fail(first.fails(timedOut))
    assert.strictEqual(yield* check, "notChecked")
    first.findOpening = () => Effect.succeed(OpeningTrace.NotKnown())
    first.list = Effect.succeed({ channels: [], complete })
    assert.strictEqual(yield* check, "unknown")
    assert.deepStrictEqual(yield* openings(account), ["unknown"])
    lists(first, [openedChannel(asked)])
    assert.strictEqual(yield* check, "found")
    assert.deepStrictEqual(yield* openings(account), ["opened"])
    assert.strictEqual(yield* check, "settled")
  })

  it.effect("are looked for once the outcome is certain, then at each sweep of a day", function* () {
    const nextBy = yield* Effect.map(OpeningChecks, (checks) => (minutes: number, checked?: number) => {
      const at = (minutes: number) => EpochMillis.make(minutes * 60_000)
      const checkedAt = checked === undefined ? {} : { checkedAt: at(checked) }
      const next = checks.nextBy({ createdAt: at(0), ...checkedAt }, at(minutes))
      return next === undefined ? undefined : next / 60_000
    }).pipe(Effect.provide(OpeningChecks.layer({ ...sweepOptions, sweepInterval: Duration.hours(1) })))
    assert.deepStrictEqual(
      [nextBy(5), nextBy(20), nextBy(20, 17), nextBy(25 * 60, 24 * 60)],
      [16, undefined, 77, undefined],
    )
  })

  it.effect("are none where a check finds that nothing was opened", function* () {
    const world = yield* fresh
    yield* lose(world, request())
    lists(world.first, [])
    assert.strictEqual(yield* check, "nothingOpened")
    assert.deepStrictEqual(yield* openings(world.account), ["refused"])
  })

  it.effect("are given to the opening that they certainly belong to, and a repeat of it is answered", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const asked = request()
    const keyed = yield* lose(world, asked)
    const opened = openedChannel(asked)
    lists(first, [opened])
    assert.strictEqual(yield* toldOf(round), 0)
    assert.deepStrictEqual(yield* openings(account), ["opened"])
    assert.deepStrictEqual(yield* alerted, [])
    const answer = yield* sendOpening(account, keyed, asked)
    assert.include(answer.body, addressOf(opened))
    assert.deepStrictEqual(yield* sendOpening(account, keyed, asked), answer)
    assert.strictEqual(first.requests.length, 1)
    assert.deepStrictEqual(yield* openings(account), ["opened"])
  })

  it.effect("are given to none until the upstream itself has them with this address and these terms", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const asked = request()
    const keyed = yield* lose(world, asked)
    const opened = openedChannel(asked)
    lists(first, [opened])
    const id = opened.channel.id
    const elsewhere = waitingStatus(asked, { ...opened.channel, depositAddress: Address.make("deposit-0") })
    const { depositChannel: _, ...withoutChannel } = opened.status
    const denials = [
      Effect.succeedNone,
      Effect.succeedSome(elsewhere),
      Effect.succeedSome(withoutChannel),
      Effect.succeedSome(waitingStatus(request(), opened.channel)),
      Effect.succeedSome({ ...opened.status, boost: { maximumBoostFeeBps: Bps.make(5) } }),
      Effect.fail(first.fails(timedOut)),
    ]
    for (const denial of denials) {
      first.says(id, denial)
      assert.strictEqual(yield* tagOf(sendOpening(account, keyed, asked)), "OutcomeUnknown")
      yield* TestClock.adjust("61 minutes")
      yield* round
      assert.deepStrictEqual(yield* openings(account), ["unknown"])
      assert.strictEqual((yield* alerted)?.length, 1)
    }
    first.says(id, Effect.succeedSome(opened.status))
    const answer = yield* sendOpening(account, keyed, asked)
    assert.include(answer.body, addressOf(opened))
    assert.deepStrictEqual(yield* openings(account), ["opened"])
    assert.strictEqual(first.requests.length, 1)
  })

  it.effect("where there is none, the opening is recorded as refused, and can be made again", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const asked = request()
    const keyed = yield* lose(world, asked)
    lists(first, [])
    yield* round
    assert.deepStrictEqual(yield* openings(account), ["refused"])
    const answer = yield* sendOpening(account, keyed, asked)
    assert.deepStrictEqual(yield* sendOpening(account, keyed, asked), answer)
    assert.deepStrictEqual(yield* openings(account), ["refused", "opened"])
    assert.strictEqual(first.requests.length, 2)
  })

  it.effect("are given to none of two openings that they fit, and the operator is told once", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const asked = request()
    yield* lose(world, asked)
    yield* lose(world, asked)
    const opened = openedChannel(asked)
    lists(first, [opened])
    assert.strictEqual(yield* toldOf(round), 1)
    assert.deepStrictEqual(yield* openings(account), ["unknown", "unknown"])
    assert.deepStrictEqual(yield* alerted, [{
      type: "channels_unrecorded",
      provider: first.name,
      asset: "btc.btc",
      channels: 1,
      addresses: [addressOf(opened)],
    }])
    yield* TestClock.adjust("2 hours")
    assert.strictEqual(yield* toldOf(round), 0)
  })

  it.effect("are given one after another: what belongs to one opening leaves less to choose for the next", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const [either, certain] = [request(), request()]
    yield* lose(world, either)
    yield* lose(world, certain)
    const channels = [openedChannel(certain), openedChannel(either)]
    lists(first, channels)
    first.findOpening = ({ destinationAddress }, _, unrecorded) => {
      const fits = destinationAddress === certain.destinationAddress ? channels.slice(0, 1) : channels
      const [opened, ...others] = fits.filter((one) =>
        unrecorded.channels.some(({ depositAddress }) => depositAddress === addressOf(one))
      )
      return Effect.succeed(
        opened !== undefined && others.length === 0
          ? OpeningTrace.Found({ opened })
          : OpeningTrace.NotKnown(),
      )
    }
    assert.strictEqual(yield* toldOf(round), 0)
    assert.deepStrictEqual(yield* openings(account), ["opened", "opened"])
  })

  it.effect("are not given away while an opening that they fit is under way", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    yield* lose(world, swapRequest)
    yield* dyingWhileAsking(account, keyedRequest(account), first)
    lists(first, [openedChannel(swapRequest)])
    yield* untilLapsed
    yield* round
    assert.deepStrictEqual(yield* openings(account), ["unknown", "requested"])
    assert.strictEqual((yield* alerted)?.length, 1)
  })

  it.effect("are not those that a record has", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const asked = request()
    const { body } = yield* sendOpening(account, keyedRequest(account), asked)
    const known = openedChannel(asked)
    const mine = {
      ...known,
      channel: { ...known.channel, depositAddress: Address.make(body.split(": ")[1] ?? "") },
    }
    yield* lose(world, asked)
    lists(first, [mine])
    assert.strictEqual(yield* toldOf(round), 0)
    assert.deepStrictEqual(yield* openings(account), ["opened", "refused"])
  })

  it.effect("are not hidden by an old record of an address that was given out again", function* () {
    const world = yield* fresh
    const { account, first, round } = world
    const { body } = yield* sendOpening(account, keyedRequest(account), request())
    yield* TestClock.adjust("41 hours")
    const asked = request()
    yield* lose(world, asked)
    const opened = openedChannel(asked)
    const channel = { ...opened.channel, depositAddress: Address.make(body.split(": ")[1] ?? "") }
    lists(first, [{ ...opened, channel, status: waitingStatus(asked, channel) }])
    yield* round
    assert.deepStrictEqual(yield* openings(account), ["opened", "opened"])
  })

  it.effect("are looked for by one replica however long it takes, and by another soon after it was killed", function* () {
    yield* TestClock.setTime(startSeconds * 1_000)
    const { first, round } = yield* fresh
    const other = yield* makeReconcileRound(sweepOptions)
    first.list = Effect.delay(Effect.succeed({ channels: [], complete }), "2 minutes")
    const taken = yield* Effect.forkChild(round)
    yield* untilLeased(30)
    for (const seconds of Array.range(1, 10)) {
      yield* TestClock.adjust("10 seconds")
      yield* untilLeased(30 + 10 * seconds)
    }
    const calls = lists(first, [])
    yield* other
    yield* Fiber.interrupt(taken)
    yield* TestClock.adjust("19 seconds")
    yield* other
    assert.strictEqual(calls(), 0)
    yield* TestClock.adjust("11 seconds")
    yield* other
    assert.strictEqual(calls(), 1)
  })

  it.effect("are looked for by one replica at a time, at its start, each hour, and once an opening is settled", function* () {
    yield* TestClock.setTime(10 * 3_600_000)
    const world = yield* fresh
    const { first, round } = world
    const calls = lists(first, [])
    const other = yield* makeReconcileRound(sweepOptions)
    yield* Effect.all([round, other, round], { concurrency: "unbounded" })
    assert.strictEqual(calls(), 1)
    yield* TestClock.adjust("59 minutes")
    yield* round
    assert.strictEqual(calls(), 1)
    yield* TestClock.adjust("2 minutes")
    yield* Effect.all([round, other], { concurrency: "unbounded" })
    assert.strictEqual(calls(), 2)
    first.findOpening = () => Effect.succeed(OpeningTrace.NotKnown())
    yield* lose(world, request())
    yield* TestClock.adjust("15 minutes")
    yield* round
    assert.strictEqual(calls(), 2)
    yield* TestClock.adjust("1 minute")
    yield* Effect.all([round, other], { concurrency: "unbounded" })
    assert.strictEqual(calls(), 3)
    yield* TestClock.adjust("1 minute")
    yield* yield* makeReconcileRound(sweepOptions)
    assert.strictEqual(calls(), 4)
  })

  it.effect("stay as they were known while the provider does not answer", function* () {
    const world = yield* fresh
    const { first, round } = world
    lists(first, [openedChannel(request())])
    yield* round
    assert.strictEqual((yield* alerted)?.length, 1)
    yield* TestClock.adjust("1 hour")
    first.list = Effect.fail(first.fails(timedOut))
    yield* round
    assert.strictEqual((yield* alerted)?.length, 1)
  })
})
