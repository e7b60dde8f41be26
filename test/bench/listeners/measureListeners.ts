import { Effect } from "effect"
import { openByPost } from "#test/durability/client.ts"
import { plans } from "#test/durability/swaps.ts"
import type { RunningService } from "#test/support/process.ts"
import { type Footprint, footprint } from "../chaos/footprint.ts"
import { weighed } from "../chaos/stage.ts"
import { until } from "../chaos/until.ts"
import { atLeast, atMost, type Judged } from "../goal.ts"
import { openPlace } from "../place.ts"
import { percentile } from "../statistics.ts"
import { Listener } from "./Listener.ts"
import { watchOthers } from "./others.ts"

/** Many who follow the events of one account on one process. */
export interface Listeners {
  readonly database: string
  readonly open: Judged
  readonly events: number
  /** Arrivals that are missing: each event at each listener. */
  readonly missing: Judged
  /** Milliseconds from when an event was written to its arrival, over all events and listeners. */
  readonly arrival: { readonly p50: number; readonly p99: Judged; readonly max: number }
  /** Of its heap once all garbage is collected. */
  readonly kilobytesPerListener: Judged
  /** Whoever asks for something else meanwhile: milliseconds, and answers that were not 200. */
  readonly others: { readonly p50: number; readonly p99: Judged; readonly notAnswered: Judged }
  /** More than before the first of them came, when all have gone. */
  readonly moreOpenFiles: Judged
  readonly moreMegabytes: Judged
  /** Of the last minute, when it was over. */
  readonly loadAverage: number
}

export interface ListenersPlan {
  readonly listeners: number
  readonly events: number
}

/** What neither a listener nor anybody else notices. */
const limits = {
  arrivalMillis: 2_000,
  kilobytesPerListener: 100,
  othersMillis: 1_000,
  moreOpenFiles: 8,
  moreMegabytes: 16,
}

const atOnce = 50
const betweenEventsMillis = 400

const [plan] = plans

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const openAll = async ({ apiKey, url }: RunningService, count: number): Promise<ReadonlyArray<Listener>> => {
  const all: Array<Listener> = []
  while (all.length < count) {
    const some = Array.from(
      { length: Math.min(atOnce, count - all.length) },
      () => Listener.open(url, apiKey),
    )
    all.push(...await Promise.all(some))
  }
  return all
}

/** Opening a swap writes one event. */
const makeEvents = async (service: RunningService, count: number): Promise<void> => {
  for (let event = 0; event < count; event++) {
    await Effect.runPromise(openByPost(service, plan.parameters))
    await pause(betweenEventsMillis)
  }
}

/** What connections had that were closed is given back a moment later. */
const afterwards = async (service: RunningService, before?: Footprint) => {
  const isBack = ({ heapMegabytes, openFiles }: Footprint) =>
    before !== undefined && openFiles <= before.openFiles + limits.moreOpenFiles &&
    heapMegabytes <= before.heapMegabytes + limits.moreMegabytes
  let after = await footprint(service)
  for (let time = 0; time < 20 && !isBack(after); time++) {
    await pause(250)
    after = await footprint(service)
  }
  return after
}

const measure = async (
  service: RunningService,
  { events, listeners: count }: ListenersPlan,
): Promise<Omit<Listeners, "database">> => {
  // Whatever is loaded or opened once is there before anything is weighed.
  await makeEvents(service, 2)
  for (const listener of await openAll(service, atOnce)) await listener.close()
  const before = await afterwards(service)

  const listeners = await openAll(service, count)
  const during = await footprint(service)
  const others = await watchOthers(service)
  await makeEvents(service, events)
  await until(() => listeners.every(({ arrivals }) => arrivals.length >= events))
  const [loadAverage = 0] = Deno.loadavg()
  const { latencies, notAnswered } = await others.stop()

  const millis = listeners.flatMap(({ arrivals }) => arrivals.map((arrival) => arrival.millis))
  const arrived = listeners.map(({ arrivals }) => new Set(arrivals.map(({ id }) => id)).size)
  for (const listener of listeners) await listener.close()
  const after = await afterwards(service, before)
  return {
    open: atLeast(count, listeners.length),
    events,
    missing: atMost(0, arrived.reduce((missing, number) => missing + events - number, 0)),
    arrival: {
      p50: percentile(millis, 0.5),
      p99: atMost(limits.arrivalMillis, percentile(millis, 0.99)),
      max: percentile(millis, 1),
    },
    kilobytesPerListener: atMost(
      limits.kilobytesPerListener,
      (during.heapMegabytes - before.heapMegabytes) * 1_024 / count,
    ),
    others: {
      p50: percentile(latencies, 0.5),
      p99: atMost(limits.othersMillis, percentile(latencies, 0.99)),
      notAnswered: atMost(0, notAnswered),
    },
    moreOpenFiles: atMost(limits.moreOpenFiles, after.openFiles - before.openFiles),
    moreMegabytes: atMost(limits.moreMegabytes, after.heapMegabytes - before.heapMegabytes),
    loadAverage,
  }
}

/** Streams of one account's events on one process, while its swaps are opened and others ask for quotes. */
export const measureListeners = Effect.fnUntraced(function* (plan: ListenersPlan, folder: string) {
  const place = yield* openPlace(folder)
  const service = yield* weighed({
    ...place.settings,
    DATA_DIR: folder,
    SANDBOX_SPEED: "0",
    EVENT_STREAMS_MOST: `${plan.listeners + atOnce}`,
  })
  const measured = yield* Effect.promise(() => measure(service, plan))
  const listeners: Listeners = { database: place.name, ...measured }
  return listeners
}, Effect.scoped)
