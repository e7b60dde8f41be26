import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Predicate } from "effect"

/** How 1Click signs what it quotes, so that an address can be checked before it is handed out. */

type Members = Readonly<Record<string, unknown>>

/** A quote as it is answered, as far as its signature covers it. */
export interface Signable {
  readonly quoteRequest: Members
  readonly quote: Members
  readonly timestamp: string
}

/** Members of the request that are signed whatever they hold. */
const alwaysSigned = [
  "dry",
  "swapType",
  "slippageTolerance",
  "originAsset",
  "depositType",
  "destinationAsset",
  "amount",
  "refundTo",
  "refundType",
  "recipient",
  "recipientType",
  "deadline",
]

/** Members that are signed only where they hold something: neither 0 nor "" nor null. */
const signedWhenSet = [
  "quoteWaitingTimeMs",
  "referral",
  "virtualChainRecipient",
  "virtualChainRefundRecipient",
  "customRecipientMsg",
]

const pick = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]))

/** The value with the members of every object in the order of their code units. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]))
}

/**
 * The text that is hashed: one flat object of the request's members, the quote's, which take the place of
 * the request's of the same name, and the timestamp; sorted, without spaces and without absent members.
 */
export const canonical = ({ quote, quoteRequest, timestamp }: Signable): string => {
  const set = signedWhenSet.filter((name) => Boolean(quoteRequest[name]))
  return JSON.stringify(sorted({ ...pick(quoteRequest, [...alwaysSigned, ...set]), ...quote, timestamp }))
}

/** The bytes that are signed: the text of the hash in base58. */
export const signedMessage = (signable: Signable): Uint8Array =>
  utf8ToBytes(base58.encode(sha256(utf8ToBytes(canonical(signable)))))

/** The key of every sandbox, whatever its seed. It is no secret: it signs nothing that is worth anything. */
const secretKey = sha256(utf8ToBytes("swap broker sandbox: NEAR Intents' signing key"))
const anotherKey = sha256(utf8ToBytes("swap broker sandbox: not NEAR Intents' signing key"))

/** `ed25519:<base58>`, as 1Click publishes its own. */
export const publicKey: string = `ed25519:${base58.encode(ed25519.getPublicKey(secretKey))}`

/** The signature of a quote, or, where `isBad`, a signature that does not verify. */
export const sign = (signable: Signable, isBad: boolean): string =>
  `ed25519:${base58.encode(ed25519.sign(signedMessage(signable), isBad ? anotherKey : secretKey))}`
