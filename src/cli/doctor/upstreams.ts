import { Effect, Layer, Option } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { guardKnobs } from "../../app/guardKnobs.ts"
import { type UpstreamPlace, upstreamPlaces } from "../../app/upstreamPlaces.ts"
import { upstreamsElsewhere } from "../../app/Upstreams.ts"
import type { Settings } from "../../Config.ts"
import { fetchOnce } from "../../platform/fetchOnce.ts"
import { Guard } from "../../providers/Guard.ts"
import { providers, type ProvidersOptions } from "../../providers/mod.ts"
import type { Provider } from "../../providers/Provider.ts"
import { Registry } from "../../providers/Registry.ts"
import { type Finding, ill, well } from "./Finding.ts"

const patienceMillis = 5_000

/** Any answer but a failure of its own shows that something listens there; what it says is the provider's to read. */
const reach = ({ setting, url }: UpstreamPlace): Effect.Effect<Finding> =>
  Effect.tryPromise(async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMillis) })
    await response.body?.cancel()
    return response.status
  }).pipe(Effect.match({
    onSuccess: (status) =>
      status < 500
        ? well(setting, `${url.host} can be reached`)
        : ill(setting, `${url.host} answers with ${status}`, "Look after that upstream, or ask its operator"),
    onFailure: () =>
      ill(
        setting,
        `${url.host} cannot be reached within ${patienceMillis / 1_000} seconds`,
        `Correct ${setting}, or let this machine connect to ${url.host}`,
      ),
  }))

const ask = ({ name, assets }: Provider): Effect.Effect<Finding> =>
  Effect.match(assets, {
    onSuccess: (all) => well(`provider ${name}`, `knows ${all.length} assets`),
    onFailure: ({ reason }) =>
      ill(
        `provider ${name}`,
        `does not say which assets it has (${reason._tag})`,
        `Check the settings of ${name}; or switch it off: providers switch ${name} off`,
      ),
  })

const askAll = (settings: Settings, options: ProvidersOptions) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    return yield* Effect.forEach(yield* registry.enabled, ask, { concurrency: "unbounded" })
  }).pipe(Effect.provide(
    providers(options).pipe(
      Layer.provide(fetchOnce),
      Layer.provideMerge(Registry.layer(settings.providers)),
      Layer.provide(Guard.layer(guardKnobs(settings))),
      Layer.provide(CircuitBreaker.layerStoreMemory({ idleTimeToLive: settings.circuitForget })),
    ),
  ))

/** Whether each upstream can be reached, and answers as its provider expects. */
export const checkUpstreams = Effect.fnUntraced(function* (settings: Settings) {
  const elsewhere = upstreamsElsewhere(settings)
  if (Option.isNone(elsewhere)) return [well("upstreams", "simulated inside the service (MODE=sandbox)")]
  const options = elsewhere.value.providers
  const reached = yield* Effect.forEach(upstreamPlaces(options), reach, { concurrency: "unbounded" })
  return [...reached, ...(yield* askAll(settings, options))]
})
