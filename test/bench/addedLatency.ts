import type { Target } from "./load.ts"
import { pace, type TimedAnswer } from "./pace.ts"
import { percentile } from "./statistics.ts"

/** Milliseconds at a steady pace. */
interface Latency {
  readonly p50: number
  readonly p99: number
}

/** What asking through the service takes longer than asking the upstream itself. */
export interface AddedLatency {
  readonly requestsPerSecond: number
  readonly service: Latency
  readonly upstream: Latency
  /** The difference of the two. */
  readonly added: Latency
}

/** A pace at which nothing waits for anything. */
const usualPace = 200

const latencyOf = (latencies: ReadonlyArray<number>): Latency => ({
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
})

/** Asks both by turns at a steady pace. */
export const addedLatency = async (
  service: Target,
  upstream: Target,
  seconds: number,
  requestsPerSecond: number = usualPace,
): Promise<AddedLatency> => {
  const watch = (target: Target) => {
    const latencies: Array<number> = []
    const take = ({ answer, millis }: TimedAnswer): void => {
      if (answer.status !== 200) throw new Error(`Not an answer to measure: ${answer.body}`)
      latencies.push(millis)
    }
    return { latencies, target, take }
  }
  const [ofService, ofUpstream] = [watch(service), watch(upstream)]
  const end = performance.now() + seconds * 1_000
  await pace([ofService, ofUpstream], requestsPerSecond, () => performance.now() > end)
  const [one, other] = [latencyOf(ofService.latencies), latencyOf(ofUpstream.latencies)]
  return {
    requestsPerSecond,
    service: one,
    upstream: other,
    added: { p50: one.p50 - other.p50, p99: one.p99 - other.p99 },
  }
}
