import { Effect } from "effect"
import { textAt } from "#test/contract/support/Json.ts"
import { operate } from "#test/contract/support/operator.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"

/** A request to the dashboard as a browser sends it, without following where the answer leads. */
export const request = Effect.fnUntraced(function* (path: string, options: RequestInit = {}) {
  const url = yield* brokerUrl
  const response = yield* Effect.promise(() => reach(new URL(path, url), { redirect: "manual", ...options }))
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, headers: response.headers, text }
})

/** The headers with which a browser sends a form of our own page. */
export const ownForm = { "sec-fetch-site": "same-origin", origin: "null" }

/** Sends a form. */
export const send = (
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = ownForm,
) => request(path, { method: "POST", headers, body: new URLSearchParams(fields) })

/** The `Cookie` that a browser sends after an answer. */
export const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  (headers.get("set-cookie") ?? "").split(";")[0] ?? ""

/** Signs in with a key; the cookie. */
export const signIn = (key: string = testKey) => Effect.map(send("/dashboard/login", { key }), cookieOf)

/** Comes in by a link of the operator's, as the integrator of an account does; the cookie. */
export const enterAs = Effect.fnUntraced(function* (account: string) {
  const [, code = ""] = textAt(yield* operate("POST", `/accounts/${account}/portal-link`), "url").split("#")
  return cookieOf(yield* send("/dashboard/enter", { code }))
})
