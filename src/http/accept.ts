import { Effect, Result } from "effect"
import { combineFaults, type Faults, hasFaults, InvalidRequest } from "../domain/Faults.ts"

/**
 * The value, when neither reading the parameters nor the rules over them found a fault; else one error with
 * the faults of both (decision 15).
 */
export const accept = <A>(
  readFaults: ReadonlyArray<Faults>,
  result: Result.Result<A, Faults>,
): Effect.Effect<A, InvalidRequest> => {
  const errors = combineFaults([...readFaults, ...(Result.isFailure(result) ? [result.failure] : [])])
  if (Result.isSuccess(result) && !hasFaults(errors)) return Effect.succeed(result.success)
  return Effect.fail(new InvalidRequest({ errors }))
}
