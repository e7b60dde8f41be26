import { Effect } from "effect"
import { Scope } from "#domain/accounts/Key.ts"
import { call } from "#test/contract/support/call.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { eventually } from "#test/durability/eventually.ts"

/** What a call comes to: it is let in, refused for what it lacks, or nobody is known by its key. */
export type Outcome = "let in" | 403 | 401

/** How a key stands; `live` is one of an account that may do everything. */
export const standings = ["live", "suspended", "revoked", "expired"] as const
export type Standing = (typeof standings)[number]

export const outcomeOf = (status: number): Outcome => status === 401 || status === 403 ? status : "let in"

/** Every scope by itself, none but that of the operator, and all. */
export const holdings: ReadonlyArray<readonly [Scope, ...ReadonlyArray<Scope>]> = [
  ...Scope.literals.map((scope): readonly [Scope] => [scope]),
  ["quote", "swap", "status", "history"],
  ["quote", "swap", "status", "history", "operate"],
]

const suspend = (account: string) => operate("PATCH", `/accounts/${account}`, { suspended: true })

/** A key that stands as it is wanted to. */
export const keyThatIs = Effect.fnUntraced(function* (standing: Standing, held: ReadonlyArray<Scope>) {
  const account = yield* newAccount()
  if (standing === "expired") {
    const { key } = yield* issue(account, { scopes: held, expiresAt: Date.now() + 500 })
    yield* eventually(call("GET", "/sandbox", { key }), ({ status }) => status === 401)
    return key
  }
  const { id, key } = yield* issue(account, { scopes: held })
  if (standing === "suspended") yield* suspend(account)
  if (standing === "revoked") yield* operate("DELETE", `/keys/${id}`)
  return key
})

/** For a broker that refuses nothing for how often it is asked. */
export const unlimited = { RATE_LIMIT: "0", RATE_LIMIT_SWAP: "0", RATE_LIMIT_CREDENTIALS: "0" }
