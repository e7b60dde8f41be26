import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Accounts } from "#application/accounts/Accounts.ts"
import { Sessions } from "#application/accounts/Sessions.ts"
import { Viewer } from "#domain/accounts/Viewer.ts"
import { compressible } from "../requests/compressible.ts"
import { type Failure, type FailureRenderer, PathUnknown, toProblem } from "../requests/problems.ts"
import { PublicUrl } from "../requests/PublicUrl.ts"
import { type PathFacts, type Paths, RequestMeta } from "../requests/RequestMeta.ts"
import { type Admission, makeAdmission, ownQuota } from "#application/limits/admitRequest.ts"
import { LimitReached, RateLimits } from "#application/limits/RateLimits.ts"
import { pageHeaders } from "../pages/headers.ts"
import { tabIcon } from "../pages/icons.tsx"
import { done as doneNote } from "../pages/parts.tsx"
import { script, style } from "../pages/style.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { framed, framedForAll, framedWith } from "./frame.tsx"
import { type ForViewers, type Page, root } from "./Page.ts"
import { askedBy, makeClaims, queryOf, submitForm, targetOf } from "./submitForm.ts"
import { acts, pages, type Services } from "./registry.ts"
import { CurrentMode, type ShownMode } from "../pages/mode.tsx"
import { type CookieChange, dropSession, goTo, pageResponse } from "./respond.ts"
import { ForeignForm, isFromElsewhere, isOwnForm, type SentTwice } from "./sameOrigin.ts"
import { enter, login, logout, showEnter, showLogin, toLogin } from "./signIn.tsx"
import { logFailure, traceId } from "../requests/failedRequests.ts"
import { searchForm } from "../pages/forms.tsx"
import { type Html, path } from "../pages/jsx-runtime.ts"

/** Why a page cannot be shown, or a form is not acted on. */
type PageFailure = Failure | ForeignForm | SentTwice

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
const failurePage = (
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

type Response = HttpServerResponse.HttpServerResponse
/** What the router gives an answer besides the services. */
type Asking = Services | Accounts | Sessions | HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest
type Answer<R> = Effect.Effect<Response, PageFailure, R>

/** Counts a request of somebody who is signed in against the limits of the key, or of the account that it shows. */
const admitted = (limits: RateLimits["Service"], admission: Admission) =>
  Viewer.$match({
    Operator: ({ caller }) => Effect.asVoid(admission.admit({ purpose: "default", subject: caller })),
    Integrator: ({ account }) => {
      const standing = limits.take("account", `${account.id}`, ownQuota(account))
      return standing?.isAdmitted === false ? Effect.fail(new LimitReached({ standing })) : Effect.void
    },
  })

const accountOf = Viewer.$match({
  Operator: ({ caller }) => caller.id,
  Integrator: ({ account }) => account.id,
})

/** The answer to somebody without a session: the page again where only a cookie was kept back, else the sign-in. */
const signedOut = Effect.gen(function* () {
  const { headers, method } = yield* HttpServerRequest.HttpServerRequest
  const { session } = yield* RequestMeta
  if (session === undefined && method === "GET" && isFromElsewhere(headers)) {
    return pageResponse(
      yield* framedForAll({ title: "One moment", body: <p>Reloading the page.</p>, again: true }),
    )
  }
  const wanted = method === "GET" ? yield* targetOf : ""
  return session === undefined ? goTo(toLogin(wanted)) : goTo(toLogin(wanted, "ended"), dropSession)
})

/** Refuses a form that no page of this service sent. */
const refuseForeign = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (!isOwnForm(headers, yield* PublicUrl)) return yield* new ForeignForm()
})

const makeAnswers = Effect.gen(function* () {
  const limits = yield* RateLimits
  const admission = yield* makeAdmission
  const sessions = yield* Sessions
  const admit = admitted(limits, admission)

  /** Who is signed in. A token that is no session's counts as a wrong key does, so that nobody can guess at speed. */
  const present = Effect.gen(function* () {
    const { address = "unknown", session } = yield* RequestMeta
    if (session === undefined) return Option.none()
    return yield* admission.checkKey(session, address, {
      issuedId: Effect.succeedNone,
      lookUp: sessions.find(session),
    })
  })

  /** An answer for who is signed in. Its failures are told in a page of that viewer's. */
  const signedIn = <R,>(answer: (viewer: Viewer) => Answer<R>) =>
    Effect.gen(function* () {
      const found = yield* present
      if (Option.isNone(found)) return yield* signedOut
      const viewer = found.value
      return yield* Effect.andThen(admit(viewer), answer(viewer)).pipe(
        Effect.provideService(OnBehalfOf, accountOf(viewer)),
        Effect.catch((failure) => failurePage(failure, found)),
      )
    }).pipe(Effect.catch((failure) => failurePage(failure)))

  /** An answer for everybody, as signing in is. */
  const open = <R,>(answer: Answer<R>) => Effect.catch(answer, (failure) => failurePage(failure))

  return { admission, open, present, signedIn }
})

