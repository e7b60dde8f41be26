import type { TimedAnswer } from "../pace.ts"
import { countOpenings } from "./log.ts"
import { type Provider, quotes } from "./quotes.ts"
import type { GatedService } from "./stage.ts"
import { until } from "./until.ts"

/** Ways of one provider to be out, and the trouble that stands for each. */
export const faults = { hang: "hang", reset: "reset", garbage: "notJson", "500": "error500" } as const

export type Fault = keyof typeof faults

/** Moments of an outage, as of `performance.now()`. */
export interface Course {
  readonly begun: number
  /** The circuit opened. */
  readonly opened: number
  /** The provider is well again. */
  readonly ended: number
  /** Its quotes are in answers again. */
  readonly recovered: number
}

/**
 * Has a provider misbehave until its circuit has opened, a probe has failed and it is open anew: the moment
 * from which the recovery takes longest. `answers` are those that come in meanwhile.
 */
export const runCourse = async (
  { gates, service }: GatedService,
  provider: Provider,
  fault: Fault,
  answers: ReadonlyArray<TimedAnswer>,
): Promise<Course> => {
  const openings = countOpenings(service, provider)
  const begun = performance.now()
  gates[provider].misbehave(faults[fault])
  const opened = await until(() => openings() > 0)
  await until(() => openings() > 1)
  gates[provider].behave()
  const ended = performance.now()
  const isRecovered = ({ answer, begin }: TimedAnswer) => begin >= ended && quotes(answer, provider)
  const recovered = await until(() => answers.some(isRecovered))
  return { begun, opened, ended, recovered }
}
