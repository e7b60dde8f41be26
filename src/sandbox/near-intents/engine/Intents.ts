/**
 * The simulated NEAR Intents: orders on the chains and at the reference prices of the engine's network, in
 * the same virtual time. As deterministic as that one: the seed and the commands with their times decide
 * everything.
 *
 * ```ts
 * const intents = Intents.make(network)
 * const order = Intents.openOrder(intents, command)
 * Intents.advance(intents, later)
 * ```
 */
export { advance } from "./advance.ts"
export { depositToOrder, submitDeposit } from "./deposits.ts"
export { IntentsCommand, OpenOrder, PlanOrder, SubmitDeposit } from "./Command.ts"
export { make } from "./make.ts"
export { openOrder, quote, type Quoted } from "./orders.ts"
export { planOrder } from "./planOrder.ts"
export * from "./queries.ts"
export type * from "./Refusal.ts"
export type { Intents, Order } from "./State.ts"
