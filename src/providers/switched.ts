import { Effect } from "effect"
import type { AssetId } from "../domain/Asset.ts"
import { AssetDisabled, NotCalled, ProviderError, type ProviderOperation } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { ProviderSwitch } from "../domain/ProviderSwitch.ts"
import { type AssetSupport, intercept, type Provider } from "./Provider.ts"
import type { Switches } from "./Switches.ts"

/** Nobody knows when the operator switches on again. */
const retryAfterSeconds = 60

const detailOf = ({ reason }: ProviderSwitch): string => `switched off by the operator: ${reason}`

/**
 * Whether a switch is about an operation. One without an operation is about new business only: open swaps are
 * followed until `status` itself is switched off.
 */
const concerns = ({ operation }: ProviderSwitch, asked: ProviderOperation): boolean =>
  operation === undefined ? asked !== "status" : operation === asked

/** Why an operation with these assets is not to be called, if so. */
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

/** Assets that are off for every operation are neither taken nor paid out. */
const withoutAssets =
  (off: ReadonlyArray<ProviderSwitch>) =>
  (supported: ReadonlyArray<AssetSupport>): ReadonlyArray<AssetSupport> => {
    const disabled = off.filter(({ operation }) => operation === undefined).map(({ asset }) => asset)
    return supported.map((support) =>
      disabled.includes(support.asset) ? { ...support, ingress: false, egress: false } : support
    )
  }

/** Fails where an operation of a provider with these assets is not to be called at present. Calls nothing. */
export type MayCall = (
  provider: ProviderName,
  operation: ProviderOperation,
  assets: ReadonlyArray<AssetId>,
) => Effect.Effect<void, ProviderError>

/** What the operator has switched off may not be called. */
export const mayCallUnder = (switches: Switches["Service"]): MayCall => (provider, operation, assets) =>
  Effect.flatMap(switches.current(provider), (off) => {
    const reason = off.length === 0 ? undefined : switchedOff(off, operation, assets)
    return reason === undefined
      ? Effect.void
      : Effect.fail(new ProviderError({ provider, operation, reason }))
  })

/** The provider, but for what the operator has switched off: that is never called. */
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
