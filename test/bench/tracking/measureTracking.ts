import { Effect, Schema } from "effect"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { startProgram } from "#test/support/process.ts"
import { footprint } from "../chaos/footprint.ts"
import { weighed } from "../chaos/stage.ts"
import { atMost, type Judged } from "../goal.ts"
import { openPlace } from "../place.ts"
import { computedSeconds, watchMemory } from "../processes.ts"
import { fill } from "./fill.ts"
import { recordSwaps } from "./recordSwaps.ts"
import { Asked, type Crowd } from "./SwapBodies.ts"

/** How open swaps are followed to their end. */
export interface Tracking {
  readonly database: string
  readonly waiting: number
  readonly moving: number
  /** As often as their intervals ask for. */
  readonly lookupsPerSecondDue: number
  readonly lookupsPerSecond: number
  /** Of the service's own computing, the same however busy the machine is with other things. */
  readonly computingMillisPerLookup: number
  /** Swaps that nobody asked about. */
  readonly neverAsked: Judged
  /** Milliseconds from when a swap was due to its look-up, as its upstream sees it. */
  readonly lag: { readonly p50: number; readonly p99: number; readonly max: Judged }
  /** Megabytes in use once all garbage is collected, at even intervals; the first ones are of the start. */
  readonly heapMegabytes: ReadonlyArray<number>
  /** Of the last of these more than of the first. */
  readonly moreMegabytes: Judged
  /** The most that the process had of the machine. */
  readonly residentMegabytes: Judged
  /** Of the last minute, when it was over. */
  readonly loadAverage: number
}

export interface TrackingPlan {
  readonly waiting: number
  readonly moving: number
  readonly seconds: number
}

/** A swap is looked up two blocks late at most, in what a small machine has of memory. */
const limits = { lagMillis: 12_000, megabytes: 512, moreMegabytes: 16 }

/** Until all swaps were asked about and its code is compiled. */
const warmUpSeconds = 40
const weighings = 3

/** Of a provider that allows twice what is due, so that what is late can be made up for. */
const settingsOf = (crowd: Crowd) => ({
  LOOKUPS_PER_SECOND: `${Math.ceil(lookupsDue(crowd) * 2)}`,
  TRACKER_CONCURRENCY: "64",
  STATUS_BULKHEAD: "100",
})

/** A second, at the intervals of LookupPolicy. */
const lookupsDue = ({ moving, waiting }: Omit<Crowd, "firstChannel">) => waiting / 30 + moving / 6

const readAsked = Schema.decodeUnknownSync(Asked)

const ask = async (upstream: URL, method = "GET"): Promise<Asked> =>
  readAsked(await (await fetch(new URL("/asked", upstream), { method })).json())

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** A crowd of open swaps, followed in live mode over a network that answers after 5 ms. */
export const measureTracking = Effect.fnUntraced(function* (plan: TrackingPlan, folder: string) {
  const { moving, seconds, waiting } = plan
  const place = yield* openPlace(folder)
  const recorded = yield* recordSwaps(place)
  const crowd: Crowd = { firstChannel: 1_000, waiting, moving }
  const upstream = yield* startProgram("test/bench/tracking/crowdServer.ts", {
    SWAP_BODIES: JSON.stringify(recorded.bodies),
    CROWD: JSON.stringify(crowd),
  })
  yield* fill(place, recorded, crowd)
  const service = yield* weighed({
    ...place.settings,
    MODE: "live",
    PROVIDERS: "chainflip",
    CHAINFLIP_BACKEND_URL: upstream.url.origin,
    CHAINFLIP_NODE_URL: upstream.url.origin,
    CHAINFLIP_BROKER_URL: upstream.url.origin,
    CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
    ...settingsOf(crowd),
  })
  return yield* Effect.promise(async () => {
    const memory = watchMemory(service)
    await pause(warmUpSeconds)
    const heap = [(await footprint(service)).heapMegabytes]
    await ask(upstream.url, "DELETE")
    const computed = computedSeconds(service)
    for (let weighing = 0; weighing < weighings; weighing++) {
      await pause(seconds / weighings)
      heap.push((await footprint(service)).heapMegabytes)
    }
    const asked = await ask(upstream.url)
    const [first = 0] = heap
    const [loadAverage = 0] = Deno.loadavg()
    const tracking: Tracking = {
      database: place.name,
      waiting,
      moving,
      lookupsPerSecondDue: lookupsDue(plan),
      lookupsPerSecond: asked.lookups / asked.seconds,
      computingMillisPerLookup: (computedSeconds(service) - computed) * 1_000 / asked.lookups,
      neverAsked: atMost(0, waiting + moving - asked.swaps),
      lag: { ...asked.lag, max: atMost(limits.lagMillis, asked.lag.max) },
      heapMegabytes: heap,
      moreMegabytes: atMost(limits.moreMegabytes, (heap.at(-1) ?? first) - first),
      residentMegabytes: atMost(limits.megabytes, memory.most()),
      loadAverage,
    }
    memory.stop()
    return tracking
  })
}, Effect.scoped)
