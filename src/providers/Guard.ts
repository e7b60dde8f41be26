import { Context, Effect, Layer } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import { OnBehalfOf } from "../domain/OnBehalfOf.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type GroupView, makeGroupGuard } from "./guard/GroupGuard.ts"
import { checked } from "./checked.ts"
import { type GuardKnobs, OperationGroup, waitOf, withinDeadline } from "./guard/knobs.ts"
import type { Provider, VaultSwaps } from "./Provider.ts"
import { type MayCall, mayCallUnder, switched } from "./switched.ts"
import { Switches } from "./Switches.ts"

/** How a provider stands, by group of operations. */
export type ProviderView = Readonly<Record<OperationGroup, GroupView>>

/**
 * Bulkhead, circuit breaker, retry, attempt timeout, deadline and figures around every operation of every
 * provider, in one place. An answer that no honest upstream gives is a failure there as well.
 */
export class Guard extends Context.Service<Guard, {
  /** The provider with every operation guarded; what is not let through fails with `NotCalled`. */
  readonly wrap: (provider: Provider) => Provider
  /** Whether an answer that was kept may stand in for a call, which `wrap` looks after itself. */
  readonly mayCall: MayCall
  /** Whether a quote call of the account at hand would have to wait for a place, so others had better not join it. */
  readonly quotesWait: (provider: ProviderName) => Effect.Effect<boolean>
  readonly view: (provider: ProviderName) => Effect.Effect<ProviderView>
}>()("swap-broker/providers/Guard") {
  static readonly layer = (
    knobs: GuardKnobs,
  ): Layer.Layer<Guard, never, CircuitBreaker.CircuitBreakerStore> =>
    Layer.effect(
      Guard,
      Effect.gen(function* () {
        const guardOf = (group: OperationGroup) => {
          const wait = waitOf(knobs.groups[group], knobs.sharing)
          return makeGroupGuard(group, withinDeadline(knobs.groups[group]), knobs.circuit, {
            ...knobs.sharing,
            wait,
          })
        }
        const quote = yield* guardOf("quote")
        const open = yield* guardOf("open")
        const status = yield* guardOf("status")
        const node = yield* guardOf("node")

        const wrapFinding = (provider: Provider): Pick<Provider, "findOpening" | "findTransaction"> => {
          const { findOpening, findTransaction } = provider
          const around = status.around(provider.name, "status")
          return {
            ...(findOpening === undefined ? {} : {
              findOpening: (request, requestedAt) =>
                around(Effect.suspend(() => findOpening(request, requestedAt))),
            }),
            ...(findTransaction === undefined ? {} : {
              findTransaction: (transaction) => around(Effect.suspend(() => findTransaction(transaction))),
            }),
          }
        }

        // Suspended, so that whatever goes wrong in asking for a call is guarded like the call.
        const wrap = (provider: Provider): Provider => {
          const answers = checked(provider)
          return {
            name: provider.name,
            capabilities: provider.capabilities,
            assets: quote.around(provider.name, "assets")(Effect.suspend(() => provider.assets)),
            quotes: (request) =>
              quote.around(provider.name, "quote")(Effect.suspend(() => answers.quotes(request))),
            open: (request) =>
              open.around(provider.name, "open")(Effect.suspend(() => answers.open(request))),
            status: (channel, known) =>
              status.around(provider.name, "status")(Effect.suspend(() => provider.status(channel, known))),
            ...(provider.vaultSwaps === undefined
              ? {}
              : { vaultSwaps: wrapVaultSwaps(provider.name, provider.vaultSwaps) }),
            ...wrapFinding(provider),
            ...wrapNode(provider),
          }
        }

        const wrapVaultSwaps = (name: ProviderName, vaultSwaps: VaultSwaps): VaultSwaps => ({
          chains: vaultSwaps.chains,
          encode: (request) => open.around(name, "encode")(Effect.suspend(() => vaultSwaps.encode(request))),
          status: (transaction, known) =>
            status.around(name, "status")(Effect.suspend(() => vaultSwaps.status(transaction, known))),
        })

        // Apart from quotes, so that what clients send the node takes no place and no circuit from those.
        const wrapNode = ({ name, node: ask }: Provider): Pick<Provider, "node"> =>
          ask === undefined
            ? {}
            : { node: (call) => node.around(name, "node")(Effect.suspend(() => ask(call))) }

        const view = (provider: ProviderName) =>
          Effect.all({
            quote: quote.view(provider),
            open: open.view(provider),
            status: status.view(provider),
            node: node.view(provider),
          })

        return Guard.of({
          wrap,
          mayCall: () => Effect.void,
          quotesWait: (provider) => Effect.map(OnBehalfOf, (account) => quote.isFull(provider, account)),
          view,
        })
      }),
    )

  /** The same, in which what the operator has switched off is not even asked for. */
  static readonly layerSwitched = (
    knobs: GuardKnobs,
  ): Layer.Layer<Guard, never, CircuitBreaker.CircuitBreakerStore | Switches> =>
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
