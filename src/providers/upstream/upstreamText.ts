import { storableText } from "../../domain/storable.ts"

/**
 * An upstream's words made fit for our own messages: one line, no URL (the broker's may hold a key), never more than
 * a sentence of a body, and nothing that cannot be stored.
 */
export const upstreamText = (text: string): string => {
  const line = text.replace(/\S*:\/\/\S*/g, "<url>").replace(/\s+/g, " ").trim()
  return storableText(line.length > 200 ? `${line.slice(0, 200)}…` : line)
}
