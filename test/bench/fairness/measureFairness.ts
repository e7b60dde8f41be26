import { Effect } from "effect"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { startNetworks } from "../stage.ts"
import { atLeast, atMost, type Judged } from "../goal.ts"
import { openPlace } from "../place.ts"
import { percentile } from "../statistics.ts"
import { lookupLag } from "./lookupLag.ts"
import { ask, type Asked, encodePayload, firstOf, newAccount, openChannels, type Taken } from "./parties.ts"
import { sharedGoods } from "./shares.ts"
import { slowNetworks } from "./slowNetworks.ts"
import { type Parties, type Way, ways } from "./ways.ts"

/** What one account notices of another that floods in one way. */
export interface FairnessOfWay {
  readonly way: string
  /** Answers to the account that floods, by status. */
  readonly flooded: Readonly<Record<string, number>>
  /** Percent of the other's requests that succeeded. */
  readonly success: Judged
  /** Milliseconds. */
  readonly undisturbed: { readonly p50: number; readonly p99: number }
  readonly disturbed: { readonly p50: number; readonly p99: number }
  /** Of both p99. */
  readonly ratio: Judged
  /** Seconds that no look-up of the tracker was later than, meanwhile. */
  readonly lag: Judged
}

export interface Fairness {
  readonly database: string
  readonly ways: ReadonlyArray<FairnessOfWay>
  /** Of the last minute, when it was over. */
  readonly loadAverage: number
}

export interface FairnessPlan {
  /** Undisturbed and disturbed in turn, so often. */
  readonly rounds: number
  readonly secondsPerRound: number
  /** Channels that wait, of each account. */
  readonly channels: number
}

const limits = { success: 99, ratio: 2, lagSeconds: 2 }

const delays = { opening: 1_000, node: 300, backend: 50 }

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, millis)))

/** Asks at a steady pace, whatever becomes of the answers, until it is over. */
const paced = async (
  service: RunningService,
  perSecond: number,
  seconds: number,
  asked: (number: number) => Asked,
  whole = (answer: Taken): Promise<Taken> => Promise.resolve(answer),
): Promise<ReadonlyArray<Taken>> => {
  const begin = performance.now()
  const underWay: Array<Promise<Taken>> = []
  for (let number = 0; number < perSecond * seconds; number++) {
    await pause(begin + number * 1_000 / perSecond - performance.now())
    underWay.push(ask(service, asked(number)).then(whole))
  }
  return await Promise.all(underWay)
}

const isSuccess = ({ status }: Taken): boolean => status >= 200 && status < 300

/** The longest that is waited for what comes after an answer, in milliseconds: what takes longer has failed. */
const patience = 60_000

/** An answer with what comes after it. */
const settling = async (answer: Taken, { settled }: Way): Promise<Taken> => {
  if (settled === undefined || !isSuccess(answer)) return answer
  const begin = performance.now()
  const inTime = await Promise.race([settled(answer).then(() => true), pause(patience).then(() => false)])
  return {
    ...answer,
    status: inTime ? answer.status : 504,
    millis: answer.millis + performance.now() - begin,
  }
}

const byStatus = (taken: ReadonlyArray<Taken>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of taken) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const timesOf = (taken: ReadonlyArray<Taken>) => {
  const millis = taken.map((one) => one.millis)
  return { p50: percentile(millis, 0.5), p99: percentile(millis, 0.99) }
}

const measureWay = (service: RunningService, of: Parties, way: Way, plan: FairnessPlan) =>
  Effect.promise(async (): Promise<FairnessOfWay> => {
    const undisturbed: Array<Taken> = []
    const disturbed: Array<Taken> = []
    const flooded: Array<Taken> = []
    const lag = lookupLag(service)
    let number = 0
    const asking = () => way.asking(number++, of)
    const whole = (answer: Taken) => settling(answer, way)
    for (let round = 0; round < plan.rounds; round++) {
      undisturbed.push(...await paced(service, way.calm, plan.secondsPerRound, asking, whole))
      await lag.begin()
      const flood = paced(service, way.flood, plan.secondsPerRound, (count) => way.flooding(count, of))
      disturbed.push(...await paced(service, way.calm, plan.secondsPerRound, asking, whole))
      await lag.end()
      flooded.push(...await flood)
    }
    const [before, meanwhile] = [timesOf(undisturbed), timesOf(disturbed)]
    const succeeded = disturbed.filter(isSuccess).length
    return {
      way: way.name,
      flooded: byStatus(flooded),
      success: atLeast(limits.success, succeeded * 100 / disturbed.length),
      undisturbed: before,
      disturbed: meanwhile,
      ratio: atMost(limits.ratio, meanwhile.p99 / before.p99),
      lag: atMost(limits.lagSeconds, lag.most()),
    }
  })

/** Two accounts of one service in live mode, one of which floods in one way after the other. */
export const measureFairness = Effect.fnUntraced(function* (plan: FairnessPlan, folder: string) {
  const place = yield* openPlace(folder)
  const networks = yield* startNetworks
  const { origin } = yield* slowNetworks(networks.url, delays)
  const settings = {
    ...place.settings,
    MODE: "live",
    PROVIDERS: "chainflip",
    CHAINFLIP_BACKEND_URL: `${origin}/chainflip/backend`,
    CHAINFLIP_NODE_URL: `${origin}/chainflip/node`,
    CHAINFLIP_BROKER_URL: `${origin}/chainflip/broker`,
    CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
    RATE_LIMIT: "6000",
    BULKHEAD_SHARE: "0.5",
    STATUS_MAX_AGE: "1 second",
  }
  const service = yield* startService(settings)
  const calmKeys = yield* newAccount(service, "calm", plan.rounds * plan.secondsPerRound * 2 * 10)
  const floodingKeys = yield* newAccount(service, "flooding", 10)
  const parties: Parties = {
    calm: { keys: calmKeys, ids: yield* openChannels(service, firstOf(calmKeys), plan.channels) },
    flooding: { keys: floodingKeys, ids: yield* openChannels(service, firstOf(floodingKeys), plan.channels) },
  }
  yield* encodePayload(service, firstOf(floodingKeys))
  const measured = yield* Effect.forEach(
    ways,
    (way) =>
      way.settings === undefined
        ? measureWay(service, parties, way, plan)
        // Another replica, on the same records.
        : Effect.scoped(Effect.flatMap(
          startService({ ...settings, ...way.settings }),
          (other) => measureWay(other, parties, way, plan),
        )),
  )
  const own = yield* openPlace(`${folder}/shares`)
  const shares = yield* sharedGoods((yield* startNetworks).url, own.settings, plan)
  const shared = yield* Effect.forEach(
    shares.ways,
    (way) => measureWay(shares.service, shares.parties, way, plan),
  )
  const [loadAverage = 0] = Deno.loadavg()
  const fairness: Fairness = { database: place.name, ways: [...measured, ...shared], loadAverage }
  return fairness
}, Effect.scoped)
