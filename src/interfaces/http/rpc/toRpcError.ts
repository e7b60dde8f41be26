import { Effect } from "effect"
import { hasIssues, type Issues } from "#domain/Issues.ts"
import { type Names, renameIssues } from "#domain/renameIssues.ts"
import { type Failure, toProblem } from "../../requests/problems.ts"
import { logFailure, traceId } from "../../requests/failAsProblem.ts"
import { rpcCodes, RpcError } from "./RpcError.ts"

/** Issues in one line: `boost_fee must be …; destination_address cannot be used …`. */
const inOneLine = (issues: Issues): string => Object.values(issues).flat().join("; ")

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
