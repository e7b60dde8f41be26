import { Context, Effect } from "effect"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"

/** An answer as it came, without our secrets. */
export interface Exchange {
  /** The upstream's own name of the call (`witness.ts`). */
  readonly call: () => string
  readonly body: string
}

/** Somebody who hears what upstreams answer to a call of the port, and tells of an answer that was refused. */
export interface Hearing {
  readonly heard: (exchange: Exchange) => void
  /** Tells of a refusal; of the same one only once, and of any other failure never. */
  readonly refused: (reason: ProviderErrorReason) => Effect.Effect<void>
}

/** The hearing of this fiber's call; none where nobody has to be told. */
export const CurrentHearing = Context.Reference<Hearing | undefined>(
  "swap-broker/providers/upstream/hearing/CurrentHearing",
  { defaultValue: () => undefined },
)

/** Tells of a refused answer whose call goes on. */
export const tellRefusal = (reason: ProviderErrorReason): Effect.Effect<void> =>
  Effect.flatMap(CurrentHearing, (hearing) => hearing?.refused(reason) ?? Effect.void)

/**
 * A question whose answer several callers wait for, or nobody does: whoever asked tells of a refusal, so that it is
 * told once, and also where it only leaves an older answer in force.
 */
export const toldByAsker = <A, R>(
  question: Effect.Effect<A, ProviderErrorReason, R>,
): Effect.Effect<A, ProviderErrorReason, R> => Effect.tapError(question, tellRefusal)

/** Warns that something is not brought up to date; a refused answer has a line of its own. */
export const stillOld = (what: string, reason: ProviderErrorReason): Effect.Effect<void> =>
  reason._tag === "MalformedBody"
    ? Effect.void
    : Effect.logWarning(`${what} could not be fetched; trying again`, reason)

const originals = new WeakMap<ProviderErrorReason, ProviderErrorReason>()

/** Another form of a reason, which tells the same. */
export const sameAs = <A extends ProviderErrorReason>(original: ProviderErrorReason, other: A): A => {
  originals.set(other, originalOf(original))
  return other
}

/** The first form of a reason. */
export const originalOf = (reason: ProviderErrorReason): ProviderErrorReason =>
  originals.get(reason) ?? reason
