import { Effect, Option, Result } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import { type IdempotencyHeaders, idempotencyKeyHeader, replayedHeader } from "../api/Idempotency.ts"
import { DecisionBody, LedgerEntryBody, NewAffiliateBody, NewWithdrawalBody } from "../api/TreasuryBodies.ts"
import { AffiliateName } from "../domain/Affiliate.ts"
import { issueAbout, type Issues } from "../domain/Issues.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { WithdrawalId } from "../domain/Withdrawal.ts"
import { spread } from "../platform/spread.ts"
import { Affiliates } from "../treasury/Affiliates.ts"
import { AffiliateUnknown, TreasuryUnknown, WithdrawalUnknown } from "../treasury/failures.ts"
import { Decisions } from "../treasury/Decisions.ts"
import { Treasury } from "../treasury/Treasury.ts"
import { type Ordered, Withdrawals } from "../treasury/Withdrawals.ts"
import { accept, readerOf } from "../requests/parameterIssues.ts"
import { orProblem } from "../requests/orProblem.ts"
import { listed, pageQuery } from "./pages.ts"
import {
  presentAffiliate,
  presentTreasury,
  presentWithdrawal,
  presentWithdrawalStory,
} from "../requests/present/treasury.ts"
import { bodyBy, bodyParameters, queryParameters } from "../requests/rawParameters.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"

const readWithdrawal = bodyBy(readerOf(NewWithdrawalBody))
const readDecision = bodyBy(
  readerOf(DecisionBody),
  ({ reason }, keys) => [heldKeyIssues("reason", reason, keys)],
)
const readEntry = bodyBy(
  readerOf(LedgerEntryBody),
  ({ reason }, keys) => [heldKeyIssues("reason", reason, keys)],
)
const readAffiliate = bodyBy(readerOf(NewAffiliateBody))

const digits = /^[1-9][0-9]{0,15}$/

const withdrawalId = (path: string): Effect.Effect<WithdrawalId, WithdrawalUnknown> =>
  Option.match(digits.test(path) ? WithdrawalId.makeOption(Number(path)) : Option.none(), {
    onNone: () => Effect.fail(new WithdrawalUnknown()),
    onSome: Effect.succeed,
  })

const affiliateName = (path: string): Effect.Effect<AffiliateName, AffiliateUnknown> =>
  Effect.mapError(Effect.fromOption(AffiliateName.makeOption(path)), () => new AffiliateUnknown())

const notTaken =
  "is not taken here: earnings go to the address of the settings (WITHDRAWAL_ADDRESS_…) or to the one " +
  "that the account is bound to, and nowhere else"

/** Refuses every name but these: one that is ignored could be meant as another destination. */
const takeOnly = (names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const query = yield* queryParameters
    const { raw } = yield* bodyParameters
    const others = [...Object.keys(query), ...Object.keys(raw).filter((name) => !names.includes(name))]
    yield* accept(others.map((name): Issues => issueAbout(name, notTaken)), Result.void)
  })

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
      .handle("treasury", () => orProblem(Effect.map(treasury.all, (all) => all.map(presentTreasury))))
      .handle("withdrawals", ({ query: { limit, offset, state } }) =>
        withdrawals.page({
          ...pageQuery({ limit, offset: offset === undefined ? offset : WithdrawalId.make(offset) }, 50),
          ...spread(state, (state) => ({ state })),
        }).pipe(
          Effect.flatMap(listed),
          Effect.map((found) => found.map(presentWithdrawal)),
          orProblem,
        ))
      .handle("withdrawal", ({ params }) =>
        withdrawalId(params.id).pipe(
          Effect.flatMap(withdrawals.find),
          Effect.map(presentWithdrawalStory),
          orProblem,
        ))
      .handle(
        "affiliates",
        () => orProblem(Effect.map(affiliates.all, (all) => all.flatMap(presentAffiliate))),
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

    const withdraw = Effect.fnUntraced(function* (headers: typeof IdempotencyHeaders.Type) {
      const key = yield* keyOf(headers)
      yield* takeOnly(Object.keys(NewWithdrawalBody.fields))
      return yield* presentOrdered(yield* withdrawals.order(yield* readWithdrawal, key, yield* CurrentActor))
    })

    const withdrawShare = Effect.fnUntraced(function* (
      path: string,
      headers: typeof IdempotencyHeaders.Type,
    ) {
      const key = yield* keyOf(headers)
      yield* takeOnly([])
      const name = yield* affiliateName(path)
      return yield* presentOrdered(yield* withdrawals.orderShare(name, key, yield* CurrentActor))
    })

    const decide = Effect.fnUntraced(function* (path: string) {
      const id = yield* withdrawalId(path)
      const { outcome, reason } = yield* readDecision
      return presentWithdrawal(yield* decisions.decide(id, outcome, reason, yield* CurrentActor))
    })

    const enter = Effect.gen(function* () {
      const { amountNative, asset, provider, reason } = yield* readEntry
      const platform = yield* Effect.mapError(
        Effect.fromOption(ProviderName.makeOption(provider)),
        () => new TreasuryUnknown(),
      )
      yield* treasury.enter({ platform, asset, amount: BigInt(amountNative), reason }, yield* CurrentActor)
      return (yield* treasury.all).map(presentTreasury)
    })

    const register = Effect.gen(function* () {
      const named = yield* affiliates.add(yield* readAffiliate, yield* CurrentActor)
      const { account, name, platform, registeredAt, withdrawalAddress } = named
      return {
        provider: platform,
        name,
        withdrawalAddress,
        registeredAt,
        earned: [],
        ...(account === undefined ? {} : { account }),
      }
    })

    return handlers
      .handleRaw("withdraw", ({ headers }) => orProblem(withdraw(headers)))
      .handleRaw("decide", ({ params }) => orProblem(decide(params.id)))
      .handleRaw("enter", () => orProblem(enter))
      .handleRaw("register", () => orProblem(register))
      .handleRaw("withdrawShare", ({ headers, params }) => orProblem(withdrawShare(params.name, headers)))
  }),
)
