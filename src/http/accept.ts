import { Effect, Result } from "effect"
import { combineIssues, hasIssues, InvalidRequest, type Issues } from "../domain/Issues.ts"

/**
 * The value, when neither reading the parameters nor the rules over them found an issue; else one error with
 * the issues of both (decision 15).
 */
export const accept = <A>(
  readIssues: ReadonlyArray<Issues>,
  result: Result.Result<A, Issues>,
): Effect.Effect<A, InvalidRequest> => {
  const errors = combineIssues([...readIssues, ...(Result.isFailure(result) ? [result.failure] : [])])
  if (Result.isSuccess(result) && !hasIssues(errors)) return Effect.succeed(result.success)
  return Effect.fail(new InvalidRequest({ errors }))
}
