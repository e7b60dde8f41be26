import { Buffer } from "node:buffer"

/** A field of an error in the wire protocol: its severity in the form that is never translated. */
const severity = Buffer.from("\0VPANIC\0")
const field = "M"

/**
 * What the engine says where it gives itself up, as it does when it cannot write its log or a checkpoint: the
 * message of an error of that severity in an answer of the wire protocol. No value is taken for it, because what
 * others can write into the database is text, in which there is no zero byte.
 */
export const panicIn = (answer: Buffer): string | undefined => {
  const at = answer.indexOf(severity)
  if (at < 0) return undefined
  const fields = answer.toString("utf8", at + severity.length).split("\0")
  return fields.find((text) => text.startsWith(field))?.slice(field.length) ?? "it does not say why"
}
