import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AffiliateName } from "#domain/accounts/Affiliate.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { about, idIn, numberIn, ofOne, reading, writing } from "./endpoint.ts"
import { documentKey, IdempotencyHeaders, idempotencyProblems } from "./Idempotency.ts"
import { BadRequest, Conflict, NotFound } from "./Problems.ts"
import {
  AffiliateBody,
  DecisionBody,
  LedgerEntryBody,
  NewAffiliateBody,
  NewWithdrawalBody,
  TreasuryBody,
  WithdrawalBody,
  WithdrawalParameters,
  WithdrawalStoryBody,
} from "./TreasuryBodies.ts"

const changing = [NotFound, Conflict, ...writing] as const
const ordering = [...changing, ...idempotencyProblems] as const

const one = {
  id: numberIn(WithdrawalId, { named: "withdrawal", description: "Id of a withdrawal.", example: "1" }),
}

const recorded = HttpApiSchema.status(202)
const created = HttpApiSchema.status(201)

/** What the operator has at the providers, for who may look. */
export class TreasuryGroup extends HttpApiGroup.make("treasury").add(
  HttpApiEndpoint.get("treasury", "/operator/treasury", {
    success: Schema.Array(TreasuryBody),
    error: reading,
  }).annotateMerge(about(
    "getTreasury",
    "The operator's account at each provider",
    "What was earned, what the ledger says, and what openings are paid from, as of the last look at each account. A " +
      "provider that could not be asked shows what was last known, with its time, and why.",
  )),
  HttpApiEndpoint.get("withdrawals", "/operator/treasury/withdrawals", {
    query: WithdrawalParameters,
    success: Schema.Array(WithdrawalBody).annotate({
      description: 'Newest first. `Link: rel="next"` has the next page.',
    }),
    error: [BadRequest, ...reading],
  }).annotateMerge(
    about("listWithdrawals", "List the withdrawals", "Every withdrawal, of the operator and of affiliates."),
  ),
  HttpApiEndpoint.get("withdrawal", "/operator/treasury/withdrawals/:id", {
    params: one,
    success: WithdrawalStoryBody,
    error: ofOne,
  }).annotateMerge(about(
    "getWithdrawal",
    "One withdrawal, with everything that happened to it",
    "From its record to its payment.",
  )),
  HttpApiEndpoint.get("affiliates", "/operator/treasury/affiliates", {
    success: Schema.Array(AffiliateBody),
    error: reading,
  }).annotateMerge(about(
    "listAffiliates",
    "List the affiliates",
    "Accounts that share in the commission: those with a name, and those that only the providers know.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope("operate", { title: "Treasury", description: "The operator's accounts at the providers." }),
) {}

/** What moves the operator's money, or decides what became of it. */
export class TreasuryOrdersGroup extends HttpApiGroup.make("treasuryOrders").add(
  HttpApiEndpoint.post("withdraw", "/operator/treasury/withdrawals", {
    headers: IdempotencyHeaders,
    payload: NewWithdrawalBody,
    success: WithdrawalBody.pipe(recorded),
    error: ordering,
  }).annotateMerge(about(
    "withdraw",
    "Withdraw what was earned in an asset, all of it",
    "To the address of the settings (`WITHDRAWAL_ADDRESS_…`) or the one that the account is bound to: a request cannot " +
      "name another, and one that tries is refused. The order is recorded, then sent once. Without an `Idempotency-Key` " +
      "requests of the same within a minute are one, and an order without a response is not joined by another. 202 tells " +
      "how far it is: `unknown` is looked up, never repeated.",
  )).annotate(OpenApi.Transform, documentKey),
  HttpApiEndpoint.post("decide", "/operator/treasury/withdrawals/:id/decision", {
    params: one,
    payload: DecisionBody,
    success: WithdrawalBody,
    error: changing,
  }).annotateMerge(about(
    "decideWithdrawal",
    "Decide the outcome of a withdrawal that is not known otherwise",
    "For one that is `unknown`, `taken` or `sent`, after you have looked at the chains yourself. Another may be " +
      "ordered afterwards.",
  )),
  HttpApiEndpoint.post("enter", "/operator/treasury/entries", {
    payload: LedgerEntryBody,
    success: Schema.Array(TreasuryBody),
    error: changing,
  }).annotateMerge(about(
    "enterIntoLedger",
    "Enter into the ledger what it does not know of",
    "Fees of swaps that are not this service's, a withdrawal by other means. The entry is permanent; its " +
      "reason is in the audit log.",
  )),
  HttpApiEndpoint.post("register", "/operator/treasury/affiliates", {
    payload: NewAffiliateBody,
    success: AffiliateBody.pipe(created),
    error: changing,
  }).annotateMerge(about(
    "registerAffiliate",
    "Register an affiliate, or name one",
    "`affiliateN` accepts the name from now on. If the reply to a registration is lost, the registration is not " +
      "repeated: the same request checks for the account.",
  )),
  HttpApiEndpoint.post("withdrawShare", "/operator/treasury/affiliates/:name/withdrawals", {
    params: {
      name: idIn(AffiliateName, {
        named: "affiliate",
        description: "Name of an affiliate.",
        example: "wallet-one",
      }),
    },
    headers: IdempotencyHeaders,
    success: WithdrawalBody.pipe(recorded),
    error: ordering,
  }).annotateMerge(about(
    "withdrawShare",
    "Pay an affiliate's share out, all of it",
    "To the address that it was registered with, and to no other.",
  )).annotate(OpenApi.Transform, documentKey),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope(["operate", "withdraw"], {
    title: "Withdrawals",
    description: "Orders to pay out what the operator and its affiliates have earned.",
  }),
) {}
