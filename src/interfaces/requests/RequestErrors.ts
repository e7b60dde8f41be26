import { Effect, Result } from "effect"
import { RequestErrors } from "#application/accounts/RequestErrors.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { RequestErrorsParameters } from "#api/RequestErrors.ts"
import type { RequestErrorsQuery } from "#domain/RequestError.ts"
import { issueAbout } from "#domain/Issues.ts"
import { dayMillis, EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { accept } from "./parameterIssues.ts"
import { failAsProblem, handlersOf } from "./failedRequests.ts"

const defaultLimit = 100

/** The part that a query asks for: the last day unless it says otherwise. */
const errorsQuery = Effect.fnUntraced(function* ({ from, limit, to }: RequestErrorsParameters) {
  const end = to ?? (yield* currentMillis)
  const begin = from ?? Math.max(0, end - dayMillis)
  const query: RequestErrorsQuery = {
    from: EpochMillis.make(begin),
    to: EpochMillis.make(end),
    limit: limit ?? defaultLimit,
  }
  return yield* accept(
    [],
    begin > end ? Result.fail(issueAbout("from", "must not be after to")) : Result.succeed(query),
  )
})

export const RequestErrorsHandlers = handlersOf("requestErrors")(Effect.fnUntraced(function* (handlers) {
  const errors = yield* RequestErrors
  return handlers.handle("list", ({ query }) =>
    Effect.gen(function* () {
      const { name } = yield* CurrentAccount
      return yield* errors.ofAccount(name, yield* errorsQuery(query))
    }).pipe(Effect.catchTag("AccountUnknown", Effect.die), failAsProblem))
}))

export const OperatorRequestErrorsHandlers = handlersOf("operatorRequestErrors")(
  Effect.fnUntraced(function* (handlers) {
    const errors = yield* RequestErrors
    return handlers.handle("list", ({ params, query }) =>
      Effect.gen(function* () {
        return yield* errors.ofAccount(params.name, yield* errorsQuery(query))
      }).pipe(failAsProblem))
  }),
)
