import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type { Settings } from "../Config.ts"
import type { GuardKnobs } from "../providers/guard/knobs.ts"

/** The guard's knobs, out of the settings. */
export const guardKnobs = (settings: Settings): GuardKnobs => {
  const trip = CircuitBreaker.rate({
    threshold: settings.circuitFailureShare,
    size: settings.circuitWindow,
    minimumCalls: Math.min(settings.circuitMinimumCalls, settings.circuitWindow),
  })
  return {
    circuit: {
      openTime: settings.circuitOpenTime,
      openTimeMost: settings.circuitOpenTimeMost,
      retryAfterMost: settings.circuitRetryAfterMost,
    },
    sharing: { share: settings.bulkheadShare, wait: settings.bulkheadWait },
    groups: {
      quote: {
        attemptTimeout: settings.quoteTimeout,
        retries: settings.quoteRetries,
        deadline: settings.quoteDeadline,
        bulkhead: settings.quoteBulkhead,
        trip,
        slowCall: settings.quoteSlowCall,
      },
      open: {
        attemptTimeout: settings.openTimeout,
        retries: 0,
        deadline: settings.openDeadline,
        bulkhead: settings.openBulkhead,
        trip: CircuitBreaker.consecutive(settings.openFailures),
      },
      status: {
        attemptTimeout: settings.statusTimeout,
        retries: settings.statusRetries,
        deadline: settings.statusDeadline,
        bulkhead: settings.statusBulkhead,
        trip,
        slowCall: settings.statusSlowCall,
      },
      node: {
        attemptTimeout: settings.nodeTimeout,
        retries: settings.nodeRetries,
        deadline: settings.nodeDeadline,
        bulkhead: settings.nodeBulkhead,
        trip,
        slowCall: settings.nodeSlowCall,
      },
    },
  }
}
