import { Context, Effect, Layer, Option } from "effect"
import type { Chain } from "#domain/chains/Chain.ts"
import type { Contact } from "#domain/operations/Contact.ts"
import type { EndpointEnding } from "#domain/operations/EndpointEnding.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import type { Capabilities } from "./Capabilities.ts"
import { EndpointCalendar } from "#infrastructure/ops/EndpointCalendar.ts"
import { CircuitScope, type CircuitSharing } from "#infrastructure/platform/CircuitScope.ts"
import { Contacts } from "./Contacts.ts"
import { Guard, type ProviderView } from "./guard/Guard.ts"
import type { Provider } from "./Provider.ts"
import { Registry } from "./Registry.ts"
import { Switches } from "./Switches.ts"

export interface ProviderStanding {
  readonly name: ProviderName
  readonly contact: Contact
  /** The capabilities and operations; absent where the provider is not registered. */
  readonly registered?: {
    readonly capabilities: Capabilities
    readonly channels: boolean
    readonly vaultSwaps: ReadonlyArray<Chain>
    readonly operations: ProviderView
    /** Whether the circuits are this process's own or shared. */
    readonly circuits: CircuitSharing
  }
  readonly switches: ReadonlyArray<ProviderSwitch>
  /** The endpoints of its upstream whose end was announced, or has come. */
  readonly endings: ReadonlyArray<EndpointEnding>
}

export type ProviderHealth = "up" | "degraded" | "down"

/** The switch that takes the whole provider out, if it is thrown. */
export const wholeSwitch = ({ switches }: ProviderStanding): ProviderSwitch | undefined =>
  switches.find(({ operation, asset }) => operation === undefined && asset === undefined)

const healthGroups = ["quote", "open", "status", "node"] as const

/** The health of a provider whose paused operations are these: without quotes it is of no use. */
export const pausedHealth = (paused: ReadonlyArray<string>): ProviderHealth =>
  paused.includes("quote") ? "down" : paused.length > 0 ? "degraded" : "up"

/** The health: `down` where no quotes come, `up` where nothing is paused or switched off, `degraded` in between. */
export const healthOf = (standing: ProviderStanding): ProviderHealth => {
  const { registered, switches } = standing
  if (registered === undefined || wholeSwitch(standing) !== undefined) return "down"
  const paused = healthGroups.filter((group) => registered.operations[group].circuit._tag !== "Closed")
  const health = pausedHealth(paused.filter((group) => registered.operations[group].circuit._tag === "Open"))
  return health === "up" && (paused.length > 0 || switches.length > 0) ? "degraded" : health
}

/** The state that people read, the same on every page: the health, or that the operator has switched it off. */
export const stateOf = (standing: ProviderStanding): ProviderHealth | "off" =>
  wholeSwitch(standing) === undefined ? healthOf(standing) : "off"

export class Overview extends Context.Service<Overview, {
  readonly all: Effect.Effect<ReadonlyArray<ProviderStanding>>
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
        const { endingsOf } = yield* EndpointCalendar
        const { providers: contacts } = yield* Contacts

        /** Circuits are read before their scope, as reading them can change it. */
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
          const contact = contacts.get(name) ?? { name }
          const endings = endingsOf(name)
          return { name, contact, ...registered, switches: current, endings } satisfies ProviderStanding
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
