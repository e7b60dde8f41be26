/**
 * An upstream's words made fit for our own messages: one line, no URL (the broker's may hold a key), and
 * never more than a sentence of a body.
 */
export const upstreamText = (text: string): string => {
  const line = text.replace(/\S*:\/\/\S*/g, "<url>").replace(/\s+/g, " ").trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
