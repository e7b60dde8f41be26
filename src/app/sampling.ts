import { Effect, Layer, Option, Tracer } from "effect"

/** So many of the last hexadecimal digits of a trace id decide; they are random in every trace. */
const digits = 13

/** Where a trace id stands among all of them, from 0 to 1: the same in every process that sees the trace. */
const placeOf = (traceId: string): number => Number.parseInt(traceId.slice(-digits), 16) / 16 ** digits

/**
 * Has only this part of the traces sampled, from 0 to 1. The spans of one trace are sampled together. That a caller
 * has its own part sampled does not have ours, or whoever may call could have everything sent to the collector.
 */
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

/** The tracer of the context, for this part of the traces. */
export const sampling = (part: number): Layer.Layer<never> =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, (tracer) => sampledPart(tracer, part)))
