import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import type { Actor } from "../domain/Audit.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { ProviderSwitch, SwitchChange } from "../domain/ProviderSwitch.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { orWentWrong, type WentWrong } from "../platform/orWentWrong.ts"
import { SwitchesRepo } from "../store/accounts/SwitchesRepo.ts"

/** How long another replica's change may take to be followed. */
const readEvery = Duration.seconds(1)

/**
 * What the operator has switched off, the kill switch: kept in the database, followed by every
 * replica, and at hand without waiting. While the database is away the last known state holds.
 */
export class Switches extends Context.Service<Switches, {
  /** What is switched off of a provider at present. */
  readonly current: (platform: ProviderName) => Effect.Effect<ReadonlyArray<ProviderSwitch>>
  /** Switches off or on, in force here at once. */
  readonly set: (change: SwitchChange, by: Actor) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/providers/Switches") {
  /** Reads what is in force before it is there, so that nothing is served past a switch. */
  static readonly layer: Layer.Layer<Switches, StoreUnavailable, SwitchesRepo> = Layer.effect(
    Switches,
    Effect.gen(function* () {
      const repo = yield* SwitchesRepo
      let off: ReadonlyArray<ProviderSwitch> = []
      let readable = true

      // One at a time: a slow read must not put an older state over a newer one.
      const reading = yield* Semaphore.make(1)
      const read = reading.withPermits(1)(Effect.map(repo.latest, (latest) => {
        off = latest.filter(({ enabled }) => !enabled)
        readable = true
      }))

      const unreadable = (error: StoreUnavailable | WentWrong) =>
        Effect.suspend(() => {
          const first = readable
          readable = false
          return first
            ? Effect.logWarning("The switches cannot be read; what is known of them stays in force", error)
            : Effect.void
        })

      yield* read
      yield* read.pipe(
        orWentWrong,
        Effect.catch(unreadable),
        Effect.delay(readEvery),
        Effect.forever,
        Effect.forkScoped,
      )

      const set = Effect.fn("Switches.set")(function* (change: SwitchChange, by: Actor) {
        yield* repo.add(change, { actor: by, at: yield* currentMillis })
        yield* Effect.logWarning(
          `${change.platform} was switched ${change.enabled ? "on" : "off"} by the operator`,
          change,
        )
        yield* read
      })

      return Switches.of({
        current: (platform) => Effect.sync(() => off.filter((one) => one.platform === platform)),
        set,
      })
    }),
  )
}
