import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Sessions } from "../accounts/Sessions.ts"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import type { PortalLinkBody } from "../api/Portal.ts"
import { namedAccount } from "../requests/pathNames.ts"
import { orProblem } from "../requests/orProblem.ts"
import { portalUrl, PublicUrl } from "../requests/PublicUrl.ts"

export const PortalHandlers = HttpApiBuilder.group(
  Api,
  "portal",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const publicUrl = yield* PublicUrl

    const link = Effect.fnUntraced(function* (path: string) {
      const { headers: { host } } = yield* HttpServerRequest.HttpServerRequest
      const { expiresAt, token } = yield* sessions.link(yield* namedAccount(path), yield* CurrentActor)
      return {
        url: yield* Effect.provideService(portalUrl(token, host), PublicUrl, publicUrl),
        expiresAt,
      } satisfies PortalLinkBody
    })

    return handlers.handle("linkPortal", ({ params }) => orProblem(link(params.name)))
  }),
)
