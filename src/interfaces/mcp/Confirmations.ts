import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { Base64Url } from "effect/encoding"
import { Buffer } from "node:buffer"
import { timingSafeEqual } from "node:crypto"
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"
import { derivedKey } from "#application/accounts/derivedKey.ts"
import { AccountId } from "#domain/accounts/Account.ts"
import { Fingerprint, IdempotencyKey, type KeyedRequest } from "#domain/swaps/Idempotency.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Agent } from "./authenticateAgent.ts"

/** What a human is asked to confirm: everything that the opening will be held to. */
export const ConfirmedTerms = Schema.Struct({
  /** Tells this confirmation from all others. */
  nonce: Schema.String,
  account: AccountId,
  keyId: KeyId,
  expiresAt: EpochMillis,
  /** The parameters of `/swap`, as text; `minimumPrice`, both addresses, the amount and the provider are among them. */
  parameters: Schema.Record(Schema.String, Schema.String),
  /** Stands for the request that those parameters come to; another one is not what was confirmed. */
  request: Schema.String,
  /** What the human reads before they agree, with what was quoted. */
  summary: Schema.String,
})
export type ConfirmedTerms = typeof ConfirmedTerms.Type

const writeRequest = Schema.encodeSync(Schema.fromJsonString(Schema.toCodecJson(SwapRequest)))

/** The text that stands for a request, with its defaults, commission and the accounts of its affiliates. */
export const digestOf = (request: SwapRequest): string =>
  Base64Url.encode(sha256(Buffer.from(writeRequest(request))))

/** The uses of signatures: a text that is signed for one counts for no other. */
type Use = "confirmation" | "question"

const TermsText = Schema.fromJsonString(ConfirmedTerms)
const writeTerms = Schema.encodeSync(TermsText)
const readTerms = Schema.decodeUnknownOption(TermsText)

/** Half as long as it would be: a model has to repeat it letter by letter. */
const packed = (terms: ConfirmedTerms): string =>
  Base64Url.encode(
    brotliCompressSync(writeTerms(terms), { params: { [constants.BROTLI_PARAM_QUALITY]: packingQuality } }),
  )

/** Close to the smallest, in a fraction of its time. */
const packingQuality = 9

/** Only for a text whose MAC is ours: any other could be made to fill the memory. */
const unpacked = (text: string): Option.Option<ConfirmedTerms> =>
  readTerms(brotliDecompressSync(Buffer.from(text, "base64url")).toString("utf8"))

const separator = "."

const nonceByteCount = 16

/** A text that tells one confirmation from all others. */
export const newNonce = Effect.sync(() =>
  Base64Url.encode(crypto.getRandomValues(new Uint8Array(nonceByteCount)))
)

/**
 * Confirmations of swaps. A confirmation holds its terms and a MAC, so that any replica can read it, before and after a
 * restart, and nothing is kept for it before it is used. The MAC is made with the database's secret and the agent's API
 * key together: who has a copy of the database lacks the key, which is kept there as a hash only, and who has the key
 * lacks the secret.
 */
export class Confirmations extends service<Confirmations>()(
  "swap-broker/mcp/Confirmations",
  (lifetime: Duration.Duration) =>
    Effect.map(derivedKey("confirmations of agents"), (secret) => {
      const macOf = ({ caller, key }: Agent, use: Use, text: string): Uint8Array => {
        const own = hmac(sha256, Redacted.value(secret), Buffer.from(Redacted.value(key)))
        return hmac(sha256, own, Buffer.from(`${use} ${caller.id} ${caller.keyId} ${text}`))
      }
      const isMac = (agent: Agent, use: Use, text: string, given: string): boolean => {
        const expected = Buffer.from(Base64Url.encode(macOf(agent, use, text)))
        const bytes = Buffer.from(given)
        return expected.length === bytes.length && timingSafeEqual(expected, bytes)
      }
      return {
        /** When a confirmation that is made now expires. */
        expiry: Effect.map(currentMillis, (now) => EpochMillis.make(now + Duration.toMillis(lifetime))),
        write: (agent: Agent, terms: ConfirmedTerms) => {
          const text = packed(terms)
          return `${text}${separator}${Base64Url.encode(macOf(agent, "confirmation", text))}`
        },
        /** The terms of a confirmation that was given to this agent, by this service; nothing of any other text. */
        read: (agent: Agent, confirmation: string) => {
          const [text = "", mac = "", ...others] = confirmation.split(separator)
          if (others.length > 0 || !isMac(agent, "confirmation", text, mac)) return Option.none()
          return unpacked(text).pipe(
            Option.filter(({ account, keyId }) =>
              account === agent.caller.id && keyId === agent.caller.keyId
            ),
          )
        },
        /** The state of a question about a confirmation, which comes back with its answer. */
        question: (agent: Agent, confirmation: string) =>
          Base64Url.encode(macOf(agent, "question", confirmation)),
        isQuestion: (agent: Agent, confirmation: string, state: string) =>
          isMac(agent, "question", confirmation, state),
      }
    }),
) {}

/** The key under which a confirmation opens a channel: once, whatever else comes with it. */
export const keyedBy = ({ account, nonce }: ConfirmedTerms, confirmation: string): KeyedRequest => ({
  accountId: account,
  key: IdempotencyKey.make(`mcp ${nonce}`),
  fingerprint: Fingerprint.make(bytesToHex(sha256(Buffer.from(confirmation)))),
})
