import { atLeast, atMost, type Judged } from "../goal.ts"
import { pace, type TimedAnswer } from "../pace.ts"
import { percentile } from "../statistics.ts"
import { type Fault, runCourse } from "./course.ts"
import type { Pacing } from "./pacing.ts"
import { otherThan, type Provider, quotes, quoteTarget } from "./quotes.ts"
import type { GatedService } from "./stage.ts"
import { type OpenLatencies, type WhileOpen, whileOpen } from "./whileOpen.ts"

/** What clients notice while one provider is out. Times are in milliseconds. */
export interface OneOut extends WhileOpen {
  readonly fault: Fault
  readonly provider: Provider
  readonly requests: number
  /** Share of the answers that are 200 with quotes of the other provider. */
  readonly answered: Judged
  /** From the beginning of the fault until the circuit opens; the others are from then until both quote. */
  readonly closedP99: Judged
  /** From the end of the fault until both quote again. */
  readonly recovery: Judged
}

/** An open time varies by a fifth. Then it takes a request to find out, and a provider to answer it. */
const longestRecovery = (openTime: number): number => openTime * 1.2 + 250

/** Fills the circuit's window with successes. */
const quietMillis = 300

const during = (answers: ReadonlyArray<TimedAnswer>, from: number, to: number) =>
  answers.filter(({ begin }) => begin >= from && begin < to)

const latencies = (answers: ReadonlyArray<TimedAnswer>, from: number, to: number) =>
  during(answers, from, to).map(({ millis }) => millis)

/** Asks a service that has one provider out, and by turns another one that is well. */
export const measureOneOut = async (
  broken: GatedService,
  well: GatedService,
  provider: Provider,
  fault: Fault,
  { attemptTimeout, openTime, requestsPerSecond }: Pacing,
): Promise<readonly [OneOut, OpenLatencies]> => {
  const ofBroken: Array<TimedAnswer> = []
  const ofWell: Array<TimedAnswer> = []
  let isOver = false
  const asking = pace(
    [
      { target: quoteTarget(broken.service), take: (answer) => ofBroken.push(answer) },
      { target: quoteTarget(well.service), take: (answer) => ofWell.push(answer) },
    ],
    requestsPerSecond,
    () => isOver,
  )
  await new Promise((resolve) => setTimeout(resolve, quietMillis))
  const { begun, ended, opened, recovered } = await runCourse(broken, provider, fault, ofBroken)
  isOver = true
  await asking
  const asked = during(ofBroken, begun, recovered)
  const answered = asked.filter(({ answer }) => quotes(answer, otherThan(provider)))
  const whenOpen: OpenLatencies = {
    open: latencies(ofBroken, opened, recovered),
    healthy: latencies(ofWell, opened, recovered),
  }
  const oneOut: OneOut = {
    fault,
    provider,
    requests: asked.length,
    answered: atLeast(1, answered.length / asked.length),
    closedP99: atMost(attemptTimeout, percentile(latencies(ofBroken, begun, opened), 0.99)),
    ...whileOpen(whenOpen),
    recovery: atMost(longestRecovery(openTime), recovered - ended),
  }
  return [oneOut, whenOpen]
}
