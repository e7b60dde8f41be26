import { makeLoad, takeTurns } from "../load.ts"
import { quoteTarget } from "./quotes.ts"
import type { GatedService } from "./stage.ts"

/** How a service is asked, and its settings that matter to what is measured. */
export interface Pacing {
  /** Of each service. */
  readonly requestsPerSecond: number
  /** Longest that one provider may take, in milliseconds. */
  readonly attemptTimeout: number
  /** Of circuits, in milliseconds, give or take a fifth. */
  readonly openTime: number
}

/** What a pacing is to be like on whatever machine. */
export interface PacingPlan {
  readonly attemptTimeout: number
  /** So many that the one which probes a provider in vain is among the slowest hundredth. */
  readonly requestsPerOpenTime: number
}

const mostPerSecond = 60
/** What it is in operation. */
const longestOpenTime = 5_000

/** Two services are asked: half of what the machine can do leaves no queue, which is not what is measured. */
export const pacingOf = ({ attemptTimeout, requestsPerOpenTime }: PacingPlan, capacity: number): Pacing => {
  const requestsPerSecond = Math.min(mostPerSecond, capacity / 4)
  const openTime = Math.min(longestOpenTime, Math.ceil(requestsPerOpenTime / requestsPerSecond * 1_000))
  return { requestsPerSecond, attemptTimeout, openTime }
}

/** Asks as hard as the machine allows: how many a second are answered once the code is compiled. */
export const warmUp = async ({ service }: GatedService): Promise<number> => {
  const effort = { connections: 8, warmUpSeconds: 2, rounds: 1, secondsPerRound: 1, mostRequests: Infinity }
  const load = makeLoad(quoteTarget(service), effort)
  await takeTurns([load], effort.rounds)
  return load.throughput().requestsPerSecond
}

/** As in operation but for times; those of circuits do not double, so that each outage finds the same. */
export const settingsOf = ({ attemptTimeout, openTime }: Pacing) => ({
  QUOTE_TIMEOUT: `${attemptTimeout} millis`,
  CIRCUIT_OPEN_TIME: `${openTime} millis`,
  CIRCUIT_OPEN_TIME_MOST: `${openTime} millis`,
})
