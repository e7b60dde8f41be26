import { type Duration, Layer, Option, Record, Result } from "effect"
import type { HttpClient } from "effect/http"
import type { Found, Setting } from "../config/Setting.ts"
import type { Network } from "../domain/Chain.ts"
import { combineIssues, hasIssues, type Issues, issuesOf, noIssues } from "../domain/Issues.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import type { Registry } from "./Registry.ts"

/** What every provider is told besides its own settings. */
export interface Surroundings {
  /** Networks whose addresses are handed out. */
  readonly networks: ReadonlyArray<Network>
  /** Longest that a look-up of what the upstream takes at present may last. */
  readonly lookupTimeout: Duration.Duration
}

/** A place of an upstream, and the variable that says where it is. */
export interface Place {
  readonly setting: string
  /** May hold a secret: show its host only. */
  readonly url: URL
}

/** A provider whose settings are there. */
export interface Configured {
  readonly name: ProviderName
  readonly places: ReadonlyArray<Place>
  /** Registers it for as long as the layer lives. */
  readonly layer: (surroundings: Surroundings) => Layer.Layer<never, never, Registry | HttpClient.HttpClient>
}

/** What a provider is made of. */
export interface Parts<A> {
  readonly name: string
  /** Those that are required are where its upstream is, and who we are there. */
  readonly settings: Setting<A>
  readonly layer: (options: A & Surroundings) => Layer.Layer<never, never, Registry | HttpClient.HttpClient>
}

const requiredOf = ({ variables }: Setting<unknown>): ReadonlyArray<string> =>
  variables.filter(({ isRequired }) => isRequired).map(({ name }) => name)

const placesOf = (settings: Setting<unknown>, { text }: Found): ReadonlyArray<Place> =>
  requiredOf(settings).flatMap((setting) =>
    Option.toArray(text(setting)).filter((text) => URL.canParse(text)).map((text) => ({
      setting,
      url: new URL(text),
    }))
  )

/** A provider that a service can have: a setting whose value is the provider with all of its settings. */
export interface ProviderDefinition extends Setting<Configured> {
  readonly name: string
}

/** Puts the name, the settings and the layer of a provider together. */
export const defineProvider = <A>({ name, settings, layer }: Parts<A>): ProviderDefinition => ({
  name,
  variables: settings.variables,
  read: (found) =>
    Result.map(settings.read(found), (values) => ({
      name: ProviderName.make(name),
      places: placesOf(settings, found),
      layer: (surroundings) => layer({ ...values, ...surroundings }),
    })),
})

/** Whether a provider is meant to be there: some of what it requires is set. */
const isMeant = (provider: Setting<unknown>, { text }: Found): boolean =>
  requiredOf(provider).some((name) => Option.isSome(text(name)))

/** Only what is wrong with variables that are set. */
const ofThoseSet = (issues: Issues, { text }: Found): Issues =>
  Record.filter(issues, (_, name) => Option.isSome(text(name)))

/**
 * The providers that are meant to be there, each with everything that it requires. Where none is, the first one is
 * asked for, so that live mode without any setting is told which ones it needs.
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

/** Registers them all. */
export const layerOf = (configured: ReadonlyArray<Configured>, surroundings: Surroundings) =>
  configured.reduce(
    (layers: ReturnType<Configured["layer"]>, { layer }) => Layer.merge(layers, layer(surroundings)),
    Layer.empty,
  )
