import { Effect, Option, Schema } from "effect"
import type { FaultOperation } from "#api/SandboxFaults.ts"
import type { UnusableLog, World } from "../World.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply, text, type WireAnswer, type WireRequest } from "../Wire.ts"
import { dated } from "../rest.ts"
import { withoutNulls } from "./values.ts"
import { moduleError as moduleRefusal } from "../engine/Refusal.ts"
import { brokerRefusal, type Hosting, invalidParams, refuseCall, RpcError } from "./refusals.ts"

/** JSON-RPC 2.0 as the node's server speaks it (chainflip/wire.md 1.1, 1.7, 6.3). */

/** One method; `call` gets the parameters as they were sent. */
export interface Method {
  /** Absent: faults do not affect the method. */
  readonly operation?: FaultOperation
  readonly call: (params: unknown) => Effect.Effect<unknown, RpcError | UnusableLog, World | Faults>
}

export type Methods = ReadonlyMap<string, Method>

/** A method with parameters in a fixed order: they may be positional or named, and those not given null or absent. */
export const method = <Params>(
  schema: Schema.ConstraintDecoder<Params> & { readonly fields: Readonly<Record<string, unknown>> },
  run: (params: Params) => Effect.Effect<unknown, RpcError | UnusableLog, World | Faults>,
  operation?: FaultOperation,
): Method => {
  const decode = Schema.decodeUnknownEffect(schema)
  const names = Object.keys(schema.fields)
  return {
    ...(operation === undefined ? {} : { operation }),
    call: (params) =>
      decode(withoutNulls(
        Array.isArray(params)
          ? Object.fromEntries(names.map((name, index) => [name, params[index] ?? null]))
          : params ?? {},
      )).pipe(
        Effect.mapError((error) => invalidParams(`Invalid params: ${error.message}`)),
        Effect.flatMap(run),
      ),
  }
}

const Call = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))),
  method: Schema.String,
  params: Schema.optionalKey(Schema.Unknown),
})
type Call = typeof Call.Type

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const readCall = Schema.decodeUnknownOption(Call)

/** Answers a request to a JSON-RPC server: a single call or a batch. */
export const serveRpc = Effect.fnUntraced(function* (
  methods: Methods,
  request: WireRequest,
  hosting: Hosting,
): Effect.fn.Return<WireAnswer, UnusableLog, World | Faults> {
  if (request.method !== "POST") return text(405, "Used HTTP Method is not allowed. POST is required\n")
  const body = readJson(request.body)
  if (Option.isNone(body)) return json(200, failure(null, parseError))
  const batch = Array.isArray(body.value)
  const items: ReadonlyArray<unknown> = Array.isArray(body.value) ? body.value : [body.value]
  if (items.length === 0) return json(200, failure(null, invalidRequest))
  const calls = items.map((item) => readCall(item))

  const answer = (replies: ReadonlyArray<unknown>): Reply => json(200, batch ? replies : replies[0])
  const operationOf = (call: Option.Option<Call>) =>
    Option.getOrUndefined(Option.flatMapNullishOr(call, ({ method }) => methods.get(method)?.operation))
  const refuseAll = Effect.fnUntraced(function* (refusalOf: (params: unknown) => RpcError | Reply) {
    const replies: Array<unknown> = []
    for (const call of calls) {
      if (Option.isNone(call) || operationOf(call) === undefined) {
        replies.push(yield* run(methods, call))
        continue
      }
      const refusal = refusalOf(call.value.params)
      if (refusal._tag === "Reply") return refusal
      replies.push(failure(call.value.id ?? null, refusal))
    }
    return answer(replies)
  })
  const faults = yield* Faults
  return yield* faults.disturb({
    provider: "chainflip",
    operations: calls.flatMap((call) => operationOf(call) ?? []),
    act: Effect.flatMap(
      Effect.forEach(calls, (call) => run(methods, call)),
      (replies) => dated(answer(replies)),
    ),
    refuse: (code) => refuseAll((params) => refuseCall(code, params)),
    hide: refuseAll(() => methodNotFound),
    fail: (error) => refuseAll(() => brokerRefusal(hosting, moduleRefusal(error))),
  })
})

const run = (methods: Methods, call: Option.Option<Call>) => {
  if (Option.isNone(call)) return Effect.succeed(failure(null, invalidRequest))
  const id = call.value.id ?? null
  const found = methods.get(call.value.method)
  if (found === undefined) return Effect.succeed(failure(id, methodNotFound))
  return found.call(call.value.params).pipe(
    Effect.map((result) => ({ jsonrpc: "2.0", id, result })),
    Effect.catchTag("RpcError", (error) => Effect.succeed(failure(id, error))),
  )
}

const parseError = new RpcError({ code: -32700, message: "Parse error" })
const invalidRequest = new RpcError({ code: -32600, message: "Invalid request" })
const methodNotFound = new RpcError({ code: -32601, message: "Method not found" })

const failure = (id: string | number | null, { code, message }: RpcError) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
})
