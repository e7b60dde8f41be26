import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Predicate, Result, Schema } from "effect"
import { decodeBase58OfLength } from "#domain/chains/address/Base58.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import type { ProviderSignature } from "#domain/swaps/Swap.ts"
import { decode, malformed } from "../upstream/values.ts"

/** The bytes after `ed25519:`, or a sentence about the fault of the text. */
const decodeEd25519 = (text: string, length: number): Result.Result<Uint8Array, string> => {
  const [, base58] = /^ed25519:([1-9A-HJ-NP-Za-km-z]{1,88})$/.exec(text) ?? []
  return base58 === undefined
    ? Result.fail("it is not ed25519: and base58 after it")
    : decodeBase58OfLength(base58, length)
}

const keyLength = 32

/** The public key of quotes' signatures: `ed25519:` and 32 bytes in base58. */
export const SigningKey = Schema.String
  .check(Schema.makeFilter(
    (text: string) => Result.isSuccess(decodeEd25519(text, keyLength)),
    { expected: "ed25519: and a public key in base58" },
  ))
  .pipe(Schema.brand("SigningKey"))
export type SigningKey = typeof SigningKey.Type

export const productionKey: SigningKey = SigningKey.make(
  "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc",
)

const member = ([key, value]: readonly [string, unknown]): string =>
  `${JSON.stringify(key)}:${canonicalJson(value)}`

/** Parsed JSON as the signed text: no spaces, keys by code units, undefined members left out, null kept. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!Predicate.isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, held]) => held !== undefined)
    .toSorted(([one], [other]) => one < other ? -1 : 1)
  return `{${members.map(member).join(",")}}`
}

const Members = Schema.Record(Schema.String, Schema.Unknown)
type Members = typeof Members.Type

/** The signed parts of a quote's answer, as they came. */
export const SignedAnswer = Schema.Struct({
  signature: Schema.String,
  timestamp: Schema.String,
  quoteRequest: Members,
  quote: Members,
})
export type SignedAnswer = typeof SignedAnswer.Type

/** Members of the request that are always signed. */
const requestMembers = (
  "dry swapType slippageTolerance originAsset depositType destinationAsset amount refundTo refundType " +
  "recipient recipientType deadline"
).split(" ")

/** Members of the request that are signed only where they are set: null, 0 and "" are left out. */
const requestMembersWhereSet = (
  "quoteWaitingTimeMs referral virtualChainRecipient virtualChainRefundRecipient customRecipientMsg"
).split(" ")

const amountMembers = (
  "amountIn amountInFormatted amountInUsd minAmountIn amountOut amountOutFormatted amountOutUsd minAmountOut"
).split(" ")

/** Members of an order, signed where set. Each replaces the request's member of its name, even where unset. */
const orderMembersWhereSet = (
  "depositAddress depositMemo deadline timeWhenInactive timeEstimate virtualChainRecipient " +
  "virtualChainRefundRecipient customRecipientMsg refundFee withdrawFee"
).split(" ")

const pick = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]))

const pickSet = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name] || undefined]))

/**
 * The signed text: one object of members of the request, members of the quote, whose deadline replaces the request's,
 * and the time. The commission is not in it, and of a dry quote only the amounts are. The service's own SDK
 * (`@defuse-protocol/one-click-sdk-typescript`, `quoteHash`) makes the same text.
 */
export const signedText = ({ quoteRequest, quote, timestamp }: SignedAnswer): string =>
  canonicalJson({
    ...pick(quoteRequest, requestMembers),
    ...pickSet(quoteRequest, requestMembersWhereSet),
    ...pick(quote, amountMembers),
    ...(quoteRequest["dry"] === true ? {} : pickSet(quote, orderMembersWhereSet)),
    timestamp,
  })

const signatureLength = 64

/** The message that is signed: the base58 of the text's hash, not the text. */
const messageOf = (text: string): Uint8Array => utf8ToBytes(base58.encode(sha256(utf8ToBytes(text))))

const holds = (answer: SignedAnswer, key: SigningKey): Result.Result<boolean, unknown> =>
  Result.gen(function* () {
    const signature = yield* decodeEd25519(answer.signature, signatureLength)
    const publicKey = yield* decodeEd25519(key, keyLength)
    return yield* Result.try(() =>
      ed25519.verify(signature, messageOf(signedText(answer)), publicKey, { zip215: false })
    )
  })

/** Ten times the longest that was recorded: the text is kept with the swap and shown to the caller. */
const mostText = 16_384

/** Checks that 1Click signed deposit address, deadline and amounts, so that no attacker can put in an address. */
export const verifyQuote = (
  body: unknown,
  key: SigningKey,
): Result.Result<ProviderSignature, MalformedBody> =>
  Result.flatMap(decode(SignedAnswer, body), (answer) => {
    const text = signedText(answer)
    if (text.length > mostText) {
      return malformed(`signature: expected to be of ${mostText} characters at most, got ${text.length}`)
    }
    return Result.getOrElse(holds(answer, key), () => false)
      ? Result.succeed({ text, signature: answer.signature, publicKey: key })
      : malformed("signature: does not verify with the service's key")
  })
