import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Predicate, Result, Schema } from "effect"
import { decodeBase58OfLength } from "../../domain/address/Base58.ts"
import { MalformedBody } from "../../domain/ProviderError.ts"
import { decode } from "../upstream/decode.ts"

const ed25519Text = /^ed25519:([1-9A-HJ-NP-Za-km-z]{1,88})$/

/** The bytes behind `ed25519:`, or what is wrong with the text. */
const decodeEd25519 = (text: string, length: number): Result.Result<Uint8Array, string> => {
  const [, base58] = ed25519Text.exec(text) ?? []
  return base58 === undefined
    ? Result.fail("it is not ed25519: and base58 after it")
    : decodeBase58OfLength(base58, length)
}

/** Bytes of a public key. */
const keyLength = 32

/** The public key that quotes are signed with: `ed25519:` and 32 bytes in base58. */
export const SigningKey = Schema.String
  .check(Schema.makeFilter(
    (text: string) => Result.isSuccess(decodeEd25519(text, keyLength)),
    { expected: "ed25519: and a public key in base58" },
  ))
  .pipe(Schema.brand("SigningKey"))
export type SigningKey = typeof SigningKey.Type

/** The key that the service itself signs with. */
export const productionKey: SigningKey = SigningKey.make(
  "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc",
)

const member = ([key, value]: readonly [string, unknown]): string =>
  `${JSON.stringify(key)}:${canonicalJson(value)}`

/**
 * Parsed JSON as the one text that is signed: no spaces, and the keys of every object in the order of their
 * code units. Members that are undefined are left out; null stays.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!Predicate.isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, held]) => held !== undefined)
    .toSorted(([one], [other]) => one < other ? -1 : 1)
  return `{${members.map(member).join(",")}}`
}

const Members = Schema.Record(Schema.String, Schema.Unknown)
type Members = typeof Members.Type

/** The parts of a quote's answer that its signature is about, as they came. */
export const SignedAnswer = Schema.Struct({
  signature: Schema.String,
  timestamp: Schema.String,
  quoteRequest: Members,
  quote: Members,
})
export type SignedAnswer = typeof SignedAnswer.Type

/** Members of the request, signed whatever they hold. */
const requestMembers = [
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

/** Members of the request, signed only where they say something: null, 0 and "" are left out. */
const requestMembersWhereSet = [
  "quoteWaitingTimeMs",
  "referral",
  "virtualChainRecipient",
  "virtualChainRefundRecipient",
  "customRecipientMsg",
]

/** Members of every quote. */
const amountMembers = [
  "amountIn",
  "amountInFormatted",
  "amountInUsd",
  "minAmountIn",
  "amountOut",
  "amountOutFormatted",
  "amountOutUsd",
  "minAmountOut",
]

/**
 * Members of a quote that is not dry, signed only where they say something. Each takes the place of the request's of
 * the same name, also where it says nothing.
 */
const orderMembersWhereSet = [
  "depositAddress",
  "depositMemo",
  "deadline",
  "timeWhenInactive",
  "timeEstimate",
  "virtualChainRecipient",
  "virtualChainRefundRecipient",
  "customRecipientMsg",
  "refundFee",
  "withdrawFee",
]

const pick = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]))

/** Those that say nothing are undefined. */
const pickSet = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name] || undefined]))

/**
 * What is signed: one object of members of the request, those of the quote, whose own deadline counts, and
 * the time. The commission is not among them, and of a dry quote only the amounts are. The service's own SDK
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

/** What is signed is not the text but the base58 of its hash. */
const messageOf = (text: string): Uint8Array => utf8ToBytes(base58.encode(sha256(utf8ToBytes(text))))

const holds = (answer: SignedAnswer, key: SigningKey): Result.Result<boolean, unknown> =>
  Result.gen(function* () {
    const signature = yield* decodeEd25519(answer.signature, signatureLength)
    const publicKey = yield* decodeEd25519(key, keyLength)
    return yield* Result.try(() =>
      ed25519.verify(signature, messageOf(signedText(answer)), publicKey, { zip215: false })
    )
  })

/**
 * Checks that the service itself signed an answer of `POST /v0/quote` with its deposit address, deadline and
 * amounts: whoever sits between us cannot put in an address of his own.
 */
export const verifyQuote = (body: unknown, key: SigningKey): Result.Result<void, MalformedBody> =>
  Result.flatMap(
    decode(SignedAnswer, body),
    (answer) =>
      Result.getOrElse(holds(answer, key), () => false) ? Result.void : Result.fail(
        new MalformedBody({ detail: "signature: does not verify with the service's key", reached: true }),
      ),
  )
