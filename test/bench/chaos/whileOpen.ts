import { atMost, type Judged } from "../goal.ts"
import { percentile } from "../statistics.ts"

/** How long answers took, in milliseconds. */
export interface OpenLatencies {
  /** Of a service with a circuit open. */
  readonly open: ReadonlyArray<number>
  /** At the same time, of a service that nothing is wrong with: its answers hold the quotes of both providers. */
  readonly healthy: ReadonlyArray<number>
}

/** The one beside the other, in milliseconds. */
export interface WhileOpen {
  readonly openP99: number
  readonly healthyP99: number
  /** The one by the other. */
  readonly ratio: Judged
}

export const whileOpen = ({ healthy, open }: OpenLatencies): WhileOpen => {
  const openP99 = percentile(open, 0.99)
  const healthyP99 = percentile(healthy, 0.99)
  return { openP99, healthyP99, ratio: atMost(1.2, openP99 / healthyP99) }
}
