import { Effect, Redacted } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Sessions } from "../accounts/Sessions.ts"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import type { PortalLinkBody } from "../api/Portal.ts"
import { namedAccount } from "./pathNames.ts"
import { orProblem } from "./orProblem.ts"
import { baseOf, PublicUrl } from "./PublicUrl.ts"

/** The page that takes the code of a link. */
const enterPath = "/dashboard/enter"

/** The URL of a link: its code stands after the `#`, which browsers send to nobody. */
export const portalUrl = Effect.fnUntraced(function* (
  token: Redacted.Redacted<string>,
  host: string | undefined,
) {
  return `${baseOf(yield* PublicUrl, host)}${enterPath}#${Redacted.value(token)}`
})

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
