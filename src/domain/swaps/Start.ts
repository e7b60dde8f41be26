import { Schema } from "effect"
import type { Chain } from "../chains/Chain.ts"
import { kindOf, PayloadKind } from "./VaultSwap.ts"

/** The way a swap begins: with a deposit channel, or with a transaction that itself says what to swap. */
export type Start = "channel" | "transaction"

/** The ways to begin of which a caller wants to see offers: one, or any. */
export const StartInput = Schema.Literals(["channel", "transaction", "any"])
export type StartInput = typeof StartInput.Type

/** The ways to begin, the wanted one first; none where the wanted one is not among them. */
export const startsWanted = (starts: ReadonlyArray<Start>, wish: StartInput): ReadonlyArray<Start> => {
  if (wish === "any") return starts
  return starts.includes(wish) ? [wish, ...starts.filter((start) => start !== wish)] : []
}

/** The endpoints of the contract that begin swaps. */
export const StartPath = Schema.Literals([
  "/swap",
  ...PayloadKind.literals.map((kind) => `/tx-payload/${kind}` as const),
])
export type StartPath = typeof StartPath.Type

/** The endpoints that begin a swap from a chain in these ways, in their order. */
export const startPaths = (starts: ReadonlyArray<Start>, source: Chain): ReadonlyArray<StartPath> => {
  const kind = kindOf(source)
  const payload = kind === undefined ? [] : [`/tx-payload/${kind}` as const]
  return starts.flatMap((start): ReadonlyArray<StartPath> => start === "channel" ? ["/swap"] : payload)
}
