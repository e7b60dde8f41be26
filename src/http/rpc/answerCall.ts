import { Cause, Effect, Option, Result } from "effect"
import { Unexpected } from "../HttpFailure.ts"
import { findMethod } from "./methods.ts"
import { perform } from "./perform.ts"
import type { Call, NoCall } from "./readCalls.ts"
import { methodNotFound, RpcError } from "./RpcError.ts"
import { toRpcError } from "./toRpcError.ts"
import { writeError, writeReply } from "./writeReply.ts"

const performCall = (call: Call) =>
  Option.match(findMethod(call.method), {
    onNone: () => Effect.fail(methodNotFound),
    onSome: (method) => perform(method, call),
  }).pipe(
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("A call failed in a way that it should not", Cause.die(defect)),
        Effect.fail(new Unexpected()),
      )
    ),
    Effect.catch((failure) =>
      failure instanceof RpcError ? Effect.fail(failure) : Effect.flip(toRpcError(failure))
    ),
  )

/** The reply to one item of a request; none to a notification, which as with the upstream does nothing. */
export const answerCall = (item: Result.Result<Call, NoCall>) =>
  Result.match(item, {
    onFailure: ({ error, id }) => Effect.succeedSome(writeError(id, error)),
    onSuccess: (call) => {
      const { id } = call
      if (id === undefined) return Effect.succeedNone
      return performCall(call).pipe(
        Effect.match({
          onFailure: (error) => writeError(id, error),
          onSuccess: (reply) => writeReply(id, reply),
        }),
        Effect.asSome,
      )
    },
  })
