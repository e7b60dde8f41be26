import { Data, Effect } from "effect"
import { hasIssues, type Issues } from "#domain/Issues.ts"
import { type Names, renameIssues } from "#domain/renameIssues.ts"
import { type Failure, toProblem } from "../../requests/problems.ts"
import { logFailure, traceId } from "../../requests/failedRequests.ts"

/** Issues in one line: `boost_fee must be …; destination_address cannot be used …`. */
const inOneLine = (issues: Issues): string => Object.values(issues).flat().join("; ")

/** The codes of our own errors, used as the upstream's servers use them (chainflip/wire.md 1.7). */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  batch: -32010,
  other: -32020,
} as const

/** The error of a reply. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: typeof rpcCodes[keyof typeof rpcCodes]
  readonly message: string
  /** Further data about the error, as JSON. */
  readonly data?: unknown
}> {}

export const parseError = new RpcError({ code: rpcCodes.parse, message: "Parse error" })
export const invalidRequest = new RpcError({ code: rpcCodes.request, message: "Invalid request" })

/** The error of members that stand twice: readers of JSON differ in which of the two they take. */
export const repeated = (paths: ReadonlyArray<string>): RpcError =>
  new RpcError({
    code: rpcCodes.request,
    message: `Invalid request: ${paths.join(", ")} may be given only once`,
  })

export const methodNotFound = new RpcError({ code: rpcCodes.method, message: "Method not found" })

/** The error of a known method that cannot be used now. */
export const methodNotAvailable = (why: string): RpcError =>
  new RpcError({ code: rpcCodes.method, message: `Method not available: ${why}` })

/** The error of a batch with too many calls. */
export const batchTooLarge = (most: number): RpcError =>
  new RpcError({
    code: rpcCodes.batch,
    message: "The batch request was too large",
    data: `Exceeded max limit of ${most}`,
  })

/** The error of parameters with issues, which are in the names of the protocol. */
export const invalidParams = (errors: Issues, sentence: string = inOneLine(errors)): RpcError =>
  new RpcError({ code: rpcCodes.params, message: `Invalid params: ${sentence}`, data: { errors } })

/** Whether a failure is a deposit below the minimum, whose issues are figures for programs (decision 15). */
const isBelowMinimum = (failure: Failure): boolean =>
  failure._tag === "ProviderError" && failure.reason._tag === "DepositBelowMinimum"

/** A failed call's error: our endpoint's problem in the upstream's form; our own faults are logged. */
export const toRpcError = Effect.fnUntraced(function* (failure: Failure, names: Names) {
  const id = yield* traceId
  const { problem } = toProblem(failure, { traceId: id })
  const { code, detail, errors, status } = { code: undefined, errors: {}, ...problem }
  if (status >= 500) yield* logFailure(failure)
  if (isBelowMinimum(failure)) return invalidParams(errors, detail)
  if (hasIssues(errors)) return invalidParams(renameIssues(names, errors))
  return new RpcError({
    code: failure._tag === "Unexpected" ? rpcCodes.internal : rpcCodes.other,
    message: detail,
    data: { status, ...(code === undefined ? {} : { code }), traceId: id },
  })
})

/** Turns every failure of a call into an error of the protocol. */
export const orRpcError =
  (names: Names) => <A, R>(call: Effect.Effect<A, Failure | RpcError, R>): Effect.Effect<A, RpcError, R> =>
    Effect.catch(
      call,
      (failure) =>
        failure instanceof RpcError ? Effect.fail(failure) : Effect.flip(toRpcError(failure, names)),
    )
