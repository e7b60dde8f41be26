import { Effect, Layer, Option, Redacted, Result } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Audit } from "#application/accounts/Audit.ts"
import { type IssuedKey, Keys } from "#application/accounts/Keys.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import { Business } from "#application/business/Business.ts"
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
import { OperatorWebhooksHandlers } from "./Webhooks.ts"
import { failAsProblem, handlersOf, OperatorRequestErrorsHandlers } from "../requests/failedRequests.ts"
import { presentEntries } from "../requests/present/journal.ts"
import { Alerts } from "#application/alerts/Alerts.ts"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Sessions } from "#application/accounts/Sessions.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { PortalLinkBody } from "#api/Portal.ts"
import { portalUrl, PublicUrl } from "../requests/PublicUrl.ts"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { type IdempotencyHeaders, idempotencyKeyHeader, replayedHeader } from "#api/Idempotency.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { Affiliates } from "#application/treasury/Affiliates.ts"
import { TreasuryUnknown } from "#application/treasury/failures.ts"
import { Decisions } from "#application/treasury/Decisions.ts"
import { Treasury } from "#application/treasury/Treasury.ts"
import { type Ordered, Withdrawals } from "#application/treasury/Withdrawals.ts"
import { accept } from "../requests/parameterIssues.ts"
import {
  presentAffiliate,
  presentTreasury,
  presentWithdrawal,
  presentWithdrawalStory,
} from "../requests/present/treasury.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"

export const PortalHandlers = handlersOf("portal")(Effect.fnUntraced(function* (handlers) {
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
}))

const defaultLimit = 50

export const AlertsHandlers = handlersOf("alerts")(Effect.fnUntraced(function* (handlers) {
  const alerts = yield* Alerts
  return handlers.handle(
    "alerts",
    ({ query }) => alerts.page(pageQuery(query, defaultLimit)).pipe(Effect.flatMap(listed), failAsProblem),
  )
}))

/** The filters of the log, by their names in the service. */
const auditFilters = (
  { account, action, actor, before, from }: typeof AuditParameters.Type,
): AuditFilters => ({
  ...defined({ account, actions: action, actor }),
  ...optionalMembers(from, (from) => ({ from: EpochMillis.make(from) })),
  ...optionalMembers(before, (before) => ({ before: EpochMillis.make(before) })),
})

const presentIssued = ({ key, record }: IssuedKey): IssuedKeyBody => ({ ...record, key: Redacted.value(key) })

const OperatorHandlers = handlersOf("operator")(Effect.fnUntraced(function* (handlers) {
  const accounts = yield* Accounts
  const keys = yield* Keys
  const merchants = yield* Merchants
  const routes = yield* RouteRules
  const audit = yield* Audit
  const business = yield* Business
  const journals = yield* Journals
  const moves = yield* SwapTransfers
  const disputed = yield* DisputedEnds
  const presented = yield* presentEntries

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
        Effect.flatMap((entries) => presented(entries, "operator")),
        failAsProblem,
      ),
    acceptEnd: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* disputed.accept(params.id, payload.entry, yield* CurrentActor)
    }, failAsProblem),
    moveSwap: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* moves.move(params.id, payload.account, yield* CurrentActor)
    }, failAsProblem),
  })
}))

/** The key that the order was sent under. */
const keyOf = Effect.fnUntraced(function* (headers: typeof IdempotencyHeaders.Type) {
  const key = headers["idempotency-key"]
  const { credentials } = yield* RequestMeta
  yield* accept([heldKeyIssues(idempotencyKeyHeader, key, credentials)], Result.void)
  return Option.fromUndefinedOr(key)
})

const presentOrdered = Effect.fnUntraced(function* ({ isReplayed, withdrawal }: Ordered) {
  if (isReplayed) {
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, replayedHeader, "true"))
    )
  }
  return presentWithdrawal(withdrawal)
})

const TreasuryHandlers = handlersOf("treasury")(Effect.fnUntraced(function* (handlers) {
  const treasury = yield* Treasury
  const withdrawals = yield* Withdrawals
  const affiliates = yield* Affiliates

  return handlers
    .handle("treasury", () => failAsProblem(Effect.map(treasury.all, (all) => all.map(presentTreasury))))
    .handle("withdrawals", ({ query: { limit, offset, state } }) =>
      withdrawals.page({
        ...pageQuery({ limit, offset: offset === undefined ? offset : WithdrawalId.make(offset) }, 50),
        ...optionalMembers(state, (state) => ({ state })),
      }).pipe(Effect.flatMap(listed), Effect.map((found) => found.map(presentWithdrawal)), failAsProblem))
    .handle(
      "withdrawal",
      ({ params }) => failAsProblem(Effect.map(withdrawals.find(params.id), presentWithdrawalStory)),
    )
    .handle(
      "affiliates",
      () => failAsProblem(Effect.map(affiliates.all, (all) => all.flatMap(presentAffiliate))),
    )
}))

const TreasuryOrdersHandlers = handlersOf("treasuryOrders")(Effect.fnUntraced(function* (handlers) {
  const treasury = yield* Treasury
  const withdrawals = yield* Withdrawals
  const decisions = yield* Decisions
  const affiliates = yield* Affiliates

  return handlers.handleAll({
    withdraw: Effect.fnUntraced(function* ({ headers, payload }) {
      const key = yield* keyOf(headers)
      return yield* presentOrdered(yield* withdrawals.order(payload, key, yield* CurrentActor))
    }, failAsProblem),
    decide: Effect.fnUntraced(function* ({ params, payload: { outcome, reason } }) {
      return presentWithdrawal(yield* decisions.decide(params.id, outcome, reason, yield* CurrentActor))
    }, failAsProblem),
    enter: Effect.fnUntraced(function* ({ payload: { amountNative, asset, provider, reason } }) {
      const platform = yield* Effect.mapError(
        Effect.fromOption(ProviderName.makeOption(provider)),
        () => new TreasuryUnknown(),
      )
      yield* treasury.enter({ platform, asset, amount: BigInt(amountNative), reason }, yield* CurrentActor)
      return (yield* treasury.all).map(presentTreasury)
    }, failAsProblem),
    register: Effect.fnUntraced(function* ({ payload }) {
      const { platform: provider, ...named } = yield* affiliates.add(payload, yield* CurrentActor)
      return { provider, ...named, earned: [] }
    }, failAsProblem),
    withdrawShare: Effect.fnUntraced(function* ({ headers, params }) {
      const key = yield* keyOf(headers)
      return yield* presentOrdered(yield* withdrawals.orderShare(params.name, key, yield* CurrentActor))
    }, failAsProblem),
  })
}))

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
