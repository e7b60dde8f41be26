import { Schema } from "effect"
import { OrderTrap } from "../../../api/SandboxCommands.ts"
import { QuoteRequest } from "./QuoteRequest.ts"

/** A quote that is not dry: it makes an order, which takes deposits for so long. */
export const OpenOrder = Schema.TaggedStruct("OpenOrder", {
  request: QuoteRequest,
  lifetimeMillis: Schema.Int.check(Schema.isGreaterThan(0)),
})
export type OpenOrder = typeof OpenOrder.Type

/** The client names its deposit transaction, so that it need not be found. */
export const SubmitDeposit = Schema.TaggedStruct("SubmitDeposit", {
  address: Schema.String,
  transactionReference: Schema.String,
})
export type SubmitDeposit = typeof SubmitDeposit.Type

/** What is to be wrong with the next order. */
export const PlanOrder = Schema.TaggedStruct("PlanOrder", { outcome: OrderTrap })
export type PlanOrder = typeof PlanOrder.Type

/** What changes the orders apart from time and deposits; kept in the log with those of the other network. */
export const IntentsCommand = Schema.Union([OpenOrder, SubmitDeposit, PlanOrder])
export type IntentsCommand = typeof IntentsCommand.Type
