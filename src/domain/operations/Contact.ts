import { Schema } from "effect"
import { optional } from "../optional.ts"

/** Where people ask for help: a page, or a mail address. */
export const ContactPlace = Schema.String.check(
  Schema.makeFilter((text) =>
    text.length <= 300 &&
    (/^[^\s@:/?#<>"']+@[^\s@:/?#<>"']+\.[^\s@:/?#<>"']+$/.test(text) ||
      (/^https:\/\/[^\s<>"'@]+$/.test(text) && URL.canParse(text)))
  ),
)
export const aContactPlace = "a URL that begins with https://, or a mail address"

/** Whom to ask about swaps, and by whose terms they are done. */
export const Contact = Schema.Struct({
  name: Schema.String.annotate({ description: "As people call it.", examples: ["Relay"] }),
  support: optional(ContactPlace.annotate({
    description: "A page or a mail address where help is asked for; absent where none is known.",
    examples: ["https://support.example.com"],
  })),
  terms: optional(
    ContactPlace.annotate({ description: "Where its terms are; absent where none are known." }),
  ),
}).annotate({ identifier: "Contact" })
export type Contact = typeof Contact.Type

/** Whom to ask about a swap that does not go well, and whom not to trust. */
export const WhomToAsk = Schema.Struct({
  contacts: Schema.Array(Contact).annotate({
    description: "The operator of this service, then the provider of the swap; those that have a contact.",
  }),
  warning: Schema.String.annotate({
    description: "What to beware of, in words that can be shown to the payer.",
  }),
}).annotate({ identifier: "WhomToAsk" })
export type WhomToAsk = typeof WhomToAsk.Type

/** Said wherever somebody is told whom to ask: who has lost sight of money is looked for by thieves. */
export const strangersWarning =
  "Anyone who writes to you first, or asks for a recovery phrase, a key or a payment to release a swap, is a scammer."
