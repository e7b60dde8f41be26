import { Cause, type Duration, Effect, Layer, Option, Record, Result, Struct } from "effect"
import { HttpClient } from "effect/http"
import { combineIssues, hasIssues, type Issues, issuesOf, noIssues } from "#domain/Issues.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { CatalogueRows } from "#domain/chains/catalogue/Catalogue.ts"
import type { Contact } from "#domain/operations/Contact.ts"
import {
  derived,
  each,
  type FoundSetting,
  inGroup,
  optionalSetting,
  type Setting,
  struct,
} from "#infrastructure/config/Setting.ts"
import { integer } from "#infrastructure/config/kinds.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { SetLimit, UpstreamLimit } from "./Budgets.ts"
import { contactSetting, type PublicContact, Registry } from "./Registry.ts"
import type { Provider } from "./Provider.ts"
import { defectOf, hearingItself } from "./refusals.ts"

/** A provider whose layer could not be built: each of its operations fails, as one whose code fails does. */
const neverRegistered = (name: ProviderName): Provider => ({
  name,
  capabilities: {
    maximumCommissionBps: 0,
    affiliates: false,
    boost: false,
    dca: false,
    ccm: false,
    needsAmount: false,
    retry: false,
    lateDeposit: "untold",
    ends: { limit: "on arrival", deposit: "told", paysByDeposit: false, pays: "one" },
  },
  assets: Effect.fail(defectOf(name, "assets")),
  quotes: () => Effect.fail(defectOf(name, "quote")),
})

/** The layer of a provider, where a defect leaves the provider failing and the start of all others as it is. */
const containingStart = (
  name: ProviderName,
  layer: () => Layer.Layer<never, never, Registry | HttpClient.HttpClient>,
): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.catchCause(
    Layer.suspend(layer),
    (cause) =>
      Cause.hasInterruptsOnly(cause) ? Layer.effectDiscard(Effect.failCause(cause)) : Layer.effectDiscard(
        Effect.gen(function* () {
          yield* Effect.logError(
            `${name} failed to start because of an internal error, and serves nothing`,
            cause,
          )
            .pipe(Effect.annotateLogs({ platform: name }))
          yield* (yield* Registry).register(neverRegistered(name))
        }),
      ),
  )

/** Options that every provider gets besides its own settings. */
export interface ProviderOptions {
  readonly networks: ReadonlyArray<Network>
  /** The longest that loading an upstream's present conditions may take. */
  readonly lookupTimeout: Duration.Duration
}

/** A URL of an upstream, and the variable that sets it. */
export interface UpstreamUrl {
  readonly setting: string
  /** The URL may hold a secret: show its host only. */
  readonly url: URL
  /** Whether the place is the sandbox's own. */
  readonly isSimulated: boolean
}

/** What a provider's settings lack: a fault where its upstream rejects calls without it. */
export interface Lack {
  readonly isFault: boolean
  readonly detail: string
  readonly todo: string
}

export interface Configured {
  readonly name: ProviderName
  readonly lack?: Lack
  readonly limits: ReadonlyArray<SetLimit>
  readonly places: ReadonlyArray<UpstreamUrl>
  readonly contact: Contact
  /** Whether the provider goes to the sandbox alone. A provider without places does not: nobody knows what it calls. */
  readonly isSimulated: boolean
  /** Registers the provider for as long as the layer lives. */
  readonly layer: (
    surroundings: ProviderOptions,
  ) => Layer.Layer<never, never, Registry | HttpClient.HttpClient>
}

/** The parts that define a provider; with the rows that the catalogue of this build lacks (`domain/chains/catalogue/`). */
export interface Parts<A> extends CatalogueRows {
  readonly name: string
  /** The provider's settings. The required ones are the upstream's URLs and the operator's accounts there. */
  readonly settings: Setting<A>
  /** How people call it, and where they ask for help; the operator can set other places. */
  readonly contact?: PublicContact
  readonly limits?: ReadonlyArray<UpstreamLimit>
  readonly lackOf?: (settings: A) => Lack | undefined
  readonly layer: (
    options: A & ProviderOptions,
  ) => Layer.Layer<never, never, Registry | HttpClient.HttpClient>
}

const requiredOf = ({ variables }: Setting<unknown>): ReadonlyArray<string> =>
  variables.filter(({ isRequired }) => isRequired).map(({ name }) => name)

const placesOf = (settings: Setting<unknown>, { announced, text }: FoundSetting) =>
  requiredOf(settings).flatMap((setting) =>
    Option.toArray(text(setting)).filter((text) => URL.canParse(text)).map((text) => ({
      setting,
      url: new URL(text),
      isSimulated: Option.contains(announced(setting), text),
    }))
  )

