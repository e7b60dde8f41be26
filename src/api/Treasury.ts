import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AffiliateName } from "#domain/accounts/Affiliate.ts"
import { WithdrawalId, WithdrawalState, WithdrawalVerdict } from "#domain/operations/Withdrawal.ts"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { about, idIn, numberIn, ofOne, reading, writing } from "./endpoint.ts"
import { documentKey, IdempotencyHeaders, idempotencyProblems } from "./Idempotency.ts"
import { BadRequest, Conflict, NotFound } from "./Problems.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { listLimit } from "./OperatorBodies.ts"
import { firstRow, knownAsset, note, text } from "./parameterKinds.ts"
import { amountsAs, maybe, member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

/** An amount that can exceed any single one, and be less than nothing. */
const SignedNative = member.text(
  "Integer in the smallest unit of the asset; negative where it is less than nothing.",
)
  .check(Schema.isPattern(/^-?[0-9]+$/))
  .pipe(Schema.decodeTo(Schema.BigIntFromString))

const amount = amountsAs(SignedNative)

const optionalAmount = <Name extends string>(name: Name, description: string) =>
  Struct.map(amount(name, description), optional)

const HoldingBody = Schema.Struct({ asset: AssetId, ...amount("amount") })

const provider = ProviderName.annotate({
  description: "Name of a provider.",
  examples: [ProviderName.make("chainflip")],
})

const TreasuryAssetBody = Schema.Struct({
  asset: AssetId,
  ...optionalAmount(
    "earned",
    "What can be withdrawn of the operator's own account, at the last look; absent where it was never seen.",
  ),
  ...optionalAmount("ofAffiliates", "What its affiliates have, at the last look."),
  ...amount(
    "ledger",
    "What the account and its affiliates must have together, by the records of swaps and withdrawals: what was " +
      "earned since the last withdrawal.",
  ),
  ...optionalAmount(
    "difference",
    "At the last comparison: what they had, less the ledger. Records come some seconds after the upstream, so that " +
      "a difference alone is no mismatch. Absent where the two cannot be compared.",
  ),
  comparedAt: maybe.time("When the ledger and the account were last compared, in epoch milliseconds."),
  mismatchSince: maybe.time("Since when nothing explains the difference."),
  ...amount("withdrawn", "What withdrawals have taken so far, with their fees."),
}).annotate({ identifier: "TreasuryAsset" })

const TreasuryFundsBody = Schema.Struct({
  asset: AssetId,
  ...amount("free", "What can be spent."),
  ...amount("bond", "What is locked."),
  ...amount("redeemable", "What can be taken back out of the upstream."),
  ...amount(
    "transactionCost",
    "What an opening was seen to cost besides the fee of its channel; 0 where none was seen yet.",
  ),
  openings: member.of(
    Schema.Array(Schema.Struct({
      chain: Chain,
      ...amount("fee", "Current fee of a deposit channel."),
      channels: optional(SignedNative.annotate({
        description:
          "How many channels the free funds pay for at this fee; absent where a channel costs nothing.",
      })),
    })),
    "Number of channels that can still be opened at today's fees, by source chain.",
  ),
  takers: Schema.Array(Schema.Struct({
    account: AccountName,
    channels: member.count("Channels that it has opened."),
    ...amount("spent", "What they have cost."),
  })).annotate({
    description: "Accounts that have opened channels within `FUNDS_WINDOW`, the one with the most first.",
  }),
}).annotate({ identifier: "TreasuryFunds" })

export const TreasuryBody = Schema.Struct({
  provider,
  account: maybe.text("The account, as the provider writes it; absent where it was never seen."),
  lookedAt: maybe.time("When the account was last seen."),
  failure: optional(
    Schema.Struct({ reason: Schema.String, at: EpochMillis }).annotate({
      description: "Why a later look saw nothing: what is shown of the account is as old as `lookedAt` says.",
    }),
  ),
  notCompared: maybe.text("Why what was earned cannot be compared with the ledger; absent where it is."),
  assets: Schema.Array(TreasuryAssetBody),
  funds: maybe.of(
    TreasuryFundsBody,
    "What openings cost the account, and what is left for them; absent where they cost nothing.",
  ),
  takesOrders: member.yesOrNo("Whether withdrawals can be ordered here."),
  hasAffiliates: member.yesOrNo("Whether affiliates can be registered here."),
  withdrawalsEnabled: maybe.yesOrNo("Whether the provider pays out now; absent if unknown."),
  inSync: maybe.yesOrNo("Whether its node has the latest blocks; absent if unknown."),
  boundAddress: optional(
    Schema.Struct({ chain: Chain, address: Address }).annotate({
      description: "Assets of this chain are paid to this address only, by the provider itself.",
    }),
  ),
  affiliates: Schema.Array(Schema.Struct({
    account: Schema.String,
    shortId: optional(Schema.Int),
    withdrawalAddress: Address,
    earned: Schema.Array(HoldingBody),
  })).annotate({ description: "Accounts that share in the commission, as the provider says." }),
}).annotate({ identifier: "Treasury" })
export type TreasuryBody = typeof TreasuryBody.Type

const withdrawnAsset = knownAsset.annotate({
  description: "Asset whose earnings are withdrawn: always all of them.",
})

const providerGiven = text({
  description: "Name of a provider.",
  example: "chainflip",
  issue: "must be the name of a provider",
})

/** The body that orders a withdrawal. It has no other members: where it goes is not the request's to say. */
export const NewWithdrawalBody = Schema.Struct({ provider: providerGiven, asset: withdrawnAsset })
  .annotate({ identifier: "NewWithdrawal" })

export const WithdrawalBody = Schema.Struct({
  id: WithdrawalId,
  provider,
  asset: AssetId,
  affiliate: maybe.text("The affiliate's account, if it is its share that is withdrawn."),
  destination: Address,
  state: WithdrawalState.annotate({
    description:
      "`requested`: recorded, and being ordered. `unknown`: the provider's reply was lost, or contradicts the record; " +
      "nothing is ordered again. `taken`: the provider has the order. `sent`: the payment is on its way. `paid` and `failed` " +
      "are its ends.",
  }),
  ...amount("earned", "What there was of the asset just before the order."),
  ...optionalAmount("amount", "What arrives, once the provider has said it."),
  ...optionalAmount("fee", "What the payment costs."),
  reference: maybe.text("The provider's name of the payment."),
  orderTransaction: maybe.text("The transaction that ordered it, on the provider's own chain."),
  paymentTransaction: maybe.text("The transaction that pays, on the chain of the asset."),
  detail: maybe.text("Why it is where it is."),
  isContradicted: member.yesOrNo(
    "Whether the provider's response contradicts the record: the operator decides.",
  ),
  requestedAt: EpochMillis,
  changedAt: EpochMillis,
}).annotate({ identifier: "Withdrawal" })
export type WithdrawalBody = typeof WithdrawalBody.Type

export const WithdrawalStoryBody = Schema.Struct({
  ...WithdrawalBody.fields,
  steps: Schema.Array(Schema.Struct({
    state: WithdrawalState,
    detail: optional(Schema.String),
    at: EpochMillis,
  })).annotate({ description: "Everything that happened to it, in order." }),
}).annotate({ identifier: "WithdrawalStory" })
export type WithdrawalStoryBody = typeof WithdrawalStoryBody.Type

export const WithdrawalParameters = Schema.Struct({
  offset: optional(firstRow("withdrawal")),
  limit: listLimit,
  state: optional(WithdrawalState.annotate({
    description: "Only those in this state: `unknown` for those that may or may not have been ordered.",
    examples: ["unknown"],
    message: `must be one of ${WithdrawalState.literals.join(", ")}`,
  })),
})

/** What the operator found out about a withdrawal. */
export const DecisionBody = Schema.Struct({
  outcome: WithdrawalVerdict.annotate({
    description:
      "`paid`: it was ordered and has arrived. `failed`: it was not, or the payment never arrives.",
    message: `must be one of ${WithdrawalVerdict.literals.join(", ")}`,
  }),
  reason: note("How it was found out.", 500),
}).annotate({ identifier: "WithdrawalDecision" })

/** What the ledger did not know of. */
export const LedgerEntryBody = Schema.Struct({
  provider: providerGiven,
  asset: knownAsset,
  amountNative: Schema.String.check(Schema.isPattern(/^-?[0-9]{1,39}$/)).annotate({
    description:
      "Integer in the smallest unit of the asset; negative where there is less than the ledger says.",
    examples: ["-1500000"],
    message: "must be an integer in the smallest unit of the asset, such as -1500000, as text",
  }),
  reason: note("Where it came from or went.", 500),
}).annotate({ identifier: "NewLedgerEntry" })

export const NewAffiliateBody = Schema.Struct({
  provider: providerGiven,
  name: AffiliateName.annotate({
    description: "Stands for the account in `affiliateN`. Never changes.",
    examples: [AffiliateName.make("wallet-one")],
    message: "must be 1 to 32 lower-case letters and digits, beginning with a letter, with - between them",
  }),
  withdrawalAddress: optional(text({
    description: "Registers an account whose share is paid to this address only; it cannot be changed later.",
    example: "0x2222222222222222222222222222222222222222",
    issue: "must be an address",
  })),
  account: optional(text({
    description: "Names an account instead that is registered already.",
    example: "cFHtoB6DrnqUVY4DwMHCVCtgCLsiHvv98oGw8k66tazF2ToFv",
    issue: "must be an account",
  })),
}).annotate({ identifier: "NewAffiliate" })

export const AffiliateBody = Schema.Struct({
  provider,
  name: maybe.text("Its name in `affiliateN`; absent if it has none."),
  account: maybe.text("Absent while it is not known whether it was registered."),
  withdrawalAddress: Address,
  registeredAt: maybe.time("When the account was registered, in epoch milliseconds."),
  shortId: optional(Schema.Int),
  earned: Schema.Array(HoldingBody),
}).annotate({ identifier: "Affiliate" })
export type AffiliateBody = typeof AffiliateBody.Type

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
