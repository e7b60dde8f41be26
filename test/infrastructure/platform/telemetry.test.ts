import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Schema } from "effect"
import { addresses } from "#test/contract/support/addresses.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { version } from "#infrastructure/platform/version.ts"
import type { Environment } from "#test/support/process.ts"
import { collector } from "./collector.ts"

const Span = Schema.Struct({
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optionalKey(Schema.String),
  name: Schema.String,
})
type Span = typeof Span.Type

const Traces = Schema.Struct({
  resourceSpans: Schema.Array(
    Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) }),
  ),
})
const readTraces = Schema.decodeUnknownSync(Schema.fromJsonString(Traces))

const spansIn = (bodies: ReadonlyArray<string>): ReadonlyArray<Span> =>
  bodies.flatMap((body) =>
    readTraces(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  )

/** The names from a span up to the first one of its trace. */
const lineage = (spans: ReadonlyArray<Span>, span: Span): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(parent === undefined ? [] : lineage(spans, parent))]
}

const collectorKey = "collector-key-58c1"
const callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"

/** A quote and an opening, in the caller's trace; everything is exported once the service has ended. */
const used = Effect.fnUntraced(function* (endpoint: URL, more: Environment = {}) {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.href,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey},x-other=a%20b`,
    OTEL_SERVICE_NAME: "broker-under-test",
    LOG_LEVEL: "info",
    ...more,
  }
  const asked = Effect.gen(function* () {
    const url = yield* brokerUrl
    const headers = { "x-api-key": testKey, traceparent: `00-${callersTrace}-00f067aa0ba902b7-01` }
    const ask = (path: string) =>
      Effect.promise(() =>
        fetch(new URL(path, url), { headers }).then(async (answer) => {
          await answer.text()
          return answer.status
        })
      )
    return [
      yield* ask("/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=1"),
      yield* ask(`/swap?sourceAsset=btc.btc&destinationAsset=eth.eth&destinationAddress=${addresses.eth}`),
      yield* ask("/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.00000001"),
    ]
  })
  return yield* Effect.provide(asked, Layer.fresh(broker(settings)))
})

describe("telemetry", () => {
  it.live("exports one trace from the request to each upstream call and statement, without secrets", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      assert.deepStrictEqual(yield* used(url), [200, 200, 400])
      const of = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)

      const spans = spansIn(of("/v1/traces"))
      const trace = spans.filter(({ traceId }) => traceId === callersTrace)
      const lines = trace.map((span) => lineage(trace, span).toReversed().join(" > "))
      assert.include(lines, "http.request > Quoting.quotes > Chainflip.quotes > upstream.exchange")
      assert.include(lines, "http.request > Quoting.quotes > NearIntents.quotes > upstream.exchange")
      assert.isTrue(
        lines.some((line) => /^http\.request > .*Chainflip\.open > upstream\.exchange$/.test(line)),
        lines.join("\n"),
      )
      assert.isTrue(lines.some((line) => /^http\.request > .*postgres/.test(line)), lines.join("\n"))

      const logs = of("/v1/logs").join("\n")
      assert.include(logs, "A deposit channel was opened")
      assert.notInclude(logs, "Providers were passed over")
      assert.include(logs, callersTrace)
      const metrics = of("/v1/metrics").join("\n")
      assert.include(metrics, "swap_broker_request_duration_seconds")

      assert.isAbove(received.length, 2)
      for (const { body, headers } of received) {
        assert.strictEqual(headers.get("x-collector-key"), collectorKey)
        assert.strictEqual(headers.get("x-other"), "a b")
        assert.include(body, "broker-under-test")
        assert.include(body, `{"key":"service.version","value":{"stringValue":"${version}"}}`)
        for (const secret of [testKey, addresses.eth, addresses.eth.toLowerCase(), "bcrt1"]) {
          assert.notInclude(body, secret)
        }
      }
    }).pipe(Effect.scoped))

  it.live("sends no trace where none is to be sampled, and all else", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      assert.deepStrictEqual(yield* used(url, { OTEL_TRACES_SAMPLER_ARG: "0" }), [200, 200, 400])
      const paths = new Set(received.map(({ path }) => path))
      assert.deepStrictEqual([...paths].toSorted(), ["/v1/logs", "/v1/metrics"])
    }).pipe(Effect.scoped))

  it.live("serves while the collector cannot be reached", function* () {
    assert.deepStrictEqual(yield* used(new URL("http://127.0.0.1:1")), [200, 200, 400])
  })
})
