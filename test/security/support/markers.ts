import { Base64, Base64Url, Hex } from "effect/encoding"
import { addresses } from "#test/contract/support/addresses.ts"

/** Secrets that can be told from everything else, of characters that change where text is written in another form. */
export const markers = {
  apiKey: "canary-api-key-7f3a/+=%&-0123456789",
  otherKey: "canary-wrong-key-91bd/+=%&-0123456789",
  token: "canary-token-c04e/+=.~0123456789",
  brokerPath: "canary-broker-path-5d2c0123456789",
  brokerPassword: "canary-broker-password-3b8f/+=0123456789",
  redisPassword: "canary-redis-password-4d7b/+=0123456789",
  password: "canary-password-e86f/+=0123456789",
} as const

/** What is no secret and may be kept, but is the business of the caller alone. */
export const callersOwn = {
  idempotencyKey: "canary-idempotency-2e6b0123456789",
  address: addresses.arb,
  refundAddress: addresses.eth,
}

const encoder = new TextEncoder()

/** Base64 of a text inside a longer one: the characters that do not depend on what stands around it. */
const base64Inside = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = encoder.encode(`${"x".repeat(offset)}${text}`)
    const from = offset === 0 ? 0 : 4
    return [Base64.encode(bytes), Base64Url.encode(bytes)].map((form) => form.slice(from, -4))
  })

/** Every form in which a secret could be written. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const hex = Hex.encode(encoder.encode(secret))
  return [
    secret,
    encodeURIComponent(secret),
    encodeURI(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll("/", "\\/"),
    hex,
    hex.toUpperCase(),
    ...base64Inside(secret),
  ]
}

/** Secrets by their names. */
export type Secrets = Readonly<Record<string, string>>

/** What finds those secrets that a text holds in any form: their names, and what stands around them. */
export const leaksOf = (secrets: Secrets): (text: string) => ReadonlyArray<string> => {
  const forms = Object.entries(secrets).map(([name, secret]) =>
    [name, [...new Set(formsOf(secret))]] as const
  )
  return (text) =>
    forms.flatMap(([name, forms]) => {
      const at = forms.map((form) => text.indexOf(form)).find((index) => index >= 0)
      return at === undefined ? [] : [`${name}: …${text.slice(Math.max(0, at - 200), at + 100)}…`]
    })
}

/** Those of the markers. */
export const leaks = leaksOf(markers)
