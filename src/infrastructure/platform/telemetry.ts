import { Effect, Layer, Option, Redacted, Schema, SchemaGetter, SchemaIssue, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { itemsOf, numberBetween, optionalUrl } from "../config/kinds.ts"
import { optionalSetting, setting, struct, type Value } from "../config/Setting.ts"
import { version } from "./version.ts"

const headerPair = /^([!#$%&'*+.^_`|~0-9a-z-]+)=(.*)$/i

/** The decoded text of a URL-encoded value; undefined where it is not encoded correctly. */
const decoded = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

const headerOf = (pair: string): Option.Option<readonly [string, string]> => {
  const [, name, value = ""] = headerPair.exec(pair) ?? []
  const text = decoded(value.trim())
  return name === undefined || text === undefined ? Option.none() : Option.some([name, text])
}

const Header = Schema.Tuple([Schema.NonEmptyString, Schema.String])

/** Headers in the form of OpenTelemetry's settings: `name=value,other=value`, with the values URL-encoded. */
const ExportHeaders = Schema.String.pipe(
  Schema.decodeTo(Schema.Array(Header), {
    decode: SchemaGetter.transformEffect((list, options) =>
      Option.match(itemsOf(list, headerOf), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "is no header" }, "", options)),
        onSome: (headers) => Effect.succeed(headers),
      })
    ),
    encode: SchemaGetter.transform((headers) =>
      headers.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(",")
    ),
  }),
)

/** The destination of traces, logs and metrics; the names are those of OpenTelemetry. */
export const telemetrySettings = struct({
  endpoint: optionalUrl({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    unset: "nothing is exported",
    meaning: "OpenTelemetry collector that traces, logs and metrics are sent to, as JSON over HTTP",
  }),
  headers: optionalSetting({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    unset: "none",
    schema: Schema.RedactedFromValue(ExportHeaders),
    expected: "name=value pairs with commas between them, encoded as in a URL",
    meaning: "Headers sent to the collector, such as its key",
  }),
  serviceName: setting({
    name: "OTEL_SERVICE_NAME",
    default: "swap-broker",
    schema: Schema.NonEmptyString,
    expected: "a name",
    meaning: "Service name in OpenTelemetry",
  }),
  sampledPart: numberBetween(0, 1, {
    name: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    meaning:
      "Share of traces that is exported. Requests whose traceparent is not sampled are left out. Logs and metrics are " +
      "always exported",
  }),
})

/** The number of last hexadecimal digits of a trace id that decide about sampling; they are random in every trace. */
const digits = 13

/** The position of a trace id among all of them, from 0 to 1: the same in every process that sees the trace. */
const placeOf = (traceId: string): number => Number.parseInt(traceId.slice(-digits), 16) / 16 ** digits

/** Samples this part of the traces, 0 to 1, as a whole each. Callers' own decisions don't count: they could flood. */
export const sampledPart = (tracer: Tracer.Tracer, part: number): Tracer.Tracer => {
  const isSampled = (parent: Option.Option<Tracer.AnySpan>): boolean => {
    if (Option.isNone(parent)) return Math.random() < part
    return parent.value._tag === "Span" || placeOf(parent.value.traceId) < part
  }
  return {
    ...tracer,
    span: (options) => tracer.span({ ...options, sampled: options.sampled && isSampled(options.parent) }),
  }
}

const sampling = (part: number): Layer.Layer<never> =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, (tracer) => sampledPart(tracer, part)))

/** Sends traces, logs and metrics to a collector, if one is set; buffered data is sent at the end. */
export const telemetry = (settings: Value<typeof telemetrySettings>): Layer.Layer<never> => {
  const { endpoint, headers, serviceName } = settings
  if (Option.isNone(endpoint)) return Layer.empty
  return sampling(settings.sampledPart).pipe(
    Layer.provideMerge(Otlp.layerJson({
      baseUrl: endpoint.value.href,
      headers: Option.match(headers, { onNone: () => [], onSome: Redacted.value }),
      resource: { serviceName, serviceVersion: version },
    })),
    Layer.provide(FetchHttpClient.layer),
  )
}
