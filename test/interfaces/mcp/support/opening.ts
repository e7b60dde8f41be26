import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { get } from "#test/contract/support/call.ts"
import { integerAt, type Json, textAt } from "#test/contract/support/Json.ts"
import { answerOf, callTool, type Client } from "./agent.ts"

/** A swap as an agent asks for it. */
export const wish = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: "0.25",
  destinationAddress: addressFor("eth.eth"),
  refundAddress: addressFor("btc.btc"),
  minimumPrice: "30",
}

/** A prepared swap: what the tool answered. */
export const prepare = (client: Client = {}, changes: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(callTool("prepare_swap", { ...wish, ...changes }, client), answerOf)

/** What the human reads from their wallets. */
export const readOut = (prepared: Json) => ({
  confirmedDestination: textAt(prepared, "destinationAddress").slice(-6),
  confirmedRefund: textAt(prepared, "refundAddress").slice(-6),
})

/** The arguments with which a prepared swap is opened. */
export const opening = (prepared: Json) => ({
  confirmation: textAt(prepared, "confirmation"),
  ...readOut(prepared),
})

/** How many channels the simulated network has open. */
export const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))
