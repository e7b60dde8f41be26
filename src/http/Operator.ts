import { Effect, Layer, Option, Redacted } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Accounts } from "../accounts/Accounts.ts"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { Audit } from "../accounts/Audit.ts"
import { KeyUnknown } from "../accounts/failures.ts"
import { type IssuedKey, Keys } from "../accounts/Keys.ts"
import { Routes } from "../accounts/Routes.ts"
import { Business } from "../business/Business.ts"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import {
  accountBody,
  AccountChangesBody,
  type AuditParameters,
  EndAcceptanceBody,
  type IssuedKeyBody,
  NewAccountBody,
  NewKeyBody,
  RouteRuleBody,
  SwapMoveBody,
} from "../api/OperatorBodies.ts"
import { AuditEntryId, type AuditFilters } from "../domain/Audit.ts"
import { KeyId } from "../domain/Key.ts"
import { EpochMillis } from "../domain/Time.ts"
import { spread } from "../platform/spread.ts"
import { DisputedEnds } from "../swapping/DisputedEnds.ts"
import { Moves } from "../swapping/Moves.ts"
import { Journals } from "../swapping/Journals.ts"
import { AlertsHandlers } from "./Alerts.ts"
import { BusinessHandlers } from "./Business.ts"
import { journalQuery, listed, pageQuery } from "./pages.ts"
import { PortalHandlers } from "./Portal.ts"
import { TreasuryHandlers, TreasuryOrdersHandlers } from "./Treasury.ts"
import { OperatorWebhooksHandlers } from "./Webhooks.ts"
import { OperatorRequestErrorsHandlers } from "../requests/RequestErrors.ts"
import { namedAccount, swapId } from "../requests/pathNames.ts"
import { orProblem } from "../requests/orProblem.ts"
import { readerOf } from "../requests/parameterIssues.ts"
import { bodyBy } from "../requests/rawParameters.ts"
import { presentEntries } from "../requests/present/journal.ts"

const defaultLimit = 50

/** The filters of the log, by their names in the service. */
const auditFilters = (
  { account, action, actor, before, from }: typeof AuditParameters.Type,
): AuditFilters => ({
  ...spread(account, (account) => ({ account })),
  ...spread(action, (actions) => ({ actions })),
  ...spread(actor, (actor) => ({ actor })),
  ...spread(from, (from) => ({ from: EpochMillis.make(from) })),
  ...spread(before, (before) => ({ before: EpochMillis.make(before) })),
})

const withId = (path: string): Effect.Effect<KeyId, KeyUnknown> =>
  Option.match(KeyId.makeOption(path), {
    onNone: () => Effect.fail(new KeyUnknown({ id: path })),
    onSome: Effect.succeed,
  })

const readNewAccount = bodyBy(readerOf(NewAccountBody))
const readAccountChanges = bodyBy(readerOf(AccountChangesBody))
const readNewKey = bodyBy(
  readerOf(NewKeyBody),
  ({ label }, keys) => [heldKeyIssues("label", label, keys)],
)
const readRouteRule = bodyBy(readerOf(RouteRuleBody))
const readEndAcceptance = bodyBy(readerOf(EndAcceptanceBody))
const readSwapMove = bodyBy(readerOf(SwapMoveBody))

const presentIssued = ({ key, record }: IssuedKey): IssuedKeyBody => ({ ...record, key: Redacted.value(key) })

