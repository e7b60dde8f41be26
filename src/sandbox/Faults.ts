import { Clock, Context, Duration, Effect, Layer, Random } from "effect"
import {
  type Behaviour,
  behaviours,
  type BrokerError,
  defaultLatencyMs,
  type FaultCode,
  type FaultKind,
  type FaultOperation,
  type FaultRule,
  type SimulatedProvider,
} from "#api/SandboxFaults.ts"
import { json, type Reply, type WireAnswer, type WireRequest } from "./Wire.ts"

/** A call that faults can affect, in its wire's terms. */
export interface Disturbable<E, R> {
  readonly provider: SimulatedProvider
  /** The operations in the request; a batch can hold several. */
  readonly operations: ReadonlyArray<FaultOperation>
  readonly act: Effect.Effect<Reply, E, R>
  /** Refuses the call with the wire's own form of the code. */
  readonly refuse: (code: FaultCode) => Effect.Effect<Reply, E, R>
  /** Answers as who does not have the call; absent on wires where every call is there. */
  readonly hide?: Effect.Effect<Reply, E, R>
  /** Refuses the call with an error of Chainflip's modules; absent on other wires. */
  readonly fail?: (error: BrokerError) => Effect.Effect<Reply, E, R>
}

export interface RateLimit {
  readonly most: number
  /** For how long none is taken after one too many, in milliseconds; absent: until there are fewer in a minute again. */
  readonly restMillis?: number
}

const minuteMillis = 60_000

/** Seconds that a client is asked to wait, where it is asked to. */
const retryAfterSeconds = 5

const withRetryAfter = (reply: Reply): Reply =>
  reply.status === 429
    ? { ...reply, headers: { ...reply.headers, "retry-after": `${retryAfterSeconds}` } }
    : reply

/** Rules by which upstreams misbehave: on the wire only, and gone after a restart. */
export class Faults extends Context.Service<Faults>()("swap-broker/sandbox/Faults", {
  make: Effect.fnUntraced(function* (seed: string) {
    const random = yield* Random.Random.pipe(Random.withSeed(`${seed}/faults`))
    let rules: ReadonlyArray<FaultRule> = []
    const calls = new Map<string, ReadonlyArray<number>>()
    const restUntil = new Map<string, number>()

    const does = (behaviour: Behaviour): boolean =>
      rules.find((rule) => rule.behaviour === behaviour)?.on ?? behaviours[behaviour].on

    const isTooMany = (kind: string, { most, restMillis }: RateLimit, now: number): boolean => {
      if (now < (restUntil.get(kind) ?? 0)) return true
      const lately = (calls.get(kind) ?? []).filter((at) => now - at < minuteMillis)
      const isOver = lately.length >= most
      calls.set(kind, isOver ? lately : [...lately, now])
      if (isOver && restMillis !== undefined) restUntil.set(kind, now + restMillis)
      return isOver
    }

    const take = (provider: SimulatedProvider, operations: ReadonlyArray<FaultOperation>) => {
      const rule = rules.find((rule) =>
        isFor(rule, provider, operations) && (rule.error === undefined || provider === "chainflip") &&
        (rule.rate === undefined || random.nextDoubleUnsafe() < rule.rate)
      )
      if (rule !== undefined) rules = rules.flatMap((other) => other === rule ? used(rule) : [other])
      return rule
    }

    return {
      rules: Effect.sync(() => rules),
      /** Adds a rule, in place of one for the same provider and operation. */
      put: (rule: FaultRule) =>
        Effect.sync(() => rules = [rule, ...rules.filter((other) => !isSameTarget(other, rule))]),
      clear: Effect.sync(() => {
        rules = []
        calls.clear()
        restUntil.clear()
      }),
      /** Whether the upstreams behave in a way: as the latest rule says, else as usual. */
      does: (behaviour: Behaviour) => Effect.sync(() => does(behaviour)),
      /** Counts a call of a kind, and says whether the upstream refuses it as one of too many. */
      isTooMany: (kind: string, limit: RateLimit) =>
        Effect.map(Clock.currentTimeMillis, (now) => does("rateLimits") && isTooMany(kind, limit, now)),
      /** Answers a request below the provider's base URL, at an endpoint that may announce its end. */
      announce: <E, R>(
        provider: SimulatedProvider,
        request: WireRequest,
        act: Effect.Effect<WireAnswer, E, R>,
      ) =>
        Effect.suspend(() => {
          const ends = rules.find((rule) =>
            rule.ends !== undefined && (rule.provider ?? provider) === provider &&
            isAt(rule.ends.endpoint, request)
          )?.ends
          return ends === undefined ? act : announced(ends, act)
        }),
      /** Answers a call, by the newest rule that matches it. */
      disturb: <E, R>(call: Disturbable<E, R>) =>
        Effect.suspend((): Effect.Effect<WireAnswer, E, R> => {
          const rule = take(call.provider, call.operations)
          if (rule === undefined) return call.act
          return misbehave(rule, does("retryAfter") ? { ...call, refuse: patient(call.refuse) } : call)
        }),
    }
  }),
}) {
  /** `seed` determines which calls a rule with a `rate` affects. */
  static readonly layer = (seed: string): Layer.Layer<Faults> => Layer.effect(this, this.make(seed))
  /** `does` and `isTooMany` of the faults that are provided. */
  static readonly does = (behaviour: Behaviour): Effect.Effect<boolean, never, Faults> =>
    Effect.flatMap(Faults, (faults) => faults.does(behaviour))
  static readonly isTooMany = (kind: string, limit: RateLimit): Effect.Effect<boolean, never, Faults> =>
    Effect.flatMap(Faults, (faults) => faults.isTooMany(kind, limit))
}

