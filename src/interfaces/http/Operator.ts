import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Audit } from "#application/accounts/Audit.ts"
import { type IssuedKey, Keys } from "#application/accounts/Keys.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import { Business } from "#application/business/Business.ts"
import { Api } from "#api/Api.ts"
import { CurrentActor } from "#api/Authorization.ts"
import { accountBody, type AuditParameters, type IssuedKeyBody } from "#api/OperatorBodies.ts"
import { AuditEntryId, type AuditFilters } from "#domain/operations/Audit.ts"
import { EpochMillis } from "#domain/Time.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { DisputedEnds } from "#application/swapping/following/DisputedEnds.ts"
import { SwapTransfers } from "#application/swapping/SwapTransfers.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { BusinessHandlers } from "./Business.ts"
import { journalQuery, listed, pageQuery } from "./pages.ts"
import { TreasuryHandlers, TreasuryOrdersHandlers } from "./Treasury.ts"
import { OperatorWebhooksHandlers } from "./Webhooks.ts"
import { OperatorRequestErrorsHandlers } from "../requests/RequestErrors.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import { presentEntries } from "../requests/present/journal.ts"
import { Alerts } from "#application/alerts/Alerts.ts"
import { HttpServerRequest } from "effect/http"
import { Sessions } from "#application/accounts/Sessions.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { PortalLinkBody } from "#api/Portal.ts"
import { portalUrl, PublicUrl } from "../requests/PublicUrl.ts"

export const PortalHandlers = HttpApiBuilder.group(
  Api,
  "portal",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const publicUrl = yield* PublicUrl

    const link = Effect.fnUntraced(function* (name: AccountName) {
      const { headers: { host } } = yield* HttpServerRequest.HttpServerRequest
      const { expiresAt, token } = yield* sessions.link(name, yield* CurrentActor)
      return {
        url: yield* Effect.provideService(portalUrl(token, host), PublicUrl, publicUrl),
        expiresAt,
      } satisfies PortalLinkBody
    })

    return handlers.handle("linkPortal", ({ params }) => failAsProblem(link(params.name)))
  }),
)

const defaultLimit = 50

export const AlertsHandlers = HttpApiBuilder.group(
  Api,
  "alerts",
  Effect.fnUntraced(function* (handlers) {
    const alerts = yield* Alerts
    return handlers.handle(
      "alerts",
      ({ query }) => alerts.page(pageQuery(query, defaultLimit)).pipe(Effect.flatMap(listed), failAsProblem),
    )
  }),
)

/** The filters of the log, by their names in the service. */
const auditFilters = (
  { account, action, actor, before, from }: typeof AuditParameters.Type,
): AuditFilters => ({
  ...defined({ account, actions: action, actor }),
  ...optionalMembers(from, (from) => ({ from: EpochMillis.make(from) })),
  ...optionalMembers(before, (before) => ({ before: EpochMillis.make(before) })),
})

const presentIssued = ({ key, record }: IssuedKey): IssuedKeyBody => ({ ...record, key: Redacted.value(key) })

const OperatorHandlers = HttpApiBuilder.group(
  Api,
  "operator",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const keys = yield* Keys
    const merchants = yield* Merchants
    const routes = yield* RouteRules
    const audit = yield* Audit
    const business = yield* Business
    const journals = yield* Journals
    const moves = yield* SwapTransfers
    const disputed = yield* DisputedEnds
    const presented = yield* presentEntries("operator")

    return handlers.handleAll({
      accounts: ({ query }) =>
        accounts.page(pageQuery(query, defaultLimit)).pipe(
          Effect.flatMap(listed),
          Effect.map((all) => all.map(accountBody)),
          failAsProblem,
        ),
      createAccount: Effect.fnUntraced(function* ({ payload: { name, ...terms } }) {
        return accountBody(yield* accounts.create(name, terms, yield* CurrentActor))
      }, failAsProblem),
      changeAccount: Effect.fnUntraced(function* ({ params, payload }) {
        return accountBody(yield* accounts.change(params.name, payload, yield* CurrentActor))
      }, failAsProblem),
      merchant: ({ params }) => failAsProblem(merchants.ofAccount(params.name)),
      setMerchant: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* merchants.set(params.name, payload, yield* CurrentActor)
      }, failAsProblem),
      keys: ({ params, query }) =>
        keys.page(params.name, pageQuery(query, defaultLimit)).pipe(Effect.flatMap(listed), failAsProblem),
      issueKey: Effect.fnUntraced(function* ({ params, payload: { scopes, ...rest } }) {
        const terms = { ...rest, ...optionalMembers(scopes, (scopes) => ({ scopes: [...new Set(scopes)] })) }
        return presentIssued(yield* keys.issue(params.name, terms, yield* CurrentActor))
      }, failAsProblem),
      revokeKey: Effect.fnUntraced(function* ({ params, query }) {
        return yield* keys.revoke(params.id, yield* CurrentActor, { withMade: query.withMade === "true" })
      }, failAsProblem),
      routes: ({ params }) => failAsProblem(routes.ofAccount(params.name)),
      setRoute: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* routes.set(params.name, payload, yield* CurrentActor)
      }, failAsProblem),
      removeRoute: Effect.fnUntraced(function* ({ params, query }) {
        return yield* routes.remove(params.name, query, yield* CurrentActor)
      }, failAsProblem),
      audit: ({ query: { limit, offset, ...filters } }) =>
        audit.page({
          ...pageQuery(
            { limit, offset: offset === undefined ? offset : AuditEntryId.make(offset) },
            defaultLimit,
          ),
          ...auditFilters(filters),
        }).pipe(Effect.flatMap(listed), failAsProblem),
      swapJournal: ({ params: { id }, query }) =>
        journals.pageOfAny(id, journalQuery(query)).pipe(
          Effect.catchTag("SwapNotFound", () => business.missing(id)),
          Effect.flatMap(listed),
          Effect.flatMap(presented),
          failAsProblem,
        ),
      acceptEnd: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* disputed.accept(params.id, payload.entry, yield* CurrentActor)
      }, failAsProblem),
      moveSwap: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* moves.move(params.id, payload.account, yield* CurrentActor)
      }, failAsProblem),
    })
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
