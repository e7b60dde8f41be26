import { fromBase64, utf8, webCrypto } from "./bytes.ts"
import { WebhookRejected } from "./errors.ts"
import { readJson } from "./json.ts"
import { shapes, type WebhookMessage } from "./standIn.ts"

/** Headers as `fetch` has them, or as Node's servers have them. */
export type MessageHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

/** A message as it came to a webhook. */
export interface ReceivedMessage {
  readonly headers: MessageHeaders
  /** The body as it was sent, byte for byte. */
  readonly body: string | Uint8Array
  /** The secrets of the webhook, `whsec_…`: while one replaces another, both. */
  readonly secrets: ReadonlyArray<string>
  /** How far the time of the message may be from now; 300 when absent. */
  readonly toleranceSeconds?: number
  /** Now, in epoch milliseconds, for tests. */
  readonly now?: number
}

/** A message that the service has sent. */
export interface VerifiedMessage {
  /** The same each time that the message is sent: a message whose id is known already is one that came twice. */
  readonly id: string
  readonly message: WebhookMessage
}

const headerOf = (headers: MessageHeaders, name: string): string => {
  if (typeof headers.get === "function") return headers.get(name) ?? ""
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? []
  return typeof value === "string" ? value : Array.isArray(value) ? value.join(" ") : ""
}

const prefix = "whsec_"

const keyOf = async (secret: string): Promise<CryptoKey> => {
  const bytes = secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError("A secret of a webhook begins with whsec_")
  }
  const { subtle } = await webCrypto()
  return subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

/** The signatures that a header has, of the version that this client knows. */
const signaturesIn = (header: string): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  header.split(" ").flatMap((one) => one.startsWith("v1,") ? fromBase64(one.slice("v1,".length)) ?? [] : [])

/**
 * Reads a message to a webhook, after its signature (Standard Webhooks 1.0, in constant time) and its time were
 * checked; a WebhookRejected where it is not the service's, or was sent at another time.
 */
export const verifyWebhook = async (
  { body, headers, now = Date.now(), secrets, toleranceSeconds = 300 }: ReceivedMessage,
): Promise<VerifiedMessage> => {
  const [id, time, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headerOf(headers, name)
    if (value === "") throw new WebhookRejected("missing_header", `The message has no header ${name}`)
    return value
  })
  const bytes = typeof body === "string" ? utf8(body) : body
  const keys = await Promise.all(secrets.map(keyOf))
  const signed = new Uint8Array([...utf8(`${id}.${time}.`), ...bytes])
  const { subtle } = await webCrypto()
  const checks = keys.flatMap((key) =>
    signaturesIn(signature ?? "").map((one) => subtle.verify("HMAC", key, one, signed))
  )
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookRejected("wrong_signature", "The message is signed with none of the secrets")
  }
  if (!/^\d{1,12}$/.test(time ?? "") || Math.abs(now / 1_000 - Number(time)) > toleranceSeconds) {
    throw new WebhookRejected("wrong_time", `The message is of another time: ${time}`)
  }
  const read = readJson(new TextDecoder().decode(bytes), "WebhookMessage", shapes)
  if ("fault" in read || !isMessage(read.value)) {
    throw new WebhookRejected("unreadable", "The message has no type")
  }
  return { id: id ?? "", message: read.value }
}

const isMessage = (value: unknown): value is WebhookMessage =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string"
