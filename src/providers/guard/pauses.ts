import { Duration, Exit, Option } from "effect"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import { providerErrorIn } from "./classify.ts"

/**
 * The operations of one provider that an upstream has shut for a while: calls before would only shut them for longer. The
 * longest rest is bounded, whatever an upstream says.
 */
export const makePauses = (most: Duration.Duration) => {
  const until = new Map<ProviderOperation, number>()
  return {
    /** How long an operation is left alone from now; nothing where it may be called. */
    leftOf: (operation: ProviderOperation, now: number) => {
      const left = (until.get(operation) ?? now) - now
      return left > 0 ? Duration.millis(left) : undefined
    },
    note: (operation: ProviderOperation, exit: Exit.Exit<unknown, unknown>, now: number): void => {
      const { reason } = Option.getOrUndefined(providerErrorIn(exit)) ?? {}
      if (reason?._tag !== "RateLimited" || reason.isShut !== true) return
      const wait = Duration.min(Duration.seconds(reason.retryAfterSeconds ?? 0), most)
      until.set(operation, now + Duration.toMillis(wait))
    },
  }
}
