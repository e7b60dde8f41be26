import { failuresOf, type Round, rounds } from "#test/chaos/support/rounds.ts"
import { Connection } from "../Connection.ts"
import type { Target } from "../load.ts"
import { quoteTarget } from "./quotes.ts"
import type { GatedService } from "./stage.ts"
import { until } from "./until.ts"

/** What a request that met a fault was answered. */
export interface Answered {
  readonly round: Round
  readonly status: number
}

/** Quotes of the provider that is well or, where none is, a failure that fits. */
export const isExpected = ({ round, status }: Answered): boolean =>
  round.at.length === 1 ? status === 200 : failuresOf(round).includes(status)

const connections = 32

/** Within which the sockets of connections that have been closed are given back. */
const settleMillis = 500

/** Asks for as many as `count` from the `first` on, each connection as soon as it has its answer. */
const askMany = async (
  { requests, url }: Target,
  first: number,
  count: number,
): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  let next = first
  const last = first + count
  const askOn = async () => {
    const connection = await Connection.open(url)
    while (next < last) {
      const request = requests[next++ % requests.length]
      if (request === undefined) throw new Error("There is nothing to ask")
      statuses.push((await connection.answerTo(request)).status)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, askOn))
  return statuses
}

/** Every round of faults, with so many requests in all; afterwards nothing is under way. */
export const runRounds = async (
  { gates, service }: GatedService,
  requests: number,
): Promise<ReadonlyArray<Answered>> => {
  const target = quoteTarget(service)
  const answered: Array<Answered> = []
  for (const round of rounds) {
    for (const provider of round.at) gates[provider].misbehave(round.trouble)
    const statuses = await askMany(target, answered.length, requests / rounds.length)
    answered.push(...statuses.map((status) => ({ round, status })))
    for (const provider of round.at) gates[provider].behave()
  }
  await until(() => gates.chainflip.unanswered() + gates.nearIntents.unanswered() === 0)
  await new Promise((resolve) => setTimeout(resolve, settleMillis))
  return answered
}
