import { Cause, Exit, Layer, Logger, References, Tracer } from "effect"

/** Everything that log and trace get to see of what runs under `layer`. */
export interface Observation {
  readonly layer: Layer.Layer<never>
  /** Log lines of every level, with their annotations and causes. */
  readonly lines: Array<string>
  readonly spans: Array<Tracer.Span>
  /** All of it as text, as exporters would write it. */
  readonly text: () => string
}

const spanText = ({ name, attributes, status, traceId, spanId }: Tracer.Span): string => {
  const failure = status._tag === "Ended" && Exit.isFailure(status.exit)
    ? Cause.pretty(status.exit.cause)
    : ""
  return `${name} ${traceId} ${spanId} ${JSON.stringify([...attributes])} ${failure}`
}

/** Collects log lines and spans. */
export const observe = (): Observation => {
  const lines: Array<string> = []
  const spans: Array<Tracer.Span> = []
  const logger = Logger.map(Logger.formatJson, (line) => {
    lines.push(line)
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  return {
    lines,
    spans,
    layer: Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeed(References.MinimumLogLevel, "Trace"),
      Layer.succeed(Tracer.Tracer, tracer),
    ),
    text: () => [...lines, ...spans.map(spanText)].join("\n"),
  }
}
