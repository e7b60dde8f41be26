import { Effect } from "effect"
import { atMost, type Judged } from "../goal.ts"
import { type AllDown, measureAllDown } from "./allDown.ts"
import type { Fault } from "./course.ts"
import { type FaultyPlan, type FaultyRequests, measureFaultyRequests } from "./faultyRequests.ts"
import { faultLines } from "./log.ts"
import { measureOneOut, type OneOut } from "./oneOut.ts"
import { type Pacing, pacingOf, type PacingPlan, settingsOf, warmUp } from "./pacing.ts"
import type { Provider } from "./quotes.ts"
import { type GatedService, startBehindGates, startNetworks } from "./stage.ts"
import { type OpenLatencies, type WhileOpen, whileOpen } from "./whileOpen.ts"

/** What clients notice of upstreams that misbehave. */
export interface Chaos extends Pacing {
  readonly oneOut: ReadonlyArray<OneOut>
  /** Over all of these outages: the p99 of as few requests as one of them takes is a matter of luck. */
  readonly anyOut: WhileOpen
  readonly allDown: AllDown
  /** Lines of the log of all that which tell of a fault of the service itself. */
  readonly faultsLogged: Judged
  readonly faultyRequests: FaultyRequests
}

type Outages = ReadonlyArray<readonly [Fault, Provider]>

export interface ChaosPlan extends PacingPlan {
  /** Who is out in which way, one after the other. */
  readonly outages: Outages
  readonly faulty: FaultyPlan
}

const measureOutages = async (
  broken: GatedService,
  well: GatedService,
  outages: Outages,
  pacing: Pacing,
) => {
  const measured: Array<readonly [OneOut, OpenLatencies]> = []
  for (const [fault, provider] of outages) {
    measured.push(await measureOneOut(broken, well, provider, fault, pacing))
  }
  return {
    oneOut: measured.map(([figures]) => figures),
    anyOut: whileOpen({
      open: measured.flatMap(([, { open }]) => open),
      healthy: measured.flatMap(([, { healthy }]) => healthy),
    }),
    allDown: await measureAllDown(broken, pacing),
    faultsLogged: atMost(0, faultLines(broken.service).length),
  }
}

/** `copy` makes a folder with a database for each service. */
export const measureChaos = Effect.fnUntraced(function* <E, R>(
  plan: ChaosPlan,
  copy: Effect.Effect<string, E, R>,
) {
  const networks = yield* startNetworks
  const outages = yield* Effect.scoped(Effect.gen(function* () {
    const well = yield* startBehindGates(networks.url, { DATA_DIR: yield* copy })
    const pacing = pacingOf(plan, yield* Effect.promise(() => warmUp(well)))
    const broken = yield* startBehindGates(networks.url, { ...settingsOf(pacing), DATA_DIR: yield* copy })
    yield* Effect.promise(() => warmUp(broken))
    const figures = yield* Effect.promise(() => measureOutages(broken, well, plan.outages, pacing))
    return { ...pacing, ...figures }
  }))
  const faultyRequests = yield* measureFaultyRequests(networks.url, yield* copy, plan.faulty)
  const chaos: Chaos = { ...outages, faultyRequests }
  return chaos
}, Effect.scoped)
