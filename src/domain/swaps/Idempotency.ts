import { Option, Schema } from "effect"
import type { AccountId } from "../accounts/Account.ts"
import type { ProviderName } from "../ProviderName.ts"
import type { SwapRecordId } from "./SwapRecord.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import type { EpochMillis } from "../Time.ts"

/** The caller's name for a request, to send it again without doing it twice: 1 to 255 printable ASCII. */
export const IdempotencyKey = Schema.String
  .check(Schema.isPattern(/^[\x20-\x7e]{1,255}$/))
  .pipe(Schema.brand("IdempotencyKey"))
export type IdempotencyKey = typeof IdempotencyKey.Type

const quoted = /^"((?:[^"\\]|\\["\\])*)"$/
const escaped = /\\(["\\])/g

/** The key in a header, where it may stand bare or, as in structured fields, in quotes. */
export const keyInHeader = (value: string): Option.Option<string> => {
  if (!value.startsWith('"')) return Option.some(value)
  return Option.map(
    Option.fromUndefinedOr(quoted.exec(value)?.[1]),
    (inside) => inside.replace(escaped, "$1"),
  )
}

/** SHA-256 of a request's method, path and parameters without its credential, in hex. */
export const Fingerprint = Schema.String
  .check(Schema.isPattern(/^[0-9a-f]{64}$/))
  .pipe(Schema.brand("Fingerprint"))
export type Fingerprint = typeof Fingerprint.Type

/** A request with the key that it was sent under. A key has a meaning within its own account only. */
export interface KeyedRequest {
  readonly accountId: AccountId
  readonly key: IdempotencyKey
  readonly fingerprint: Fingerprint
}

export interface WrittenAnswer {
  readonly status: number
  readonly body: string
  /** The answer must not be repeated from then on; absent: it stands as long as its key. */
  readonly staleAt?: EpochMillis
}

/** The statuses of answers that blame the request or the caller: the key stays unused (decisions, Idempotency). */
const notKept: ReadonlyArray<number> = [400, 401, 403, 429]

/** Whether the answer stands for every later request with the same key. */
export const isKept = ({ status }: WrittenAnswer): boolean => !notKept.includes(status)

/** An opening with an unknown outcome, or one under way: a channel may or may not have been opened. */
export interface UndecidedOpening {
  readonly id: SwapRecordId
  /** The provider that was asked last; those asked before it provably opened nothing. */
  readonly platform: ProviderName
  readonly request: SwapRequest
  readonly requestedAt: EpochMillis
}
