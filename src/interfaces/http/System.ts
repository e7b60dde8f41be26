import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api.ts"
import { Health } from "#infrastructure/ops/Health.ts"
import { version } from "#infrastructure/platform/version.ts"
import { failAsProblem } from "../requests/failedRequests.ts"

const ok = { status: "ok", version } as const

export const SystemHandlers = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const health = yield* Health
    return handlers.handleAll({
      livez: () => Effect.succeed(ok),
      readyz: () => failAsProblem(Effect.as(health.ready, ok)),
    })
  }),
)
