import { Layer, Option } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { fetchOnce } from "../platform/fetchOnce.ts"
import { Budgets } from "../providers/Budgets.ts"
import { type Configured, layerOf, type Place } from "../providers/definition.ts"
import { Guard } from "../providers/Guard.ts"
import { Registry } from "../providers/Registry.ts"
import type { Settings } from "../settings.ts"

/**
 * Providers of this process, guarded as in a service, with circuits of its own that no switch changes. Their calls are
 * within no budget: what the operator asks for is asked.
 */
export const ownProviders = (settings: Settings, configured: ReadonlyArray<Configured>) =>
  layerOf(configured, settings.surroundings).pipe(
    Layer.provide(fetchOnce),
    Layer.provideMerge(Registry.layer(settings.enabledProviders)),
    Layer.provide(Guard.layer(settings.guard)),
    Layer.provide(Budgets.layer),
    Layer.provide(CircuitBreaker.layerStoreMemory({ idleTimeToLive: settings.circuitForget })),
  )

/** Whether a place can be called from here: a sandbox inside a service listens only while that runs. */
export const listens = ({ mode, sandbox: { url } }: Settings) => ({ isSimulated }: Place): boolean =>
  !isSimulated || mode === "live" || Option.isSome(url)
