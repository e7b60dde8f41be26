import { Effect, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { logFailure, traceId } from "../requests/failAsProblem.ts"
import { type Failure, toProblem } from "../requests/problems.ts"
import { searchForm } from "../pages/forms.tsx"
import { type Html, path } from "../pages/jsx-runtime.ts"
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
const textsOf = (failure: PageFailure, id: string): FailureTexts => {
  if (failure._tag === "ForeignForm") {
    return {
      status: 403,
      title: "This form came from another site",
      detail:
        "Nothing was changed. Open the page again and send the form from there. If it came from this page, a " +
        "proxy changes the Host header. Set PUBLIC_URL to the URL that browsers use",
      headers: {},
    }
  }
  if (failure._tag === "SentTwice") {
    return {
      status: 409,
      title: "Form already sent",
      detail: "It was acted on once. Open the page again for another one",
      headers: {},
    }
  }
  const { problem: { detail, status, title }, headers } = toProblem(failure, { traceId: id })
  return status === 404
    ? {
      status,
      title: failure._tag === "PathUnknown" ? "Page not found" : detail,
      detail: "This page doesn’t exist, or you don’t have access",
      headers,
    }
    : { status, title, detail, headers }
}

const body = ({ detail, status }: FailureTexts, id: string): Html =>
  <>
    <p class="soft">{detail}.</p>
    {status === 404 && searchForm({
      to: path`/dashboard/swaps`,
      name: "find",
      hint: "Swap, address, account",
    })}
    <p>
      <a href={path`/dashboard`}>Overview</a> · <a href={path`/dashboard/swaps`}>Swaps</a> ·{" "}
      <a href={path`/docs`}>API docs</a>
    </p>
    {status >= 500 && (
      <p>
        <small>
          Trace ID, for the log: <code>{id}</code>
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
    const texts = textsOf(failure, id)
    if (
      texts.status >= 500 && failure._tag !== "ForeignForm" && failure._tag !== "SentTwice"
    ) yield* logFailure(failure)
    const page = Option.isSome(viewer)
      ? yield* framedWith(viewer.value, "", { title: texts.title, body: body(texts, id) }, Option.none())
      : yield* framedForAll({ title: texts.title, body: body(texts, id) })
    return pageResponse(page, texts.status, { ...texts.headers, ...cookie })
  })
