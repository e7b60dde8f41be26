import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Sessions } from "#application/accounts/Sessions.ts"
import { AccountSuspended, ScopeMissing } from "../requests/authorise.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"
import type { Admission } from "#application/limits/admitRequest.ts"
import { actForm, field, hidden } from "../pages/forms.tsx"
import { type Html, path, pathBelow, type Url, withQuery } from "../pages/jsx-runtime.ts"
import { note, type Tone } from "../pages/parts.tsx"
import { framedForAll } from "./frame.tsx"
import { root } from "./Page.ts"
import { formFields, type queryOf } from "./submitForm.ts"
import { dropSession, goTo, pageResponse, setSession } from "./respond.ts"

type Said = readonly [tone: Tone, text: string]

/** Why somebody who signed in is here again: the cookie did not come back. */
const notKept: Said = [
  "bad",
  "Your browser did not store the session. Open the dashboard over https, or on the machine of the service at " +
  "http://localhost or http://127.0.0.1.",
]
const ended: Said = ["info", "Your session has ended. Sign in again."]
const wrongKey: Said = ["bad", "Unknown, expired or revoked API key."]
const usedLink: Said = [
  "bad",
  "This portal link was used or has expired. A link works once, within five minutes. Ask the operator for another.",
]

const told = (said: Said | undefined): Html | undefined => said && note(said[0], { text: said[1] })

const loginPath = path`/dashboard/login`

/** The page to sign in, and to come back from to where somebody wanted to go. */
export const toLogin = (wanted: string, why?: "ended" | "kept"): Url => {
  const place = pathBelow(root, wanted)
  return withQuery(loginPath, {
    to: place === undefined || `${place}` === root ? undefined : `${place}`,
    why,
  })
}

const wantedPlace = (to: string | undefined): Url =>
  (to === undefined ? undefined : pathBelow(root, to)) ?? path`/dashboard`

/** The host that the browser names, so that nobody types the key of one service into another. */
const hostNamed = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers.host)

/** A page with one form for somebody who is not signed in. */
const cardPage = Effect.fnUntraced(
  function* (title: string, parts: ReadonlyArray<Html | undefined>, status: number) {
    const shown = { title, host: yield* hostNamed, body: <>{parts}</> }
    return pageResponse(yield* framedForAll(shown), status)
  },
)

const loginPage = (to: string, said: Said | undefined, status = 200) =>
  cardPage("Sign in", [
    told(said),
    actForm({ to: loginPath, button: "Sign in", tone: "go" }, [
      field({
        label: "Your operator key",
        name: "key",
        type: "password",
        required: true,
        autocomplete: "current-password",
        hint: "An API key with the scope operate. The session lasts 12 hours, or until the key expires.",
      }),
      hidden("to", to),
    ]),
    <details>
      <summary>I have no key</summary>
      <p class="soft">
        The first key is <code>BOOTSTRAP_API_KEY</code>. To make another, run{" "}
        <code>cli keys create default --scopes operate</code>{" "}
        on the machine of the service. If the service has an embedded database, stop it first, and start it
        afterwards. Integrators sign in with a portal link from the operator.
      </p>
    </details>,
  ], status)

const enterPage = (said: Said | undefined, status = 200) =>
  cardPage("Open your account's pages", [
    <p class="soft">
      The portal link works once. The session lasts 12 hours. It shows the swaps, commission, keys and
      webhooks of your account.
    </p>,
    told(said),
    actForm({ to: path`/dashboard/enter`, button: "Open", tone: "go" }, [
      <label class="field">
        Code of the link<input name="code" data-code="" required autocomplete="off" spellcheck="false" />
        <small class="soft">Everything after # in the link.</small>
      </label>,
    ]),
  ], status)

type Query = Effect.Success<typeof queryOf>

/** The page to sign in; who is signed in goes on. */
export const showLogin = (query: Query, isSignedIn: boolean) => {
  if (isSignedIn) return Effect.succeed(goTo(wantedPlace(query("to"))))
  const why = query("why")
  return loginPage(query("to") ?? "", why === "kept" ? notKept : why === "ended" ? ended : undefined)
}

export const showEnter = enterPage(undefined)

/** Ends the session that came with a request, if there is one: each sign-in has a token of its own. */
const endPresent = Effect.gen(function* () {
  const { session } = yield* RequestMeta
  if (session !== undefined) yield* (yield* Sessions).end(session)
})

/** Changes an operator's key for a session. Wrong keys count as they do everywhere. */
export const login = Effect.fnUntraced(function* ({ checkKey }: Admission) {
  const accounts = yield* Accounts
  const sessions = yield* Sessions
  const { field: given } = yield* formFields
  const to = given("to")
  const key = Redacted.make(given("key"))
  const { address = "unknown" } = yield* RequestMeta
  const found = yield* checkKey(key, address, {
    issuedId: accounts.issuedId(key),
    lookUp: accounts.authenticate(key),
  })
  if (Option.isNone(found)) return yield* loginPage(to, wrongKey, 401)
  const caller = found.value
  if (caller.suspended) return yield* new AccountSuspended()
  if (!caller.scopes.includes("operate")) return yield* new ScopeMissing({ scope: "operate" })
  yield* endPresent
  const { token } = yield* sessions.begin(caller)
  yield* Effect.logInfo("Signed in to the dashboard").pipe(
    Effect.annotateLogs({ account: caller.name, key: caller.keyId }),
  )
  return goTo(toLogin(to, "kept"), setSession(token))
})

const upToCode = /^.*#/s

/** Changes the code of a portal link for a session of its account. Wrong codes count as wrong keys do. */
export const enter = Effect.fnUntraced(function* ({ checkKey }: Admission) {
  const sessions = yield* Sessions
  const { field: given } = yield* formFields
  const { address = "unknown" } = yield* RequestMeta
  const code = Redacted.make(given("code").replace(upToCode, ""))
  const begun = yield* checkKey(code, address, { issuedId: Effect.succeedNone, lookUp: sessions.enter(code) })
  if (Option.isNone(begun)) return yield* enterPage(usedLink, 401)
  yield* endPresent
  return goTo(toLogin(root, "kept"), setSession(begun.value.token))
})

/** Ends the session, here and everywhere. */
export const logout = Effect.as(endPresent, goTo(loginPath, dropSession))
