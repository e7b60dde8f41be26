import { type Duration, Layer, Option, Record, Result } from "effect"
import type { HttpClient } from "effect/http"
import type { Found, Setting } from "../config/Setting.ts"
import type { Network } from "../domain/Chain.ts"
import { combineIssues, hasIssues, type Issues, issuesOf, noIssues } from "../domain/Issues.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { hearingItself } from "./refusals.ts"
import type { Registry } from "./Registry.ts"

/** Options that every provider gets besides its own settings. */
export interface Surroundings {
  /** The networks whose addresses may be shown. */
  readonly networks: ReadonlyArray<Network>
  /** The longest that loading an upstream's present conditions may take. */
  readonly lookupTimeout: Duration.Duration
}

/** A URL of an upstream, and the variable that sets it. */
export interface Place {
  readonly setting: string
  /** The URL may hold a secret: show its host only. */
  readonly url: URL
  /** Whether the place is the sandbox's own. */
  readonly isSimulated: boolean
}

/** A provider with its settings read. */
export interface Configured {
  readonly name: ProviderName
  readonly places: ReadonlyArray<Place>
  /** Whether the provider goes to the sandbox alone. A provider without places does not: nobody knows what it calls. */
  readonly isSimulated: boolean
  /** Registers the provider for as long as the layer lives. */
  readonly layer: (surroundings: Surroundings) => Layer.Layer<never, never, Registry | HttpClient.HttpClient>
}

/** The parts that define a provider. */
export interface Parts<A> {
  readonly name: string
  /** The provider's settings. The required ones are the upstream's URLs and the operator's accounts there. */
  readonly settings: Setting<A>
  readonly layer: (options: A & Surroundings) => Layer.Layer<never, never, Registry | HttpClient.HttpClient>
}

const requiredOf = ({ variables }: Setting<unknown>): ReadonlyArray<string> =>
  variables.filter(({ isRequired }) => isRequired).map(({ name }) => name)

const placesOf = (settings: Setting<unknown>, { announced, text }: Found): ReadonlyArray<Place> =>
  requiredOf(settings).flatMap((setting) =>
    Option.toArray(text(setting)).filter((text) => URL.canParse(text)).map((text) => ({
      setting,
      url: new URL(text),
      isSimulated: Option.contains(announced(setting), text),
    }))
  )

/** The issues, where a missing variable says which of the provider's makes it required. */
const sayWhy = (settings: Setting<unknown>, { text }: Found) => (issues: Issues): Issues => {
  const required = requiredOf(settings)
  const cause = required.find((name) => Option.isSome(text(name)))
  if (cause === undefined) return issues
  return Record.map(
    issues,
    (sentences, name) =>
      required.includes(name) && Option.isNone(text(name))
        ? [`${name} is required where ${cause} is set`]
        : sentences,
  )
}

/** The definition of a provider: a setting whose value is the provider with all of its settings. */
export interface ProviderDefinition extends Setting<Configured> {
  readonly name: string
}

/** Makes a definition of a provider's name, settings and layer. */
export const defineProvider = <A>({ name, settings, layer }: Parts<A>): ProviderDefinition => ({
  name,
  variables: settings.variables,
  read: (found) => {
    const places = placesOf(settings, found)
    return Result.mapBoth(settings.read(found), {
      onFailure: sayWhy(settings, found),
      onSuccess: (values) => ({
        name: ProviderName.make(name),
        places,
        isSimulated: places.length > 0 && places.every(({ isSimulated }) => isSimulated),
        layer: (surroundings) => layer({ ...values, ...surroundings }),
      }),
    })
  },
})

/** Whether the operator wants a provider: some of its required variables are set, or announced by the sandbox. */
export const isMeant = (provider: Setting<unknown>, { text }: Found): boolean =>
  requiredOf(provider).some((name) => Option.isSome(text(name)))

/** The issues of variables that are set. */
const ofThoseSet = (issues: Issues, { text }: Found): Issues =>
  Record.filter(issues, (_, name) => Option.isSome(text(name)))

/**
 * The providers that the operator wants, each with all its required settings. Where there are none the first is
 * required, so that live mode without any setting is told which ones it needs.
 */
export const configured = (
  providers: ReadonlyArray<Setting<Configured>>,
): Setting<ReadonlyArray<Configured>> => ({
  variables: providers.flatMap(({ variables }) => variables),
  read: (found) => {
    const meant = providers.filter((provider) => isMeant(provider, found))
    const needed = meant.length > 0 ? meant : providers.slice(0, 1)
    const all = needed.map((provider) => provider.read(found))
    const others = providers.filter((provider) => !needed.includes(provider)).map((provider) =>
      Result.match(provider.read(found), {
        onFailure: (issues) => ofThoseSet(issues, found),
        onSuccess: () => noIssues,
      })
    )
    const issues = combineIssues([issuesOf(all), ...others])
    return hasIssues(issues) ? Result.fail(issues) : Result.mapError(Result.all(all), () => issues)
  },
})

/** The layer that registers all configured providers. */
export const layerOf = (configured: ReadonlyArray<Configured>, surroundings: Surroundings) =>
  configured.reduce(
    (layers: ReturnType<Configured["layer"]>, { layer, name }) =>
      Layer.merge(layers, Layer.provide(layer(surroundings), hearingItself(name))),
    Layer.empty,
  )
