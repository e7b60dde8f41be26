import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { ProviderName } from "#domain/ProviderName.ts"
import { Guard } from "./guard/Guard.ts"
import type { Provider } from "./Provider.ts"
import { circuitsBegin } from "./guard/circuitMetrics.ts"
import type { MayCall } from "./Switches.ts"

/** The providers of this process. Each registers itself from its own layer and leaves with its scope. */
export class Registry extends Context.Service<Registry, {
  /** Adds a provider until the scope closes. A second provider of the same name replaces the first. */
  readonly register: (provider: Provider) => Effect.Effect<void, never, Scope.Scope>
  /** The names of the enabled providers (setting `PROVIDERS`), registered or not, the preferred first. */
  readonly preference: Effect.Effect<ReadonlyArray<ProviderName>>
  /** The providers that the operator enabled and that are registered, in order of preference. */
  readonly enabled: Effect.Effect<ReadonlyArray<Provider>>
  readonly find: (name: string) => Effect.Effect<Option.Option<Provider>>
  readonly mayCall: MayCall
  readonly quotesWait: Guard["Service"]["quotesWait"]
}>()("swap-broker/providers/Registry") {
  /** No provider at all: for commands on a database, which ask none. */
  static readonly layerEmpty: Layer.Layer<Registry> = Layer.succeed(
    Registry,
    Registry.of({
      register: () => Effect.void,
      preference: Effect.succeed([]),
      enabled: Effect.succeed([]),
      find: () => Effect.succeedNone,
      mayCall: () => Effect.void,
      quotesWait: () => Effect.succeed(false),
    }),
  )

  /** `preference` names the enabled providers, the preferred first (setting `PROVIDERS`). */
  static readonly layer = (preference: ReadonlyArray<ProviderName>): Layer.Layer<Registry, never, Guard> =>
    Layer.effect(
      Registry,
      Effect.gen(function* () {
        const guard = yield* Guard
        const registered = new Map<string, Provider>()
        const enabled = Effect.sync(() =>
          preference.flatMap((name) => {
            const provider = registered.get(name)
            return provider === undefined ? [] : [provider]
          })
        )
        return Registry.of({
          preference: Effect.succeed(preference),
          register: (provider) =>
            Effect.acquireRelease(
              Effect.andThen(
                circuitsBegin(provider.name),
                Effect.sync(() => registered.set(provider.name, guard.wrap(provider))),
              ),
              () => Effect.sync(() => registered.delete(provider.name)),
            ),
          enabled,
          find: (name) =>
            Effect.map(
              enabled,
              (providers) => Option.fromUndefinedOr(providers.find((provider) => provider.name === name)),
            ),
          mayCall: guard.mayCall,
          quotesWait: guard.quotesWait,
        })
      }),
    )
}

/** Which providers the sandbox simulates. At all others real money may move, whatever the mode. */
export interface SimulatedProviders {
  readonly isSimulated: (platform: ProviderName) => boolean
}

/** Providers that are not simulated, and those that are. */
export const partitionSimulated = (names: ReadonlyArray<ProviderName>, { isSimulated }: SimulatedProviders) =>
  [names.filter((name) => !isSimulated(name)), names.filter(isSimulated)] as const

/** The enabled providers that are not simulated, and those that are. */
export const realAndSimulated = (simulated: SimulatedProviders) =>
  Effect.map(
    Effect.flatMap(Registry, ({ enabled }) => enabled),
    (providers) => partitionSimulated(providers.map(({ name }) => name), simulated),
  )
