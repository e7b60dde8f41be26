import { Connection } from "./Connection.ts"
import type { Effort, Target } from "./load.ts"
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

const requestsPerSecond = 200
const millisBetween = 1_000 / requestsPerSecond

/** Asks at the pace whether or not answers have come; a late answer delays none of the next requests. */
const pace = async ({ requests, url }: Target, { connections, secondsPerRound }: Effort) => {
  const idle = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)))
  const opened = [...idle]
  const asked: Array<Promise<number>> = []
  const ask = async (request: Uint8Array): Promise<number> => {
    const begin = performance.now()
    let connection = idle.pop()
    if (connection === undefined) {
      connection = await Connection.open(url)
      opened.push(connection)
    }
    await connection.ask(request)
    idle.push(connection)
    return performance.now() - begin
  }
  const begin = performance.now()
  for (let index = 0; index < requestsPerSecond * secondsPerRound; index++) {
    const wait = begin + index * millisBetween - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const request = requests[index % requests.length]
    if (request === undefined) throw new Error("There is nothing to ask")
    asked.push(ask(request))
  }
  const latencies = await Promise.all(asked)
  for (const connection of opened) connection.close()
  return latencies
}

const latencyOf = (latencies: ReadonlyArray<number>): Latency => ({
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
})

/** Service and upstream by turns. */
export const addedLatency = async (
  service: Target,
  upstream: Target,
  effort: Effort,
): Promise<AddedLatency> => {
  const ofService: Array<number> = []
  const ofUpstream: Array<number> = []
  for (let round = 0; round < effort.rounds; round++) {
    ofService.push(...await pace(service, effort))
    ofUpstream.push(...await pace(upstream, effort))
  }
  const [one, other] = [latencyOf(ofService), latencyOf(ofUpstream)]
  return {
    requestsPerSecond,
    service: one,
    upstream: other,
    added: { p50: one.p50 - other.p50, p99: one.p99 - other.p99 },
  }
}
