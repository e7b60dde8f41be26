import { Effect, Layer, Record } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { type GroupView, type GuardOptions, makeGroupGuard, waitOf, withinDeadline } from "./GroupGuard.ts"
import { Budgets } from "../Budgets.ts"
import { type Call, intercept, type OperationGroup } from "../operations.ts"
import type { Provider } from "../Provider.ts"
import { validateResponses } from "../validateResponses.ts"
import { containing, tellingRefusals } from "../refusals.ts"
import { type MayCall, mayCallUnder, switched, Switches } from "../Switches.ts"

export type ProviderView = Readonly<Record<OperationGroup, GroupView>>

/** Tells the budgets what a call is for. What is a search for its caller is one, whatever it asks. */
const withUrgency = ({ group, operation }: Pick<Call, "group" | "operation">) => {
  const own = group === "open" ? "opening" : operation === "quote" ? "asked" : "status"
  return <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.withFiber((fiber) => {
      const isForNobody = own === "asked" && fiber.getRef(OnBehalfOf) === undefined
      const isSearch = isForNobody || fiber.getRef(CallUrgency) === "search"
      return Effect.provideService(call, CallUrgency, isSearch ? "search" : own)
    })
}

const noSwitches: MayCall = () => Effect.void

/** Guards every operation of every provider. Defects and refused answers (`refusals.ts`) are failures, reported once. */
export class Guard extends service<Guard>()(
  "swap-broker/providers/Guard",
  (knobs: GuardOptions) =>
    Effect.gen(function* () {
      const guardOf = (group: OperationGroup) => {
        const wait = waitOf(knobs.groups[group], knobs.sharing)
        return makeGroupGuard(group, withinDeadline(knobs.groups[group]), knobs.circuit, {
          ...knobs.sharing,
          wait,
        })
      }
      const { isSpent } = yield* Budgets
      const groups = yield* Effect.all(Record.map(knobs.groups, (_, group) => guardOf(group)))

      return {
        /** The provider with every operation guarded. A call that is not let through fails with `NotCalled`. */
        wrap: (provider: Provider): Provider =>
          intercept(validateResponses(provider), ({ group, operation }) => {
            const around = groups[group].around(provider.name, operation)
            const telling = tellingRefusals({ provider: provider.name, operation })
            const urgent = withUrgency({ group, operation })
            const contained = containing(provider.name, operation)
            return (call) => around(urgent(contained(telling(call))))
          }),
        /** Fails where a kept answer must not stand in for a call. `wrap` checks calls itself. */
        mayCall: noSwitches,
        /** Whether the current account's quote calls have to wait, or are refused, so that others should not join one. */
        quotesWait: (provider: ProviderName) =>
          Effect.withFiber((fiber) =>
            groups.quote.isFull(provider, fiber.getRef(OnBehalfOf)) ? Effect.succeed(true) : isSpent(provider)
          ),
        view: (provider: ProviderName): Effect.Effect<ProviderView> =>
          Effect.all(Record.map(groups, (group) => group.view(provider))),
      }
    }),
) {
  /** The guard that does not call operations which the operator has switched off. */
  static readonly layerSwitched = (knobs: GuardOptions) =>
    Layer.effect(
      Guard,
      Effect.gen(function* () {
        const guard = yield* Guard
        const switches = yield* Switches
        return Guard.of({
          ...guard,
          wrap: (provider) => switched(switches, guard.wrap(provider)),
          mayCall: mayCallUnder(switches),
        })
      }),
    ).pipe(Layer.provide(Guard.layer(knobs)))
}
