import { Schema } from "effect"
import { optional } from "#domain/optional.ts"
import { OrderTrap } from "#api/SandboxCommands.ts"

/** The most that all application fees together may take (near-intents/wire.md 1, fees). */
export const maximumAppFeeBps = 500

const Bps = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))

/** In smallest units, as digits: of the destination asset where the output is exact, else of the origin asset. */
const Amount = Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,38}$/, { expected: "an integer string" }))

/** `POST /v0/quote` (near-intents/wire.md 1). Unknown members are ignored; values of other products are refused. */
export const QuoteRequest = Schema.Struct({
  /** True asks for figures only, false for an order with a deposit address. */
  dry: Schema.Boolean,
  swapType: Schema.Literals(["EXACT_INPUT", "FLEX_INPUT", "EXACT_OUTPUT"]),
  /** In bps. */
  slippageTolerance: Bps,
  originAsset: Schema.String,
  depositType: Schema.Literal("ORIGIN_CHAIN"),
  destinationAsset: Schema.String,
  amount: Amount,
  refundTo: Schema.String,
  refundType: Schema.Literal("ORIGIN_CHAIN"),
  recipient: Schema.String,
  recipientType: Schema.Literal("DESTINATION_CHAIN"),
  deadline: Schema.String.check(
    Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, {
      expected: "an ISO 8601 time",
    }),
  ),
  depositMode: optional(Schema.Literal("SIMPLE")),
  sessionId: optional(Schema.String),
  connectedWallets: optional(Schema.Array(Schema.String)),
  virtualChainRecipient: optional(Schema.String),
  virtualChainRefundRecipient: optional(Schema.String),
  customRecipientMsg: optional(Schema.String),
  confidentiality: optional(Schema.Literal("public")),
  referral: optional(Schema.String),
  quoteWaitingTimeMs: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  appFees: optional(Schema.Array(Schema.Struct({ recipient: Schema.NonEmptyString, fee: Bps }))),
})
export type QuoteRequest = typeof QuoteRequest.Type

/** Opens an order, from a request for a quote that is not dry; it takes deposits for `lifetimeMillis`. */
export const OpenOrder = Schema.TaggedStruct("OpenOrder", {
  request: QuoteRequest,
  lifetimeMillis: Schema.Int.check(Schema.isGreaterThan(0)),
  areFeesAsAsked: optional(Schema.Boolean),
})
export type OpenOrder = typeof OpenOrder.Type

/** Reports a client's deposit transaction, so that the order need not find it. */
export const SubmitDeposit = Schema.TaggedStruct("SubmitDeposit", {
  address: Schema.String,
  transactionReference: Schema.String,
})
export type SubmitDeposit = typeof SubmitDeposit.Type

export const PlanOrder = Schema.TaggedStruct("PlanOrder", { outcome: OrderTrap })

/** The commands that change orders, except deposits; the log keeps them with those of the other network. */
export const IntentsCommand = Schema.Union([OpenOrder, SubmitDeposit, PlanOrder])
