import { Context, Effect, Layer, Option } from "effect"
import type { Chain } from "../domain/Chain.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { ProviderSwitch } from "../domain/ProviderSwitch.ts"
import type { Capabilities } from "./Capabilities.ts"
import { CircuitScope, type CircuitSharing } from "../platform/CircuitScope.ts"
import { Guard, type ProviderView } from "./Guard.ts"
import type { Provider } from "./Provider.ts"
import { Registry } from "./Registry.ts"
import { Switches } from "./Switches.ts"

/** How a provider that `PROVIDERS` names stands. */
export interface ProviderStanding {
  readonly name: ProviderName
  /** What it can do and how its operations fare; absent where it is not registered. */
  readonly registered?: {
    readonly capabilities: Capabilities
    /** Whether it opens deposit channels. */
    readonly channels: boolean
    /** The chains whose transactions it encodes. */
    readonly vaultSwaps: ReadonlyArray<Chain>
    readonly operations: ProviderView
    /** Whose circuits the operations go by. */
    readonly circuits: CircuitSharing
  }
  /** What is switched off of it. */
  readonly switches: ReadonlyArray<ProviderSwitch>
}

/** What anybody may know of a provider. */
export type ProviderHealth = "up" | "degraded" | "down"

/** The switch that takes the whole provider out, if it is thrown. */
export const wholeSwitch = ({ switches }: ProviderStanding): ProviderSwitch | undefined =>
  switches.find(({ operation, asset }) => operation === undefined && asset === undefined)

/** `up` where nothing is the matter, `down` where it gives no quotes, `degraded` in between. */
export const healthOf = (standing: ProviderStanding): ProviderHealth => {
  const { registered, switches } = standing
  if (registered === undefined || wholeSwitch(standing) !== undefined) return "down"
  const { quote, open, status, node } = registered.operations
  if (quote.circuit._tag === "Open") return "down"
  const allClosed = [quote, open, status, node].every(({ circuit }) => circuit._tag === "Closed")
  return allClosed && switches.length === 0 ? "up" : "degraded"
}

/** How every provider that `PROVIDERS` names stands, for those who operate the service. */
export class Overview extends Context.Service<Overview, {
  /** In order of preference. */
  readonly all: Effect.Effect<ReadonlyArray<ProviderStanding>>
  /** One of them; nothing where `PROVIDERS` does not name it. */
  readonly find: (name: string) => Effect.Effect<Option.Option<ProviderStanding>>
}>()("swap-broker/providers/Overview") {
  static readonly layer: Layer.Layer<Overview, never, Registry | Guard | Switches | CircuitScope> = Layer
    .effect(
      Overview,
      Effect.gen(function* () {
        const registry = yield* Registry
        const guard = yield* Guard
        const switches = yield* Switches
        const circuitScope = yield* CircuitScope

        /** Whose the circuits are comes after they have been read: reading them can find out. */
        const operationsOf = Effect.fnUntraced(
          function* ({ name, capabilities, channels, vaultSwaps }: Provider) {
            const operations = yield* guard.view(name)
            const circuits = yield* circuitScope.current
            return {
              registered: {
                capabilities,
                channels: channels !== undefined,
                vaultSwaps: vaultSwaps?.chains ?? [],
                operations,
                circuits,
              },
            }
          },
        )

        const standingOf = Effect.fnUntraced(function* (name: ProviderName) {
          const provider = yield* registry.find(name)
          const current = yield* switches.current(name)
          const registered = yield* Option.match(provider, {
            onNone: () => Effect.succeed({}),
            onSome: operationsOf,
          })
          return { name, ...registered, switches: current } satisfies ProviderStanding
        })

        return Overview.of({
          all: Effect.flatMap(registry.preference, Effect.forEach(standingOf)),
          find: (name) =>
            Effect.flatMap(registry.preference, (names) => {
              const known = Option.fromUndefinedOr(names.find((one) => one === name))
              return Effect.transposeOption(Option.map(known, standingOf))
            }),
        })
      }),
    )
}
