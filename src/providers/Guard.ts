import { type Duration, Effect } from "effect"
import { ProviderError, type ProviderOperation, TimedOut } from "../domain/ProviderError.ts"
import type { Provider } from "./Provider.ts"

/** How long one attempt at each kind of operation may take (resilience.md, "attempt timeout"). */
export interface AttemptTimeouts {
  readonly quote: Duration.Input
  readonly open: Duration.Input
  readonly status: Duration.Input
}

const bounded = (provider: Provider, operation: ProviderOperation, duration: Duration.Input) =>
  Effect.timeoutOrElse({
    duration,
    orElse: () =>
      Effect.fail(
        new ProviderError({
          provider: provider.name,
          operation,
          reason: new TimedOut({ detail: `no answer from ${provider.name} in time`, reached: true }),
        }),
      ),
  })

/** The provider with every operation guarded: the one place where an upstream's slowness is bounded. */
export const guard = (timeouts: AttemptTimeouts) => (provider: Provider): Provider => ({
  name: provider.name,
  assets: bounded(provider, "assets", timeouts.quote)(provider.assets),
  quotes: (request) => bounded(provider, "quote", timeouts.quote)(provider.quotes(request)),
  open: (request) => bounded(provider, "open", timeouts.open)(provider.open(request)),
  status: (channel, lastKnown) =>
    bounded(provider, "status", timeouts.status)(provider.status(channel, lastKnown)),
})
