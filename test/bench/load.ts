import { Connection } from "./Connection.ts"
import { median, percentile } from "./statistics.ts"

/** Something to ask again and again. */
export interface Target {
  readonly url: URL
  /** Asked in turn. */
  readonly requests: ReadonlyArray<Uint8Array>
}

/** How hard and how long. */
export interface Effort {
  readonly connections: number
  /** Asked as long before anything counts: a process is slow until its code is compiled. */
  readonly warmUpSeconds: number
  /** Many short ones tell more than few long ones where the machine has other work now and then. */
  readonly rounds: number
  readonly secondsPerRound: number
  /** A round ends early when so many requests were answered. */
  readonly mostRequests: number
}

/** What a target achieved. */
export interface Throughput {
  /** Median of the rounds. */
  readonly requestsPerSecond: number
  /** Milliseconds, over all rounds. */
  readonly p50: number
  readonly p99: number
  readonly requests: number
}

/** What was answered in a stretch of time. */
interface Round {
  readonly seconds: number
  /** Milliseconds. */
  readonly latencies: ReadonlyArray<number>
}

/** Each connection asks as soon as it has its answer, until the time is up. */
const round = async ({ requests, url }: Target, effort: Effort, seconds: number): Promise<Round> => {
  const latencies: Array<number> = []
  let next = 0
  const begin = performance.now()
  const end = begin + seconds * 1_000
  const askUntilEnd = async () => {
    const connection = await Connection.open(url)
    for (let now = performance.now(); now < end && next < effort.mostRequests;) {
      const request = requests[next++ % requests.length]
      if (request === undefined) throw new Error("There is nothing to ask")
      await connection.ask(request)
      const answered = performance.now()
      latencies.push(answered - now)
      now = answered
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: effort.connections }, askUntilEnd))
  return { seconds: (performance.now() - begin) / 1_000, latencies }
}

const summary = (rounds: ReadonlyArray<Round>): Throughput => {
  const latencies = rounds.flatMap((one) => one.latencies)
  return {
    requestsPerSecond: median(rounds.map((one) => one.latencies.length / one.seconds)),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    requests: latencies.length,
  }
}

/** One target under load. */
export interface Load {
  readonly warmUp: () => Promise<void>
  readonly round: () => Promise<void>
  /** Over all rounds until now. */
  readonly throughput: () => Throughput
}

export const makeLoad = (target: Target, effort: Effort): Load => {
  const rounds: Array<Round> = []
  return {
    warmUp: async () => {
      if (effort.warmUpSeconds > 0) await round(target, effort, effort.warmUpSeconds)
    },
    round: async () => {
      rounds.push(await round(target, effort, effort.secondsPerRound))
    },
    throughput: () => summary(rounds),
  }
}

/** Rounds of all loads by turns, so that whatever else the machine does meets all of them. */
export const takeTurns = async (loads: ReadonlyArray<Load>, rounds: number): Promise<void> => {
  for (const load of loads) await load.warmUp()
  for (let count = 0; count < rounds; count++) {
    for (const load of loads) await load.round()
  }
}
