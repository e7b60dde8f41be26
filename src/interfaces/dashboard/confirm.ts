import { Effect, Option, Redacted, Result } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Sessions } from "#application/accounts/Sessions.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { issueAbout } from "#domain/Issues.ts"
import type { KeyRefusal } from "#domain/operations/Audit.ts"
import type { Admission } from "#application/limits/admitRequest.ts"
import { field } from "../pages/forms.tsx"
import type { Html } from "../pages/jsx-runtime.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"
import type { KeyAct, Trouble } from "./Page.ts"

/** The name of the field of the key. What is entered there is in no page, no log and no record. */
export const keyName = "key"

/** The field for the operator's key, which is empty whenever it is shown. */
export const keyField = ({ errors }: Pick<Trouble, "errors">, scope: string): Html =>
  field({
    label: "Your operator key",
    name: keyName,
    type: "password",
    required: true,
    autocomplete: "current-password",
    hint: `Asked for each time. It needs the scopes operate and ${scope}.`,
    fault: Object.hasOwn(errors, keyName) ? errors[keyName]?.[0]?.slice(keyName.length + 1) : undefined,
  })

/** A key with which nothing is done: the status of the answer, and what the form says. */
export interface Unconfirmed {
  readonly status: 400 | 401 | 403
  readonly trouble: Trouble
}

const unconfirmed = (status: Unconfirmed["status"], predicate: string): Unconfirmed => ({
  status,
  trouble: { errors: issueAbout(keyName, predicate), detail: "Nothing was done: look at the key." },
})

const sentences = (scope: string): { readonly [Why in KeyRefusal]: Unconfirmed } => ({
  unknown: unconfirmed(401, "is not known, or does not work any more"),
  otherAccount: unconfirmed(403, "is of another account than the one that is signed in"),
  scopeMissing: unconfirmed(403, `lacks one of the scopes operate and ${scope}`),
})

/** Why a key that was found does not count. */
const refusalOf = (caller: Caller, viewer: Caller, scope: KeyAct<never>["scope"]): KeyRefusal | undefined => {
  if (caller.id !== viewer.id) return "otherAccount"
  if (caller.suspended) return "unknown"
  const scopes = ["operate" as const, ...(scope === undefined ? [] : [scope])]
  return scopes.every((scope) => caller.scopes.includes(scope)) ? undefined : "scopeMissing"
}

/**
 * The key that was entered, looked up: it has to be of the viewer's account, and to have the scopes of the act. Wrong
 * ones count as at the sign-in, and each is in the audit log.
 */
export const confirmed = Effect.fnUntraced(function* (
  { checkKey }: Admission,
  viewer: Caller,
  { path, scope = "operate" }: Pick<KeyAct<never>, "path" | "scope">,
  given: (name: string) => string,
) {
  if (given(keyName) === "") return Result.fail(unconfirmed(400, "has to be entered"))
  const key = Redacted.make(given(keyName))
  const accounts = yield* Accounts
  const { address = "unknown" } = yield* RequestMeta
  const found = yield* checkKey(key, address, {
    issuedId: accounts.issuedId(key),
    lookUp: accounts.authenticate(key),
  })
  const why = Option.match(found, {
    onNone: (): KeyRefusal => "unknown",
    onSome: (caller) => refusalOf(caller, viewer, scope),
  })
  if (Option.isSome(found) && why === undefined) return Result.succeed(found.value)
  const reason = why ?? "unknown"
  yield* (yield* Sessions).keyRefused(viewer, { form: path, reason })
  return Result.fail(sentences(scope)[reason])
})
