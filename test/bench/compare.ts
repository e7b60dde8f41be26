import { atLeast, type Judged } from "./goal.ts"
import { type Effort, makeLoad, takeTurns, type Target, type Throughput } from "./load.ts"

/** Something simpler that gives the same answers. */
export interface Yardstick {
  readonly name: string
  readonly target: Target
  /** The least that the ratio should be. */
  readonly leastRatio?: number
}

/** The service beside a yardstick. */
export interface Comparison {
  readonly name: string
  readonly service: Throughput
  readonly yardstick: Throughput & { readonly name: string }
  /** Requests per second of the service by those of the yardstick. */
  readonly ratio: number
  readonly goal?: Judged
}

/** The service beside each of the yardsticks, all of them measured by turns. */
export const compare = async (
  name: string,
  service: Target,
  yardsticks: ReadonlyArray<Yardstick>,
  effort: Effort,
): Promise<ReadonlyArray<Comparison>> => {
  const ofService = makeLoad(service, effort)
  const others = yardsticks.map(({ target, ...yardstick }) => ({
    ...yardstick,
    load: makeLoad(target, effort),
  }))
  await takeTurns([ofService, ...others.map(({ load }) => load)], effort.rounds)
  const one = ofService.throughput()
  return others.map((yardstick) => {
    const other = yardstick.load.throughput()
    const ratio = one.requestsPerSecond / other.requestsPerSecond
    return {
      name,
      service: one,
      yardstick: { name: yardstick.name, ...other },
      ratio,
      ...(yardstick.leastRatio === undefined ? {} : { goal: atLeast(yardstick.leastRatio, ratio) }),
    }
  })
}
