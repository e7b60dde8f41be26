import { BigDecimal, Duration, Effect, identity, Layer, Option } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { Registry } from "#providers/Registry.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { Idempotency } from "#application/swapping/opening/Idempotency.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { ScriptedProvider } from "./provider.ts"

export const statusMaxAge = Duration.seconds(10)
export const refreshTimeout = Duration.seconds(3)
export const lookupTimeout = Duration.seconds(10)
export const trackerOptions = { concurrency: 16, pollInterval: Duration.seconds(1) }

const timeScale = 1

export const lookupOptions = {
  lookupTimeout,
  timeScale,
  lookupsPerSecond: 1_000,
  followQuietFor: Duration.days(60),
  soleProcess: false,
}

/** How openings are made, and for how long they are nobody else's. */
export const openingOptions = {
  timeScale,
  openTimeout: Duration.seconds(60),
  keyLifetime: Duration.hours(24),
  openChannelsMost: 1_000,
}
export const swapsOptions = { ...openingOptions, statusMaxAge, refreshTimeout, soleProcess: false }

/** What requests are judged by, for services that tests give requests which passed. */
export const noRequests = Layer.mergeAll(
  Layer.mock(Quoting, { boundQuote: () => Option.none() }),
  Layer.succeed(OpeningRules, {
    networks: ["mainnet"],
    networkOf: () => "mainnet",
    fallbackRefundAddresses: {},
    brokerAccountPrefix: 2112,
    affiliateNames: Effect.succeed(new Map()),
    toleranceMost: BigDecimal.fromBigInt(5n),
  }),
)

/** The swapping services, with the tracker at rest, over repositories; providers `first` and `second`. */
export const swappingLayer = Layer.mergeAll(
  Swaps.layer(swapsOptions),
  Idempotency.layer(openingOptions),
  Tracker.layer(trackerOptions),
  StallDetector.layer,
).pipe(
  (services) =>
    Layer.provideMerge(
      VaultSwaps.layer({ timeScale, isSimulated: () => true, vaultAddresses: [] }),
      services,
    ),
  Layer.provideMerge(Lookups.layer(lookupOptions)),
  Layer.provideMerge(Registry.layer([ProviderName.make("first"), ProviderName.make("second")])),
  Layer.provideMerge(noRequests),
  Layer.provide(Layer.mock(Guard, { wrap: identity })),
)

/** Both providers, fresh and registered until the test ends. */
export const scriptedProviders = Effect.gen(function* () {
  const registry = yield* Registry
  const first = new ScriptedProvider("first")
  const second = new ScriptedProvider("second")
  yield* registry.register(first)
  yield* registry.register(second)
  return { first, second }
})