const OperatorHandlers = HttpApiBuilder.group(
  Api,
  "operator",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const keys = yield* Keys
    const routes = yield* Routes
    const audit = yield* Audit
    const business = yield* Business
    const journals = yield* Journals
    const moves = yield* Moves
    const disputed = yield* DisputedEnds
    const presented = yield* presentEntries

    const createAccount = Effect.gen(function* () {
      const { name, ...terms } = yield* readNewAccount
      return accountBody(yield* accounts.create(name, terms, yield* CurrentActor))
    })

    const changeAccount = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      return accountBody(yield* accounts.change(name, yield* readAccountChanges, yield* CurrentActor))
    })

    const issueKey = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      const { scopes, ...rest } = yield* readNewKey
      const terms = { ...rest, ...spread(scopes, (scopes) => ({ scopes: [...new Set(scopes)] })) }
      return presentIssued(yield* keys.issue(name, terms, yield* CurrentActor))
    })

    const revokeKey = Effect.fnUntraced(function* (path: string, withMade: boolean) {
      return yield* keys.revoke(yield* withId(path), yield* CurrentActor, { withMade })
    })

    const setRoute = Effect.fnUntraced(function* (path: string) {
      const name = yield* namedAccount(path)
      return yield* routes.set(name, yield* readRouteRule, yield* CurrentActor)
    })

    const moveSwap = Effect.fnUntraced(function* (path: string) {
      const id = yield* swapId(path)
      return yield* moves.move(id, (yield* readSwapMove).account, yield* CurrentActor)
    })

    const acceptEnd = Effect.fnUntraced(function* (path: string) {
      const id = yield* swapId(path)
      return yield* disputed.accept(id, (yield* readEndAcceptance).entry, yield* CurrentActor)
    })

    return handlers
      .handle("accounts", ({ query }) =>
        accounts.page(pageQuery(query, defaultLimit)).pipe(
          Effect.flatMap(listed),
          Effect.map((all) => all.map(accountBody)),
          orProblem,
        ))
      .handleRaw("createAccount", () => orProblem(createAccount))
      .handleRaw("changeAccount", ({ params }) => orProblem(changeAccount(params.name)))
      .handle("keys", ({ params, query }) =>
        namedAccount(params.name).pipe(
          Effect.flatMap((name) => keys.page(name, pageQuery(query, defaultLimit))),
          Effect.flatMap(listed),
          orProblem,
        ))
      .handleRaw("issueKey", ({ params }) => orProblem(issueKey(params.name)))
      .handle("revokeKey", ({ params, query }) => orProblem(revokeKey(params.id, query.withMade === "true")))
      .handle(
        "routes",
        ({ params }) => orProblem(Effect.flatMap(namedAccount(params.name), routes.ofAccount)),
      )
      .handleRaw("setRoute", ({ params }) => orProblem(setRoute(params.name)))
      .handle("removeRoute", ({ params, query }) =>
        Effect.gen(function* () {
          return yield* routes.remove(yield* namedAccount(params.name), query, yield* CurrentActor)
        }).pipe(orProblem))
      .handle("audit", ({ query: { limit, offset, ...filters } }) =>
        audit.page({
          ...pageQuery(
            { limit, offset: offset === undefined ? offset : AuditEntryId.make(offset) },
            defaultLimit,
          ),
          ...auditFilters(filters),
        }).pipe(Effect.flatMap(listed), orProblem))
      .handle("swapJournal", ({ params, query }) =>
        swapId(params.id).pipe(
          Effect.flatMap((id) =>
            Effect.catchTag(
              journals.pageOfAny(id, journalQuery(query)),
              "SwapNotFound",
              () => business.missing(id),
            )
          ),
          Effect.flatMap(listed),
          Effect.flatMap(presented),
          orProblem,
        ))
      .handleRaw("acceptEnd", ({ params }) => orProblem(acceptEnd(params.id)))
      .handleRaw("moveSwap", ({ params }) => orProblem(moveSwap(params.id)))
  }),
)

/** The handlers of the operator's part of the contract (`OperatorApi`), of the service and of its commands. */
export const operatorHandlers = Layer.mergeAll(
  OperatorHandlers,
  BusinessHandlers,
  PortalHandlers,
  OperatorWebhooksHandlers,
  OperatorRequestErrorsHandlers,
  AlertsHandlers,
  TreasuryHandlers,
  TreasuryOrdersHandlers,
)
