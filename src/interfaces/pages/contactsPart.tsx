import type { Contact, WhomToAsk } from "#domain/operations/Contact.ts"
import { type Html } from "./jsx-runtime.ts"
import { kv, untrusted } from "./parts.tsx"
import { contactUrl } from "./Url.ts"

const linkTo = (place: string): Html => {
  const url = contactUrl(place)
  return url === undefined ? untrusted(place) : <a href={url} rel="noreferrer">{untrusted(place)}</a>
}

const placesOf = ({ support, terms }: Contact): Html =>
  <>{support !== undefined && linkTo(support)}{terms !== undefined && <>{" · terms: "}{linkTo(terms)}</>}</>

/** Whom to ask about a swap, and whom not to trust. */
export const contactsPart = ({ contacts, warning }: WhomToAsk): Html => (
  <>
    {kv(contacts.map((contact) => [contact.name, placesOf(contact)]))}
    <p>
      <small>{warning}</small>
    </p>
  </>
)