/** The issues, where a missing variable says which of the provider's makes it required. */
const sayWhy = (settings: Setting<unknown>, { text }: FoundSetting) => (issues: Issues): Issues => {
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
export interface ProviderDefinition extends Setting<Configured>, CatalogueRows {
  readonly name: string
}

/** A limit with the number that the operator wants; unset, simulated networks have none. */
const limitSetting = (
  { setting: name, ...limit }: UpstreamLimit,
): Setting<(isSimulated: boolean) => SetLimit> =>
  derived(
    optionalSetting({
      name,
      unset: { sandbox: "`0`", live: `\`${limit.perMinute}\`` },
      schema: integer(0, 1_000_000),
      expected: "a number from 0 to 1000000",
      meaning: `Maximum number of calls per minute to the upstream${
        limit.call === undefined ? "" : ` for \`${limit.call}\``
      }, for all accounts and, with REDIS_URL, all replicas together; 0: no limit`,
    }),
    (wanted) => (isSimulated) => ({
      ...limit,
      perMinute: Option.getOrElse(wanted, () => isSimulated ? 0 : limit.perMinute),
    }),
  )

export const defineProvider = <A>(
  { contact = {}, lackOf, layer, limits = [], name, settings, ...rows }: Parts<A>,
): ProviderDefinition => {
  const both = inGroup(
    contact.title ?? name,
    struct({ settings, limits: each(limits.map(limitSetting)), contactFor: contactSetting(name, contact) }),
  )
  return {
    name,
    ...Struct.pick(rows, ["assets", "chains"]),
    variables: both.variables,
    read: (found) => {
      const places = placesOf(settings, found)
      const isSimulated = places.length > 0 && places.every(({ isSimulated }) => isSimulated)
      return Result.mapBoth(both.read(found), {
        onFailure: sayWhy(settings, found),
        onSuccess: ({ contactFor, limits, settings: values }) => ({
          name: ProviderName.make(name),
          places,
          isSimulated,
          ...optionalMembers(lackOf?.(values), (lack) => ({ lack })),
          contact: contactFor(isSimulated),
          limits: limits.map((limit) => limit(isSimulated)).filter(({ perMinute }) => perMinute > 0),
          layer: (surroundings) => layer({ ...values, ...surroundings }),
        }),
      })
    },
  }
}

/** Whether the operator wants a provider: some of its required variables are set, or announced by the sandbox. */
export const isMeant = (provider: Setting<unknown>, { text }: FoundSetting): boolean =>
  requiredOf(provider).some((name) => Option.isSome(text(name)))

/** The fault where no provider is set; none where one needs no setting. */
const noneSet = (providers: ReadonlyArray<Setting<Configured>>): Issues => {
  const needed = providers.map(requiredOf)
  if (needed.some((names) => names.length === 0)) return noIssues
  const choices = needed.map(([first, ...rest]) =>
    rest.length === 0 ? first : `${first} (with ${rest.join(", ")})`
  )
  return { PROVIDERS: [`No provider is set: set any of ${choices.join(", ")}`] }
}

/** The providers that the operator wants, each with all its required settings: one at least. */
export const configured = (
  providers: ReadonlyArray<Setting<Configured>>,
): Setting<ReadonlyArray<Configured>> => ({
  variables: providers.flatMap(({ variables }) => variables),
  read: (found) => {
    const meant = providers.filter((provider) => isMeant(provider, found))
    const none = meant.length > 0 ? noIssues : noneSet(providers)
    const needed = meant.length > 0 || hasIssues(none) ? meant : providers.slice(0, 1)
    const all = needed.map((provider) => provider.read(found))
    const others = providers.filter((provider) => !needed.includes(provider)).map((provider) =>
      Result.match(provider.read(found), {
        onFailure: (issues) => Record.filter(issues, (_, name) => Option.isSome(found.text(name))),
        onSuccess: () => noIssues,
      })
    )
    const issues = combineIssues([none, issuesOf(all), ...others])
    return hasIssues(issues) ? Result.fail(issues) : Result.mapError(Result.all(all), () => issues)
  },
})

type ClientFor = (provider: Configured) => (client: HttpClient.HttpClient) => HttpClient.HttpClient

/** The layer that registers all configured providers; `clientFor` is theirs, by default the one that there is. */
export const layerOf = (
  configured: ReadonlyArray<Configured>,
  surroundings: ProviderOptions,
  clientFor: ClientFor = () => (client) => client,
) =>
  configured.reduce(
    (layers: ReturnType<Configured["layer"]>, provider) =>
      containingStart(provider.name, () => provider.layer(surroundings)).pipe(
        Layer.provide(hearingItself(provider.name)),
        Layer.provide(
          Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, clientFor(provider))),
        ),
        (layer) => Layer.merge(layers, layer),
      ),
    Layer.empty,
  )
