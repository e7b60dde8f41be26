import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Predicate } from "effect"

/** 1Click's signatures of quotes, by which an address can be checked before it is handed out. */

type Members = Readonly<Record<string, unknown>>

/** The part of a quote that its signature covers. */
export interface Signable {
  readonly quoteRequest: Members
  readonly quote: Members
  readonly timestamp: string
}

/** Members of the request that are signed whatever their value: those that every request has. */
export const alwaysSigned = (
  "dry swapType slippageTolerance originAsset depositType destinationAsset amount refundTo refundType " +
  "recipient recipientType deadline"
).split(" ")

/** Members that are signed only if they have a value other than 0, "" and null. */
const signedWhenSet = (
  "quoteWaitingTimeMs referral virtualChainRecipient virtualChainRefundRecipient customRecipientMsg"
).split(" ")

const amounts = (
  "amountIn amountInFormatted amountInUsd minAmountIn amountOut amountOutFormatted amountOutUsd minAmountOut"
).split(" ")

/** Members of an order that are signed if they have a value, instead of the request's of the same name. */
const orderMembers = (
  "depositAddress depositMemo deadline timeWhenInactive timeEstimate virtualChainRecipient " +
  "virtualChainRefundRecipient customRecipientMsg refundFee withdrawFee"
).split(" ")

const pick = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]))

/** The value with the members of every object sorted by their code units. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]))
}

/** The hashed text: members of request, quote (which win) and timestamp, sorted, without spaces and absent ones. */
export const canonical = ({ quote, quoteRequest, timestamp }: Signable): string => {
  const set = signedWhenSet.filter((name) => Boolean(quoteRequest[name]))
  const ofOrder = quoteRequest["dry"] === true ? [] : orderMembers.filter((name) => Boolean(quote[name]))
  const request = pick(quoteRequest, [...alwaysSigned, ...set])
  return JSON.stringify(sorted({ ...request, ...pick(quote, [...amounts, ...ofOrder]), timestamp }))
}

/** The bytes that are signed: the base58 text of the hash. */
export const signedMessage = (signable: Signable): Uint8Array =>
  utf8ToBytes(base58.encode(sha256(utf8ToBytes(canonical(signable)))))

/** The key of every sandbox, whatever its seed. It is no secret, as it signs nothing of value. */
const secretKey = sha256(utf8ToBytes("swap broker sandbox: NEAR Intents' signing key"))
const anotherKey = sha256(utf8ToBytes("swap broker sandbox: not NEAR Intents' signing key"))

/** The public key of `secretKey`, written down because deriving it takes a cold process 25 to 45 milliseconds. */
export const publicKey = "ed25519:FZQ3HDyRyTYWiq86wuM6aNsJqocu7uNJXg5v396gsQEL"

/** The signature of a quote, or, if `isBad`, a signature that does not verify. */
export const sign = (signable: Signable, isBad: boolean): string =>
  `ed25519:${base58.encode(ed25519.sign(signedMessage(signable), isBad ? anotherKey : secretKey))}`
