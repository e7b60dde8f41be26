import { Option, Schema } from "effect"

/**
 * Characters that nobody sees, or that change how the text around them is read: controls, the marks that turn the
 * direction of writing, and those without a width. A label or an address with one could look like another one.
 */
const unseen = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\t\n]]/gv

/** The text with U+FFFD for each character that would not be seen, which shows that there is one. */
export const visibleText = (text: string): string => text.toWellFormed().replace(unseen, "\ufffd")

/** The beginning of a text that somebody else made up and that may be of any length. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`

/** A JSON with each member in a line of its own; any other text as it is. */
export const indented = (body: string): string =>
  Option.match(Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))(body), {
    onNone: () => body,
    onSome: (value) => JSON.stringify(value, undefined, 2),
  })
