import { Effect, Option, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { Api } from "#api/Api.ts"
import { CurrentActor } from "#api/Authorization.ts"
import { type IdempotencyHeaders, idempotencyKeyHeader, replayedHeader } from "#api/Idempotency.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Affiliates } from "#application/treasury/Affiliates.ts"
import { TreasuryUnknown } from "#application/treasury/failures.ts"
import { Decisions } from "#application/treasury/Decisions.ts"
import { Treasury } from "#application/treasury/Treasury.ts"
import { type Ordered, Withdrawals } from "#application/treasury/Withdrawals.ts"
import { accept } from "../requests/parameterIssues.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import { listed, pageQuery } from "./pages.ts"
import {
  presentAffiliate,
  presentTreasury,
  presentWithdrawal,
  presentWithdrawalStory,
} from "../requests/present/treasury.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"

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

export const TreasuryHandlers = HttpApiBuilder.group(
  Api,
  "treasury",
  Effect.fnUntraced(function* (handlers) {
    const treasury = yield* Treasury
    const withdrawals = yield* Withdrawals
    const affiliates = yield* Affiliates

    return handlers
      .handle("treasury", () => failAsProblem(Effect.map(treasury.all, (all) => all.map(presentTreasury))))
      .handle("withdrawals", ({ query: { limit, offset, state } }) =>
        withdrawals.page({
          ...pageQuery({ limit, offset: offset === undefined ? offset : WithdrawalId.make(offset) }, 50),
          ...optionalMembers(state, (state) => ({ state })),
        }).pipe(
          Effect.flatMap(listed),
          Effect.map((found) => found.map(presentWithdrawal)),
          failAsProblem,
        ))
      .handle(
        "withdrawal",
        ({ params }) => failAsProblem(Effect.map(withdrawals.find(params.id), presentWithdrawalStory)),
      )
      .handle(
        "affiliates",
        () => failAsProblem(Effect.map(affiliates.all, (all) => all.flatMap(presentAffiliate))),
      )
  }),
)

export const TreasuryOrdersHandlers = HttpApiBuilder.group(
  Api,
  "treasuryOrders",
  Effect.fnUntraced(function* (handlers) {
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
        yield* treasury.enter(
          { platform, asset, amount: BigInt(amountNative), reason },
          yield* CurrentActor,
        )
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
  }),
)
