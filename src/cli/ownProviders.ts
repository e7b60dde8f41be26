import { Effect, Layer, Option } from "effect"
import { CircuitBreaker } from "effect/persistence"
import type { ProviderName } from "#domain/ProviderName.ts"
import { fetchOnce } from "#infrastructure/platform/fetchOnce.ts"
import { Budgets } from "#providers/Budgets.ts"
import { type Configured, layerOf, type UpstreamUrl } from "#providers/definition.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { Registry } from "#providers/Registry.ts"
import type { Settings } from "#settings.ts"
import { CommandFailed } from "./failures.ts"

/** Providers of this process, guarded as in a service, but with no budget and with circuits of its own. */
export const ownProviders = (settings: Settings, configured: ReadonlyArray<Configured>) =>
  layerOf(configured, settings.surroundings).pipe(
    Layer.provide(fetchOnce),
    Layer.provideMerge(Registry.layer(settings.enabledProviders)),
    Layer.provide(Guard.layer(settings.guard)),
    Layer.provide(Budgets.layer),
    Layer.provide(CircuitBreaker.layerStoreMemory({ idleTimeToLive: settings.circuitForget })),
  )

/** Whether a place can be called from here: a sandbox inside a service listens only while that runs. */
export const listens = ({ mode, sandbox: { url } }: Settings) => ({ isSimulated }: UpstreamUrl): boolean =>
  !isSimulated || mode === "live" || Option.isSome(url)

const usage = (detail: string) => new CommandFailed({ kind: "usage", detail })

/** The providers that are wanted, all or only one, and can be called from here. */
export const callable = Effect.fnUntraced(function* (settings: Settings, only: Option.Option<ProviderName>) {
  const configured = yield* settings.providersAt(settings.sandbox.url)
  const isWanted = (name: ProviderName): boolean =>
    settings.enabledProviders.includes(name) &&
    Option.match(only, { onNone: () => true, onSome: (provider) => provider === name })
  const found = configured.filter(({ name }) => isWanted(name))
  const called = found.filter(({ places }) => places.every(listens(settings)))
  if (called.length > 0) return called
  return yield* usage(
    found.length > 0
      ? "The sandbox inside the service cannot be called from here: set SANDBOX_URL to a running `deno task " +
        "sandbox`, or MODE=live and the URLs of the upstreams"
      : `No such provider is enabled and configured: ${settings.enabledProviders.join(", ")}`,
  )
})
