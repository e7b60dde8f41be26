import type { ProblemCode } from "../domain/ProblemCode.ts"
import { Context, Duration, Effect, Layer, Random } from "effect"
import {
  type BrokerError,
  defaultLatencyMs,
  type FaultKind,
  type FaultOperation,
  type FaultRule,
  type SimulatedProvider,
} from "../api/SandboxFaults.ts"
import { json, type Reply, type WireAnswer } from "./Wire.ts"

/** A call that faults can affect, in its wire's terms. */
export interface Disturbable<E, R> {
  readonly provider: SimulatedProvider
  /** The operations in the request; a batch can hold several. */
  readonly operations: ReadonlyArray<FaultOperation>
  /** Carries the call out. */
  readonly act: Effect.Effect<Reply, E, R>
  /** Refuses the call with the wire's own form of the code. */
  readonly refuse: (code: ProblemCode) => Effect.Effect<Reply, E, R>
  /** Answers as who does not have the call; absent on wires where every call is there. */
  readonly hide?: Effect.Effect<Reply, E, R>
  /** Refuses the call with an error of Chainflip's modules; absent on other wires. */
  readonly fail?: (error: BrokerError) => Effect.Effect<Reply, E, R>
}

/**
 * The rules by which upstreams misbehave. They affect only the wire, never the network, and do not survive a restart.
 */
export class Faults extends Context.Service<Faults, {
  /** The rules in force, the newest first. */
  readonly rules: Effect.Effect<ReadonlyArray<FaultRule>>
  /** Adds a rule, in place of one for the same provider and operation. */
  readonly put: (rule: FaultRule) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
  /** Answers a call, by the newest rule that matches it. */
  readonly disturb: <E, R>(call: Disturbable<E, R>) => Effect.Effect<WireAnswer, E, R>
}>()("swap-broker/sandbox/Faults") {
  /** `seed` determines which calls a rule with a `rate` affects. */
  static readonly layer = (seed: string): Layer.Layer<Faults> => Layer.effect(Faults, make(seed))
}

const make = Effect.fnUntraced(function* (seed: string) {
  const random = yield* Random.Random.pipe(Random.withSeed(`${seed}/faults`))
  let rules: ReadonlyArray<FaultRule> = []

  const take = (provider: SimulatedProvider, operations: ReadonlyArray<FaultOperation>) => {
    const rule = rules.find((rule) =>
      isFor(rule, provider, operations) && (rule.error === undefined || provider === "chainflip") &&
      (rule.rate === undefined || random.nextDoubleUnsafe() < rule.rate)
    )
    if (rule !== undefined) rules = rules.flatMap((other) => other === rule ? used(rule) : [other])
    return rule
  }

  return Faults.of({
    rules: Effect.sync(() => rules),
    put: (rule) => Effect.sync(() => rules = [rule, ...rules.filter((other) => !isSameTarget(other, rule))]),
    clear: Effect.sync(() => rules = []),
    disturb: (call) =>
      Effect.suspend(() => {
        const rule = take(call.provider, call.operations)
        return rule === undefined ? call.act : misbehave(rule, call)
      }),
  })
})

const isFor = (
  rule: FaultRule,
  provider: SimulatedProvider,
  operations: ReadonlyArray<FaultOperation>,
): boolean =>
  (rule.provider === undefined || rule.provider === provider) &&
  (rule.operation === undefined ? operations.length > 0 : operations.includes(rule.operation))

const isSameTarget = (one: FaultRule, other: FaultRule): boolean =>
  one.provider === other.provider && one.operation === other.operation

/** The rules that remain of a rule after it affected a call. */
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
