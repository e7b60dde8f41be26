import { Context, Option } from "effect"
import { derived, optionalSetting, struct } from "#infrastructure/config/Setting.ts"
import { aContactPlace, type Contact, ContactPlace } from "#domain/operations/Contact.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"

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
