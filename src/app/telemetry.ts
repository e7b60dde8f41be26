import { Layer, Option, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Otlp } from "effect/observability"
import type { Settings } from "../Config.ts"
import { version } from "../version.ts"
import { sampling } from "./sampling.ts"

/** Sends traces, logs and metrics to a collector, where one is set; what is still held goes out at the end. */
export const telemetry = (
  { otlpEndpoint, otlpHeaders, otlpSampledPart, otlpServiceName }: Settings,
): Layer.Layer<never> => {
  if (Option.isNone(otlpEndpoint)) return Layer.empty
  return sampling(otlpSampledPart).pipe(Layer.provideMerge(Otlp.layerJson({
    baseUrl: otlpEndpoint.value.href,
    headers: Option.match(otlpHeaders, { onNone: () => [], onSome: Redacted.value }),
    resource: { serviceName: otlpServiceName, serviceVersion: version },
  }))).pipe(Layer.provide(FetchHttpClient.layer))
}
