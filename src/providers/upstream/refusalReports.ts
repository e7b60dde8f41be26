import { Context, Effect } from "effect"
import { jobFailed, jobWorked } from "#infrastructure/platform/outages.ts"
import type { EndNotice } from "#domain/operations/EndpointEnding.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"

/** An answer as it came, without our secrets. */
export interface Exchange {
  /** The upstream's own name of the call (`witness.ts`). */
  readonly call: () => string
  readonly status: number
  readonly body: string
  /** What its headers say of the end of its endpoint, if they do. */
  readonly notice: EndNotice | undefined
  readonly at: EpochMillis
}

/** Somebody who hears what upstreams answer to a call of the port, and tells of an answer that was refused. */
export interface RefusalReporter {
  /** Returns whether the answer shows that its endpoint is retired. */
  readonly heard: (exchange: Exchange) => boolean
  /** Tells of a refusal; of the same one only once, and of any other failure never. */
  readonly refused: (reason: ProviderErrorReason) => Effect.Effect<void>
}

/** The hearing of this fiber's call; none where nobody has to be told. */
export const CurrentReporter = Context.Reference<RefusalReporter | undefined>(
  "swap-broker/providers/upstream/hearing/CurrentHearing",
  { defaultValue: () => undefined },
)

/** Tells of a refused answer whose call goes on. */
export const tellRefusal = (reason: ProviderErrorReason): Effect.Effect<void> =>
  Effect.flatMap(CurrentReporter, (hearing) => hearing?.refused(reason) ?? Effect.void)

/** A question that several callers share or nobody waits for: whoever asked reports a refusal, once. */
export const reportedByCaller = <A, R>(
  question: Effect.Effect<A, ProviderErrorReason, R>,
): Effect.Effect<A, ProviderErrorReason, R> => Effect.tapError(question, tellRefusal)

const notFetched = (what: string): string => `${what} could not be fetched; trying again`

/** Logs that something is brought up to date again, where `stillOld` has warned that it was not. */
export const upToDate = (what: string): Effect.Effect<void> => jobWorked(notFetched(what))

/** Warns from the second failure in a row on: one slow answer is nobody's concern. A refused answer has its own line. */
export const warnStale = (
  what: string,
  reason: ProviderErrorReason,
  failuresInARow: number,
): Effect.Effect<void> => {
  if (reason._tag === "MalformedBody") return Effect.void
  const job = notFetched(what)
  return failuresInARow < 2 ? Effect.logDebug(job, reason) : jobFailed(job, reason)
}

const originals = new WeakMap<ProviderErrorReason, ProviderErrorReason>()

/** Another form of a reason, which tells the same. */
export const sameAs = <A extends ProviderErrorReason>(original: ProviderErrorReason, other: A): A => {
  originals.set(other, originalOf(original))
  return other
}

/** The first form of a reason. */
export const originalOf = (reason: ProviderErrorReason): ProviderErrorReason =>
  originals.get(reason) ?? reason
