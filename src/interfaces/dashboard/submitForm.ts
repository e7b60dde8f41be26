import { Effect, Redacted, Result } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { holdsKey } from "#application/accounts/ApiKey.ts"
import { actorOf } from "#domain/operations/Audit.ts"
import { InvalidRequest, issueAbout, noIssues } from "#domain/Issues.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { ScopeMissing } from "../requests/authorise.ts"
import { type Failure, PathUnknown, toProblem } from "../requests/problems.ts"
import { logFailure, traceId } from "../requests/failedRequests.ts"
import { withQuery } from "../pages/jsx-runtime.ts"
import type { Admission } from "#application/limits/admitRequest.ts"
import { confirmed, keyName } from "./confirm.ts"
import { framed } from "./frame.tsx"
import { onceField } from "./formAction.tsx"
import type { Act, Done, PageRequest, Shown, SubmittedForm, Trouble } from "./Page.ts"
import { SentTwice } from "./sameOrigin.ts"
import { goTo, pageResponse } from "./respond.ts"
import { storableText } from "#domain/storable.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"

/** The most forms that are remembered; the oldest are forgotten first. */
const mostRemembered = 10_000

/**
 * Makes the memory of the forms that were acted on, by whom; false for one that was claimed before. Another replica does
 * not know of them: what must never happen twice has a key of its own in its service.
 */
export const makeClaims = () => {
  const acted = new Set<string>()
  return (form: string): boolean => {
    if (acted.has(form)) return false
    const [oldest] = acted.size < mostRemembered ? [] : acted
    if (oldest !== undefined) acted.delete(oldest)
    acted.add(form)
    return true
  }
}
type Claim = ReturnType<typeof makeClaims>

const isDone = (result: Done | Shown): result is Done => "to" in result

/** What was entered, for the form to show once more: a field that holds a key is empty, as a page must not show one. */
const withoutKeys = (sent: SubmittedForm): SubmittedForm => {
  const keys = [Redacted.make(sent.field(keyName))]
  const shown = (text: string): string => holdsKey(text, keys) ? "" : text
  return { ...sent, field: (name) => shown(sent.field(name)), fields: (name) => sent.fields(name).map(shown) }
}

/** The answer to a form that cannot be acted on as it is: the form once more, with what was wrong. */
const showAgain = Effect.fnUntraced(function* <R>(
  again: NonNullable<Act<R>["again"]>,
  path: string,
  sent: SubmittedForm,
  trouble: Trouble,
  status: number,
) {
  return pageResponse(yield* framed(sent.viewer, path, yield* again(withoutKeys(sent), trouble)), status)
})

const troubleOf = Effect.fnUntraced(function* (failure: Failure) {
  const { problem } = toProblem(failure, { traceId: yield* traceId })
  if (problem.status >= 500) {
    yield* logFailure(failure)
  }
  const { detail, errors, status } = { errors: noIssues, ...problem }
  return { status, trouble: { errors, detail } }
})

const startOfQuery = /^[^?]*\??/

/** The parameters of a query or a form. U+FFFD stands for what no database takes: a search for it finds nothing. */
const readParameters = (text: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(text)].map(([name, value]) => [name, storableText(value)]))

const firstOf = (all: URLSearchParams) => {
  return (name: string): string | undefined => {
    const value = all.get(name)?.trim()
    return value === "" ? undefined : value
  }
}

/** Reads a parameter of the query: its first value, without spaces around it. */
export const queryOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => firstOf(readParameters(url.replace(startOfQuery, ""))),
)

/** The request for a page, as the page reads it. */
export const askedBy = Effect.fnUntraced(function* <V extends Viewer>(viewer: V) {
  const params = yield* HttpRouter.params
  const asked: PageRequest<V> = {
    viewer,
    param: (name) => storableText(params[name] ?? ""),
    query: yield* queryOf,
    now: yield* currentMillis,
  }
  return asked
})

const noForm = new InvalidRequest({ errors: issueAbout("form", "has to be sent by a form of the dashboard") })

/** The fields of a form. The body is no longer than the server reads. */
export const formFields = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const type = request.headers["content-type"] ?? ""
  if (!type.startsWith("application/x-www-form-urlencoded")) return yield* noForm
  const text = yield* Effect.mapError(request.text, () => noForm)
  const all = readParameters(text)
  const valueOf = firstOf(all)
  return {
    field: (name: string): string => valueOf(name) ?? "",
    fields: (name: string): ReadonlyArray<string> => all.getAll(name),
  }
})

/** Path and query of a request, to come back to after signing in. */
export const targetOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => url)

/** Runs a form. Integrators change nothing: for them its path does not exist. */
export const submitForm = (claim: Claim, admission: Admission) => <R>(act: Act<R>) => (viewer: Viewer) =>
  Effect.gen(function* () {
    const { again, path, run, scope = "operate" } = act
    if (viewer._tag !== "Operator") return yield* new PathUnknown()
    const { headers: { host } } = yield* HttpServerRequest.HttpServerRequest
    const asked = { host, by: actorOf(viewer.caller), ...(yield* askedBy(viewer)), ...(yield* formFields) }
    const key = act.asksKey === true
      ? yield* confirmed(admission, viewer.caller, act, asked.field)
      : Result.succeed(viewer.caller)
    if (Result.isFailure(key)) {
      const { status, trouble } = key.failure
      return again === undefined
        ? yield* new InvalidRequest({ errors: trouble.errors })
        : yield* showAgain(again, path, asked, trouble, status)
    }
    const caller = key.success
    if (!caller.scopes.includes(scope)) return yield* new ScopeMissing({ scope })
    const sent: SubmittedForm = { ...asked, by: actorOf(caller) }
    const form = sent.field(onceField)
    if (form !== "" && !claim(`${viewer.caller.id} ${form}`)) return yield* new SentTwice()
    const answered = Effect.flatMap(
      run(sent),
      (result) =>
        isDone(result)
          ? Effect.succeed(goTo(withQuery(result.to, { done: result.said })))
          : Effect.map(framed(viewer, path, result), (page) => pageResponse(page)),
    )
    return yield* again === undefined
      ? answered
      : Effect.catch(answered, (failure) =>
        Effect.flatMap(troubleOf(failure), ({ status, trouble }) =>
          showAgain(again, path, sent, trouble, status)))
  })
