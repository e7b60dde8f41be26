import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"

/**
 * The kind of a difference. `misfit`: a value has another form than is read; `contradiction`: a value of the right form
 * that cannot be, such as another asset than was asked for; `failure`: there was no answer to read; `unclear`: a part was
 * left out, because it is not known. These do not fit. The others are notices: `absent`, a member that is read where it
 * is there; `unread`, a member that nothing reads; `refused`, a swap that is not offered now.
 */
export type DifferenceKind =
  | "misfit"
  | "contradiction"
  | "failure"
  | "unclear"
  | "absent"
  | "unread"
  | "refused"

/** A difference between an upstream's answers and what its provider expects. */
export interface CheckDifference {
  readonly fits: boolean
  readonly provider: ProviderName
  /** The operation of the provider that needed the answer first. */
  readonly operation: ProviderOperation
  /** The upstream's own name of the call, such as `GET /v0/tokens`; absent where the difference is in no one answer. */
  readonly call?: string
  readonly kind: DifferenceKind
  /** The member, such as `[0].egressAmount`; `body` for the whole answer. */
  readonly path?: string
  readonly expected?: string
  readonly found: string
  /** Of what it was met first, such as `btc.btc to eth.eth`; absent where that makes no difference. */
  readonly about?: string
  readonly times: number
}

const fitting: ReadonlySet<DifferenceKind> = new Set<DifferenceKind>(["absent", "unread", "refused"])

/** Whether the provider works with answers that have a difference of this kind. */
export const isNotice = (kind: DifferenceKind): boolean => fitting.has(kind)
