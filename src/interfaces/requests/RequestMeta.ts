import { Context, type Redacted, Schema } from "effect"
import type { KeyId } from "#domain/accounts/Key.ts"
import type { Meter } from "#application/limits/admitRequest.ts"

/** An answer that may be repeated, letter by letter, to the same request of the same caller. */
export interface Repeatable {
  /** The contract's path of the endpoint. */
  readonly route: string
  readonly body: string
  /** When the answer gets too old, in epoch milliseconds. */
  readonly until: number
  /** The providers that a repetition does not ask. */
  readonly providers: ReadonlyArray<string>
}

/** The request does not say which host it is for, in a way that could not change its path. */
export class HostInvalid extends Schema.TaggedError<HostInvalid>()("HostInvalid", {}) {}

/** The URL is longer than the service reads. */
export class UrlTooLong
  extends Schema.TaggedError<UrlTooLong>()("UrlTooLong", { maximumBytes: Schema.Int }) {}

/** The body is longer than the service reads. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  maximumBytes: Schema.Int,
}) {}

/** The body did not arrive in time, or not to its end. */
export class BodyIncomplete extends Schema.TaggedError<BodyIncomplete>()("BodyIncomplete", {}) {}

/** Why a request is not read at all. */
export type Refusal = HostInvalid | UrlTooLong | BodyTooLarge | BodyIncomplete

/** What a client sent, byte for byte but for a key in the target. */
export interface SentBytes {
  readonly target: string
  readonly body: Uint8Array
}

/**
 * Parts of a request that the server took out before anything else saw it. Credentials are among them so that no log,
 * span, header or error can carry one (decision 1). A request that did not come through the server has none.
 */
export const RequestMeta = Context.Reference<{
  /** The different API keys of the request; more than one is the caller's mistake. */
  readonly credentials: ReadonlyArray<Redacted.Redacted<string>>
  /** Whether a key was in the URL. */
  readonly hasKeyInUrl?: boolean
  /** The token of the dashboard's session. */
  readonly session?: Redacted.Redacted<string>
  /** The address or network that the request comes from, as limits count it. */
  readonly address?: string
  /** Absent where the request is not read. */
  readonly sent?: SentBytes
  /** Whether more slashes than one stood before the path. */
  readonly hasSlashesBefore?: boolean
  /** The reason why the request is not read at all. */
  readonly refusal?: Refusal
  /** Takes the id of the key that the request came with, once it is known: the answer is signed for it. */
  readonly knownAs?: (id: KeyId) => void
  /** Offers the answer for repetition. Only an offer made before the answer counts. */
  readonly offer?: (repeatable: Repeatable) => void
  /** Names the limits that the request counted against: a repetition counts against them, too. */
  readonly meter?: (meter: Meter) => void
}>("swap-broker/requests/RequestMeta", { defaultValue: () => ({ credentials: [] }) })
