import { assert, describe, it } from "@effect/vitest"
import { Array, Effect, Random } from "effect"
import { type RunningService, startService } from "#test/support/process.ts"
import {
  byChannel,
  byId,
  completed,
  history,
  journal,
  openChannelCount,
  type Opened,
  type Recorded,
} from "./client.ts"
import { eventually } from "./eventually.ts"
import { emptyLedger, killAtStart, killAtWork, type Ledger } from "./load.ts"
import { emptyPlaces, shortLeases } from "./places.ts"

/** Draws the moments of the kills. */
const seed = "kill -9"

/**
 * A world that goes through a swap in some seconds, followed closely; a channel, which is open for a day, is there for a
 * quarter of an hour, many times as long as the test takes on the slowest machine.
 */
const fast = { SANDBOX_SPEED: "100", TRACKER_INTERVAL: "100 millis", ...shortLeases }

/** When the kills come. */
const moments = Effect.all(
  Array.makeBy(
    5,
    () => Effect.all({ openings: Random.nextIntBetween(4, 20), millis: Random.nextIntBetween(0, 30) }),
  ),
)

const channelOf = ({ channelId, issuedBlock, network }: Opened): string =>
  `${issuedBlock}-${network}-${channelId}`

const distinct = (values: ReadonlyArray<unknown>): number => new Set(values).size

/** Every answered opening is in the history as it was answered, once. */
const assertKept = (records: ReadonlyArray<Recorded>, { opened }: Ledger): void => {
  const kept = new Map(records.map((record) => [record.id, record.status.depositChannel]))
  for (const swap of opened) {
    assert.strictEqual(kept.get(swap.id)?.id, channelOf(swap), `swap ${swap.id}`)
    assert.strictEqual(kept.get(swap.id)?.depositAddress, swap.address, `swap ${swap.id}`)
  }
  const channels = records.map(({ status }) => status.depositChannel)
  assert.strictEqual(distinct(records.map(({ id }) => id)), records.length)
  assert.strictEqual(distinct(channels.map(({ id }) => id)), records.length)
  assert.strictEqual(distinct(channels.map(({ depositAddress }) => depositAddress)), records.length)
}

/** No request opened two channels. One whose answer was lost may have opened one that has no record. */
const assertNoneDoubled = Effect.fnUntraced(function* (service: RunningService, ledger: Ledger) {
  const channels = yield* openChannelCount(service)
  assert.isAtLeast(channels, ledger.opened.length)
  assert.isAtMost(channels, ledger.asked)
})

/** Every answered opening is found by its id and by its channel. */
const assertFound = Effect.fnUntraced(function* (service: RunningService, ledger: Ledger) {
  yield* Effect.forEach(ledger.opened, (swap) =>
    Effect.gen(function* () {
      const { depositChannel } = (yield* byId(service, swap.id)).status
      assert.strictEqual(depositChannel.id, channelOf(swap))
      assert.strictEqual((yield* byChannel(service, swap)).id, swap.id)
    }), { concurrency: 4, discard: true })
})

/** The tracker alone brings every swap with a deposit to its end: only the history is looked at. */
const assertCompleted = Effect.fnUntraced(function* (service: RunningService, ledger: Ledger) {
  const open = Effect.map(completed(service), (records) => {
    const done = new Set(records.map(({ id }) => id))
    return [...ledger.deposited].filter((id) => !done.has(id))
  })
  assert.isEmpty(yield* eventually(open, (ids) => ids.length === 0))
})

/** Whatever was killed, the journal of each swap begins with its opening and comes to its record. */
const assertJournals = Effect.fnUntraced(function* (service: RunningService) {
  for (const record of yield* completed(service)) {
    const [first, ...rest] = yield* journal(service, record.id)
    assert.strictEqual(first.kind, "opened")
    assert.isTrue(rest.every(({ kind }) => kind !== "opened"), `swap ${record.id} was opened twice`)
    const last = rest.findLast(({ kind }) => kind === "changed" || kind === "expired")
    assert.strictEqual(last?.status?.state, record.status.state, `swap ${record.id}`)
  }
})

describe.concurrent.each(emptyPlaces)(
  "A service on $name that is killed again and again",
  ({ environment }) => {
    it.live(
      "keeps every swap that it answered, doubles none, and brings all of them to their end",
      () =>
        Effect.gen(function* () {
          const settings = { ...fast, ...(yield* environment) }
          const ledger = emptyLedger()
          yield* killAtStart(settings, yield* Random.nextIntBetween(100, 1_500))
          for (const moment of yield* moments) yield* killAtWork(settings, ledger, moment)
          yield* killAtStart(settings, yield* Random.nextIntBetween(100, 800))

          const service = yield* startService(settings)
          assertKept(yield* history(service), ledger)
          yield* assertNoneDoubled(service, ledger)
          yield* assertCompleted(service, ledger)
          yield* assertFound(service, ledger)
          yield* assertJournals(service)
          assert.isAbove(ledger.deposited.size, 10, "hardly anything was done before the kills")
        }).pipe(Random.withSeed(seed)),
    )
  },
)
