import { Redacted } from "effect"
import { settings } from "../settings.ts"
import type { ProvidersOptions } from "../providers/mod.ts"

/** A place of an upstream, and the setting that says where it is. */
export interface UpstreamPlace {
  readonly setting: string
  /** May hold a secret: show its host only. */
  readonly url: URL
}

/** Every place that the configured providers call. */
export const upstreamPlaces = (
  { chainflip, nearIntents }: ProvidersOptions,
): ReadonlyArray<UpstreamPlace> => [
  ...(chainflip === undefined ? [] : [
    { setting: settings.chainflipBackendUrl.name, url: chainflip.backendUrl },
    { setting: settings.chainflipNodeUrl.name, url: chainflip.nodeUrl },
    { setting: settings.chainflipBrokerUrl.name, url: Redacted.value(chainflip.brokerUrl) },
  ]),
  ...(nearIntents === undefined ? [] : [{ setting: settings.nearIntentsUrl.name, url: nearIntents.url }]),
]
