/**
 * What of the house stands where Effect has a module of its own, beside that module, by turns in one run. The figures
 * stand in the headers of what is kept.
 */
import { Cache, Duration, Effect, Exit, PartitionedSemaphore, RcMap, Semaphore } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { makeBulkhead, OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { endedBy, makeDeadlines } from "#infrastructure/platform/Deadlines.ts"
import { makeLruCache } from "#infrastructure/platform/lruCache.ts"
import { makeCollectQuotes, makeSingleFlight } from "#application/quoting/SharedCalls.ts"
import { makePerKey } from "#infrastructure/store/database/perKey.ts"
import { makeShareWork } from "#application/swapping/following/shareWork.ts"
import { median } from "./statistics.ts"
import { type Row, table } from "./table.ts"

const rounds = 9
const millisPerRound = 150

/** One piece of the work of a request, which tells nothing. */
type Piece = Effect.Effect<unknown, unknown>

interface Pair {
  readonly name: string
  readonly ours: Piece
  readonly theirs: Piece
}

/** An upstream's answer, which is there in the next turn of the scheduler. */
const answerSoon = Effect.yieldNow

/** Microseconds that both take: medians. */
export interface Beside {
  readonly name: string
  readonly ours: number
  readonly theirs: number
}

/** Microseconds that a piece takes. */
const microsOf = (piece: Piece) =>
  Effect.gen(function* () {
    const begin = performance.now()
    let times = 0
    while (performance.now() - begin < millisPerRound) {
      for (let turn = 0; turn < 50; turn++) yield* piece
      times += 50
    }
    return (performance.now() - begin) * 1_000 / times
  })

let counted = 0
const nextKey = () => `${counted += 1}`

const bulkheads = Effect.gen(function* () {
  const account = AccountId.make(1)
  const ours = makeBulkhead(100, { share: 0.5, wait: Duration.seconds(1) })
  const all = yield* PartitionedSemaphore.make<AccountId>({ permits: 100 })
  const own = yield* Semaphore.make(50)
  const theirs = own.withPermit(all.withPermit(account)(answerSoon))
  return [{
    name: "a place that is free: Bulkhead, PartitionedSemaphore within the account's Semaphore",
    ours: Effect.provideService(ours.within(answerSoon), OnBehalfOf, account),
    theirs: Effect.provideService(theirs, OnBehalfOf, account),
  }]
})

const deadlines = Effect.gen(function* () {
  const deadlines = yield* makeDeadlines(Duration.seconds(3))
  return [{
    name: "a limit of time: Deadlines, Effect.timeout",
    ours: endedBy(deadlines, answerSoon, () => "late"),
    theirs: Effect.timeout(answerSoon, "3 seconds"),
  }]
})

const calls = Effect.gen(function* () {
  const providers = ["a", "b", "c", "d", "e"]
  const reuse = { quotes: Duration.seconds(1), refusals: Duration.seconds(1) }
  const flight = yield* makeSingleFlight(reuse)
  const gather = yield* makeCollectQuotes({ deadline: Duration.seconds(3), grace: Duration.millis(100) })
  const quotes = Effect.as(answerSoon, [])
  const ask = (amount: string) =>
    Effect.gen(function* () {
      const waiters = yield* Effect.forEach(providers, (name) => {
        const key = `${name} ${amount}`
        return flight({ shared: key, begun: key }, name, quotes)
      })
      yield* gather.together(waiters)
      return waiters.map((waiter) => waiter.ended())
    })
  const cache = yield* Cache.makeWith((_: string) => quotes, {
    capacity: 128,
    timeToLive: (exit) => Exit.isSuccess(exit) ? reuse.quotes : Duration.zero,
  })
  // Without the grace, and without the calls that go on after it.
  const askCache = (amount: string) =>
    Effect.forEach(
      providers,
      (name) => Effect.timeoutOption(Cache.get(cache, `${name} ${amount}`), "3 seconds"),
      { concurrency: "unbounded" },
    )
  return [{
    name: "five providers, nobody asked before: SharedCalls and gather, Cache and timeouts",
    ours: Effect.suspend(() => ask(nextKey())),
    theirs: Effect.suspend(() => askCache(nextKey())),
  }, {
    name: "five providers, answered just now: the same",
    ours: ask("1"),
    theirs: askCache("1"),
  }]
})

const coalescing = Effect.gen(function* () {
  const ours = yield* makeShareWork<string, boolean, never>()
  const work = Effect.as(answerSoon, true)
  const theirs = yield* Cache.makeWith((_: string) => work, {
    capacity: Infinity,
    timeToLive: () => Duration.zero,
  })
  return [{
    name: "work that nobody shares: coalesce, Cache that keeps nothing",
    ours: Effect.suspend(() => ours.share(nextKey(), work)),
    theirs: Effect.suspend(() => Cache.get(theirs, nextKey())),
  }]
})

const perKeys = Effect.gen(function* () {
  const ours = makePerKey<string, object>(() => ({}))
  const theirs = yield* RcMap.make({ lookup: (_: string) => Effect.sync(() => ({})) })
  return [{
    name: "something of a key for as long as it is used: perKey, RcMap",
    ours: ours("key", () => Effect.void),
    theirs: Effect.scoped(RcMap.get(theirs, "key")),
  }]
})

const recents = Effect.gen(function* () {
  const ours = makeLruCache<string, string>(1_000)
  const theirs = yield* Cache.make<string, string>({ capacity: 1_000, lookup: () => Effect.never })
  ours.keep("known", "value")
  yield* Cache.set(theirs, "known", "value")
  return [{
    name: "a value that is kept: recent, Cache",
    ours: Effect.sync(() => ours.find("known")),
    theirs: Cache.getOption(theirs, "known"),
  }, {
    name: "a value that is new: recent, Cache",
    ours: Effect.sync(() => ours.keep(nextKey(), "value")),
    theirs: Effect.suspend(() => Cache.set(theirs, nextKey(), "value")),
  }]
})

const measure = Effect.fnUntraced(function* ({ name, ours, theirs }: Pair) {
  const figures = { ours: new Array<number>(), theirs: new Array<number>() }
  for (let round = -2; round < rounds; round++) {
    const [own, other] = [yield* microsOf(ours), yield* microsOf(theirs)]
    if (round < 0) continue
    figures.ours.push(own)
    figures.theirs.push(other)
  }
  const beside: Beside = { name, ours: median(figures.ours), theirs: median(figures.theirs) }
  return beside
})

/** All pairs, each by turns. */
export const measureModules = Effect.flatMap(
  Effect.all([bulkheads, deadlines, calls, coalescing, perKeys, recents]),
  (groups) => Effect.forEach(groups.flat().map((pair): Pair => pair), measure),
)

/** The figures as a person reads them. */
export const renderModules = (figures: ReadonlyArray<Beside>): string =>
  table([
    ["microseconds", "ours", "Effect's", "Effect's / ours"],
    ...figures.map(({ name, ours, theirs }): Row => [
      name,
      ours.toFixed(2),
      theirs.toFixed(2),
      (theirs / ours).toFixed(2),
    ]),
  ])
