import { Cause, Effect, Option, Result } from "effect"
import { Unexpected } from "../HttpFailure.ts"
import { findMethod } from "./methods.ts"
import { perform } from "./perform.ts"
import type { Call, NoCall } from "./readCalls.ts"
import { methodNotFound } from "./RpcError.ts"
import { toRpcError } from "./toRpcError.ts"
import { writeError, writeReply } from "./writeReply.ts"

const unexpected = (defect: unknown) =>
  Effect.andThen(
    Effect.logError("A call failed in a way that it should not", Cause.die(defect)),
    Effect.flip(toRpcError(new Unexpected(), new Map())),
  )

const performCall = Effect.fnUntraced(function* ({ method: name, params }: Call) {
  const method = findMethod(name)
  if (Option.isNone(method)) return yield* methodNotFound
  return yield* Effect.catchDefect(perform(method.value, params), unexpected)
})

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
