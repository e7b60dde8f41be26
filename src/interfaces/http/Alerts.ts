import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Alerts } from "#application/alerts/Alerts.ts"
import { Api } from "#api/Api.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import { listed, pageQuery } from "./pages.ts"

const defaultLimit = 50

export const AlertsHandlers = HttpApiBuilder.group(
  Api,
  "alerts",
  Effect.fnUntraced(function* (handlers) {
    const alerts = yield* Alerts
    return handlers.handle(
      "alerts",
      ({ query }) => alerts.page(pageQuery(query, defaultLimit)).pipe(Effect.flatMap(listed), failAsProblem),
    )
  }),
)
