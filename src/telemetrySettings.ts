import { Schema } from "effect"
import { anHttpUrl, ExportHeaders, HttpUrl, numberFrom } from "./settingKinds.ts"
import { optionalSetting, setting } from "./Setting.ts"

/** Where traces, logs and metrics go; the names are those of OpenTelemetry. */
export const telemetrySettings = {
  otlpEndpoint: optionalSetting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    defaultNote: "nothing is exported",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "OpenTelemetry collector that traces, logs and metrics are sent to, as JSON over HTTP",
  }),
  otlpHeaders: optionalSetting({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    defaultNote: "none",
    schema: Schema.RedactedFromValue(ExportHeaders),
    expected: "name=value pairs with commas between them, encoded as in a URL",
    meaning: "Headers of what is sent there, such as a collector's key",
  }),
  otlpServiceName: setting({
    name: "OTEL_SERVICE_NAME",
    default: "swap-broker",
    schema: Schema.NonEmptyString,
    expected: "a name",
    meaning: "What the service is called there",
  }),
  otlpSampledPart: setting({
    name: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    schema: numberFrom(Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
    expected: "a number from 0 to 1",
    meaning:
      "Part of the traces that is sent there, by trace id; what a caller says is not traced is not. Log lines " +
      "and metrics are sent in any case",
  }),
}
