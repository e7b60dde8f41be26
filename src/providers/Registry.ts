import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { ProviderName } from "#domain/ProviderName.ts"
import { Guard, type ProviderView } from "./guard/Guard.ts"
import type { Provider } from "./Provider.ts"
import { circuitsBegin } from "./guard/circuitMetrics.ts"
import { Switches } from "./Switches.ts"
import { derived, optionalSetting, struct } from "#infrastructure/config/Setting.ts"
import { aContactPlace, type Contact, ContactPlace } from "#domain/operations/Contact.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { service } from "#infrastructure/platform/service.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { EndpointEnding } from "#domain/operations/EndpointEnding.ts"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import type { Capabilities } from "./Capabilities.ts"
import { EndpointCalendar } from "#infrastructure/ops/EndpointCalendar.ts"
import { CircuitScope, type CircuitSharing } from "#infrastructure/platform/CircuitScope.ts"

/** The providers of this process. Each registers itself from its own layer and leaves with its scope. */
export class Registry extends service<Registry>()(
  "swap-broker/providers/Registry",
  /** `preference` names the enabled providers, the preferred first (setting `PROVIDERS`). */
  (preference: ReadonlyArray<ProviderName>) =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const registered = new Map<string, Provider>()
      const enabled = Effect.sync(() =>
        preference.flatMap((name) => {
          const provider = registered.get(name)
          return provider === undefined ? [] : [provider]
        })
      )
      return {
        /** The names of the enabled providers, registered or not, the preferred first. */
        preference: Effect.succeed(preference),
        /** Adds a provider until the scope closes. A second provider of the same name replaces the first. */
        register: (provider: Provider): Effect.Effect<void, never, Scope.Scope> =>
          Effect.acquireRelease(
            Effect.andThen(
              circuitsBegin(provider.name),
              Effect.sync(() => registered.set(provider.name, guard.wrap(provider))),
            ),
            () => Effect.sync(() => registered.delete(provider.name)),
          ),
        /** The providers that the operator enabled and that are registered, in order of preference. */
        enabled,
        find: (name: string) =>
          Effect.map(
            enabled,
            (providers) => Option.fromUndefinedOr(providers.find((provider) => provider.name === name)),
          ),
        mayCall: guard.mayCall,
        quotesWait: guard.quotesWait,
      }
    }),
) {
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

/** What a definition says of whom to ask: how people call the provider, and its public places. */
export interface PublicContact {
  readonly title?: string
  readonly support?: string
  readonly terms?: string
}

/** How people call providers, by their names: as definitions say when they are made, which is before anything is shown. */
const titles = new Map<string, string>()

const entitled = (name: string, { title = name }: PublicContact): string => {
  titles.set(name, title)
  return title
}

/** A provider as people call it: "NEAR Intents" for `near-intents`. */
export const providerTitle = (name: string): string => titles.get(name) ?? name

/** The two settings of a contact, each with what it is without a value. */
const places = (prefix: string, whose: string, { support, terms }: PublicContact) => {
  const place = (name: string, known: string | undefined, meaning: string) =>
    optionalSetting({
      name: `${prefix}_${name}`,
      isTuning: prefix !== "OPERATOR",
      unset: known === undefined ? "none" : { sandbox: "none", live: `\`${known}\`` },
      schema: ContactPlace,
      expected: aContactPlace,
      meaning,
    })
  return struct({
    support: place("SUPPORT", support, `Support contact of ${whose} for swaps`),
    terms: place("TERMS", terms, `Terms of ${whose}`),
  })
}

/** The setting of a provider's contact. What is simulated has nobody to ask, unless the operator names somebody. */
export const contactSetting = (name: string, known: PublicContact) => {
  const title = entitled(name, known)
  return derived(
    places(name.toUpperCase().replaceAll("-", "_"), title, known),
    ({ support, terms }) => (isSimulated: boolean): Contact => {
      const public_ = isSimulated ? {} : known
      return {
        name: title,
        ...optionalMembers(Option.getOrUndefined(support) ?? public_.support, (support) => ({ support })),
        ...optionalMembers(Option.getOrUndefined(terms) ?? public_.terms, (terms) => ({ terms })),
      }
    },
  )
}

export const operatorContact = derived(
  places("OPERATOR", "the operator of this service", {}),
  ({ support, terms }): Contact => ({
    name: "The operator of this service",
    ...optionalMembers(Option.getOrUndefined(support), (support) => ({ support })),
    ...optionalMembers(Option.getOrUndefined(terms), (terms) => ({ terms })),
  }),
)

/** Whom to ask: the operator, and each provider. */
export const Contacts = Context.Reference<{
  readonly operator: Contact
  readonly providers: ReadonlyMap<ProviderName, Contact>
}>("swap-broker/providers/Contacts", {
  defaultValue: () => ({ operator: { name: "The operator of this service" }, providers: new Map() }),
})

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

type ProviderHealth = "up" | "degraded" | "down"

/** The switch that takes the whole provider out, if it is thrown. */
export const wholeSwitch = ({ switches }: ProviderStanding): ProviderSwitch | undefined =>
  switches.find(({ operation, asset }) => operation === undefined && asset === undefined)

export const healthGroups = ["quote", "open", "status", "node"] as const

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

export class Overview extends service<Overview>()(
  "swap-broker/providers/Overview",
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

    const standingOf = Effect.fnUntraced(function* (name: ProviderName): Effect.fn.Return<ProviderStanding> {
      const provider = yield* registry.find(name)
      const current = yield* switches.current(name)
      const registered = yield* Option.match(provider, {
        onNone: () => Effect.succeed({}),
        onSome: operationsOf,
      })
      const contact = contacts.get(name) ?? { name }
      const endings = endingsOf(name)
      return { name, contact, ...registered, switches: current, endings }
    })

    return {
      all: Effect.flatMap(registry.preference, Effect.forEach(standingOf)),
      find: (name: string) =>
        Effect.flatMap(registry.preference, (names) => {
          const known = Option.fromUndefinedOr(names.find((one) => one === name))
          return Effect.transposeOption(Option.map(known, standingOf))
        }),
    }
  }),
) {}
