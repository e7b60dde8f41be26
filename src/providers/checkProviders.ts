import { Effect, Layer } from "effect"
import { settingsWrong } from "#infrastructure/config/read.ts"
import { issueAbout } from "#domain/Issues.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { Registry } from "./Registry.ts"

/** Logs the named providers that are not registered. Fails the start where none is registered. */
export const checkProviders = (enabled: ReadonlyArray<ProviderName>) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registered = (yield* (yield* Registry).enabled).map(({ name }) => name)
    const missing = enabled.filter((name) => !registered.includes(name))
    for (const name of missing) {
      yield* Effect.logInfo(`Provider ${name} is not registered: not part of this build, or not configured`)
    }
    if (registered.length === 0) {
      return yield* settingsWrong(
        issueAbout("PROVIDERS", "must name at least one provider that this build has, such as chainflip"),
      )
    }
  }))
