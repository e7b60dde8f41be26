import { Duration, Effect, Semaphore } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { AssetDisabled, NotCalled, ProviderError, type ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { ProviderSwitch, SwitchChange } from "#domain/operations/ProviderSwitch.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { SwitchesRepo } from "#infrastructure/store/accounts/SwitchesRepo.ts"
import { intercept } from "./operations.ts"
import type { AssetSupport, Provider } from "./Provider.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** The time between two reads, in which another replica's change takes effect here. */
const readEvery = Duration.seconds(1)

/** The operator's kill switch, kept in the database and followed by every replica. Without it the last state holds. */
export class Switches extends service<Switches>()(
  "swap-broker/providers/Switches",
  Effect.gen(function* () {
    const repo = yield* SwitchesRepo
    let off: ReadonlyArray<ProviderSwitch> = []

    // Only one read runs at a time: a slow one must not put an older state over a newer one.
    const reading = yield* Semaphore.make(1)
    const read = reading.withPermits(1)(Effect.map(repo.latest, (latest) => {
      off = latest.filter(({ enabled }) => !enabled)
    }))

    // Read before the service is ready, so that nothing is served past a switch.
    yield* read
    yield* read.pipe(
      surviving("Reading the provider switches failed; the known switches stay in force"),
      Effect.delay(readEvery),
      Effect.forever,
      Effect.forkScoped,
    )

    /** Switches off or on. The change is in force in this process at once. */
    const set = Effect.fn("Switches.set")(function* (change: SwitchChange, by: Actor) {
      yield* repo.add(change, { actor: by, at: yield* currentMillis })
      yield* Effect.logWarning(
        `${change.platform} was switched ${change.enabled ? "on" : "off"} by the operator`,
        change,
      )
      yield* read
    })

    const current = (provider: ProviderName) =>
      Effect.sync((): ReadonlyArray<ProviderSwitch> => off.filter(({ platform }) => platform === provider))
    return { current, set }
  }),
) {}

/** The seconds that callers are told to wait: nobody knows when the operator switches on again. */
const retryAfterSeconds = 60

const detailOf = ({ reason }: ProviderSwitch): string => `switched off by the operator: ${reason}`

/** What goes on where a provider takes no new business: open swaps are followed, and earnings can be taken home. */
const oldBusiness: ReadonlyArray<ProviderOperation> = ["status", "treasury", "withdraw"]

/** A switch without an operation covers new business only: open swaps are followed until `status` itself is off. */
const concerns = ({ operation }: ProviderSwitch, asked: ProviderOperation): boolean =>
  operation === undefined ? !oldBusiness.includes(asked) : operation === asked

/** The reason why an operation with these assets must not be called, if there is one. */
export const switchedOff = (
  off: ReadonlyArray<ProviderSwitch>,
  asked: ProviderOperation,
  assets: ReadonlyArray<AssetId>,
): NotCalled | AssetDisabled | undefined => {
  const inForce = off.filter((one) => concerns(one, asked))
  const whole = inForce.find(({ asset }) => asset === undefined)
  if (whole !== undefined) return new NotCalled({ detail: detailOf(whole), retryAfterSeconds })
  const one = inForce.find(({ asset }) => asset !== undefined && assets.includes(asset))
  return one === undefined ? undefined : new AssetDisabled({ detail: `${one.asset} is ${detailOf(one)}` })
}

/** The supported assets; those that are off for every operation are neither taken nor paid out. */
const withoutAssets =
  (off: ReadonlyArray<ProviderSwitch>) =>
  (supported: ReadonlyArray<AssetSupport>): ReadonlyArray<AssetSupport> => {
    const disabled = off.filter(({ operation }) => operation === undefined).map(({ asset }) => asset)
    return supported.map((support) =>
      disabled.includes(support.asset) ? { ...support, ingress: false, egress: false } : support
    )
  }

/** Fails where an operation of a provider with these assets must not be called now. Calls nothing. */
export type MayCall = (
  provider: ProviderName,
  operation: ProviderOperation,
  assets: ReadonlyArray<AssetId>,
) => Effect.Effect<void, ProviderError>

/** Makes the check that refuses the operations that are switched off. */
export const mayCallUnder = (switches: Switches["Service"]): MayCall => (provider, operation, assets) =>
  Effect.flatMap(switches.current(provider), (off) => {
    const reason = off.length === 0 ? undefined : switchedOff(off, operation, assets)
    return reason === undefined
      ? Effect.void
      : Effect.fail(new ProviderError({ provider, operation, reason }))
  })

/** The provider without the operations and assets that are switched off, which are never called. */
export const switched = (switches: Switches["Service"], provider: Provider): Provider => {
  const { name } = provider
  const mayCall = mayCallUnder(switches)
  const called = intercept(
    provider,
    ({ assets, operation }) => (call) => Effect.andThen(mayCall(name, operation, assets), call),
  )
  const assets = Effect.flatMap(
    switches.current(name),
    (off) => off.length === 0 ? called.assets : Effect.map(called.assets, withoutAssets(off)),
  )
  return { ...called, assets }
}
