/** The parts of structured fields that our headers have (RFC 9651). */

const token = /^[A-Za-z*][\w!#$%&'*+\-.^`|~:/]*$/
const printable = /^[\x20-\x7e]*$/

const quoted = (text: string): string => `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`

const asPercent = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`

/** Any text as a Display String, in which bytes that a String cannot hold are percent-encoded (section 3.3.8). */
const displayString = (text: string): string => {
  const characters = [...new TextEncoder().encode(text)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x25 || byte === 0x22 ? asPercent(byte) : String.fromCharCode(byte)
  )
  return `%"${characters.join("")}"`
}

/** A text as a String, or as a Display String where a String cannot hold it. */
export const stringItem = (text: string): string => printable.test(text) ? quoted(text) : displayString(text)

/** A name as a Token, or as a String where it is no Token. */
export const nameItem = (name: string): string => token.test(name) ? name : stringItem(name)

export const listField = (items: ReadonlyArray<string>): string => items.join(", ")
