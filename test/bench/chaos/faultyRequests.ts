import { Effect } from "effect"
import { atMost, type Judged } from "../goal.ts"
import { type Answered, isExpected, runRounds } from "./faultyRounds.ts"
import { type Footprint, footprint } from "./footprint.ts"
import { faultLines } from "./log.ts"
import { startBehindGates, weighed } from "./stage.ts"

/** What requests leave behind that all meet a fault. */
export interface FaultyRequests {
  readonly requests: number
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that are neither quotes of the provider that is well nor, where none is, a failure that fits. */
  readonly unexpected: Judged
  /** How many of these there were after which trouble. */
  readonly unexpectedAfter: Readonly<Record<string, number>>
  /** Lines of the log that tell of a fault of the service itself, a rejection that nobody handled among them. */
  readonly faultsLogged: Judged
  readonly before: Footprint
  readonly after: Footprint
  readonly moreOpenFiles: Judged
  readonly moreMegabytes: Judged
}

/** How many requests there are; the first of them only warm the process up. */
export interface FaultyPlan {
  readonly warmUp: number
  readonly requests: number
}

/** No circuit opens, as it would spare the provider the requests, and nothing waits for longer than it must. */
const alwaysAsking = {
  CIRCUIT_FAILURE_SHARE: "1",
  CIRCUIT_WINDOW: "10000",
  CIRCUIT_MINIMUM_CALLS: "10000",
  QUOTE_BULKHEAD: "1000",
  QUOTE_TIMEOUT: "2 seconds",
  QUOTE_GRACE: "50 millis",
  QUOTE_RETRIES: "0",
}

/** Idle connections to upstreams are kept for a while, now more and now fewer; those that leak add up. */
const sparedFiles = 16

/** Of some 120. A kilobyte that every one of 10,000 requests leaves behind is more than that. */
const sparedMegabytes = 8

/** How many answers go by which name. */
const countBy = (answered: ReadonlyArray<Answered>, name: (one: Answered) => string) => {
  const counts: Record<string, number> = {}
  for (const one of answered) counts[name(one)] = (counts[name(one)] ?? 0) + 1
  return counts
}

const told = ({ round, status }: Answered): string =>
  `${round.trouble} of ${round.at.join(" and ")}: ${status}`

/** Has a service of its own answer while its providers are in trouble of every kind. */
export const measureFaultyRequests = Effect.fnUntraced(function* (
  networks: URL,
  folder: string,
  { requests, warmUp }: FaultyPlan,
) {
  const gated = yield* startBehindGates(networks, {
    ...alwaysAsking,
    DATA_DIR: folder,
  }, weighed)
  return yield* Effect.promise(async (): Promise<FaultyRequests> => {
    await runRounds(gated, warmUp)
    const before = await footprint(gated.service)
    const answered = await runRounds(gated, requests)
    const after = await footprint(gated.service)
    const unexpected = answered.filter((one) => !isExpected(one))
    return {
      requests: answered.length,
      statuses: countBy(answered, ({ status }) => `${status}`),
      unexpected: atMost(0, unexpected.length),
      unexpectedAfter: countBy(unexpected, told),
      faultsLogged: atMost(0, faultLines(gated.service).length),
      before,
      after,
      moreOpenFiles: atMost(sparedFiles, after.openFiles - before.openFiles),
      moreMegabytes: atMost(sparedMegabytes, after.heapMegabytes - before.heapMegabytes),
    }
  })
}, Effect.scoped)
