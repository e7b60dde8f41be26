import { Match } from "effect"
import { maximumAppFeeBps } from "./engine/QuoteRequest.ts"
import type { RequestRefusal } from "./engine/Refusal.ts"
import { json, type Reply } from "../Wire.ts"

/** What 1Click says when it refuses (near-intents/wire.md 1, errors): there are no codes, only texts. */
export const intentsMessage = {
  unauthorized: "Unauthorized",
  noLiquidity: "No liquidity available",
  deadlinePassed: "deadline must be in the future",
  notJson: "the body is not JSON",
  appFeesTooHigh: `appFees must not exceed ${maximumAppFeeBps} bps in total`,
  amountTooLow: (minimum: bigint) => `Amount is too low for bridge, try at least ${minimum}`,
  invalid: (member: string) => `${member} is not valid`,
  unknownAddress: (address: string) => `Deposit address ${address} not found`,
  nothingHere: (method: string, path: string) => `Cannot ${method} ${path}`,
} as const

/** An answer that carries only a message. */
export const intentsRefusal = (status: number, message: string): Reply => json(status, { message })

/** The answer to a request that there is no quote for. */
export const requestRefusal: (refusal: RequestRefusal) => Reply = Match.type<RequestRefusal>().pipe(
  Match.tagsExhaustive({
    InvalidToken: ({ member }) => intentsRefusal(400, intentsMessage.invalid(member)),
    InvalidAddress: ({ member }) => intentsRefusal(400, intentsMessage.invalid(member)),
    AppFeesTooHigh: () => intentsRefusal(400, intentsMessage.appFeesTooHigh),
    AmountTooLow: ({ minimum }) => intentsRefusal(400, intentsMessage.amountTooLow(minimum)),
    NoLiquidity: () => intentsRefusal(400, intentsMessage.noLiquidity),
  }),
)
