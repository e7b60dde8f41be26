import type { Answer } from "../Connection.ts"
import { atLeast, atMost, type Judged } from "../goal.ts"
import { pace, type TimedAnswer } from "../pace.ts"
import { percentile } from "../statistics.ts"
import { countOpenings } from "./log.ts"
import type { Pacing } from "./pacing.ts"
import { quotes, quoteTarget } from "./quotes.ts"
import type { GatedService } from "./stage.ts"
import { until } from "./until.ts"

/** What clients are told while the circuits of all providers are open. Times are in milliseconds. */
export interface AllDown {
  readonly requests: number
  /** Share of the answers that are provider_unavailable with Retry-After. */
  readonly unavailable: Judged
  readonly p50: number
  readonly p99: Judged
}

/** A failure that nobody is asked for takes so much less work than quotes. */
const timesAsOften = 4

const limitMillis = 50

const isUnavailable = ({ body, head, status }: Answer): boolean =>
  status === 503 && body.includes('"code":"provider_unavailable"') && /\r\nretry-after: [1-9]/i.test(head)

/** No probe is let through by then: an open time varies by a fifth, and the log tells of it a little later. */
const surelyOpen = (openTime: number): number => openTime * 0.6

/** Asks while connections to all providers are cut and their circuits are open. */
export const measureAllDown = async (
  { gates, service }: GatedService,
  { openTime, requestsPerSecond }: Pacing,
): Promise<AllDown> => {
  const answers: Array<TimedAnswer> = []
  let isOver = false
  const asking = pace(
    [{ target: quoteTarget(service), take: (answer) => answers.push(answer) }],
    requestsPerSecond * timesAsOften,
    () => isOver,
  )
  const chainflip = countOpenings(service, "chainflip")
  const nearIntents = countOpenings(service, "nearIntents")
  gates.chainflip.misbehave("reset")
  gates.nearIntents.misbehave("reset")
  const oneOpened = await until(() => chainflip() + nearIntents() > 0)
  const bothOpened = await until(() => chainflip() > 0 && nearIntents() > 0)
  await until(() => performance.now() > oneOpened + surelyOpen(openTime))
  gates.chainflip.behave()
  gates.nearIntents.behave()
  const isWell = ({ answer }: TimedAnswer) => quotes(answer, "chainflip") && quotes(answer, "nearIntents")
  await until(() => answers.slice(-20).some(isWell))
  isOver = true
  await asking
  const whileOpen = answers.filter(({ begin }) =>
    begin > bothOpened && begin < oneOpened + surelyOpen(openTime)
  )
  const latencies = whileOpen.map(({ millis }) => millis)
  return {
    requests: whileOpen.length,
    unavailable: atLeast(
      1,
      whileOpen.filter(({ answer }) => isUnavailable(answer)).length / whileOpen.length,
    ),
    p50: percentile(latencies, 0.5),
    p99: atMost(limitMillis, percentile(latencies, 0.99)),
  }
}
