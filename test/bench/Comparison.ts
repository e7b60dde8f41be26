import type { Throughput } from "./load.ts"

/** The service beside something simpler that gives the same answers. */
export interface Comparison {
  readonly name: string
  readonly service: Throughput
  readonly yardstick: Throughput & { readonly name: string }
  /** Requests per second of the service by those of the yardstick. */
  readonly ratio: number
}
