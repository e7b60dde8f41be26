import { Base64 } from "effect/encoding"

/** Takes our secrets out of what an upstream says, whatever it says them for. */
export type HideSecrets = (text: string) => string

/** A shorter part of a path, or value in a query, may be an ordinary word, that answers have too. */
const shortestInUrl = 16

/** A shorter password is in texts by chance. */
const shortestPassword = 6

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What may be secret in a URL: its password, and what is long enough for one in its path and its query. */
const secretsOfUrl = ({ password, pathname, searchParams, username }: URL): ReadonlyArray<string> => {
  const words = [...pathname.split("/"), ...searchParams.values()].filter(({ length }) =>
    length >= shortestInUrl
  )
  const secret = decoded(password)
  if (secret.length < shortestPassword) return words
  return [...words, secret, Base64.encode(`${decoded(username)}:${secret}`)]
}

/** As the text of an answer may have it: in JSON or in a URL. */
const formsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  decoded(secret),
  encodeURIComponent(decoded(secret)),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll("/", "\\/"),
]

const unchanged: HideSecrets = (text) => text

/**
 * An upstream that repeats what it was sent, as gateways do in their errors, would have our callers and our log
 * read our secrets: what goes upstream in the URL of the settings, or as a token, is taken out of every answer.
 */
export const hideSecrets = (url: URL, ...tokens: ReadonlyArray<string>): HideSecrets => {
  const secrets = new Set([...tokens, ...secretsOfUrl(url)].flatMap(formsOf))
  if (secrets.size === 0) return unchanged
  // A longer one first: it may begin like another.
  const forms = [...secrets].toSorted((one, other) => other.length - one.length)
  return (text) => forms.reduce((left, form) => left.replaceAll(form, "(hidden)"), text)
}