/** What there is for a viewer, if anything. */
const shownTo = <A, R>(shown: ForViewers<A, R>, viewer: Viewer) =>
  Viewer.$match(viewer, {
    Operator: (operator) => Effect.flatMap(askedBy(operator), shown.operator),
    Integrator: (integrator): Effect.Effect<
      A,
      PageFailure,
      R | Effect.Services<ReturnType<typeof askedBy>>
    > =>
      shown.integrator === undefined
        ? Effect.fail(new PathUnknown())
        : Effect.flatMap(askedBy(integrator), shown.integrator),
  })

const doneTexts = new Map(acts.flatMap(({ done = {} }) => Object.entries(done)))

const showPage = <R,>(page: Page<R>) => (viewer: Viewer) =>
  Effect.gen(function* () {
    const { query } = yield* askedBy(viewer)
    const format = query("format")
    const file = format === "csv" || format === "json" || format === "picture" ? page[format] : undefined
    if (file !== undefined) {
      return HttpServerResponse.setHeaders(yield* shownTo(file, viewer), pageHeaders)
    }
    const shown = yield* shownTo(page, viewer)
    if ("to" in shown) return goTo(shown.to)
    const done = doneTexts.get(query("done") ?? "")
    const body = done === undefined ? shown.body : <>{doneNote(done)}{shown.body}</>
    return pageResponse(yield* framed(viewer, page.path, { ...shown, body }))
  })

type Path = Page<never>["path"]

const file = (path: Path, contentType: string, text: string) =>
  Layer.unwrap(Effect.map(
    compressible({ contentType, headers: pageHeaders, text: Effect.succeed(text) }),
    (answer) => HttpRouter.add("GET", path, answer),
  ))

const styleFile = { path: "/dashboard/style.css", type: "text/css; charset=utf-8", text: style } as const
const scriptFile = {
  path: "/dashboard/script.js",
  type: "text/javascript; charset=utf-8",
  text: script,
} as const
const iconFile = { path: "/dashboard/icon.svg", type: "image/svg+xml", text: tabIcon } as const
const fixedFiles = [styleFile, scriptFile, iconFile]

const loginPath = "/dashboard/login"
const enterPath = "/dashboard/enter"
const logoutPath = "/dashboard/logout"

/** The routes of the dashboard: files, signing in and out, and the pages and forms of the registry. */
export const dashboard = Layer.unwrap(Effect.gen(function* () {
  const services = yield* Effect.context<Services | Accounts | Sessions>()
  const { admission, open, present, signedIn } = yield* makeAnswers

  const get = (path: Path, answer: Effect.Effect<Response, never, Asking>) =>
    HttpRouter.add("GET", path, Effect.provideContext(answer, services))
  const post = (path: Path, answer: Effect.Effect<Response, never, Asking>) =>
    HttpRouter.add("POST", path, Effect.provideContext(answer, services))
  const run = submitForm(makeClaims(), admission)
  /** A form, sent by a page of this service. */
  const form = <R,>(answer: Answer<R>) => open(Effect.andThen(refuseForeign, answer))

  const showLoginNow = Effect.gen(function* () {
    const isSignedIn = Option.isSome(yield* present)
    return yield* showLogin(yield* queryOf, isSignedIn)
  })

  return Layer.mergeAll(
    get(loginPath, open(showLoginNow)),
    post(loginPath, form(login(admission))),
    get(enterPath, showEnter),
    post(enterPath, form(enter(admission))),
    post(logoutPath, form(logout)),
    ...fixedFiles.map(({ path, type, text }) => file(path, type, text)),
    ...pages.map((page) => get(page.path, signedIn(showPage(page)))),
    ...acts.map((act) => post(act.path, form(signedIn(run(act))))),
  )
}))

const reading = { methods: ["GET"], isClosed: true } as const

/** The facts about the dashboard's paths that the server needs. No page of another origin may read them. */
export const dashboardPaths: Paths = [...pages, ...acts].reduce(
  (known, { path }) => {
    const methods = [
      ...(pages.some((page) => page.path === path) ? ["GET"] : []),
      ...(acts.some((act) => act.path === path) ? ["POST"] : []),
    ]
    return known.set(path, { methods, isClosed: true })
  },
  new Map<string, PathFacts>([
    ...fixedFiles.map(({ path }) => [path, reading] as const),
    [loginPath, { methods: ["GET", "POST"], isClosed: true }],
    [enterPath, { methods: ["GET", "POST"], isClosed: true }],
    [logoutPath, { methods: ["POST"], isClosed: true }],
  ]),
)

/** Failures of the server below the dashboard's path, as pages of a process of that mode. */
export const dashboardFailures = (mode: ShownMode): FailureRenderer => ({
  below: root,
  tell: (failure) => Effect.provideService(failurePage(failure), CurrentMode, mode),
})
