import { Effect, Option } from "effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { logFailure, traceId } from "../requests/failAsProblem.ts"
import { type Failure, toProblem } from "../requests/problems.ts"
import { type Html } from "../pages/jsx-runtime.ts"
import { path } from "../pages/Url.ts"
import { framedForAll, framedWith } from "./frame.tsx"
import { type CookieChange, pageResponse } from "./respond.ts"
import type { ForeignForm, SentTwice } from "./sameOrigin.ts"

/** Why a page cannot be shown, or a form is not acted on. */
export type PageFailure = Failure | ForeignForm | SentTwice

interface FailureTexts {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly headers: Readonly<Record<string, string>>
}

/** The sentences of failures are those of the API, without their codes. Some have words of their own on a page. */
const tell = (failure: PageFailure, id: string): FailureTexts => {
  if (failure._tag === "ForeignForm") {
    return {
      status: 403,
      title: "This form came from another site",
      detail:
        "It was not acted on. Open the page again and send the form from there. If this is the page itself, a " +
        "proxy changes the Host of requests: set PUBLIC_URL to the URL that browsers use",
      headers: {},
    }
  }
  if (failure._tag === "SentTwice") {
    return {
      status: 409,
      title: "This form was sent before",
      detail: "It was acted on once, and not again. Open the page anew for another one",
      headers: {},
    }
  }
  const { problem: { detail, status, title }, headers } = toProblem(failure, { traceId: id })
  return failure._tag === "PathUnknown"
    ? {
      status,
      title: "There is no such page",
      detail: "Nothing that you may see is under this path",
      headers,
    }
    : { status, title, detail, headers }
}

const body = ({ detail, status }: FailureTexts, id: string): Html =>
  <>
    <p class="soft">{detail}.</p>
    <p>
      <a class="btn" href={path`/dashboard`}>To the overview</a>
    </p>
    {status >= 500 && (
      <p>
        <small>
          Trace id, for the log: <code>{id}</code>
        </small>
      </p>
    )}
  </>

/** The page about a failure, in the frame of who is signed in. */
export const failurePage = (
  failure: PageFailure,
  viewer: Option.Option<Viewer> = Option.none(),
  cookie: CookieChange = {},
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const id = yield* traceId
    const told = tell(failure, id)
    if (
      told.status >= 500 && failure._tag !== "ForeignForm" && failure._tag !== "SentTwice"
    ) yield* logFailure(failure)
    const page = Option.isSome(viewer)
      ? yield* framedWith(viewer.value, "", { title: told.title, body: body(told, id) }, Option.none())
      : yield* framedForAll({ title: told.title, body: body(told, id) })
    return pageResponse(page, told.status, { ...told.headers, ...cookie })
  })
