import { Array, Cause, Effect, Option, Result, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimits } from "#application/limits/RateLimits.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { Issues, noIssues } from "#domain/Issues.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { ProblemCode } from "#domain/ProblemCode.ts"
import { Registry } from "#providers/Registry.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { admitCalls } from "#application/limits/admitRequest.ts"
import { failAsProblem, handlersOf, NoteFailure } from "../requests/failedRequests.ts"
import { jsonBody } from "../requests/parameterIssues.ts"
import { authorise, passageOf } from "../requests/authorise.ts"
import { type Call, type Calls, type NoCall, readCalls } from "./rpc/readCalls.ts"
import { RpcLimits } from "./rpc/RpcLimits.ts"
import { Unexpected } from "../requests/problems.ts"
import { findMethod, perform, scopeOf } from "./rpc/perform.ts"
import { methodNotFound, rpcCodes, type RpcError, toRpcError } from "./rpc/toRpcError.ts"
import type { JsonText } from "#domain/JsonText.ts"
import { NodeReply } from "#domain/operations/NodeCall.ts"

const write = (id: JsonText | undefined, member: "result" | "error", json: string): string =>
  `{"jsonrpc":"2.0","id":${id ?? "null"},"${member}":${json}}`

/** The upstream's reply with our caller's id. Its result or error is passed on letter by letter. */
export const writeReply = (id: JsonText, reply: NodeReply): string =>
  NodeReply.$match(reply, {
    Result: ({ json }) => write(id, "result", json),
    Error: ({ json }) => write(id, "error", json),
  })

/** Our own error as a reply. The id is null where none could be read. */
export const writeError = (id: JsonText | undefined, { code, data, message }: RpcError): string =>
  write(id, "error", JSON.stringify({ code, message, data }))

const unexpected = (defect: unknown) =>
  Effect.andThen(
    Effect.logError("Internal error in a call of POST /rpc", Cause.die(defect)),
    Effect.flip(toRpcError(new Unexpected(), new Map())),
  )

const performCall = Effect.fnUntraced(function* ({ method: name, params }: Call) {
  const method = findMethod(name)
  if (Option.isNone(method)) return yield* methodNotFound
  return yield* Effect.catchDefect(perform(method.value, params), unexpected)
})

/** The members of an error's data that it is counted by. */
const ErrorData = Schema.Struct({
  status: Schema.optionalKey(Schema.Int),
  code: Schema.optionalKey(ProblemCode),
  errors: Schema.optionalKey(Issues),
})

/** The status under which an error of the protocol is counted that has none: it is the caller's. */
const ofCaller = 400

/** Counts an error, whose reply has the status 200. */
const noteError = Effect.fnUntraced(function* ({ code, data, message }: RpcError) {
  const note = yield* NoteFailure
  const told = Option.getOrElse(Schema.decodeUnknownOption(ErrorData)(data), () => ({}))
  const { status = ofCaller, code: problemCode, errors = noIssues } = { ...told }
  yield* note({
    kind: `JSON-RPC ${code}`,
    status,
    code: problemCode,
    parameters: Object.keys(errors),
    // Behind these codes an upstream may have said it.
    detail: code === rpcCodes.other || problemCode !== undefined ? "" : message,
  })
})

/** The reply to one item of a request. A notification gets none and does nothing, as with the upstream. */
const answerCall = (item: Result.Result<Call, NoCall>) =>
  Result.match(item, {
    onFailure: ({ error, id }) => Effect.succeedSome(writeError(id, error)),
    onSuccess: (call) => {
      const { id } = call
      if (id === undefined) return Effect.succeedNone
      return performCall(call).pipe(
        Effect.tapError(noteError),
        Effect.match({
          onFailure: (error) => writeError(id, error),
          onSuccess: (reply) => writeReply(id, reply),
        }),
        Effect.asSome,
      )
    },
  })

const jsonResponse = (json: string) => HttpServerResponse.text(json, { contentType: "application/json" })

/** The scope of each call. Items that are no calls, and calls of unknown methods, have none. */
const scopesOf = ({ items }: Calls): ReadonlyArray<Option.Option<Scope>> =>
  items.map((item) =>
    Result.isSuccess(item) ? Option.map(findMethod(item.success.method), scopeOf) : Option.none()
  )

/**
 * Checks a batch before its first call is made: the key needs the scope of every call, and its limits a token for
 * each. The authorization has checked the origin, and taken a token: that of the first call that opens nothing.
 */
const settle = Effect.fnUntraced(function* (calls: Calls) {
  const caller = yield* CurrentAccount
  const passage = passageOf(yield* HttpServerRequest.HttpServerRequest)
  const scopes = scopesOf(calls)
  for (const scope of new Set(Array.getSomes(scopes))) {
    const begins = scope === "swap" ? { begins: passage } : {}
    const refusal = authorise(caller, { scopes: [scope], origin: undefined, ...begins })
    if (refusal !== undefined) return yield* refusal
  }
  const [openings, others] = Array.partition(
    scopes,
    (scope) =>
      Option.contains(scope, "swap") ? Result.succeed("swap" as const) : Result.fail("default" as const),
  )
  yield* admitCalls(yield* RateLimits, caller, [...openings, ...others.slice(1)])
})

const answerCalls = Effect.fnUntraced(function* (calls: Calls) {
  yield* settle(calls)
  const { batchConcurrency } = yield* RpcLimits
  const replies = Array.getSomes(
    yield* Effect.forEach(calls.items, answerCall, { concurrency: batchConcurrency }),
  )
  if (replies.length === 0) return HttpServerResponse.empty({ status: 204 })
  return jsonResponse(calls.isBatch ? `[${replies.join(",")}]` : replies.join())
})

/** Answers faulty calls in JSON-RPC with 200; failures of the key, its scopes and limits are problems. */
const answer = Effect.gen(function* () {
  const { batchMost } = yield* RpcLimits
  return yield* Result.match(readCalls(yield* jsonBody, batchMost), {
    onFailure: (error) => Effect.succeed(jsonResponse(writeError(undefined, error))),
    onSuccess: answerCalls,
  })
})

export const RpcHandlers = handlersOf("rpc")(Effect.fnUntraced(function* (handlers) {
  const services = yield* Effect.context<
    RateLimits | RpcLimits | Registry | Swaps | VaultSwaps
  >()
  return handlers.handleRaw("rpc", () => answer.pipe(failAsProblem, Effect.provideContext(services)))
}))