/** Whether a request is of an endpoint: its method and path, or what is below; or the method that its JSON names. */
const isAt = (endpoint: string | undefined, { body, method, path }: WireRequest): boolean =>
  endpoint === undefined || `${method} ${path}/`.startsWith(`${endpoint}/`) ||
  body.includes(`"method":"${endpoint}"`)

const announced = <E, R>(
  { endpoint: _, retired, ...lines }: NonNullable<FaultRule["ends"]>,
  act: Effect.Effect<WireAnswer, E, R>,
): Effect.Effect<WireAnswer, E, R> =>
  Effect.map(
    retired === undefined ? act : Effect.succeed(json(retired, { message: "Not Found" })),
    (answer) => answer._tag === "Reply" ? { ...answer, headers: { ...answer.headers, ...lines } } : answer,
  )

/** Refusals that say how long to wait, where they are for too many calls. */
const patient = <E, R>(refuse: Disturbable<E, R>["refuse"]): Disturbable<E, R>["refuse"] => (code) =>
  Effect.map(refuse(code), withRetryAfter)

const isFor = (rule: FaultRule, provider: SimulatedProvider, operations: ReadonlyArray<FaultOperation>) =>
  rule.behaviour === undefined && rule.ends === undefined &&
  (rule.provider === undefined || rule.provider === provider) &&
  (rule.operation === undefined ? operations.length > 0 : operations.includes(rule.operation))

const isSameTarget = (one: FaultRule, other: FaultRule): boolean =>
  one.behaviour === other.behaviour && one.provider === other.provider && one.operation === other.operation &&
  (one.ends === undefined) === (other.ends === undefined) && one.ends?.endpoint === other.ends?.endpoint

const used = (rule: FaultRule): ReadonlyArray<FaultRule> => {
  if (rule.count === undefined) return [rule]
  return rule.count === 1 ? [] : [{ ...rule, count: rule.count - 1 }]
}

const misbehave = <E, R>(rule: FaultRule, call: Disturbable<E, R>): Effect.Effect<WireAnswer, E, R> => {
  const { code, error, kind } = rule
  const answer = code !== undefined
    ? call.refuse(code)
    : error !== undefined
    ? call.fail?.(error) ?? call.act
    : kind !== undefined
    ? kind === "not_offered" ? call.hide ?? call.act : kinds[kind](call.act)
    : call.act
  const delay = rule.latencyMs ?? (kind === "latency" ? defaultLatencyMs : 0)
  return delay === 0 ? answer : Effect.tap(answer, () => Effect.sleep(Duration.millis(delay)))
}

const notOfTheForm = JSON.stringify({ unexpected: "form" })

/** The effect of each kind on an answer. All but `http_500` carry the call out first. */
const kinds: Readonly<
  Record<
    Exclude<FaultKind, "not_offered">,
    <E, R>(act: Effect.Effect<Reply, E, R>) => Effect.Effect<WireAnswer, E, R>
  >
> = {
  latency: (act) => act,
  timeout: (act) => Effect.as(act, { _tag: "Silence" as const }),
  reset: (act) => Effect.as(act, { _tag: "Reset" as const }),
  malformed: (act) => Effect.map(act, (reply) => ({ ...reply, body: notOfTheForm })),
  http_500: () => Effect.succeed(json(500, { message: "unknown error" })),
}
