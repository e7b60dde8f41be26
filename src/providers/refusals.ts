import { Cause, Effect, Layer, Predicate, Result } from "effect"
import { keepBody } from "#domain/swaps/Journal.ts"
import {
  MalformedBody,
  ProviderDefect,
  ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
} from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { faultOf } from "#domain/RefusedAnswer.ts"
import { EndpointCalendar } from "#infrastructure/ops/EndpointCalendar.ts"
import { RefusalRecorder } from "#infrastructure/ops/Refusals.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { logErrorSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { CurrentReporter, type Exchange, originalOf, type RefusalReporter } from "./upstream/transport.ts"

interface PortCall {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

/** The latest answers that are kept until a call ends; operations ask for few. */
const mostExchanges = 4

/** A longer body is cut: nobody reads one, and it must not be kept while a call lasts. */
const longestBody = 262_144

type Kept = Pick<Exchange, "call" | "body">

/** How many steps of a path lead somewhere in a body. */
const stepsIn = (body: string, path: string): number => {
  const parsed = Result.try((): unknown => JSON.parse(body))
  if (Result.isFailure(parsed)) return 0
  let value: unknown = parsed.success
  let steps = 0
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (!Predicate.hasProperty(value, step)) return steps
    value = value[step]
    steps += 1
  }
  return steps
}

/** The answer that a refusal is most likely about: the latest of those in which its path leads the furthest. */
const refusedOf = (exchanges: ReadonlyArray<Kept>, path: string): Kept | undefined =>
  exchanges.toReversed().map((exchange) => ({ exchange, steps: stepsIn(exchange.body, path) }))
    .toSorted((one, other) => other.steps - one.steps).at(0)?.exchange

const told = new WeakSet<ProviderErrorReason>()

const record = Effect.fnUntraced(
  function* (of: PortCall, detail: string, exchanges: ReadonlyArray<Kept> = []) {
    const { refused } = yield* RefusalRecorder
    const at = yield* currentMillis
    const fault = faultOf(detail)
    const exchange = refusedOf(exchanges, fault.path)
    const said = exchange === undefined ? {} : { call: exchange.call(), body: keepBody(exchange.body) }
    return { fault, member: refused({ ...of, at, ...fault, ...said }) }
  },
)

/** Tells of a refused answer: one line, one count, and its body. */
const tell = Effect.fnUntraced(function* (of: PortCall, detail: string, exchanges: ReadonlyArray<Kept>) {
  const { fault: { came, expected, path }, member } = yield* record(of, detail, exchanges)
  const { operation, provider } = of
  yield* Effect.logError(
    `An answer of ${provider} to ${operation} is refused. ${path}: ` +
      (expected === undefined ? came : `expected ${expected}, got ${came}`),
  ).pipe(Effect.annotateLogs({ platform: provider, operation, member }))
})

const makeHearing = (of: PortCall, { answered }: EndpointCalendar): RefusalReporter => {
  let exchanges: ReadonlyArray<Kept> = []
  return {
    heard: ({ body, call, ...answer }) => {
      exchanges = [...exchanges, { call, body: body.slice(0, longestBody) }].slice(-mostExchanges)
      return answered({ ...of, ...answer, call })
    },
    refused: (reason) =>
      Effect.suspend(() => {
        const original = originalOf(reason)
        if (original._tag !== "MalformedBody" || told.has(original)) return Effect.void
        told.add(original)
        return tell(of, original.detail, exchanges)
      }),
  }
}

/** Hears what upstreams answer to a call, and tells of an answer that is refused. */
export const tellingRefusals =
  (of: PortCall) => <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
    Effect.withFiber((fiber) => {
      const hearing = makeHearing(of, fiber.getRef(EndpointCalendar))
      return call.pipe(
        Effect.tapError(({ reason }) => hearing.refused(reason)),
        Effect.provideService(CurrentReporter, hearing),
      )
    })

/** For what a provider asks by itself: it keeps finding out which assets there are. */
export const hearingItself = (provider: ProviderName): Layer.Layer<never> =>
  Layer.effect(
    CurrentReporter,
    Effect.map(EndpointCalendar, (calendar) => makeHearing({ provider, operation: "assets" }, calendar)),
  )

/** Fails with an answer that is refused by what is known outside of its provider, whose line says what to do. */
export const refuse = (of: PortCall, detail: string): Effect.Effect<never, ProviderError> =>
  Effect.andThen(
    record(of, detail),
    Effect.fail(new ProviderError({ ...of, reason: new MalformedBody({ detail, reached: true }) })),
  )

export const defectOf = (provider: ProviderName, operation: ProviderOperation): ProviderError =>
  new ProviderError({ provider, operation, reason: new ProviderDefect() })

/** Makes a throw, a defect or an interruption of the provider's own code a failure of this call, with a log line. */
export const containing =
  (provider: ProviderName, operation: ProviderOperation) =>
  <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
    Effect.catchCause(call, (cause) => {
      if (Cause.hasFails(cause) && !Cause.hasDies(cause)) return Effect.failCause(cause)
      const failed = Effect.andThen(
        logErrorSparsely(
          `defect ${provider} ${operation}`,
          1,
          `Internal error of ${provider} in ${operation}`,
          cause,
        ).pipe(Effect.annotateLogs({ platform: provider, operation })),
        Effect.fail(defectOf(provider, operation)),
      )
      // Ends here where it is the caller that is interrupted.
      return Cause.hasDies(cause) ? failed : Effect.andThen(Effect.interruptible(Effect.void), failed)
    })
