import { Effect, Option, Redacted } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Accounts } from "../accounts/Accounts.ts"
import { Audit } from "../accounts/Audit.ts"
import { KeyUnknown } from "../accounts/failures.ts"
import { type IssuedKey, Keys } from "../accounts/Keys.ts"
import { Routes } from "../accounts/Routes.ts"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import { accountBody, type IssuedKeyBody } from "../api/OperatorBodies.ts"
import { KeyId } from "../domain/Key.ts"
import { presentEntry } from "../api/presentSwap.ts"
import { Moves } from "../swapping/Moves.ts"
import { Journals } from "../swapping/Journals.ts"
import { linkToNext } from "./linkToNext.ts"
import { swapId } from "./swapId.ts"
import { namedAccount } from "./namedAccount.ts"
import { readJournalQuery } from "./readJournalQuery.ts"
import { orProblem } from "./orProblem.ts"
import {
  readAccountChanges,
  readAccountPage,
  readAuditQuery,
  readKeyPage,
  readNewAccount,
  readNewKey,
  readRoutePair,
  readRouteRule,
  readSwapMove,
} from "./readOperator.ts"

const withId = (path: string): Effect.Effect<KeyId, KeyUnknown> =>
  Option.match(KeyId.makeOption(path), {
    onNone: () => Effect.fail(new KeyUnknown({ id: path })),
    onSome: Effect.succeed,
  })

const presentIssued = ({ key, record }: IssuedKey): IssuedKeyBody => ({ ...record, key: Redacted.value(key) })

export const OperatorHandlers = HttpApiBuilder.group(
  Api,
  "operator",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const keys = yield* Keys
    const routes = yield* Routes
    const audit = yield* Audit
    const journals = yield* Journals
    const moves = yield* Moves

    const createAccount = Effect.gen(function* () {
      const { name, terms } = yield* readNewAccount
      return accountBody(yield* accounts.create(name, terms, yield* CurrentActor))
    })

    const changeAccount = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      return accountBody(yield* accounts.change(name, yield* readAccountChanges, yield* CurrentActor))
    })

    const issueKey = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      return presentIssued(yield* keys.issue(name, yield* readNewKey, yield* CurrentActor))
    })

    const revokeKey = Effect.fnUntraced(function* (path: string) {
      return yield* keys.revoke(yield* withId(path), yield* CurrentActor)
    })

    const setRoute = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      return yield* routes.set(name, yield* readRouteRule, yield* CurrentActor)
    })

    const removeRoute = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      return yield* routes.remove(name, yield* readRoutePair, yield* CurrentActor)
    })

    const accountPage = Effect.gen(function* () {
      const { items, next } = yield* accounts.page(yield* readAccountPage)
      if (next !== undefined) yield* linkToNext(next)
      return items.map(accountBody)
    })

    const keyPage = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      const { items, next } = yield* keys.page(name, yield* readKeyPage)
      if (next !== undefined) yield* linkToNext(next)
      return items
    })

    const journalPage = Effect.fnUntraced(function* (path: string) {
      const { items, next } = yield* journals.pageOfAny(yield* swapId(path), yield* readJournalQuery)
      if (next !== undefined) yield* linkToNext(next)
      return items.map(presentEntry)
    })

    const moveSwap = Effect.fnUntraced(function* (path: string) {
      const id = yield* swapId(path)
      return yield* moves.move(id, yield* readSwapMove, yield* CurrentActor)
    })

    const auditPage = Effect.gen(function* () {
      const { entries, next } = yield* audit.page(yield* readAuditQuery)
      if (next !== undefined) yield* linkToNext(next)
      return entries
    })

    return handlers
      .handle("accounts", () => orProblem(accountPage))
      .handleRaw("createAccount", () => orProblem(createAccount))
      .handleRaw("changeAccount", ({ params }) => orProblem(changeAccount(params.name)))
      .handle("keys", ({ params }) => orProblem(keyPage(params.name)))
      .handleRaw("issueKey", ({ params }) => orProblem(issueKey(params.name)))
      .handle("revokeKey", ({ params }) => orProblem(revokeKey(params.id)))
      .handle(
        "routes",
        ({ params }) => orProblem(Effect.flatMap(namedAccount(params.name), routes.ofAccount)),
      )
      .handleRaw("setRoute", ({ params }) => orProblem(setRoute(params.name)))
      .handle("removeRoute", ({ params }) => orProblem(removeRoute(params.name)))
      .handle("audit", () => orProblem(auditPage))
      .handle("swapJournal", ({ params }) => orProblem(journalPage(params.id)))
      .handleRaw("moveSwap", ({ params }) => orProblem(moveSwap(params.id)))
  }),
)
