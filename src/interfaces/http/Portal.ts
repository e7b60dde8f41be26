import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Sessions } from "#application/accounts/Sessions.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import { Api } from "#api/Api.ts"
import { CurrentActor } from "#api/Authorization.ts"
import type { PortalLinkBody } from "#api/Portal.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import { portalUrl, PublicUrl } from "../requests/PublicUrl.ts"

export const PortalHandlers = HttpApiBuilder.group(
  Api,
  "portal",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const publicUrl = yield* PublicUrl

    const link = Effect.fnUntraced(function* (name: AccountName) {
      const { headers: { host } } = yield* HttpServerRequest.HttpServerRequest
      const { expiresAt, token } = yield* sessions.link(name, yield* CurrentActor)
      return {
        url: yield* Effect.provideService(portalUrl(token, host), PublicUrl, publicUrl),
        expiresAt,
      } satisfies PortalLinkBody
    })

    return handlers.handle("linkPortal", ({ params }) => failAsProblem(link(params.name)))
  }),
)
