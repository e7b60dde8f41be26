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

interface Round {
  readonly seconds: number
  /** Milliseconds. */
  readonly latencies: ReadonlyArray<number>
}

/** Each connection asks as soon as it has its answer, until the time is up. */
const round = async ({ requests, url }: Target, effort: Effort): Promise<Round> => {
  const latencies: Array<number> = []
  let next = 0
  const begin = performance.now()
  const end = begin + effort.secondsPerRound * 1_000
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

/** What one target achieves by itself, without warming up. */
export const load = async (target: Target, effort: Effort): Promise<Throughput> => {
  const rounds: Array<Round> = []
  for (let count = 0; count < effort.rounds; count++) rounds.push(await round(target, effort))
  return summary(rounds)
}

/** Two targets by turns, so that whatever else the machine does meets both. The first round only warms up. */
export const compare = async (
  one: Target,
  other: Target,
  effort: Effort,
): Promise<readonly [Throughput, Throughput]> => {
  const ofOne: Array<Round> = []
  const ofOther: Array<Round> = []
  for (let count = 0; count <= effort.rounds; count++) {
    ofOne.push(await round(one, effort))
    ofOther.push(await round(other, effort))
  }
  return [summary(ofOne.slice(1)), summary(ofOther.slice(1))]
}
