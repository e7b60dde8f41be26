import type { Contact, WhomToAsk } from "#domain/operations/Contact.ts"
import { type Html, html } from "./html.ts"
import { kv, untrusted } from "./parts.ts"
import { contactUrl } from "./Url.ts"

const linkTo = (place: string): Html => {
  const url = contactUrl(place)
  return url === undefined
    ? untrusted(place)
    : html`<a href="${url}" rel="noreferrer">${untrusted(place)}</a>`
}

const placesOf = ({ support, terms }: Contact): Html =>
  html`${support !== undefined && linkTo(support)}${
    terms !== undefined && html`
      · terms: ${linkTo(terms)}
    `
  }`

/** Whom to ask about a swap, and whom not to trust. */
export const contactsPart = ({ contacts, warning }: WhomToAsk): Html =>
  html`${kv(contacts.map((contact) => [contact.name, placesOf(contact)]))}<p><small>${warning}</small></p>`
