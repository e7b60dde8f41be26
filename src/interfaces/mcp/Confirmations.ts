import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { base32 } from "@scure/base"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Buffer } from "node:buffer"
import { timingSafeEqual } from "node:crypto"
import { derivedKey } from "#application/accounts/derivedKey.ts"
import { Idempotency } from "#application/swapping/opening/Idempotency.ts"
import { Fingerprint, IdempotencyKey, type KeyedRequest } from "#domain/swaps/Idempotency.ts"
import { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { service } from "#infrastructure/platform/service.ts"
import type { Agent } from "./authenticateAgent.ts"

/** What a human is asked to confirm: with its expiry everything that the opening will be held to. */
const TermsText = Schema.fromJsonString(Schema.Struct({
  /** The parameters of `/swap`, as text; `minimumPrice`, both addresses, the amount and the provider are among them. */
  parameters: Schema.Record(Schema.String, Schema.String),
  /** Stands for the request that those parameters come to; another one is not what was confirmed. */
  request: Schema.String,
  /** What the human reads before they agree, with what was quoted. */
  summary: Schema.String,
}))
const writeTerms = Schema.encodeSync(TermsText)
const readTerms = Schema.decodeUnknownOption(TermsText)

export type ConfirmedTerms = typeof TermsText.Type & { readonly expiresAt: EpochMillis }

const writeRequest = Schema.encodeSync(Schema.fromJsonString(Schema.toCodecJson(SwapRequest)))

/** The text that stands for a request, with its defaults, commission and the accounts of its affiliates. */
export const digestOf = (request: SwapRequest): string =>
  Base64Url.encode(sha256(Buffer.from(writeRequest(request))))

/** Base32 of a multiple of five bytes, without padding. It has neither 0 nor 1, which models take for letters. */
const encode = (bytes: Uint8Array): string => base32.encode(bytes).toLowerCase()

const nonceByteCount = 10
const macByteCount = 15

/** How many characters a confirmation has: those of its nonce, by which its terms are found, then those of its MAC. */
export const confirmationLength = 40

const form = /^([a-z2-7]{16})([a-z2-7]{24})$/

const newNonce = Effect.sync(() => encode(crypto.getRandomValues(new Uint8Array(nonceByteCount))))

const keyedBy = ({ caller }: Agent, nonce: string, confirmation: string): KeyedRequest => ({
  accountId: caller.id,
  key: IdempotencyKey.make(`mcp ${nonce}`),
  fingerprint: Fingerprint.make(bytesToHex(sha256(Buffer.from(confirmation)))),
})

/** The uses of signatures, and what each is of: one that counts for a use counts for no other. */
type Signed =
  | readonly [use: "confirmation", nonce: string, expiresAt: EpochMillis, terms: string]
  | readonly [use: "question", confirmation: string]

/**
 * Confirmations of swaps, each a handle of terms that are stored with an opening's key, so that a model can copy it and
 * any replica can read it, before and after a restart. Its MAC covers the terms, and is made with the database's secret
 * and the agent's API key together: a copy of the database lacks the key, which is stored there as a hash only, and the
 * key alone lacks the secret. So neither another key nor a changed row opens anything.
 */
export class Confirmations extends service<Confirmations>()(
  "swap-broker/mcp/Confirmations",
  (lifetime: Duration.Duration) =>
    Effect.gen(function* () {
      const secret = yield* derivedKey("confirmations of agents")
      const { prepare, prepared } = yield* Idempotency

      const macOf = ({ caller, key }: Agent, signed: Signed): string => {
        const own = hmac(sha256, Redacted.value(secret), Buffer.from(Redacted.value(key)))
        const text = Buffer.from(JSON.stringify([caller.id, caller.keyId, ...signed]))
        return encode(hmac(sha256, own, text).subarray(0, macByteCount))
      }
      const isMac = (agent: Agent, signed: Signed, given: string): boolean => {
        const [expected, bytes] = [Buffer.from(macOf(agent, signed)), Buffer.from(given)]
        return expected.length === bytes.length && timingSafeEqual(expected, bytes)
      }

      return {
        /** When a confirmation that is made now expires. */
        expiry: Effect.map(currentMillis, (now) => EpochMillis.make(now + Duration.toMillis(lifetime))),
        write: Effect.fnUntraced(function* (agent: Agent, { expiresAt, ...confirmed }: ConfirmedTerms) {
          const nonce = yield* newNonce
          const terms = writeTerms(confirmed)
          const confirmation = `${nonce}${macOf(agent, ["confirmation", nonce, expiresAt, terms])}`
          yield* prepare(keyedBy(agent, nonce, confirmation), agent.caller.keyId, { terms, expiresAt })
          return confirmation
        }),
        /**
         * The terms of a confirmation that was given to this agent, by this service, with the key under which it opens a
         * channel: once, whatever else comes with it. Nothing of any other text.
         */
        read: Effect.fnUntraced(function* (agent: Agent, confirmation: string) {
          const [, nonce = "", mac = ""] = form.exec(confirmation) ?? []
          const keyed = keyedBy(agent, nonce, confirmation)
          const found = yield* prepared(keyed)
          return Option.gen(function* () {
            const { expiresAt, terms } = yield* found
            if (!isMac(agent, ["confirmation", nonce, expiresAt, terms], mac)) return yield* Option.none()
            return { terms: { ...yield* readTerms(terms), expiresAt }, keyed }
          })
        }),
        /** The state of a question about a confirmation, which comes back with its answer. */
        question: (agent: Agent, confirmation: string) => macOf(agent, ["question", confirmation]),
        isQuestion: (agent: Agent, confirmation: string, state: string) =>
          isMac(agent, ["question", confirmation], state),
      }
    }),
) {}
