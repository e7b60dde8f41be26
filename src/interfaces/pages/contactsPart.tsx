import type { Contact, WhomToAsk } from "#domain/operations/Contact.ts"
import { contactUrl, type Html } from "./jsx-runtime.ts"
import { kv, untrusted } from "./parts.tsx"

/** A mail address or a URL as a link; any other text alone. */
export const contactLink = (place: string, subject?: string): Html => {
  const url = contactUrl(place, subject)
  return url === undefined ? untrusted(place) : <a href={url} rel="noreferrer">{untrusted(place)}</a>
}

const placesOf = ({ support, terms }: Contact): Html =>
  <>
    {support !== undefined && contactLink(support)}
    {terms !== undefined && <>{" · terms: "}{contactLink(terms)}</>}
  </>

/** Whom to ask about a swap, and whom not to trust. */
export const contactsPart = ({ contacts, warning }: WhomToAsk): Html => (
  <>
    {kv(contacts.map((contact) => [contact.name, placesOf(contact)]))}
    <p>
      <small>{warning}</small>
    </p>
  </>
)
