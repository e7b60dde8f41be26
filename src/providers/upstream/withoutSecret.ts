import { Redacted } from "effect"

/** An upstream's own text, without a secret that we sent it: one that it repeats is none of the records'. */
export const withoutSecret = (text: string, secret: Redacted.Redacted<string>): string =>
  text.replaceAll(Redacted.value(secret), "<secret>")
