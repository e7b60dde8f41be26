import { Effect } from "effect"
import { Health } from "#infrastructure/ops/Health.ts"
import { version } from "#infrastructure/platform/version.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"

const ok = { status: "ok", version } as const

export const SystemHandlers = handlersOf("system")(Effect.fnUntraced(function* (handlers) {
  const health = yield* Health
  return handlers.handleAll({
    livez: () => Effect.succeed(ok),
    readyz: () => failAsProblem(Effect.as(health.ready, ok)),
  })
}))
