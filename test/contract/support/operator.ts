import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./call.ts"
import { type Json, textAt } from "./Json.ts"

/** A request of the operator, with the key of the account `default`, that has to succeed: its body. */
export const operate = (method: string, path: string, body?: unknown) =>
  Effect.map(call(method, `/operator${path}`, body === undefined ? {} : { body }), (answer) => {
    assert.include([200, 201, 202], answer.status, answer.text)
    return answer.body
  })

let count = 0

/** Makes an account that no other test uses; its name. */
export const newAccount = (terms: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(
    operate("POST", "/accounts", { name: `account-${++count}`, ...terms }),
    (account: Json) => textAt(account, "name"),
  )

/** Issues a key to an account. */
export const issue = (account: string, terms: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(
    operate("POST", `/accounts/${account}/keys`, terms),
    (issued) => ({ id: textAt(issued, "id"), key: textAt(issued, "key") }),
  )

/** Allows or denies an account a pair. */
export const setRoute = (account: string, sourceAsset: string, destinationAsset: string, allowed: boolean) =>
  operate("PUT", `/accounts/${account}/routes`, { sourceAsset, destinationAsset, allowed })
